"""A table whose players sit at computers of one fake network.

What is real: contacts, neighbours, seats, links and TLS. The clock, the wires and the
disks are the test's, and everything is drawn from one seed.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from twisted.internet import error

from protocol.archive import write_archive
from protocol.crypto.identity import Identity
from protocol.faults import Signed
from protocol.hello import Door, GuestHello, HostHello, Refusal
from protocol.invite import Invite
from protocol.links import Link, NotReached
from protocol.party import Secrets
from protocol.step import EntryRow, Step, Task
from protocol.text import SafeText
from protocol.whereabouts import Whereabouts
from scopa_net.app.contacts import Contacts, Hears
from scopa_net.app.gallery import Gallery
from scopa_net.app.meeting import Meeting, read_places
from scopa_net.app.neighbours import Neighbours
from scopa_net.app.one_seat import OneSeat
from scopa_net.app.presence import Presence
from scopa_net.app.screen_player import ScreenPlayer
from scopa_net.notices import LinkFailed, Notice, WhereaboutsKnown
from scopa_net.rules import find_variant
from scopa_net.seat import Seat
from scopa_net.table import Table
from scopa_net.ui.absence import Waiting
from tests.protocol.links.computers import Computer, Lan, is_open
from tests.support.small_group import SMALL

HOST_PORT = 4000
THINK_S = 0.1
WATCH = b"w" * 16
TICKETS = tuple(bytes((at,)) * 16 for at in range(6))


@dataclass
class Disk:
    """What outlives a program."""

    meeting: Meeting
    secrets: Secrets
    facts: dict[str, bytes] = field(default_factory=dict)
    entries: list[Signed] = field(default_factory=list)
    notes: int = 0

    def keep(self, facts: Mapping[str, bytes]) -> None:
        self.facts.update(facts)
        self.notes += 1
        if "listen" in facts:
            host, _, port = facts["listen"].decode().rpartition(":")
            self.meeting = self.meeting.at(host, int(port))


class Program:
    """One player's program, from its start until it is killed."""

    def __init__(
        self,
        lan: Lan,
        address: str,
        disk: Disk,
        jitter: Callable[[], float],
        *,
        plays: bool,
    ) -> None:
        self.disk = disk
        self.plays = plays
        self.computer = Computer(lan, address)
        self.tells: Callable[[], tuple[str, ...]] = lambda: (self.computer.address,)
        identity = disk.secrets.identity
        self.key = identity.key
        self.failures: list[str] = []
        self.noticed: list[Callable[[Notice], None]] = []
        self.alive = True
        self.contacts = Contacts(
            self.computer,
            identity,
            Hears(
                carry_out=self.carry_out,
                presence_changed=self._presence_changed,
                answered=self._answered,
                in_vain=self._in_vain,
            ),
            jitter=jitter,
        )
        self.neighbours = Neighbours(
            self.computer,
            identity,
            self.contacts,
            carry_out=self.carry_out,
            keep=disk.keep,
            addresses=lambda: self.tells(),
        )
        self.watched: list[tuple[str, ...]] = []
        self.gallery = self.neighbours.gallery = Gallery(
            self.computer, self, self._watched
        )
        self.waiting: list[Waiting] = []
        self.presence = Presence(
            self.computer, self, self.contacts, self.waiting.append
        )
        self.machine = self._opened()

    def _opened(self) -> OneSeat:
        """The machine, from what the disk holds."""
        disk = self.disk
        meeting = disk.meeting
        seat = Seat(
            SMALL,
            disk.secrets,
            meeting.variant,
            meeting.nonce,
            name=meeting.name,
            host=meeting.host,
            side=meeting.side,
        )
        again = self.computer.lan.rng.randbytes(32) if disk.entries else None
        return OneSeat(
            seat,
            tuple(disk.entries),
            again,
            news=read_places(disk.facts),
            key_of=self.contacts.key_of,
            waits_for=frozenset,
        )

    def start(self) -> None:
        meeting = self.disk.meeting
        if meeting.hosting:
            assert meeting.address is not None
            door = Door(meeting.nonce, TICKETS, places=6, watch=WATCH)
            self.gallery.door = door
            self.contacts.listen(
                meeting.address, meeting.hello(), self._admit, gallery=self.gallery
            )
            self.neighbours.listen_as(meeting)
        self.carry_out(OneSeat.open)
        self._seated()
        if meeting.invite is not None:
            self.neighbours.call_host(meeting.invite, meeting.nonce)
        self.contacts.begin()

    def kill(self) -> None:
        """End at once: the system closes what is open, and nobody says goodbye."""
        self.alive = False
        self.neighbours.close()
        self.gallery.close()
        lan = self.computer.lan
        for place in [one for one in lan.listening if one[0] == self.computer.address]:
            del lan.listening[place]
        self.contacts.close()
        for wire in tuple(lan.wires):
            if self.computer.address in {wire.host, wire.other.host} and not wire.lost:
                wire.lose(error.ConnectionLost())

    def carry_out(self, call: Callable[[OneSeat], Step[Notice]]) -> None:
        if not self.alive:
            return
        step = call(self.machine)
        self.disk.entries += [r.entry for r in step.store if isinstance(r, EntryRow)]
        self.contacts.send(step.send)
        self.gallery.changed()
        for notice in step.events:
            for hear in self.noticed:
                hear(notice)
            if isinstance(notice, LinkFailed):
                self.failures.append(notice.reason)
                self.contacts.drop(notice.link)
            if isinstance(notice, WhereaboutsKnown):
                self._seated()
        if self.plays:
            for task in step.tasks:
                self.computer.callLater(0, self._finish, task)
            self.computer.callLater(THINK_S, self._act)

    def pass_on(self, chat: Signed, came_on: int | None) -> None:
        self.carry_out(lambda machine: machine.pass_on(chat, came_on))
        self.gallery.pass_on(chat)

    def _watched(self, names: tuple[SafeText, ...]) -> None:
        self.watched.append(names)
        self.carry_out(lambda machine: machine.watched(names))

    def _finish(self, task: Task) -> None:
        if self.alive:
            result = task.run()
            self.carry_out(lambda machine: machine.done(task, result))

    def _act(self) -> None:
        table = self.table()
        if self.alive and table is not None and table.seated and table.to_act:
            allowed = table.observation().legal_actions
            action = self.computer.lan.rng.choice(allowed)
            self.carry_out(lambda machine: machine.act(0, action))

    def _seated(self) -> None:
        table, known = self.machine.seat.table, self.machine.seat.whereabouts
        if table is not None and known is not None:
            keys = table.party.judge.course.terms.keys
            self.neighbours.seated(self.disk.meeting, keys, known)
            self.presence.changed()

    def _presence_changed(self) -> None:
        self.neighbours.heard()
        self.presence.changed()

    def _admit(self, key: bytes, hello: GuestHello) -> Refusal | None:
        if hello.nonce not in {None, self.disk.meeting.nonce}:
            return Refusal.OTHER_TABLE
        return None

    def _answered(self, link: Link) -> bool:
        assert isinstance(link.peer_hello, HostHello)
        return link.peer_hello.nonce == self.disk.meeting.nonce

    def _in_vain(self, key: bytes, why: NotReached, again: bool) -> None:  # noqa: FBT001
        assert again, why

    # -- see `Sitting` -------------------------------------------------------

    screen: ScreenPlayer | None = None
    nobody_needed = False

    @property
    def meeting(self) -> Meeting:
        return self.disk.meeting

    @property
    def left(self) -> bool:
        return not self.alive

    @property
    def whereabouts(self) -> Whereabouts | None:
        return self.machine.seat.whereabouts

    def table(self) -> Table | None:
        return self.machine.seat.table

    # -- what it knows -------------------------------------------------------

    def ranks(self, keys: Iterable[bytes]) -> set[int]:
        table = self.machine.seat.table
        assert table is not None
        known = table.party.judge.course.terms.keys
        return {known.index(key) for key in keys}

    def hears(self, other: "Program") -> bool:
        return other.key in self.contacts.answering

    def through(self, other: "Program") -> bytes | None:
        """The key of whoever passes on what another seat says."""
        table, known = self.machine.seat.table, self.machine.seat.whereabouts
        assert table is not None
        assert known is not None
        keys = table.party.judge.course.terms.keys
        heard = self.ranks(self.contacts.answering)
        by = known.through(keys.index(other.key), heard)
        return None if by is None else keys[by]

    def believes(self, other: "Program") -> tuple[str, ...]:
        """Where it believes another seat to be."""
        known = self.machine.seat.whereabouts
        (rank,) = self.ranks([other.key])
        where = None if known is None else known.where(rank)
        return () if where is None else where.hosts


class Circle:
    """A table on a LAN; the program at place 0 is the host's.

    Those who act `together` wait equally long before they call again. If nobody
    `plays` they only sit there, which is quicker.
    """

    def __init__(
        self,
        players: int,
        seed: int = 1,
        *,
        together: bool = False,
        plays: bool = False,
        target: int = 1,
    ) -> None:
        self._plays = plays
        self.lan = Lan(seed)
        self._jitter = (lambda: 0.0) if together else self.lan.rng.random
        luck = Random(f"circle {seed}")
        secrets = [
            Secrets(Identity(luck.randbytes(32)), luck.randbytes(32), bytes(32))
            for _ in range(players)
        ]
        host, nonce = secrets[0].identity.key, luck.randbytes(32)
        variant = find_variant("scopa", players, {"target": str(target)})
        self.programs: list[Program] = []
        for at, own in enumerate(secrets):
            meeting = Meeting(nonce, variant, f"P{at}", host)
            if at == 0:
                meeting = meeting.at(address_of(0), HOST_PORT)
            else:
                invite = Invite(address_of(0), HOST_PORT, host, TICKETS[at])
                meeting = Meeting(nonce, variant, f"P{at}", host, invite=invite)
            self.programs.append(self._program(address_of(at), Disk(meeting, own)))

    def _program(self, address: str, disk: Disk) -> Program:
        return Program(self.lan, address, disk, self._jitter, plays=self._plays)

    def start(self, *places: int) -> None:
        for at in places or range(len(self.programs)):
            self.programs[at].start()

    def again(self, at: int, address: str | None = None) -> Program:
        """Open a program again that was killed."""
        before = self.programs[at]
        assert not before.alive
        where, disk = address or before.computer.address, before.disk
        if disk.meeting.hosting:
            disk.meeting = disk.meeting.at(where, HOST_PORT)
        self.programs[at] = self._program(where, disk)
        self.programs[at].start()
        return self.programs[at]

    def run(self, seconds: float) -> None:
        self.lan.run(seconds)

    def until(self, condition: Callable[[], bool], seconds: float) -> float:
        """Run until it is so; how long that took."""
        began = self.lan.seconds()
        while not condition():
            assert self.lan.seconds() - began < seconds, "it did not happen"
            self.lan.run(0.1)
        return self.lan.seconds() - began

    def links(self, one: int, other: int) -> list[str]:
        """The connections that two players have now: by the address of who called."""
        ends = [self.programs[at].computer.address for at in (one, other)]
        return [
            wire.other.host
            for wire in self.lan.between(*ends)
            if wire in self.lan.dialed_by and is_open(wire)
        ]

    def all_won(self) -> bool:
        """Whether everybody holds the match as won and confirmed."""
        tables = [one.table() for one in self.programs]
        return all(table is not None and table.finished for table in tables)

    def records(self) -> set[bytes]:
        return {write_archive(one.machine.seat.chains()) for one in self.programs}

    def all_linked(self) -> bool:
        living = [one for one in self.programs if one.alive]
        return all(
            one.hears(other) for one in living for other in living if one is not other
        )


def address_of(at: int) -> str:
    return f"10.0.0.{at + 10}"
