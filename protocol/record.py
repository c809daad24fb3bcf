"""All that is known of a match: the chains, and what is held beside them.

Only checked entries stand; others are held until what they name is here.
"""

from collections.abc import Iterator, Sequence

from protocol.bodies import Resumed, said
from protocol.codec import Malformed
from protocol.crypto.identity import verify
from protocol.entry import Entry, Kind, entry_id, read_entry, signed_digest
from protocol.faults import (
    Blame,
    Fault,
    LinkFault,
    LocalProtocolError,
    Reason,
    Signed,
)
from protocol.held import HELD_MAX, Held
from protocol.log import Chains, forgets
from protocol.notes import scope_after
from protocol.rivals import Rivals


class Record(Chains):
    """The chains of a match and the entries that wait to be added to them."""

    def __init__(self, keys: Sequence[bytes], nonce: bytes, table_scope: bytes) -> None:
        super().__init__(keys, nonce, table_scope)
        # Ids of what has proven a fault: to be taken in silence when it comes again.
        self._known_false: set[bytes] = set()
        self._held = [Held() for _ in keys]
        self._rivals = Rivals(self)

    def settle(self, table: bytes | None) -> None:
        """The coin has fallen, perhaps: what has another scope is of another match."""
        if table is not None and self._table_id is None:
            self._table_id = table
            for held in self._held:
                held.forget_others(table, 2)

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
            return self._rivals.beside(entry)
        held.keep(entry)
        rivals = held.at(entry.seq, entry.scope)
        return self._rivals.rivals(*rivals) if len(rivals) == 2 else None

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
        return self._rivals.proof(*pair)

    def forked_beyond(self, seat: int) -> Iterator[Fault]:
        """The forks that show now that it is known that `seat` has come back."""
        return self._rivals.beyond(seat)

    def flaw(self, entry: Entry) -> Reason | None:
        """What is wrong with a `resumed` entry that follows what is here."""
        return self._rivals.flaw(entry)

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
        if log.closed or not len(held):
            return None
        scope = self.scope(seat, seq)
        if scope is None:
            return None
        for rivals in held.rivals():
            proven = self._rivals.rivals(*rivals)
            if proven is not None:
                return proven
        for entry in held.at(seq, scope):
            if entry.prev != log.head(seq):
                previous = (log.entries[-1].signed,) if log.entries else ()
                evidence = (*previous, entry.signed)
                return Fault(seat, Blame.FORK, Reason.BROKEN_CHAIN, evidence)
            if entry.seen[seat] != seq or forgets(
                entry, log.entries[-1].seen if log.entries else ()
            ):
                return _shrinking(entry)
            if not self.here(entry) or entry.heads != self.heads(entry.seen):
                return None
            return entry if self.causal(entry) else _shrinking(entry)
        return None

    def disputed(self) -> tuple[Entry, ...]:
        """The next entries of seats that name other chains than the ones held here."""
        found = []
        for seat, (log, held) in enumerate(zip(self.logs, self._held, strict=True)):
            if log.closed or not len(held):
                continue
            seq = len(log.entries)
            scope = self.scope(seat, seq)
            if scope is None:
                continue
            for entry in held.at(seq, scope):
                if self.here(entry) and entry.heads != self.heads(entry.seen):
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

    def holds(self, seat: int) -> bool:
        """Whether the next entry of `seat` is held and cannot be judged yet.

        Others beyond one that is not here may follow what is lost for ever.
        """
        log = self.logs[seat]
        scope = self.scope(seat, len(log.entries))
        if log.closed or scope is None:
            return False
        return bool(self._held[seat].at(len(log.entries), scope))

    def let_go_beyond(self, seat: int) -> None:
        """Let go of entries of a seat that follow one which is not here."""
        self._held[seat].forget_from(len(self.logs[seat].entries) + 1)

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


def _shrinking(entry: Entry) -> Fault:
    return Fault(entry.seat, Blame.CHEAT, Reason.SHRINKING_VIEW, (entry.signed,))
