"""A seat that comes back asks before it signs (F11); what it forgot blames nobody."""

from dataclasses import replace
from random import Random

import pytest

from protocol.archive import write_archive
from protocol.audit import audit
from protocol.bodies import Resumed, said
from protocol.entry import Entry, Kind, read_entry
from protocol.faults import Blame, LinkFault, LocalProtocolError, Reason, Signed
from protocol.judge import Judge
from protocol.notes import (
    Acknowledgement,
    Question,
    read_note,
    scope_after,
    sign_note,
)
from protocol.party import Party
from protocol.resumption import Resumption
from protocol.step import Task
from tests.support.forgeries import sign
from tests.support.malice import play_in_order
from tests.support.parties import judged, secrets_of
from tests.support.restarts import Mortal
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening

SEATS = (2, 3, 4)


def circle_of(seats: int, seed: int = 1, **named: object) -> Mortal:
    return Mortal(toy_opening(deals=2), seats=seats, positions=9, seed=seed, **named)


def play_for(circle: Mortal, acts: int) -> None:
    """Let so many acts be made, and everything settle."""
    circle.run()
    for _ in range(acts):
        if not any(circle._act(party, play_in_order) for party in circle.parties):
            return
        circle.run()


def kinds(party: Party, seat: int) -> list[int]:
    return [entry.kind for entry in party.judge.record.logs[seat].entries]


def all_entries(circle: Mortal) -> list[Signed]:
    record = circle.parties[0].judge.record
    return [one for seat in range(len(record.keys)) for one in record.signed(seat)]


def assert_settled(circle: Mortal) -> None:
    for party in circle.parties:
        assert party.judge.faults == []
        assert party.settled
    chains = {
        tuple(party.judge.record.signed(seat) for seat in range(len(circle.parties)))
        for party in circle.parties
    }
    assert len(chains) == 1


# -- honest seats -------------------------------------------------------------------


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("seed", range(4))
def test_a_seat_restored_from_any_older_copy_catches_up_and_is_not_blamed(
    seats: int, seed: int
) -> None:
    # F11, X7.
    luck = Random(seed)
    circle = circle_of(seats, seed)
    play_for(circle, luck.randrange(6))
    seat = luck.randrange(seats)
    stored = circle.stored[seat]
    before = circle.parties[seat].judge.record.signed(seat)
    circle.open(seat, stored[: luck.randrange(1, len(stored))])
    circle.play(play_in_order)
    assert_settled(circle)
    after = circle.parties[seat].judge.record.signed(seat)
    assert after[: len(before)] == before
    assert Kind.RESUMED in kinds(circle.parties[0], seat)
    data = write_archive(
        [circle.parties[0].judge.record.signed(at) for at in range(seats)]
    )
    assert audit(data, SMALL, circle.opening).faults == ()


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("seed", range(3))
def test_all_seats_killed_at_once_come_back(seats: int, seed: int) -> None:
    luck = Random(seed)
    circle = circle_of(seats, seed)
    for _ in range(luck.randrange(120)):
        circle.step()
    for seat in range(seats):
        circle.kill(seat)
    for seat in range(seats):
        circle.open(seat)
    circle.play(play_in_order)
    assert_settled(circle)


@pytest.mark.parametrize("seats", SEATS)
def test_nothing_is_signed_before_every_other_seat_has_answered(seats: int) -> None:
    circle = circle_of(seats)
    play_for(circle, 1)
    count = len(circle.parties[0].judge.record.logs[0].entries)
    party = circle.open(0)
    silent = seats - 1
    for _ in range(2_000):
        answers = [
            one
            for one in circle.notes
            if isinstance(note := read_note(one[1]), Acknowledgement)
            and note.seat == silent
        ]
        circle.notes = [one for one in circle.notes if one not in answers]
        if not circle.step():
            break
    assert party.asking
    assert len(party.judge.record.logs[0].entries) == count
    for signed in circle.parties[silent].resumption.notes:
        circle.take(0, party.hear(signed))
    assert not party.asking
    assert kinds(party, 0)[count] == Kind.RESUMED


def test_the_choice_of_a_player_waits_for_nothing_that_may_have_been_chosen() -> None:
    circle = circle_of(2)
    play_for(circle, 1)
    seat = next(p.seat for p in circle.parties if circle.may_act(p))
    stored = list(circle.stored[seat])
    play_for(circle, 1)
    party = circle.open(seat, stored)
    assert party.asking
    assert circle.may_act(party)
    choice = play_in_order(party)
    assert choice is not None
    with pytest.raises(LocalProtocolError):
        party.act(*choice)


def test_a_seat_that_comes_back_before_there_is_a_table_id_says_so_after() -> None:
    circle = Mortal(toy_opening(deals=1), seats=3, positions=9, seed=5)
    circle.open(0, circle.stored[0][:1])
    circle.play(play_in_order)
    assert_settled(circle)
    assert kinds(circle.parties[1], 0)[:3] == [Kind.TABLE, Kind.COIN, Kind.RESUMED]


def test_a_seat_that_comes_back_when_all_is_over_has_nothing_to_ask() -> None:
    circle = Mortal(toy_opening(deals=1), seats=2, positions=9, seed=5)
    circle.play(play_in_order)
    party = circle.open(0)
    circle.run()
    assert not party.asking
    assert Kind.RESUMED not in kinds(party, 0)


def test_what_is_signed_after_coming_back_has_another_scope() -> None:
    circle = circle_of(2)
    play_for(circle, 1)
    circle.open(0)
    circle.play(play_in_order)
    record = circle.parties[1].judge.record
    assert record.table_id is not None
    entries = record.logs[0].entries
    at = [entry.kind for entry in entries].index(Kind.RESUMED)
    scope = scope_after(record.table_id, said(entries[at], Resumed).nonce)
    assert entries[at].scope == record.table_id
    assert {entry.scope for entry in entries[at + 1 :]} == {scope}


# -- what was forgotten comes to light ----------------------------------------------


def torn(seats: int, lost: int = 1) -> tuple[Mortal, list[Signed], Entry]:
    """A match, entries of seat 0 that it has forgotten, and how it came back."""
    circle = circle_of(seats, 3)
    play_for(circle, 2)
    honest = circle.parties[0]
    for _ in range(seats):
        if not circle.may_act(honest):
            play_for(circle, 1)
    record = honest.judge.record
    choice = play_in_order(honest)
    assert choice is not None
    added = honest.act(*choice).added
    forgotten = [entry.signed for entry in added][:1]
    for _ in range(len(forgotten), lost):
        entry = record.write(
            honest._secrets.identity, 0, Kind.REVEAL, (0, bytes(32), ())
        )
        record.add(entry)
        forgotten.append(entry.signed)
    circle.open(0)
    play_for(circle, 1)
    resumed = next(
        entry
        for entry in circle.parties[1].judge.record.logs[0].entries
        if entry.kind == Kind.RESUMED
    )
    assert resumed.seq == read_entry(forgotten[0]).seq
    return circle, forgotten, resumed


@pytest.mark.parametrize("seats", SEATS)
def test_an_entry_that_its_author_has_forgotten_stops_the_match_and_blames_nobody(
    seats: int,
) -> None:
    # F11: RESTORED.
    circle, (forgotten,), resumed = torn(seats)
    for party in circle.parties[1:]:
        party.receive(forgotten)
        (found,) = party.judge.faults
        assert (found.seat, found.blame) == (0, Blame.RESTORED)
        assert not found.blames
        assert set(found.evidence) == {forgotten, resumed.signed}
        assert party.judge.stopped
        assert Kind.REVEAL not in kinds(party, party.seat)


@pytest.mark.parametrize("seed", range(12))
def test_every_order_of_the_entries_finds_the_same_restored_seat(seed: int) -> None:
    circle, (forgotten,), _ = torn(3)
    judge = judged(circle, [*all_entries(circle), forgotten], seed)
    assert [(f.seat, f.blame) for f in judge.faults] == [(0, Blame.RESTORED)]


@pytest.mark.parametrize("seed", range(12))
def test_no_later_entry_of_a_forgotten_branch_makes_a_fork(seed: int) -> None:
    circle, (_, beyond), _ = torn(3, lost=2)
    judge = judged(circle, [*all_entries(circle), beyond], seed)
    assert judge.faults == []
    assert judge.prove((beyond, all_entries(circle)[5])).faults == ()


def test_the_proof_is_passed_on_and_found_by_who_has_only_that() -> None:
    circle, (forgotten,), resumed = torn(2)
    judge = judged(circle, all_entries(circle), 0)
    found = judge.prove((forgotten, resumed.signed))
    assert [fault.blame for fault in found.faults] == [Blame.RESTORED]


def test_a_fork_after_coming_back_is_a_fork() -> None:
    circle, _, resumed = torn(3)
    play_for(circle, 20)
    party = circle.parties[0]
    after = party.judge.record.logs[0].entries[resumed.seq + 1]
    other = sign(party._secrets.identity, replace(after, prev=bytes(32)))
    early = Judge(SMALL, circle.terms, circle.nonce, circle.opening)
    early.prove((after.signed, other))
    pending: list[Task] = []
    for signed in all_entries(circle):
        pending += early.receive(signed).tasks
    while pending:
        task = pending.pop()
        pending += early.done(task, task.run()).tasks
    assert [(f.seat, f.blame) for f in early.faults] == [(0, Blame.FORK)]


# -- seats that lie -----------------------------------------------------------------


class Denies(Resumption):
    """Acknowledges less of the asker than its own entries have named."""

    def _acknowledge(self, question: Question) -> None:
        chain, own = (self._record.logs[at] for at in (question.asker, self._seat))
        held = own.entries[-1].seen[question.asker] - 1
        note = Acknowledgement(
            question.scope,
            question.asker,
            question.nonce,
            held,
            chain.head(held),
            self._seat,
            len(own.entries),
            own.head(len(own.entries)),
        )
        answer = note, sign_note(self._identity, note)
        self._answers[question.asker, self._seat] = (answer,)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("seed", range(3))
def test_who_acknowledges_less_than_it_had_named_is_named_itself(
    seats: int, seed: int
) -> None:
    # F11: CHEAT of the one who acknowledges.
    circle = circle_of(seats, seed)
    play_for(circle, 2)
    liar = circle.parties[1]
    liar.resumption.__class__ = Denies
    circle.open(0)
    circle.run()
    for party in circle.parties:
        if party is not liar:
            found = [(f.seat, f.reason) for f in party.judge.faults]
            assert found == [(1, Reason.FALSE_ACKNOWLEDGEMENT)]
    entries = all_entries(circle)
    for order in range(6):
        judge = judged(circle, entries, order)
        assert [(f.seat, f.reason) for f in judge.faults] == [
            (1, Reason.FALSE_ACKNOWLEDGEMENT)
        ]


def resumed_by(party: Party, nonce: bytes, notes: list[Signed]) -> Entry:
    body = nonce, tuple((note.encoded, note.signature) for note in notes)
    return party.judge.record.write(
        party._secrets.identity, party.seat, Kind.RESUMED, body
    )


def answers_to(circle: Mortal, to: bytes, **changed: object) -> list[Signed]:
    """What all others would answer seat 0, with something changed in it."""
    chain = circle.parties[1].judge.record.logs[0]
    notes = []
    for party in circle.parties[1:]:
        own = party.judge.record.logs[party.seat]
        note = Acknowledgement(
            circle.parties[1].judge.record.table_scope,
            0,
            to,
            len(chain.entries),
            chain.head(len(chain.entries)),
            party.seat,
            len(own.entries),
            own.head(len(own.entries)),
        )
        notes.append(
            sign_note(party._secrets.identity, note._replace(**changed))  # type: ignore[arg-type]
        )
    return notes


NONCE = b"n" * 32


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"nonce": b"m" * 32}, Reason.MALFORMED),
        ({"asker": 1}, Reason.MALFORMED),
        ({"scope": bytes(16)}, Reason.MALFORMED),
        ({"head": bytes(32)}, Reason.OUT_OF_ORDER),
        ({"held": 1}, Reason.OUT_OF_ORDER),
        ({"held": 1000}, Reason.OUT_OF_ORDER),
        ({"own": 0}, Reason.OUT_OF_ORDER),
    ],
)
@pytest.mark.parametrize("seats", SEATS)
def test_a_false_coming_back_names_who_signed_it(
    seats: int, changed: dict[str, object], reason: Reason
) -> None:
    circle = circle_of(seats)
    play_for(circle, 2)
    notes = answers_to(circle, NONCE, **changed)
    entry = resumed_by(circle.parties[0], NONCE, notes)
    for party in circle.parties[1:]:
        party.receive(entry.signed)
        assert [(f.seat, f.reason) for f in party.judge.faults] == [(0, reason)]


@pytest.mark.parametrize("seats", SEATS)
def test_a_coming_back_without_everybody_is_no_excuse_for_a_fork(seats: int) -> None:
    circle = circle_of(seats)
    play_for(circle, 2)
    notes = answers_to(circle, NONCE)
    notes[-1] = Signed(notes[-1].encoded, bytes(64))
    liar = circle.parties[0]
    entry = resumed_by(liar, NONCE, notes)
    other = liar.judge.record.write(
        liar._secrets.identity, 0, Kind.REVEAL, (0, bytes(32), ())
    )
    for party in circle.parties[1:]:
        party.prove((other.signed, entry.signed))
        assert [(f.seat, f.blame) for f in party.judge.faults] == [(0, Blame.FORK)]


def test_old_answers_serve_no_second_time() -> None:
    circle = circle_of(2)
    play_for(circle, 1)
    notes = answers_to(circle, NONCE)
    play_for(circle, 2)
    entry = resumed_by(circle.parties[0], NONCE, notes)
    party = circle.parties[1]
    party.receive(entry.signed)
    assert [(f.seat, f.reason) for f in party.judge.faults] == [
        (0, Reason.OUT_OF_ORDER)
    ]


# -- notes --------------------------------------------------------------------------


def test_notes_are_read_as_they_were_signed() -> None:
    identity = secrets_of(1, 1)[0].identity
    notes = (
        Question(b"s" * 16, 1, 7, b"n" * 32),
        Acknowledgement(b"s" * 16, 1, b"n" * 32, 3, b"h" * 32, 0, 9, b"l" * 32),
    )
    for note in notes:
        assert read_note(sign_note(identity, note)) == note


def test_a_note_that_nobody_at_the_table_signed_is_the_links_fault() -> None:
    circle = circle_of(2)
    circle.run()
    party = circle.parties[0]
    scope = party.judge.record.table_scope
    stranger = secrets_of(9, 1)[0].identity
    for signed in (
        Signed(b"", bytes(64)),
        sign_note(stranger, Question(scope, 1, 0, NONCE)),
        sign_note(stranger, Question(bytes(16), 1, 0, NONCE)),
        sign_note(stranger, Question(scope, 5, 0, NONCE)),
    ):
        assert isinstance(party.hear(signed).link_fault, LinkFault)
    assert party.resumption.notes == ()


def test_a_question_of_an_earlier_life_does_not_stand_in_the_way() -> None:
    circle = circle_of(3)
    play_for(circle, 1)
    first = circle.open(0)
    (old,) = first.resumption.notes
    circle.kill(0)
    circle.notes.clear()
    circle.take(1, circle.parties[1].hear(old))
    circle.open(0)
    circle.play(play_in_order)
    assert_settled(circle)
