"""Seats that lie before there is a table: hosts to their guests, and guests to hosts.

Each is a real seat with one behaviour replaced.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from protocol.codec import encode
from protocol.crypto.identity import Identity
from protocol.mesh import Mesh
from protocol.room import Present, Room
from protocol.roster import Join, WaitingRoom, write_join
from protocol.step import Frame, Step
from scopa_net.notices import Notice
from scopa_net.seat import Seat

NOBODY = Identity(b"nobody's key is this" + bytes(12)).key
HOSTILE = "\x1b]0;Ada\x07\N{RIGHT-TO-LEFT OVERRIDE}" + "\N{COMBINING ACUTE ACCENT}" * 60


def room_frame(seats: int, players: Sequence[Present]) -> bytes:
    """A host's message, whatever it says."""
    told = tuple((p.key, p.name, p.side, int(p.ready)) for p in players)
    return encode((8, seats, told))


class _Hasty(WaitingRoom):
    def gathered(self) -> tuple[Join, ...] | None:
        """All joins, whoever is ready."""
        return tuple(self._joins.values()) if self.present.full else None


class _Lying(Mesh):
    lie: Callable[[Room], Room]

    def tell_room(self, room: Room) -> tuple[Frame, ...]:
        return super().tell_room(self.lie(room))


class StartsWithoutThem(Seat):
    """A host that proposes its terms before its guests are ready."""

    def open(self) -> Step[Notice]:
        self.gathering._room.__class__ = _Hasty
        return super().open()


class LyingHost(StartsWithoutThem):
    """Tells its guests of another room than there is, and starts all the same."""

    def lie(self, room: Room) -> Room:
        """What it tells."""
        return room

    def open(self) -> Step[Notice]:
        self._mesh.__class__ = _Lying
        cast("_Lying", self._mesh).lie = self.lie
        return super().open()


class HidesAGuest(LyingHost):
    """Tells of itself and of whoever came last."""

    def lie(self, room: Room) -> Room:
        return replace(room, players=(room.players[0], room.players[-1]))


class InventsAGuest(LyingHost):
    """Tells of somebody who is not there, in the place of whoever came first."""

    def lie(self, room: Room) -> Room:
        host, *guests = room.players
        nobody = Present(NOBODY, "Nobody", None, ready=True)
        return replace(room, players=(host, nobody, *guests[1:]))


class SaysThatAllAreReady(LyingHost):
    """Tells of everybody that it is ready."""

    def lie(self, room: Room) -> Room:
        ready = tuple(replace(one, ready=True) for one in room.players)
        return replace(room, players=ready)


class NamesThemBadly(LyingHost):
    """Gives everybody one name that would do things to a terminal."""

    def lie(self, room: Room) -> Room:
        players = tuple(replace(one, name=HOSTILE) for one in room.players)
        return replace(room, players=players)


class CrowdsTheRoom(LyingHost):
    """Tells of one guest several times."""

    def lie(self, room: Room) -> Room:
        host, *guests = room.players
        return replace(room, players=(host, *guests[:1] * 2))


class LeavesItselfOut(LyingHost):
    """Tells of its guests only."""

    def lie(self, room: Room) -> Room:
        return replace(room, players=room.players[1:] or room.players)


class GrowsTheTable(LyingHost):
    """Tells of more places than its table has."""

    def lie(self, room: Room) -> Room:
        return replace(room, seats=room.seats + 1)


class _Careless(WaitingRoom):
    def _has_place_for(self, join: Join, bound: Mapping[bytes, int] | None) -> bool:
        return True


class GivesASideAwayTwice(Seat):
    """A host that takes every wish for a side, and seats all that have it."""

    def open(self) -> Step[Notice]:
        self.gathering._room.__class__ = _Careless
        return super().open()


class TellsOfTheRoomForEver(Seat):
    """A host that goes on telling of its waiting room when all play."""

    def receive(self, link: int, data: bytes) -> Step[Notice]:
        more: Step[Notice] = Step()
        if self.table is not None:
            room = self.gathering._room.present
            frames = (
                room_frame(room.seats, room.players),
                encode((9, None)),
                encode((10, 0)),
            )
            more = Step(send=tuple(Frame(link, frame) for frame in frames))
        return more + super().receive(link, data)


class JoinsAgainAndAgain(Seat):
    """A guest that wishes for its place under ever new names, ready or not."""

    TIMES = 100

    def connect(self, link: int, key: bytes | None = None) -> Step[Notice]:
        step = super().connect(link, key)
        own, join = self._secrets, self.gathering._room.join
        room = bytes(32)
        frames = []
        for at in range(self.TIMES):
            other = write_join(own.identity, join.nonce, f"n{at}", None, own.coin)
            frames += [encode((0, *other)), encode((9, room))]
        return step + Step(send=tuple(Frame(link, data) for data in frames))


class JoinsOverAndOver(JoinsAgainAndAgain):
    """A guest that repeats itself, and does not know whether it is ready."""

    def connect(self, link: int, key: bytes | None = None) -> Step[Notice]:
        step = Seat.connect(self, link, key)
        return Step(send=step.send * self.TIMES)


class JoinsAnotherTable(Seat):
    """A guest that brings the wish which it had at another table."""

    def connect(self, link: int, key: bytes | None = None) -> Step[Notice]:
        own = self._secrets
        other = write_join(own.identity, b"o" * 32, "other", None, own.coin)
        super().connect(link, key)
        return Step(send=(self._mesh.join(link, other),))


class TellsItsHostOfTheRoom(Seat):
    """A guest that says who has come and who is ready, as only a host does."""

    def connect(self, link: int, key: bytes | None = None) -> Step[Notice]:
        nobody = Present(NOBODY, "Nobody", None, ready=True)
        frames = (room_frame(3, [nobody]), encode((10, 0)))
        lies = tuple(Frame(link, data) for data in frames)
        return super().connect(link, key) + Step(send=lies)
