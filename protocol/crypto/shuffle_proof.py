"""The proof that a deck is another deck permuted and remasked, and nothing else.

After Terelius, Wikstrom, "Proofs of restricted shuffles" (2010), LNCS 6055, pages
100-113, in the form of Haenni, Locher, Koenig, Dubuis, "Pseudo-code algorithms for
verifiable re-encryption mix-nets" (2017), LNCS 10323, pages 370-384, algorithms
GenShuffleProof and CheckShuffleProof. N pairs (a, b) go in; output i, (a', b'), is
input p(i) remasked with r_i under the joint key Y. All is counted from 0; h_0 serves
the chain alone.

    (1)  h_i  = hash_to_point(sc1.gen, i),  i = 0..N
    (2)  S    = H(sc1.tws, ctx, Y, deck in, deck out)          one part a pair
    (3)  c_p(i) = e_p(i) G + h_(i+1),  e_j = scalar(sc1.twr, seed, S, j)
    (4)  T    = H(sc1.twu, ctx, Y, deck in, deck out, c_0, ..., c_N-1)
    (5)  u_j  = scalar(sc1.twu, T, j),  v_i = u_p(i)
    (6)  d_i  = f_i G + v_i d_(i-1),  d_-1 = h_0               the chain
    (7)  E = sum e_j,  F = sum f_i (v_(i+1) ... v_(N-1)),
         K = sum u_j e_j,  R = sum v_i r_i
    (8)  phi(w, x, y) = w_1 G,  w_2 G,  w_3 G + sum y_i h_(i+1),
                        sum y_i a'_i - w_4 G,  sum y_i b'_i - w_4 Y,
                        x_0 G + y_0 d_-1,  ...,  x_N-1 G + y_N-1 d_N-2
    (9)  q    = scalar(sc1.twc, T, d_0, ..., d_N-1, phi(w, x, y))
    (10) s = w + q (E, F, K, R),  g = x + q f,  z = y + q v
    (11) accept if q = scalar(sc1.twc, T, d_0, ..., d_N-1, phi(s, g, z) - q C) for
         C = sum c_j - sum h_(i+1),  d_N-1 - (u_0 ... u_N-1) h_0,  sum u_j c_j,
             sum u_j a_j,  sum u_j b_j,  d_0,  ...,  d_N-1

(11) shows that C = phi((E, F, K, R), f, v) for secrets that the prover knows: each row
of the committed matrix adds up to 1, v is that matrix times u, and the product of v is
that of u. For weights u that nobody chose, only a permutation has all three; the deck
out, weighted with v, is then the deck in, weighted with u and remasked.

Deviations. The challenge is sent in place of the first messages, as in our other
proofs. The weights hash the commitments besides the statement: else a deck with one
pair multiplied and another divided could be proven after the fact. The nonces f, w, x,
y are, in this order, scalar(sc1.nonce, seed, T, number): T is the whole challenge input
but what is made from them, so a restart repeats the proof byte for byte. The context,
which names the table, the deck and the seat, is in every hash. Both decks have N pairs,
and a pair is longer than a point, so the lists in (2) and (4) can be told apart.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from protocol.crypto.group import (
    POINT_BYTES,
    SCALAR_BYTES,
    Point,
    Suite,
    decode_scalar,
    encode_scalar,
    in_range,
)
from protocol.crypto.hashing import H
from protocol.crypto.shuffle import Deck, stage

_FIXED: Final = 5
"""Scalars of a proof whatever the number of positions: q and s_1 to s_4."""


@dataclass(frozen=True, slots=True)
class ShuffleProof:
    """Commitments c and chain d, the challenge q, and the answers s, g, z of (10).

    The points are still encodings, which `check_shuffle` decodes.
    """

    commitments: tuple[bytes, ...]
    chain: tuple[bytes, ...]
    challenge: int
    sums: tuple[int, ...]
    links: tuple[int, ...]
    weights: tuple[int, ...]

    def encode(self) -> bytes:
        """The points, then the scalars, 32 bytes each."""
        points = b"".join((*self.commitments, *self.chain))
        return points + b"".join(map(encode_scalar, self.scalars))

    @property
    def scalars(self) -> tuple[int, ...]:
        """In the order of the wire: q, s_1 to s_4, all g, all z."""
        return (self.challenge, *self.sums, *self.links, *self.weights)


def proof_bytes(N: int) -> int:
    """How long the proof of a shuffle of N positions is."""
    return 2 * N * POINT_BYTES + (_FIXED + 2 * N) * SCALAR_BYTES


def decode_shuffle_proof(suite: Suite, encoded: bytes, N: int) -> ShuffleProof | None:
    """The proof so encoded; None for scalars that may not cross the wire."""
    if len(encoded) != proof_bytes(N):
        return None
    starts = range(0, 2 * N * POINT_BYTES, POINT_BYTES)
    points = [encoded[at : at + POINT_BYTES] for at in starts]
    scalars: list[int] = []
    for at in range(2 * N * POINT_BYTES, len(encoded), SCALAR_BYTES):
        scalar = decode_scalar(suite, encoded[at : at + SCALAR_BYTES])
        if scalar is None:
            return None
        scalars.append(scalar)
    challenge, answers = scalars[0], tuple(scalars[_FIXED:])
    return ShuffleProof(
        commitments=tuple(points[:N]),
        chain=tuple(points[N:]),
        challenge=challenge,
        sums=tuple(scalars[1:_FIXED]),
        links=answers[:N],
        weights=answers[N:],
    )


def prove_shuffle(
    suite: Suite, Y: Point, deck_in: Deck, deck_out: Deck, ctx: bytes, seed: bytes
) -> ShuffleProof:
    """The proof (1)-(10) that `deck_out` is what the seed makes of `deck_in`.

    Costs 5 N + 1 variable and 3 N + 4 base products. For a deck that is anything else
    the proof is refused.
    """
    N = len(deck_in)
    if not 0 < N == len(deck_out):
        raise ValueError("two decks of one size, and at least one position")
    said = _Statement(ctx, Y, deck_in, deck_out)
    masks, order = stage(suite, Y, deck_in, ctx, seed)
    name = said.name()
    e = [suite.scalar("sc1.twr", seed, name, j) for j in range(N)]
    commitments = _commit(suite, order, e)
    digest = said.digest(commitments)
    u = _weights(suite, digest, N)
    v = [u[source] for source in order]
    drawn = [suite.scalar("sc1.nonce", seed, digest, i) for i in range(3 * N + 4)]
    f, w, x, y = drawn[:N], drawn[N : N + 4], drawn[N + 4 : -N], drawn[-N:]
    chain = _chain(suite, f, v)
    first = _image(suite, said, chain, w, x, y)
    sent = tuple(point.encoded for point in chain)
    q = _challenge(suite, digest, sent, first)
    secrets = sum(e), _folded(f, v, suite.order), _inner(u, e), _inner(v, masks)
    return ShuffleProof(
        commitments,
        sent,
        challenge=q,
        sums=_answers(suite, q, w, secrets),
        links=_answers(suite, q, x, f),
        weights=_answers(suite, q, y, v),
    )


def check_shuffle(
    suite: Suite,
    Y: Point,
    deck_in: Deck,
    deck_out: Deck,
    ctx: bytes,
    proof: ShuffleProof,
) -> bool:
    """Whether (11) holds; 8 N + 7 variable and N + 4 base products. Never raises."""
    if not _well_formed(suite, deck_in, deck_out, proof):
        return False
    said, q = _Statement(ctx, Y, deck_in, deck_out), proof.challenge
    digest = said.digest(proof.commitments)
    u = _weights(suite, digest, len(deck_in))
    committed = _decoded(suite, u, proof.commitments)
    linked = _decoded(suite, [q] * len(u), proof.chain)
    if committed is None or linked is None:
        return False
    chain, chain_times_q = linked
    image = _image(suite, said, chain, proof.sums, proof.links, proof.weights)
    claims = _claims(suite, said, committed, chain[-1], u)
    products = [*(suite.mul(q, claim) for claim in claims), *chain_times_q]
    first = list(map(suite.sub, image, products))
    return q == _challenge(suite, digest, proof.chain, first)


@dataclass(frozen=True, slots=True)
class _Statement:
    """What is proven, and for whom."""

    ctx: bytes
    Y: Point
    deck_in: Deck
    deck_out: Deck

    def name(self) -> bytes:
        """S of (2)."""
        return H("sc1.tws", *self._parts())

    def digest(self, commitments: Iterable[bytes]) -> bytes:
        """T of (4)."""
        return H("sc1.twu", *self._parts(), *commitments)

    def _parts(self) -> list[bytes]:
        pairs = [a.encoded + b.encoded for a, b in (*self.deck_in, *self.deck_out)]
        return [self.ctx, self.Y.encoded, *pairs]


def _well_formed(
    suite: Suite, deck_in: Deck, deck_out: Deck, proof: ShuffleProof
) -> bool:
    lists = deck_out, proof.commitments, proof.chain, proof.links, proof.weights
    return (
        len(deck_in) > 0
        and all(len(each) == len(deck_in) for each in lists)
        and len(proof.sums) == _FIXED - 1
        and all(in_range(suite, scalar) for scalar in proof.scalars)
    )


def _decoded(
    suite: Suite, scalars: Sequence[int], encodings: Sequence[bytes]
) -> tuple[list[Point], list[Point]] | None:
    """The points so encoded, and the product of each; None if one is no point."""
    points: list[Point] = []
    products: list[Point] = []
    for scalar, encoded in zip(scalars, encodings, strict=True):
        both = suite.decode_times(scalar, encoded)
        if both is None:
            return None
        points.append(both[0])
        products.append(both[1])
    return points, products


@lru_cache(maxsize=8)
def _generators(suite: Suite, N: int) -> tuple[Point, ...]:
    """The h_i of (1), N + 1 of them."""
    return tuple(suite.hash_to_point("sc1.gen", i) for i in range(N + 1))


@lru_cache(maxsize=8)
def _generator_sum(suite: Suite, N: int) -> Point:
    """The sum of h_1 to h_N."""
    return _sum(suite, _generators(suite, N)[1:])


def _commit(
    suite: Suite, order: Sequence[int], openings: Sequence[int]
) -> tuple[bytes, ...]:
    """The c_j of (3), by j."""
    _, *generators = _generators(suite, len(order))
    by_source = dict(zip(order, generators, strict=True))
    return tuple(
        suite.add(suite.base(opening), by_source[j]).encoded
        for j, opening in enumerate(openings)
    )


def _weights(suite: Suite, digest: bytes, N: int) -> list[int]:
    """The u_j of (5)."""
    return [suite.scalar("sc1.twu", digest, j) for j in range(N)]


def _chain(
    suite: Suite, masks: Sequence[int], weights: Sequence[int]
) -> tuple[Point, ...]:
    """The d_i of (6)."""
    link = _generators(suite, len(masks))[0]
    chain: list[Point] = []
    for mask, weight in zip(masks, weights, strict=True):
        link = suite.add(suite.base(mask), suite.mul(weight, link))
        chain.append(link)
    return tuple(chain)


def _image(
    suite: Suite,
    said: _Statement,
    chain: Sequence[Point],
    w: Sequence[int],
    x: Sequence[int],
    y: Sequence[int],
) -> list[Point]:
    """The N + 5 points of phi (8); 4 N + 1 variable and N + 4 base products."""
    start, *generators = _generators(suite, len(chain))
    tops, bottoms = zip(*said.deck_out, strict=True)
    w_1, w_2, w_3, w_4 = w
    links = zip(x, y, (start, *chain[:-1]), strict=True)
    return [
        suite.base(w_1),
        suite.base(w_2),
        suite.add(suite.base(w_3), _weighted(suite, y, generators)),
        suite.sub(_weighted(suite, y, tops), suite.base(w_4)),
        suite.sub(_weighted(suite, y, bottoms), suite.mul(w_4, said.Y)),
        *(suite.add(suite.base(x_i), suite.mul(y_i, d)) for x_i, y_i, d in links),
    ]


def _claims(
    suite: Suite,
    said: _Statement,
    committed: tuple[Sequence[Point], Sequence[Point]],
    last: Point,
    u: Sequence[int],
) -> list[Point]:
    """The first five points C of (11), with all c_j and u_j c_j, and d_N-1.

    2 N + 1 variable products.
    """
    start = _generators(suite, len(u))[0]
    tops, bottoms = zip(*said.deck_in, strict=True)
    product = suite.mul(_product(u, suite.order), start)
    commitments, weighted = committed
    return [
        suite.sub(_sum(suite, commitments), _generator_sum(suite, len(u))),
        suite.sub(last, product),
        _sum(suite, weighted),
        _weighted(suite, u, tops),
        _weighted(suite, u, bottoms),
    ]


def _challenge(
    suite: Suite, digest: bytes, chain: Sequence[bytes], first: Sequence[Point]
) -> int:
    """The q of (9)."""
    points = (point.encoded for point in first)
    return suite.scalar("sc1.twc", digest, *chain, *points)


def _answers(
    suite: Suite, q: int, nonces: Sequence[int], secrets: Sequence[int]
) -> tuple[int, ...]:
    """One line of (10)."""
    return tuple(
        (nonce + q * secret) % suite.order
        for nonce, secret in zip(nonces, secrets, strict=True)
    )


def _folded(masks: Sequence[int], weights: Sequence[int], order: int) -> int:
    """F of (7): what the masks of all links come to at the end of the chain."""
    total = 0
    for mask, weight in zip(masks, weights, strict=True):
        total = (total * weight + mask) % order
    return total


def _product(factors: Sequence[int], order: int) -> int:
    product = 1
    for factor in factors:
        product = product * factor % order
    return product


def _inner(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(one * other for one, other in zip(left, right, strict=True))


def _weighted(suite: Suite, weights: Sequence[int], points: Sequence[Point]) -> Point:
    products = zip(weights, points, strict=True)
    return _sum(suite, [suite.mul(weight, point) for weight, point in products])


def _sum(suite: Suite, points: Sequence[Point]) -> Point:
    total, *rest = points
    for point in rest:
        total = suite.add(total, point)
    return total
