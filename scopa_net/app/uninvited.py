"""How somebody without an invitation comes to a table: by an address, or by the LAN.

One knocks there, both people compare four words, and each says whether they agree: who
sits in between could let us in at once, without asking anybody. Where no person can be
asked, whoever started the program compares, and says so by a line of the input.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from twisted.internet.defer import CancelledError, Deferred, succeed
from twisted.internet.task import deferLater

from protocol.crypto.identity import Identity
from protocol.crypto.knock import Exchange
from protocol.invite import HOSTS_MAX, Invite
from protocol.links import End, Link, NotReached, Why
from protocol.links.dialing import Place
from protocol.links.knocking import LetIn, knock
from protocol.text import safe_name
from scopa_net.app.meeting import program
from scopa_net.app.questions import Questions, means_yes

if TYPE_CHECKING:
    from scopa_net.app.nearby import Nearby, TableNearby

__all__ = ["Come", "NoTable", "TellsOfTables", "Uninvited"]

SEARCH_S: Final = 2.0
_DIFFER: Final = (
    "The words are not said to agree, so somebody may sit in between: you have not sat "
    "down. Ask the host for an invitation."
)
_NOT_COMPARED: Final = (
    "Nobody has said that the words agree, so you have not sat down: once they are "
    "compared, the line yes on the standard input says so. An invitation needs none."
)


class NoTable(Exception):
    """None of the tables that were found was chosen, of which there may be none."""

    def __init__(self, found: int) -> None:
        super().__init__(found)
        self.found = found


@dataclass(frozen=True, slots=True)
class Come:
    """We were let in: a link, and what our invitation would have been."""

    link: Link
    invite: Invite


class TellsOfTables(Protocol):
    """Who is told while a table is looked for."""

    def knocking(self, place: Place, words: str) -> None:
        """The host's person is asked; these words must be on both screens."""
        ...

    def tables(self, found: "Sequence[TableNearby]") -> tuple[str, ...]:
        """These are there, at least one; what to ask: which, or whether that one."""
        ...


class Uninvited:
    """Comes to the table at `place`, or to one on the LAN that the person chooses."""

    def __init__(self, place: Place | None, name: str, tells: TellsOfTables) -> None:
        self._place = place
        self._name = name
        self._tells = tells
        self._nearby: Nearby | None = None
        self._coming: Deferred[Come] | None = None

    def begin(
        self, reactor: Any, identity: Identity, questions: Questions
    ) -> "Deferred[Come]":
        """Fails with `NotReached`, `NoMulticast` or `NoTable`."""
        coming = Deferred.fromCoroutine(self._come(reactor, identity, questions))
        self._coming = coming
        return coming

    def close(self) -> "Deferred[None]":
        """Give up whatever is under way."""
        if self._coming is not None:
            self._coming.cancel()
        return succeed(None) if self._nearby is None else self._nearby.close()

    # -- inside --------------------------------------------------------------

    async def _come(
        self, reactor: Any, identity: Identity, questions: Questions
    ) -> Come:
        place = self._place or await self._chosen(reactor, identity.key, questions)
        comparing = _Comparing(questions)

        def show(exchange: Exchange) -> None:
            self._tells.knocking(place, exchange.words)
            comparing.begin(knocking.cancel)

        name = safe_name(self._name)
        knocking = knock(reactor, place, identity, name, program(), show)
        try:
            let_in = await knocking
            if await comparing.agreed():
                return Come(let_in.link, _invite(let_in, place))
            let_in.link.abort(End.CLOSED)
        except CancelledError:
            if not comparing.differ:
                raise
        finally:
            comparing.give_up()
        asked = questions.answered_by_a_person
        raise NotReached(Why.REFUSED, _DIFFER if asked else _NOT_COMPARED)

    async def _chosen(self, reactor: Any, own: bytes, questions: Questions) -> Place:
        from scopa_net.app.nearby import Nearby

        self._nearby = nearby = Nearby(reactor, own)
        await nearby.start()
        await deferLater(reactor, SEARCH_S)
        tables = nearby.tables
        self._nearby = None
        await nearby.close()
        if not tables:
            raise NoTable(0)
        line = await questions.ask_line(*self._tells.tables(tables))
        if len(tables) == 1 and means_yes(line):
            return tables[0].place
        number = (line or "").strip()
        if not (number.isdecimal() and 1 <= int(number) <= len(tables)):
            raise NoTable(len(tables))
        return tables[int(number) - 1].place


class _Comparing:
    """Whether the words are said to be the same, by the person or by a program."""

    def __init__(self, questions: Questions) -> None:
        self.differ = False
        self._questions = questions
        self._answer: Deferred[bool] | None = None

    def begin(self, on_no: Callable[[], None]) -> None:
        """Ask, and say at once if the words differ."""
        if self._questions.answered_by_a_person:
            answer = self._questions.ask("Do they agree? [y/N]")
        else:
            answer = self._questions.ask_program()
        self._answer = answer.addCallback(self._answered, on_no)

    async def agreed(self) -> bool:
        """What is said."""
        assert self._answer is not None, "the words come before anybody is let in"
        return await self._answer

    def give_up(self) -> None:
        """It does not matter any more."""
        if self._answer is not None and not self._answer.called:
            self._answer.addErrback(lambda failure: failure.trap(CancelledError))
            self._answer.cancel()

    def _answered(self, yes: bool, on_no: Callable[[], None]) -> bool:  # noqa: FBT001
        self.differ = not yes
        if self.differ:
            on_no()
        return yes


def _invite(let_in: LetIn, place: Place) -> Invite:
    """As if we had been invited: the address that has answered comes first."""
    hosts = tuple(dict.fromkeys((let_in.link.address, *place.hosts)))[:HOSTS_MAX]
    exchange = let_in.exchange
    return Invite(hosts[0], place.port, exchange.host, exchange.ticket, hosts[1:])
