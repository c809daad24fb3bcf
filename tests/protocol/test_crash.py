"""A program dies with an entry stored and not sent: at every message, every seat (F6).

Each seat in turn dies after each of its entries of a whole match, from the terms to the
last verdict, and is opened again from what it had stored.
"""

from typing import Any

import pytest

from protocol.archive import write_archive
from protocol.audit import audit
from protocol.deck import VOIDING
from protocol.entry import Kind
from protocol.faults import Signed
from protocol.judge import Findings
from protocol.leaving import LEAVING
from tests.support.malice import play_in_order
from tests.support.restarts import Mortal
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening


class Dies(Mortal):
    """Seat `seat` dies when its entry `seq` is stored, and is opened again at once.

    What it had signed before in the same step has been sent by then; nothing else has.
    """

    def __init__(self, seat: int, seq: int, **named: Any) -> None:
        self._place = seat, seq
        self.unsent: Signed | None = None
        super().__init__(toy_opening(deals=deals_of(named["seats"])), **named)

    def take(self, seat: int, findings: Findings) -> None:
        """Store all of a step; and die before it is sent, once."""
        own = [entry for entry in findings.added if entry.seat == seat]
        now = [entry for entry in own if (seat, entry.seq) == self._place]
        if self.unsent is not None or not now:
            super().take(seat, findings)
            return
        (last,) = now
        self.unsent = last.signed
        kept = self.stored[seat]
        kept += [one.signed for one in findings.added if one.signed not in kept]
        for entry in own:
            if entry.seq < last.seq:
                self.send(seat, entry.signed)
        self.open(seat)


def deals_of(seats: int) -> int:
    """With two seats the next deck is made while the first one is played."""
    return 2 if seats == 2 else 1


def whole(seats: int, seat: int, seq: int) -> Dies:
    circle = Dies(seat, seq, seats=seats, positions=2 + 2 * seats, seed=seats)
    circle.play(play_in_order)
    return circle


def records(circle: Mortal) -> set[bytes]:
    """What every seat would write; one, if all hold the same bytes."""
    return {
        write_archive(
            party.judge.record.signed(seat) for seat in range(len(circle.parties))
        )
        for party in circle.parties
    }


def kinds(circle: Mortal, seat: int) -> list[int]:
    return [entry.kind for entry in circle.parties[0].judge.record.logs[seat].entries]


# Words of leaving have a test of their own in `test_leaving`.
EVERY_KIND = {*Kind} - {Kind.SPOILED, Kind.RESUMED} - LEAVING - VOIDING


@pytest.mark.parametrize(("seats", "seat"), [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)])
def test_what_was_stored_and_not_sent_is_sent_after_a_crash_at_every_message(
    seats: int, seat: int
) -> None:
    # F6, X7: the stored bytes, no others, and so no fork.
    undisturbed = kinds(whole(seats, seat, -1), seat)
    assert set(undisturbed) == EVERY_KIND
    for seq in range(len(undisturbed)):
        circle = whole(seats, seat, seq)
        assert circle.unsent is not None
        for party in circle.parties:
            assert party.judge.faults == [], seq
            assert party.settled, seq
            log = party.judge.record.logs[seat]
            assert log.entries[seq].signed == circle.unsent, seq
        (record,) = records(circle)
        found = audit(record, SMALL, circle.opening)
        assert found.sound, seq
        assert found.finished, seq


@pytest.mark.parametrize("seats", [2, 3])
def test_every_seat_dies_at_the_same_message(seats: int) -> None:
    # F6.
    for seq in range(len(kinds(whole(seats, 0, -1), 0))):
        circle = AllDie(seq, seats=seats, positions=2 + 2 * seats, seed=seats)
        circle.play(play_in_order)
        assert all(party.judge.faults == [] for party in circle.parties), seq
        assert all(party.settled for party in circle.parties), seq
        assert len(records(circle)) == 1


class AllDie(Mortal):
    """Whoever stores its entry `seq` for the first time dies before it is sent."""

    def __init__(self, seq: int, **named: Any) -> None:
        self._seq = seq
        self._dead: set[int] = set()
        super().__init__(toy_opening(deals=deals_of(named["seats"])), **named)

    def take(self, seat: int, findings: Findings) -> None:
        """Store all of a step; and die before any of it is sent, once a seat."""
        own = {entry.seq for entry in findings.added if entry.seat == seat}
        if seat in self._dead or self._seq not in own:
            super().take(seat, findings)
            return
        self._dead.add(seat)
        kept = self.stored[seat]
        kept += [one.signed for one in findings.added if one.signed not in kept]
        self.open(seat)
