"""A finished record, judged from its file alone.

The same `Judge` as at the table is fed every entry of the file, author by author, with
its tasks run at once. Damage and blame are kept apart: a byte that was flipped breaks a
signature and accuses nobody; a false entry that its author signed accuses its author.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from protocol.archive import DamagedArchive, read_damaged
from protocol.codec import Malformed
from protocol.course import Opening
from protocol.crypto.group import Suite
from protocol.crypto.identity import verify
from protocol.faults import Fault, Signed
from protocol.game import Over
from protocol.judge import Findings, Judge
from protocol.log import Entry, read_entry, signed_digest
from protocol.roster import Terms, read_terms


@dataclass(frozen=True, slots=True)
class Damage:
    """The first place where the file is not what somebody signed: entry `seq` of
    `seat`, or an entry that names others which the file does not hold.
    """

    seat: int
    seq: int


@dataclass(frozen=True, slots=True)
class Audit:
    """What a record proves."""

    terms: Terms
    judge: Judge
    damage: Damage | None

    @property
    def faults(self) -> Sequence[Fault]:
        """Who did wrong, first found first."""
        return self.judge.faults

    @property
    def sound(self) -> bool:
        """Whether all of it is as signed and right, finished or not."""
        agreed = self.judge.course.disagreement is None
        return self.damage is None and not self.judge.faults and agreed

    @property
    def finished(self) -> bool:
        """Whether the match was played to its end, and every seat has confirmed it."""
        deck = self.judge.deck
        if deck is None or deck.game.over() is not Over.MATCH:
            return False
        return len(deck.verdicts) == self.terms.seats


def audit(data: bytes, suite: Suite, opening: Opening) -> Audit:
    """Judge the record in `data`.

    Raises `ForeignArchive` or `DamagedArchive` if it cannot be read at all, and what
    `opening` raises for terms that this program does not know.
    """
    signed, whole = read_damaged(data)
    terms, nonce = _terms_in(signed)
    opening(terms, bytes(16))
    judge = Judge(suite, terms, nonce, opening)
    damage = _first_damage(signed, terms)
    for one in signed:
        _run(judge, judge.receive(one))
    if damage is None and not whole:
        damage = _cut(judge)
    if damage is None and not judge.faults and judge.record.waiting():
        damage = _missing(judge)
    return Audit(terms, judge, damage)


def _run(judge: Judge, findings: Findings) -> None:
    pending = list(findings.tasks)
    while pending:
        task = pending.pop(0)
        pending.extend(judge.done(task, task.run()).tasks)


def _terms_in(signed: Sequence[Signed]) -> tuple[Terms, bytes]:
    """The terms, from the first table entry that its author really signed."""
    for one in signed:
        entry = _read(one)
        terms = read_terms(entry.body) if entry and entry.seq == 0 else None
        if entry is None or terms is None or entry.seat >= terms.seats:
            continue
        if _is_signed(one, terms.keys[entry.seat]):
            return terms, entry.prev
    raise DamagedArchive


def _first_damage(signed: Sequence[Signed], terms: Terms) -> Damage | None:
    """The first entry, in the file's order, that nobody signed."""
    seat, seq = 0, 0
    for one in signed:
        entry = _read(one)
        if entry is None or entry.seat >= terms.seats:
            return Damage(seat, seq)
        if not _is_signed(one, terms.keys[entry.seat]):
            # The entry's own fields may be what was damaged: its place tells better.
            follows = (entry.seat, entry.seq) in {(seat, seq), (seat + 1, 0)}
            return Damage(entry.seat, entry.seq) if follows else Damage(seat, seq)
        seat, seq = entry.seat, entry.seq + 1
    return None


def _read(signed: Signed) -> Entry | None:
    try:
        return read_entry(signed)
    except Malformed:
        return None


def _is_signed(signed: Signed, key: bytes) -> bool:
    return verify(key, signed_digest(signed.encoded), signed.signature)


def _cut(judge: Judge) -> Damage:
    """Where a file without its end stops: after the last author it holds."""
    counts = judge.record.counts()
    seats = [seat for seat, count in enumerate(counts) if count] or [0]
    return Damage(seats[-1], counts[seats[-1]])


def _missing(judge: Judge) -> Damage:
    """The first seat with an entry that names what the file does not hold."""
    for seat in range(judge.seats):
        if judge.record.holds(seat):
            return Damage(seat, len(judge.record.logs[seat].entries))
    raise AssertionError
