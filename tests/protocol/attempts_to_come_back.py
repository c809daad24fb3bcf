"""Attacks around coming back: hoarded, false and missing answers."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

import pytest

from protocol.bodies import RESUMES_MAX
from protocol.entry import Kind
from protocol.faults import Signed
from protocol.notes import Acknowledgement, Question, read_note, sign_note
from tests.protocol.outcomes import (
    Outcome,
    found_by,
)
from tests.protocol.test_resumption import Denies
from tests.protocol.test_resumption import circle_of as restarting
from tests.protocol.test_resumption_attacks import (
    NONCES,
    before,
    came_back,
    chain_of,
    circle_of,
    given,
    signed_by,
)
from tests.support.parties import Circle, secrets_of


def back(seats: int = 2, *, order: int = 1, **changed: Any) -> Outcome:
    """What comes of coming back with hoarded answers in place of the last entry."""
    circle = circle_of(seats)
    entry = chain_of(circle, 0)[-1]
    came = came_back(circle, 0, entry.seq, **changed)
    last = [came.signed, entry.signed][::order]
    return found_by(given(circle, [*before(circle, entry), *last]))


def back_alone(seats: int = 2, **changed: Any) -> Outcome:
    circle = circle_of(seats)
    entry = chain_of(circle, 0)[-1]
    came = came_back(circle, 0, entry.seq, **changed)
    judge = given(circle, [*before(circle, entry), came.signed])
    return found_by(judge), judge.record.counts()


def back_with(change: Callable[[list[Any]], list[Any]], seats: int = 3) -> Outcome:
    """Coming back with other answers than those of all others in order."""
    circle = circle_of(seats)
    entry = chain_of(circle, 0)[-1]
    came = came_back(circle, 0, entry.seq)
    nonce, notes = cast("Any", came.body)
    came = signed_by(circle, replace(came, body=(nonce, tuple(change(list(notes))))))
    judge = given(circle, [*before(circle, entry), came.signed])
    return found_by(judge), judge.record.counts()


def forgotten_beyond() -> Outcome:
    """A false entry beside a coming back, that names what is not there yet."""
    for seed in range(20):
        circle = circle_of(3, acts=2, seed=seed)
        act = circle.parties[0].judge.decks[0].acts[-1]
        mine = chain_of(circle, act.seat)[act.seq - 1]
        early = [*before(circle, mine), mine.signed]
        if len(before(circle, act)) > len(early):
            break
    came = came_back(circle, act.seat, act.seq)
    record = given(circle, early).record
    names = tuple(
        act.seq if seat == act.seat else count for seat, count in enumerate(mine.seen)
    )
    alone = signed_by(circle, replace(came, seen=names, heads=record.heads(names)))
    judge = given(circle, [*early, alone.signed, act.signed])
    return found_by(judge)


def back_before_its_chain() -> Outcome:
    """A pair that is no fork, shown to who does not hold what is before it."""
    circle = circle_of(2)
    entry = chain_of(circle, 0)[-1]
    came = came_back(circle, 0, entry.seq)
    judge = given(circle, before(circle, chain_of(circle, 0)[3]))
    judge.prove((came.signed, entry.signed))
    return found_by(judge)


def back_in_no_shape() -> Outcome:
    circle = circle_of(2)
    entry = chain_of(circle, 0)[-1]
    came = signed_by(circle, replace(came_back(circle, 0, entry.seq), body=None))
    last = [came.signed, entry.signed]
    return found_by(given(circle, [*before(circle, entry), *last]))


def back_beside_what_forgets() -> Outcome:
    circle = circle_of(2)
    seq = chain_of(circle, 0)[-1].seq
    return back_beside(seen=(seq, 0))


def back_with_older_answers() -> Outcome:
    circle = circle_of(2)
    entry = chain_of(circle, 0)[-1]
    older: Any = came_back(circle, 0, entry.seq, NONCES[1]).body
    came = came_back(circle, 0, entry.seq)
    came = signed_by(circle, replace(came, body=(NONCES[0], older[1])))
    judge = given(circle, [*before(circle, entry), came.signed])
    return found_by(judge), judge.record.counts()


def unsigned(notes: list[Any]) -> list[Any]:
    return [(notes[0][0], bytes(64)), *notes[1:]]


def a_question_in_it(notes: list[Any]) -> list[Any]:
    secrets = secrets_of(1, 1)[0].identity
    note = sign_note(secrets, Question(b"s" * 16, 1, 0, b"n" * 32))
    return [tuple(note), *notes[1:]]


def back_beside(**changed: Any) -> Outcome:
    """A pair of which one comes back and the other is false by itself."""
    circle = circle_of(2)
    entry = chain_of(circle, 0)[-1]
    false = signed_by(circle, replace(entry, **changed))
    came = came_back(circle, 0, entry.seq)
    last = [came.signed, false.signed]
    return found_by(given(circle, [*before(circle, entry), *last]))


def forked_beside() -> Outcome:
    """Two coming back and a fork, in an order that shows the fork last."""
    circle = circle_of(3)
    entry = chain_of(circle, 0)[-1]
    other = signed_by(circle, replace(entry, body=(0, b"another")))
    came = came_back(circle, 0, entry.seq)
    three = [came.signed, entry.signed, other.signed]
    return found_by(given(circle, [*before(circle, entry), *three]))


def denied() -> Outcome:
    circle = restarting(3, 1)
    circle.run()
    circle.parties[1].resumption.__class__ = Denies
    circle.open(0)
    circle.run()
    return tuple(found_by(party.judge) for party in circle.parties if party.seat != 1)


def comes_back_often() -> Outcome:
    """One coming back more than there may be, seen by a judge of few."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("protocol.rivals.RESUMES_MAX", 0)
        assert RESUMES_MAX > 0
        return back_alone()


def rule_broken_beside() -> Outcome:
    circle = circle_of(2, acts=1)
    act = circle.parties[0].judge.decks[0].acts[-1]
    body: Any = act.body
    false = signed_by(circle, replace(act, body=(*body[:-1], bytes(16))))
    came = came_back(circle, act.seat, act.seq)
    judge = given(circle, [*before(circle, act), came.signed, false.signed])
    return found_by(judge)


def heard(change: Callable[[Circle], Signed]) -> Outcome:
    """What a seat makes of a note."""
    circle = circle_of(2)
    party = circle.parties[0]
    fault = party.hear(change(circle)).link_fault
    return fault and fault.reason, len(party.resumption.notes)


def note_of(circle: Circle, who: int = 1, **changed: Any) -> Signed:
    scope = circle.parties[0].judge.record.table_scope
    note = Question(scope, 1, 0, NONCES[0])._replace(**changed)
    return sign_note(circle.parties[who]._secrets.identity, note)


def answer_of(circle: Circle, **changed: Any) -> Signed:
    scope = circle.parties[0].judge.record.table_scope
    note = Acknowledgement(scope, 1, NONCES[0], 0, bytes(32), 1, 0, bytes(32))._replace(
        **changed
    )
    return sign_note(circle.parties[1]._secrets.identity, note)


def answered_twice_over(**changed: Any) -> Outcome:
    """Whether a seat that has come back goes on with answers that are not all good."""
    circle = circle_of(3)
    party = circle.open(0)
    circle.notes.clear()
    circle.under_way.clear()
    (question,) = [
        note for note in party.resumption.notes if isinstance(read_note(note), Question)
    ]
    nonce = read_note(question).nonce
    chain = chain_of(circle, 0)
    for other in circle.parties[1:]:
        own = len(chain_of(circle, other.seat))
        mine = party.judge.record.logs[other.seat]
        fields = {
            "scope": party.judge.record.table_scope,
            "asker": 0,
            "nonce": nonce,
            "held": len(chain),
            "head": chain[-1].id,
            "seat": other.seat,
            "own": own,
            "last": mine.head(own),
        }
        note = Acknowledgement(**{**fields, **changed})
        party.hear(sign_note(other._secrets.identity, note))
    return party.asking, [e.kind for e in chain_of(circle, 0)][-1]


def answered_by_one() -> Outcome:
    """Whether a seat goes on when one of two others has answered."""
    circle = circle_of(3)
    party = circle.open(0)
    for _ in range(2_000):
        circle.notes = [n for n in circle.notes if read_note(n[1]).author != 2]
        if not circle.step():
            break
    return party.asking, Kind.RESUMED in [e.kind for e in chain_of(circle, 0)]


TO_COME_BACK: dict[str, Callable[[], Outcome]] = {
    "coming back": back,
    "coming back, seen second": partial(back, order=-1),
    "coming back alone": back_alone,
    "coming back with answers to another question": back_with_older_answers,
    "coming back with more than is there": partial(back_alone, held=1000),
    "coming back with another head": partial(back_alone, head=bytes(32)),
    "coming back with old answers": partial(back_alone, own=0),
    "coming back with answers from another table": partial(back_alone, scope=bytes(16)),
    "coming back with unsigned answers": partial(back_with, unsigned),
    "coming back with answers out of order": partial(back_with, lambda n: n[::-1]),
    "coming back with one answer": partial(back_with, lambda n: n[:1]),
    "coming back with a question": partial(back_with, a_question_in_it),
    "coming back with bad answers beside": partial(back, own=0),
    "coming back beside what breaks the chain": partial(back_beside, prev=bytes(32)),
    "coming back beside what forgets": partial(back_beside, seen=(0, 0)),
    "coming back beside what miscounts": partial(back_beside, seen=(99, 99)),
    "coming back beside a fork": forked_beside,
    "coming back beside a broken rule": rule_broken_beside,
    "coming back too often": comes_back_often,
    "coming back in no shape": back_in_no_shape,
    "coming back, seen before its chain": back_before_its_chain,
    "what was forgotten names what is not there": forgotten_beyond,
    "coming back beside what forgets another": back_beside_what_forgets,
    "an answer about a seat that is not there": partial(
        heard, partial(answer_of, asker=5)
    ),
    "an answer that nobody asked for": partial(heard, partial(answer_of, asker=0)),
    "a seat that denies what it held": denied,
    "a note of another table": partial(heard, partial(note_of, scope=bytes(16))),
    "a note of a seat that is not there": partial(heard, partial(note_of, asker=5)),
    "a note that another signed": partial(heard, partial(note_of, who=0)),
    "an answer of a seat that is not there": partial(heard, partial(answer_of, seat=5)),
    "answers to an older question": partial(answered_twice_over, nonce=b"o" * 32),
    "answers that name what is not there": partial(answered_twice_over, own=1000),
    "answers with another last entry": partial(answered_twice_over, last=bytes(32)),
    "answers with another head": partial(answered_twice_over, head=bytes(32)),
    "one answer of two": answered_by_one,
}
