"""Who has come back, and what is acknowledged to whom; for one seat (F11).

A seat that was opened again signs its terms and its coin, which are the same bytes in
every life, and then nothing before every other seat has acknowledged what it holds of
this one's chain, and before all of that is here too; then `resumed`. Acknowledgements
are given by everybody who knows the table id, also by who is asking itself, and notes
are passed on, since two guests may have no link to each other.
"""

from collections.abc import Iterator
from typing import TypeAlias

from protocol.bodies import RESUMES_MAX
from protocol.codec import Malformed, Value
from protocol.crypto.identity import Identity
from protocol.faults import LinkFault, Signed
from protocol.notes import (
    Acknowledgement,
    Question,
    is_covered,
    is_signed,
    read_note,
    sign_note,
)
from protocol.record import Record

_Answer: TypeAlias = tuple[Acknowledgement, Signed]


class Resumption:
    """The notes of one match that count now, as one seat knows them.

    `nonce` is fresh if the own seat was opened again, else None.
    """

    def __init__(
        self, record: Record, identity: Identity, seat: int, nonce: bytes | None
    ) -> None:
        self._record = record
        self._identity = identity
        self._seat = seat
        self._nonce = nonce
        self._questions: dict[int, tuple[Question, Signed]] = {}
        self._answers: dict[tuple[int, int], tuple[_Answer, ...]] = {}
        if nonce is not None:
            self._ask(0)

    def _ask(self, number: int) -> None:
        if self._nonce is not None:
            own = Question(self._record.table_scope, self._seat, number, self._nonce)
            self._questions[self._seat] = own, sign_note(self._identity, own)

    @property
    def asking(self) -> bool:
        """Whether `resumed` is to be the own seat's next entry."""
        return self._nonce is not None

    @property
    def threads(self) -> tuple[tuple[Signed, ...], ...]:
        """All notes that count now: each question, and after it its answers.

        Who is given a question needs the answers to it again: it may have let them go
        while another question counted there.
        """
        return tuple(
            (question, *(signed for _, signed in self._answers_to(asker)))
            for asker, (_, question) in self._questions.items()
        )

    @property
    def notes(self) -> tuple[Signed, ...]:
        """All notes that count now, each question before its answers."""
        return tuple(note for thread in self.threads for note in thread)

    def hear(self, signed: Signed) -> LinkFault | None:
        """Take in a note from a link; what is old or known is taken in silence."""
        try:
            note = read_note(signed)
        except Malformed:
            return LinkFault("a note that is none")
        keys = self._record.keys
        if note.scope != self._record.table_scope:
            return LinkFault("a note of another table")
        if note.asker >= len(keys) or note.author >= len(keys):
            return LinkFault("a note of a seat that is not at this table")
        if not is_signed(signed, keys[note.author]):
            return LinkFault("a note that its author did not sign")
        if isinstance(note, Question):
            self._hear_question(note, signed)
        else:
            self._hear_answer(note, signed)
        return None

    def _hear_question(self, note: Question, signed: Signed) -> None:
        known = self._questions.get(note.asker)
        if known is not None and not note.later(known[0]):
            return
        if note.asker != self._seat:
            if note.nonce not in self._record.logs[note.asker].nonces:
                self._questions[note.asker] = note, signed
        elif known is not None:
            # It is of an earlier life, and would be taken for the newer one.
            self._ask(note.number + 1)

    def _hear_answer(self, note: Acknowledgement, signed: Signed) -> None:
        if note.seat in {self._seat, note.asker}:
            return
        known = tuple(self._by(note.asker, note.seat))
        if self._counts(note):
            both = (*known, (note, signed))
            best = max(both, key=self._weight)
            # One may name what is not here yet, or what its author has lost for ever.
            latest = max(both, key=lambda one: (one[0].own, one[0].held))
            known = tuple(dict.fromkeys((best, latest)))
        elif not known:
            # One that came before its question may count later.
            known = ((note, signed),)
        self._answers[note.asker, note.seat] = known

    def _counts(self, note: Acknowledgement) -> bool:
        """Whether it answers the question that counts now."""
        question = self._questions.get(note.asker)
        return question is not None and question[0].nonce == note.nonce

    def _weight(self, answer: _Answer) -> tuple[bool, int, int]:
        note, _ = answer
        return self._is_current(note), note.own, note.held

    def _is_current(self, note: Acknowledgement) -> bool:
        """Whether all that its author had signed by then is here."""
        chain = self._record.logs[note.seat]
        return note.own <= len(chain.entries) and chain.head(note.own) == note.last

    def answer(self) -> None:
        """Acknowledge to every asker what is here of its chain now."""
        if self._record.table_id is None:
            # What waits for it might be of this match or of an older one.
            return
        for asker, (question, _) in tuple(self._questions.items()):
            if question.nonce in self._record.logs[asker].nonces:
                self._forget(asker)
            elif asker != self._seat and not self._record.holds(asker):
                # The next that waits to be judged might still be acknowledged.
                self._acknowledge(question)

    def _acknowledge(self, question: Question) -> None:
        asker, chain = question.asker, self._record.logs[question.asker]
        held, own = len(chain.entries), self._record.logs[self._seat]
        note = Acknowledgement(
            question.scope,
            asker,
            question.nonce,
            held,
            chain.head(held),
            self._seat,
            len(own.entries),
            own.head(len(own.entries)),
        )
        known = self._by(asker, self._seat)
        if not any(self._covers(given) for given, _ in known):
            # What follows one that is not here is not acknowledged, so the asker may
            # sign its number otherwise.
            self._record.let_go_beyond(asker)
            given = note, sign_note(self._identity, note)
            self._answers[asker, self._seat] = (given,)

    @property
    def body(self) -> Value | None:
        """What `resumed` says, once all have answered and all of it is here."""
        fit = {
            note.seat: signed
            for note, signed in self._answers_to(self._seat)
            if self._may_stand(note)
        }
        often = len(self._record.logs[self._seat].nonces) >= RESUMES_MAX
        if self._nonce is None or often or len(fit) < len(self._record.keys) - 1:
            return None
        return self._nonce, tuple((s.encoded, s.signature) for s in fit.values())

    def _may_stand(self, note: Acknowledgement) -> bool:
        """Whether `resumed` may hold it: what its author had named is known here."""
        known = self._is_current(note) or self._record.logs[note.seat].closed
        return known and self._covers(note)

    def _covers(self, note: Acknowledgement) -> bool:
        chain = self._record.logs[note.asker]
        return is_covered(note, chain.entries, chain.start)

    def dismiss(self) -> None:
        """The own seat has come back, or it need not: nothing is left to be signed."""
        self._nonce = None
        self._forget(self._seat)

    def _answers_to(self, asker: int) -> Iterator[_Answer]:
        for seat in range(len(self._record.keys)):
            yield from self._by(asker, seat)

    def _by(self, asker: int, seat: int) -> Iterator[_Answer]:
        """What a seat has answered to the question that counts: two at most."""
        for known in self._answers.get((asker, seat), ()):
            if self._counts(known[0]):
                yield known

    def _forget(self, asker: int) -> None:
        self._questions.pop(asker, None)
        for seat in range(len(self._record.keys)):
            self._answers.pop((asker, seat), None)
