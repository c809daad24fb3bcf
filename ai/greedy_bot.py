"""The yardstick: it takes the best it can see and never looks ahead.

Other bots are measured against it, so its choices do not change: a test pins them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, assert_never

from scopa_net.bots import (
    MATCH_CLAIM,
    SETTEBELLO,
    Action,
    Card,
    Claim,
    Declare,
    Observation,
    Play,
    Suit,
    makes_scopa,
    may_claim,
)

Merit: TypeAlias = tuple[int, ...]


class GreedyBot:
    """Takes the best capture it sees, else lays its least valuable card."""

    def choose(self, observation: Observation) -> Action:
        """The first of the legal actions that none surpasses."""
        return max(
            observation.legal_actions, key=lambda action: _merit(observation, action)
        )


def _merit(observation: Observation, action: Action) -> Merit:
    """Claim a match that is won, declare, then capture, then lay.

    Captures by scopa, settebello, denari, sevens, sixes, assi and cards, in this
    order; what is laid by the same order turned round.
    """
    if action == MATCH_CLAIM:
        return (3,) if _at_target(observation) else (-1,)
    match action:
        case Declare():
            return (2,)
        case Play(card, ()):
            return (0, *(-part for part in _value((card,))))
        case Play(card, captured):
            cards = (card, *captured)
        case Claim(captured):
            cards = captured
        case _:
            assert_never(action)
    left = set(observation.table) - set(cards)
    scopa = not left and makes_scopa(observation.deal, action)
    return (1, int(scopa), *_value(cards))


def _at_target(observation: Observation) -> bool:
    deal, seat = observation.deal, observation.seat
    return seat is not None and may_claim(observation.match, deal, deal.side(seat))


def _value(cards: Iterable[Card]) -> Merit:
    cards = tuple(cards)
    ranks = [card.rank for card in cards]
    return (
        int(SETTEBELLO in cards),
        sum(card.suit is Suit.DENARI for card in cards),
        ranks.count(7),
        ranks.count(6),
        ranks.count(1),
        len(cards),
    )
