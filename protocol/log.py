"""Entries, one seat's chain of them, and all chains of a match.

An entry names its author's previous entry (`prev`), how many entries of every seat its
author had seen (`seen`; of its own, all before it) and a hash of those chains' last
entries (`heads`). So whoever signs twice with one number, or tells two stories, is
caught by its own signatures, and an entry is judged only in the view that it names
(F5). The id of an entry does not cover the signature (F15).
"""

from collections.abc import Sequence
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
    encode,
    fields,
)
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity, verify
from protocol.faults import (
    Blame,
    Fault,
    LinkFault,
    LocalProtocolError,
    Reason,
    Signed,
)

WIRE_VERSION = 1
SEATS_MAX = 6
ENTRIES_MAX = 1 << 20
HELD_MAX = 512
SCOPE_BYTES = 16


class Kind(IntEnum):
    """What an entry is about; the numbers are the wire's and are never used again."""

    TABLE = 0
    COIN = 1
    COMMIT = 2
    KEY = 3
    SHUFFLE = 4
    # 5 is the shuffle's proof; wire version 1 sends none (D16).
    READY = 6
    SHARES = 7
    ACT = 8
    SPOILED = 9
    REVEAL = 10
    VERDICT = 11


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
    table id from number 2 on.
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
        H("sc1.entry", signed.encoded),
        signed,
    )


def signed_digest(encoded: bytes) -> bytes:
    """What an entry's signature is made over."""
    return H("sc1.log", encoded)


class Log:
    """One seat's chain: unbroken, checked, and closed by its first faulty entry."""

    def __init__(self, start: bytes) -> None:
        self._start = start
        self.entries: list[Entry] = []
        self.evidence: tuple[Signed, ...] = ()

    @property
    def closed(self) -> bool:
        """Whether a fault has ended this chain."""
        return bool(self.evidence)

    def head(self, count: int) -> bytes:
        """The id of the last of the first `count` entries."""
        return self.entries[count - 1].id if count else self._start


class Record:
    """All chains of a match.

    Only checked entries are in it; the others are held until what they name is here.
    """

    def __init__(self, keys: Sequence[bytes], nonce: bytes, table_scope: bytes) -> None:
        self.keys = tuple(keys)
        self.nonce = nonce
        self.logs = tuple(Log(nonce) for _ in keys)
        self._table_scope = table_scope
        self.table_id: bytes | None = None
        self._held: tuple[dict[int, Entry], ...] = tuple({} for _ in keys)

    def counts(self) -> tuple[int, ...]:
        """How many checked entries of every seat there are."""
        return tuple(len(log.entries) for log in self.logs)

    def heads(self, counts: Sequence[int]) -> bytes:
        """The hash of the last entries in the view `counts`."""
        ids = (log.head(count) for log, count in zip(self.logs, counts, strict=True))
        return H("sc1.heads", *ids)

    def write(self, identity: Identity, seat: int, kind: Kind, body: Value) -> Entry:
        """The next entry of `seat`, signed in the present view; not yet added."""
        seq = len(self.logs[seat].entries)
        scope = self.scope(seq)
        if scope is None:
            raise LocalProtocolError
        seen = self.counts()
        encoded = encode(
            (
                WIRE_VERSION,
                scope,
                seat,
                seq,
                self.logs[seat].head(seq),
                seen,
                self.heads(seen),
                int(kind),
                body,
            )
        )
        signature = identity.sign(signed_digest(encoded))
        return read_entry(Signed(encoded, signature))

    def scope(self, seq: int) -> bytes | None:
        """The scope that entry number `seq` must have; None while it is unknown."""
        return self._table_scope if seq < 2 else self.table_id

    def offer(self, signed: Signed) -> Fault | LinkFault | None:
        """Take a foreign entry in, or say what is wrong with it.

        It is held until `ready` gives it out; one already known is taken in silence.
        """
        try:
            entry = read_entry(signed)
        except Malformed:
            return LinkFault("an entry that is not one")
        if self._holds_already(entry):
            return None
        fault = self._stranger(entry)
        if fault is not None:
            return fault
        log = self.logs[entry.seat]
        if log.closed:
            return None
        if entry.seq < len(log.entries):
            known = log.entries[entry.seq]
            return None if known.id == entry.id else _fork(known, entry)
        held = self._held[entry.seat]
        rival = held.setdefault(entry.seq, entry)
        if rival.id != entry.id:
            return _fork(rival, entry)
        if len(held) > HELD_MAX:
            del held[max(held)]
        return None

    def _holds_already(self, entry: Entry) -> bool:
        """Whether these bytes are here, so that no signature needs checking."""
        if entry.seat >= len(self.logs):
            return False
        chain = self.logs[entry.seat].entries
        if entry.seq < len(chain):
            return chain[entry.seq].id == entry.id
        held = self._held[entry.seat].get(entry.seq)
        return held is not None and held.id == entry.id

    def _stranger(self, entry: Entry) -> LinkFault | None:
        """Why an entry does not belong to this record at all."""
        if entry.seat >= len(self.keys) or len(entry.seen) != len(self.keys):
            return LinkFault("an entry of a seat that is not at this table")
        scope = self.scope(entry.seq)
        if scope is not None and entry.scope != scope:
            return LinkFault("an entry of another match")
        digest = signed_digest(entry.signed.encoded)
        if not verify(self.keys[entry.seat], digest, entry.signed.signature):
            return LinkFault("an entry that its author did not sign")
        return None

    def ready(self, seat: int) -> Entry | Fault | None:
        """The next entry of `seat` once all that it names is here; None while it waits.

        Or the fault that its own fields prove.
        """
        log = self.logs[seat]
        seq = len(log.entries)
        entry = self._held[seat].get(seq)
        if entry is None or log.closed:
            return None
        scope = self.scope(seq)
        if scope is None:
            return None
        if entry.scope != scope:
            del self._held[seat][seq]
            return None
        if entry.prev != log.head(seq):
            previous = (log.entries[-1].signed,) if log.entries else ()
            return Fault(
                seat, Blame.FORK, Reason.BROKEN_CHAIN, (*previous, entry.signed)
            )
        if entry.seen[seat] != seq or (log.entries and _forgets(entry, log)):
            return Fault(seat, Blame.CHEAT, Reason.SHRINKING_VIEW, (entry.signed,))
        if any(
            wanted > have
            for wanted, have in zip(entry.seen, self.counts(), strict=True)
        ):
            return None
        return entry if entry.heads == self.heads(entry.seen) else None

    def disputed(self) -> tuple[int, ...]:
        """Seats whose next entry names other chains than the ones held here."""
        counts = self.counts()
        found = []
        for seat, held in enumerate(self._held):
            entry = held.get(counts[seat])
            if entry is None or self.logs[seat].closed:
                continue
            covered = all(s <= c for s, c in zip(entry.seen, counts, strict=True))
            if covered and entry.heads != self.heads(entry.seen):
                found.append(seat)
        return tuple(found)

    def holds(self, seat: int) -> bool:
        """Whether entries of `seat` are held that cannot be judged yet."""
        return bool(self._held[seat]) and not self.logs[seat].closed

    def waiting(self) -> bool:
        """Whether entries of any seat are held that cannot be judged yet."""
        return any(self.holds(seat) for seat in range(len(self.logs)))

    def add(self, entry: Entry) -> None:
        """Append a checked entry to its author's chain."""
        log = self.logs[entry.seat]
        if log.closed or entry.seq != len(log.entries):
            raise LocalProtocolError
        self._held[entry.seat].pop(entry.seq, None)
        log.entries.append(entry)

    def close(self, fault: Fault) -> None:
        """End a chain: what the seat signs from now on is not looked at."""
        log = self.logs[fault.seat]
        if not log.closed:
            log.evidence = fault.evidence
            self._held[fault.seat].clear()

    def signed(self, seat: int) -> tuple[Signed, ...]:
        """The chain of `seat` as it travelled, and after it what proves its fault."""
        log = self.logs[seat]
        chain = tuple(entry.signed for entry in log.entries)
        return chain + tuple(s for s in log.evidence if s not in chain)


def _forgets(entry: Entry, log: Log) -> bool:
    last = log.entries[-1]
    return any(now < then for now, then in zip(entry.seen, last.seen, strict=True))


def _fork(first: Entry, second: Entry) -> Fault:
    # The same two entries are the same proof, whichever came first.
    pair = tuple(sorted((first.signed, second.signed)))
    return Fault(first.seat, Blame.FORK, Reason.FORKED, pair)
