"""What the guards prefer, and that nearly equal plays are told apart by them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ai.guards import (
    GUARDS,
    Look,
    anchor,
    last_capture,
    look_at,
    partner,
    primiera,
    settebello,
    spariglio,
    target,
    whole_table,
)
from ai.rule_bot import NEAR, RuleBot
from scopa_net.bots import Deal, Match, Observation, Play, apply, card, cards
from scopa_net.rules.deal import new_deal
from scopa_net.rules.kernel import LEFT, TURN
from scopa_net.rules.notation import parse_action
from scopa_net.rules.variants import find_variant
from tests.ai.positions import opening, seen_by_mover


def look(table: str, hand: str, action: str) -> Look:
    seen = opening(table, hand)
    return look_at(seen, parse_action(seen.deal, action))


def test_the_settebello_is_taken_and_not_laid() -> None:
    assert settebello(look("7D 2C KC QS", "7C KS 2S", "7Cx7D")) == 1
    assert settebello(look("KC KS QC QS", "7D 4C 4S", "7D")) == -1
    assert settebello(look("KC KS QC QS", "7D 4C 4S", "4C")) == 0


def test_sevens_count_more_than_sixes() -> None:
    assert primiera(look("7B 2C KC QS", "7C 6S 2S", "7Cx7B")) == 4
    assert primiera(look("6B 2C KC QS", "7C 6S 2S", "6Sx6B")) == 2
    assert primiera(look("KB 2C KC QS", "7C 6S 2S", "6S")) == -1


def test_cards_that_take_the_whole_table_are_counted() -> None:
    seen = look("2C 3C 5B KC", "5S KS 4D", "KSxKC")
    assert whole_table(seen) == -2, "KD and KB are unseen, and take 2 3 5"
    assert whole_table(look("2C 3C 5B KC", "5S KS 4D", "5Sx5B")) == 0


def test_an_anchor_is_a_rank_that_is_held_again() -> None:
    assert anchor(look("KC KS QC QS", "7D 4C 4S", "4C")) == 1
    assert anchor(look("KC KS QC QS", "7D 4C 5S", "4C")) == 0
    assert anchor(look("4B 4D QC QS", "2C 2S 4C", "4Cx4B")) == 0


def test_who_leads_near_the_target_is_careful_and_who_is_behind_takes() -> None:
    seen = opening("2C 3C 5B KC", "5S KS 4D")
    take = parse_action(seen.deal, "KSxKC")
    for scores, worth in (((9, 5), -2), ((5, 9), 2), ((1, 0), 0)):
        match = Match(seen.variant, scores, 3, 1)
        assert target(look_at(replace(seen, match=match), take)) == worth


def partners(first: str) -> Deal:
    """Four seats; seat 0 has laid a king, seat 1 plays `first`."""
    known = cards("2C 3C 4B QB KS AD AS 7C KB 5S KC KD JD")
    order = [one.index for one in known] + [-1] * 27
    deal = new_deal(find_variant("scopa", 4), 0, order)
    deal = apply(deal, Play(card("KS")))
    return apply(deal, parse_action(deal, first))


def test_what_the_partner_laid_is_left_and_repeated_if_it_was_taken() -> None:
    deal = partners("KBxKS")
    seen = Observation(2, deal, Match(deal.variant, (0, 0), 0, 3))
    assert partner(look_at(seen, Play(card("KC")))) == 1
    assert partner(look_at(seen, Play(card("JD")))) == 0
    deal = partners("7Cx3C4B")
    seen = Observation(2, deal, Match(deal.variant, (0, 0), 0, 3))
    assert partner(look_at(seen, Play(card("KC"), cards("KS")))) == -1


def test_the_last_round_is_for_capturing() -> None:
    seen = opening("2C 3C 5B KC", "5S KS 4D")
    taking = look_at(seen, parse_action(seen.deal, "KSxKC"))
    assert last_capture(taking) == 0
    before, after = list(taking.before), list(taking.after)
    before[LEFT], after[LEFT] = 2, 1
    assert last_capture(replace(taking, before=before, after=after)) == 1


def test_sums_break_pairs_which_suits_the_side_that_does_not_deal() -> None:
    known = cards("2C 3C 5B QC 5S KS 4D 6D 6B JD JB QD QB")
    order = [one.index for one in known] + [-1] * 27
    seen = seen_by_mover(new_deal(find_variant("scopone-9", 4), 0, order))
    assert spariglio(look_at(seen, parse_action(seen.deal, "QDxQC"))) == 0
    breaking = look_at(seen, parse_action(seen.deal, "KSx2C3C5B"))
    assert spariglio(breaking) == 4
    dealing = list(breaking.before)
    dealing[TURN] = seen.deal.dealer
    assert spariglio(replace(breaking, before=dealing)) == -4


@pytest.mark.parametrize(
    ("table", "hand"),
    [
        ("KC KS QC QS", "5C 4C 4S"),
        ("2C JS QB KS", "7B 7C 5D"),
        ("AC 2C 4S KC", "6D JS QB"),
    ],
)
def test_nearly_equal_plays_are_in_the_order_of_the_guards(
    table: str, hand: str
) -> None:
    seen = opening(table, hand)
    found = RuleBot().consider(seen)
    best = max(one.score for one in found)
    near = [one for one in found if one.score >= best - NEAR]
    asked = [
        tuple(guard(look_at(seen, one.action)) for guard in GUARDS) for one in near
    ]
    assert list(found[: len(near)]) == near
    assert asked == sorted(asked, reverse=True)
