"""Whose answer is waited for while somebody asks that a deal does not count."""

from __future__ import annotations

from scopa_net.events import (
    DealStarted,
    Event,
    MatchWon,
    Resigned,
    Stopped,
    VoidAgreed,
    Voided,
    VoidProposed,
    VoidRefused,
)

__all__ = ["unanswered"]


def unanswered(event: Event, before: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """The places that have to answer after this event; none if nothing is asked."""
    match event:
        case VoidProposed(seat):
            return tuple(at for at in range(seats) if at != seat)
        case VoidAgreed(_, missing):
            return missing
        case VoidRefused() | Voided() | DealStarted():
            return ()
        case Resigned() | MatchWon() | Stopped():
            return ()
        case _:
            return before
