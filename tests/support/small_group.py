"""A suite as strict as the real one and a tenth of its cost, for tests in volume.

The quadratic residues modulo the safe prime p = 2^62 - 10565, a group of prime order
(p - 1) / 2. Logarithms in it can be found with patience: it hides nothing.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from protocol.crypto.group import POINT_BYTES, Point, Suite, hash_to_scalar
from protocol.crypto.hashing import Part, wide

PRIME: Final = 2**62 - 10565
ORDER: Final = (PRIME - 1) // 2


def _encoded(value: int) -> bytes:
    return value.to_bytes(POINT_BYTES, "little")


class _Residues:
    name: Final = "residues62-blake2b/1"
    order: Final = ORDER
    generator: Final = Point(_encoded(4))
    identity: Final = Point(_encoded(1))
    outsiders: Final[Mapping[str, bytes]] = {
        "the identity": _encoded(1),
        "zero": _encoded(0),
        "minus one": _encoded(PRIME - 1),
        "no residue": _encoded(PRIME - 4),
        "the identity, not reduced": _encoded(PRIME + 1),
        "the generator, not reduced": _encoded(PRIME + 4),
        "out of range": b"\xff" * POINT_BYTES,
    }

    def decode(self, encoded: bytes) -> Point | None:
        if len(encoded) != POINT_BYTES:
            return None
        value = int.from_bytes(encoded, "little")
        return Point(encoded) if _is_member(value) else None

    def decode_times(self, k: int, encoded: bytes) -> tuple[Point, Point] | None:
        point = self.decode(encoded)
        return None if point is None else (point, self.mul(k, point))

    def base(self, k: int) -> Point:
        return Point(_encoded(pow(4, k % ORDER, PRIME)))

    def mul(self, k: int, point: Point) -> Point:
        return Point(_encoded(_power(_value(point), k % ORDER)))

    def add(self, left: Point, right: Point) -> Point:
        return Point(_encoded(_value(left) * _value(right) % PRIME))

    def sub(self, left: Point, right: Point) -> Point:
        inverse = pow(_value(right), -1, PRIME)
        return Point(_encoded(_value(left) * inverse % PRIME))

    def hash_to_point(self, tag: str, i: int) -> Point:
        root = 2 + int.from_bytes(wide(tag, i), "little") % (PRIME - 3)
        return Point(_encoded(pow(root, 2, PRIME)))

    def scalar(self, tag: str, *parts: Part) -> int:
        return hash_to_scalar(ORDER, tag, *parts)


@lru_cache(maxsize=1 << 15)
def _is_member(value: int) -> bool:
    # Remembered, since all seats of a test read the same points.
    return 1 < value < PRIME and pow(value, ORDER, PRIME) == 1


@lru_cache(maxsize=1 << 15)
def _power(value: int, k: int) -> int:
    # Remembered too: every seat and every audit checks the same proofs.
    return pow(value, k, PRIME)


def _value(point: Point) -> int:
    value = int.from_bytes(point.encoded, "little")
    if not 0 < value < PRIME:
        raise ValueError("a point of another suite")
    return value


SMALL: Final[Suite] = _Residues()
