"""Notes: what seats tell each other beside their entries when one of them comes back.

A program that was killed may have been opened again from an old copy of its store, and
no longer know what it has signed. So it asks before it signs, and every other seat
tells it, signed, how much of its chain is there (F11). Notes are no entries: they are
given even by who may not sign an entry yet, and pass through others' hands.

    question          [0, scope, asker, number, nonce]
    acknowledgement   [1, scope, asker, nonce, held, head, seat, own, last]

`scope` is that of the terms; `held` entries of the asker are there, the last of them
`head`; `own` is how many entries the acknowledging seat had signed itself, the last of
them `last`. What was learnt stands in the asker's next entry, `resumed`, for everybody
to judge.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from protocol.bodies import NOTE_BYTES_MAX, Resumed, said
from protocol.codec import Bytes, Int, Malformed, OneOf, decode, encode, fields
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity, verify
from protocol.entry import ENTRIES_MAX, SCOPE_BYTES, SEATS_MAX, Entry
from protocol.faults import Reason, Signed

_QUESTION, _ACKNOWLEDGEMENT = range(2)
_SEAT = Int(0, SEATS_MAX - 1)
_COUNT = Int(0, ENTRIES_MAX)
_NOTE = OneOf(
    {
        _QUESTION: fields(
            Int(_QUESTION, _QUESTION), Bytes(SCOPE_BYTES), _SEAT, _COUNT, Bytes(32)
        ),
        _ACKNOWLEDGEMENT: fields(
            Int(_ACKNOWLEDGEMENT, _ACKNOWLEDGEMENT),
            Bytes(SCOPE_BYTES),
            _SEAT,
            Bytes(32),
            _COUNT,
            Bytes(32),
            _SEAT,
            _COUNT,
            Bytes(32),
        ),
    }
)


class Question(NamedTuple):
    """A seat has come back and asks everybody what they hold of it.

    Of its questions the one that is `later` than the others counts.
    """

    scope: bytes
    asker: int
    number: int
    nonce: bytes

    @property
    def author(self) -> int:
        """Whose signature it bears."""
        return self.asker

    def later(self, other: "Question") -> bool:
        """Whether it counts rather than the other; of two, one does for everybody."""
        return (self.number, self.nonce) > (other.number, other.nonce)


class Acknowledgement(NamedTuple):
    """What `seat`, with `own` entries of its own, holds of the asker's chain.

    `last` is the last of its own: what that one had named, and nothing that the seat
    may have signed in an earlier life or at another table, can contradict it.
    """

    scope: bytes
    asker: int
    nonce: bytes
    held: int
    head: bytes
    seat: int
    own: int
    last: bytes

    @property
    def author(self) -> int:
        """Whose signature it bears."""
        return self.seat


Note = Question | Acknowledgement


def sign_note(identity: Identity, note: Note) -> Signed:
    """A note as it travels."""
    kind = _QUESTION if isinstance(note, Question) else _ACKNOWLEDGEMENT
    encoded = encode((kind, *note))
    return Signed(encoded, identity.sign(H("sc1.note", encoded)))


def read_note(signed: Signed) -> Note:
    """The note in `signed`, its signature not yet checked; raises `Malformed`."""
    value = decode(signed.encoded, _NOTE, size_max=NOTE_BYTES_MAX)
    kind, *said_in_it = cast("tuple[Any, ...]", value)
    return (Question if kind == _QUESTION else Acknowledgement)(*said_in_it)


def is_signed(signed: Signed, key: bytes) -> bool:
    """Whether the seat of that key signed this note."""
    return verify(key, H("sc1.note", signed.encoded), signed.signature)


def acknowledgements(entry: Entry) -> tuple[Acknowledgement, ...]:
    """Those in a `resumed` entry of checked shape; raises `Malformed`."""
    found = []
    for pair in said(entry, Resumed).acknowledgements:
        note = read_note(Signed(*pair))
        if not isinstance(note, Acknowledgement):
            raise Malformed
        found.append(note)
    return tuple(found)


def flaw(
    entry: Entry,
    chain: Sequence[Entry],
    start: bytes,
    keys: Sequence[bytes],
    scope: bytes,
) -> Reason | None:
    """What is wrong with a `resumed` entry of checked shape that follows `chain`.

    Its author must hold all that is acknowledged, by every other seat in order, to the
    nonce that it names; and no acknowledgement may be older than what the author had
    seen of that seat when it signed last, so that old ones serve no second time.
    `start` is what stands for the head of an empty chain, `scope` that of the terms.
    """
    nonce = said(entry, Resumed).nonce
    try:
        found = acknowledgements(entry)
    except Malformed:
        return Reason.MALFORMED
    others = [seat for seat in range(len(keys)) if seat != entry.seat]
    if [each.seat for each in found] != others:
        return Reason.MALFORMED
    pairs = said(entry, Resumed).acknowledgements
    for each, pair in zip(found, pairs, strict=True):
        if not is_signed(Signed(*pair), keys[each.seat]):
            return Reason.MALFORMED
        if (each.scope, each.asker, each.nonce) != (scope, entry.seat, nonce):
            return Reason.MALFORMED
        if not is_covered(each, chain, start):
            return Reason.OUT_OF_ORDER
    return None


def is_covered(note: Acknowledgement, chain: Sequence[Entry], start: bytes) -> bool:
    """Whether the asker, whose chain that is, holds all that is acknowledged.

    And whether the acknowledgement is no older than the chain itself.
    """
    if note.held > len(chain):
        return False
    head = chain[note.held - 1].id if note.held else start
    seen = chain[-1].seen[note.seat] if chain else 0
    return head == note.head and note.own >= seen


def scope_after(table: bytes, nonce: bytes) -> bytes:
    """The scope of what a seat signs after its `resumed` entry with that nonce.

    Another one than before, so that nothing it may have signed and forgotten can be
    held against it.
    """
    return H("sc1.resumed", table, nonce)[:SCOPE_BYTES]
