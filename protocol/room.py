"""Who is in the waiting room of a table, as its host tells everybody there.

It is for people: nothing is signed, and what counts are the terms, in which every seat
looks for its own join.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, cast

from protocol.codec import (
    Bytes,
    Fields,
    Int,
    ListOf,
    Maybe,
    Text,
    Value,
    encode,
    fields,
)
from protocol.crypto.hashing import H
from protocol.entry import SEATS_MAX
from protocol.text import SafeText, alike, safe_name

NAME: Final = Text(192)
"""As many bytes as a safe name can have: 16 characters of four, two marks on each."""

NAMES_TAKEN: Final = ("You",)
"""What every program calls its own player, and so nobody else."""

SIDE: Final = Maybe(Int(0, SEATS_MAX - 1))
_PRESENT: Final = fields(Bytes(32), NAME, SIDE, Int(0, 1))
PRESENT: Final = ListOf(_PRESENT, 1, SEATS_MAX)
SEATS: Final = Int(2, SEATS_MAX)
READY: Final = Maybe(Bytes(32))
"""The digest of the room that one is ready for, or nothing."""


class Declined(IntEnum):
    """Why a host has no place for somebody; the numbers are the wire's."""

    SIDE = 0
    """Others have all places of the side that it wishes for."""
    PERSON = 1
    """The host's player does not want it."""


@dataclass(frozen=True, slots=True)
class Present:
    """A player who has come, the side that it wishes for, and whether it is ready.

    Ready is who would play with exactly those who are there.
    """

    key: bytes
    name: str
    side: int | None
    ready: bool


@dataclass(frozen=True, slots=True)
class Room:
    """Who has come so far to a table of so many seats: first the host."""

    seats: int
    players: tuple[Present, ...]

    @property
    def full(self) -> bool:
        """Whether nobody is missing."""
        return len(self.players) == self.seats

    @property
    def digest(self) -> bytes:
        """The hash of who is there, whoever of them is ready."""
        ranked = sorted(self.players, key=lambda one: one.key)
        who = tuple((one.key, one.name, one.side) for one in ranked)
        return H("sc1.room", encode((self.seats, who)))

    def body(self) -> tuple[Value, ...]:
        """What a message says of it."""
        players = tuple(
            (one.key, one.name, one.side, int(one.ready)) for one in self.players
        )
        return self.seats, players

    def is_of(self, seats: int, host: bytes) -> bool:
        """Whether an honest host says so of a table of that many."""
        keys = [one.key for one in self.players]
        return (
            self.seats == seats
            and len(keys) <= seats
            and len(set(keys)) == len(keys)
            and keys[0] == host
        )

    def shown(self) -> "Room":
        """The same with names that are safe to show, as they will be at the table."""
        ranked = sorted(self.players, key=lambda one: one.key)
        shown = shown_names([one.name for one in ranked])
        names = {one.key: str(name) for one, name in zip(ranked, shown, strict=True)}
        players = tuple(replace(one, name=names[one.key]) for one in self.players)
        return replace(self, players=players)


def room_shape(what: Int) -> Fields:
    """The shape of a message of that number."""
    return fields(what, SEATS, PRESENT)


def read_room(body: Sequence[Value]) -> Room:
    """A room from a body whose shape is checked."""
    seats, players = cast(
        "tuple[int, tuple[tuple[bytes, str, int | None, int], ...]]", tuple(body)
    )
    return Room(
        seats,
        tuple(
            Present(key, name, side, ready == 1) for key, name, side, ready in players
        ),
    )


def shown_names(names: Sequence[str]) -> tuple[SafeText, ...]:
    """The names, safe to show; those that look alike are numbered.

    So are those that look like one in `NAMES_TAKEN`. A name is the same in the waiting
    room, at the table, in lists and in records, whoever reads it.
    """
    shown: list[SafeText] = []
    for raw in names:
        name, number = safe_name(raw), 1
        told = name
        while any(alike(told, other) for other in (*NAMES_TAKEN, *shown)):
            number += 1
            told = SafeText(f"{name} ({number})")
        shown.append(told)
    return tuple(shown)
