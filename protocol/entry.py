"""Entries: what a seat signs, one after another, and what ties them together.

An entry names its author's previous entry (`prev`), how many entries of every seat its
author had seen (`seen`; of its own, all before it) and a hash of those chains' last
entries (`heads`). So whoever signs twice with one number, or tells two stories, is
caught by its own signatures, and an entry is judged only in the view that it names
(F5). The id of an entry does not cover the signature (F15).
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import cast

from protocol.codec import (
    Anything,
    Bytes,
    Int,
    ListOf,
    Malformed,
    Value,
    decode,
    fields,
)
from protocol.crypto.hashing import H
from protocol.faults import Signed

WIRE_VERSION = 3
SEATS_MAX = 6
ENTRIES_MAX = 1 << 20
SCOPE_BYTES = 16


class Kind(IntEnum):
    """What an entry is about; the numbers are the wire's and are never used again."""

    TABLE = 0
    COIN = 1
    COMMIT = 2
    KEY = 3
    SHUFFLE = 4
    PROOF = 5
    READY = 6
    SHARES = 7
    ACT = 8
    SPOILED = 9
    REVEAL = 10
    VERDICT = 11
    VOID = 12
    REFUSE = 13
    ADJOURN = 14
    RESUMED = 15
    RESIGN = 16
    ACCEPT = 17


_ENVELOPE = fields(
    Int(WIRE_VERSION, WIRE_VERSION),
    Bytes(SCOPE_BYTES),
    Int(0, SEATS_MAX - 1),
    Int(0, ENTRIES_MAX),
    Bytes(32),
    ListOf(Int(0, ENTRIES_MAX), 2, SEATS_MAX),
    Bytes(32),
    Int(0, 63),
    Anything(),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One signed statement.

    `scope` ties it to its match: the table's own hash before the table id exists, the
    table id from number 2 on, and after a `resumed` one that follows from it.
    """

    scope: bytes
    seat: int
    seq: int
    prev: bytes
    seen: tuple[int, ...]
    heads: bytes
    kind: int
    body: Value
    id: bytes
    signed: Signed

    def covers(self, other: "Entry") -> bool:
        """Whether the author of this entry had seen `other` (or wrote it before)."""
        return self.seen[other.seat] > other.seq


def read_entry(signed: Signed) -> Entry:
    """The entry in `signed`, its signature not yet checked; raises `Malformed`."""
    value = decode(signed.encoded, _ENVELOPE)
    _, scope, seat, seq, prev, seen, heads, kind, body = cast(
        "tuple[int, bytes, int, int, bytes, tuple[int, ...], bytes, int, Value]", value
    )
    if seat >= len(seen):
        raise Malformed
    return Entry(
        scope,
        seat,
        seq,
        prev,
        seen,
        heads,
        kind,
        body,
        entry_id(signed),
        signed,
    )


def entry_id(signed: Signed) -> bytes:
    """The id of an entry; it does not cover the signature (F15)."""
    return H("sc1.entry", signed.encoded)


def signed_digest(encoded: bytes) -> bytes:
    """What an entry's signature is made over."""
    return H("sc1.log", encoded)
