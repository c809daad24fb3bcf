"""Who has come back, and what is acknowledged to whom; for one seat (F11).

A seat that was opened again signs no entry before every other seat has acknowledged
what it holds of this one's chain, and before all of that is here too; then `resumed`,
and until there is a table id, which that entry needs, only its terms and its coin.
Acknowledgements are given by everybody, locked or not, and notes are passed on, since
two guests may have no link to each other.
"""

from collections.abc import Iterator

from protocol.bodies import Resumed, said
from protocol.codec import Malformed, Value
from protocol.crypto.identity import Identity
from protocol.entry import Kind
from protocol.faults import LinkFault, Signed
from protocol.log import Record
from protocol.notes import (
    Acknowledgement,
    Question,
    is_covered,
    is_signed,
    read_note,
    sign_note,
)


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
        self._answers: dict[tuple[int, int], tuple[Acknowledgement, Signed]] = {}
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
    def notes(self) -> tuple[Signed, ...]:
        """All notes that count now, each question before its answers."""
        found = []
        for asker, (_, question) in self._questions.items():
            found.append(question)
            found += [signed for _, signed in self._answers_to(asker)]
        return tuple(found)

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
        if known is not None and note.number < known[0].number:
            return
        if note.asker != self._seat:
            newer = known is None or note.number > known[0].number
            if newer and note.nonce not in self._used(note.asker):
                self._questions[note.asker] = note, signed
        elif known is not None and note != known[0]:
            # It is of an earlier life, and would be taken for the newer one.
            self._ask(note.number + 1)

    def _hear_answer(self, note: Acknowledgement, signed: Signed) -> None:
        if note.seat in {self._seat, note.asker}:
            return
        known = self._answers.get((note.asker, note.seat))
        if known is not None and self._counts(known[0]):
            older = (known[0].own, known[0].held) < (note.own, note.held)
            if not self._counts(note) or not older:
                return
        # One that came before its question may count later.
        self._answers[note.asker, note.seat] = note, signed

    def _counts(self, note: Acknowledgement) -> bool:
        """Whether it answers the question that counts now."""
        question = self._questions.get(note.asker)
        return question is not None and question[0].nonce == note.nonce

    def answer(self) -> None:
        """Acknowledge to every asker what is here of its chain now."""
        for asker, (question, _) in tuple(self._questions.items()):
            if question.nonce in self._used(asker):
                self._forget(asker)
            elif asker != self._seat and not self._record.holds(asker):
                # What waits to be judged might still be acknowledged.
                self._acknowledge(question)

    def _acknowledge(self, question: Question) -> None:
        asker, chain = question.asker, self._record.logs[question.asker]
        held = len(chain.entries)
        note = Acknowledgement(
            question.scope,
            asker,
            question.nonce,
            held,
            chain.head(held),
            self._seat,
            len(self._record.logs[self._seat].entries),
        )
        known = self._answers.get((asker, self._seat))
        if known is None or not self._counts(known[0]) or not self._covers(known[0]):
            self._answers[asker, self._seat] = note, sign_note(self._identity, note)

    @property
    def body(self) -> Value | None:
        """What `resumed` says, once all have answered and all of it is here."""
        found = list(self._answers_to(self._seat))
        if len(found) < len(self._record.keys) - 1:
            return None
        if self._nonce is None or not all(self._covers(note) for note, _ in found):
            return None
        return self._nonce, tuple((s.encoded, s.signature) for _, s in found)

    def _covers(self, note: Acknowledgement) -> bool:
        chain = self._record.logs[note.asker]
        return is_covered(note, chain.entries, chain.start)

    def dismiss(self) -> None:
        """The own seat has come back, or it need not: nothing is left to be signed."""
        self._nonce = None
        self._forget(self._seat)

    def _answers_to(self, asker: int) -> Iterator[tuple[Acknowledgement, Signed]]:
        for seat in range(len(self._record.keys)):
            known = self._answers.get((asker, seat))
            if known is not None and self._counts(known[0]):
                yield known

    def _forget(self, asker: int) -> None:
        self._questions.pop(asker, None)
        for seat in range(len(self._record.keys)):
            self._answers.pop((asker, seat), None)

    def _used(self, seat: int) -> frozenset[bytes]:
        """The nonces with which a seat has come back already."""
        return frozenset(
            said(entry, Resumed).nonce
            for entry in self._record.logs[seat].entries
            if entry.kind == Kind.RESUMED
        )
