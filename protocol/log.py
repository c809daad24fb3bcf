"""One seat's chain of entries, and the chains of all seats of a match.

Only checked entries stand in a chain. A seat that has come back signs under another
scope from then on, so that nothing that it has forgotten can meet what it signs now.
"""

from collections.abc import Iterator, Sequence

from protocol.codec import Value, encode
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity
from protocol.entry import (
    WIRE_VERSION,
    Entry,
    Kind,
    entry_id,
    read_entry,
    signed_digest,
)
from protocol.faults import LocalProtocolError, Signed


class Log:
    """One seat's chain: unbroken, checked, and closed by its first faulty entry."""

    def __init__(self, start: bytes) -> None:
        self.start = start
        self.entries: list[Entry] = []
        self.evidence: tuple[Signed, ...] = ()
        # Beside the evidence: what proves a fork together with the next such entry.
        self.beside: list[Entry] = []
        # With which the seat has come back.
        self.nonces: set[bytes] = set()
        self._scopes: list[tuple[int, bytes]] = []

    @property
    def closed(self) -> bool:
        """Whether a fault has ended this chain."""
        return bool(self.evidence)

    def head(self, count: int) -> bytes:
        """The id of the last of the first `count` entries."""
        return self.entries[count - 1].id if count else self.start

    def renew(self, scope: bytes) -> None:
        """What is signed from here on has another scope."""
        self._scopes.append((len(self.entries), scope))

    def scope(self, seq: int) -> bytes | None:
        """The scope of entry number `seq`, if it is not that of the match."""
        for first, scope in reversed(self._scopes):
            if first <= seq:
                return scope
        return None


class Chains:
    """The chains of all seats, as far as they stand, and the views of them."""

    def __init__(self, keys: Sequence[bytes], nonce: bytes, table_scope: bytes) -> None:
        self.keys = tuple(keys)
        self.nonce = nonce
        self.logs = tuple(Log(nonce) for _ in keys)
        self.table_scope = table_scope
        self._table_id: bytes | None = None

    @property
    def table_id(self) -> bytes | None:
        """The scope of all entries but the first two, once the coin has fallen."""
        return self._table_id

    def scope(self, seat: int, seq: int) -> bytes | None:
        """The scope that entry `seq` of `seat` must have; None while it is unknown."""
        if seq < 2:
            return self.table_scope
        return self.logs[seat].scope(seq) or self.table_id

    def counts(self) -> tuple[int, ...]:
        """How many checked entries of every seat there are."""
        return tuple(len(log.entries) for log in self.logs)

    def heads(self, counts: Sequence[int]) -> bytes:
        """The hash of the last entries in the view `counts`."""
        ids = (log.head(count) for log, count in zip(self.logs, counts, strict=True))
        return H("sc1.heads", *ids)

    def write(
        self,
        identity: Identity,
        seat: int,
        kind: Kind,
        body: Value,
        seen: tuple[int, ...] | None = None,
    ) -> Entry:
        """The next entry of `seat`, signed in the present view; not yet added.

        Or in the view `seen`, if less than all that is here is to be named.
        """
        seq = len(self.logs[seat].entries)
        scope = self.scope(seat, seq)
        if scope is None:
            raise LocalProtocolError
        seen = seen or self.counts()
        prev, heads = self.logs[seat].head(seq), self.heads(seen)
        encoded = encode(
            (WIRE_VERSION, scope, seat, seq, prev, seen, heads, int(kind), body)
        )
        signed = Signed(encoded, identity.sign(signed_digest(encoded)))
        return Entry(
            scope,
            seat,
            seq,
            prev,
            seen,
            heads,
            int(kind),
            body,
            entry_id(signed),
            signed,
        )

    def here(self, entry: Entry) -> bool:
        """Whether as many entries of every seat are here as the author had seen."""
        pairs = zip(entry.seen, self.counts(), strict=True)
        return all(seen <= count for seen, count in pairs)

    def causal(self, entry: Entry) -> bool:
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

    def view(self, entry: Entry) -> tuple[Entry, ...] | None:
        """All that an entry names, if it is here; None if not, or not yet."""
        if not self.here(entry) or entry.heads != self.heads(entry.seen):
            return None
        pairs = zip(self.logs, entry.seen, strict=True)
        return tuple(one for log, count in pairs for one in log.entries[:count])

    def signed(self, seat: int) -> tuple[Signed, ...]:
        """The chain of `seat` as it travelled, and after it what proves its fault."""
        log = self.logs[seat]
        chain = tuple(entry.signed for entry in log.entries)
        beside = (s for s in log.evidence if s not in chain)
        return chain + tuple(s for s in beside if read_entry(s).seat == seat)


def in_causal_order(signed: Sequence[Entry | None], seats: int) -> Iterator[Entry]:
    """The entries, each after all that it names; last what names others not there.

    So the judge need not hold back a whole chain, of which it keeps only so much.
    """
    queues: list[list[Entry]] = [[] for _ in range(seats)]
    for entry in signed:
        if entry is not None:
            queues[entry.seat].append(entry)
    given = [0] * seats
    moved = True
    while moved:
        moved = False
        for seat, queue in enumerate(queues):
            while given[seat] < len(queue) and all(
                wanted <= count
                for wanted, count in zip(queue[given[seat]].seen, given, strict=True)
            ):
                yield queue[given[seat]]
                given[seat] += 1
                moved = True
    for seat, queue in enumerate(queues):
        yield from queue[given[seat] :]


def forgets(entry: Entry, before: Sequence[int]) -> bool:
    """Whether an entry has seen less of any seat than a view before it."""
    return any(now < then for now, then in zip(entry.seen, before, strict=False))
