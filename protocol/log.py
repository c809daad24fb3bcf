"""One seat's chain of entries, and all chains of a match.

Only checked entries stand in a chain; others are held until what they name is here.
Two different entries of a seat with one number prove a fork, unless one of them says
that the seat has come back from an old copy of its match and cannot know better (F11).
After such an entry the seat signs under another scope, so that nothing else that it
has forgotten can meet what it signs now.
"""

from collections.abc import Iterator, Sequence

from protocol.bodies import RESUMES_MAX, Resumed, resumed_shape, said
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
from protocol.notes import flaw, scope_after

HELD_MAX = 512
PAIRS_MAX = 8


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


class Held:
    """Entries of one seat that cannot be judged yet.

    They are kept by number and scope: before the table id is known nobody can tell an
    entry of this match from one of an older match between the same players. Of each, a
    second one with other bytes is kept too, since the two prove a fork.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[int, bytes], list[Entry]] = {}
        self.dropped = False
        # Whether something came whose scope may yet turn out to be one of this match.
        self.strange = False

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

    def drop(self, entry: Entry) -> None:
        """Let go of one entry."""
        place = (entry.seq, entry.scope)
        left = [one for one in self.at(*place) if one.id != entry.id]
        if left:
            self._entries[place] = left
        else:
            self._entries.pop(place, None)

    def forget(self, seq: int) -> None:
        """Let go of what was held with this number."""
        for key in [key for key in self._entries if key[0] == seq]:
            del self._entries[key]

    def forget_others(self, scope: bytes, first: int) -> None:
        """Let go of what, from number `first` on, turns out to have another scope."""
        for key in [k for k in self._entries if k[0] >= first and k[1] != scope]:
            del self._entries[key]
            self.strange = True

    def rivals(self) -> Iterator[tuple[Entry, Entry]]:
        """Each two entries with one number and scope."""
        for entries in self._entries.values():
            if len(entries) == 2:
                yield entries[0], entries[1]


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
        self.table_scope = table_scope
        self._table_id: bytes | None = None
        self._held = [Held() for _ in keys]
        # Two entries with one number whose scope is not known to be one of this match.
        self._pairs: list[list[tuple[Entry, Entry]]] = [[] for _ in keys]
        self._resumed = resumed_shape(len(keys))

    @property
    def table_id(self) -> bytes | None:
        """The scope of all entries but the first two, once the coin has fallen."""
        return self._table_id

    @table_id.setter
    def table_id(self, table: bytes | None) -> None:
        if table is not None and self._table_id is None:
            self._table_id = table
            for held in self._held:
                held.forget_others(table, 2)

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

    def scope(self, seat: int, seq: int) -> bytes | None:
        """The scope that entry `seq` of `seat` must have; None while it is unknown."""
        if seq < 2:
            return self.table_scope
        return self.logs[seat].scope(seq) or self.table_id

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
        log, held = self.logs[entry.seat], self._held[entry.seat]
        if self._is_strange(entry):
            held.strange = True
            return None
        if entry.seq < len(log.entries) or log.closed:
            return self._beside(entry)
        held.keep(entry)
        rivals = held.at(entry.seq, entry.scope)
        return self._rivals(*rivals) if len(rivals) == 2 else None

    def forked(self, first: Signed, second: Signed) -> Fault | None:
        """The fork that two entries prove by themselves, whatever else is held."""
        try:
            pair = read_entry(first), read_entry(second)
        except Malformed:
            return None
        places = {(entry.seat, entry.seq, entry.scope) for entry in pair}
        if len(places) > 1 or pair[0].id == pair[1].id:
            return None
        if any(self._stranger(entry) is not None for entry in pair):
            return None
        proven = self._rivals(*pair)
        pairs = self._pairs[pair[0].seat]
        if proven is None and pair not in pairs and len(pairs) < PAIRS_MAX:
            pairs.append(pair)
        return proven

    def forked_beyond(self, seat: int) -> Iterator[Fault]:
        """The forks that show now that it is known that `seat` has come back."""
        for pair in tuple(self._pairs[seat]):
            proven = self._rivals(*pair)
            if proven is not None:
                self._pairs[seat].remove(pair)
                yield proven

    def _rivals(self, first: Entry, second: Entry) -> Fault | None:
        """What two entries with one number and scope prove, if that is certain yet."""
        if first.scope != self.scope(first.seat, first.seq):
            return None
        short = len(self.logs[first.seat].entries) < first.seq
        if short and Kind.RESUMED in {first.kind, second.kind}:
            # Whether that one may stand shows only at the end of the chain before it.
            return None
        return self._two(first, second)

    def _two(self, first: Entry, second: Entry) -> Fault:
        """A fork, unless one of the two is a coming back that may stand."""
        # The same two entries are the same proof, whichever came first.
        pair = tuple(sorted((first.signed, second.signed)))
        both = (first, second)
        if all(map(self._follows, both)) and any(map(self._may_resume, both)):
            return Fault(first.seat, Blame.RESTORED, Reason.CAME_BACK, pair)
        return Fault(first.seat, Blame.FORK, Reason.FORKED, pair)

    def _may_resume(self, entry: Entry) -> bool:
        return entry.kind == Kind.RESUMED and self.flaw(entry) is None

    def _follows(self, entry: Entry) -> bool:
        """Whether an entry may stand after those before it, as far as it shows itself.

        What an honest seat has forgotten does so, as well as its coming back.
        """
        log = self.logs[entry.seat]
        if entry.seq > len(log.entries):
            return False
        before = log.entries[entry.seq - 1].seen if entry.seq else ()
        if entry.prev != log.head(entry.seq) or entry.seen[entry.seat] != entry.seq:
            return False
        return not _forgets(entry, before)

    def flaw(self, entry: Entry) -> Reason | None:
        """What is wrong with a `resumed` entry that follows what is here."""
        try:
            self._resumed.check(entry.body)
        except Malformed:
            return Reason.MALFORMED
        log = self.logs[entry.seat]
        chain = log.entries[: entry.seq]
        if sum(one.kind == Kind.RESUMED for one in chain) >= RESUMES_MAX:
            return Reason.MALFORMED
        return flaw(entry, chain, log.start, self.keys, self.table_scope)

    def _beside(self, entry: Entry) -> Fault | None:
        """An entry that never can stand, but may prove a fork.

        With one that came back it proves none yet: the next may be a third.
        """
        log = self.logs[entry.seat]
        standing = log.entries[entry.seq :][:1]
        known = [*standing, *map(read_entry, log.evidence), *log.beside]
        place = (entry.seat, entry.seq, entry.scope)
        rivals = [one for one in known if (one.seat, one.seq, one.scope) == place]
        found = [self._two(other, entry) for other in rivals]
        for fault in found:
            if fault.blames:
                return fault
        if found and entry.kind != Kind.RESUMED:
            log.beside.append(entry)
        return found[0] if found else None

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
        if entry.seq < 2 and entry.scope != self.table_scope:
            return LinkFault("an entry of another match")
        digest = signed_digest(entry.signed.encoded)
        if not verify(self.keys[entry.seat], digest, entry.signed.signature):
            return LinkFault("an entry that its author did not sign")
        return None

    def _is_strange(self, entry: Entry) -> bool:
        """Whether an entry is of another match, or of a chain that is not known here.

        A seat that has come back signs under another scope; which, says the entry by
        which it came back.
        """
        scope = self.scope(entry.seat, entry.seq)
        return scope is not None and entry.scope != scope

    def ready(self, seat: int) -> Entry | Fault | None:
        """The next entry of `seat` once all that it names is here; None while it waits.

        Or the fault that its own fields prove.
        """
        log, held = self.logs[seat], self._held[seat]
        seq = len(log.entries)
        scope = self.scope(seat, seq)
        if scope is None or log.closed:
            return None
        for rivals in held.rivals():
            proven = self._rivals(*rivals)
            if proven is not None:
                return proven
        for entry in held.at(seq, scope):
            if entry.prev != log.head(seq):
                previous = (log.entries[-1].signed,) if log.entries else ()
                evidence = (*previous, entry.signed)
                return Fault(seat, Blame.FORK, Reason.BROKEN_CHAIN, evidence)
            if entry.seen[seat] != seq or _forgets(
                entry, log.entries[-1].seen if log.entries else ()
            ):
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
            scope = self.scope(seat, seq)
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

    def at(self, seat: int, seq: int) -> tuple[Entry, ...]:
        """The entries of a seat with this number that are here, judged or not."""
        log = self.logs[seat]
        if seq < len(log.entries):
            return (log.entries[seq],)
        scope = self.scope(seat, seq)
        return () if scope is None else self._held[seat].at(seq, scope)

    def view(self, entry: Entry) -> tuple[Entry, ...] | None:
        """All that an entry names, if it is here; None if not, or not yet."""
        if not self._here(entry) or entry.heads != self.heads(entry.seen):
            return None
        pairs = zip(self.logs, entry.seen, strict=True)
        return tuple(one for log, count in pairs for one in log.entries[:count])

    def holds(self, seat: int) -> bool:
        """Whether the next entry of `seat` is held and cannot be judged yet.

        Others beyond one that is not here may follow what is lost for ever.
        """
        log = self.logs[seat]
        scope = self.scope(seat, len(log.entries))
        if log.closed or scope is None:
            return False
        return bool(self._held[seat].at(len(log.entries), scope))

    def waiting(self) -> bool:
        """Whether entries of any seat are held that cannot be judged yet."""
        pairs = zip(self.logs, self._held, strict=True)
        return any(len(held) > 0 and not log.closed for log, held in pairs)

    def add(self, entry: Entry) -> None:
        """Append a checked entry to its author's chain."""
        log = self.logs[entry.seat]
        if log.closed or entry.seq != len(log.entries):
            raise LocalProtocolError
        held = self._held[entry.seat]
        held.forget(entry.seq)
        log.entries.append(entry)
        if entry.kind == Kind.RESUMED and self._table_id is not None:
            nonce = said(entry, Resumed).nonce
            scope = scope_after(self._table_id, nonce)
            log.renew(scope)
            log.nonces.add(nonce)
            held.forget_others(scope, len(log.entries))
            held.dropped |= held.strange
            held.strange = False

    def set_aside(self, fault: Fault) -> None:
        """Let go of what two entries prove: one of them, which does not stand."""
        log, held = self.logs[fault.seat], self._held[fault.seat]
        pair = [read_entry(signed) for signed in fault.evidence]
        later = [one for one in pair if one not in log.entries[one.seq :][:1]]
        aside = max(later, key=lambda one: (one.kind == Kind.RESUMED, one.id))
        self._known_false.add(aside.id)
        held.drop(aside)

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


def _forgets(entry: Entry, before: Sequence[int]) -> bool:
    return any(now < then for now, then in zip(entry.seen, before, strict=False))


def _shrinking(entry: Entry) -> Fault:
    return Fault(entry.seat, Blame.CHEAT, Reason.SHRINKING_VIEW, (entry.signed,))
