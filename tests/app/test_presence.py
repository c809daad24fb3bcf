"""Who is told to be there, to be seen only through another, or to be seen by nobody."""

from collections.abc import Callable

from protocol.faults import Blame, Fault, Reason
from scopa_net.app.meeting import match_id
from scopa_net.app.presence import GRACE_S
from scopa_net.app.screen_player import ScreenPlayer
from scopa_net.ui.absence import LONG_S, Waiting
from scopa_net.ui.company import Company
from scopa_net.ui.view import Command, Input, Link, LinkChanged
from tests.app.circle import Circle, Program, address_of
from tests.app.test_gallery import Looker

SEATED_S = 10.0


def seated(players: int = 3) -> Circle:
    circle = Circle(players)
    circle.start()
    circle.until(circle.all_linked, SEATED_S)
    circle.run(2)
    for program in circle.programs:
        program.waiting.clear()
    return circle


def test_until_there_is_a_table_those_who_come_are_counted_and_the_host_is_named() -> (
    None
):
    circle = Circle(3)
    circle.start(0, 1)
    host, guest, _ = circle.programs
    circle.run(3)
    assert host.waiting[-1] == Waiting(more=1)
    host.kill()
    circle.run(3)
    assert guest.waiting[-1] == Waiting(("the host",))


def test_at_two_who_is_gone_is_waited_for() -> None:
    circle = seated(2)
    host, guest = circle.programs
    guest.kill()
    circle.run(2)
    assert host.waiting == [Waiting(("P1",))]
    circle.again(1)
    circle.until(circle.all_linked, 10)
    circle.run(1)
    assert host.waiting == [Waiting(("P1",)), Waiting()]


def test_a_guest_learns_that_another_guest_is_away_and_that_nobody_sees_it() -> None:
    circle = seated()
    circle.programs[2].kill()
    circle.run(2)
    for program in circle.programs[:2]:
        assert program.waiting == [Waiting(("P2",), unseen=True)]


def test_who_hears_nobody_does_not_say_that_nobody_sees_the_others() -> None:
    circle = seated()
    circle.lan.cut(address_of(0), address_of(1))
    circle.lan.cut(address_of(2), address_of(1))
    circle.run(15)
    last = circle.programs[1].waiting[-1]
    assert (sorted(last.names), last.unseen, last.through) == (["P0", "P2"], False, ())
    assert circle.programs[0].waiting[-1] == Waiting(("P1",), unseen=True)


def test_who_is_seen_only_through_another_is_not_waited_for() -> None:
    circle = seated()
    circle.lan.cut(address_of(1), address_of(2))
    circle.run(20)
    host, first, second = circle.programs
    assert first.waiting[-1] == Waiting(through=(("P2", "P0"),))
    assert second.waiting[-1] == Waiting(through=(("P1", "P0"),))
    assert host.waiting == []
    circle.lan.mend(address_of(1), address_of(2))
    circle.until(circle.all_linked, 20)
    circle.run(1)
    assert first.waiting[-1] == second.waiting[-1] == Waiting()


def test_what_is_mended_at_once_is_not_told() -> None:
    circle = seated()
    circle.lan.break_links(address_of(1), address_of(2))
    circle.until(circle.all_linked, GRACE_S)
    circle.run(5)
    assert [program.waiting for program in circle.programs] == [[], [], []]


def test_who_waits_for_somebody_can_have_it_called_at_once() -> None:
    circle = seated(2)
    guest = circle.programs[1]
    assert guest.presence.call_again() == "Nobody is away."
    circle.programs[0].kill()
    circle.run(120)
    circle.again(0)
    assert guest.presence.call_again() == "Calling P0 again now."
    circle.until(circle.all_linked, 0.5)


def test_a_key_that_is_held_down_calls_no_more_than_once_a_second() -> None:
    circle = seated(2)
    guest = circle.programs[1]
    circle.programs[0].kill()
    circle.run(120)
    before = len(circle.lan.dialed)
    for _ in range(30):
        guest.presence.call_again()
        circle.run(0.1)
    assert 3 <= len(circle.lan.dialed) - before <= 8


def test_who_has_left_is_told_nothing() -> None:
    circle = seated(2)
    host, guest = circle.programs
    guest.kill()
    circle.run(GRACE_S / 2)
    host.kill()
    circle.run(5)
    assert host.waiting == []


def test_who_waits_for_a_minute_is_told_once_that_it_may_leave() -> None:
    circle = seated(2)
    host, guest = circle.programs
    guest.kill()
    circle.run(LONG_S + 2)
    assert host.waiting == [Waiting(("P1",)), Waiting(("P1",), lasting=True)]
    circle.run(2 * LONG_S)
    assert len(host.waiting) == 2
    circle.again(1)
    circle.until(circle.all_linked, 60)
    circle.run(LONG_S + 2)
    assert host.waiting[2:] == [Waiting()]


def test_who_waits_long_after_a_deal_was_scored_is_told_how_to_carry_it_on() -> None:
    circle = Circle(2, plays=True, target=21)
    circle.start()
    host, guest = circle.programs
    circle.until(lambda: is_seated(host), SEATED_S)
    table = host.table()
    assert table is not None
    circle.until(lambda: table.match.deal_number > 0, 60)
    glass = looked_at(host)
    guest.kill()
    circle.run(LONG_S + 2)
    carry = match_id(guest.meeting)[:8]
    assert host.waiting[-1] == Waiting(("P1",), lasting=True, carry=carry)
    shown = [one for one in glass.told if isinstance(one, LinkChanged)]
    assert shown[-1].carry == carry


def test_who_watches_is_not_told_how_to_carry_a_score_on() -> None:
    circle = Circle(2, plays=True, target=21)
    circle.start()
    circle.until(circle.all_linked, 10)
    looker = Looker(circle)
    table = circle.programs[0].table()
    assert table is not None
    circle.until(lambda: table.seated and table.match.deal_number > 0, 60)
    circle.run(1)
    for one in circle.programs:
        one.kill()
    circle.run(LONG_S + 3)
    assert (looker.waiting[-1].lasting, looker.waiting[-1].carry) == (True, "")


def test_after_the_end_of_a_match_nothing_is_told() -> None:
    circle = seated(2)
    host, guest = circle.programs
    guest.kill()
    circle.run(5)
    told = list(host.waiting)
    assert told
    host.nobody_needed = True
    host.presence.tell()
    circle.run(LONG_S)
    assert host.waiting == told


class Glass:
    """A screen of which only what it is told is looked at."""

    def __init__(self, _: Callable[[Command], None]) -> None:
        self.told: list[Input] = []

    async def run(self) -> None:
        """Nobody looks at it."""

    def close(self) -> None:
        """There is nothing to give back."""

    def give(self, given: Input, /) -> None:
        self.told.append(given)


def looked_at(program: Program) -> Glass:
    """The screen of a program from now on."""
    glass = Glass(lambda _: None)
    player = ScreenPlayer(lambda _: glass, leave=lambda _: None)

    def look() -> Company | None:
        table = program.table()
        assert table is not None
        return Company(table.names, program.meeting.variant, table.place)

    player.sit_down(look, None, lambda _: None, lambda _: None)
    program.screen = player
    return glass


def test_a_screen_shows_who_is_away_and_nothing_more_of_it_when_all_is_over() -> None:
    circle = Circle(2, plays=True)
    circle.start()
    host, guest = circle.programs
    circle.until(lambda: is_seated(host), SEATED_S)
    glass = looked_at(host)
    guest.kill()
    circle.run(5)
    shown = [one.link for one in glass.told if isinstance(one, LinkChanged)]
    assert shown[-1] is Link.LOST
    host.nobody_needed = True
    glass.told.clear()
    circle.again(1)
    circle.until(circle.all_linked, 20)
    assert glass.told == []


def is_seated(program: Program) -> bool:
    table = program.table()
    return table is not None and table.seated


def test_when_a_match_is_stopped_nobody_is_waited_for() -> None:
    circle = Circle(2, plays=True)
    circle.start()
    host, guest = circle.programs
    circle.until(lambda: is_seated(host), SEATED_S)
    table = host.table()
    assert table is not None
    glass = looked_at(host)
    host.waiting.clear()
    fault = Fault(table.party.seat ^ 1, Blame.CHEAT, Reason.MALFORMED, ())
    table.party.judge.faults.append(fault)
    guest.kill()
    circle.run(LONG_S + 5)
    assert (host.waiting, glass.told) == ([], [])
