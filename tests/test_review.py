"""What a choice was worth is what the bot says of the same observation."""

import pytest

from ai.greedy_bot import GreedyBot
from ai.monte_carlo import MonteCarloBot
from ai.rule_bot import RuleBot
from protocol.audit import audit
from scopa_net.bots.bot import Weighs
from scopa_net.bots.errors import BotError
from scopa_net.bots.registry import Found, find_bot
from scopa_net.recorded import told_again
from scopa_net.referee import open_match
from scopa_net.review import Reviewed, costliest, reviewed
from tests.support import matches
from tests.support.small_group import SMALL


def reviews(bot: Weighs, record: bytes) -> list[Reviewed]:
    found = audit(record, SMALL, open_match)
    made = [reviewed(one, bot) for _, one in told_again(found) if one is not None]
    return [one for one in made if one is not None]


@pytest.mark.parametrize("bot", [RuleBot(), MonteCarloBot(worlds=16)])
def test_every_choice_has_its_worth_its_loss_and_what_was_best(bot: Weighs) -> None:
    found = reviews(bot, matches.played().record)
    assert {one.seat for one in found} == {0, 1}
    for one in found:
        assert one.chosen in one.weighed
        assert min(each.loss for each in one.weighed) == 0
        assert one.reasons
    assert any(one.chosen.error for one in found) == isinstance(bot, MonteCarloBot)


def test_a_card_that_has_to_be_played_is_no_choice() -> None:
    found = reviews(RuleBot(), matches.played().record)
    assert all(len(one.weighed) > 1 for one in found)
    assert len(found) < 36


def test_who_plays_as_the_bot_does_loses_nothing() -> None:
    bot = RuleBot()
    match = matches.played(policy=lambda seen, _: bot.choose(seen), seed=4)
    found = reviews(bot, match.record)
    assert all(one.chosen.action == one.best for one in found)
    assert costliest(found) == []


def test_the_costliest_three_are_those_that_lost_most() -> None:
    found = reviews(RuleBot(), matches.played().record)
    lost = sorted((one.chosen.loss for one in found), reverse=True)
    assert [one.chosen.loss for one in costliest(found)] == lost[:3]


def test_a_hand_that_is_not_known_is_not_weighed() -> None:
    assert reviews(RuleBot(), matches.played(acts_max=3).record) == []


def test_a_bot_that_does_not_weigh_says_so() -> None:
    with pytest.raises(BotError, match="greedy does not say what a move is worth"):
        _ = Found("greedy", GreedyBot()).weigher
    assert isinstance(find_bot("mc").weigher, MonteCarloBot)
