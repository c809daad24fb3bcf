"""A Watcher: who follows a match without a seat, and judges all of it.

It has no secret of the match. It takes the signed entries that the seats publish, and
the same judge as theirs lets them stand or says who did wrong; from that record it
tells what a player is told, but for hands. It hears what seats tell of each other, and
what players write. It signs nothing.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from protocol.codec import Malformed
from protocol.crypto.group import Suite
from protocol.crypto.identity import verify
from protocol.entry import Kind, read_entry, signed_digest
from protocol.faults import LinkFault, LocalProtocolError, Signed
from protocol.judge import Findings, Judge
from protocol.mesh import ChatCame, EntryCame, Mesh, NewsCame, ProofCame
from protocol.party import Party
from protocol.roster import Terms, read_terms
from protocol.step import Step, Task
from protocol.whereabouts import Hearsay
from scopa_net.leaving import Word
from scopa_net.notices import (
    ChatHeard,
    LinkFailed,
    Notice,
    OtherTerms,
    Told,
    WhereaboutsKnown,
)
from scopa_net.referee import are_as_told, open_match
from scopa_net.rules import Action, Card, Deal, Observation, Variant
from scopa_net.table import Table

__all__ = ["WatchedTable", "Watcher"]

_EARLY_MAX = 64
"""So many entries wait for the terms; they come in the order of their numbers."""


class _Onlooker:
    """What a table needs of a party that has no seat, no cards, and nothing to say."""

    seat = None
    acting = asking = away = False

    def __init__(self, suite: Suite, terms: Terms, nonce: bytes) -> None:
        self.judge = Judge(suite, terms, nonce, open_match)

    def cards(self) -> Mapping[int, int | None]:
        """None are its own."""
        return {}

    def can(self, _kind: Kind) -> bool:
        """It says nothing."""
        return False

    @property
    def settled(self) -> bool:
        """See `Party`."""
        return self.judge.settled

    def receive(self, signed: Signed) -> Findings:
        """See `Party`."""
        return self.judge.receive(signed)

    def prove(self, signed: Sequence[Signed]) -> Findings:
        """See `Party`."""
        return self.judge.prove(signed)

    def done(self, task: Task, result: object) -> Findings:
        """See `Party`."""
        return self.judge.done(task, result)


class WatchedTable(Table):
    """A table as everybody sees it who has no seat at it."""

    def __init__(self, suite: Suite, terms: Terms, nonce: bytes) -> None:
        self._tell_of(cast("Party", _Onlooker(suite, terms, nonce)), terms)

    @property
    def to_act(self) -> bool:
        """Never."""
        return False

    def observation(self, luck: bytes = bytes(32)) -> Observation:
        """What everybody may know."""
        return Observation(None, self.deal, self.match, luck)

    def _hand_in(self, deal: Deal) -> tuple[Card, ...]:
        return ()


class Watcher:
    """A machine that follows one match: see `Machine`.

    `variant` and `nonce` are those that the host, whose key is `host`, has told;
    `number` is that of the one who is told what happens.
    """

    def __init__(
        self,
        suite: Suite,
        variant: Variant,
        nonce: bytes,
        host: bytes,
        *,
        number: int = 0,
    ) -> None:
        self._suite = suite
        self._variant = variant
        self._nonce = nonce
        self._host = host
        self._number = number
        self._mesh = Mesh()
        self._early: list[Signed] = []
        self._table: WatchedTable | None = None
        self.hearsay: Hearsay | None = None
        """What the seats tell of each other, once the terms are here."""

    # -- see `Machine` -------------------------------------------------------

    def open(self) -> Step[Notice]:
        """There is nothing to keep."""
        return Step()

    def done(self, task: Task, result: object) -> Step[Notice]:
        """A check of an entry has its result."""
        assert self._table is not None, "nothing is checked before the terms"
        return self._answer(None, self._table.done(task, result))

    def act(self, _number: int, _action: Action) -> Step[Notice]:
        """Who watches does not play."""
        raise LocalProtocolError

    def say(self, _number: int, _word: Word) -> Step[Notice]:
        """Who watches has no word in it."""
        raise LocalProtocolError

    def table(self, _number: int) -> WatchedTable | None:
        """The table, once its terms are here."""
        return self._table

    @property
    def finished(self) -> bool:
        """Whether the match is over and confirmed by everybody."""
        return self._table is not None and self._table.finished

    # -- links ---------------------------------------------------------------

    def connect(self, link: int) -> Step[Notice]:
        """A link to a seat is open, for the first time or again."""
        return Step(send=self._mesh.connect(link))

    def disconnect(self, link: int) -> Step[Notice]:
        """A link is gone."""
        self._mesh.disconnect(link)
        return Step()

    def receive(self, link: int, data: bytes) -> Step[Notice]:
        """A frame has come; what is nothing of this is for those who play."""
        match self._mesh.receive(link, data):
            case LinkFault(reason):
                return Step(events=(LinkFailed(self._number, link, reason),))
            case EntryCame(signed):
                return self._entry(link, signed)
            case ProofCame(signed) if self._table is not None:
                return self._answer(link, self._table.prove(signed))
            case NewsCame(signed) if self.hearsay is not None:
                return self._learn(link, self.hearsay, signed)
            case ChatCame(signed):
                return Step(events=(ChatHeard(self._number, link, signed),))
        return Step(send=self._mesh.spread())

    def chains(self) -> tuple[tuple[Signed, ...], ...]:
        """The record so far, author by author, for the portable file."""
        if self._table is None:
            return ()
        record = self._table.party.judge.record
        return tuple(record.signed(seat) for seat in range(len(record.keys)))

    # -- inside --------------------------------------------------------------

    def _learn(self, link: int, hearsay: Hearsay, news: Signed) -> Step[Notice]:
        before = hearsay.news
        fault = hearsay.hear(news)
        if fault is not None:
            return Step(events=(LinkFailed(self._number, link, fault.reason),))
        if hearsay.news == before:
            return Step()
        return Step(events=(WhereaboutsKnown(self._number),))

    def _entry(self, link: int, signed: Signed) -> Step[Notice]:
        if self._table is not None:
            return self._answer(link, self._table.receive(signed))
        terms = self._terms_in(signed)
        if terms is None:
            if len(self._early) < _EARLY_MAX:
                self._early.append(signed)
            return Step()
        if not are_as_told(terms, self._variant, self._suite.name):
            return Step(events=(OtherTerms(self._number, terms.rules),))
        self._table = WatchedTable(self._suite, terms, self._nonce)
        record = self._table.party.judge.record
        self.hearsay = Hearsay(record)
        # All is on its way already; to say what is here would have it sent twice.
        self._mesh.hold(record)
        early, self._early = self._early, []
        step: Step[Notice] = Step()
        for one in (*early, signed):
            step += self._answer(link, self._table.receive(one))
        return step

    def _terms_in(self, signed: Signed) -> Terms | None:
        """The terms, if this is the host's own entry of them, of the table it told."""
        try:
            entry = read_entry(signed)
        except Malformed:
            return None
        if entry.kind != Kind.TABLE or entry.seq != 0 or entry.prev != self._nonce:
            return None
        terms = read_terms(entry.body)
        if terms is None or terms.scope(self._nonce) != entry.scope:
            return None
        if entry.seat >= terms.seats or terms.keys[entry.seat] != self._host:
            return None
        digest = signed_digest(signed.encoded)
        return terms if verify(self._host, digest, signed.signature) else None

    def _answer(self, link: int | None, findings: Findings) -> Step[Notice]:
        """What the findings mean for who watches; a fault of the link is the link's."""
        assert self._table is not None
        self._mesh.remember(findings.faults)
        told = tuple(Told(self._number, event) for event in self._table.news())
        step: Step[Notice] = Step(
            send=self._mesh.spread(), events=told, tasks=findings.tasks
        )
        if findings.link_fault is not None and link is not None:
            reason = findings.link_fault.reason
            step += Step(events=(LinkFailed(self._number, link, reason),))
        return step
