"""What a home keeps of one match: its store while it is played, then its record."""

from collections.abc import Mapping
from pathlib import Path

from protocol.archive import write_archive
from protocol.crypto.identity import Identity
from protocol.store import MatchStore, StoreDamaged
from scopa_net.app.meeting import Meeting, match_id, match_kept
from scopa_net.app.one_seat import SECRETS, drawn_secrets
from scopa_net.home import Home, bot_folder
from scopa_net.seat import Seat
from scopa_net.summary import Summary, summarize
from scopa_net.table import Table

__all__ = ["Keeping", "record_of", "summary_of"]


class Keeping:
    """The match of this run; `again` if it was begun before.

    `own` is the own part of its ID, where an invitation says it; else one is drawn.
    """

    def __init__(self, home: Home) -> None:
        self.match = ""
        self.own: str | None = None
        self.again = False
        self.abandoned = False
        self.store: MatchStore | None = None
        self._home = home

    def begun_with(self, own: str) -> str | None:
        """The ID of the match with this own part, if it was begun before."""
        self.own = own
        return match_kept((saved.id for saved in self._home.saved()), own)

    def begin(self, identity: Identity, meeting: Meeting) -> None:
        """A new match: the seat's secrets are kept before anything is sent."""
        rows = drawn_secrets(identity)
        self.match, self.store = self._home.begin(
            meeting.facts(), rows, match=match_id(meeting, self.own)
        )

    def go_on(self, match: str) -> Path | None:
        """Open what is kept; where the damaged store lies, if it was damaged.

        What is lost with it is asked of the others before anything is signed.
        """
        aside = None
        try:
            self.store = self._home.open(match)
        except StoreDamaged:
            self.store, aside = self._home.rescue(match, SECRETS)
        self.match, self.again = match, True
        return aside

    def bot_folder(self, number: int) -> Path:
        """The home of one of the bots that the own player has brought."""
        assert self.store is not None, "who brings bots has begun"
        return bot_folder(self.store.path, number)

    def note(self, facts: Mapping[str, bytes]) -> None:
        """Keep facts, while there is a store; raises `StoreProblem`."""
        if self.store is not None:
            self.store.note(facts)

    def tell_lists(self, table: Table | None) -> None:
        """Keep what a list says of the match, which has begun."""
        assert table is not None
        self._home.note(self.match, summary_of(table))

    def finish(self, table: Table | None, record: bytes | None) -> bool:
        """Keep the record if the match is over, and answer whether it is."""
        if record is None or table is None:
            return False
        if not (table.finished or table.party.judge.stopped):
            return False
        self._home.finish(self.match, record, summary_of(table))
        return True

    def abandon(self) -> None:
        """Keep nothing of a table that has not begun and never will.

        It may be of an earlier run; but if a seat has signed anything, all is kept.
        """
        if self.store is not None and not self.store.entries():
            self.abandoned = self.again
            self.discard()

    @property
    def kept(self) -> str:
        """The ID of the match if there is a store of it; else nothing."""
        return "" if self.store is None else self.match

    def close(self) -> None:
        """Close the store; others may open it."""
        if self.store is not None:
            self.store.close()

    def discard(self) -> None:
        """Delete the store: nobody needs it any more."""
        if self.store is not None:
            self.store.close()
            self.store = None
            self._home.discard(self.match)

    def forget(self) -> None:
        """Keep nothing of a table to which the own seat has only just come.

        What was kept before this run may be all that is left of a seat's secrets.
        """
        if not self.again:
            self.discard()


def record_of(seat: Seat) -> bytes | None:
    """The portable record so far; None before anything is signed."""
    chains = seat.chains()
    return write_archive(chains) if any(chains) else None


def summary_of(table: Table) -> Summary:
    """What a list says of a match."""
    judge = table.party.judge
    blamed = any(fault.blames for fault in judge.faults)
    return summarize(judge.course, stopped=bool(judge.stopped), blamed=blamed)
