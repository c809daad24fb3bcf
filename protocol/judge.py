"""The Judge: folds what everybody can see, and says who did wrong.

The same machine judges a live table and a record read from a file: it takes signed
entries in any order, lets those stand that are right in the view they name, and
answers with findings. Checks that cost time are tasks; while one runs its entry counts
as not received. From the same entries, in whatever order, every honest Judge blames
the same seat; of several liars it may name only those it can still judge, since after a
fork the honest chains may part.

    receive -> held until all it names is here -> checked -> (task) -> stands | fault
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from protocol.bodies import Reveal, deck_number, said
from protocol.course import MAKING, WAIT, Course, Opening, Wait
from protocol.crypto.group import Suite
from protocol.deck import Broken, Deck
from protocol.entry import Entry, Kind, entry_id, read_entry
from protocol.faults import (
    Blame,
    Fault,
    LinkFault,
    LocalProtocolError,
    Reason,
    Signed,
)
from protocol.log import in_causal_order
from protocol.notes import Acknowledgement, acknowledgements
from protocol.record import Record
from protocol.replay import Replayed
from protocol.roster import Terms
from protocol.shuffling import Check, Work
from protocol.step import Task


@dataclass(frozen=True, slots=True)
class Findings:
    """What a Judge made of what it was given.

    Entries that now stand, in order; new faults; tasks to run; and what was wrong with
    the bytes themselves.
    """

    added: tuple[Entry, ...] = ()
    faults: tuple[Fault, ...] = ()
    tasks: tuple[Task, ...] = ()
    link_fault: LinkFault | None = None

    def __add__(self, later: "Findings") -> "Findings":
        return Findings(
            self.added + later.added,
            self.faults + later.faults,
            self.tasks + later.tasks,
            self.link_fault or later.link_fault,
        )


@dataclass(frozen=True, slots=True)
class _Doubt:
    """An entry that another stands in the place of, while it is judged by itself."""

    entry: Entry


class Judge:
    """One match as everybody sees it.

    `own` is the seat whose shuffles need no replay because this program made them; an
    auditor has none.
    """

    def __init__(
        self,
        suite: Suite,
        terms: Terms,
        nonce: bytes,
        opening: Opening,
        *,
        own: int | None = None,
    ) -> None:
        self.seats = terms.seats
        self.course = Course(suite, terms, nonce, opening)
        self.record = Record(terms.keys, nonce, terms.scope(nonce))
        self.faults: list[Fault] = []
        self._own = own
        self._running: dict[int, Entry | _Doubt | int] = {}
        self._numbers = 0
        self._later: list[tuple[int, Fault]] = []
        self._cheats: dict[int, int] = {}
        # Of who came back, what it had signed before; None once it has been judged.
        self._forgotten: dict[int, Entry | None] = {}
        # Who acknowledged what of whom, by its own next entry then; and in which entry.
        self._told: dict[tuple[int, int], list[tuple[Acknowledgement, Entry]]] = {}

    # -- what is public ------------------------------------------------------

    @property
    def decks(self) -> Sequence[Deck]:
        """The decks that have been dealt, in order."""
        return self.course.decks

    @property
    def deck(self) -> Deck | None:
        """The deck that is played now, or was last."""
        return self.course.deck

    @property
    def stopped(self) -> bool:
        """Whether a proven fault or a disagreement has ended the match.

        A fault in a deck prepared ahead counts once the running deal is over (F19).
        What is proven when the last deal has been played takes no win away (F8); it
        stops the match only if a seed will never come. Nor is a match that was given up
        undone by what its quitter signs afterwards.
        """
        if self.course.disagreement is not None:
            return True
        if self.course.given_up:
            return not all(map(self.course.is_late, self.faults))
        return bool(self.faults) and not self._may_be_won

    @property
    def _may_be_won(self) -> bool:
        """Whether all is played, and every seed is right or can still come."""
        logs = enumerate(self.record.logs)
        closed = [seat for seat, log in logs if log.closed]
        return self.course.match_over and all(
            deck.verified
            or (deck.replayed is None and all(seat in deck.reveals for seat in closed))
            for deck in self.decks
        )

    @property
    def settled(self) -> bool:
        """Whether the end is known, and nobody who may still sign owes a verdict."""
        known = self.course.end_known and self.course.verified and not self.stopped
        return known and all(
            log.closed or seat in deck.verdicts
            for deck in self.course.finished
            for seat, log in enumerate(self.record.logs)
        )

    @property
    def ended(self) -> bool:
        """Whether the match goes no further: played out, given up or stopped."""
        return self.stopped or self.course.ended

    @property
    def deferred(self) -> tuple[Fault, ...]:
        """Faults in the deck made ahead: it is never dealt, and they count later."""
        return tuple(fault for _, fault in self._later)

    # -- taking entries in ---------------------------------------------------

    def receive(self, signed: Signed) -> Findings:
        """Take one entry from outside."""
        outcome = self.record.offer(signed)
        if isinstance(outcome, LinkFault):
            return Findings(link_fault=outcome)
        if outcome is not None:
            return self._blame(outcome) + self._pump()
        return self._false_answers(signed) + self._pump()

    def prove(self, signed: Sequence[Signed]) -> Findings:
        """Take in what is said to prove a fault: of a fork, both sides at once."""
        fork = self.record.forked(*signed) if len(signed) == 2 else None
        findings = Findings() if fork is None else self._blame(fork)
        for one in signed:
            findings += self.receive(one)
        return findings

    def add_own(self, entry: Entry, result: object) -> Findings:
        """Let an entry of one's own stand whose work is done already."""
        verdict = self._ruling(entry)
        if isinstance(verdict, Reason | Wait):
            raise LocalProtocolError(entry, verdict)
        return self._finish(entry, result) + self._pump()

    def done(self, task: Task, result: object) -> Findings:
        """Take the result of a task in."""
        waiting = self._running.pop(task.number, None)
        if waiting is None:
            return Findings()
        if isinstance(waiting, int):
            return self._replayed(waiting, result) + self._pump()
        if isinstance(waiting, _Doubt):
            false = cast("Fault | None", result)
            return (Findings() if false is None else self._name(false)) + self._pump()
        if self.record.logs[waiting.seat].closed:
            return self._pump()
        return self._finish(waiting, result) + self._pump()

    def _pump(self) -> Findings:
        """Judge every entry that can be judged now."""
        findings = Findings()
        moved = True
        while moved:
            moved = False
            for seat in range(self.seats):
                if self._running and self._is_judged(seat):
                    continue
                found = self._judge_next(seat)
                if found is not None:
                    findings += found
                    moved = True
        if self._forgotten:
            findings += self._doubts()
        replays = self._replays()
        return findings + Findings(tasks=replays) if replays else findings

    def _is_judged(self, seat: int) -> bool:
        """Whether a task is running whose result decides about an entry of `seat`."""
        waiting = self._running.values()
        return any(isinstance(one, Entry) and one.seat == seat for one in waiting)

    def _judge_next(self, seat: int) -> Findings | None:
        ready = self.record.ready(seat)
        if ready is None:
            return None
        if isinstance(ready, Fault):
            return self._blame(ready)
        verdict = self._ruling(ready)
        match verdict:
            case Wait():
                return None
            case Reason():
                return self._refuse(ready, verdict)
            case Work():
                return Findings(tasks=(self._task(verdict, ready),))
            case None:
                return self._finish(ready, None)

    def _task(
        self, work: Work, waiting: Entry | _Doubt | int, *, late: bool = False
    ) -> Task:
        self._numbers += 1
        self._running[self._numbers] = waiting
        patient = work.patient
        return Task(
            self._numbers, work.call, work.arguments, patient=patient, late=late
        )

    def _finish(self, entry: Entry, result: object) -> Findings:
        """The entry's work is done: it stands, or its author is blamed."""
        outcome = self.course.accept(entry, result)
        if isinstance(outcome, Broken):
            return self._refuse(entry, outcome.reason, outcome.sentence)
        if outcome is not None:
            return self._refuse(entry, outcome)
        self.record.add(entry)
        self.record.settle(self.course.table_id)
        findings = Findings(added=(entry,))
        if self._later:
            findings += self._deferred()
        if entry.kind == Kind.RESUMED:
            findings += self._came_back(entry)
        return findings

    # -- coming back ---------------------------------------------------------

    def _came_back(self, entry: Entry) -> Findings:
        """A seat has come back: what others said of it then is there to be checked."""
        findings = Findings()
        for note in acknowledgements(entry):
            self._told.setdefault((note.seat, note.own), []).append((note, entry))
            for known in self.record.at(note.seat, note.own - 1):
                findings += self._false_answers(known.signed)
        for fork in self.record.forked_beyond(entry.seat):
            findings += self._blame(fork)
        return findings

    def _false_answers(self, signed: Signed) -> Findings:
        """Acknowledgements of less than what their seat had named in its last entry."""
        findings = Findings()
        if not self._told:
            return findings
        entry = read_entry(signed)
        if entry not in self.record.at(entry.seat, entry.seq):
            return findings
        for note, resumed in self._told.get((entry.seat, entry.seq + 1), ()):
            if entry.id == note.last and entry.seen[note.asker] > note.held:
                evidence = (signed, resumed.signed)
                reason = Reason.FALSE_ACKNOWLEDGEMENT
                findings += self._blame(
                    Fault(entry.seat, Blame.CHEAT, reason, evidence)
                )
        return findings

    def _remember(self, fault: Fault) -> None:
        """Keep what a seat had signed before it came back, if it was not judged."""
        log = self.record.logs[fault.seat]
        for entry in map(read_entry, fault.evidence):
            if entry.kind != Kind.RESUMED and entry not in log.entries[entry.seq :][:1]:
                self._forgotten.setdefault(entry.seat, entry)

    def _doubts(self) -> Findings:
        """Coming back excuses no cheat, whichever of the two entries stands here."""
        tasks = []
        for seat, entry in self._forgotten.items():
            view = None if entry is None else self.record.view(entry)
            if entry is not None and view is not None:
                self._forgotten[seat] = None
                course = self.course
                arguments = (course.suite, course.terms, self.record.nonce)
                work = Work(_false, (*arguments, course.opening, (*view, entry)))
                tasks.append(self._task(work, _Doubt(entry)))
        return Findings(tasks=tuple(tasks))

    # -- blame ---------------------------------------------------------------

    def _refuse(self, entry: Entry, reason: Reason, detail: str = "") -> Findings:
        blame = Blame.RULE if reason in _RULES else Blame.CHEAT
        fault = Fault(entry.seat, blame, reason, (entry.signed,), detail)
        if self._is_preparing(entry) and entry.seat not in self._cheats:
            # The author goes on playing the running deal, so its chain stays open.
            self.record.add(entry)
            self._cheats[entry.seat] = deck_number(entry)
            self._later.append((deck_number(entry), fault))
            return Findings(added=(entry,)) + self._deferred()
        return self._blame(fault)

    def _blame(self, fault: Fault) -> Findings:
        if not fault.blames and self.course.match_over:
            # What all have played to its end is not undone by what one has forgotten.
            self.record.set_aside(fault)
            return Findings()
        if not fault.blames:
            self._remember(fault)
        self.record.close(fault)
        return self._name(fault) + self._deferred()

    def _name(self, fault: Fault) -> Findings:
        """Hold a fault that was not known yet; one fork of a seat says it all.

        So does one coming back, which says nothing more of who is blamed already.
        """
        for known in self.faults:
            if known.seat != fault.seat:
                continue
            same = known.blame is fault.blame and fault.blame in _ONCE
            excuse = known.blames and not fault.blames
            if same or excuse or fault.evidence == known.evidence:
                return Findings()
        self.faults.append(fault)
        return Findings(faults=(fault,))

    def _is_preparing(self, entry: Entry) -> bool:
        """Whether an entry is about a deck made ahead while another is played."""
        if entry.kind not in MAKING or not isinstance(entry.body, tuple):
            return False
        played = self.course.played_in(entry)
        return played is not None and entry.body[:1] == (played + 1,)

    def _deferred(self) -> Findings:
        """Faults in a prepared deck take effect once the deal before it is over.

        Or given up, or stopped by a seat that came back. The chain stays open, for
        its author still owes the seed of that deal.
        """
        findings = Findings()
        restored = any(not fault.blames for fault in self.faults)
        for later in tuple(self._later):
            number, fault = later
            before = self.decks[number - 1]
            done = before.over or self.course.given_up
            if restored or done:
                self._later.remove(later)
                findings += self._name(fault)
        return findings

    # -- reveals -------------------------------------------------------------

    def _ruling(self, entry: Entry) -> Check | Wait:
        """Whether an entry may stand; a reveal needs a reason besides (F9)."""
        if not self._may_speak(entry):
            return Reason.OUT_OF_ORDER
        verdict = self.course.check(entry)
        if entry.kind == Kind.RESUMED and verdict is None:
            return self.record.flaw(entry)
        if entry.kind != Kind.REVEAL or not isinstance(verdict, Work):
            return verdict
        cited = said(entry, Reveal).evidence
        if self.decks[deck_number(entry)].over_in(entry):
            return Reason.MALFORMED if cited else verdict
        if not cited:
            return Reason.EARLY_REVEAL
        # What is cited may prove a fault to its author that shows here in another way,
        # or later; so nobody is blamed for citing, and one who cites rubbish waits.
        liars = {fault.seat for fault in self.faults if fault.blames} - {entry.seat}
        return verdict if liars else WAIT

    def _may_speak(self, entry: Entry) -> bool:
        """Whether a seat that spoiled the deck made ahead keeps to what it still owes.

        When the deal before that deck is over, that is its seed and its verdict.
        """
        number = self._cheats.get(entry.seat)
        if (
            number is None
            or entry.kind == Kind.RESUMED
            or not self.decks[number - 1].over_in(entry)
        ):
            return True
        return entry.kind in {Kind.REVEAL, Kind.VERDICT}

    # -- after the reveals ---------------------------------------------------

    def _replays(self) -> tuple[Task, ...]:
        """The replay of every deck whose seeds are all revealed, to be started."""
        return tuple(
            self._task(
                deck.replay_work(self._own), deck.number, late=deck is not self.deck
            )
            for deck in self.decks
            if self._revealed(deck) and deck.number not in self._running.values()
        )

    def _revealed(self, deck: Deck) -> bool:
        """Whether all seeds of a deck are here, and not yet what they say."""
        return deck.replayed is None and len(deck.reveals) == self.seats

    def _replayed(self, number: int, result: object) -> Findings:
        deck = self.decks[number]
        deck.replayed = replayed = cast("Replayed", result)
        findings = Findings()
        for seat, reason in replayed.false:
            entries = (deck.shuffling.stage_entries[seat], deck.reveals[seat])
            evidence = tuple(entry.signed for entry in entries)
            findings += self._blame(Fault(seat, Blame.CHEAT, reason, evidence))
        if replayed.false:
            return findings
        broken = deck.played_again()
        if broken is not None:
            entry, found = broken
            deck.replayed = replace(replayed, false=((entry.seat, found.reason),))
            evidence = (entry.signed,)
            return self._blame(
                Fault(entry.seat, Blame.RULE, found.reason, evidence, found.sentence)
            )
        if deck.lost:
            # Every seat shuffled and shared rightly, so the deck cannot be lost.
            self.course.disagree(number)
        return findings


_ONCE = frozenset({Blame.FORK, Blame.RESTORED})
_RULES = frozenset(
    {
        Reason.OUT_OF_TURN,
        Reason.WRONG_STATE,
        Reason.AGAINST_RULES,
        Reason.WRONG_VERDICT,
    }
)


def _false(
    suite: Suite,
    terms: Terms,
    nonce: bytes,
    opening: Opening,
    entries: Sequence[Entry],
) -> Fault | None:
    """What the last of these entries, after all the others, proves of its author."""
    judge = Judge(suite, terms, nonce, opening)
    for entry in in_causal_order(entries, terms.seats):
        tasks = list(judge.receive(entry.signed).tasks)
        while tasks:
            task = tasks.pop()
            tasks += judge.done(task, task.run()).tasks
    last = entries[-1].signed
    found = (*judge.faults, *judge.deferred)
    return next((fault for fault in found if last in fault.evidence), None)


def proof_ids(fault: Fault) -> tuple[bytes, ...]:
    """The ids of the entries that prove a fault."""
    return tuple(entry_id(signed) for signed in fault.evidence)
