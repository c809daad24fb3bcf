"""What players watch besides points: it tells nearly equal actions apart.

Each guard looks at an action and answers with a number; more is better, 0 is nothing to
say. They are asked in their order, so the first that differs decides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from scopa_net.bots import MATCH_CLAIM, Action, Observation, Play
from scopa_net.rules import kernel
from scopa_net.rules.actions import code_of, set_of
from scopa_net.rules.kernel import ALL, HAND, LAST, LEFT, PILE, SETTEBELLO, TABLE
from scopa_net.rules.points import SEVENS

NEAR_TARGET = 4
"""Points that a deal may bring a side without being remarkable."""


@dataclass(frozen=True)
class Look:
    """An action of an observation, and the kernel's state before and after it."""

    observation: Observation
    action: Action
    before: Sequence[int]
    after: Sequence[int]
    unseen: int

    @property
    def seat(self) -> int:
        """The seat that acts."""
        return self.before[kernel.TURN]

    @property
    def side(self) -> int:
        """The side it plays for."""
        return self.seat % self.observation.variant.rules.sides

    @property
    def card(self) -> int:
        """The card that is played as a set; empty if none is."""
        return set_of([self.action.card]) if isinstance(self.action, Play) else 0

    @property
    def taken(self) -> int:
        """What is captured, and the card that captures."""
        return self.after[PILE + self.side] & ~self.before[PILE + self.side]

    @property
    def laid(self) -> int:
        """The card that is laid, as a set."""
        return 0 if self.taken else self.card

    @cached_property
    def sweepers(self) -> int:
        """The unseen cards that would take the whole table."""
        rules, table = self.observation.variant.rules, self.after[TABLE]
        found, out = 0, [0] * kernel.BUFFER
        if table == 0 or (self.after[LEFT] == 1 and not rules.last_scopa):
            return 0
        for card in range(kernel.CARDS):
            if self.unseen >> card & 1:
                count = kernel.plays_of(rules, table, card, 0, out, 0)
                if any(play & ALL == table for play in out[:count]):
                    found |= 1 << card
        return found


def look_at(observation: Observation, action: Action) -> Look:
    """The look at an action of the observation."""
    before = observation.deal.state
    after = list(before)
    if action != MATCH_CLAIM:
        kernel.apply(observation.variant.rules, after, code_of(action))
    return Look(observation, action, before, after, set_of(observation.unseen))


def target(look: Look) -> int:
    """Near the target the side that leads gives least away, who is behind takes most.

    Answers with cards that the others have been left, or that were taken.
    """
    scores = look.observation.scores
    others = [won for side, won in enumerate(scores) if side != look.side]
    if max(scores) + NEAR_TARGET < look.observation.variant.target:
        return 0
    if scores[look.side] >= max(others):
        return -look.sweepers.bit_count()
    return look.taken.bit_count()


def settebello(look: Look) -> int:
    """Take the settebello, and do not lay it."""
    return bool(look.taken & SETTEBELLO) - bool(look.laid & SETTEBELLO)


def primiera(look: Look) -> int:
    """Take sevens, then sixes; do not lay them."""
    sixes = SEVENS >> 4
    taken = 2 * (look.taken & SEVENS).bit_count() + (look.taken & sixes).bit_count()
    return taken - 2 * bool(look.laid & SEVENS) - bool(look.laid & sixes)


def whole_table(look: Look) -> int:
    """Leave no table that one card takes."""
    return -look.sweepers.bit_count()


def last_capture(look: Look) -> int:
    """In the last round, capture: who does so last gets what is left."""
    players = look.observation.variant.rules.players
    return int(look.before[LEFT] <= players and look.after[LAST] == look.side)


def partner(look: Look) -> int:
    """Leave what the partner has laid; repeat its rank if an opponent took that."""
    rules = look.observation.variant.rules
    partners = [
        (mover, action.card)
        for mover, action in zip(
            look.observation.movers, look.observation.history, strict=True
        )
        if isinstance(action, Play) and not action.captured
        if mover != look.seat and mover % rules.sides == look.side
    ]
    if not partners:
        return 0
    led = set_of([partners[-1][1]])
    if led & look.before[TABLE]:
        return -bool(look.taken & led)
    lost = not led & look.before[PILE + look.side]
    alike = partners[-1][1].rank * 4 - 4
    return int(lost and bool(look.laid & 15 << alike))


def anchor(look: Look) -> int:
    """Lay a card of a rank that is held again, or that nobody else can hold."""
    if not look.laid:
        return 0
    alike = 15 << (look.laid.bit_length() - 1 & ~3)
    if look.after[HAND + look.seat] & alike:
        return 1
    return int(not look.unseen & alike)


def spariglio(look: Look) -> int:
    """With long hands the dealer's side keeps ranks paired; the others break pairs."""
    rules = look.observation.variant.rules
    if rules.hand == 3 or rules.sides != 2:
        return 0
    broken = unpaired(look.after) - unpaired(look.before)
    dealer = look.observation.deal.side(look.observation.deal.dealer)
    return -broken if dealer == look.side else broken


def unpaired(state: Sequence[int]) -> int:
    """How many ranks have an odd number of cards that nobody has captured."""
    gone = state[PILE] | state[PILE + 1]
    return sum((gone >> 4 * rank & 15).bit_count() & 1 for rank in range(10))


GUARDS: tuple[Callable[[Look], int], ...] = (
    target,
    settebello,
    primiera,
    whole_table,
    last_capture,
    partner,
    anchor,
    spariglio,
)
"""In the order in which they are asked."""
