"""Who has come to a table so far, and the lines that tell it."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.room import Present, Room
from scopa_net.ui.words import and_list

__all__ = ["NOT_READY", "READY", "READY_QUESTION", "room_lines"]

READY_QUESTION = "Press Enter when you are ready to play; quit leaves."
READY = "You are ready. Press Enter again if you are not, after all; quit leaves."
NOT_READY = "You are not ready. Press Enter when you are; quit leaves."


def room_lines(before: Room | None, now: Room, own: bytes) -> tuple[str, ...]:
    """What a person, whose key is `own`, reads when the room has changed."""
    were = {one.key: one for one in before.players} if before else {own: None}
    here = {one.key for one in now.players}
    lines = []
    gone = [one.name for key, one in were.items() if one and key not in here]
    if gone:
        lines.append(f"{and_list(gone)} {_has(gone)} left{_count(now)}.")
    come = [one for one in now.players if one.key not in {own, *were}]
    if come:
        names = [_with_side(one) for one in come]
        are = "are" if names[1:] else "is"
        lines.append(f"{and_list(names)} {are} there{_count(now)}.")
    for one in now.players:
        was = were.get(one.key)
        if one.ready and one.key != own and was is not None and not was.ready:
            lines.append(f"{one.name} is ready.")
    became_ready = any(
        one.ready and (was := were.get(one.key)) is not None and not was.ready
        for one in now.players
    )
    return (*lines, *_missing(now, own)) if lines or became_ready else ()


def _missing(room: Room, own: bytes) -> tuple[str, ...]:
    """For whom a table waits at which nobody is missing."""
    unready = [one for one in room.players if not one.ready]
    if len(room.players) < room.seats or not unready:
        return ()
    if any(one.key == own for one in unready):
        return ("Everybody is there. It starts when you, too, have pressed Enter.",)
    are = "are" if unready[1:] else "is"
    names = and_list([one.name for one in unready])
    return (f"Everybody is there. It starts when {names} {are} ready.",)


def _count(room: Room) -> str:
    return f" ({len(room.players)} of {room.seats})"


def _has(names: Sequence[str]) -> str:
    return "have" if names[1:] else "has"


def _with_side(one: Present) -> str:
    return one.name if one.side is None else f"{one.name} (side {one.side + 1})"
