"""All that a seat may use to choose its action.

An observation is the seat's information state: what it saw and remembers, and nothing
else. A bot gets one and answers with one of its `legal_actions`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scopa_net.rules.actions import Action, Play
from scopa_net.rules.cards import MAZZO, Card
from scopa_net.rules.deal import Deal, declared, legal_actions, observe, seen
from scopa_net.rules.errors import RulesError
from scopa_net.rules.match import Match
from scopa_net.rules.variants import Variant

LUCK_BYTES = 32


@dataclass(frozen=True, slots=True)
class Observation:
    """What a seat knows of the running deal and of the match.

    `deal` hides what the seat may not see, whatever it was made from; a seat of None
    watches. `luck` is the only source of chance a bot has: equal observations may
    have different luck.
    """

    seat: int | None
    deal: Deal
    match: Match
    luck: bytes = field(default=bytes(LUCK_BYTES), compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.match.variant != self.deal.variant:
            raise RulesError("The deal and the match are not of one variant.")
        if len(self.luck) != LUCK_BYTES:
            raise RulesError(f"Luck is {LUCK_BYTES} bytes.")
        object.__setattr__(self, "deal", observe(self.deal, self.seat))

    @property
    def variant(self) -> Variant:
        """The rules that are played."""
        return self.deal.variant

    @property
    def to_act(self) -> bool:
        """True when it is this seat's turn."""
        return self.seat is not None and self.deal.turn == self.seat

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """All that the seat may do now; nothing when it is not its turn."""
        return legal_actions(self.deal) if self.to_act else ()

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards of the seat's own hand."""
        return () if self.seat is None else self.deal.hand(self.seat)

    @property
    def table(self) -> tuple[Card, ...]:
        """The tavola: the cards face up, open to capture."""
        return self.deal.table

    @property
    def held(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(self.deal.held(seat) for seat in range(self.deal.players))

    @property
    def known_hands(self) -> tuple[tuple[Card, ...], ...]:
        """The cards known in each hand: the own hand and what was declared."""
        return tuple(self.deal.hand(seat) for seat in range(self.deal.players))

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that lie in the tallone or unknown in a hand."""
        known = set(seen(self.deal))
        return tuple(card for card in MAZZO if card not in known)

    @property
    def piles(self) -> tuple[tuple[Card, ...], ...]:
        """What each side has captured; all of it lay open once."""
        return tuple(self.deal.pile(side) for side in range(self.variant.sides))

    @property
    def scope(self) -> tuple[int, ...]:
        """How many scope each side has made in this deal."""
        return tuple(self.deal.scope(side) for side in range(self.variant.sides))

    @property
    def declared(self) -> tuple[int, ...]:
        """The points each side has declared in this deal."""
        return tuple(declared(self.deal, side) for side in range(self.variant.sides))

    @property
    def scores(self) -> tuple[int, ...]:
        """Each side's points in the match before this deal."""
        return self.match.scores

    @property
    def history(self) -> tuple[Action, ...]:
        """The actions of the deal so far."""
        return self.deal.actions

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat that made each action of the history."""
        return movers(self.deal)


def movers(deal: Deal) -> tuple[int, ...]:
    """The seat that made each action of a deal."""
    found = []
    seat = deal.first
    for action in deal.actions:
        found.append(seat)
        if isinstance(action, Play):
            seat = (seat + 1) % deal.players
    return tuple(found)
