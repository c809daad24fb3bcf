"""Shares of positions and their proofs, made and read; a seed and what it must open.

Pure calculations between the wire's bytes and `protocol.crypto`, called as tasks.
"""

from collections.abc import Sequence

from protocol.crypto.group import Point, Suite
from protocol.crypto.proofs import (
    Statement,
    check_shares,
    decode_share_proof,
    prove_shares,
)
from protocol.crypto.shuffle import commitment, secret_key, share


def opens_seed(
    suite: Suite, context: bytes, committed: bytes, key: Point, seed: bytes
) -> bool:
    """Whether a revealed seed is the one committed to, and the key follows from it."""
    if commitment(context, seed) != committed:
        return False
    return suite.base(secret_key(suite, context, seed)) == key


def make_shares(
    suite: Suite, seed: bytes, statement: Statement, masked: Sequence[Point]
) -> tuple[tuple[Point, ...], bytes]:
    """One seat's shares of the masked positions, and their one proof."""
    secret = secret_key(suite, statement.ctx, seed)
    parts = tuple(share(suite, secret, point) for point in masked)
    return parts, prove_parts(suite, seed, statement, masked, parts)


def prove_parts(
    suite: Suite,
    seed: bytes,
    statement: Statement,
    masked: Sequence[Point],
    parts: Sequence[Point],
) -> bytes:
    """The proof of shares that are made already."""
    secret = secret_key(suite, statement.ctx, seed)
    return prove_shares(suite, seed, statement, secret, masked, parts).encode()


def read_shares(
    suite: Suite,
    statement: Statement,
    masked: Sequence[Point],
    encoded: Sequence[bytes],
    proof_bytes: bytes,
) -> tuple[Point, ...] | None:
    """The shares in an entry, or None if one is no point or the proof does not hold."""
    proof = decode_share_proof(suite, proof_bytes)
    if proof is None:
        return None
    return check_shares(suite, statement, masked, encoded, proof)
