"""The portable record of a match: raw entries and signatures, and nothing local.

A `.scopa` file is a header line, one frame an entry (author by author, in the order of
their numbers; of a fork both sides), and a trailer with their count and digest. Reading
refuses damage but judges nothing: that is the `Judge`'s, who needs only these bytes.
"""

from collections.abc import Iterable, Sequence
from typing import cast

from protocol.codec import (
    ENTRY_BYTES_MAX,
    Bytes,
    Int,
    Malformed,
    decode,
    encode,
    fields,
)
from protocol.crypto.hashing import H
from protocol.faults import Signed

HEADER = b"scopa-record 1\n"
_FAMILY = b"scopa-record "
ENTRIES_MAX = 100_000
ARCHIVE_BYTES_MAX = 64 * 1024 * 1024
_LENGTH_BYTES = 4
_FRAME = fields(Bytes(0, ENTRY_BYTES_MAX), Bytes(64))
_TRAILER = fields(Int(0, ENTRIES_MAX), Bytes(32))


class ForeignArchive(ValueError):
    """This file is not a match record, or was written by a newer program."""


class DamagedArchive(ValueError):
    """This record is cut off or damaged."""


def write_archive(chains: Iterable[Sequence[Signed]]) -> bytes:
    """The file for `chains`, given author by author."""
    frames = [encode((s.encoded, s.signature)) for chain in chains for s in chain]
    trailer = encode((len(frames), H("sc1.archive", *frames)))
    return HEADER + b"".join(_framed(part) for part in (*frames, trailer))


def read_archive(data: bytes) -> tuple[Signed, ...]:
    """Every entry in the file, in its order.

    Raises `ForeignArchive` for what is no record of this version, `DamagedArchive` for
    one that is not whole. A frame whose digest does not fit is still given out by
    `read_damaged`, so that the damaged entry can be named.
    """
    signed, whole = read_damaged(data)
    if not whole:
        raise DamagedArchive
    return signed


def read_damaged(data: bytes) -> tuple[tuple[Signed, ...], bool]:
    """What can be read of the file, and whether it is whole."""
    if not data.startswith(HEADER):
        if data.startswith(_FAMILY) or not HEADER.startswith(data) or not data:
            raise ForeignArchive
        raise DamagedArchive
    if len(data) > ARCHIVE_BYTES_MAX:
        raise ForeignArchive
    frames, whole = _frames(data[len(HEADER) :])
    signed = []
    for frame in frames[: -1 if whole else None]:
        try:
            pair = cast("tuple[bytes, bytes]", decode(frame, _FRAME, size_max=1 << 15))
        except Malformed:
            whole = False
            continue
        signed.append(Signed(*pair))
    if whole:
        whole = _trailer_fits(frames)
    return tuple(signed), whole


def _framed(part: bytes) -> bytes:
    return len(part).to_bytes(_LENGTH_BYTES) + part


def _frames(rest: bytes) -> tuple[list[bytes], bool]:
    """The frames up to the end or the first cut, and whether a trailer ends them."""
    frames: list[bytes] = []
    at = 0
    while at < len(rest) and len(frames) <= ENTRIES_MAX:
        size = int.from_bytes(rest[at : at + _LENGTH_BYTES])
        frame = rest[at + _LENGTH_BYTES : at + _LENGTH_BYTES + size]
        if len(frame) < size or size == 0:
            return frames, False
        frames.append(frame)
        at += _LENGTH_BYTES + size
    return frames, bool(frames) and _is_trailer(frames[-1])


def _is_trailer(frame: bytes) -> bool:
    try:
        decode(frame, _TRAILER)
    except Malformed:
        return False
    return True


def _trailer_fits(frames: list[bytes]) -> bool:
    count, digest = cast("tuple[int, bytes]", decode(frames[-1], _TRAILER))
    entries = frames[:-1]
    return count == len(entries) and digest == H("sc1.archive", *entries)
