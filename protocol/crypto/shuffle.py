"""One seat's part in a shared deck: seed, key, remask-and-permute, shares, openings.

After Barnett, Smart, "Mental Poker Revisited" (2003), LNCS 2898, pages 370-383, the
masking function over discrete logarithms; ElGamal, "A public key cryptosystem and a
signature scheme based on discrete logarithms" (1985), section II; Durstenfeld,
"Algorithm 235: Random permutation" (1964). N values, n seats, deck number k of the
table `sid`, G the generator, positions and values counted from 0.

    (1)  s   = BLAKE2b(key = master, digest = 32, person = sc1.deckseed,
                       sid, k in 8 bytes, seat in 8 bytes, the bare bytes joined)
    (2)  ctx = H(sc1.ctx, sid, k, n, N, seat)
    (3)  C   = H(sc1.seed, ctx, s)                         the commitment
    (4)  x   = scalar(sc1.key, ctx, s),  X = x G,  Y = sum of all X
    (5)  M_v = hash_to_point(sc1.card, v),  deck 0 = (G, M_v + Y) for v = 0..N-1
    (6)  id  = H(sc1.deck, Y, a_0 b_0, ..., a_N-1 b_N-1)   one part a pair
    (7)  p   = Durstenfeld's order of 0..N-1, i from N-1 down to 1, j = w mod (i + 1),
               w the next of words(sc1.perm, ctx, s, id of the input) below the
               largest multiple of i + 1 that is at most 2^64
    (8)  r_i = scalar(sc1.remask, ctx, s, id of the input, i)
    (9)  output i = (a + r_i G, b + r_i Y), where (a, b) is input p(i)
    (10) output i = (a + r_i G, b + (r_i sum x) G)         the same, keys known
    (11) D   = x a,  M_v = b - sum of all D

Deviations. Barnett and Smart let a seat draw its masks; here all of them, and the
permutation, follow from a seed that the seat commits to before it has seen a deck
and reveals when the deal is over, so that anyone can replay the deal (10). The input
deck is in (7) and (8): the same seed on another input gives unrelated secrets. Deck 0
carries one public mask of 1, so that no identity ever stands in a deck.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final, TypeAlias

from protocol.crypto.group import POINT_BYTES, Point, Suite
from protocol.crypto.hashing import H, words

Pair: TypeAlias = tuple[Point, Point]
Deck: TypeAlias = tuple[Pair, ...]

SECRET_BYTES: Final = 32
PAIR_BYTES: Final = 2 * POINT_BYTES

_WORD_RANGE: Final = 2**64


def deck_seed(master: bytes, sid: bytes, k: int, seat: int) -> bytes:
    """The one seed a seat uses for deck k, from its 32-byte secret of the match (1)."""
    if len(master) != SECRET_BYTES:
        raise ValueError("a master secret has 32 bytes")
    data = sid + k.to_bytes(8, "big") + seat.to_bytes(8, "big")
    return blake2b(data, digest_size=32, key=master, person=b"sc1.deckseed").digest()


def context(sid: bytes, k: int, n: int, N: int, seat: int) -> bytes:
    """What binds a hash to one seat and one deck of one table (2)."""
    return H("sc1.ctx", sid, k, n, N, seat)


def commitment(ctx: bytes, seed: bytes) -> bytes:
    """What a seat says of its seed before anybody has a key (3)."""
    return H("sc1.seed", ctx, seed)


def secret_key(suite: Suite, ctx: bytes, seed: bytes) -> int:
    """The seat's secret key for this deck (4)."""
    return suite.scalar("sc1.key", ctx, seed)


def joint_key(suite: Suite, keys: Iterable[Point]) -> Point:
    """The key under which the deck is masked: the sum of all seats' keys (4)."""
    return _sum(suite, keys)


@lru_cache(maxsize=8)
def first_deck(suite: Suite, Y: Point, N: int) -> Deck:
    """The deck before anybody shuffled it: value v at position v (5)."""
    return tuple(
        (suite.generator, suite.add(value_point, Y))
        for value_point in value_points(suite, N)
    )


@lru_cache(maxsize=8)
def value_points(suite: Suite, N: int) -> tuple[Point, ...]:
    """The points that stand for the values 0..N-1 (5)."""
    return tuple(suite.hash_to_point("sc1.card", value) for value in range(N))


def deck_hash(Y: Point, deck: Deck) -> bytes:
    """The name of a masked deck: of a stage's input, or of the deck dealt from (6)."""
    return H("sc1.deck", Y.encoded, *(a.encoded + b.encoded for a, b in deck))


def permutation(
    ctx: bytes, seed: bytes, deck_in_hash: bytes, N: int
) -> tuple[int, ...]:
    """Where each output position comes from: output i was input p[i] (7)."""
    return drawn_order(words("sc1.perm", ctx, seed, deck_in_hash), N)


def drawn_order(draws: Iterator[int], N: int) -> tuple[int, ...]:
    """A uniform order of 0..N-1 from uniform 64-bit integers (7)."""
    order = list(range(N))
    for i in range(N - 1, 0, -1):
        limit = _WORD_RANGE - _WORD_RANGE % (i + 1)
        j = next(draw for draw in draws if draw < limit) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def stage(
    suite: Suite, Y: Point, deck_in: Deck, ctx: bytes, seed: bytes
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The masks (8) and the permutation (7) that a seed means for this input."""
    name = deck_hash(Y, deck_in)
    masks = tuple(
        suite.scalar("sc1.remask", ctx, seed, name, i) for i in range(len(deck_in))
    )
    return masks, permutation(ctx, seed, name, len(deck_in))


def remask(suite: Suite, Y: Point, deck_in: Deck, ctx: bytes, seed: bytes) -> Deck:
    """The seat's permuted and remasked deck (9); N base and N variable products."""
    masks, order = stage(suite, Y, deck_in, ctx, seed)
    return tuple(
        _masked(suite, deck_in[source], suite.base(r), suite.mul(r, Y))
        for r, source in zip(masks, order, strict=True)
    )


def replay(
    suite: Suite,
    Y: Point,
    deck_in: Deck,
    ctx: bytes,
    seed: bytes,
    x_joint: int,
) -> Deck:
    """What `remask` gives, once the sum of all secret keys is known (10); 2N base."""
    masks, order = stage(suite, Y, deck_in, ctx, seed)
    return tuple(
        _masked(suite, deck_in[source], suite.base(r), suite.base(r * x_joint))
        for r, source in zip(masks, order, strict=True)
    )


def encode_deck(deck: Deck) -> bytes:
    """A deck as it crosses the wire: 64 bytes a position."""
    return b"".join(a.encoded + b.encoded for a, b in deck)


def decode_deck(suite: Suite, encoded: bytes, N: int) -> Deck | None:
    """The deck so encoded; None unless every point is a member of the group."""
    if len(encoded) != PAIR_BYTES * N:
        return None
    points: list[Point] = []
    for at in range(0, len(encoded), POINT_BYTES):
        point = suite.decode(encoded[at : at + POINT_BYTES])
        if point is None:
            return None
        points.append(point)
    return tuple(zip(points[::2], points[1::2], strict=True))


def share(suite: Suite, x: int, a: Point) -> Point:
    """One seat's part of the opening of a position (11)."""
    return suite.mul(x, a)


def open_value(suite: Suite, b: Point, shares: Sequence[Point], N: int) -> int | None:
    """The value under all seats' shares (11); None if it is no value of this deck."""
    opened = b
    for part in shares:
        opened = suite.sub(opened, part)
    return _values(suite, N).get(opened)


@lru_cache(maxsize=8)
def _values(suite: Suite, N: int) -> dict[Point, int]:
    return {point: value for value, point in enumerate(value_points(suite, N))}


def _masked(suite: Suite, pair: Pair, a_mask: Point, b_mask: Point) -> Pair:
    return suite.add(pair[0], a_mask), suite.add(pair[1], b_mask)


def _sum(suite: Suite, points: Iterable[Point]) -> Point:
    total = suite.identity
    for point in points:
        total = suite.add(total, point)
    return total
