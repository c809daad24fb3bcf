"""One seat's own part: its secrets, and what it owes next.

A `Party` holds a `Judge` and looks at the table through it. After everything that it
is given it posts what it owes, in a fixed order, until it owes nothing or waits: its
table and coin, seeds of finished decks and verdicts on them, what its player wants
besides playing, shares, the act that its player has chosen, and last the making of the
next deck. All bodies but the act are functions of the secrets and the record, so a seat
that was killed makes the same ones again; a signed entry is never made twice (F4, F6).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

from protocol.codec import Value
from protocol.course import Opening
from protocol.crypto.group import Point, Suite
from protocol.crypto.identity import Identity
from protocol.crypto.shuffle import deck_seed, secret_key, share
from protocol.deck import VOIDING, Deck
from protocol.entry import Kind
from protocol.faults import LocalProtocolError, Signed
from protocol.judge import Findings, Judge, proof_ids
from protocol.openings import make_shares, prove_parts
from protocol.resumption import Resumption
from protocol.roster import Terms
from protocol.shuffling import (
    Shuffling,
    commit_body,
    make_key,
    make_proof,
    make_shuffle,
    plan_hash,
)
from protocol.step import Task


@dataclass(frozen=True, slots=True)
class Secrets:
    """What a seat keeps to itself for one match, drawn once from the system's entropy.

    Every deck's seed derives from `master`, which is never revealed and never derived
    from the identity (F1). `coin` is opened when all have signed the terms.
    """

    identity: Identity
    master: bytes
    coin: bytes

    def __repr__(self) -> str:
        return "Secrets(...)"


@dataclass(frozen=True, slots=True)
class _Choice:
    deck: int
    positions: tuple[int, ...]
    statement: Value


@dataclass(frozen=True, slots=True)
class _Known:
    """An own card: this seat's share of it, and its value or None if it is no card."""

    part: Point
    value: int | None


class Party:
    """The part of the seat whose key is in `terms` under `secrets.identity`.

    `again` is a fresh nonce if the seat was opened before: then it asks the others
    what they hold of it before it signs anything (F11).
    """

    def __init__(
        self,
        suite: Suite,
        secrets: Secrets,
        terms: Terms,
        nonce: bytes,
        opening: Opening,
        *,
        again: bytes | None = None,
    ) -> None:
        self.seat = terms.keys.index(secrets.identity.key)
        self.judge = Judge(suite, terms, nonce, opening, own=self.seat)
        self.resumption = Resumption(
            self.judge.record, secrets.identity, self.seat, again
        )
        self._suite = suite
        self._secrets = secrets
        self._choice: _Choice | None = None
        self._wish: Kind | None = None
        # Whether it has adjourned, and so signs nothing until it wants to go on.
        self._away = False
        self._making: tuple[Task, Kind, int] | None = None
        self._numbers = 0
        self._known: dict[int, dict[int, _Known]] = {}
        self._learnt = (-1, 0)
        # The own cards, and of how much they were made.
        self._cards: tuple[tuple[int, int, int], Mapping[int, int | None]] | None = None

    # -- from outside --------------------------------------------------------

    def begin(self) -> Findings:
        """Post what is owed before anything has arrived."""
        return self._advance(Findings())

    def recall(self, signed: Signed) -> None:
        """Take back a stored entry after a restart, in the order of storing."""
        findings = self.judge.receive(signed)
        if findings.link_fault is not None:
            raise LocalProtocolError(findings.link_fault.reason)
        pending = list(findings.tasks)
        while pending:
            task = pending.pop()
            pending.extend(self.judge.done(task, task.run()).tasks)

    def receive(self, signed: Signed) -> Findings:
        """Take an entry from outside, and answer it."""
        return self._advance(self.judge.receive(signed))

    def prove(self, signed: Sequence[Signed]) -> Findings:
        """Take in what is said to prove a fault, and answer it."""
        return self._advance(self.judge.prove(signed))

    def hear(self, note: Signed) -> Findings:
        """Take in a note, and answer it."""
        return self._advance(Findings(link_fault=self.resumption.hear(note)))

    def done(self, task: Task, result: object) -> Findings:
        """Take the result of a task, and go on."""
        making = self._making
        if making is None or making[0].number != task.number:
            return self._advance(self.judge.done(task, result))
        self._making = None
        _, kind, number = making
        return self._advance(self._made(kind, number, result))

    def act(self, positions: Sequence[int], statement: Value) -> Findings:
        """Act with own positions, as soon as all that is owed first is posted."""
        deck = self.judge.deck
        if deck is None or self.judge.ended or self.acting or self.asking:
            raise LocalProtocolError
        if deck.game.turn() != self.seat or self.seat in deck.bound:
            raise LocalProtocolError
        cards = self.cards()
        if any(cards.get(position) is None for position in positions):
            raise LocalProtocolError
        self._away = False
        self._choice = _Choice(deck.number, tuple(positions), statement)
        return self._advance(Findings())

    def tell(self, kind: Kind) -> Findings:
        """Say something besides playing, as soon as this seat may sign at all.

        Give the match up; adjourn, and then sign nothing until an act or another word;
        call the running deal void, or agree to that; or refuse it, when another has
        called it so (F7).
        """
        if not self.can(kind):
            raise LocalProtocolError
        self._wish = kind
        return self._advance(Findings())

    def can(self, kind: Kind) -> bool:
        """Whether this seat could say that now."""
        if self.judge.ended or not self.judge.course.start:
            return False
        deck = self.judge.deck
        if kind not in VOIDING:
            gone = self.seat in self.judge.course.leaving.away
            return kind is not Kind.ADJOURN or not gone
        if deck is None or deck.over or not deck.stands:
            return False
        plays = len(deck.acts)
        asked = kind is Kind.VOID or bool(deck.voids.open(plays))
        refused, answered = deck.voids.refused(plays), deck.voids.answered
        return asked and not refused and not answered(self.seat, plays)

    def cards(self) -> Mapping[int, int | None]:
        """The own cards of the present deck that can be read: position to value.

        The value of one that is no card, or a card seen already, is None.
        """
        deck = self.judge.deck
        if deck is None:
            return {}
        known = self._known.get(deck.number, {})
        given = (deck.number, len(known), len(deck.opened))
        if self._cards is None or self._cards[0] != given:
            seen = Counter(card.value for card in known.values())
            seen.update(value for at, value in deck.opened.items() if at not in known)
            cards = {
                at: None if seen[card.value] > 1 else card.value
                for at, card in known.items()
            }
            self._cards = given, MappingProxyType(cards)
        return self._cards[1]

    @property
    def away(self) -> bool:
        """Whether this seat has adjourned, and has not been opened again since."""
        return self._away

    @property
    def acting(self) -> bool:
        """Whether a choice is made and waits for what has to be posted before it."""
        return self._choice is not None

    @property
    def asking(self) -> bool:
        """Whether it is still to be learnt what this seat has signed before."""
        return self.resumption.asking

    @property
    def settled(self) -> bool:
        """Whether the match is over and nothing of it is owed by anybody any more."""
        return self.judge.settled

    # -- what is owed --------------------------------------------------------

    def _advance(self, findings: Findings) -> Findings:
        while True:
            self._learn()
            owed = self._owed()
            if owed is None:
                self.resumption.answer()
                return findings
            findings += owed
            if owed.tasks and self._making is not None:
                self.resumption.answer()
                return findings

    def _owed(self) -> Findings | None:
        log = self.judge.record.logs[self.seat]
        if log.closed or self.judge.record.holds(self.seat):
            # An own entry that waits to be judged again was signed before a restart.
            return None
        if self._wish is not None and not self.asking:
            return self._owed_wish(self._wish)
        if self._making is not None or self._away:
            return None
        if len(log.entries) < 2:
            return self._owed_first(len(log.entries))
        if self.judge.course.start is None:
            return None
        return self._owed_resumption() if self.asking else self._owed_at_table()

    def _owed_at_table(self) -> Findings | None:
        """What is owed once this seat sits there and knows what it has signed."""
        after = self._owed_reveal() or self._owed_verdict()
        if after is not None or self.judge.stopped:
            return after
        if self.judge.course.given_up:
            return self._owed_acceptance()
        return self._owed_shares() or self._owed_act() or self._owed_making()

    def _owed_first(self, number: int) -> Findings | None:
        """The terms and the coin."""
        if number == 0:
            return self._post(Kind.TABLE, self.judge.course.terms.body())
        signed = self.judge.course.tables_signed
        return self._post(Kind.COIN, (self._secrets.coin,)) if signed else None

    def _owed_wish(self, kind: Kind) -> Findings:
        """What the player wants, if the match has not ended meanwhile."""
        self._wish = None
        if not self.can(kind):
            return Findings()
        # What is being made may not be signed after it; it is made again if it may.
        self._making = None
        deck = self.judge.deck
        body: tuple[Value, ...] = ()
        # Whoever says anything else is here again.
        self._away = kind is Kind.ADJOURN
        if kind is Kind.ADJOURN:
            self._choice = None
        elif kind in VOIDING and deck is not None:
            state = (deck.game.digest(),) if kind is Kind.VOID else ()
            body = (deck.number, len(deck.acts), *state)
        return self._post(kind, body)

    def _owed_acceptance(self) -> Findings | None:
        """The word that this seat knows of a resignation (F13)."""
        owed = self.judge.course.leaving.owes_acceptance(self.seat)
        return self._post(Kind.ACCEPT, ()) if owed else None

    def _owed_resumption(self) -> Findings | None:
        """The word that this seat has come back, unless all is over and confirmed."""
        body = self.resumption.body
        if self.settled:
            self.resumption.dismiss()
            return Findings()
        if body is None:
            return None
        self.resumption.dismiss()
        return self._post(Kind.RESUMED, body)

    def _owed_reveal(self) -> Findings | None:
        """A seed is revealed when this machine itself finds the deck over (F9).

        Or when it holds the proof of a fault; never because a peer says so.
        """
        for deck in self.judge.decks:
            if self.seat in deck.reveals:
                continue
            over = deck.over and (deck.stands or deck.lost)
            if over:
                return self._post(
                    Kind.REVEAL, (deck.number, self._seed(deck.number), ())
                )
            others = [f for f in self.judge.faults if f.blames and f.seat != self.seat]
            if others and any(seat == self.seat for _, seat in deck.share_entries):
                body = (deck.number, self._seed(deck.number), proof_ids(others[0]))
                return self._post(Kind.REVEAL, body)
        return None

    def _owed_verdict(self) -> Findings | None:
        for deck in self.judge.decks:
            if deck.replayed is not None and self.seat not in deck.verdicts:
                body = (deck.number, deck.game.digest(), deck.replayed.blamed)
                return self._post(Kind.VERDICT, body)
        return None

    def _owed_shares(self) -> Findings | None:
        deck = self.judge.deck
        if deck is None or deck.lost or self.seat in deck.bound:
            return None
        since = self.judge.course.voided_before(deck.number)
        ready = [deck.shuffling.is_ready(at, since) for at in range(self.judge.seats)]
        if not ready[self.seat]:
            return self._post_ready(deck.shuffling, deck.game.plan())
        if not all(ready):
            return None
        for number in deck.owed_rounds(self.seat):
            positions = deck.owed_positions(number, self.seat)
            statement = deck.statement(Kind.SHARES, number, self.seat, positions)
            masked = tuple(deck.pairs[at][0] for at in positions)
            seed = self._seed(deck.number)
            arguments = (self._suite, seed, statement, masked)
            return self._start(Kind.SHARES, number, make_shares, arguments)
        cards = self.cards()
        if None not in cards.values() or deck.game.over() is not None:
            return None
        spoiled = [at for at in sorted(cards) if cards[at] is None]
        spoiled = [at for at in spoiled if at not in deck.opened]
        if not spoiled:
            return None
        parts, proof = self._opening(deck, spoiled, Kind.SPOILED)
        encoded = tuple(part.encoded for part in parts)
        body = (deck.number, tuple(spoiled), encoded, proof)
        return self._post(Kind.SPOILED, body, parts)

    def _owed_making(self) -> Findings | None:
        number = len(self.judge.decks)
        plan = self._plan_in_making(number)
        if plan is None:
            return None
        made = self.judge.course.shufflings
        context = made[number].contexts if number < len(made) else None
        if context is None or made[number].commits[self.seat] is None:
            return self._commit(number)
        return self._owed_deck(made[number], plan)

    def _plan_in_making(self, number: int) -> bytes | None:
        """What a deck in making is for; None if it may never be dealt."""
        return None if self.judge.deferred else self.judge.course.plan_of(number)

    def _commit(self, number: int) -> Findings:
        terms = self.judge.course.terms
        table = cast("bytes", self.judge.record.table_id)
        made = Shuffling(self._suite, table, number, terms.seats, terms.positions)
        return self._post(Kind.COMMIT, commit_body(made, self.seat, self._seed(number)))

    def _owed_deck(self, made: Shuffling, plan: bytes) -> Findings | None:
        """Key, the word that one is ready, shuffle and proof of a deck in making."""
        number, seed = made.number, self._seed(made.number)
        if made.key_entries[self.seat] is None:
            if None in made.commits:
                return None
            context = made.contexts[self.seat]
            return self._start(
                Kind.KEY, number, make_key, (self._suite, number, context, seed)
            )
        if not made.keyed:
            return None
        if not made.is_ready(self.seat, self.judge.course.voided_before(number)):
            return self._post_ready(made, plan)
        if len(made.stages) == self.seat:
            before = made.input_deck(self.seat)
            arguments = (made, made.joint, before, self.seat, seed)
            return self._start(Kind.SHUFFLE, number, make_shuffle, arguments)
        return self._owed_proof(made)

    def _post_ready(self, made: Shuffling, plan: bytes) -> Findings:
        return self._post(Kind.READY, (made.number, plan_hash(made.number, plan)))

    def _owed_proof(self, made: Shuffling) -> Findings | None:
        """The proof of the own shuffle, once that stands."""
        if len(made.stages) <= self.seat or made.proof_entries[self.seat] is not None:
            return None
        arguments = (made, self.seat, self._seed(made.number))
        return self._start(Kind.PROOF, made.number, make_proof, arguments)

    def _owed_act(self) -> Findings | None:
        choice, deck = self._choice, self.judge.deck
        if choice is None or deck is None or deck.lost:
            return None
        if choice.deck != deck.number:
            self._choice = None
            return None
        if deck.game.turn() != self.seat or self.seat in deck.bound:
            return None
        self._choice = None
        hidden = [at for at in choice.positions if at not in deck.opened]
        parts: tuple[Point, ...] = ()
        proof = None
        if hidden:
            parts, proof = self._opening(deck, hidden, Kind.ACT)
        body = (
            deck.number,
            choice.positions,
            tuple(part.encoded for part in parts),
            proof,
            choice.statement,
            deck.game.digest(),
        )
        return self._post(Kind.ACT, body, parts)

    # -- making and posting --------------------------------------------------

    def _opening(
        self, deck: Deck, positions: Sequence[int], kind: Kind
    ) -> tuple[tuple[Point, ...], bytes]:
        """This seat's shares of positions, and the proof of them as it travels."""
        statement = deck.statement(kind, len(deck.acts), self.seat, positions)
        parts = tuple(self._known[deck.number][at].part for at in positions)
        masked = [deck.pairs[at][0] for at in positions]
        seed = self._seed(deck.number)
        return parts, prove_parts(self._suite, seed, statement, masked, parts)

    def _seed(self, number: int) -> bytes:
        table = self.judge.record.table_id
        if table is None:
            raise LocalProtocolError
        return deck_seed(self._secrets.master, table, number, self.seat)

    def _start(
        self,
        kind: Kind,
        number: int,
        call: object,
        arguments: tuple[object, ...],
    ) -> Findings:
        # The judge counts its tasks upwards; ours go the other way.
        self._numbers -= 1
        task = Task(self._numbers, call, arguments)  # type: ignore[arg-type]
        self._making = (task, kind, number)
        return Findings(tasks=(task,))

    def _made(self, kind: Kind, number: int, result: object) -> Findings:
        """Post what a task has made, unless the match has moved on meanwhile."""
        if self.judge.stopped or self.judge.record.logs[self.seat].closed:
            return Findings()
        if self.judge.course.given_up:
            return Findings()
        if kind is Kind.SHARES:
            parts, proof = cast("tuple[tuple[Point, ...], bytes]", result)
            deck = cast("Deck", self.judge.deck)
            encoded = tuple(part.encoded for part in parts)
            return self._post(kind, (deck.number, number, encoded, proof), parts)
        if self._plan_in_making(number) is None:
            return Findings()
        body, value = cast("tuple[Value, object]", result)
        return self._post(kind, body, value)

    def _post(self, kind: Kind, body: Value, result: object = None) -> Findings:
        """Sign the next entry and let it stand; its own proofs are not checked."""
        record, identity = self.judge.record, self._secrets.identity
        # The first two name no more than they must, and are the same in every life.
        of_each = {Kind.TABLE: 0, Kind.COIN: 1}.get(kind)
        seen = None if of_each is None else (of_each,) * self.judge.seats
        entry = record.write(identity, self.seat, kind, body, seen)
        return self.judge.add_own(entry, True if kind is Kind.REVEAL else result)

    def _learn(self) -> None:
        """Read every own card whose other shares have all arrived."""
        deck = self.judge.deck
        if deck is None:
            return
        given = (deck.number, len(deck.share_entries))
        if given == self._learnt:
            return
        self._learnt = given
        known = self._known.setdefault(deck.number, {})
        for position in deck.owned_by(self.seat):
            parts = deck.shares_of(position)
            others = [part for seat, part in parts.items() if seat != self.seat]
            if len(others) == self.judge.seats - 1 and position not in known:
                known[position] = self._read(deck, position, others)

    def _read(self, deck: Deck, position: int, others: Sequence[Point]) -> _Known:
        context = deck.shuffling.contexts[self.seat]
        secret = secret_key(self._suite, context, self._seed(deck.number))
        part = share(self._suite, secret, deck.pairs[position][0])
        return _Known(part, deck.value_of(position, (*others, part)))
