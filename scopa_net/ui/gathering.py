"""Who has come to a table so far, and the lines that tell it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from protocol.room import Present, Room
from scopa_net.ui.words import and_list

__all__ = ["NOT_READY", "READY", "READY_QUESTION", "Seen", "room_lines", "seen"]

READY_QUESTION = "Press Enter when you are ready to play; quit leaves."
READY = "You are ready. Press Enter again if you are not, after all; quit leaves."
NOT_READY = "You are not ready. Press Enter when you are; quit leaves."


@dataclass(frozen=True, slots=True)
class Seen:
    """A waiting room as a person knows it, and who is `ready` there.

    Whoever was ready before others came or went says it anew for those who are there,
    which is told to nobody: it was ready, and is.
    """

    room: Room
    ready: frozenset[bytes]


def seen(before: Seen | None, room: Room) -> Seen:
    """What is known when this is told after that."""
    ready = {one.key for one in room.players if one.ready}
    if before is None:
        return Seen(room, frozenset(ready))
    was = {one.key for one in before.room.players if one.ready}
    gone = was - ready if room.digest == before.room.digest else set()
    here = {one.key for one in room.players}
    return Seen(room, frozenset((before.ready | ready) - gone) & here)


def room_lines(before: Seen | None, now: Seen, own: bytes) -> tuple[str, ...]:
    """What a person, whose key is `own`, reads when the room has changed."""
    were = {one.key: one for one in before.room.players} if before else {own: None}
    was_ready = before.ready if before else now.ready
    here = {one.key: one for one in now.room.players}
    lines = []
    gone = [one.name for key, one in were.items() if one and key not in here]
    if gone:
        lines.append(f"{and_list(gone)} {_has(gone)} left{_count(now.room)}.")
    come = [one for key, one in here.items() if key not in {own, *were}]
    if come:
        names = [_with_side(one) for one in come]
        are = "are" if names[1:] else "is"
        lines.append(f"{and_list(names)} {are} there{_count(now.room)}.")
    for key, one in here.items():
        if key in now.ready - was_ready - {own}:
            lines.append(f"{one.name} is ready.")
        if key in was_ready - now.ready - {own}:
            lines.append(f"{one.name} is not ready any more.")
    became_ready = own in now.ready - was_ready
    return (*lines, *_missing(now, own)) if lines or became_ready else ()


def _missing(now: Seen, own: bytes) -> tuple[str, ...]:
    """For whom a table waits at which nobody is missing."""
    unready = [one for one in now.room.players if one.key not in now.ready]
    if not now.room.full or not unready:
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
