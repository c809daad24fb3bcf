"""Tagged, length-prefixed hashes: the only way anything here is ever hashed.

After Aumasson, Neves, Wilcox-O'Hearn, Winnerlein, "BLAKE2: simpler, smaller, fast as
MD5" (2013), section 2.8 (personalization), and FIPS 202, section 6.2 (SHAKE-256).

    (1)  frame(p_1, ..., p_m) = |p_1| p_1 ... |p_m| p_m
         where |p| is the length in 4 bytes, an integer is 8 bytes, text is UTF-8,
         all big-endian
    (2)  H(tag, p...)     = BLAKE2b(digest = 32, person = tag, frame(p...))
    (3)  wide(tag, p...)  = BLAKE2b(digest = 64, person = tag, frame(p...))
    (4)  words(tag, p...) = SHAKE-256(frame(tag, p...)) cut into 8-byte integers

Deviations: none of the primitives. The framing is ours: it makes the input of a hash
injective in the list of its parts, and two tags never share a hash. A list of variable
length is either the last thing in a frame or one part of its own.
"""

from collections.abc import Iterator
from hashlib import blake2b, shake_256

Part = bytes | int | str

_FIRST_DRAW_BYTES = 512


def H(tag: str, *parts: Part) -> bytes:
    """The 32-byte hash of the parts under a tag of at most 16 bytes (2)."""
    return blake2b(frame(parts), digest_size=32, person=tag.encode()).digest()


def wide(tag: str, *parts: Part) -> bytes:
    """The 64-byte hash of the parts, wide enough to reduce modulo a group order (3)."""
    return blake2b(frame(parts), digest_size=64, person=tag.encode()).digest()


def words(tag: str, *parts: Part) -> Iterator[int]:
    """An endless stream of 64-bit integers drawn from the parts (4)."""
    stream = shake_256(frame((tag, *parts)))
    start, end = 0, _FIRST_DRAW_BYTES
    while True:
        drawn = stream.digest(end)
        for at in range(start, end, 8):
            yield int.from_bytes(drawn[at : at + 8], "big")
        start, end = end, 2 * end


def frame(parts: tuple[Part, ...]) -> bytes:
    """The parts as one byte string from which they can be told apart again (1)."""
    pieces: list[bytes] = []
    for part in parts:
        piece = _as_bytes(part)
        pieces.append(len(piece).to_bytes(4, "big"))
        pieces.append(piece)
    return b"".join(pieces)


def _as_bytes(part: Part) -> bytes:
    if isinstance(part, bytes):
        return part
    if isinstance(part, int):
        return part.to_bytes(8, "big")
    return part.encode()
