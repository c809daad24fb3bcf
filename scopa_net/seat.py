"""A Seat: one player's whole machine, from sitting down to the last verdict.

A `WaitingRoom` until the terms are agreed, then a `Table`, and a `Mesh` that carries
what they say. This is what a shell drives and what the simulator runs: every method
takes what has happened and returns a `Step`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from protocol.codec import Malformed
from protocol.crypto.group import Suite
from protocol.crypto.identity import verify
from protocol.entry import Kind, read_entry, signed_digest
from protocol.faults import LinkFault, LocalProtocolError, Signed
from protocol.game import ForeignRules
from protocol.judge import Findings
from protocol.mesh import (
    ChatCame,
    EntryCame,
    FullCame,
    JoinCame,
    Mesh,
    NewsCame,
    NoteCame,
    ProofCame,
    ReadyCame,
    RoomCame,
)
from protocol.party import Secrets
from protocol.room import Room
from protocol.roster import (
    Join,
    Terms,
    WaitingRoom,
    gather_terms,
    read_join,
    write_join,
)
from protocol.step import EntryRow, Row, SecretRow, Step, Task
from protocol.whereabouts import Whereabouts
from scopa_net.events import Event
from scopa_net.leaving import Word
from scopa_net.referee import GAME, open_match
from scopa_net.rules import MAZZO, Action, Variant
from scopa_net.table import NAMES_TAKEN, Table


@dataclass(frozen=True, slots=True)
class Told:
    """An event, and the local number of the seat that is told of it."""

    seat: int
    event: Event


@dataclass(frozen=True, slots=True)
class LinkFailed:
    """A link carried what no honest peer sends; nobody's signature proves whose."""

    seat: int
    link: int
    reason: str


@dataclass(frozen=True, slots=True)
class OtherTerms:
    """The host proposes other rules than it had told, as sorted `key=value` lines."""

    seat: int
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WhereaboutsKnown:
    """It is known now who sits here, or known better where somebody is.

    Only a seat that was told of its own whereabouts tells of them.
    """

    seat: int


@dataclass(frozen=True, slots=True)
class Gathered:
    """Who would sit at the table.

    The own player is to consent before anything is signed with them.
    """

    seat: int
    terms: Terms


@dataclass(frozen=True, slots=True)
class ChatHeard:
    """A message has come on a link, and nothing of it is checked yet."""

    seat: int
    link: int
    signed: Signed


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """Somebody has come to the waiting room, has gone, or is ready.

    Its names are safe to show.
    """

    seat: int
    room: Room


@dataclass(frozen=True, slots=True)
class NoPlace:
    """The host has no place on the side that the own player wishes for."""

    seat: int


Notice: TypeAlias = (
    Told
    | LinkFailed
    | OtherTerms
    | WhereaboutsKnown
    | Gathered
    | ChatHeard
    | RoomChanged
    | NoPlace
)


class Seat:
    """One player at a table of `variant`.

    `number` tells apart the seats that one program runs; `nonce` is the host's, fresh
    for every table; `host` is its key, from which alone a guest takes the terms.
    """

    def __init__(
        self,
        suite: Suite,
        secrets: Secrets,
        variant: Variant,
        nonce: bytes,
        *,
        name: str,
        host: bytes,
        side: int | None = None,
        number: int = 0,
    ) -> None:
        self.number = number
        self.table: Table | None = None
        self.whereabouts: Whereabouts | None = None
        self._suite = suite
        self._secrets = secrets
        self._variant = variant
        self._mesh = Mesh()
        join = write_join(secrets.identity, nonce, name, side, secrets.coin)
        teams = variant.sides < variant.players
        self._room = WaitingRoom(
            join,
            seats=variant.players,
            host=host,
            sides=variant.sides if teams else 0,
        )
        self._host = host
        self._joined: dict[int, Join] = {}
        self._ready: set[int] = set()
        self._told_room: Room | None = None
        self._stored: set[Signed] = set()
        self._proven: dict[int, bytes | None] = {}
        self._again: bytes | None = None
        self.hesitant = False
        """Whether it signs no terms before its player consents to them."""
        self.bound: Mapping[bytes, int] | None = None
        """A host's: the sides on which alone these players are let in, and who else
        comes only on none; None if everybody may choose."""
        self._early: Terms | None = None
        self._gathered: Terms | None = None
        self._consented: Terms | None = None
        self._place: tuple[int, tuple[str, ...]] | None = None
        self._heard: frozenset[bytes] | None = None
        self._watchers: tuple[str, ...] = ()

    # -- from outside --------------------------------------------------------

    def open(self) -> Step[Notice]:
        """Sit down: the secrets are to be kept before anything depends on them."""
        secrets = {
            "identity": self._secrets.identity.seed,
            "master": self._secrets.master,
            "coin": self._secrets.coin,
        }
        rows = tuple(
            SecretRow(name, value, self.number) for name, value in secrets.items()
        )
        return Step(store=rows)

    def recall(
        self, entries: Iterable[Signed], again: bytes, news: Iterable[Signed] = ()
    ) -> Step[Notice]:
        """After a restart: take back the stored entries, in the order of storing.

        The seat may have signed what it no longer knows; so with `again`, a fresh
        nonce, it asks the others before it signs anything (F11). `news` say where the
        others were to be called.
        """
        step: Step[Notice] = Step()
        self._again = again
        for signed in entries:
            self._stored.add(signed)
            if self.table is None:
                terms = self._proposed(signed)
                if terms is None or not self._agrees(terms):
                    raise LocalProtocolError(signed)
                self._sit_down(terms)
            self._table().recall(signed)
        if self.table is not None:
            self._mesh.remember(self.table.party.judge.faults)
            step += self._answer(self.table.begin())
        if self.whereabouts is not None:
            for signed in news:
                self.whereabouts.hear(signed)
        return step

    def connect(self, link: int, key: bytes | None = None) -> Step[Notice]:
        """A link is open; a guest whose table is not formed yet asks for its place.

        `key` is what the peer has proven to hold, where links prove it. It can sit down
        for itself alone: else one invitation would fill a table.
        """
        self._proven[link] = key
        frames = self._mesh.connect(link)
        if self.table is None:
            if self._waits_for_all and self._room.ready:
                frames = (*frames, *self._mesh.say_ready(link))
            frames = (*frames, self._mesh.join(link, self._room.own))
        return Step(send=frames)

    def disconnect(self, link: int) -> Step[Notice]:
        """A link is gone."""
        self._proven.pop(link, None)
        self._mesh.disconnect(link)
        self._ready.discard(link)
        gone = self._joined.pop(link, None)
        if self.table is not None or gone is None:
            return Step()
        if any(join.key == gone.key for join in self._joined.values()):
            return Step()
        self._room.leave(gone.key)
        return self._tell_room()

    def receive(self, link: int, data: bytes) -> Step[Notice]:
        """A frame has come in."""
        message = self._mesh.receive(link, data)
        match message:
            case LinkFault(reason):
                return self._failed(link, reason)
            case JoinCame(signed):
                return self._welcome(link, signed) + self._spread()
            case EntryCame(signed):
                return self._judge(link, signed)
            case ProofCame(signed):
                return self._prove(link, signed)
            case NoteCame(signed):
                return self._hear(link, signed)
            case NewsCame() | None:
                return self._learn(link, message) + self._spread()
            case ChatCame(signed):
                return Step(events=(ChatHeard(self.number, link, signed),))
            case RoomCame() | ReadyCame() | FullCame():
                return self._hear_of_room(link, message)

    def _spread(self) -> Step[Notice]:
        """What the peers lack, where no answer of the table sends it."""
        return Step(send=self._mesh.spread())

    def is_at(self, port: int, hosts: tuple[str, ...]) -> Step[Notice]:
        """Others can call this seat there: they are told, now or once it is known who.

        The hosts are numeric addresses in their one spelling.
        """
        self._place = port, hosts
        return self._tell_news()

    def hears(self, keys: frozenset[bytes]) -> Step[Notice]:
        """These are heard just now on links of this seat's own; others are told."""
        self._heard = keys
        return self._tell_news()

    def watched(self, names: tuple[str, ...]) -> Step[Notice]:
        """These follow the match by links to this seat: the others are told."""
        self._watchers = names
        return self._tell_news()

    def pass_on(self, chat: Signed, came_on: int | None) -> Step[Notice]:
        """Send a chat message on, or the own one, to everybody else."""
        return Step(send=self._mesh.pass_on(chat, came_on))

    def consent(self, terms: Terms) -> Step[Notice]:
        """Sit down with the players of these terms, unless there are others by now.

        A host whose guest is away just now does so when it is there again.
        """
        if self.table is not None or terms != self._gathered:
            return Step()
        self._consented = terms
        if self._room.hosting and terms != self._terms():
            return Step()
        step = self._sit_down(terms)
        return step + self._answer(self._table().begin())

    @property
    def asking(self) -> Step[Notice]:
        """What asks everybody what they hold."""
        return Step(send=self._mesh.ask())

    @property
    def holders(self) -> frozenset[int]:
        """The links whose peers have said that they hold all that is here."""
        return self._mesh.holders()

    def done(self, task: Task, result: object) -> Step[Notice]:
        """A task of this seat has its result."""
        if self.table is None:
            return Step()
        return self._answer(self.table.done(task, result))

    def act(self, action: Action) -> Step[Notice]:
        """The player's choice; raises `IllegalAction` for what is not allowed."""
        return self._answer(self._table().act(action))

    def say(self, word: Word) -> Step[Notice]:
        """What the player says besides playing; see `Table.say`."""
        return self._answer(self._table().say(word))

    # -- sitting down --------------------------------------------------------

    def _welcome(self, link: int, signed: Signed) -> Step[Notice]:
        if self.table is not None:
            return Step()
        join, key = read_join(signed), self._proven[link]
        if join is None or key not in {None, join.key}:
            return self._failed(link, "a wish to sit down that is not the peer's own")
        if not self._room.hosting or join.key == self._host:
            return Step()
        if join.nonce != self._room.join.nonce:
            return self._failed(link, "a wish to sit down at another table")
        before = self._joined.get(link)
        if before is not None:
            # Else one guest could make the host write to all others without end.
            same = join == before
            reason = "a second wish to sit down, unlike the first"
            return Step() if same else self._failed(link, reason)
        if not self._room.welcome(signed, self.bound):
            failed = self._failed(link, "a wish for a side that is not to be had")
            return replace(failed, send=(self._mesh.say_full(link),))
        self._joined[link] = join
        if link in self._ready:
            self._room.prepared(join.key)
        return self._tell_room() + self._propose()

    def _failed(self, link: int, reason: str) -> Step[Notice]:
        return Step(events=(LinkFailed(self.number, link, reason),))

    @property
    def _waits_for_all(self) -> bool:
        return self._variant.players > 2

    @property
    def ready(self) -> bool:
        """Whether the own player is ready to start; see `get_ready` for later."""
        return self._room.ready

    @ready.setter
    def ready(self, ready: bool) -> None:
        self._room.ready = ready

    def get_ready(self) -> Step[Notice]:
        """The own player is ready now: a larger table waits for everybody."""
        if self.table is not None or self._room.ready:
            return Step()
        self._room.ready = True
        if self._room.hosting:
            return self._tell_room() + self._propose()
        step: Step[Notice] = Step(send=self._mesh.say_ready())
        proposed, self._early = self._early, None
        return step if proposed is None else step + self._sit_down_by(proposed)

    def _hear_of_room(
        self, link: int, message: RoomCame | ReadyCame | FullCame
    ) -> Step[Notice]:
        """Before there is a table a host is told who is ready, and its guests all."""
        if self.table is not None:
            return Step()
        if isinstance(message, ReadyCame):
            self._ready.add(link)
            if link not in self._joined:
                return Step()
            self._room.prepared(self._joined[link].key)
            return self._tell_room() + self._propose()
        if self._room.hosting or self._proven[link] not in {None, self._host}:
            return Step()
        if isinstance(message, FullCame):
            return Step(events=(NoPlace(self.number),))
        if not message.room.is_of(self._variant.players, self._host):
            return self._failed(link, "a waiting room that is none")
        return self._show(message.room)

    def _tell_room(self) -> Step[Notice]:
        """A host tells everybody who has come, at a table where that is waited for."""
        if not (self._room.hosting and self._waits_for_all):
            return Step()
        room = self._room.present
        told: Step[Notice] = Step(send=self._mesh.tell_room(room))
        return told + self._show(room)

    def _show(self, room: Room) -> Step[Notice]:
        if room == self._told_room:
            return Step()
        self._told_room = room
        return Step(events=(RoomChanged(self.number, room.shown(NAMES_TAKEN)),))

    def _terms(self) -> Terms | None:
        """A host's, once all are there and ready."""
        joins = self._room.gathered()
        if joins is None:
            return None
        rules = self._variant.lines()
        return gather_terms(GAME, len(MAZZO), self._suite.name, rules, joins)

    def _propose(self) -> Step[Notice]:
        """A host proposes the terms once all are there and ready."""
        terms = self._terms()
        if terms is None:
            return Step()
        if self.hesitant and terms != self._consented:
            return self._hesitate(terms)
        step = self._sit_down(terms)
        return step + self._answer(self._table().begin())

    def _sit_down_by(self, terms: Terms) -> Step[Notice]:
        """A guest sits down by its host's terms, when its player is ready for them."""
        if not self._room.keeps_side(terms):
            return Step(events=(NoPlace(self.number),))
        if not self._room.ready:
            self._early = terms
            return Step()
        step = self._show_who_sits_down(terms)
        if self.hesitant:
            return step + self._hesitate(terms)
        step += self._sit_down(terms)
        return step + self._answer(self._table().begin())

    def _show_who_sits_down(self, terms: Terms) -> Step[Notice]:
        """Others than the host had told may: who they are counts by the terms."""
        told, now = self._told_room, self._room.presents(terms)
        known = told is None or told.who == now.who
        return Step() if known else self._show(now)

    def _hesitate(self, terms: Terms) -> Step[Notice]:
        """Ask the player first; what comes meanwhile is sent again to a new table."""
        if terms == self._gathered:
            return Step()
        self._gathered = terms
        return Step(events=(Gathered(self.number, terms),))

    def _table(self) -> Table:
        if self.table is None:
            raise LocalProtocolError
        return self.table

    def _sit_down(self, terms: Terms) -> Step[Notice]:
        nonce = self._room.join.nonce
        self.table = Table(self._suite, self._secrets, terms, nonce, again=self._again)
        party = self.table.party
        record = party.judge.record
        own = self._secrets.identity
        self.whereabouts = Whereabouts(record, own, party.seat)
        frames = self._mesh.hold(record, party.resumption, self.whereabouts)
        told = self._place is not None or self._heard is not None
        known: tuple[Notice, ...] = (WhereaboutsKnown(self.number),) if told else ()
        return Step(send=frames, events=known) + self._tell_news()

    def _proposed(self, signed: Signed) -> Terms | None:
        """The terms of a table entry, if they are of the table this seat came to."""
        try:
            entry = read_entry(signed)
        except Malformed:
            return None
        if entry.kind != Kind.TABLE or entry.seq != 0:
            return None
        terms = self._room.proposed(entry)
        if terms is None:
            return None
        digest = signed_digest(signed.encoded)
        signs = verify(terms.keys[entry.seat], digest, signed.signature)
        return terms if signs else None

    def _agrees(self, terms: Terms) -> bool:
        """Whether the terms are those that this seat was told before it came."""
        if (terms.rules, terms.suite) != (self._variant.lines(), self._suite.name):
            return False
        try:
            open_match(terms, bytes(16))
        except ForeignRules:
            return False
        return True

    # -- at the table --------------------------------------------------------

    def _judge(self, link: int, signed: Signed) -> Step[Notice]:
        step: Step[Notice] = Step()
        if self.table is None:
            terms = self._proposed(signed)
            if terms is None:
                return step
            if not self._agrees(terms):
                return Step(events=(OtherTerms(self.number, terms.rules),))
            step += self._sit_down_by(terms)
        if self.table is None:
            return step
        return step + self._answer_link(link, self.table.receive(signed))

    def _prove(self, link: int, signed: tuple[Signed, ...]) -> Step[Notice]:
        if self.table is None:
            return Step()
        return self._answer_link(link, self.table.prove(signed))

    def _hear(self, link: int, note: Signed) -> Step[Notice]:
        if self.table is None:
            return Step()
        return self._answer_link(link, self.table.hear(note))

    def _learn(self, link: int, news: NewsCame | None) -> Step[Notice]:
        if self.whereabouts is None or news is None:
            return Step()
        before = self.whereabouts.news
        fault = self.whereabouts.hear(news.signed)
        if fault is not None:
            return self._failed(link, fault.reason)
        if self.whereabouts.news == before:
            return Step()
        return Step(events=(WhereaboutsKnown(self.number),))

    def _tell_news(self) -> Step[Notice]:
        """Tell the others what the own seat's shell has told us."""
        if self.whereabouts is None:
            return Step()
        if self._place is not None:
            self.whereabouts.is_at(*self._place)
        if self._heard is not None:
            self.whereabouts.hears(self._heard)
        self.whereabouts.is_watched_by(self._watchers)
        return Step(send=self._mesh.spread())

    def _answer_link(self, link: int, findings: Findings) -> Step[Notice]:
        step: Step[Notice] = Step()
        if findings.link_fault is not None:
            step = self._failed(link, findings.link_fault.reason)
        return step + self._answer(findings)

    def _answer(self, findings: Findings) -> Step[Notice]:
        """What a table's findings mean for store, links, player and threads."""
        self._mesh.remember(findings.faults)
        rows = [
            row
            for row in (
                *(entry.signed for entry in findings.added),
                *(one for fault in findings.faults for one in fault.evidence),
            )
            if row not in self._stored
        ]
        self._stored.update(rows)
        stored: tuple[Row, ...] = tuple(
            EntryRow(signed, self.number) for signed in dict.fromkeys(rows)
        )
        tasks = tuple(replace(task, seat=self.number) for task in findings.tasks)
        news = self.table.news() if self.table is not None else ()
        return Step(
            store=stored,
            send=self._mesh.spread(),
            events=tuple(Told(self.number, event) for event in news),
            tasks=tasks,
        )

    def chains(self) -> tuple[tuple[Signed, ...], ...]:
        """The record so far, author by author, for the portable file."""
        if self.table is None:
            return ()
        record = self.table.party.judge.record
        return tuple(record.signed(seat) for seat in range(len(record.keys)))
