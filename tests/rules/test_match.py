"""Matches: targets, ties, dealers and what they return."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopa_net.rules.errors import RulesError
from scopa_net.rules.match import Match, after_deal, decided_early, new_match
from scopa_net.rules.scoring import SideScore
from scopa_net.rules.variants import Variant, find_variant
from tests.support.deals import SCOPA, opened, variant_with, variants


def side(**points: int) -> SideScore:
    return SideScore(
        cards=0,
        coins=0,
        settebello=False,
        primiera=0,
        suits=0,
        sevens=0,
        scope=0,
        points=points,
        total=sum(points.values()),
    )


def at(*scores: int, **options: Any) -> Match:
    return Match(variant_with(len(scores), **options), scores, 3, 0)


def test_a_match_begins_at_nothing_and_the_seat_after_the_dealer_plays() -> None:
    """S2.13."""
    match = new_match(find_variant("scopa", 4), 3)
    assert (match.scores, match.deal_number, match.dealer, match.first) == (
        (0, 0),
        0,
        3,
        0,
    )
    assert match.winner is None
    assert not match.over


@pytest.mark.parametrize(
    ("scores", "winner"),
    [
        ((10, 9), None),
        ((11, 9), 0),
        ((9, 11), 1),
        ((11, 11), None),
        ((13, 12), 0),
        ((12, 13), 1),
        ((0, 0), None),
        ((12, 12, 11), None),
        ((10, 11, 3), 1),
    ],
)
def test_the_highest_score_at_the_target_wins_and_level_sides_play_on(
    scores: tuple[int, ...], winner: int | None
) -> None:
    """F1, F3, S0.27, S0.28, S2.32, S4.4, S4.18."""
    assert at(*scores).winner == winner


def test_escoba_is_played_to_its_own_target() -> None:
    """S0.29."""
    assert at(20, 11, target=21).winner is None
    assert at(21, 11, target=21).winner == 0


@pytest.mark.parametrize(
    ("scores", "lead", "winner"),
    [((21, 20), 1, 0), ((21, 20), 2, None), ((25, 24), 2, None), ((25, 23), 2, 0)],
)
def test_a_lead_may_be_needed(
    scores: tuple[int, int], lead: int, winner: int | None
) -> None:
    """B15."""
    assert at(*scores, target=21, lead_needed=lead).winner == winner


@pytest.mark.parametrize(
    ("scores", "winner"),
    [
        ((10, 9), None),
        ((11, 9), 1),
        ((14, 12), 1),
        ((12, 12), None),
        ((3, 11, 5), 0),
        ((5, 11, 5), None),
    ],
)
def test_where_the_target_is_to_be_avoided_the_lowest_score_wins(
    scores: tuple[int, ...], winner: int | None
) -> None:
    """Scopa a perdere: who reaches the target loses; level sides play on."""
    assert at(*scores, goal="avoid").winner == winner


def test_a_side_that_is_two_ahead_is_two_below_where_the_target_is_avoided() -> None:
    assert at(11, 10, goal="avoid", lead_needed=2).winner is None
    assert at(12, 10, goal="avoid", lead_needed=2).winner == 1


def test_points_count_when_the_deal_is_over() -> None:
    """C8, F4: a match changes by whole deals only."""
    match = after_deal(at(10, 9), [side(settebello=1), side(cards=1, coins=1)])
    assert match.scores == (11, 11)
    assert match.winner is None
    assert match.deal_number == 4
    assert after_deal(match, [side(), side(scope=1)]).winner == 1


@given(variants(), st.data())
def test_the_deal_goes_round(variant: Variant, data: st.DataObject) -> None:
    """S2.32, S4.17."""
    dealer = data.draw(st.integers(0, variant.players - 1))
    match = new_match(variant, dealer)
    for number in range(1, 8):
        first = match.first
        match = after_deal(match, [side()] * variant.sides)
        assert match.dealer == first == (dealer + number) % variant.players
        assert match.deal_number == number


@given(variants(), st.data())
def test_returns_sum_to_zero_and_are_zero_before_the_end(
    variant: Variant, data: st.DataObject
) -> None:
    scores = data.draw(
        st.lists(st.integers(0, 60), min_size=variant.sides, max_size=variant.sides)
    )
    match = Match(variant, tuple(scores), 1, 0)
    assert sum(match.returns) == 0
    assert len(match.returns) == variant.players
    for seat, worth in enumerate(match.returns):
        if match.winner is None:
            assert worth == 0
        else:
            assert (worth > 0) == (seat % variant.sides == match.winner)


def test_counting_in_order_decides_between_sides_that_both_reach_the_target() -> None:
    """Cards, coins, settebello, primiera, scope: who is at the target first."""
    match = at(10, 10, tie_at_target="count-in-order")
    won = after_deal(match, [side(scope=3), side(cards=1)])
    assert (won.scores, won.winner) == ((13, 11), 1)
    assert after_deal(match, [side(settebello=1), side(primiera=1)]).winner == 0
    level = after_deal(match, [side(scope=1), side(scope=1)])
    assert level.winner is None
    ahead = after_deal(match, [side(scope=2), side(scope=1)])
    assert ahead.winner == 0
    assert after_deal(at(10, 10), [side(scope=3), side(cards=1)]).winner == 0


SETTEBELLO_TAKEN = opened("7C 2D 3C KB", "7D", play="7Dx7C")


def test_certain_points_end_a_match_only_where_the_rules_look_at_once() -> None:
    """F4: ten points and the settebello."""
    for end_check, winner in (("end-of-hand", None), ("at-once", 0)):
        variant = variant_with(end_check=end_check)
        deal = replace(SETTEBELLO_TAKEN, variant=variant)
        now = decided_early(Match(variant, (10, 3), 1, 0), deal)
        assert (now.winner if now else None) == winner
        if now:
            assert (now.scores, now.deal_number) == ((11, 3), 2)
            assert decided_early(Match(variant, (9, 3), 1, 0), deal) is None


def test_who_avoids_the_target_loses_at_once_by_reaching_it() -> None:
    variant = variant_with(end_check="at-once", goal="avoid")
    deal = replace(SETTEBELLO_TAKEN, variant=variant)
    now = decided_early(Match(variant, (10, 3), 1, 0), deal)
    assert now is not None
    assert now.winner == 1


def test_a_deal_may_win_the_match_outright() -> None:
    napoleone = SideScore(10, 10, True, 21, 1, 1, 0, {"coins": 1}, 1, (), True)  # noqa: FBT003
    match = after_deal(at(0, 10), [napoleone, side(cards=1)])
    assert (match.scores, match.winner) == ((1, 11), 0)


def test_a_finished_match_goes_no_further() -> None:
    with pytest.raises(RulesError, match="The match is over"):
        after_deal(at(11, 3), [side(), side()])


def test_a_deal_scores_every_side() -> None:
    with pytest.raises(RulesError, match="2 sides"):
        after_deal(at(0, 0), [side()])


@pytest.mark.parametrize(
    ("scores", "number", "dealer", "decided", "why"),
    [
        ((0,), 0, 0, None, "2 sides"),
        ((0, 0, 0), 0, 0, None, "2 sides"),
        ((0, 0), -1, 0, None, "counted from 0"),
        ((0, 0), 0, 2, None, "no seat 2"),
        ((0, 0), 0, -1, None, "no seat -1"),
        ((0, 0), 0, 0, 2, "no side 2"),
    ],
)
def test_a_match_that_cannot_be_is_refused(
    scores: tuple[int, ...], number: int, dealer: int, decided: int | None, why: str
) -> None:
    with pytest.raises(RulesError, match=why):
        Match(SCOPA, scores, number, dealer, decided)
