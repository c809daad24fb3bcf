"""A whole deck, shuffled by seats whose secrets the tests may use."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import pytest

from protocol.crypto.group import EDWARDS, Point, Suite
from protocol.crypto.proofs import Statement
from protocol.crypto.shuffle import (
    Deck,
    context,
    deck_hash,
    deck_seed,
    first_deck,
    joint_key,
    remask,
    secret_key,
    share,
)
from protocol.crypto.shuffle_proof import ShuffleProof, check_shuffle, prove_shuffle
from tests.support.small_group import SMALL

SID = bytes(range(16))

both_suites = pytest.mark.parametrize(
    "suite", [SMALL, EDWARDS], ids=lambda suite: suite.name
)


@dataclass(frozen=True)
class Chair:
    """One seat's secrets for one deck."""

    ctx: bytes
    seed: bytes
    x: int
    X: Point


@dataclass(frozen=True)
class Dealt:
    """A deck after each stage; the last is dealt from."""

    suite: Suite
    chairs: tuple[Chair, ...]
    Y: Point
    stages: tuple[Deck, ...]

    @property
    def deck(self) -> Deck:
        return self.stages[-1]

    @property
    def deck_id(self) -> bytes:
        return deck_hash(self.Y, self.deck)

    @property
    def x_joint(self) -> int:
        return sum(chair.x for chair in self.chairs)

    def shares(self, position: int) -> list[Point]:
        a, _ = self.deck[position]
        return [share(self.suite, chair.x, a) for chair in self.chairs]


def chairs(
    suite: Suite, n: int, N: int = 40, k: int = 0, sid: bytes = SID
) -> tuple[Chair, ...]:
    made = []
    for seat in range(n):
        ctx = context(sid, k, n, N, seat)
        seed = deck_seed(bytes([seat + 1]) * 32, sid, k, seat)
        x = secret_key(suite, ctx, seed)
        made.append(Chair(ctx, seed, x, suite.base(x)))
    return tuple(made)


@lru_cache(maxsize=32)
def dealt(suite: Suite, n: int, N: int = 40, k: int = 0) -> Dealt:
    seated = chairs(suite, n, N, k)
    Y = joint_key(suite, [chair.X for chair in seated])
    stages = [first_deck(suite, Y, N)]
    for chair in seated:
        stages.append(remask(suite, Y, stages[-1], chair.ctx, chair.seed))
    return Dealt(suite, seated, Y, tuple(stages))


@dataclass(frozen=True)
class Shuffle:
    """One seat's stage, as it is or as somebody says it is."""

    suite: Suite
    Y: Point
    deck_in: Deck
    deck_out: Deck
    ctx: bytes
    seed: bytes

    def proof(self) -> ShuffleProof:
        """What the honest algorithm makes of it, true or not."""
        decks = self.deck_in, self.deck_out
        return prove_shuffle(self.suite, self.Y, *decks, self.ctx, self.seed)

    def accepted(self, proof: ShuffleProof) -> bool:
        decks = self.deck_in, self.deck_out
        return check_shuffle(self.suite, self.Y, *decks, self.ctx, proof)


def shuffled(suite: Suite, N: int, seat: int = 0, n: int = 2, k: int = 0) -> Shuffle:
    deal = dealt(suite, n, N, k)
    chair, (before, after) = deal.chairs[seat], deal.stages[seat : seat + 2]
    return Shuffle(suite, deal.Y, before, after, chair.ctx, chair.seed)


@dataclass(frozen=True)
class Batch:
    """Shares of one seat for some positions, and what they are for."""

    chair: Chair
    statement: Statement
    a_points: Sequence[Point]
    d_points: Sequence[Point]


def batch(deal: Dealt, positions: Sequence[int], seat: int = 0) -> Batch:
    chair = deal.chairs[seat]
    a_points = [deal.deck[position][0] for position in positions]
    return Batch(
        chair,
        Statement(
            ctx=chair.ctx,
            X=chair.X,
            deck_id=deal.deck_id,
            kind=4,
            round=1,
            plan=b"plan" * 8,
            positions=tuple(positions),
        ),
        a_points,
        [share(deal.suite, chair.x, a) for a in a_points],
    )
