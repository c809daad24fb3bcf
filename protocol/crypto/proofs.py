"""Two proofs: that a seat knows its key, and that its shares were made with it.

After Schnorr, "Efficient signature generation by smart cards" (1991), section 2;
Chaum, Pedersen, "Wallet databases with observers" (1992), section 3.2; batched as in
Bellare, Garay, Rabin, "Fast batch verification for modular exponentiation" (1998),
section 3 (small exponents). G generates, X = x G is the seat's key for one deck.

Key proof, knowledge of x:
    (1)  P = H(sc1.pok, ctx, X)
    (2)  k = scalar(sc1.nonce, seed, P, 0),  T = k G
    (3)  c = scalar(sc1.pok, ctx, X, T),     z = k + c x
    (4)  accept if c = scalar(sc1.pok, ctx, X, z G - c X)

Share proof, D_i = x a_i for i = 1..m:
    (5)  W = H(sc1.batch, ctx, X, deck_id, kind, round, plan, positions,
               a_1, ..., a_m, D_1, ..., D_m)
    (6)  rho_1 = 1;  rho_i = the first 128 bits of H(sc1.batch, W, i - 1) for i > 1
    (7)  A = sum rho_i a_i,  B = sum rho_i D_i
    (8)  P = H(sc1.dleq, ctx, X, deck_id, kind, round, plan, positions, A, B)
    (9)  k = scalar(sc1.nonce, seed, P, 0),  T_1 = k G,  T_2 = k A
    (10) c = scalar(sc1.dleq, P, T_1, T_2),  z = k + c x
    (11) accept if c = scalar(sc1.dleq, P, z G - c X, z A - c B)

Positions enter as one part, 8 bytes each. A proof is c and z, 32 bytes each, in 1..L-1.

Deviations. The challenge is sent in place of the first messages: shorter, and nothing
more to decode. The nonce is a hash of the seed and of all that the challenge covers but
the first messages, so a restart repeats the proof byte for byte and no nonce meets two
challenges. The whole statement is in the challenge, the context included: a proof
lifted to another seat, deck, round or plan fails. The first weight may be 1, since a
single lie is always seen and several must cancel under weights that are not chosen: all
weights hash all points.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from protocol.crypto.group import (
    SCALAR_BYTES,
    Point,
    Suite,
    decode_scalar,
    encode_scalar,
    in_range,
)
from protocol.crypto.hashing import H, Part

PROOF_BYTES: Final = 2 * SCALAR_BYTES

_WEIGHT_BYTES: Final = 16
_NUMBER_MAX: Final = 2**64


@dataclass(frozen=True, slots=True)
class KeyProof:
    """That the author of a key knows its logarithm."""

    c: int
    z: int

    def encode(self) -> bytes:
        """The 64 bytes that cross the wire."""
        return encode_scalar(self.c) + encode_scalar(self.z)


@dataclass(frozen=True, slots=True)
class ShareProof:
    """That all shares of one statement were made with the key of their author."""

    c: int
    z: int

    def encode(self) -> bytes:
        """The 64 bytes that cross the wire."""
        return encode_scalar(self.c) + encode_scalar(self.z)


@dataclass(frozen=True, slots=True)
class Statement:
    """What shares are for; a proof holds for one statement and no other."""

    ctx: bytes
    X: Point
    deck_id: bytes
    kind: int
    round: int
    plan: bytes
    positions: tuple[int, ...]

    def parts(self) -> tuple[Part, ...]:
        """The statement as it enters a hash, in the order of (5) and (8)."""
        positions = b"".join(position.to_bytes(8, "big") for position in self.positions)
        return (
            self.ctx,
            self.X.encoded,
            self.deck_id,
            self.kind,
            self.round,
            self.plan,
            positions,
        )


def decode_key_proof(suite: Suite, encoded: bytes) -> KeyProof | None:
    """The key proof so encoded; None unless both scalars are in 1..order-1."""
    scalars = _decode_pair(suite, encoded)
    return None if scalars is None else KeyProof(*scalars)


def decode_share_proof(suite: Suite, encoded: bytes) -> ShareProof | None:
    """The share proof so encoded; None unless both scalars are in 1..order-1."""
    scalars = _decode_pair(suite, encoded)
    return None if scalars is None else ShareProof(*scalars)


def prove_key(suite: Suite, ctx: bytes, seed: bytes, x: int, X: Point) -> KeyProof:
    """The proof (1)-(3) that we know x with X = x G; costs 1 base."""
    statement = H("sc1.pok", ctx, X.encoded)
    k = suite.scalar("sc1.nonce", seed, statement, 0)
    c = _key_challenge(suite, ctx, X, suite.base(k))
    return KeyProof(c, (k + c * x) % suite.order)


def check_key(suite: Suite, ctx: bytes, X: Point, proof: KeyProof) -> bool:
    """Whether (4) holds; costs 1 base and 1 variable. Never raises."""
    if suite.identity == X or not _in_range(suite, proof):
        return False
    first = suite.sub(suite.base(proof.z), suite.mul(proof.c, X))
    return proof.c == _key_challenge(suite, ctx, X, first)


def prove_shares(
    suite: Suite,
    seed: bytes,
    statement: Statement,
    x: int,
    a_points: Sequence[Point],
    d_points: Sequence[Point],
) -> ShareProof:
    """The proof (5)-(10) of m shares; costs 1 base and, for m > 1, m + 1 variable.

    A single share costs 1 variable. Shares that are not x a_i give a refused proof.
    """
    if not _well_formed(statement, a_points, d_points):
        raise ValueError("one share for each position, and at least one")
    weights = _weights(statement, a_points, [point.encoded for point in d_points])
    a_sum = _weighted_sum(suite, weights, a_points)
    # B = x A for honest shares: one product in place of m - 1.
    d_sum = d_points[0] if len(d_points) == 1 else suite.mul(x, a_sum)
    digest = _share_digest(statement, a_sum, d_sum)
    k = suite.scalar("sc1.nonce", seed, digest, 0)
    c = _share_challenge(suite, digest, suite.base(k), suite.mul(k, a_sum))
    return ShareProof(c, (k + c * x) % suite.order)


def check_shares(
    suite: Suite,
    statement: Statement,
    a_points: Sequence[Point],
    shares: Sequence[bytes],
    proof: ShareProof,
) -> tuple[Point, ...] | None:
    """The m shares so encoded, if (11) holds for them; else None. Never raises.

    1 base, 2m + 1 variable.
    """
    if not _well_formed(statement, a_points, shares) or not _in_range(suite, proof):
        return None
    weights = _weights(statement, a_points, shares)
    decoded = _decoded(suite, weights, shares, proof.c)
    if decoded is None:
        return None
    d_points, d_sum, c_d_sum = decoded
    a_sum = _weighted_sum(suite, weights, a_points)
    digest = _share_digest(statement, a_sum, d_sum)
    first = suite.sub(suite.base(proof.z), suite.mul(proof.c, statement.X))
    second = suite.sub(suite.mul(proof.z, a_sum), c_d_sum)
    if proof.c != _share_challenge(suite, digest, first, second):
        return None
    return d_points


def _decoded(
    suite: Suite, weights: Sequence[int], shares: Sequence[bytes], c: int
) -> tuple[tuple[Point, ...], Point, Point] | None:
    """The D_i, B of (7) and c B; None if one is no point."""
    if len(shares) == 1:
        both = suite.decode_times(c, shares[0])
        return None if both is None else ((both[0],), *both)
    first = suite.decode(shares[0])
    if first is None:
        return None
    points, d_sum = [first], first
    for weight, encoded in zip(weights[1:], shares[1:], strict=True):
        both = suite.decode_times(weight, encoded)
        if both is None:
            return None
        points.append(both[0])
        d_sum = suite.add(d_sum, both[1])
    return tuple(points), d_sum, suite.mul(c, d_sum)


def _key_challenge(suite: Suite, ctx: bytes, X: Point, first: Point) -> int:
    """C of (3)."""
    return suite.scalar("sc1.pok", ctx, X.encoded, first.encoded)


def _share_challenge(suite: Suite, digest: bytes, first: Point, second: Point) -> int:
    """C of (10)."""
    return suite.scalar("sc1.dleq", digest, first.encoded, second.encoded)


def _share_digest(statement: Statement, a_sum: Point, d_sum: Point) -> bytes:
    """P of (8)."""
    return H("sc1.dleq", *statement.parts(), a_sum.encoded, d_sum.encoded)


def _weights(
    statement: Statement, a_points: Sequence[Point], shares: Sequence[bytes]
) -> list[int]:
    """The rho_i of (5) and (6)."""
    if len(shares) == 1:
        return [1]
    points = [point.encoded for point in a_points]
    batch = H("sc1.batch", *statement.parts(), *points, *shares)
    drawn = [
        int.from_bytes(H("sc1.batch", batch, i)[:_WEIGHT_BYTES], "little")
        for i in range(1, len(a_points))
    ]
    return [1, *drawn]


def _weighted_sum(
    suite: Suite, weights: Sequence[int], points: Sequence[Point]
) -> Point:
    """One side of (7), the first weight being 1."""
    total = points[0]
    for weight, point in zip(weights[1:], points[1:], strict=True):
        total = suite.add(total, suite.mul(weight, point))
    return total


def _well_formed(
    statement: Statement, a_points: Sequence[Point], shares: Sequence[Point | bytes]
) -> bool:
    numbers = (statement.kind, statement.round, *statement.positions)
    return (
        0 < len(statement.positions) == len(a_points) == len(shares)
        and 0 <= min(numbers) <= max(numbers) < _NUMBER_MAX
    )


def _in_range(suite: Suite, proof: KeyProof | ShareProof) -> bool:
    return in_range(suite, proof.c) and in_range(suite, proof.z)


def _decode_pair(suite: Suite, encoded: bytes) -> tuple[int, int] | None:
    if len(encoded) != PROOF_BYTES:
        return None
    c = decode_scalar(suite, encoded[:SCALAR_BYTES])
    z = decode_scalar(suite, encoded[SCALAR_BYTES:])
    return None if c is None or z is None else (c, z)
