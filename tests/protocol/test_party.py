"""Whole toy matches between honest parties, delivered in any order."""

from random import Random
from typing import Any, cast

import pytest

from protocol.archive import write_archive
from protocol.audit import audit
from protocol.bodies import Ready, deck_number, said
from protocol.codec import Value
from protocol.course import MAKING
from protocol.crypto.group import EDWARDS
from protocol.entry import Entry, Kind
from protocol.faults import LocalProtocolError, Signed
from protocol.judge import Judge
from protocol.party import Party
from tests.support.malice import declare_first, play_in_order
from tests.support.parties import Choose, Circle, judged
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening

SEATS = (2, 3, 4, 6)


def positions_for(seats: int) -> int:
    """A face-up card, two a seat and two to draw."""
    return 1 + 2 * seats + 2


def played(
    seats: int,
    seed: int = 0,
    *,
    choose: Choose = play_in_order,
    deals: int = 1,
    redeals: int = 0,
) -> Circle:
    circle = Circle(
        toy_opening(deals=deals, redeals=redeals),
        seats=seats,
        positions=positions_for(seats),
        seed=seed,
    )
    circle.play(choose)
    return circle


def record_of(party: Party) -> bytes:
    record = party.judge.record
    return write_archive(record.signed(seat) for seat in range(party.judge.seats))


def state_of(judge: Judge) -> tuple[object, ...]:
    """All that a judge has made of its entries."""
    course = judge.course
    return (
        judge.record.counts(),
        judge.record.heads(judge.record.counts()),
        tuple(judge.faults),
        course.disagreement,
        [
            (
                deck.id,
                deck.game.digest(),
                sorted(deck.opened.items()),
                deck.replayed,
                sorted(deck.verdicts),
                deck.lost,
            )
            for deck in course.decks
        ],
        len(course.shufflings),
    )


def assert_settled(circle: Circle) -> None:
    first = circle.parties[0]
    assert all(party.settled for party in circle.parties)
    assert not any(party.judge.stopped for party in circle.parties)
    assert len({record_of(party) for party in circle.parties}) == 1
    for party in circle.parties:
        assert state_of(party.judge) == state_of(first.judge)
    assert first.judge.course.verified
    result = audit(record_of(first), SMALL, circle.opening)
    assert result.sound
    assert result.finished


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("seed", range(3))
def test_a_match_settles_with_equal_records_and_states(seats: int, seed: int) -> None:
    assert_settled(played(seats, seed))


@pytest.mark.parametrize("seats", SEATS)
def test_a_hand_can_be_declared_before_it_is_played(seats: int) -> None:
    circle = played(seats, choose=declare_first)
    assert_settled(circle)
    (deck,) = circle.parties[0].judge.decks
    assert len(deck.acts) > positions_for(seats) - 1


@pytest.mark.parametrize("seats", SEATS)
def test_the_next_deal_is_dealt_from_a_deck_prepared_ahead(seats: int) -> None:
    circle = played(seats, deals=2)
    assert_settled(circle)
    judge = circle.parties[0].judge
    assert len(judge.decks) == 2
    last_act = judge.decks[0].acts[-1]
    made = judge.course.shufflings[1]
    for steps in (made.commits, made.key_entries, made.stage_entries, made.readies):
        assert all(steps)
    assert made.proven
    for proof in made.proof_entries:
        assert proof is not None
        assert not proof.covers(last_act)


@pytest.mark.parametrize("seats", SEATS)
def test_when_a_deal_ends_everybody_holds_the_next_deck_proven(seats: int) -> None:
    # So the next deal, or a redeal in it, waits for no mathematics but its shares.
    circle = Circle(
        toy_opening(deals=2), seats=seats, positions=positions_for(seats), seed=1
    )

    def look(party: Party) -> tuple[tuple[int, ...], Value] | None:
        judge = party.judge
        if len(judge.decks) == 1:
            for other in circle.parties:
                (_, ahead) = other.judge.course.shufflings
                assert ahead.proven
                assert all(ahead.readies)
        return play_in_order(party)

    circle.play(look)
    assert_settled(circle)


class Eager(Circle):
    """Everybody acts as soon as it can, whatever is under way."""

    def step(self) -> bool:
        if not super().step():
            return False
        for party in self.parties:
            if not party.acting and None not in party.cards().values():
                self._act(party, play_in_order)
        return True


def test_no_deck_is_made_on_when_the_match_is_over() -> None:
    # Who leaves then has all that will ever be signed.
    unfinished = 0
    for seed in range(60):
        opening = toy_opening(deals=2, ends_early=True)
        circle = Eager(opening, seats=2, positions=5, seed=seed)
        circle.play(play_in_order)
        assert_settled(circle)
        judge = circle.parties[0].judge
        unfinished += not judge.course.shufflings[1].proven
        for log in judge.record.logs:
            for entry in log.entries:
                making = entry.kind in MAKING and deck_number(entry) == 1
                assert not (making and judge.decks[0].over_in(entry))
    assert unfinished > 3


@pytest.mark.parametrize("seats", [2, 3])
def test_a_redeal_takes_the_next_deck_and_keeps_the_deal(seats: int) -> None:
    # F1.
    counts = set()
    for seed in range(6):
        circle = played(seats, seed, redeals=4, deals=2)
        assert_settled(circle)
        counts.add(len(circle.parties[0].judge.decks))
    assert max(counts) > 2


def test_the_real_group_settles_too() -> None:
    circle = Circle(toy_opening(), seats=2, positions=7, suite=EDWARDS)
    circle.play(play_in_order)
    assert all(party.settled for party in circle.parties)


# -- folding ---------------------------------------------------------------------


def entries_of(party: Party) -> list[Signed]:
    record = party.judge.record
    return [one for seat in range(party.judge.seats) for one in record.signed(seat)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_any_order_of_the_same_entries_gives_the_same_state(seats: int) -> None:
    circle = played(seats, deals=2, choose=declare_first)
    expected = state_of(circle.parties[0].judge)
    for seed in range(8):
        judge = judged(circle, entries_of(circle.parties[0]), seed)
        assert state_of(judge) == expected


@pytest.mark.parametrize("seats", [2, 3])
def test_any_part_of_a_record_is_judged_without_blame(seats: int) -> None:
    circle = played(seats, deals=2)
    entries = entries_of(circle.parties[0])
    luck = Random(1)
    for seed in range(20):
        some = [one for one in entries if luck.random() < 0.97]
        judge = judged(circle, some, seed)
        assert judge.faults == []
        assert not judge.stopped


# -- one seat --------------------------------------------------------------------


def test_a_seat_acts_only_in_its_turn_and_with_cards_it_can_read() -> None:
    circle = Circle(toy_opening(), seats=2, positions=7)
    while circle.step():
        pass
    deck = circle.parties[0].judge.deck
    assert deck is not None
    turn = deck.game.turn()
    assert turn is not None
    idle, mover = circle.parties[1 - turn], circle.parties[turn]
    with pytest.raises(LocalProtocolError):
        idle.act(*(play_in_order(idle) or ((0,), ())))
    foreign = next(iter(idle.cards()))
    with pytest.raises(LocalProtocolError):
        mover.act((foreign,), (0,))


def recalled(circle: Circle, party: Party, signed: list[Signed]) -> Party:
    again: Any = Party(
        SMALL, party._secrets, circle.terms, circle.nonce, circle.opening
    )
    for one in signed:
        again.recall(one)
    return again  # type: ignore[no-any-return]


def about(entry: Entry) -> tuple[object, ...]:
    """What an entry is, but for what it says: its kind, its deck and its round."""
    body = cast("tuple[object, ...]", entry.body)
    return (entry.kind, *body[: 2 if entry.kind == Kind.SHARES else 1])


def test_a_seat_killed_before_any_entry_makes_the_same_one_again() -> None:
    circle = played(3, deals=2)
    party = circle.parties[0]
    whole = [e for log in party.judge.record.logs for e in log.entries]
    # What an entry covers has a smaller sum, so this is an order in which they came.
    whole.sort(key=lambda entry: (sum(entry.seen), entry.seat))
    made = {about(entry): entry.body for entry in whole if entry.seat == 0}
    compared: list[tuple[object, ...]] = []
    for count, entry in enumerate(whole):
        if entry.seat != 0 or entry.kind == Kind.ACT:
            continue
        again = recalled(circle, party, [e.signed for e in whole[:count]])
        kept = len(again.judge.record.logs[0].entries)
        tasks = list(again.begin().tasks)
        while tasks and len(again.judge.record.logs[0].entries) == kept:
            task = tasks.pop()
            tasks += again.done(task, task.run()).tasks
        for fresh in again.judge.record.logs[0].entries[kept : kept + 1]:
            assert fresh.body == made[about(fresh)]
            compared.append(about(fresh))
    assert len(compared) > 15
    assert {(Kind.PROOF, 0), (Kind.PROOF, 1)} <= set(compared)


def test_a_card_played_before_a_restart_is_not_taken_for_a_spoiled_one() -> None:
    circle = played(2)
    party = circle.parties[0]
    again = recalled(circle, party, entries_of(party))
    again.begin()
    assert None not in again.cards().values()
    assert again.judge.record.counts() == party.judge.record.counts()


def test_a_seat_says_ready_for_the_deal_it_has_seen() -> None:
    circle = played(2, deals=2)
    for made in circle.parties[0].judge.course.shufflings:
        plans = {said(e, Ready).plan for mine in made.readies for e in mine}
        assert len(plans) == 1
