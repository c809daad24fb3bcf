"""The beginner is a beginner, and the levels are one above the other."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from ai.beginner_bot import BeginnerBot
from ai.levels import Easy, Medium, Strong
from ai.monte_carlo import MonteCarloBot
from ai.random_bot import RandomBot
from ai.rule_bot import RuleBot
from scopa_net.bots.registry import find_bot
from scopa_net.rules.notation import format_action
from scopa_net.rules.variants import find_variant
from tests.ai.positions import luck, opening, positions, seen_by_mover
from tests.benchmarks.duels import duel

SUMS = ("AC 2C 2B 5S", "KS 6D 3B")
"""The king takes all four, a scopa."""


def test_it_takes_what_brings_most_of_what_it_sees() -> None:
    seen = opening(*SUMS)
    assert format_action(BeginnerBot(overlooks=0).choose(seen)) == "KSxAC2C2B5S"
    blind = BeginnerBot(overlooks=1).choose(opening("AC 2C 7B KD", "KS 3D 6B"))
    assert format_action(blind) == "KSxKD"


def test_it_overlooks_a_sum_now_and_then_by_its_luck() -> None:
    found = [
        format_action(BeginnerBot().choose(replace(opening(*SUMS), luck=luck(number))))
        for number in range(100)
    ]
    assert 60 <= found.count("KSxAC2C2B5S") < 100


def test_it_does_not_think_of_what_the_next_player_takes() -> None:
    """What brings most at once: card counters often prefer less, for the answer."""
    careful = 0
    for deal in islice(positions(find_variant("scopa"), "beginner"), 300):
        seen = seen_by_mover(deal)
        if max(map(len, seen.piles)) > 5:
            continue  # what is settled weighs nothing for those who remember
        found = RuleBot().consider(seen)
        now = {one.action: one.gain - one.kept for one in found}
        chosen = BeginnerBot(overlooks=0).choose(seen)
        assert now[chosen] == pytest.approx(max(now.values()))
        careful += now[found[0].action] < now[chosen] - 0.01
    assert careful > 0


def test_the_levels_are_mc_with_more_and_more_worlds() -> None:
    levels = (Easy(), Medium(), Strong())
    assert [bot.worlds for bot in levels] == [8, 30, 100]
    assert Strong().worlds == MonteCarloBot().worlds
    for name, bot in zip(("easy", "medium", "strong"), levels, strict=True):
        assert find_bot(name).bot == bot


def test_the_beginner_beats_chance_and_the_next_level_beats_it() -> None:
    scopa, beginner = find_variant("scopa"), BeginnerBot()
    learned = duel((beginner, RandomBot()), scopa, pairs=60, seed=1).points
    beaten = duel((Easy(), beginner), scopa, pairs=40, seed=1).points
    assert learned.above(0)
    assert beaten.above(0)
