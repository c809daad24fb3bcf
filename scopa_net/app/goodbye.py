"""When the own program is done with a match that somebody leaves."""

from typing import Final

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
from scopa_net.table import Table

__all__ = ["NOTED", "goes_too", "is_the_end"]

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
