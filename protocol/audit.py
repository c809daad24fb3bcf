"""A finished record, judged from its file alone.

The same `Judge` as at the table is fed every entry of the file in one causal order,
with its tasks run at once (D3). Damage and blame are kept apart: a byte that was
flipped breaks a signature and accuses nobody; a false entry that its author signed
accuses its author. Where nobody is to blame, a sound file is exactly the one that
would be written again from what stands.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from operator import ge

from protocol.archive import DamagedArchive, End, read_damaged
from protocol.codec import Malformed
from protocol.course import Opening
from protocol.crypto.group import Suite
from protocol.crypto.identity import verify
from protocol.entry import Entry, read_entry, signed_digest
from protocol.faults import Blame, Fault, Reason, Signed
from protocol.game import ForeignRules
from protocol.judge import Findings, Judge
from protocol.log import in_causal_order
from protocol.roster import Terms, read_terms


class Harm(Enum):
    """What is wrong with a file at an entry, as a sentence that follows its place."""

    ALTERED = "it is not what was signed"
    MISSING = "it is not there, but what follows builds on it"
    MISPLACED = "it does not belong where it stands"
    UNSUPPORTED = "it builds on something else than what is there"
    CUT = "the file is cut off there"
    END = "all entries are there, but the file does not end as it was written"


@dataclass(frozen=True, slots=True)
class Damage:
    """The first place where the file is not what was written: entry `seq` of `seat`."""

    seat: int
    seq: int
    harm: Harm


@dataclass(frozen=True, slots=True)
class Audit:
    """What a record proves. `faults` says who did wrong, first found first."""

    terms: Terms
    judge: Judge
    faults: tuple[Fault, ...]
    damage: Damage | None

    @property
    def stopped(self) -> bool:
        """Whether a fault, or what the seats differ on, kept the match from its end."""
        course = self.judge.course
        return course.disagreement is not None or len(self.late) < len(self.faults)

    @property
    def late(self) -> tuple[Fault, ...]:
        """The faults in a match that has ended: they take nothing of it away (F8)."""
        return tuple(filter(self.judge.course.is_late, self.faults))

    @property
    def sound(self) -> bool:
        """Whether the match is right as far as it goes, finished or not.

        Who signs something false when all is played, or shows only then what was
        false, takes nothing away from those who have won.
        """
        return self.damage is None and not self.stopped

    @property
    def finished(self) -> bool:
        """Whether the match was played to its end, and every seat has confirmed it."""
        return self.judge.course.confirmed


def audit(data: bytes, suite: Suite, opening: Opening) -> Audit:
    """Judge the record in `data`.

    Raises `ForeignArchive` or `DamagedArchive` if it cannot be read at all, and
    `ForeignRules` for terms that this program does not know.
    """
    reading = read_damaged(data)
    read = [None if one is None else _read(one) for one in reading.entries]
    terms, nonce = _terms_in([entry for entry in read if entry is not None])
    if terms.suite != suite.name:
        raise ForeignRules("this match was dealt with a cipher that is not known here")
    opening(terms, bytes(16))
    signed = [e if e is not None and _is_signed(e, terms) else None for e in read]
    judge = Judge(suite, terms, nonce, opening)
    for entry in in_causal_order(signed, terms.seats):
        _run(judge, judge.receive(entry.signed))
    found = (*judge.faults, *judge.deferred, *_false_tables(signed, judge))
    # First who did wrong, then who only came back.
    faults = tuple(sorted(found, key=lambda fault: not fault.blames))
    damage = _altered(signed, reading.end)
    if damage is None and reading.end is End.CUT:
        damage = Damage(*_after(signed, len(signed)), Harm.CUT)
    if damage is None and all(map(judge.course.is_late, faults)):
        entries = _standing(signed, judge, faults)
        damage = _misplaced(entries) or _unsupported(entries, judge)
    if damage is None and reading.end is End.UNFIT:
        damage = Damage(*_after(signed, len(signed)), Harm.END)
    return Audit(terms, judge, faults, damage)


def _run(judge: Judge, findings: Findings) -> None:
    pending = list(findings.tasks)
    while pending:
        task = pending.pop(0)
        pending.extend(judge.done(task, task.run()).tasks)


def _terms_in(entries: Sequence[Entry]) -> tuple[Terms, bytes]:
    """The terms and the nonce of the table that most entries before the table id name.

    A table entry of another table, or of none, may have been put among them.
    """
    early = [entry for entry in entries if entry.seq < 2]
    found: dict[bytes, tuple[Terms, bytes]] = {}
    for entry in early:
        terms = read_terms(entry.body) if entry.seq == 0 else None
        if terms is None or entry.scope in found:
            continue
        if terms.scope(entry.prev) == entry.scope and _is_signed(entry, terms):
            found[entry.scope] = (terms, entry.prev)
    # Each place counts once, however often it is there.
    named: dict[tuple[bytes, int, int], None] = {}
    for entry in early:
        place = (entry.scope, entry.seat, entry.seq)
        if place in named or entry.scope not in found:
            continue
        if _is_signed(entry, found[entry.scope][0]):
            named[place] = None
    votes = Counter(scope for scope, _, _ in named)
    if not votes:
        raise DamagedArchive("No entry is left that says what was played.")
    return found[votes.most_common(1)[0][0]]


def _false_tables(signed: Sequence[Entry | None], judge: Judge) -> Iterator[Fault]:
    """Seats that signed a table entry which contradicts itself.

    The judge is not asked: an entry of another scope is none of its match.
    """
    scope = judge.record.table_scope
    for entry in signed:
        if entry is None or entry.seq > 0 or entry.scope == scope:
            continue
        terms = read_terms(entry.body)
        if terms is not None and terms.scope(entry.prev) != entry.scope:
            evidence = (entry.signed,)
            yield Fault(entry.seat, Blame.CHEAT, Reason.MALFORMED, evidence)


def _standing(
    signed: Sequence[Entry | None], judge: Judge, faults: Sequence[Fault]
) -> list[Entry]:
    """The entries without those that prove a fault and stand in no chain."""
    proofs = {one for fault in faults for one in fault.evidence}
    for log in judge.record.logs:
        proofs -= {entry.signed for entry in log.entries}
    return [e for e in signed if e is not None and e.signed not in proofs]


def _altered(signed: Sequence[Entry | None], end: End) -> Damage | None:
    """The first entry, in the file's order, that nobody signed."""
    for at, entry in enumerate(signed):
        if entry is None:
            last = all(one is None for one in signed[at:])
            harm = Harm.CUT if last and end is End.CUT else Harm.ALTERED
            return Damage(*_after(signed, at), harm)
    return None


def _misplaced(entries: Sequence[Entry]) -> Damage | None:
    """The first entry that is not where a record has it, or is missing there."""
    due = {(0, 0)}
    seat, seq = 0, 0
    for entry in entries:
        here = (entry.seat, entry.seq)
        if here not in due:
            if entry.seat == seat and entry.seq > seq:
                return Damage(seat, seq, Harm.MISSING)
            if entry.seat > seat:
                return Damage(seat + (len(due) > 1), 0, Harm.MISSING)
            return Damage(*here, Harm.MISPLACED)
        seat, seq = entry.seat, entry.seq + 1
        due = {(seat, seq), (seat + 1, 0)}
    return None


def _unsupported(entries: Sequence[Entry], judge: Judge) -> Damage | None:
    """The first entry that does not stand although all that it names does.

    Or else one that is not there, but is named. All are signed, nobody is to blame.
    """
    logs = judge.record.logs
    stands = [len(log.entries) for log in logs]
    written = Counter(entry.seat for entry in entries)
    idle = [entry for entry in entries if entry.seq >= stands[entry.seat]]
    for entry in idle:
        if all(map(ge, stands, entry.seen)):
            return Damage(entry.seat, entry.seq, Harm.UNSUPPORTED)
    for entry in idle:
        for seat, wanted in enumerate(entry.seen):
            if wanted > written[seat]:
                return Damage(seat, written[seat], Harm.MISSING)
    return Damage(idle[0].seat, idle[0].seq, Harm.UNSUPPORTED) if idle else None


def _after(signed: Sequence[Entry | None], at: int) -> tuple[int, int]:
    """The seat and number of the entry whose place in the file is `at`.

    It follows the one before it in its chain, unless what comes after shows that it
    begins the next chain.
    """
    before = signed[at - 1] if at else None
    if before is None:
        return 0, 0
    for distance, later in enumerate(signed[at:]):
        if later is not None:
            begins = later.seat == before.seat + 1 and later.seq == distance
            return (later.seat, 0) if begins else (before.seat, before.seq + 1)
    return before.seat, before.seq + 1


def _read(signed: Signed) -> Entry | None:
    try:
        return read_entry(signed)
    except Malformed:
        return None


def _is_signed(entry: Entry, terms: Terms) -> bool:
    if entry.seat >= terms.seats or len(entry.seen) != terms.seats:
        return False
    digest = signed_digest(entry.signed.encoded)
    return verify(terms.keys[entry.seat], digest, entry.signed.signature)
