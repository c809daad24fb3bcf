"""The bot for a first match: it plays like somebody who has just learned the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from ai.rule_bot import change
from ai.values import values_of
from scopa_net.bots import MATCH_CLAIM, Action, Observation, Play, may_claim
from scopa_net.rules import kernel
from scopa_net.rules.actions import code_of

KEEP = 0.35
"""How much the worth of a card that is laid counts."""


@dataclass(frozen=True, slots=True)
class BeginnerBot:
    """Level 1 of 4: forgets cards, overlooks sums, never thinks of the next play.

    `overlooks` is how often it does not see that a card takes several others.
    """

    overlooks: float = 0.25

    def choose(self, observation: Observation) -> Action:
        """What brings most at once, of that which it sees."""
        deal, seat = observation.deal, observation.seat
        if (
            seat is not None
            and MATCH_CLAIM in observation.legal_actions
            and may_claim(observation.match, deal, deal.side(seat))
        ):
            return MATCH_CLAIM
        rules, before = observation.variant.rules, list(deal.state)
        # It does not remember what is taken, so nothing is settled for it.
        values = values_of(observation.variant)

        def merit(action: Action) -> float:
            after = before.copy()
            kernel.apply(rules, after, code_of(action))
            laid = after[kernel.TABLE] & ~before[kernel.TABLE]
            side = before[kernel.TURN] % rules.sides
            gained = change(rules, values, before, after, side)
            return round(gained - KEEP * values.of(laid), 9)

        return max(self._noticed(observation), key=merit)

    def _noticed(self, observation: Observation) -> Sequence[Action]:
        """The actions that it does not overlook; all if it would find none."""
        actions = [one for one in observation.legal_actions if one != MATCH_CLAIM]
        drawn = blake2b(observation.luck).digest()
        noticed = [
            action
            for at, action in enumerate(actions)
            if not isinstance(action, Play)
            or len(action.captured) < 2
            or drawn[at % len(drawn)] >= 256 * self.overlooks
        ]
        return noticed or actions
