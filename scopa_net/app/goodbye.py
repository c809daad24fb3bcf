"""When the own program is done with a match that somebody leaves."""

from typing import Final

from protocol.hello import Refusal
from scopa_net.events import (
    Adjourned,
    DealScored,
    DealStarted,
    Event,
    MatchWon,
    Resigned,
    Stopped,
    TurnCame,
    Voided,
)
from scopa_net.exits import Exit
from scopa_net.table import Table

__all__ = ["FOR_GOOD", "NOTED", "ON_PURPOSE", "goes_too", "is_the_end"]

NOTED: Final = (
    DealStarted,
    TurnCame,
    DealScored,
    Voided,
    Resigned,
    MatchWon,
    Stopped,
)
"""What changes how a match stands, in the list of matches."""

FOR_GOOD: Final = frozenset(
    {
        Refusal.USED_TICKET,
        Refusal.TABLE_FULL,
        Refusal.WRONG_TICKET,
        Refusal.OTHER_TABLE,
    }
)
"""With these a host says that the own player has no seat at the table.

None that its terms name is refused so: its key is let in whenever it comes.
"""

ON_PURPOSE: Final = frozenset({Exit.DONE, Exit.INTERRUPTED})
"""The exit codes of who has left; after other signals nobody may have wanted it."""


def is_the_end(event: Event, table: Table | None) -> bool:
    """Whether the own player waits for nothing more but that the others know it."""
    if isinstance(event, Resigned):
        return table is not None and event.seat == table.place
    return isinstance(event, MatchWon)


def goes_too(event: Event, table: Table | None) -> bool:
    """Whether all others have adjourned, so that a seat without a person does, too."""
    if not isinstance(event, Adjourned) or table is None:
        return False
    judge, own = table.party.judge, table.party.seat
    return len(judge.course.leaving.away - {own}) == judge.seats - 1
