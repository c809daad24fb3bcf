"""A waiting room over real links, with somebody in it who lies."""

import pytest

from protocol.room import Room
from scopa_net.notices import Notice, RoomChanged
from scopa_net.seat import Seat
from tests.app.circle import Circle
from tests.support.room_liars import (
    CrowdsTheRoom,
    JoinsAgainAndAgain,
    JoinsAnotherTable,
    TellsItsHostOfTheRoom,
)

WAITED_S = 60


def waiting(at: int, kind: type[Seat], *, ready: bool) -> tuple[Circle, list[Room]]:
    """A table of three of which one lies, and what its honest guest is told."""
    circle = Circle(3)
    circle.programs[at].machine.seat.__class__ = kind
    circle.programs[0].machine.seat.gathering.hesitant = not ready
    told: list[Room] = []

    def hear(notice: Notice) -> None:
        if isinstance(notice, RoomChanged):
            told.append(notice.room)

    circle.programs[1].noticed.append(hear)
    circle.start()
    circle.run(WAITED_S)
    return circle, told


@pytest.mark.parametrize("liar", [JoinsAgainAndAgain, JoinsAnotherTable])
def test_whoever_lies_to_its_host_loses_its_own_link_and_nobody_elses(
    liar: type[Seat],
) -> None:
    # X30: it may come again, but only so often.
    circle, told = waiting(2, liar, ready=False)
    host, guest, _ = circle.programs
    assert guest.hears(host)
    assert host.hears(guest)
    assert guest.failures == []
    assert len(circle.links(0, 1)) == 1
    assert host.failures
    assert len(told) <= 2 * WAITED_S
    assert guest.key in {one.key for one in told[-1].players}


def test_a_host_that_lies_is_left_and_called_again_only_so_often() -> None:
    circle, told = waiting(0, CrowdsTheRoom, ready=False)
    guest = circle.programs[1]
    assert told == []
    assert 0 < len(guest.failures) <= WAITED_S
    assert guest.alive
    assert guest.table() is None


def test_a_guest_that_speaks_as_a_host_delays_nobody() -> None:
    circle, _ = waiting(2, TellsItsHostOfTheRoom, ready=True)
    assert circle.all_linked()
    assert [one.failures for one in circle.programs] == [[], [], []]
    tables = [one.table() for one in circle.programs]
    assert all(table is not None for table in tables)
