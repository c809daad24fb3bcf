"""One seat's chain of entries, and all chains of a match.

Only checked entries stand in a chain; others are held until what they name is here.
"""

from collections.abc import Sequence

from protocol.codec import Malformed, Value, encode
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity, verify
from protocol.entry import (
    WIRE_VERSION,
    Entry,
    Kind,
    entry_id,
    read_entry,
    signed_digest,
)
from protocol.faults import (
    Blame,
    Fault,
    LinkFault,
    LocalProtocolError,
    Reason,
    Signed,
)

HELD_MAX = 512


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


class Held:
    """Entries of one seat that cannot be judged yet.

    They are kept by number and scope: before the table id is known nobody can tell an
    entry of this match from one of an older match between the same players. Of each, a
    second one with other bytes is kept too, since the two prove a fork.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[int, bytes], list[Entry]] = {}
        self.dropped = False

    def __len__(self) -> int:
        return len(self._entries)

    def at(self, seq: int, scope: bytes) -> tuple[Entry, ...]:
        """The entries held with this number and scope: none, one, or two rivals."""
        return tuple(self._entries.get((seq, scope), ()))

    def keep(self, entry: Entry) -> None:
        """Hold an entry that is not held yet; the farthest go if there are too many."""
        rivals = self._entries.setdefault((entry.seq, entry.scope), [])
        if len(rivals) < 2:
            rivals.append(entry)
        if len(self._entries) > HELD_MAX:
            del self._entries[max(self._entries)]
            self.dropped = True

    def forget(self, seq: int) -> None:
        """Let go of what was held with this number."""
        for key in [key for key in self._entries if key[0] == seq]:
            del self._entries[key]

    def forget_others(self, scope: bytes) -> None:
        """Let go of what has another scope than the match turned out to have."""
        for key in [key for key in self._entries if key[0] > 1 and key[1] != scope]:
            del self._entries[key]

    def rivals(self) -> tuple[Entry, Entry] | None:
        """Two entries with one number and scope, if there are any."""
        for entries in self._entries.values():
            if len(entries) == 2:
                return entries[0], entries[1]
        return None


class Record:
    """All chains of a match.

    Only checked entries are in it; the others are held until what they name is here.
    """

    def __init__(self, keys: Sequence[bytes], nonce: bytes, table_scope: bytes) -> None:
        self.keys = tuple(keys)
        self.nonce = nonce
        self.logs = tuple(Log(nonce) for _ in keys)
        # Ids of what has proven a fault: to be taken in silence when it comes again.
        self._known_false: set[bytes] = set()
        self._table_scope = table_scope
        self._table_id: bytes | None = None
        self._held = [Held() for _ in keys]

    @property
    def table_id(self) -> bytes | None:
        """The scope of all entries but the first two, once the coin has fallen."""
        return self._table_id

    @table_id.setter
    def table_id(self, table: bytes | None) -> None:
        if table is not None and self._table_id is None:
            self._table_id = table
            for held in self._held:
                held.forget_others(table)

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
        if entry.seq < len(log.entries):
            return _fork(log.entries[entry.seq], entry)
        if log.closed:
            return self._beside(entry)
        held = self._held[entry.seat]
        held.keep(entry)
        rivals = held.at(entry.seq, entry.scope)
        known = entry.scope == self.scope(entry.seq)
        return _fork(*rivals) if known and len(rivals) == 2 else None

    def forked(self, first: Signed, second: Signed) -> Fault | None:
        """The fork that two entries prove by themselves, whatever else is held."""
        try:
            pair = read_entry(first), read_entry(second)
        except Malformed:
            return None
        places = {(entry.seat, entry.seq, entry.scope) for entry in pair}
        if len(places) > 1 or pair[0].id == pair[1].id:
            return None
        if pair[0].scope != self.scope(pair[0].seq):
            return None
        if any(self._stranger(entry) is not None for entry in pair):
            return None
        return _fork(*pair)

    def _beside(self, entry: Entry) -> Fault | None:
        """An entry of a closed chain: it never stands, but may prove a fork."""
        for signed in self.logs[entry.seat].evidence:
            other = read_entry(signed)
            if (other.seq, other.scope) == (entry.seq, entry.scope):
                return _fork(other, entry)
        return None

    def _holds_already(self, entry: Entry) -> bool:
        """Whether these bytes are here, so that no signature needs checking."""
        if entry.seat >= len(self.logs):
            return False
        log = self.logs[entry.seat]
        if entry.seq < len(log.entries) and log.entries[entry.seq].id == entry.id:
            return True
        held = self._held[entry.seat].at(entry.seq, entry.scope)
        return entry.id in self._known_false or any(one.id == entry.id for one in held)

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
        log, held = self.logs[seat], self._held[seat]
        seq = len(log.entries)
        scope = self.scope(seq)
        if scope is None or log.closed:
            return None
        rivals = held.rivals()
        if rivals is not None and rivals[0].scope == self.scope(rivals[0].seq):
            return _fork(*rivals)
        for entry in held.at(seq, scope):
            if entry.prev != log.head(seq):
                previous = (log.entries[-1].signed,) if log.entries else ()
                evidence = (*previous, entry.signed)
                return Fault(seat, Blame.FORK, Reason.BROKEN_CHAIN, evidence)
            if entry.seen[seat] != seq or (log.entries and _forgets(entry, log)):
                return _shrinking(entry)
            if not self._here(entry) or entry.heads != self.heads(entry.seen):
                return None
            return entry if self._causal(entry) else _shrinking(entry)
        return None

    def _here(self, entry: Entry) -> bool:
        """Whether as many entries of every seat are here as the author had seen."""
        pairs = zip(entry.seen, self.counts(), strict=True)
        return all(seen <= count for seen, count in pairs)

    def _causal(self, entry: Entry) -> bool:
        """Whether the author had also seen what those had seen whom it names."""
        last = (
            log.entries[count - 1]
            for log, count in zip(self.logs, entry.seen, strict=True)
            if count
        )
        return all(
            then <= now
            for named in last
            for now, then in zip(entry.seen, named.seen, strict=True)
        )

    def disputed(self) -> tuple[Entry, ...]:
        """The next entries of seats that name other chains than the ones held here."""
        found = []
        for seat, log in enumerate(self.logs):
            seq = len(log.entries)
            scope = self.scope(seq)
            if log.closed or scope is None:
                continue
            for entry in self._held[seat].at(seq, scope):
                if self._here(entry) and entry.heads != self.heads(entry.seen):
                    found.append(entry)
        return tuple(found)

    def lacking(self) -> bool:
        """Whether entries were let go that there is room for again; asked once."""
        room = [h for h in self._held if h.dropped and len(h) < HELD_MAX // 2]
        for held in room:
            held.dropped = False
        return bool(room)

    def holds(self, seat: int) -> bool:
        """Whether entries of `seat` are held that cannot be judged yet."""
        return len(self._held[seat]) > 0 and not self.logs[seat].closed

    def waiting(self) -> bool:
        """Whether entries of any seat are held that cannot be judged yet."""
        return any(self.holds(seat) for seat in range(len(self.logs)))

    def add(self, entry: Entry) -> None:
        """Append a checked entry to its author's chain."""
        log = self.logs[entry.seat]
        if log.closed or entry.seq != len(log.entries):
            raise LocalProtocolError
        self._held[entry.seat].forget(entry.seq)
        log.entries.append(entry)

    def close(self, fault: Fault) -> None:
        """End a chain: what the seat signs from now on is not looked at."""
        log = self.logs[fault.seat]
        if not log.closed:
            log.evidence = fault.evidence
            self._held[fault.seat] = Held()
        self._known_false |= {entry_id(signed) for signed in fault.evidence}

    def signed(self, seat: int) -> tuple[Signed, ...]:
        """The chain of `seat` as it travelled, and after it what proves its fault."""
        log = self.logs[seat]
        chain = tuple(entry.signed for entry in log.entries)
        return chain + tuple(s for s in log.evidence if s not in chain)


def _forgets(entry: Entry, log: Log) -> bool:
    last = log.entries[-1]
    return any(now < then for now, then in zip(entry.seen, last.seen, strict=True))


def _shrinking(entry: Entry) -> Fault:
    return Fault(entry.seat, Blame.CHEAT, Reason.SHRINKING_VIEW, (entry.signed,))


def _fork(first: Entry, second: Entry) -> Fault:
    # The same two entries are the same proof, whichever came first.
    pair = tuple(sorted((first.signed, second.signed)))
    return Fault(first.seat, Blame.FORK, Reason.FORKED, pair)
