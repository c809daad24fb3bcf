"""Who of a match is there, and who is told of it when."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Protocol

from twisted.internet.interfaces import IDelayedCall

from protocol.whereabouts import Hearsay
from scopa_net.app.contacts import Contacts
from scopa_net.app.meeting import Meeting, table_part
from scopa_net.app.screen_player import ScreenPlayer
from scopa_net.table import Table
from scopa_net.ui.absence import LONG_S, Waiting, calling_line, only_wait_line
from scopa_net.ui.view import Link as LinkState

__all__ = ["Presence", "Sitting", "WatchedPresence"]

GRACE_S: Final = 1.0
"""A link that is lost may be there again before anybody needs to know."""
TICK_S: Final = 1.0
"""How often a screen is told for how long somebody has been away."""
CALL_AGAIN_S: Final = 1.0
"""A key that is held down makes no more calls than one in this time."""


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

    @property
    def whereabouts(self) -> Hearsay | None:
        """Who sees whom, once the terms are agreed."""
        ...

    def table(self) -> Table | None:
        """The table, once the terms are agreed."""
        ...


class Presence:
    """Compares who should be there with who is; `tell` is called when it changes.

    And once more, as `lasting`, when somebody at the table has been away for long.
    """

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
        self._reminder: IDelayedCall | None = None
        self._tick: IDelayedCall | None = None
        # Since when seats are neither reached nor heard of, by rank.
        self._since: dict[int, float] = {}
        self._called_s = -CALL_AGAIN_S

    def changed(self) -> None:
        """Somebody may have come or gone; what does not last is not told."""
        self._show()
        now = self._absent()
        if (now.over and not now.through) or now == self._told:
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
        if now != self._told and not self._over:
            self._told = now
            self._tell(now)
            self._remind_later()

    def _remind_later(self) -> None:
        if self._reminder is not None and self._reminder.active():
            self._reminder.cancel()
        if self._told.names and self._sitting.table() is not None:
            self._reminder = self._reactor.callLater(LONG_S, self._remind)

    def _remind(self) -> None:
        if not self._over:
            table = self._sitting.table()
            carry = "" if table is None else self._carry(table)
            self._tell(replace(self._told, lasting=True, carry=carry))

    def _carry(self, table: Table) -> str:
        """How the match is called by who carries its score on; nothing without one."""
        meeting = self._sitting.meeting
        scored = table.seated and table.match.deal_number > 0
        return table_part(meeting) if scored and meeting is not None else ""

    @property
    def _over(self) -> bool:
        """Whether nobody is waited for: what is told last of a match is its end."""
        table = self._sitting.table()
        stopped = table is not None and table.party.judge.stopped
        return stopped or self._sitting.left or self._sitting.nobody_needed

    def call_again(self) -> str:
        """Call who is away now, and not some time later; the sentence that says so."""
        now_s = self._reactor.seconds()
        if now_s >= self._called_s + CALL_AGAIN_S:
            self._called_s = now_s
            self._contacts.hurry()
        return calling_line(self._absent())

    def who_must_hold(self) -> frozenset[bytes]:
        """Who is to hold all of the match before we go, if it can be known.

        A guest that cannot reach another one leaves it to those who can.
        """
        meeting, table = self._sitting.meeting, self._sitting.table()
        if meeting is None or table is None:
            return frozenset()
        others = _others(table)
        if meeting.hosting:
            return others
        return others & (self._contacts.met | {meeting.host})

    def _absent(self) -> Waiting:
        meeting, table = self._sitting.meeting, self._sitting.table()
        if meeting is None or self._sitting.nobody_needed:
            return Waiting()
        here = self._contacts.answering
        if table is not None:
            return self._absent_from(table)
        if meeting.hosting:
            return Waiting(more=meeting.to_come(here))
        return Waiting(() if meeting.host in here else ("the host",))

    def _absent_from(self, table: Table) -> Waiting:
        ways = self._ways(table)
        names = [str(table.name_of(seat)) for seat, by in ways.items() if by is None]
        through = [
            (str(table.name_of(seat)), str(table.name_of(by)))
            for seat, by in ways.items()
            if by not in {None, seat}
        ]
        course = table.party.judge.course
        return Waiting(
            tuple(names),
            played=course.ended and not course.confirmed,
            unseen=bool(names) and len(names) < len(ways),
            through=tuple(through),
        )

    def _ways(self, table: Table) -> dict[int, int | None]:
        """Through whom each other seat is heard: itself, another one, or nobody."""
        keys = table.party.judge.course.terms.keys
        ranks = {key: keys.index(key) for key in sorted(_others(table))}
        heard = {ranks[key] for key in ranks.keys() & self._contacts.answering}
        known = self._sitting.whereabouts
        assert known is not None, "who sits at a table is told of the others"
        return {
            rank: rank if rank in heard else known.through(rank, heard)
            for rank in ranks.values()
        }

    def _show(self) -> None:
        """Tell a whole screen who can be reached, and who is away for how long."""
        screen, table = self._sitting.screen, self._sitting.table()
        if screen is None or table is None or not table.seated:
            return
        if self._over:
            # Whoever goes now is not away.
            return
        carry = self._carry(table)
        keys, places = table.party.judge.course.terms.keys, table.referee.places
        now_s = self._reactor.seconds()
        for rank, by in self._ways(table).items():
            linked = keys[rank] in self._contacts.linked
            state = LinkState.SILENT if linked else LinkState.LOST
            if by is not None:
                state = LinkState.CONNECTED if by == rank else LinkState.THROUGH
            away_s = 0
            if by is None:
                away_s = int(now_s - self._since.setdefault(rank, now_s))
            else:
                self._since.pop(rank, None)
            through = None if by is None else places[by]
            screen.hear_of_link(places[rank], state, through, away_s, carry)
        ticks = self._tick is not None and self._tick.active()
        if self._since and not ticks:
            self._tick = self._reactor.callLater(TICK_S, self._show)


class WatchedPresence(Presence):
    """The same of a match that is watched: as the seat sees it that is followed."""

    def call_again(self) -> str:
        """See `Presence`: while one seat answers, the others are for it to call."""
        if self._contacts.answering:
            return only_wait_line(self._absent())
        return super().call_again()

    def _carry(self, table: Table) -> str:
        """Who has no side in a match carries no score of it on."""
        return ""

    def _ways(self, table: Table) -> dict[int, int | None]:
        keys = table.party.judge.record.keys
        answering = self._contacts.answering
        followed = [rank for rank, key in enumerate(keys) if key in answering]
        known = self._sitting.whereabouts
        assert known is not None, "who has the terms hears of the seats"
        everybody = range(len(keys))
        told = [known.seen_by(by) for by in followed]
        if None in told:
            # It is on its way; till then nobody is said to be away.
            return {rank: rank for rank in everybody}
        seen = {*followed, *(to for seats in told if seats for to in seats)}
        return {rank: known.through(rank, seen) for rank in everybody}


def _others(table: Table) -> frozenset[bytes]:
    """The keys of the other seats."""
    keys = table.party.judge.course.terms.keys
    return frozenset(keys) - {keys[table.party.seat]}
