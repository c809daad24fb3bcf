"""A suite that counts its scalar multiplications."""

from collections.abc import Mapping

from protocol.crypto.group import Point, Suite
from protocol.crypto.hashing import Part


class Counting:
    """Answers as another suite does; `base_count` and `variable_count` add up."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self.base_count = 0
        self.variable_count = 0

    def taken(self) -> tuple[int, int]:
        """Variable and base multiplications since the last call."""
        counts = self.variable_count, self.base_count
        self.variable_count = self.base_count = 0
        return counts

    @property
    def name(self) -> str:
        return self._suite.name

    @property
    def order(self) -> int:
        return self._suite.order

    @property
    def generator(self) -> Point:
        return self._suite.generator

    @property
    def identity(self) -> Point:
        return self._suite.identity

    @property
    def outsiders(self) -> Mapping[str, bytes]:
        return self._suite.outsiders

    def decode(self, encoded: bytes) -> Point | None:
        return self._suite.decode(encoded)

    def decode_times(self, k: int, encoded: bytes) -> tuple[Point, Point] | None:
        self.variable_count += 1
        return self._suite.decode_times(k, encoded)

    def base(self, k: int) -> Point:
        self.base_count += 1
        return self._suite.base(k)

    def mul(self, k: int, point: Point) -> Point:
        self.variable_count += 1
        return self._suite.mul(k, point)

    def add(self, left: Point, right: Point) -> Point:
        return self._suite.add(left, right)

    def sub(self, left: Point, right: Point) -> Point:
        return self._suite.sub(left, right)

    def hash_to_point(self, tag: str, i: int) -> Point:
        return self._suite.hash_to_point(tag, i)

    def scalar(self, tag: str, *parts: Part) -> int:
        return self._suite.scalar(tag, *parts)
