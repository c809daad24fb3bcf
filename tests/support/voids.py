"""Tables at which deals are called void, and answered for."""

from random import Random
from typing import Any

from protocol.entry import Kind
from protocol.party import Party
from tests.support.malice import play_in_order
from tests.support.parties import Choose
from tests.support.restarts import Mortal
from tests.support.toy_game import toy_opening

DECKS_MAX = 3
"""After so many decks nobody calls a deal void any more, so that the match ends."""


def left_in_every_way() -> Mortal:
    """A match of two in which every word of leaving is said, and that is given up."""
    circle = Mortal(toy_opening(deals=2), seats=2, positions=7)
    circle.run()
    for words in (
        ((0, Kind.VOID), (1, Kind.REFUSE)),
        (),
        ((1, Kind.VOID), (0, Kind.VOID)),
        ((0, Kind.ADJOURN), (0, Kind.RESIGN)),
    ):
        for seat, kind in words:
            circle.take(seat, circle.parties[seat].tell(kind))
            circle.run()
        if not words:
            assert any(circle._act(party, play_in_order) for party in circle.parties)
            circle.run()
    assert all(party.settled for party in circle.parties)
    return circle


class Voiders(Mortal):
    """Parties of which some call the deal void now and then; others answer.

    `calls` is how likely a seat is to do so when it could act, and `agrees` to agree;
    who does not agree refuses, or may play on if it is its turn.
    """

    def __init__(self, opening: Any, *, calls: float, agrees: float, **named: Any):
        self._calls = calls
        self._agrees = agrees
        self._mind = Random(f"voids {named.get('seed', 0)}")
        super().__init__(opening, **named)

    def asked(self, party: Party) -> bool:
        """Whether a seat has to answer for a void that another has called."""
        return party.can(Kind.REFUSE)

    def _act(self, party: Party, choose: Choose) -> bool:
        if self.asked(party) and self._mind.random() < self._agrees:
            self.take(party.seat, party.tell(Kind.VOID))
            return True
        if self.asked(party) and not (
            self.may_act(party) and self._mind.random() < 0.5
        ):
            self.take(party.seat, party.tell(Kind.REFUSE))
            return True
        few = len(party.judge.decks) <= DECKS_MAX
        if few and party.can(Kind.VOID) and self._mind.random() < self._calls:
            self.take(party.seat, party.tell(Kind.VOID))
            return True
        return super()._act(party, choose)

    def may_act(self, party: Party) -> bool:
        """Not while it has called the deal void and waits for an answer."""
        deck = party.judge.deck
        bound = deck is not None and party.seat in deck.bound
        return super().may_act(party) and not bound and not party.asking
