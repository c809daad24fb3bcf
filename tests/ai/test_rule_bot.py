"""How the rule bot weighs an action, and that it is stronger than the yardstick."""

from __future__ import annotations

from itertools import combinations, islice
from random import Random
from statistics import fmean

import pytest

from ai.greedy_bot import GreedyBot
from ai.random_bot import RandomBot
from ai.rule_bot import NEAR, RuleBot, best_answer, worths
from ai.values import CLASSIC, still_open
from scopa_net.bots import Bot, Play, apply, card, score_deal
from scopa_net.bots.registry import find_bot
from scopa_net.rules import kernel
from scopa_net.rules.actions import set_of
from scopa_net.rules.cards import cards
from scopa_net.rules.kernel import Rules
from scopa_net.rules.notation import format_action
from scopa_net.rules.variants import find_variant
from tests.ai.positions import (
    opening,
    positions,
    seen_by_mover,
    shuffled,
    variants,
)
from tests.benchmarks.duels import duel


def choice(table: str, hand: str) -> str:
    return format_action(RuleBot().choose(opening(table, hand)))


def test_a_card_is_worth_all_the_lines_it_fits() -> None:
    worth = CLASSIC.kinds
    assert CLASSIC.of(set_of(cards("7D"))) == pytest.approx(
        worth["card"] + worth["coin"] + worth["seven"] + worth["settebello"]
    )
    assert CLASSIC.of(set_of(cards("KC AS 6D"))) == pytest.approx(
        3 * worth["card"] + worth["ace"] + worth["six"] + worth["coin"]
    )


def test_a_scopa_is_taken() -> None:
    assert choice("AC 2C 2B 5S", "KS 6D 3B") == "KSxAC2C2B5S"


def test_the_settebello_is_taken() -> None:
    assert choice("7D 2C KC QS", "7C KS 2S") == "7Cx7D"


def test_the_settebello_is_not_laid_while_another_card_can_be() -> None:
    assert choice("KC KS QC QS", "7D 4C 4S") in ("4C", "4S")


def test_a_table_that_one_card_takes_whole_is_not_left() -> None:
    """Both captures bring two plain cards; one leaves ten, for two unseen kings."""
    best, *others = RuleBot().consider(opening("2C 3C 5B KC", "5S KS 4D"))
    other = next(one for one in others if format_action(one.action) == "KSxKC")
    assert format_action(best.action) == "5Sx5B"
    assert best.gain == other.gain
    assert best.reply < other.reply


def test_what_is_weighed_is_sorted_and_adds_up() -> None:
    for deal in islice(positions(variants()[0], "weighed"), 100):
        seen = seen_by_mover(deal)
        found = RuleBot().consider(seen)
        assert {one.action for one in found} == set(seen.legal_actions)
        scores = [one.score for one in found]
        near = [score for score in scores if score >= max(scores) - NEAR]
        assert scores[: len(near)] == near
        assert scores[len(near) :] == sorted(scores[len(near) :], reverse=True)
        for one in found:
            assert one.score == pytest.approx(one.gain - one.kept - one.reply)
            assert one.kept == 0 or isinstance(one.action, Play)


def test_the_expected_answer_is_the_mean_over_every_hand() -> None:
    for table in ("3C 4S 7B KD", "AC 2S 2B 5D"):
        seen = opening(table, "6D QC JS")
        rules, state = seen.variant.rules, list(seen.deal.state)
        state[kernel.TURN] = 1
        unseen = set_of(seen.unseen)
        each = worths(rules, CLASSIC, state, unseen, 1)
        assert best_answer(rules, CLASSIC, state, unseen, 1) == pytest.approx(
            fmean(max(hand) for hand in combinations(each, 3))
        )


def test_a_hand_that_is_known_answers_with_its_best() -> None:
    seen = opening("3C 4S 7B KD", "6D QC JS")
    rules, state = seen.variant.rules, list(seen.deal.state)
    state[kernel.TURN] = 1
    state[kernel.HAND + 1] = set_of(cards("7D 2S KC"))
    assert best_answer(rules, CLASSIC, state, set_of(seen.unseen), 1) == pytest.approx(
        CLASSIC.of(set_of(cards("7D 7B")))
    )


def test_an_answer_that_empties_the_table_is_worth_a_scopa_more() -> None:
    seen = opening("AC 2C 2B 5S", "6D QC JS")
    state = list(seen.deal.state)
    king = set_of([card("KC")])
    assert worths(seen.variant.rules, CLASSIC, state, king, 1) == [
        pytest.approx(CLASSIC.of(set_of(cards("AC 2C 2B 5S KC"))) + 1)
    ]


def test_in_the_last_play_the_cards_left_over_count() -> None:
    rules = Rules()
    state = [0] * kernel.SIZE
    state[kernel.TABLE] = set_of(cards("4D KC"))
    state[kernel.LEFT], state[kernel.TURN], state[kernel.LAST] = 1, 1, 0
    lay, take = (set_of([card(text)]) for text in ("2S", "KS"))
    left_over = CLASSIC.of(set_of(cards("4D KC 2S")))
    assert worths(rules, CLASSIC, state, lay, 1) == [pytest.approx(-left_over)]
    assert worths(rules, CLASSIC, state, take, 1) == [
        pytest.approx(CLASSIC.of(set_of(cards("4D KC KS"))))
    ]


def test_what_is_settled_is_worth_nothing_more() -> None:
    rules = Rules()
    state = [0] * kernel.SIZE
    state[kernel.PILE] = set_of(cards("AD 2D 3D 4D 5D KC"))
    state[kernel.PILE + 1] = set_of(cards("7D 6D JD QD"))
    assert still_open(CLASSIC, rules, state).kinds["coin"] == CLASSIC.kinds["coin"]
    state[kernel.PILE] |= set_of([card("KD")])
    assert "coin" not in still_open(CLASSIC, rules, state).kinds
    assert still_open(CLASSIC, rules, state).kinds["card"] == CLASSIC.kinds["card"]
    state[kernel.PILE] = ((1 << 21) - 1) << 16
    state[kernel.PILE + 1] = 0
    assert "card" not in still_open(CLASSIC, rules, state).kinds


def test_points_that_the_variant_lacks_are_worth_nothing() -> None:
    bare = Rules(p_cards=0, p_coins=0, p_scopa=0, prime=0, worth1=0)
    state = [0] * kernel.SIZE
    assert still_open(CLASSIC, bare, state).of(kernel.ALL) == 0
    assert still_open(CLASSIC, bare, state).scopa == 0


def test_a_match_to_be_lost_is_played_to_lose_points() -> None:
    """Against greedy, which takes what it can, in any game."""
    avoid = find_variant("a-perdere")
    rng = Random("avoid")
    scores = [0, 0]
    for number in range(60):
        deal = shuffled(avoid, rng)
        bots: dict[int, Bot] = {number % 2: RuleBot(), 1 - number % 2: GreedyBot()}
        while deal.turn is not None:
            deal = apply(deal, bots[deal.turn].choose(seen_by_mover(deal)))
        totals = [side.total for side in score_deal(deal)]
        scores[0] += totals[number % 2]
        scores[1] += totals[1 - number % 2]
    assert scores[0] < scores[1] / 2


@pytest.mark.parametrize(
    ("better", "worse", "least"),
    [(RuleBot(), GreedyBot(), 0.1), (GreedyBot(), RandomBot(), 1.2)],
    ids=["rules-greedy", "greedy-random"],
)
def test_the_bots_stand_in_their_order(better: Bot, worse: Bot, least: float) -> None:
    result = duel((better, worse), variants()[0], pairs=120, seed=1)
    assert result.points.mean > least


def test_a_bot_against_itself_wins_nothing() -> None:
    result = duel(
        (GreedyBot(), find_bot("greedy").bot), variants()[0], pairs=10, seed=1
    )
    assert result.points == (0, 0)
