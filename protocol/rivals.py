"""What two entries of one seat with one number prove.

A fork; unless one of them says that the seat has come back from an old copy of its
match and cannot know better, and both may stand where they are (F11).
"""

from collections.abc import Iterator

from protocol.bodies import RESUMES_MAX, resumed_shape
from protocol.codec import Malformed
from protocol.entry import Entry, Kind, read_entry
from protocol.faults import Blame, Fault, Reason
from protocol.log import Chains, forgets
from protocol.notes import flaw

PAIRS_MAX = 8


class Rivals:
    """Judges pairs of signed entries of a match by the chains that stand."""

    def __init__(self, chains: Chains) -> None:
        self._chains = chains
        # Two entries with one number whose scope is not known to be one of this match.
        self._pairs: list[list[tuple[Entry, Entry]]] = [[] for _ in chains.keys]
        self._resumed = resumed_shape(len(chains.keys))

    def proof(self, first: Entry, second: Entry) -> Fault | None:
        """What two entries prove by themselves; kept if that may show later."""
        proven = self.rivals(first, second)
        pair, pairs = (first, second), self._pairs[first.seat]
        if proven is None and pair not in pairs and len(pairs) < PAIRS_MAX:
            pairs.append(pair)
        return proven

    def beyond(self, seat: int) -> Iterator[Fault]:
        """The forks that show now that it is known that `seat` has come back."""
        for pair in tuple(self._pairs[seat]):
            proven = self.rivals(*pair)
            if proven is not None:
                self._pairs[seat].remove(pair)
                yield proven

    def rivals(self, first: Entry, second: Entry) -> Fault | None:
        """What two entries with one number and scope prove, if that is certain yet."""
        if first.scope != self._chains.scope(first.seat, first.seq):
            return None
        short = len(self._chains.logs[first.seat].entries) < first.seq
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
        log = self._chains.logs[entry.seat]
        if entry.seq > len(log.entries):
            return False
        before = log.entries[entry.seq - 1].seen if entry.seq else ()
        if entry.prev != log.head(entry.seq) or entry.seen[entry.seat] != entry.seq:
            return False
        return not forgets(entry, before)

    def flaw(self, entry: Entry) -> Reason | None:
        """What is wrong with a `resumed` entry that follows what is here."""
        try:
            self._resumed.check(entry.body)
        except Malformed:
            return Reason.MALFORMED
        log = self._chains.logs[entry.seat]
        chain = log.entries[: entry.seq]
        if sum(one.kind == Kind.RESUMED for one in chain) >= RESUMES_MAX:
            return Reason.MALFORMED
        return flaw(
            entry, chain, log.start, self._chains.keys, self._chains.table_scope
        )

    def beside(self, entry: Entry) -> Fault | None:
        """An entry that never can stand, but may prove a fork.

        With one that came back it proves none yet: the next may be a third.
        """
        log = self._chains.logs[entry.seat]
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
