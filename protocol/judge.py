"""The Judge: folds what everybody can see, and says who did wrong.

The same machine judges a live table and a record read from a file: it takes signed
entries in any order, lets those stand that are right in the view they name, and
answers with findings. Checks that cost time are tasks; while one runs its entry counts
as not received. What one honest Judge finds every other finds too, from the same
entries in any causal order.

    receive -> held until all it names is here -> checked -> (task) -> stands | fault
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from protocol import deck as dealt
from protocol import shuffling as making
from protocol.codec import Anything, Bytes, Int, Malformed, Maybe, Shape, fields
from protocol.crypto.group import Suite
from protocol.deck import Broken, Deck, Replayed
from protocol.faults import (
    Blame,
    Disagreement,
    Fault,
    LinkFault,
    LocalProtocolError,
    Reason,
    Signed,
)
from protocol.game import Game, Over
from protocol.log import Entry, Kind, Record
from protocol.roster import Terms, coin_commitment, table_id
from protocol.shuffling import Check, Shuffling, Work
from protocol.step import Task

Opening = Callable[[Terms, bytes], Game]
"""The first game of a match, from its terms and its table id."""

_COIN = fields(Bytes(32))
_VERDICT = fields(making.NUMBER, Bytes(16), Maybe(Int(0, 5)))
_MAKING = frozenset({Kind.COMMIT, Kind.KEY, Kind.SHUFFLE, Kind.READY})


@dataclass(frozen=True, slots=True)
class Findings:
    """What a Judge made of what it was given: entries that now stand, in order, new
    faults, tasks to run, and what was wrong with the bytes themselves.
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


class _Wait:
    """An entry cannot be judged yet."""


_WAIT = _Wait()


class Judge:
    """One match as everybody sees it. `own` is the seat whose shuffles need no replay
    because this program made them; an auditor has none.
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
        self.suite = suite
        self.terms = terms
        self.record = Record(terms.keys, nonce, terms.scope(nonce))
        self.faults: list[Fault] = []
        self.disagreement: Disagreement | None = None
        self.shufflings: list[Shuffling] = []
        self.decks: list[Deck] = []
        self.start: Game | None = None
        self._opening = opening
        self._own = own
        self._tables: list[Entry] = []
        self._coins: dict[int, bytes] = {}
        self._running: dict[int, Entry | int] = {}
        self._numbers = 0
        self._later: list[Fault] = []
        self._heard: set[bytes] = set()

    # -- what is public ------------------------------------------------------

    @property
    def seats(self) -> int:
        """How many play."""
        return self.terms.seats

    @property
    def deck(self) -> Deck | None:
        """The deck that is played now, or was last."""
        return self.decks[-1] if self.decks else None

    @property
    def tables_signed(self) -> bool:
        """Whether every seat has signed the terms."""
        return len(self._tables) == self.seats

    @property
    def stopped(self) -> bool:
        """Whether a proven fault or a disagreement has ended the match.

        A fault in a deck prepared ahead counts once the running deal is over (F19).
        """
        return bool(self.faults) or self.disagreement is not None

    @property
    def preparing_fault(self) -> bool:
        """Whether the deck that is being prepared is known to be spoiled by a cheat."""
        return bool(self._later)

    @property
    def match_over(self) -> bool:
        """Whether the last deal has been played."""
        deck = self.deck
        return deck is not None and deck.game.over() is Over.MATCH

    def verified(self, number: int) -> bool:
        """Whether deck `number` has been replayed from its seeds and found right."""
        replayed = self.decks[number].replayed if number < len(self.decks) else None
        return replayed is not None and replayed.blamed is None

    def plan_of(self, number: int) -> bytes | None:
        """What deck `number` is for, as far as it is certain now."""
        if self.start is None:
            return None
        if number == 0:
            return self.start.plan()
        if number > len(self.decks):
            return None
        before = self.decks[number - 1]
        return _next_plan(before.game) if before.stands and not before.lost else None

    # -- taking entries in ---------------------------------------------------

    def receive(self, signed: Signed) -> Findings:
        """Take one entry from outside."""
        outcome = self.record.offer(signed)
        if isinstance(outcome, LinkFault):
            return Findings(link_fault=outcome)
        if outcome is not None:
            return self._blame(outcome) + self._pump()
        return self._pump()

    def add_own(self, entry: Entry, result: object) -> Findings:
        """Let an entry of one's own stand whose work is done already."""
        verdict = self._check(entry)
        if isinstance(verdict, Reason | _Wait):
            raise LocalProtocolError(entry, verdict)
        return self._finish(entry, result) + self._pump()

    def done(self, task: Task, result: object) -> Findings:
        """Take the result of a task in."""
        waiting = self._running.pop(task.number, None)
        if waiting is None:
            return Findings()
        if isinstance(waiting, int):
            return self._replayed(waiting, result) + self._pump()
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
                if any(
                    isinstance(entry, Entry) and entry.seat == seat
                    for entry in self._running.values()
                ):
                    continue
                found = self._judge_next(seat)
                if found is not None:
                    findings += found
                    moved = True
        return findings + self._replays()

    def _judge_next(self, seat: int) -> Findings | None:
        ready = self.record.ready(seat)
        if ready is None:
            return None
        if isinstance(ready, Fault):
            return self._blame(ready)
        verdict = self._check(ready)
        match verdict:
            case _Wait():
                return self._offer_evidence(ready)
            case Reason():
                return self._refuse(ready, verdict)
            case Work():
                return Findings(tasks=(self._task(verdict, ready),))
            case None:
                return self._finish(ready, None)

    def _task(self, work: Work, waiting: Entry | int) -> Task:
        self._numbers += 1
        self._running[self._numbers] = waiting
        return Task(self._numbers, work.call, work.arguments)

    def _finish(self, entry: Entry, result: object) -> Findings:
        """The entry's work is done: it stands, or its author is blamed."""
        outcome = self._accept(entry, result)
        if isinstance(outcome, Broken):
            return self._refuse(entry, Reason.AGAINST_RULES, outcome.sentence)
        if outcome is not None:
            return self._refuse(entry, outcome)
        self.record.add(entry)
        self._deal_next()
        return Findings(added=(entry,)) + self._deferred()

    # -- blame ---------------------------------------------------------------

    def _refuse(self, entry: Entry, reason: Reason, detail: str = "") -> Findings:
        blame = Blame.RULE if reason in _RULES else Blame.CHEAT
        fault = Fault(entry.seat, blame, reason, (entry.signed,), detail)
        if self._is_preparing(entry):
            # The author goes on playing the running deal, so its chain stays open.
            self.record.add(entry)
            self._later.append(fault)
            return Findings(added=(entry,)) + self._deferred()
        return self._blame(fault)

    def _blame(self, fault: Fault) -> Findings:
        self.record.close(fault)
        if any(
            fault.seat == known.seat and fault.evidence == known.evidence
            for known in self.faults
        ):
            return Findings()
        self.faults.append(fault)
        return Findings(faults=(fault,))

    def _is_preparing(self, entry: Entry) -> bool:
        """Whether an entry is about a deck made ahead while another is played."""
        if entry.kind not in _MAKING or not isinstance(entry.body, tuple):
            return False
        number = entry.body[0] if entry.body else None
        if type(number) is not int or number == 0 or number != len(self.decks):
            return False
        return not self.decks[number - 1].over_in(entry)

    def _deferred(self) -> Findings:
        """Faults in a prepared deck take effect once the running deal is over."""
        deck = self.deck
        if not self._later or deck is None or not (deck.game.over() or deck.lost):
            return Findings()
        later, self._later = self._later, []
        findings = Findings()
        for fault in later:
            findings += self._blame(fault)
        return findings

    def _offer_evidence(self, entry: Entry) -> Findings | None:
        """A reveal that waits for the proof it carries: take that proof in, once."""
        if entry.kind != Kind.REVEAL or entry.id in self._heard:
            return None
        self._heard.add(entry.id)
        findings = Findings()
        for signed in evidence_in(entry):
            outcome = self.record.offer(signed)
            if isinstance(outcome, Fault):
                findings += self._blame(outcome)
        return findings

    # -- checks --------------------------------------------------------------

    def _check(self, entry: Entry) -> Check | _Wait:
        """Whether an entry may stand in the view it names (D4)."""
        shape = self._shape(entry.kind)
        try:
            if shape is None:
                return Reason.MALFORMED
            shape.check(entry.body)
        except Malformed:
            return Reason.MALFORMED
        if (entry.seq == 0) != (entry.kind == Kind.TABLE):
            return Reason.OUT_OF_ORDER
        if (entry.seq == 1) != (entry.kind == Kind.COIN):
            return Reason.OUT_OF_ORDER
        match entry.kind:
            case Kind.TABLE:
                return None if entry.body == self.terms.body() else Reason.MALFORMED
            case Kind.COIN:
                return self._check_coin(entry)
            case Kind.VERDICT:
                return self._check_verdict(entry)
            case Kind.REVEAL:
                return self._check_reveal(entry)
            case kind if kind in _MAKING:
                return self._check_making(entry)
            case _:
                return self._check_dealt(entry)

    def _shape(self, kind: int) -> Shape | None:
        match kind:
            case Kind.TABLE:
                return Anything()
            case Kind.COIN:
                return _COIN
            case Kind.VERDICT:
                return _VERDICT
            case kind if kind in _MAKING:
                return making.body_shape(kind, self.seats, self.terms.positions)
            case _:
                return dealt.body_shape(kind, self.terms.positions)

    def _check_coin(self, entry: Entry) -> Check:
        if len(self._tables) < self.seats or not making.all_covered(
            entry, self._tables
        ):
            return Reason.OUT_OF_ORDER
        (coin,) = cast("tuple[bytes]", entry.body)
        key = self.terms.keys[entry.seat]
        committed = coin_commitment(self.record.nonce, key, coin)
        if committed != self.terms.commitments[entry.seat]:
            return Reason.WRONG_COIN
        return None

    def _check_making(self, entry: Entry) -> Check:
        number = deck_number(entry)
        if number > len(self.shufflings):
            return Reason.OUT_OF_ORDER
        plan = self._plan_in(entry, number)
        if number == len(self.shufflings):
            if entry.kind != Kind.COMMIT or plan is None:
                return Reason.OUT_OF_ORDER
            return None
        if entry.kind == Kind.COMMIT and plan is None:
            return Reason.OUT_OF_ORDER
        return self.shufflings[number].check(entry, plan)

    def _plan_in(self, view: Entry, number: int) -> bytes | None:
        """What deck `number` is for, as far as it was certain in that view."""
        if number == 0:
            return self.start.plan() if self.start else None
        if number > len(self.decks):
            return None
        before = self.decks[number - 1]
        spoiled = before.spoiled is not None and view.covers(before.spoiled)
        if spoiled or not before.stands_in(view) or before.spoiled_opening_in(view):
            return None
        return _next_plan(before.game_in(view))

    def _check_dealt(self, entry: Entry) -> Check:
        number = deck_number(entry)
        if number >= len(self.decks) or not self.shufflings[number].ready_in(entry):
            return Reason.OUT_OF_ORDER
        if number and not self.decks[number - 1].over_in(entry):
            return Reason.OUT_OF_ORDER
        return self.decks[number].check(entry)

    def _check_reveal(self, entry: Entry) -> Check | _Wait:
        verdict = self._check_dealt(entry)
        if not isinstance(verdict, Work):
            return verdict
        if self.decks[deck_number(entry)].over_in(entry):
            return verdict
        proof = evidence_in(entry)
        if any(set(proof) & set(fault.evidence) for fault in self.faults):
            return verdict
        standing = {e.signed for log in self.record.logs for e in log.entries}
        return Reason.EARLY_REVEAL if standing.issuperset(proof) else _WAIT

    def _check_verdict(self, entry: Entry) -> Check | _Wait:
        number, digest, blamed = cast("tuple[int, bytes, int | None]", entry.body)
        if number >= len(self.decks):
            return Reason.OUT_OF_ORDER
        deck = self.decks[number]
        if entry.seat in deck.verdicts:
            return Reason.TWICE
        reveals = [deck.reveals.get(seat) for seat in range(self.seats)]
        if not making.all_covered(entry, reveals):
            return Reason.OUT_OF_ORDER
        if deck.replayed is None:
            return _WAIT
        if (digest, blamed) != (deck.game.digest(), deck.replayed.blamed):
            return Reason.WRONG_VERDICT
        return None

    # -- folding -------------------------------------------------------------

    def _accept(self, entry: Entry, result: object) -> Reason | Broken | None:
        match entry.kind:
            case Kind.TABLE:
                self._tables.append(entry)
            case Kind.COIN:
                self._accept_coin(entry)
            case Kind.VERDICT:
                self.decks[deck_number(entry)].verdicts[entry.seat] = entry
            case kind if kind in _MAKING:
                return self._accept_making(entry, result)
            case _:
                return self.decks[deck_number(entry)].accept(entry, result)
        return None

    def _accept_coin(self, entry: Entry) -> None:
        (self._coins[entry.seat],) = cast("tuple[bytes]", entry.body)
        if len(self._coins) == self.seats:
            coins = [self._coins[seat] for seat in range(self.seats)]
            table = table_id(self.terms, self.record.nonce, coins)
            self.record.table_id = table
            self.start = self._opening(self.terms, table)

    def _accept_making(self, entry: Entry, result: object) -> Reason | None:
        number = deck_number(entry)
        if number == len(self.shufflings):
            self.shufflings.append(
                Shuffling(
                    self.suite,
                    cast("bytes", self.record.table_id),
                    number,
                    self.seats,
                    self.terms.positions,
                )
            )
        if entry.kind == Kind.READY:
            plan = cast("bytes", self._plan_in(entry, number))
            if entry.body != (number, making.plan_hash(number, plan)):
                self.disagreement = Disagreement(number)
        return self.shufflings[number].accept(entry, result)

    def _deal_next(self) -> None:
        """Lay the next deck on the table once it is made and its turn has come."""
        number = len(self.decks)
        if number >= len(self.shufflings) or not self.shufflings[number].shuffled:
            return
        game = self.start
        if number:
            before = self.decks[number - 1]
            over = before.game.over()
            if before.lost or over is None or over is Over.MATCH:
                return
            game = before.game.next_deck()
        if game is not None:
            self.decks.append(Deck(self.shufflings[number], game))

    # -- after the reveals ---------------------------------------------------

    def _replays(self) -> Findings:
        """Start the replay of every deck whose seeds are all revealed."""
        tasks = []
        for deck in self.decks:
            complete = len(deck.reveals) == self.seats and deck.replayed is None
            if complete and deck.number not in self._running.values():
                tasks.append(self._task(deck.replay_work(self._own), deck.number))
        return Findings(tasks=tuple(tasks))

    def _replayed(self, number: int, result: object) -> Findings:
        deck = self.decks[number]
        deck.replayed = replayed = cast("Replayed", result)
        if replayed.blamed is not None:
            seat = replayed.blamed
            evidence = (deck.shuffling.stage_entries[seat], deck.reveals[seat])
            return self._blame(
                Fault(
                    seat,
                    Blame.CHEAT,
                    replayed.reason,
                    tuple(entry.signed for entry in evidence),
                )
            )
        broken = deck.played_again()
        if broken is not None:
            entry, sentence = broken
            deck.replayed = replace(replayed, blamed=entry.seat)
            return self._blame(
                Fault(
                    entry.seat,
                    Blame.RULE,
                    Reason.AGAINST_RULES,
                    (entry.signed,),
                    sentence,
                )
            )
        if deck.lost:
            # Every seat shuffled and shared rightly, so the deck cannot be lost.
            self.disagreement = Disagreement(number)
        return Findings()


_RULES = frozenset(
    {
        Reason.OUT_OF_TURN,
        Reason.WRONG_STATE,
        Reason.AGAINST_RULES,
        Reason.WRONG_VERDICT,
    }
)


def deck_number(entry: Entry) -> int:
    """The deck that a well-formed entry is about."""
    return cast("tuple[int]", entry.body)[0]


def evidence_in(reveal: Entry) -> tuple[Signed, ...]:
    """The proof of another seat's fault that a reveal before the end carries."""
    pairs = cast("tuple[int, bytes, tuple[tuple[bytes, bytes], ...]]", reveal.body)[2]
    return tuple(Signed(*pair) for pair in pairs)


def _next_plan(game: Game) -> bytes | None:
    match game.over():
        case None:
            return game.next_plan()
        case Over.MATCH:
            return None
        case _:
            return game.next_deck().plan()
