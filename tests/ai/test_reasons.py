"""Why a bot plays what it plays, in the words of the game."""

from __future__ import annotations

from itertools import islice

import pytest

from ai.monte_carlo import MonteCarloBot
from ai.rule_bot import RuleBot
from scopa_net.rules.variants import find_variant
from tests.ai.positions import opening, positions, seen_by_mover
from tests.support.deals import RULE_SETS

RULES = RuleBot()
MC = MonteCarloBot(worlds=20)


def told(bot: RuleBot | MonteCarloBot, table: str, hand: str) -> str:
    seen = opening(table, hand)
    return " ".join(bot.explain(seen, bot.choose(seen)))


@pytest.mark.parametrize("bot", [RULES, MC])
def test_a_capture_is_explained_by_what_it_brings(bot: RuleBot | MonteCarloBot) -> None:
    text = told(bot, "AC 2C 2B 5S", "KS 6D 3B")
    assert "It is a scopa." in text
    text = told(bot, "7D 2C KC QS", "7C KS 2S")
    assert "It takes the settebello." in text
    assert "primiera" in text


def test_a_card_that_is_laid_is_explained_by_what_it_leaves() -> None:
    text = told(RULES, "KC KS QC QS", "7D 4C 4S")
    assert "No card of the hand can capture." in text
    assert "Another of the fours stays in the hand" in text
    assert "No unseen card takes the whole table, which counts" in text


def test_the_figures_of_the_decision_are_told() -> None:
    text = told(RULES, "2C 3C 5B KC", "5S KS 4D")
    assert "expected to take" in text
    assert "KSxKC weighs" in text
    text = told(MC, "2C 3C 5B KC", "5S KS 4D")
    assert "imagined worlds it came to" in text
    assert "KSxKC came to" in text


def test_an_exact_ending_is_told_as_such() -> None:
    deals = (
        deal for deal in positions(find_variant("scopa"), "exact") if not deal.tallone
    )
    seen = seen_by_mover(next(deals))
    assert "Every card is known" in " ".join(MC.explain(seen, MC.choose(seen)))


@pytest.mark.parametrize("name", list(RULE_SETS)[::3])
def test_every_decision_of_any_game_has_reasons(name: str) -> None:
    for deal in islice(positions(RULE_SETS[name], "reasons"), 0, 40, 5):
        seen = seen_by_mover(deal)
        reasons = list(RULES.explain(seen, RULES.choose(seen)))
        assert reasons
        for sentence in reasons:
            assert sentence.endswith(".")
            assert len(sentence) <= 120
