"""Who of a match is there, and who is told of it when."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from twisted.internet.interfaces import IDelayedCall

from protocol.roster import Terms
from scopa_net.app.contacts import Contacts
from scopa_net.app.meeting import Meeting
from scopa_net.app.screen_player import ScreenPlayer
from scopa_net.table import Table
from scopa_net.ui.view import Link as LinkState

__all__ = ["Presence", "Sitting", "Waiting"]

GRACE_S: Final = 1.0
"""A link that is lost may be there again before anybody needs to know."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Who is waited for: players by name, and so many more who have no name yet.

    `played` says that all is played, and only the result is not confirmed yet (F13).
    """

    names: tuple[str, ...] = ()
    more: int = 0
    played: bool = False

    @property
    def over(self) -> bool:
        """Whether everybody is there."""
        return not self.names and not self.more


class Sitting(Protocol):
    """The match whose players may be there or not."""

    @property
    def meeting(self) -> Meeting | None:
        """How the table meets, once it is known."""
        ...

    @property
    def screen(self) -> ScreenPlayer | None:
        """The whole screen, if there is one."""
        ...

    @property
    def left(self) -> bool:
        """Whether the own player has gone."""
        ...

    @property
    def nobody_needed(self) -> bool:
        """Whether all is over, so that nobody is waited for."""
        ...

    def table(self) -> Table | None:
        """The table, once the terms are agreed."""
        ...


class Presence:
    """Compares who should be there with who is; `tell` is called when it changes."""

    def __init__(
        self,
        reactor: Any,
        sitting: Sitting,
        contacts: Contacts,
        tell: Callable[[Waiting], None],
    ) -> None:
        self._reactor = reactor
        self._sitting = sitting
        self._contacts = contacts
        self._tell = tell
        self._told = Waiting()
        self._patience: IDelayedCall | None = None

    def changed(self) -> None:
        """Somebody may have come or gone; what does not last is not told."""
        self._show()
        now = self._absent()
        if now.over or now == self._told:
            if self._patience is not None and self._patience.active():
                self._patience.cancel()
            self._patience = None
            self.tell()
        elif self._patience is None:
            self._patience = self._reactor.callLater(GRACE_S, self.tell)

    def tell(self) -> None:
        """Tell who is there now, if it is not what was told last."""
        self._patience = None
        now = self._absent()
        if now != self._told and not self._sitting.left:
            self._told = now
            self._tell(now)

    def linked_seats(self) -> frozenset[bytes]:
        """The keys of those that have links to here, as long as all is well."""
        meeting, terms = self._sitting.meeting, self._terms()
        if meeting is None or terms is None:
            return frozenset()
        if not meeting.hosting:
            return frozenset((meeting.host,))
        return frozenset(terms.keys) - {meeting.host}

    def _terms(self) -> Terms | None:
        table = self._sitting.table()
        return None if table is None else table.party.judge.course.terms

    def _absent(self) -> Waiting:
        meeting, table = self._sitting.meeting, self._sitting.table()
        if meeting is None or self._sitting.nobody_needed:
            return Waiting()
        here = self._contacts.answering
        if table is not None:
            gone = sorted(self.linked_seats() - here)
            course = table.party.judge.course
            names = tuple(
                str(table.name_of(course.terms.keys.index(key))) for key in gone
            )
            return Waiting(names, played=course.ended and not course.confirmed)
        if meeting.hosting:
            return Waiting(more=meeting.variant.players - 1 - len(here))
        return Waiting(() if meeting.host in here else ("the host",))

    def _show(self) -> None:
        """Tell a whole screen who can be reached."""
        screen, table = self._sitting.screen, self._sitting.table()
        if screen is None or table is None or not table.seated:
            return
        keys = table.party.judge.course.terms.keys
        for key in self.linked_seats():
            state = LinkState.LOST
            if key in self._contacts.linked:
                heard = key in self._contacts.answering
                state = LinkState.CONNECTED if heard else LinkState.SILENT
            screen.hear_of_link(table.referee.places[keys.index(key)], state)
