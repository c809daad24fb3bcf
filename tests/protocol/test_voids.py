"""Deals that all agree not to count, and deals that somebody wants to count."""

from random import Random

import pytest

from protocol.audit import audit
from protocol.entry import Kind
from protocol.faults import LocalProtocolError
from protocol.judge import Judge
from tests.protocol.test_leaving import (
    all_signed,
    at_every_size,
    can_play,
    come_to_rest,
    entries_of,
)
from tests.protocol.test_party import record_of, state_of
from tests.support.malice import play_in_order
from tests.support.parties import Circle, judged
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening
from tests.support.voids import Voiders

OFTEN, SELDOM, NEVER = 0.3, 0.1, 0.0


def table(
    seats: int, seed: int = 0, calls: float = NEVER, agrees: float = 1
) -> Voiders:
    return Voiders(
        toy_opening(deals=2),
        calls=calls,
        agrees=agrees,
        seats=seats,
        positions=3 + 2 * seats,
        seed=seed,
    )


def dealt(circle: Circle) -> None:
    while not can_play(circle):
        circle.step()
    come_to_rest(circle)


def deals_of(judge: Judge) -> list[tuple[int, bool]]:
    """Of every deck, for which deal it was, and whether that was void."""
    return [(deck.game.deal, deck.void) for deck in judge.decks]  # type: ignore[attr-defined]


def assert_all_alike(circle: Circle, orders: int = 2) -> None:
    first = circle.parties[0].judge
    for party in circle.parties:
        assert party.judge.faults == []
        assert party.settled
        assert state_of(party.judge) == state_of(first)
        assert deals_of(party.judge) == deals_of(first)
    (record,) = {record_of(party) for party in circle.parties}
    found = audit(record, SMALL, circle.opening)
    assert found.sound
    assert found.finished
    for order in range(orders):
        judge = judged(circle, all_signed(circle), order)
        assert judge.faults == []
        assert state_of(judge) == state_of(first)
        assert deals_of(judge) == deals_of(first)


@at_every_size
def test_a_deal_that_all_call_void_is_opened_and_dealt_again(seats: int) -> None:
    # F7, F9.
    circle = table(seats)
    dealt(circle)
    assert circle._act(
        next(p for p in circle.parties if circle.may_act(p)), play_in_order
    )
    come_to_rest(circle)
    for party in circle.parties:
        circle.take(party.seat, party.tell(Kind.VOID))
        come_to_rest(circle)
    judge = circle.parties[0].judge
    assert deals_of(judge) == [(0, True), (0, False)]
    assert judge.decks[0].verified
    assert sorted(entries_of(circle, Kind.REVEAL)) == [*range(seats)]
    before, after = judge.decks
    assert (after.game.dealer, after.acts) == (before.game.dealer, [])  # type: ignore[attr-defined]
    circle.play(play_in_order)
    assert deals_of(judge) == [(0, True), (0, False), (1, False)]
    assert_all_alike(circle)


@at_every_size
def test_who_has_adjourned_and_then_calls_a_deal_void_goes_on_with_it(
    seats: int,
) -> None:
    circle = table(seats)
    dealt(circle)
    for kind in (Kind.ADJOURN, Kind.VOID):
        for party in circle.parties:
            circle.take(party.seat, party.tell(kind))
            come_to_rest(circle)
    for party in circle.parties:
        assert party.judge.course.leaving.away == frozenset()
        assert not party.away
    assert deals_of(circle.parties[0].judge) == [(0, True), (0, False)]
    circle.play(play_in_order)
    assert_all_alike(circle)


@at_every_size
def test_a_deal_counts_if_one_seat_says_so(seats: int) -> None:
    # F7: the first refusal is the end of it.
    circle = table(seats)
    dealt(circle)
    *others, last = circle.parties
    for party in others:
        circle.take(party.seat, party.tell(Kind.VOID))
        come_to_rest(circle)
    circle.take(last.seat, last.tell(Kind.REFUSE))
    come_to_rest(circle)
    for party in circle.parties:
        assert not party.can(Kind.VOID)
        assert not party.can(Kind.REFUSE)
        with pytest.raises(LocalProtocolError):
            party.tell(Kind.VOID)
    circle.play(play_in_order)
    assert deals_of(last.judge) == [(0, False), (1, False)]
    assert_all_alike(circle)


@at_every_size
def test_who_plays_on_has_refused(seats: int) -> None:
    # F7.
    circle = table(seats)
    dealt(circle)
    next_ = next(p for p in circle.parties if circle.may_act(p))
    for party in circle.parties:
        if party is not next_:
            circle.take(party.seat, party.tell(Kind.VOID))
    come_to_rest(circle)
    assert circle._act(next_, play_in_order)
    circle.play(play_in_order)
    assert_all_alike(circle)


@at_every_size
def test_who_has_called_a_deal_void_waits_for_all(seats: int) -> None:
    # F7: it plays no card and gives no share of it.
    circle = table(seats)
    dealt(circle)
    next_ = next(p for p in circle.parties if circle.may_act(p))
    circle.take(next_.seat, next_.tell(Kind.VOID))
    come_to_rest(circle)
    choice = play_in_order(next_)
    assert choice is not None
    with pytest.raises(LocalProtocolError):
        next_.act(*choice)
    for party in circle.parties:
        assert not party.judge.ended
        deck = party.judge.deck
        assert deck is not None
        assert not deck.over


def test_a_deal_that_is_over_is_not_called_void_any_more() -> None:
    # F8.
    circle = table(2)
    circle.play(play_in_order)
    assert not any(party.can(Kind.VOID) for party in circle.parties)


@at_every_size
@pytest.mark.parametrize(
    ("calls", "agrees"), [(SELDOM, 1.0), (OFTEN, 0.9), (OFTEN, 0.0)]
)
def test_voids_end_alike_for_all_in_any_order(
    seats: int, calls: float, agrees: float
) -> None:
    # F7.
    found = []
    for seed in range(2):
        circle = table(seats, seed, calls, agrees)
        circle.play(play_in_order)
        assert_all_alike(circle)
        found += [void for _, void in deals_of(circle.parties[0].judge)]
    assert any(found) == (agrees > 0)


@at_every_size
def test_a_match_survives_crashes_around_its_voids(seats: int) -> None:
    # F6: who has called a deal void is bound by it after a crash.
    circle = table(seats, seats, OFTEN, 0.8)
    luck = Random(seats)
    for _ in range(6):
        for _ in range(luck.randrange(60)):
            if not circle.step():
                any(circle._act(party, play_in_order) for party in circle.parties)
        circle.open(luck.randrange(seats))
    circle.play(play_in_order)
    # A judge lets go of what follows a return that it does not know yet.
    assert_all_alike(circle, orders=0)
    assert entries_of(circle, Kind.VOID)
