"""A group of prime order with a checked door: the setting of every proof here.

After Bernstein, Duif, Lange, Schwabe, Yang, "High-speed high-security signatures"
(2011), section 2 (edwards25519 and its encoding), and Bernstein, Hamburg, Krasnova,
Lange, "Elligator" (2013), section 5 (the map libsodium's from_uniform applies).

    (1)  L = 2^252 + 27742317777372353535851937790883648493, the order of G
    (2)  scalar(tag, p...) = wide(tag, p...) mod L, little-endian, with 0 read as 1
    (3)  hash_to_point(tag, i) = 8 * Elligator2(H(tag, i))

Deviations. edwards25519 has cofactor 8; we work in its subgroup of order L and keep the
rest out at the door. A `Point` comes from `decode`, which takes canonical encodings of
the subgroup only, or from an operation on Points, so it never has to be checked again.
libsodium multiplies no other point either, so `decode_times` needs no second check.
The identity is a value, because sums inside a verification may reach it, but `decode`
refuses it. No scalar is clamped. libsodium raises on a zero scalar and on the identity,
so both are answered here before it is called.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_from_uniform,
    crypto_core_ed25519_is_valid_point,
    crypto_core_ed25519_sub,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)
from nacl.exceptions import RuntimeError as SodiumRefused

from protocol.crypto.hashing import H, Part, wide

SCALAR_BYTES: Final = 32
POINT_BYTES: Final = 32


class UnsafeGroup(RuntimeError):
    """The cryptographic library on this computer accepts forged points; do not play."""


@dataclass(frozen=True, slots=True)
class Point:
    """A member of a suite's group; made by that suite alone, never by a caller."""

    encoded: bytes


class Suite(Protocol):
    """A prime-order group and its name, which every table agrees on.

    Scalars may be any integers; they are taken modulo `order`.
    """

    @property
    def name(self) -> str:
        """The name written into the table's description."""

    @property
    def order(self) -> int:
        """The prime number of members."""

    @property
    def generator(self) -> Point:
        """The member that `base` multiplies."""

    @property
    def identity(self) -> Point:
        """The neutral member; never sent, never accepted."""

    @property
    def outsiders(self) -> Mapping[str, bytes]:
        """Encodings that `decode` must refuse, by what is wrong with them."""

    def __hash__(self) -> int:
        """Suites key the constants that are computed once for each."""

    def decode(self, encoded: bytes) -> Point | None:
        """The member so encoded; None for the identity and for all else."""

    def decode_times(self, k: int, encoded: bytes) -> tuple[Point, Point] | None:
        """The member so encoded, and k times it, for k in 1..order-1; None as above.

        It costs no more than the product, which no outsider has.
        """

    def base(self, k: int) -> Point:
        """K times the generator."""

    def mul(self, k: int, point: Point) -> Point:
        """K times the point."""

    def add(self, left: Point, right: Point) -> Point:
        """The sum of two points."""

    def sub(self, left: Point, right: Point) -> Point:
        """The difference of two points."""

    def hash_to_point(self, tag: str, i: int) -> Point:
        """A point whose logarithm nobody knows (3)."""

    def scalar(self, tag: str, *parts: Part) -> int:
        """A scalar in 1..order-1 that the parts determine (2)."""


def hash_to_scalar(order: int, tag: str, *parts: Part) -> int:
    """A scalar in 1..order-1 that the parts determine (2)."""
    return int.from_bytes(wide(tag, *parts), "little") % order or 1


def encode_scalar(k: int) -> bytes:
    """A scalar as it crosses the wire: 32 bytes, little-endian."""
    return k.to_bytes(SCALAR_BYTES, "little")


def decode_scalar(suite: Suite, encoded: bytes) -> int | None:
    """The scalar so encoded; None unless it is 32 bytes and in 1..order-1."""
    if len(encoded) != SCALAR_BYTES:
        return None
    k = int.from_bytes(encoded, "little")
    return k if in_range(suite, k) else None


def in_range(suite: Suite, k: int) -> bool:
    """Whether a scalar is one that may cross the wire: 1..order-1."""
    return 0 < k < suite.order


_ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_IDENTITY: Final = Point((1).to_bytes(POINT_BYTES, "little"))
_GENERATOR: Final = Point(bytes.fromhex("58" + "66" * 31))

# The seven points of order 2, 4 and 8 (i times one of order 8), and G plus each.
_SMALL_ORDER: Final = (
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
)
_MIXED: Final = (
    "98519eadf35b995233b51b5cd23e9cc5a28b639b5a4af0ec903cb960d81b7819",
    "9bad33f580df7ecc49df5342bac8145d5bedc40f573d1b067f3c4ce449689a15",
    "da99e28ba529cdde35a25fba9059e78ecaee239f99755b9b1aa4f65df00803e2",
    "9599999999999999999999999999999999999999999999999999999999999999",
    "55ae61520ca466adcc4ae4a32dc1633a5d749c64a5b50f136fc3469f27e487e6",
    "5252cc0a7f208133b620acbd4537eba2a4123bf0a8c2e4f980c3b31bb69765ea",
    "13661d745ad63221ca5da0456fa618713511dc60668aa464e55b09a20ff7fc1d",
)
_OUTSIDERS: Final[Mapping[str, bytes]] = {
    "the identity": _IDENTITY.encoded,
    "the identity, sign bit set": bytes([1, *[0] * 30, 0x80]),
    "the identity, not reduced": bytes([0xEE, *[0xFF] * 30, 0x7F]),
    "not reduced": bytes([0xED, *[0xFF] * 30, 0x7F]),
    "off the curve": bytes([2, *[0] * 31]),
    **{f"{i} T8": bytes.fromhex(text) for i, text in enumerate(_SMALL_ORDER, 1)},
    **{f"G + {i} T8": bytes.fromhex(text) for i, text in enumerate(_MIXED, 1)},
}


class _Edwards:
    """The subgroup of order L of edwards25519, by libsodium."""

    name: Final = "ed25519sub-blake2b/1"
    order: Final = _ORDER
    generator: Final = _GENERATOR
    identity: Final = _IDENTITY
    outsiders: Final = _OUTSIDERS

    def decode(self, encoded: bytes) -> Point | None:
        if len(encoded) != POINT_BYTES:
            return None
        return Point(encoded) if crypto_core_ed25519_is_valid_point(encoded) else None

    def decode_times(self, k: int, encoded: bytes) -> tuple[Point, Point] | None:
        if len(encoded) != POINT_BYTES:
            return None
        try:
            product = crypto_scalarmult_ed25519_noclamp(encode_scalar(k), encoded)
        except SodiumRefused:
            return None
        return Point(encoded), Point(product)

    def base(self, k: int) -> Point:
        k %= _ORDER
        if not k:
            return _IDENTITY
        return Point(crypto_scalarmult_ed25519_base_noclamp(encode_scalar(k)))

    def mul(self, k: int, point: Point) -> Point:
        k %= _ORDER
        if not k or point == _IDENTITY:
            return _IDENTITY
        product = crypto_scalarmult_ed25519_noclamp(encode_scalar(k), point.encoded)
        return Point(product)

    def add(self, left: Point, right: Point) -> Point:
        return Point(crypto_core_ed25519_add(left.encoded, right.encoded))

    def sub(self, left: Point, right: Point) -> Point:
        return Point(crypto_core_ed25519_sub(left.encoded, right.encoded))

    def hash_to_point(self, tag: str, i: int) -> Point:
        return Point(crypto_core_ed25519_from_uniform(H(tag, i)))

    def scalar(self, tag: str, *parts: Part) -> int:
        return hash_to_scalar(_ORDER, tag, *parts)


EDWARDS: Final[Suite] = _Edwards()


def self_test(suite: Suite) -> None:
    """Raise `UnsafeGroup` unless the suite's door is shut to every known outsider.

    To be run at each start: the library behind PyNaCl may be the system's own, and old
    ones accept a point with a part of order 2, which marks a card through any remask.
    """
    for what, encoded in suite.outsiders.items():
        taken = suite.decode(encoded), suite.decode_times(1, encoded)
        if taken != (None, None):
            raise UnsafeGroup(f"{suite.name}: {what} passes as a member of the group")
    if suite.decode(suite.generator.encoded) != suite.generator:
        raise UnsafeGroup(f"{suite.name}: the generator is refused")
    last = suite.mul(suite.order - 1, suite.generator)
    if last != suite.base(-1) or suite.add(last, suite.base(1)) != suite.identity:
        raise UnsafeGroup(f"{suite.name}: the generator has another order")
