"""Seats that lie in what all sign first: hosts with other terms, guests with names.

Each is a real seat with one behaviour replaced, and signs with its own key.
"""

from dataclasses import replace
from typing import Any, cast

from protocol.codec import Anything, Value, decode, encode
from protocol.crypto.hashing import H
from protocol.entry import WIRE_VERSION, Entry, Kind, read_entry, signed_digest
from protocol.faults import Signed
from protocol.mesh import FRAME_BYTES_MAX, Say
from protocol.roster import Terms, WaitingRoom, read_terms
from protocol.step import Frame, Step
from scopa_net.notices import Notice
from scopa_net.seat import Seat
from tests.support.room_liars import HOSTILE, NOBODY


def guest_on(host: Seat, link: int) -> bytes:
    """The key of the guest who has come on a link."""
    return host.gathering._joined[link].key


class TwoFacedHost(Seat):
    """Has one guest sign other terms than everybody else."""

    fooled = 2

    def other(self, terms: Terms) -> Value:
        """The body of what that guest is to sign."""
        return terms.body()

    def receive(self, link: int, data: bytes) -> Step[Notice]:
        step = super().receive(link, data)
        return replace(step, send=tuple(map(self._shown, step.send)))

    def _shown(self, frame: Frame) -> Frame:
        message = decode(frame.data, Anything(), size_max=FRAME_BYTES_MAX)
        kind, *rest = cast("tuple[Any, ...]", message)
        if frame.link != self.fooled or kind != Say.ENTRY:
            return frame
        entry = read_entry(Signed(*rest))
        terms = read_terms(entry.body) if entry.kind == Kind.TABLE else None
        if terms is None or terms.keys[entry.seat] != self._secrets.identity.key:
            return frame
        return Frame(frame.link, encode((int(kind), *self._signed(entry, terms))))

    def _signed(self, entry: Entry, terms: Terms) -> Signed:
        body = self.other(terms)
        told = read_terms(body)
        scope = entry.scope if told is None else told.scope(self._nonce)
        seat = (
            entry.seat if told is None else told.keys.index(self._secrets.identity.key)
        )
        view = (entry.seen, entry.heads, entry.kind, body)
        encoded = encode((WIRE_VERSION, scope, seat, entry.seq, entry.prev, *view))
        signature = self._secrets.identity.sign(signed_digest(encoded))
        return Signed(encoded, signature)


class ChangesTheRules(TwoFacedHost):
    """Has it play to fewer points."""

    def other(self, terms: Terms) -> Value:
        rules = {line for line in terms.rules if not line.startswith("target=")}
        return replace(terms, rules=tuple(sorted({*rules, "target=9"}))).body()


class ChangesTheSeats(TwoFacedHost):
    """Shows it somebody else in the place of another guest."""

    def other(self, terms: Terms) -> Value:
        mine = {self._secrets.identity.key, guest_on(self, self.fooled)}
        (gone,) = [at for at, key in enumerate(terms.keys) if key not in mine]
        keys = [NOBODY if at == gone else key for at, key in enumerate(terms.keys)]
        order = sorted(range(terms.seats), key=lambda at: keys[at])
        return replace(
            terms,
            keys=tuple(keys[at] for at in order),
            names=tuple(terms.names[at] for at in order),
            sides=tuple(terms.sides[at] for at in order),
            commitments=tuple(terms.commitments[at] for at in order),
        ).body()


class SeatsOneKeyTwice(TwoFacedHost):
    """Sits at its table twice, in the place of another guest."""

    def other(self, terms: Terms) -> Value:
        mine, own = guest_on(self, self.fooled), self._secrets.identity.key
        keys = tuple(sorted(mine if key == mine else own for key in terms.keys))
        return replace(terms, keys=keys).body()


class SpeaksAnOlderVersion(TwoFacedHost):
    """Has it agree to play by the version before."""

    def other(self, terms: Terms) -> Value:
        body = list(cast("tuple[Value, ...]", terms.body()))
        body[3] = WIRE_VERSION - 1
        return tuple(body)


class WearsAName(Seat):
    """A guest that has signed a name which no honest program would make."""

    name = ""

    def open(self) -> Step[Notice]:
        gathering, own = self.gathering, self._secrets.identity
        join = gathering._room.join
        wish = (join.nonce, join.key, self.name, join.side, join.commitment)
        encoded = encode(wish)
        signed = Signed(encoded, own.sign(H("sc1.join", encoded)))
        seats = self._variant.players
        gathering._room = WaitingRoom(signed, seats=seats, host=gathering._host)
        return super().open()


class DrivesATerminal(WearsAName):
    """Its name moves a cursor, turns the line around and piles up marks."""

    name = HOSTILE


class NamedAsAnother(WearsAName):
    """Its name is that of another guest."""

    name = "p1"


class NamedAlmostAsAnother(WearsAName):
    """Its name looks like that of another guest, and has other letters."""

    name = "\N{CYRILLIC SMALL LETTER ER}1"


class NamedAsTheReader(WearsAName):
    """Its name is what a program calls its own player."""

    name = "You"
