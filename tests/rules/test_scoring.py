"""Scores by side and category, with their reasons."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scopa_net.rules import kernel, points
from scopa_net.rules.cards import MAZZO, cards
from scopa_net.rules.deal import Deal, apply, legal_actions, new_deal
from scopa_net.rules.errors import RulesError
from scopa_net.rules.scoring import (
    CATEGORIES,
    Reason,
    SideScore,
    certain_score,
    score_deal,
    score_piles,
)
from scopa_net.rules.variants import Variant, find_variant
from tests.support.deals import (
    RULE_SETS,
    SCOPA,
    deals,
    opened,
    variant_with,
    variants,
)

STARGAMES = find_variant("stargames-scopa")


def scored(
    *piles: str, variant: Variant = SCOPA, scope: tuple[int, ...] = ()
) -> tuple[SideScore, ...]:
    return score_piles(variant, [cards(pile) for pile in piles], scope)


def won(category: str, *piles: str, **options: Any) -> list[int]:
    variant = variant_with(len(piles), **options)
    return [side.points.get(category, 0) for side in scored(*piles, variant=variant)]


def reason(score: SideScore, category: str) -> Reason:
    return next(one for one in score.reasons if one.category == category)


@given(deals(finished=True))
@settings(max_examples=60)
def test_the_points_by_category_add_up_to_the_total_of_the_kernel(deal: Deal) -> None:
    state = list(deal.state)
    points.score(deal.variant.rules, state)
    for side, score in enumerate(score_deal(deal)):
        assert score.total == state[kernel.TOTAL + side]
        assert score.total == sum(score.points.values())
        assert score.total == sum(one.points for one in score.reasons)
        assert set(score.points) <= set(CATEGORIES)
        assert 0 not in score.points.values()


@given(deals(finished=True))
@settings(max_examples=60)
def test_reasons_name_cards_of_the_own_pile_and_agree_on_figures(deal: Deal) -> None:
    scores = score_deal(deal)
    for side, score in enumerate(scores):
        pile = set(deal.pile(side))
        for one in score.reasons:
            assert set(one.cards) <= pile
            if one.figures:
                assert one.figures == reason(scores[0], one.category).figures
            if one.tied:
                assert one.points == 0
                assert len(one.level) > 1
                best = {one.figures[side] for side in one.level}
                assert len(best) == 1


@given(deals(finished=True, among=st.just(SCOPA)))
@settings(max_examples=40)
def test_a_deal_is_worth_four_points_and_its_scope_at_most(deal: Deal) -> None:
    scores = score_deal(deal)
    assert sum(score.cards for score in scores) == 40
    total = sum(score.total for score in scores)
    assert total <= 4 + sum(score.scope for score in scores)


@given(deals(finished=True))
@settings(max_examples=30)
def test_piles_score_as_the_deal_that_made_them(deal: Deal) -> None:
    sides = range(deal.variant.sides)
    same = score_piles(
        deal.variant,
        [deal.pile(side) for side in sides],
        [deal.scope(side) for side in sides],
        [deal.state[kernel.EXTRA + side] for side in sides],
    )
    assert same == score_deal(deal)


@given(variants())
def test_empty_piles_earn_nothing(variant: Variant) -> None:
    """C5: no capture at all, and no crash."""
    scores = score_piles(variant, [()] * variant.sides)
    assert [score.total for score in scores] == [0] * variant.sides
    assert all(score.points == {} for score in scores)


def test_a_score_says_what_the_pile_holds() -> None:
    [mine, theirs] = scored("7D 7C 6S AB 2D KD", "7S 5C 5D KB", scope=(2, 1))
    assert (mine.cards, mine.coins, mine.sevens, mine.suits) == (6, 3, 2, 4)
    assert (mine.settebello, mine.scope, mine.primiera) == (True, 2, 76)
    assert mine.points == {
        "cards": 1,
        "coins": 1,
        "settebello": 1,
        "primiera": 1,
        "scope": 2,
    }
    assert (mine.total, theirs.total) == (6, 1)
    assert theirs.points == {"scope": 1}
    assert (theirs.primiera, theirs.settebello) == (61, False)


def test_equal_majorities_are_nobodys_and_say_so() -> None:
    """E7, S0.30, S0.31, S2.26, S2.27, S4.14."""
    ours = [one for one in MAZZO if one.suit in (0, 1)]
    half = [*ours[:10], *(one for one in MAZZO if one.suit in (2, 3))][:20]
    scores = score_piles(SCOPA, [half, [one for one in MAZZO if one not in half]])
    assert [score.cards for score in scores] == [20, 20]
    assert [score.points.get("cards", 0) for score in scores] == [0, 0]
    assert reason(scores[0], "cards") == Reason("cards", 0, (), (20, 20), level=(0, 1))
    [left, right] = scored("AD 2D 3C", "4D 5D 6C")
    assert reason(left, "coins") == Reason(
        "coins", 0, cards("AD 2D"), (2, 2), level=(0, 1)
    )
    assert left.points == right.points == {}


def test_three_sides_of_which_two_are_level_win_no_majority() -> None:
    """E8."""
    piles = [MAZZO[:14], MAZZO[14:28], MAZZO[28:]]
    scores = score_piles(find_variant("scopa", 3), piles)
    assert [score.points.get("cards", 0) for score in scores] == [0, 0, 0]
    assert reason(scores[2], "cards").figures == (14, 14, 12)
    assert reason(scores[2], "cards").level == (0, 1)


def test_more_than_half_is_more_than_the_most() -> None:
    three = ("AD 2D 3D", "4D 5C", "6C 7C")
    assert won("coins", *three) == [1, 0, 0]
    assert won("coins", *three, majority="more-than-half") == [0, 0, 0]
    scores = scored(*three, variant=variant_with(3, majority="more-than-half"))
    assert not reason(scores[0], "coins").tied


@pytest.mark.parametrize(
    ("pile", "primiera"),
    [
        ("7C 7D 6C 5S", 57),
        ("7C 7D 6B 5S", 75),
        ("7C 7D 6B AS", 76),
        ("7S 5C 5D KB", 61),
        ("7D 7C 7S 5B", 78),
        ("7D 7C 7S 7B", 84),
        ("JD QC KS JB", 40),
        ("", 0),
    ],
)
def test_the_primiera_sums_the_best_card_of_each_suit(pile: str, primiera: int) -> None:
    """E1, E2, E4, S2.29, S2.30."""
    assert scored(pile, "")[0].primiera == primiera


def test_the_reason_of_a_primiera_is_its_cards() -> None:
    [mine, theirs] = scored("7C 7D 6B AS 6S 5D", "7S 5C KD KB")
    assert reason(mine, "primiera") == Reason(
        "primiera", 1, cards("7D 7C 6S 6B"), (78, 56)
    )
    assert set(reason(theirs, "primiera").cards) == set(cards("KD 5C 7S KB"))


def test_a_pile_that_lacks_a_suit_is_out_of_the_running() -> None:
    """E5: A has 63 in three sevens; B has 40 in four faces."""
    piles = ("7C 7S 7B", "JC JS JB KD")
    assert won("primiera", *piles) == [0, 1]
    [first, _] = scored(*piles)
    assert first.primiera == 63
    assert reason(first, "primiera").figures == (0, 40)


def test_more_suits_go_before_a_higher_total_where_the_variant_says_so() -> None:
    """S0.35."""
    for ours, theirs, expected in [
        ("7D 7C 7S", "JD JC JS JB", [0, 1]),
        ("7D 7C", "JD JC JS", [0, 1]),
        ("7D 7C 7S", "7B 6C 6D", [1, 0]),
        ("7D 7C", "7S 7B", [0, 0]),
    ]:
        scores = scored(ours, theirs, variant=STARGAMES)
        assert [side.points.get("primiera", 0) for side in scores] == expected


def test_equal_primiere_are_nobodys() -> None:
    """S0.34, S2.31."""
    [mine, _] = scored("7D 6C 5S AB", "6D 7C AS 5B")
    assert reason(mine, "primiera").tied
    assert mine.points.get("primiera", 0) == 0


def test_most_sevens_stand_in_place_of_the_primiera() -> None:
    """E13, S4.13: even if the fourth suit is missing."""
    option = {"points": "most-sevens+shoot-out"}
    assert won("sevens", "7D 7C 7S", "7B AD AC AS", **option) == [1, 0]
    assert won("primiera", "7D 7C 7S", "7B AD AC AS", **option) == [0, 0]


def test_two_sevens_each_are_decided_by_a_shoot_out() -> None:
    """E11, S4.15, S4.16: the best cards in the other side's suits, best first."""
    option: dict[str, Any] = {"points": "most-sevens+shoot-out"}
    assert won("sevens", "7D 7C 6S 5B", "7S 7B 6D 5C", **option) == [0, 0]
    assert won("sevens", "7D 7C 6S 2B", "7S 7B AD 5C", **option) == [1, 0]
    scores = scored("7D 7C 6S 2B", "7S 7B AD 5C", variant=variant_with(**option))
    assert reason(scores[0], "sevens") == Reason(
        "sevens", 1, cards("6S 2B"), (2, 2), shoot_out=True
    )
    assert reason(scores[1], "sevens").cards == cards("AD 5C")
    assert won("sevens", "7D 7C 6S 2B", "7S 7B AD 5C", points="most-sevens") == [0, 0]


def test_a_shoot_out_is_only_between_two_sides_with_two_sevens() -> None:
    option: dict[str, Any] = {"points": "most-sevens+shoot-out"}
    for variant, piles, between in (
        (variant_with(**option), ("7D 7C 7S", "7B"), []),
        (variant_with(**option), ("7D", "7B"), []),
        (variant_with(points="most-sevens"), ("7D 7C", "7S 7B"), []),
        (variant_with(3, **option), ("7D 7C", "KS", "7S 7B AD"), [0, 2]),
    ):
        scores = scored(*piles, variant=variant)
        found = [reason(score, "sevens").shoot_out for score in scores]
        assert [side for side, one in enumerate(found) if one] == between


def test_sides_out_of_the_running_are_not_level() -> None:
    assert not reason(scored("2D 3C", "3D 2C")[0], "primiera").tied
    assert not reason(scored("", "")[0], "cards").tied
    assert reason(scored("2D", "3C")[0], "cards").tied


def test_all_four_sevens_pay_once_more_with_the_option() -> None:
    """E17."""
    options = {"points": "most-sevens", "all_sevens": "on"}
    assert won("sevens", "7D 7C 7S 7B", "", **options) == [2, 0]
    assert won("sevens", "7D 7C 7S", "7B", **options) == [1, 0]


@pytest.mark.parametrize(
    ("napola", "pile", "points_"),
    [
        ("length", "AD 2D 3D 4D 5D JD", 5),
        ("length", "AD 3D 4D 5D JD", 0),
        ("length", "AD 2D", 0),
        ("length", "AD 2D 3D 4D 5D 6D 7D JD QD KD", 10),
        ("cap-6", "AD 2D 3D 4D 5D 6D 7D JD QD KD", 6),
        ("off", "AD 2D 3D", 0),
    ],
)
def test_the_napola_is_the_run_from_the_asso_of_denari(
    napola: str, pile: str, points_: int
) -> None:
    """E15."""
    assert won("napola", pile, "", napola=napola) == [points_, 0]
    if points_:
        [score, _] = scored(pile, "", variant=variant_with(napola=napola))
        assert len(reason(score, "napola").cards) == points_


def test_all_denari_win_the_match_where_the_variant_says_so() -> None:
    """E15."""
    all_denari = "AD 2D 3D 4D 5D 6D 7D JD QD KD"
    variant = variant_with(napola="napoleone")
    assert [side.wins_match for side in scored(all_denari, "", variant=variant)] == [
        True,
        False,
    ]
    assert not scored(all_denari, "")[0].wins_match


def test_three_low_denari_win_also_where_all_ten_do() -> None:
    variant = find_variant("trentino", 4, {"napola": "napoleone"})
    [low, _] = scored("AD 2D 3D", "4D", variant=variant)
    assert low.wins_match
    [most, _] = scored("2D 3D 4D 5D 6D 7D JD QD KD", "AD", variant=variant)
    assert not most.wins_match


def test_the_re_bello_pays_a_point() -> None:
    """E19."""
    assert won("re_bello", "KD", "KC", re_bello="on") == [1, 0]
    assert won("re_bello", "KD", "KC") == [0, 0]


def test_other_points_are_extra() -> None:
    assert won("extra", "JD QD KD", "", grande="5") == [5, 0]
    trentino = variant_with(trentino="on")
    [score, _] = scored("AD 2D 3D 7D", "", variant=trentino)
    assert (score.points["extra"], score.points["settebello"]) == (6, 1)
    assert reason(score, "extra").cards == cards("AD 2D 3D")
    [score, _] = score_piles(find_variant("cirulla"), [(), ()], declared=[13])
    assert score.points == {"extra": 13}
    assert reason(score, "extra").kind == "declared"


def test_four_cavalli_double_the_scope() -> None:
    ponino = variant_with(ponino="on")
    [mine, theirs] = scored("QD QC QS QB", "AD", variant=ponino, scope=(2, 2))
    assert (mine.points["scope"], theirs.points["scope"]) == (4, 2)
    assert (mine.scope, theirs.scope) == (2, 2)
    assert reason(mine, "scope").cards == cards("QD QC QS QB")
    assert reason(theirs, "scope").cards == ()


def test_points_that_a_variant_does_not_give_have_no_reason() -> None:
    only_settebello = variant_with(cards="0", coins="0", scopa="0", points="none")
    [mine, theirs] = scored("7D KD", "7C", variant=only_settebello, scope=(1, 0))
    assert mine.points == {"settebello": 1}
    assert (mine.total, mine.scope) == (1, 1)
    assert [one.category for one in theirs.reasons] == ["settebello"]


def test_teams_score_their_piles_together() -> None:
    """S0.36, S0.37, S2.7: seats 0 and 2 have one pile, 1 and 3 the other."""
    deal = opened(
        *("3D 4D 5D 6D", "3C", "4C", "5C", "6C"),
        variant=find_variant("scopa", 4),
        play="3Cx3D 4Cx4D 5Cx5D 6Cx6D#",
    )
    assert [deal.side(seat) for seat in range(4)] == [0, 1, 0, 1]
    [ours, theirs] = score_deal(deal)
    assert (ours.cards, theirs.cards) == (4, 4)
    assert deal.pile(0) == cards("3D 3C 5D 5C")
    assert (ours.scope, theirs.scope) == (0, 1)


@pytest.mark.parametrize(
    ("piles", "scope", "why"),
    [
        (["7D"], (), "2 sides score"),
        (["7D", "3C", "4S"], (), "2 sides score"),
        (["7D", "7D"], (), "7D lies in two piles"),
        (["7D", ""], (1, 2, 3), "Give the scope of 2 sides"),
        (["7D", ""], (-1,), "0 or more"),
    ],
)
def test_piles_that_cannot_be_are_refused(
    piles: list[str], scope: tuple[int, ...], why: str
) -> None:
    with pytest.raises(RulesError, match=why):
        score_piles(SCOPA, [cards(pile) for pile in piles], scope)


def test_a_running_deal_scores_as_if_it_ended_now() -> None:
    deal = new_deal(SCOPA, 0, range(40))
    assert [score.total for score in score_deal(deal)] == [0, 0]
    assert reason(score_deal(deal)[0], "settebello").cards == ()


# What is certain before the end.


@pytest.mark.parametrize("variant", RULE_SETS.values(), ids=RULE_SETS.keys())
def test_certain_points_stay_whatever_is_played(variant: Variant) -> None:
    """And at the end they are all."""
    rng = random.Random(variant.fingerprint)
    deal = new_deal(variant, 0, rng.sample(range(40), 40))
    certain = certain_score(deal)
    while deal.turn is not None:
        deal = apply(deal, rng.choice(legal_actions(deal)))
        after = certain_score(deal)
        for before, now in zip(certain, after, strict=True):
            assert now.total == sum(now.points.values())
            assert all(now.points[name] >= n for name, n in before.points.items())
        certain = after
    assert deal.redeal_due or certain == score_deal(deal)


@pytest.mark.parametrize(
    ("pile", "points_"),
    [
        ("7D", {"settebello": 1}),
        ("AD 2D 3D 4D 5D", {}),
        ("AD 2D 3D 4D 5D 6D", {"coins": 1}),
        ("7C 7S 6B 6D", {}),
        ("7C 7S 7B 6D", {"primiera": 1}),
        ("7C 7S 7B 7D", {"settebello": 1, "primiera": 1}),
    ],
)
def test_a_point_is_certain_when_the_others_cannot_win_it_with_all_that_is_left(
    pile: str, points_: dict[str, int]
) -> None:
    state = list(new_deal(SCOPA, 0, range(40)).state)
    state[kernel.PILE] = sum(1 << one.index for one in cards(pile))
    deal = Deal(SCOPA, 0, tuple(range(40)), (), tuple(state))
    [mine, theirs] = certain_score(deal)
    assert dict(mine.points) == points_
    assert dict(theirs.points) == {}


def test_sevens_are_certain_from_three_on_or_by_a_shoot_out_that_is_won() -> None:
    variant = variant_with(3, points="most-sevens+shoot-out")
    state = list(new_deal(variant, 0, range(40)).state)
    for piles, won_ in (
        (("7D 7C 7S", "", ""), 1),
        (("7D 7C 6S 6B", "7S", ""), 0),
        (("7D 7C 6S 6B", "7S 7B", ""), 0),
        (("7D 7C 6S 6B", "7S 7B", "6D 6C"), 1),
        (("7D 7C", "7S 7B", "6D 6C"), 0),
    ):
        for side, pile in enumerate(piles):
            state[kernel.PILE + side] = sum(1 << one.index for one in cards(pile))
        deal = Deal(variant, 0, tuple(range(40)), (), tuple(state))
        assert certain_score(deal)[0].points.get("sevens", 0) == won_
