"""Who gets a place at a host's table, on a fake network with real links."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypeVar, cast

import pytest

from protocol.crypto.identity import Identity
from protocol.hello import Refusal
from protocol.invite import Invite
from protocol.links import NotReached
from protocol.party import Secrets
from protocol.room import Declined, Room
from scopa_net.app.audience import Audience
from scopa_net.app.hosting import Host, Hosting
from scopa_net.app.keeping import Keeping
from scopa_net.app.meeting import Meeting, read_meeting
from scopa_net.app.questions import Questions
from scopa_net.app.remote import Remote
from scopa_net.home import Home
from scopa_net.notices import NoPlace, Notice, RoomChanged
from scopa_net.rules import find_variant
from tests.app.circle import HOST_PORT, TICKETS, Disk, Program, address_of
from tests.protocol.links.computers import Lan

P = TypeVar("P", bound=Program)


class Ears:
    """Who is told by a host; here nothing has to be."""

    def trouble(self, why: str) -> None:
        raise AssertionError(why)


class HostsProgram(Program):
    """A host's, with its door as in the shipped program."""

    def open_door(self, home: Home) -> None:
        identity = self.disk.secrets.identity
        keeping = Keeping(home)
        keeping.begin(identity, self.disk.meeting)
        audience = cast("Audience", Ears())
        host = Host(
            reactor=self.computer,
            identity=identity,
            person=None,
            questions=Questions(None, None),
            audience=audience,
            contacts=self.contacts,
            remote=Remote(self.computer, identity, self.contacts, audience),
            keeping=keeping,
            gallery=self.gallery,
            table=self.table,
            fail=lambda failure: failure.raiseException(),
        )
        self.keeping = keeping
        self.hosting = Hosting(host, self.disk.meeting)
        self.hosting.listen()
        self.neighbours.listen_as(self.disk.meeting)
        self.hosting.opened()
        self.contacts.begin()

    def _presence_changed(self) -> None:
        super()._presence_changed()
        self.hosting.presence_changed()

    @property
    def admitted(self) -> set[bytes]:
        return {key for key, _ in self.hosting.meeting.admitted}

    def kept(self) -> Meeting:
        assert self.keeping.store is not None
        return read_meeting(self.keeping.store.facts())


class GuestsProgram(Program):
    """A guest's that may be refused, and then does not call again."""

    refused: Refusal | None = None

    def _in_vain(self, key: bytes, why: NotReached, again: bool) -> None:  # noqa: FBT001
        if not again:
            self.refused = why.refusal


class Table:
    """A host at its table, and whoever comes with one of its tickets."""

    def __init__(self, home: Home, players: int = 3, seed: int = 1) -> None:
        self.lan = Lan(seed)
        self._luck = Random(f"table {seed}")
        variant = find_variant("scopa", players, {"target": "1"})
        secrets = self._secrets()
        self._meeting = Meeting(
            self._luck.randbytes(32),
            variant,
            "Ada",
            secrets.identity.key,
            (address_of(0), HOST_PORT),
            TICKETS[: players - 1],
        )
        self._programs = 0
        self.host = self._program(HostsProgram, self._meeting, secrets)
        self.host.open_door(home)

    def guest(
        self, ticket: bytes, *, side: int | None = None, ready: bool = True
    ) -> GuestsProgram:
        """Somebody who is about to come."""
        name = f"P{self._programs}"
        host = self._meeting.host
        invite = Invite(address_of(0), HOST_PORT, host, ticket)
        meeting = Meeting(self._meeting.nonce, self._meeting.variant, name, host)
        meeting = replace(meeting, invite=invite, side=side)
        guest = self._program(GuestsProgram, meeting, self._secrets())
        guest.machine.seat.gathering.hesitant = not ready
        return guest

    def until(self, condition: Callable[[], bool], seconds: float = 20.0) -> None:
        began = self.lan.seconds()
        while not condition():
            assert self.lan.seconds() - began < seconds, "it did not happen"
            self.lan.run(0.1)

    def _secrets(self) -> Secrets:
        draw = self._luck.randbytes
        return Secrets(Identity(draw(32)), draw(32), draw(32))

    def _program(self, kind: "type[P]", meeting: Meeting, secrets: Secrets) -> P:
        address = address_of(self._programs)
        self._programs += 1
        disk = Disk(meeting, secrets)
        return kind(self.lan, address, disk, self.lan.rng.random, plays=False)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.mark.parametrize("seed", range(1, 5))
def test_of_two_who_come_at_once_for_the_last_place_exactly_one_sits(
    home: Home, seed: int
) -> None:
    table = Table(home, seed=seed)
    first, *late = (table.guest(TICKETS[at]) for at in (0, 1, 1))
    first.start()
    table.until(lambda: table.host.admitted == {first.key})
    for one in table.lan.rng.sample(late, 2):
        one.start()
    table.until(lambda: any(one.refused for one in late))
    table.until(lambda: table.host.table() is not None)
    (loser,) = (one for one in late if one.refused)
    (winner,) = (one for one in late if not one.refused)
    assert loser.refused is Refusal.USED_TICKET
    assert loser.refused.sentence.startswith("Somebody has used this invitation")
    assert table.host.admitted == {first.key, winner.key}
    assert (winner.table() is not None, loser.table()) == (True, None)


def test_who_goes_before_the_start_leaves_its_place_to_whoever_has_the_ticket(
    home: Home,
) -> None:
    table = Table(home)
    first, later, last = (table.guest(TICKETS[at]) for at in (0, 0, 1))
    first.start()
    table.until(lambda: table.host.admitted == {first.key})
    assert table.host.kept().admitted == table.host.hosting.meeting.admitted
    first.kill()
    table.until(lambda: table.host.admitted == set())
    assert table.host.kept().admitted == ()
    for guest in (later, last):
        guest.start()
    table.until(lambda: table.host.table() is not None)
    assert table.host.admitted == {later.key, last.key}


def test_a_link_that_breaks_before_the_start_costs_nobody_the_place(
    home: Home,
) -> None:
    table = Table(home)
    first, last = (table.guest(TICKETS[at]) for at in (0, 1))
    first.start()
    table.until(lambda: table.host.admitted == {first.key})
    table.lan.break_links(*(one.computer.address for one in (table.host, first)))
    table.until(lambda: table.host.hears(first))
    last.start()
    table.until(lambda: table.host.table() is not None)
    assert table.host.admitted == {first.key, last.key}


def test_who_is_not_ready_delays_the_start_and_whoever_goes_then_keeps_its_seat(
    home: Home,
) -> None:
    table = Table(home)
    first = table.guest(TICKETS[0])
    slow = table.guest(TICKETS[1], ready=False)
    rooms: list[Room] = []

    def hear(notice: Notice) -> None:
        if isinstance(notice, RoomChanged):
            rooms.append(notice.room)

    slow.noticed.append(hear)
    for guest in (first, slow):
        guest.start()
    table.until(lambda: len(table.host.admitted) == 2)
    table.lan.run(5)
    assert table.host.table() is None
    ready = rooms[-1].digest
    slow.carry_out(lambda machine: machine.agree(ready))
    table.until(lambda: slow.table() is not None)
    slow.kill()
    table.lan.run(20)
    assert table.host.admitted == {first.key, slow.key}


def test_a_third_who_wants_a_side_of_two_is_told_so_and_takes_no_place(
    home: Home,
) -> None:
    table = Table(home, players=4)
    one, two, third, last = (
        table.guest(ticket, side=side)
        for ticket, side in zip(
            (*TICKETS[:3], TICKETS[2]), (1, 1, 1, None), strict=True
        )
    )
    notices: list[Notice] = []
    third.noticed.append(notices.append)
    for guest in (one, two):
        guest.start()
    table.until(lambda: len(table.host.admitted) == 2)
    third.start()
    table.until(lambda: NoPlace(0, Declined.SIDE) in notices)
    third.kill()
    table.until(lambda: third.key not in table.host.admitted)
    last.start()
    table.until(lambda: table.host.table() is not None)
    assert table.host.admitted == {one.key, two.key, last.key}


def test_who_takes_another_side_than_it_had_is_refused_and_nobody_else_is(
    home: Home,
) -> None:
    table = Table(home)
    honest, newcomer = (table.guest(TICKETS[0], side=1), table.guest(TICKETS[1]))
    liar = table.guest(TICKETS[1], side=1)
    table.host.machine.seat.gathering.bound = {honest.key: 1, liar.key: 2}
    notices: list[Notice] = []
    liar.noticed.append(notices.append)
    liar.start()
    table.until(lambda: NoPlace(0, Declined.SIDE) in notices)
    liar.kill()
    table.until(lambda: not table.host.admitted)
    for guest in (honest, newcomer):
        guest.start()
    table.until(lambda: table.host.table() is not None)
    assert table.host.admitted == {honest.key, newcomer.key}
