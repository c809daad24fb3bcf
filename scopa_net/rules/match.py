"""A match: deals played until a side has reached the target.

A deal's points count when the deal is over; before that a match ends only if the rules
look at once, or let a seat claim it. The highest score at or above the target wins, or
the lowest where the goal is to avoid it; sides that are level there play on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scopa_net.rules.deal import Deal
from scopa_net.rules.errors import RulesError
from scopa_net.rules.scoring import CATEGORIES, SideScore, certain_score
from scopa_net.rules.variants import Variant


@dataclass(frozen=True, slots=True)
class Match:
    """The score of a match between two deals, or during one.

    `deal_number` counts finished deals, so it is also the number of the running one;
    `dealer` deals it. `decided` is the side that won otherwise than by its score.
    """

    variant: Variant
    scores: tuple[int, ...]
    deal_number: int
    dealer: int
    decided: int | None = None

    def __post_init__(self) -> None:
        sides = self.variant.sides
        if len(self.scores) != sides:
            raise RulesError(f"There are {sides} sides, so {sides} scores.")
        if not 0 <= self.dealer < self.variant.players:
            raise RulesError(f"There is no seat {self.dealer} to deal.")
        if self.deal_number < 0:
            raise RulesError("The deals of a match are counted from 0.")
        if self.decided is not None and not 0 <= self.decided < sides:
            raise RulesError(f"There is no side {self.decided} to win.")

    @property
    def first(self) -> int:
        """The seat that plays first in the running deal."""
        return (self.dealer + 1) % self.variant.players

    @property
    def winner(self) -> int | None:
        """The side that has won; None while the match goes on."""
        if self.decided is not None:
            return self.decided
        return self.variant.won_by(self.scores)

    @property
    def over(self) -> bool:
        """True when a side has won."""
        return self.winner is not None

    @property
    def returns(self) -> tuple[int, ...]:
        """What the match was worth to each seat; sums to zero, all zero before its end.

        A seat of the winning side has one for every side that lost, the others -1.
        """
        winner, sides = self.winner, self.variant.sides
        if winner is None:
            return (0,) * self.variant.players
        return tuple(
            sides - 1 if seat % sides == winner else -1
            for seat in range(self.variant.players)
        )


def new_match(variant: Variant, dealer: int) -> Match:
    """The match before its first deal, at the score that it carries on from, if any."""
    return Match(variant, variant.start, 0, dealer)


def after_deal(match: Match, side_scores: Sequence[SideScore]) -> Match:
    """The match after one more deal; the next seat deals."""
    if match.over:
        raise RulesError("The match is over.")
    if len(side_scores) != match.variant.sides:
        raise RulesError(f"There are {match.variant.sides} sides to score.")
    scores = tuple(
        before + score.total
        for before, score in zip(match.scores, side_scores, strict=True)
    )
    return replace(
        match,
        scores=scores,
        deal_number=match.deal_number + 1,
        dealer=match.first,
        decided=_decided(match, side_scores),
    )


def decided_early(match: Match, deal: Deal) -> Match | None:
    """The match that a deal has decided before its end; None if it has not.

    That is so where the rules look at once, or when a seat has claimed the match. Only
    points that are certain count, and they are all that the deal brings.
    """
    if deal.claimant is not None:
        after = after_deal(match, certain_score(deal))
        side = deal.side(deal.claimant)
        right = may_claim(match, deal, side)
        return replace(after, decided=side if right else 1 - side)
    if match.variant.end_check != "at-once" or deal.turn is None:
        return None
    after = after_deal(match, certain_score(deal))
    return after if after.over else None


def may_claim(match: Match, deal: Deal, side: int) -> bool:
    """Whether a side that claims the match now is right: it is at the target."""
    certain = certain_score(deal)[side]
    return certain.wins_match or (
        match.scores[side] + certain.total >= match.variant.target
    )


def _decided(match: Match, side_scores: Sequence[SideScore]) -> int | None:
    """The side that won outright, or that reached the target first in the count."""
    for side, score in enumerate(side_scores):
        if score.wins_match:
            return side
    if match.variant.tie_at_target != "count-in-order":
        return None
    running = list(match.scores)
    for category in CATEGORIES:
        for side, score in enumerate(side_scores):
            running[side] += score.points.get(category, 0)
        best = max(running)
        if best >= match.variant.target and running.count(best) == 1:
            return running.index(best)
    return None
