"""The portable record of a match: raw entries and signatures, and nothing local.

A `.scopa` file is a header line, one frame an entry (author by author, in the order of
their numbers; what proves a fault and stands in no chain follows its author's chain),
and a trailer with their count and digest. Reading refuses what is no record and tells
apart what is damaged, but judges nothing: that is the `Judge`'s, who needs only these
bytes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
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
from protocol.entry import WIRE_VERSION
from protocol.faults import Signed

_FAMILY = b"scopa-record "
HEADER = _FAMILY + b"%d\n" % WIRE_VERSION
"""Names the wire version of the entries, since they can be read by no other."""
ENTRIES_MAX = 100_000
ARCHIVE_BYTES_MAX = 64 * 1024 * 1024
_LENGTH_BYTES = 4
_FRAME_BYTES_MAX = ENTRY_BYTES_MAX + 128
_FRAME = fields(Bytes(0, ENTRY_BYTES_MAX), Bytes(64))
_TRAILER = fields(Int(0, ENTRIES_MAX), Bytes(32))


class ForeignArchive(ValueError):
    """This file is not a match record, or one of another wire version."""


class DamagedArchive(ValueError):
    """This record is cut off or damaged."""


class End(Enum):
    """How a file ends."""

    WHOLE = "with a trailer that fits"
    CUT = "before its trailer"
    UNFIT = "with a trailer that does not fit, or with more than it says"


@dataclass(frozen=True, slots=True)
class Reading:
    """What can be read of a file, and how it ends.

    Its entries are in their order, with None for each that cannot be read.
    """

    entries: tuple[Signed | None, ...]
    end: End


def write_archive(chains: Iterable[Sequence[Signed]]) -> bytes:
    """The file for `chains`, given author by author."""
    frames = [encode((s.encoded, s.signature)) for chain in chains for s in chain]
    trailer = encode((len(frames), H("sc1.archive", *frames)))
    return HEADER + b"".join(_framed(part) for part in (*frames, trailer))


def read_archive(data: bytes) -> tuple[Signed, ...]:
    """Every entry in the file, in its order.

    Raises `ForeignArchive` for what is no record of this version, `DamagedArchive` for
    one that is not whole.
    """
    reading = read_damaged(data)
    entries = tuple(one for one in reading.entries if one is not None)
    if reading.end is not End.WHOLE or len(entries) != len(reading.entries):
        raise DamagedArchive("This record is cut off or damaged.")
    return entries


def read_damaged(data: bytes) -> Reading:
    """What can be read of the file, so that the damaged entry can be named.

    Raises as `read_archive` does, but `DamagedArchive` only where not even the header
    is left.
    """
    if len(data) > ARCHIVE_BYTES_MAX:
        raise ForeignArchive("This file is larger than any match record.")
    if not data.startswith(HEADER):
        raise _headless(data)
    return _read(data)


def _headless(data: bytes) -> ForeignArchive | DamagedArchive:
    if HEADER.startswith(data):
        return DamagedArchive("This record is cut off: nothing of it is left.")
    if data.startswith(_FAMILY):
        return ForeignArchive(
            "This record was written by a program of another version."
        )
    if _read(data).end is End.WHOLE:
        return DamagedArchive("This record's first line is damaged.")
    return ForeignArchive("This file is not a match record.")


def _read(data: bytes) -> Reading:
    entries: list[Signed | None] = []
    digested: list[bytes] = []
    at = len(HEADER)
    while at < len(data) and len(entries) <= ENTRIES_MAX:
        size = int.from_bytes(data[at : at + _LENGTH_BYTES])
        at += _LENGTH_BYTES
        frame = data[at : at + size] if size <= _FRAME_BYTES_MAX else b""
        at += size
        if len(frame) < size or at > len(data):
            return Reading((*entries, None), End.CUT)
        trailer = _trailer(frame)
        if trailer is not None:
            fits = trailer == (len(entries), H("sc1.archive", *digested))
            return Reading(
                tuple(entries), End.WHOLE if fits and at == len(data) else End.UNFIT
            )
        entries.append(_entry(frame))
        digested.append(frame)
    return Reading(tuple(entries), End.CUT)


def _framed(part: bytes) -> bytes:
    return len(part).to_bytes(_LENGTH_BYTES) + part


def _entry(frame: bytes) -> Signed | None:
    try:
        value = decode(frame, _FRAME, size_max=_FRAME_BYTES_MAX)
    except Malformed:
        return None
    return Signed(*cast("tuple[bytes, bytes]", value))


def _trailer(frame: bytes) -> tuple[int, bytes] | None:
    try:
        return cast("tuple[int, bytes]", decode(frame, _TRAILER))
    except Malformed:
        return None
