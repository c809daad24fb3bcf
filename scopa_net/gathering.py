"""Until there is a table: who has come, who is ready for whom, and the terms.

Each seat says what room it is ready for, by the hash of who is there; a host proposes
terms when all are ready for the same full room. So whom its player does not want to
play with is known before anything is signed, and the place of who goes is free.
"""

from collections import deque
from collections.abc import Mapping

from protocol.codec import Malformed
from protocol.crypto.group import Suite
from protocol.crypto.identity import verify
from protocol.entry import Entry, Kind, read_entry, signed_digest
from protocol.faults import Signed
from protocol.mesh import FullCame, Mesh, ReadyCame, RoomCame
from protocol.room import Declined, Room
from protocol.roster import Join, Terms, WaitingRoom, gather_terms, read_join
from protocol.step import Step
from scopa_net.notices import (
    Forgotten,
    LinkFailed,
    NoPlace,
    Notice,
    OtherTerms,
    RoomChanged,
)
from scopa_net.referee import GAME, are_as_told
from scopa_net.rules import MAZZO, Variant

__all__ = ["Gathering"]

_CHANGES_MAX = 1_000
"""So often a guest may change its mind, or a host would write to all without end."""
_AGREED = 16
"""A proposal may have crossed a change of mind, or of who is there."""


class Gathering:
    """One seat's part in it, over the links of `mesh`; `own` is its wish to sit down.

    `terms` are those by which it sits down now, once there are any. A seat that is
    `hesitant` is ready for a room only when `agree` says so, others for every room.
    """

    def __init__(
        self,
        number: int,
        suite: Suite,
        variant: Variant,
        mesh: Mesh,
        own: Signed,
        host: bytes,
    ) -> None:
        self.terms: Terms | None = None
        self.hesitant = False
        self.was_ready = False
        """Whether it was ever ready for a full table, which the host then sits down
        at: there may be terms with it."""
        self.bound: Mapping[bytes, int] | None = None
        """A host's: the sides on which alone these players are let in, and who else
        comes only on none; None if everybody may choose."""
        self._number = number
        self._suite = suite
        self._variant = variant
        self._mesh = mesh
        self._host = host
        teams = variant.sides < variant.players
        self._room = WaitingRoom(
            own,
            seats=variant.players,
            host=host,
            sides=variant.sides if teams else 0,
        )
        self._proven: dict[int, bytes | None] = {}
        self._joined: dict[int, Join] = {}
        self._changes: dict[int, int] = {}
        self._unwanted: set[bytes] = set()
        self._told: Room | None = None
        # What the own player is ready for, and has been.
        self._said: bytes | None = None
        self._agreed: deque[bytes] = deque(maxlen=_AGREED)
        self._proposed: Terms | None = None

    # -- links ---------------------------------------------------------------

    def connect(self, link: int, key: bytes | None) -> Step[Notice]:
        """Ask for a place there; `key` is what the peer has proven to hold, if any."""
        self._proven[link] = key
        return Step(send=(self._mesh.join(link, self._room.own),))

    def disconnect(self, link: int) -> Step[Notice]:
        """Whoever was there has left its place, unless it has another link."""
        self._proven.pop(link, None)
        self._changes.pop(link, None)
        gone = self._joined.pop(link, None)
        if gone is None or any(gone.key == join.key for join in self._joined.values()):
            return Step()
        self._room.leave(gone.key)
        return self._tell()

    def welcome(self, link: int, signed: Signed) -> Step[Notice]:
        """A host is asked for a place."""
        join, key = read_join(signed), self._proven[link]
        if join is None or key not in {None, join.key}:
            return self._failed(link, "a wish to sit down that is not the peer's own")
        if not self._room.hosting or join.key == self._host:
            return Step()
        if join.nonce != self._room.join.nonce:
            return self._failed(link, "a wish to sit down at another table")
        before = self._joined.get(link)
        if before is not None:
            # Else one guest could make the host write to all others without end.
            same = join == before
            reason = "a second wish to sit down, unlike the first"
            return Step() if same else self._failed(link, reason)
        if join.key in self._unwanted:
            return self._declined(link, Declined.PERSON)
        if not self._room.welcome(join, self.bound):
            return self._declined(link, Declined.SIDE)
        self._joined[link] = join
        self._room.prepared(join.key, None)
        return self._tell()

    def hear(self, link: int, message: RoomCame | ReadyCame | FullCame) -> Step[Notice]:
        """A host hears who is ready, a guest from its host who is there."""
        if isinstance(message, ReadyCame):
            return self._hear_ready(link, message.room)
        if self._room.hosting or self._proven[link] not in {None, self._host}:
            return Step()
        if isinstance(message, FullCame):
            return Step(events=(NoPlace(self._number, message.why),))
        if not message.room.is_of(self._variant.players, self._host):
            return self._failed(link, "a waiting room that is none")
        if self._is_known_ready(message.room):
            return self._show(message.room)
        # Its link, or the host's program, is a new one.
        again = self._mesh.say_ready(self._said)
        return self._show(message.room) + Step(send=again)

    def _hear_ready(self, link: int, room: bytes | None) -> Step[Notice]:
        if link not in self._joined:
            return Step()
        self._changes[link] = changes = self._changes.get(link, 0) + 1
        if changes > _CHANGES_MAX:
            return self._failed(link, "ready and not ready, without end")
        self._room.prepared(self._joined[link].key, room)
        return self._tell() + self._propose()

    # -- the own player ------------------------------------------------------

    def agree(self, room: bytes | None) -> Step[Notice]:
        """It is ready to play with exactly those in the room of this digest.

        Or not any more, with None; a host that has proposed by then goes on.
        """
        if room is None:
            return self._say(None)
        self._agreed.append(room)
        told = self._told
        self.was_ready |= told is None or told.digest != room or told.full
        proposed = self._proposed
        if proposed is not None and self._room.presents(proposed).digest == room:
            self.terms = proposed
            return Step()
        return self._say(room)

    def turn_away(self, key: bytes) -> Step[Notice]:
        """A host's player does not want this one, now or later."""
        self._unwanted.add(key)
        links = [link for link, join in self._joined.items() if join.key == key]
        step: Step[Notice] = Step()
        for link in links:
            self._joined.pop(link)
            step += self._declined(link, Declined.PERSON)
        self._room.leave(key)
        return step + self._tell()

    # -- terms ---------------------------------------------------------------

    def hear_proposal(self, signed: Signed) -> Step[Notice]:
        """A guest is shown an entry, which may be the host's terms."""
        entry = _first_entry(signed)
        if entry is None:
            return Step()
        terms = self._read(entry, signed)
        if terms is None:
            forgotten = self._room.is_forgotten(entry)
            return Step(events=(Forgotten(self._number),) if forgotten else ())
        if not are_as_told(terms, self._variant, self._suite.name):
            return Step(events=(OtherTerms(self._number, terms.rules),))
        if not self._room.keeps_side(terms):
            return Step(events=(NoPlace(self._number, Declined.SIDE),))
        room = self._room.presents(terms)
        if self.hesitant and room.digest not in self._agreed:
            self._proposed = terms
            return self._show(room)
        self.terms = terms
        told = self._told is None or self._told.digest == room.digest
        return Step(events=() if told else (RoomChanged(self._number, room),))

    def recalled(self, signed: Signed) -> Terms | None:
        """The terms in a stored entry, if it is the first of this table."""
        entry = _first_entry(signed)
        terms = None if entry is None else self._read(entry, signed)
        if terms is None or not are_as_told(terms, self._variant, self._suite.name):
            return None
        return terms

    def _read(self, entry: Entry, signed: Signed) -> Terms | None:
        terms = self._room.proposed(entry)
        if terms is None:
            return None
        digest = signed_digest(signed.encoded)
        signs = verify(terms.keys[entry.seat], digest, signed.signature)
        return terms if signs else None

    def _propose(self) -> Step[Notice]:
        """A host sits down once all are there and ready."""
        joins = self._room.gathered()
        if joins is not None:
            rules = self._variant.lines()
            self.terms = gather_terms(GAME, len(MAZZO), self._suite.name, rules, joins)
        return Step()

    # -- inside --------------------------------------------------------------

    def _is_known_ready(self, room: Room) -> bool:
        """Whether the host knows it of the own player, if that has said so."""
        own = self._room.join.key
        known = any(one.ready for one in room.players if one.key == own)
        return known or self._said != room.digest

    def _say(self, room: bytes | None) -> Step[Notice]:
        self._said = room
        if not self._room.hosting:
            return Step(send=self._mesh.say_ready(room))
        self._room.prepared(self._host, room)
        return self._tell() + self._propose()

    def _tell(self) -> Step[Notice]:
        """A host tells everybody who is there."""
        if not self._room.hosting:
            return Step()
        if not self.hesitant:
            self._room.prepared(self._host, self._room.present.digest)
        room = self._room.present
        told: Step[Notice] = Step(send=self._mesh.tell_room(room))
        return told + self._show(room)

    def _show(self, room: Room) -> Step[Notice]:
        if room == self._told:
            return Step()
        self._told = room
        step: Step[Notice] = Step(events=(RoomChanged(self._number, room),))
        if self.hesitant or self._room.hosting or room.digest == self._said:
            return step
        return step + self.agree(room.digest)

    def _declined(self, link: int, why: Declined) -> Step[Notice]:
        told: Step[Notice] = Step(send=(self._mesh.say_full(link, why),))
        return told + self._failed(link, "a wish to sit down that cannot be granted")

    def _failed(self, link: int, reason: str) -> Step[Notice]:
        return Step(events=(LinkFailed(self._number, link, reason),))


def _first_entry(signed: Signed) -> Entry | None:
    """What everybody signs first, the terms; None if that is something else."""
    try:
        entry = read_entry(signed)
    except Malformed:
        return None
    return entry if entry.kind == Kind.TABLE and entry.seq == 0 else None
