"""What the Monte Carlo bot finds, and that it is stronger than the rule bot."""

from __future__ import annotations

from itertools import islice
from time import monotonic

import pytest

from ai.compiled import PLAIN, compiled, has_compiler
from ai.monte_carlo import MonteCarloBot
from ai.rule_bot import RuleBot
from ai.trials import BATCH, Trials
from ai.values import CLASSIC
from scopa_net.bots import apply
from scopa_net.rules.notation import format_action
from scopa_net.rules.variants import find_variant
from tests.ai.endings import brute_force
from tests.ai.positions import luck, opening, positions, seen_by_mover, variants
from tests.benchmarks.duels import duel

SCOPA = find_variant("scopa")


def choice(table: str, hand: str) -> str:
    return format_action(MonteCarloBot(worlds=40).choose(opening(table, hand)))


def test_a_scopa_and_the_settebello_are_taken() -> None:
    assert choice("AC 2C 2B 5S", "KS 6D 3B") == "KSxAC2C2B5S"
    assert choice("7D 2C KC QS", "7C KS 2S") == "7Cx7D"


def test_a_table_that_one_card_takes_whole_is_not_left() -> None:
    assert choice("2C 3C 5B KC", "5S KS 4D") == "5Sx5B"


def test_what_was_tried_is_told_the_choice_first() -> None:
    bot = MonteCarloBot(worlds=40)
    for number, deal in enumerate(islice(positions(SCOPA, "tried"), 0, 100, 3)):
        seen = seen_by_mover(deal, luck(number))
        found = bot.consider(seen)
        assert {one.action for one in found} == set(seen.legal_actions)
        assert bot.choose(seen) == found[0].action
        assert min(one.behind for one in found) == 0
        for one in found:
            assert one.worlds <= 40
            assert one.behind >= 0
            assert one.behind <= max(0.03, 0.5 * one.behind_error) or one != found[0]


def test_losing_actions_are_dropped_and_the_others_tried_to_the_end() -> None:
    found = MonteCarloBot(worlds=400).consider(opening("7D 2C KC QS", "7C KS 2S"))
    assert found[0].worlds < 400, "all but one are dropped, which ends it"
    assert all(one.worlds <= found[0].worlds for one in found)
    assert found[-1].behind > 0.5


def test_an_ending_that_lies_open_is_solved() -> None:
    endings = (deal for deal in positions(SCOPA, "exact") if deal.tallone == 0)
    for deal in islice(endings, 0, 60, 7):
        assert deal.turn is not None
        side = deal.side(deal.turn)
        found = MonteCarloBot().consider(seen_by_mover(deal))
        for one in found:
            assert (one.worlds, one.error) == (0, 0)
            assert one.mean == brute_force(apply(deal, one.action), side)
        assert found[0].mean == max(one.mean for one in found)


def test_a_budget_of_time_is_kept() -> None:
    seen = opening("3C 4S 7B KD", "6D QC JS")
    began = monotonic()
    found = MonteCarloBot(ms=30).consider(seen)
    assert monotonic() - began < 5
    assert found[0].worlds >= BATCH
    assert found[0].worlds % BATCH == 0


@pytest.mark.skipif(not has_compiler(), reason="numba is not installed (extra `fast`)")
def test_both_speeds_come_to_the_same() -> None:
    fast = compiled()
    for variant in (*variants(), find_variant("scopone-9"), find_variant("cirulla")):
        for number, deal in enumerate(islice(positions(variant, "same"), 0, 45, 5)):
            seen = seen_by_mover(deal, luck(number))
            results = []
            for speed in (PLAIN, fast):
                trials = Trials(seen, seen.legal_actions, CLASSIC, speed)
                if not trials.solve():
                    trials.run(lambda done: 5 - done)
                results.append(trials.results())
            assert results[0] == results[1]


def test_it_is_stronger_than_the_rule_bot() -> None:
    result = duel((MonteCarloBot(worlds=30), RuleBot()), SCOPA, pairs=30, seed=1)
    assert result.points.mean > 0.15
