"""What each kind of entry says: its fields in the order of the wire, and their shape.

Every body but the terms, the coin and `resumed` begins with the number of its deck;
who leaves, or hears of it, says no more than that.
Positions of `shares` follow from the plan and are not sent; no card is ever sent (D14).
"""

from typing import Any, NamedTuple, TypeVar, cast

from protocol.codec import (
    Anything,
    Bytes,
    Fields,
    Int,
    ListOf,
    Maybe,
    Shape,
    Value,
    fields,
)
from protocol.crypto.shuffle_proof import proof_bytes
from protocol.entry import SEATS_MAX, Entry, Kind

DECKS_MAX = 4096
ROUNDS_MAX = 64
PLAYS_MAX = 1 << 12
EVIDENCE_MAX = 2
NOTE_BYTES_MAX = 160
RESUMES_MAX = 1024
"""How often a seat can come back in one match, so that its chain has an end."""

_NUMBER = Int(0, DECKS_MAX - 1)
_PLAYS = Int(0, PLAYS_MAX)
_POINT = Bytes(32)
_PROOF = Bytes(64)
_NOTE = fields(Bytes(0, NOTE_BYTES_MAX), Bytes(64))


class Coin(NamedTuple):
    """The value a seat had committed to."""

    coin: bytes


class Commit(NamedTuple):
    """The commitment to a seed."""

    deck: int
    commitment: bytes


class Key(NamedTuple):
    """A seat's key for one deck and the proof that it knows the secret."""

    deck: int
    key: bytes
    proof: bytes


class Shuffle(NamedTuple):
    """A deck permuted and masked anew, with the ids of what it was made from (F5)."""

    deck: int
    keys: tuple[bytes, ...]
    before: bytes | None
    pairs: bytes


class Proof(NamedTuple):
    """The proof of a shuffle, with the id of that shuffle."""

    deck: int
    shuffle: bytes
    proof: bytes


class Ready(NamedTuple):
    """What the deck is for, hashed."""

    deck: int
    plan: bytes


class Shares(NamedTuple):
    """A seat's shares of one round, in the order of the positions that it owes."""

    deck: int
    round: int
    parts: tuple[bytes, ...]
    proof: bytes


class Act(NamedTuple):
    """Own positions opened, and what the seat says with them.

    `parts` are the last shares of those that were still hidden; with none there is no
    proof. `state` is the digest of the game before the act.
    """

    deck: int
    positions: tuple[int, ...]
    parts: tuple[bytes, ...]
    proof: bytes | None
    statement: Value
    state: bytes


class Spoiled(NamedTuple):
    """Own positions opened to show that they hold no card, or one seen already."""

    deck: int
    positions: tuple[int, ...]
    parts: tuple[bytes, ...]
    proof: bytes


class Reveal(NamedTuple):
    """The seed behind a deck; before its end, with the ids of what proves a fault."""

    deck: int
    seed: bytes
    evidence: tuple[bytes, ...]


class Verdict(NamedTuple):
    """The game as it ended, and the seats whose part the replay found false."""

    deck: int
    state: bytes
    blamed: tuple[int, ...]


class Void(NamedTuple):
    """This deal, after so many plays and in this state, is not to count."""

    deck: int
    plays: int
    state: bytes


class Refuse(NamedTuple):
    """It is to count, whoever called it void after so many plays."""

    deck: int
    plays: int


class Resumed(NamedTuple):
    """A seat has come back: the nonce of its question, and what all others answered.

    The answers are signed notes, in the order of the seats.
    """

    nonce: bytes
    acknowledgements: tuple[tuple[bytes, bytes], ...]


Body = TypeVar(
    "Body",
    Coin,
    Commit,
    Key,
    Shuffle,
    Proof,
    Ready,
    Shares,
    Act,
    Spoiled,
    Reveal,
    Verdict,
    Void,
    Refuse,
    Resumed,
)


def said(entry: Entry, kind: type[Body]) -> Body:
    """The body of an entry whose shape has been checked."""
    return kind(*cast("tuple[Any, ...]", entry.body))


def deck_number(entry: Entry) -> int:
    """The deck that an entry of checked shape is about."""
    return cast("tuple[int]", entry.body)[0]


def shapes(seats: int, positions: int) -> dict[int, Shape]:
    """The closed shape of every kind's body at a table of this size.

    The terms have a reader of their own (`protocol.roster`); any other kind is refused.
    """
    where = ListOf(Int(0, positions - 1), 0, positions)
    parts = ListOf(_POINT, 0, positions)
    some_parts = ListOf(_POINT, 1, positions)
    bodies: dict[int, Fields] = {
        Kind.COIN: fields(Bytes(32)),
        Kind.COMMIT: fields(_NUMBER, Bytes(32)),
        Kind.KEY: fields(_NUMBER, _POINT, _PROOF),
        Kind.SHUFFLE: fields(
            _NUMBER,
            ListOf(Bytes(32), seats, seats),
            Maybe(Bytes(32)),
            Bytes(64 * positions),
        ),
        Kind.PROOF: fields(_NUMBER, Bytes(32), Bytes(proof_bytes(positions))),
        Kind.READY: fields(_NUMBER, Bytes(32)),
        Kind.SHARES: fields(_NUMBER, Int(0, ROUNDS_MAX - 1), some_parts, _PROOF),
        Kind.ACT: fields(_NUMBER, where, parts, Maybe(_PROOF), Anything(), Bytes(16)),
        Kind.SPOILED: fields(_NUMBER, where, some_parts, _PROOF),
        Kind.REVEAL: fields(_NUMBER, Bytes(32), ListOf(Bytes(32), 0, EVIDENCE_MAX)),
        Kind.VERDICT: fields(
            _NUMBER, Bytes(16), ListOf(Int(0, SEATS_MAX - 1), 0, SEATS_MAX)
        ),
        Kind.VOID: fields(_NUMBER, _PLAYS, Bytes(16)),
        Kind.REFUSE: fields(_NUMBER, _PLAYS),
        Kind.RESUMED: resumed_shape(seats),
        **dict.fromkeys((Kind.ADJOURN, Kind.RESIGN, Kind.ACCEPT), fields()),
    }
    return {Kind.TABLE: Anything(), **bodies}


def resumed_shape(seats: int) -> Fields:
    """The shape of `resumed`: every other seat has answered."""
    return fields(Bytes(32), ListOf(_NOTE, seats - 1, seats - 1))
