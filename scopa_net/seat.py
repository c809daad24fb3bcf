"""A Seat: one player's whole machine, from sitting down to the last verdict.

A `Gathering` until the terms are agreed, then a `Table`, and a `Mesh` that carries what
they say. This is what a shell drives and what the simulator runs: every method
takes what has happened and returns a `Step`.
"""

from collections.abc import Iterable
from dataclasses import replace

from protocol.crypto.group import Suite
from protocol.faults import LinkFault, LocalProtocolError, Signed
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
from protocol.roster import Terms, write_join
from protocol.step import EntryRow, Row, SecretRow, Step, Task
from protocol.whereabouts import Whereabouts
from scopa_net.gathering import Gathering
from scopa_net.leaving import Word
from scopa_net.notices import ChatHeard, LinkFailed, Notice, Told, WhereaboutsKnown
from scopa_net.rules import Action, Variant
from scopa_net.table import Table


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
        self.gathering = Gathering(number, suite, variant, self._mesh, join, host)
        self._nonce = nonce
        self._stored: set[Signed] = set()
        self._again: bytes | None = None
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
                terms = self.gathering.recalled(signed)
                if terms is None:
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
        step: Step[Notice] = Step(send=self._mesh.connect(link))
        return step if self.table else step + self.gathering.connect(link, key)

    def disconnect(self, link: int) -> Step[Notice]:
        """A link is gone."""
        self._mesh.disconnect(link)
        return Step() if self.table else self.gathering.disconnect(link)

    def receive(self, link: int, data: bytes) -> Step[Notice]:
        """A frame has come in."""
        message = self._mesh.receive(link, data)
        match message:
            case LinkFault(reason):
                return Step(events=(LinkFailed(self.number, link, reason),))
            case JoinCame() | RoomCame() | ReadyCame() | FullCame():
                return self._come_together(link, message) + self._spread()
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

    def agree(self, room: bytes | None) -> Step[Notice]:
        """See `Gathering`."""
        return Step() if self.table else self._gather(self.gathering.agree(room))

    def turn_away(self, key: bytes) -> Step[Notice]:
        """See `Gathering`."""
        return Step() if self.table else self.gathering.turn_away(key)

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

    def _come_together(
        self, link: int, message: JoinCame | RoomCame | ReadyCame | FullCame
    ) -> Step[Notice]:
        if self.table is not None:
            return Step()
        if isinstance(message, JoinCame):
            return self._gather(self.gathering.welcome(link, message.signed))
        return self._gather(self.gathering.hear(link, message))

    def _gather(self, step: Step[Notice]) -> Step[Notice]:
        """Sit down, if there are terms for that by now."""
        terms = self.gathering.terms
        if terms is None:
            return step
        step += self._sit_down(terms)
        return step + self._answer(self._table().begin())

    def _table(self) -> Table:
        if self.table is None:
            raise LocalProtocolError
        return self.table

    def _sit_down(self, terms: Terms) -> Step[Notice]:
        self.table = Table(
            self._suite, self._secrets, terms, self._nonce, again=self._again
        )
        party = self.table.party
        record = party.judge.record
        own = self._secrets.identity
        self.whereabouts = Whereabouts(record, own, party.seat)
        frames = self._mesh.hold(record, party.resumption, self.whereabouts)
        told = self._place is not None or self._heard is not None
        known: tuple[Notice, ...] = (WhereaboutsKnown(self.number),) if told else ()
        return Step(send=frames, events=known) + self._tell_news()

    # -- at the table --------------------------------------------------------

    def _judge(self, link: int, signed: Signed) -> Step[Notice]:
        step: Step[Notice] = Step()
        if self.table is None:
            step = self._gather(self.gathering.hear_proposal(signed))
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
            return Step(events=(LinkFailed(self.number, link, fault.reason),))
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
            reason = findings.link_fault.reason
            step = Step(events=(LinkFailed(self.number, link, reason),))
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
