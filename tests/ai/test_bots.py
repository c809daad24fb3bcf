"""What every bot of ours promises, whatever its strength."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from ai.beginner_bot import BeginnerBot
from ai.greedy_bot import GreedyBot
from ai.monte_carlo import MonteCarloBot
from ai.random_bot import RandomBot
from ai.rule_bot import RuleBot
from scopa_net.bots import (
    MATCH_CLAIM,
    Bot,
    Claim,
    Deal,
    Declare,
    Match,
    Observation,
    Play,
    Variant,
    apply,
    card,
    cards,
)
from scopa_net.rules.deal import new_deal
from tests.ai.positions import (
    luck,
    positions,
    reshuffled,
    seen_by_mover,
    shuffled,
    variants,
)
from tests.support.deals import RULE_SETS

MC = MonteCarloBot(worlds=1)
BOTS: tuple[Bot, ...] = (RandomBot(), BeginnerBot(), GreedyBot(), RuleBot(), MC)


def named(value: object) -> str:
    if isinstance(value, Variant):
        return f"{value.id}-{value.players}"
    return type(value).__name__


@pytest.mark.parametrize("bot", BOTS, ids=named)
@pytest.mark.parametrize("variant", variants(), ids=named)
def test_a_bot_chooses_a_legal_action(variant: Variant, bot: Bot) -> None:
    for number, deal in enumerate(islice(positions(variant, "legal"), 120)):
        seen = seen_by_mover(deal, luck(number))
        assert bot.choose(seen) in seen.legal_actions


@pytest.mark.parametrize("bot", BOTS, ids=named)
@pytest.mark.parametrize("variant", RULE_SETS.values(), ids=RULE_SETS.keys())
def test_a_bot_plays_a_deal_of_any_game_in_every_seat(
    variant: Variant, bot: Bot
) -> None:
    deal = shuffled(variant, Random("every seat"))
    for number in range(100):
        if deal.turn is None:
            break
        seen = seen_by_mover(deal, luck(number))
        action = bot.choose(seen)
        assert action in seen.legal_actions
        deal = apply(deal, action)
    assert deal.over


@pytest.mark.parametrize("bot", BOTS, ids=named)
@pytest.mark.parametrize("variant", variants(), ids=named)
def test_hidden_cards_do_not_change_a_choice(variant: Variant, bot: Bot) -> None:
    rng = Random("hidden")
    moved = 0
    for number, deal in enumerate(islice(positions(variant, "hidden"), 80)):
        assert deal.turn is not None
        other = reshuffled(deal, deal.turn, rng)
        moved += other != deal
        chosen = bot.choose(seen_by_mover(deal, luck(number)))
        assert bot.choose(seen_by_mover(other, luck(number))) == chosen
    assert moved > 40


@pytest.mark.parametrize("bot", BOTS, ids=named)
def test_a_bot_chooses_the_same_twice(bot: Bot) -> None:
    again = deepcopy(bot)
    for deal in islice(positions(variants()[0], "twice"), 100):
        seen = seen_by_mover(deal, luck(1))
        assert bot.choose(seen) == again.choose(seen)


@pytest.mark.parametrize("bot", [GreedyBot(), RuleBot()], ids=named)
def test_only_the_random_bot_needs_luck(bot: Bot) -> None:
    for deal in islice(positions(variants()[0], "luck"), 100):
        chosen = {bot.choose(seen_by_mover(deal, luck(n))) for n in range(3)}
        assert len(chosen) == 1


def test_the_random_bot_plays_every_action_about_as_often() -> None:
    deal = first_with_choice(3)
    draws = 3_000
    counts = dict.fromkeys(seen_by_mover(deal).legal_actions, 0)
    for number in range(draws):
        counts[RandomBot().choose(seen_by_mover(deal, luck(number)))] += 1
    for count in counts.values():
        assert abs(count - draws / 3) < 120


def first_with_choice(actions: int) -> Deal:
    return next(
        deal
        for deal in positions(variants()[0], "choice")
        if len(seen_by_mover(deal).legal_actions) == actions
    )


@pytest.mark.parametrize("bot", [GreedyBot(), RuleBot(), MC], ids=named)
def test_a_hand_is_declared_before_a_card_is_played(bot: Bot) -> None:
    declaring = replace(variants()[0], accusi="on")
    order = [one.index for one in cards("3C 4S KB QB AS 2S 3S")]
    deal = new_deal(declaring, 0, (*order, *(-1 for _ in range(33))))
    action = bot.choose(seen_by_mover(deal))
    assert action == Declare(cards("AS 2S 3S"), "low")
    assert isinstance(bot.choose(seen_by_mover(apply(deal, action))), Play)


@pytest.mark.parametrize("bot", [GreedyBot(), RuleBot(), MC], ids=named)
def test_a_match_is_claimed_when_it_is_won_and_never_before(bot: Bot) -> None:
    claiming = replace(variants()[0], tie_at_target="claim")
    order = [one.index for one in cards("3C 4S KB QB 7D 2S 3S 6C JC JB")]
    deal = new_deal(claiming, 0, (*order, *(-1 for _ in range(30))))
    deal = apply(apply(deal, Play(card("7D"), cards("3C 4S"))), Play(card("6C")))
    for score, claimed in ((9, False), (10, True)):
        seen = Observation(0, deal, Match(claiming, (score, 0), 2, 1))
        assert (bot.choose(seen) == MATCH_CLAIM) is claimed


@pytest.mark.parametrize("bot", [GreedyBot(), RuleBot(), MC], ids=named)
def test_an_overlooked_capture_is_claimed(bot: Bot) -> None:
    claiming = replace(variants()[0], compulsion="none+claim")
    order = [one.index for one in cards("3C 4S KB QB 7S 2S 3S 6C JC JB")]
    deal = new_deal(claiming, 0, (*order, *(-1 for _ in range(30))))
    laid = apply(deal, Play(card("7S")))
    assert bot.choose(seen_by_mover(laid)) == Claim(cards("3C 4S 7S"))
