"""One value, one byte string: the only door between bytes and what they say.

The wire knows integers, byte strings, text, nil and lists, in the shortest msgpack
form. Decoding checks size and depth, refuses everything else, encodes the result again
and compares: a message has exactly one encoding, so a signature over bytes is a
signature over a meaning. A `Shape` is closed: exact types, lengths and ranges, no
optional fields.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

import msgpack

ENTRY_BYTES_MAX = 6_144
ARRAY_MAX = 64
DEPTH_MAX = 8
_INT_END = 1 << 63

Value = int | bytes | str | None | tuple["Value", ...]


class Malformed(ValueError):
    """These bytes are not a message of this version."""


class Shape(Protocol):
    """What a value must be."""

    def check(self, value: Value) -> None:
        """Return if `value` has this shape; else raise `Malformed`."""


@dataclass(frozen=True, slots=True)
class Int:
    """A whole number from `low` to `high`, both included."""

    low: int
    high: int

    def check(self, value: Value) -> None:
        """See `Shape`."""
        # bool is an int to isinstance.
        if type(value) is not int or not self.low <= value <= self.high:
            raise Malformed


@dataclass(frozen=True, slots=True)
class Bytes:
    """A byte string of `size` bytes, or of at most `at_most` if that is larger."""

    size: int
    at_most: int = 0

    def check(self, value: Value) -> None:
        """See `Shape`."""
        if type(value) is not bytes:
            raise Malformed
        if not self.size <= len(value) <= max(self.size, self.at_most):
            raise Malformed


@dataclass(frozen=True, slots=True)
class Text:
    """UTF-8 text of at most `at_most` bytes, as it came: not yet safe to show."""

    at_most: int

    def check(self, value: Value) -> None:
        """See `Shape`."""
        if type(value) is not str or len(value.encode()) > self.at_most:
            raise Malformed


@dataclass(frozen=True, slots=True)
class Maybe:
    """Nil, or the shape."""

    shape: Shape

    def check(self, value: Value) -> None:
        """See `Shape`."""
        if value is not None:
            self.shape.check(value)


@dataclass(frozen=True, slots=True)
class ListOf:
    """From `low` to `high` values of one shape."""

    shape: Shape
    low: int
    high: int

    def check(self, value: Value) -> None:
        """See `Shape`."""
        if type(value) is not tuple or not self.low <= len(value) <= self.high:
            raise Malformed
        for item in value:
            self.shape.check(item)


@dataclass(frozen=True, slots=True)
class Fields:
    """Exactly these values in this order."""

    shapes: tuple[Shape, ...]

    def check(self, value: Value) -> None:
        """See `Shape`."""
        if type(value) is not tuple or len(value) != len(self.shapes):
            raise Malformed
        for shape, item in zip(self.shapes, value, strict=True):
            shape.check(item)


@dataclass(frozen=True, slots=True)
class Anything:
    """Whatever the codec lets through; its reader checks it against a closed shape."""

    def check(self, value: Value) -> None:
        """See `Shape`."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """A list whose first field, a small number, says which of some shapes it has."""

    shapes: Mapping[int, Fields]

    def check(self, value: Value) -> None:
        """See `Shape`."""
        kind = value[0] if type(value) is tuple and value else None
        shape = self.shapes.get(kind) if type(kind) is int else None
        if shape is None:
            raise Malformed
        shape.check(value)


def fields(*shapes: Shape) -> Fields:
    """The shape of a list with these fields."""
    return Fields(shapes)


def encode(value: Value | Sequence[Value]) -> bytes:
    """The one byte string of `value`; raises `Malformed` for what the wire lacks."""
    _check_plain(value, DEPTH_MAX)
    return cast("bytes", msgpack.packb(value, use_bin_type=True))


def decode(data: bytes, shape: Shape, *, size_max: int = ENTRY_BYTES_MAX) -> Value:
    """The value in `data`, lists as tuples; raises `Malformed` and nothing else."""
    if len(data) > size_max:
        raise Malformed
    try:
        value = cast(
            "Value",
            msgpack.unpackb(
                data,
                use_list=False,
                raw=False,
                strict_map_key=True,
                timestamp=0,
                max_str_len=1024,
                max_bin_len=size_max,
                max_array_len=ARRAY_MAX,
                max_map_len=0,
                max_ext_len=0,
            ),
        )
        canonical = encode(value)
    except (ValueError, msgpack.UnpackException, OverflowError, RecursionError) as bad:
        raise Malformed from bad
    if canonical != data:
        raise Malformed
    shape.check(value)
    return value


def _check_plain(value: object, depth: int) -> None:
    kind = type(value)
    if kind is bytes or kind is str or value is None:
        return
    if kind is int:
        if not 0 <= cast("int", value) < _INT_END:
            raise Malformed
    elif isinstance(value, (tuple, list)):
        if depth == 0 or len(value) > ARRAY_MAX:
            raise Malformed
        for item in value:
            _check_plain(item, depth - 1)
    else:
        raise Malformed
