"""False shuffles at a table of Scopa: every honest player is told whose they are.

At once by the proof; and if all proofs are believed, by the replay when it is over.
"""

from typing import ClassVar

import pytest

from protocol.archive import write_archive
from protocol.audit import audit
from protocol.crypto.group import Point
from protocol.faults import Blame, Reason
from scopa_net.events import DealStarted, Dealt, Stopped
from scopa_net.notices import Told
from scopa_net.referee import open_match
from tests.simulation.wires import Wires
from tests.support.malice import Shuffler
from tests.support.small_group import SMALL


class Copies(Shuffler):
    """Puts the pair of one position at others too."""

    source: ClassVar = 0
    copies: ClassVar[tuple[int, ...]] = ()

    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        for at in self.copies:
            pairs[at] = pairs[self.source]


class TwinsFaceUp(Copies):
    source, copies = 0, (1,)


class TwinsInOneHand(Copies):
    source, copies = 4, (5,)


class TwinsInTwoHands(Copies):
    source, copies = 4, (7,)


class TwinsOfAFaceUpCardInAllHands(Copies):
    source, copies = 2, (4, 5, 7, 8)


class TwinsInALaterGiro(Copies):
    source, copies = 5, (30, 33)


class NoCards(Shuffler):
    """Cards of the second giro and the last that open to nothing."""

    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        for at in (12, 39):
            pairs[at] = (pairs[at][0], SMALL.add(pairs[at][1], SMALL.generator))


class Swaps(Shuffler):
    """Forty good cards in another order: found only when all is over."""

    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        pairs[4], pairs[30] = pairs[30], pairs[4]


def played(liar: type[Shuffler], seats: int, number: int) -> Wires:
    wires = Wires(seats, seed=number)
    for guest in range(1, seats):
        wires.connect(0, guest)
    while (table := wires.seats[number].table) is None:
        wires.carry()
    table.party.__class__ = liar
    wires.run()
    return wires


LIARS = [
    TwinsFaceUp,
    TwinsInOneHand,
    TwinsInTwoHands,
    TwinsOfAFaceUpCardInAllHands,
    TwinsInALaterGiro,
    NoCards,
    Swaps,
]
TABLES = [(2, 0), (2, 1), (3, 1), (4, 3)]


@pytest.mark.usefixtures("false_proofs_pass")
@pytest.mark.parametrize(("seats", "number"), TABLES)
@pytest.mark.parametrize("liar", LIARS)
def test_a_spoiled_deck_stops_the_match_and_names_the_shuffler(
    liar: type[Shuffler], seats: int, number: int
) -> None:
    """H4."""
    assert_told(played(liar, seats, number), number, Reason.FALSE_SHUFFLE)


@pytest.mark.parametrize(("seats", "number"), TABLES)
@pytest.mark.parametrize("liar", LIARS)
def test_a_spoiled_deck_is_never_dealt(
    liar: type[Shuffler], seats: int, number: int
) -> None:
    wires = played(liar, seats, number)
    assert_told(wires, number, Reason.FALSE_PROOF)
    told = [notice.event for notice in wires.notices if isinstance(notice, Told)]
    assert not any(isinstance(event, DealStarted | Dealt) for event in told)


def assert_told(wires: Wires, number: int, reason: Reason) -> None:
    """Every honest player has read that this seat cheated, and its record proves it."""
    expected = [(wires.rank(number), Blame.CHEAT, reason)]
    for seat in wires.seats:
        if seat.number == number:
            continue
        found = [(f.seat, f.blame, f.reason) for f in wires.faults(seat.number)]
        assert found == expected
        result = audit(write_archive(seat.chains()), SMALL, open_match)
        assert [(f.seat, f.blame, f.reason) for f in result.faults] == expected
        told = [
            notice.event
            for notice in wires.notices
            if isinstance(notice, Told) and notice.seat == seat.number
        ]
        table = wires.seats[number].table
        assert table is not None
        assert isinstance(told[-1], Stopped)
        assert (told[-1].seat, told[-1].blame) == (table.place, "cheat")
