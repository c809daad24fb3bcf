"""What the seats of a trial see and do."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from ai.policy import COUNTING, QUICK, UNIT, counting, expected, gain, quick
from ai.rule_bot import best_answer
from ai.search import trial
from ai.values import CLASSIC, Values
from scopa_net.bots import Deal, Observation, Play, card, cards
from scopa_net.rules import kernel
from scopa_net.rules.actions import action_of, code_of, set_of
from scopa_net.rules.notation import format_action
from scopa_net.rules.variants import find_variant
from tests.ai.positions import opening, positions, reshuffled, seen_by_mover

V = CLASSIC.ints()
OUT = [0] * kernel.BUFFER


def chosen(seen: Observation, policy: int) -> str:
    state = list(seen.deal.state)
    act = counting if policy == COUNTING else quick
    return format_action(action_of(act(seen.variant.rules, state, V, OUT)))


@pytest.mark.parametrize("policy", [QUICK, COUNTING])
def test_the_settebello_and_a_scopa_are_taken(policy: int) -> None:
    assert chosen(opening("7D 2C KC QS", "7C KS 2S"), policy) == "7Cx7D"
    assert chosen(opening("AC 2C 2B 5S", "KS 6D 3B"), policy) == "KSxAC2C2B5S"


def test_who_counts_leaves_no_table_that_one_card_takes_whole() -> None:
    assert chosen(opening("2C 3C 5B KC", "5S KS 4D"), COUNTING) == "5Sx5B"


def test_a_gain_is_that_of_the_values() -> None:
    seen = opening("7D 2C KC QS", "7C KS 2S")
    table = seen.deal.state[kernel.TABLE]
    take = code_of(Play(card("7C"), cards("7D")))
    assert gain(V, table, 0, take) == UNIT * CLASSIC.of(set_of(cards("7C 7D")))
    lay = code_of(Play(card("KS")))
    assert gain(V, table, 0, lay) == -UNIT * CLASSIC.of(set_of(cards("KS")))


def test_the_expected_answer_is_that_of_the_rule_bot() -> None:
    """But for suits: a rank counts as its most valuable unseen card."""
    plain = Values({"card": 0.08, "seven": 0.31, "six": 0.1, "ace": 0.03}, 1.0)
    for table in ("3C 4S 7B KD", "AC 2S 2B 5D", "JC JB QS QC"):
        seen = opening(table, "6D QB JS")
        rules, state = seen.variant.rules, list(seen.deal.state)
        unseen, lying = set_of(seen.unseen), state[kernel.TABLE]
        state[kernel.TURN] = 1
        found = expected(rules, plain.ints(), lying, unseen, 3, 0, OUT, 0)
        exact = best_answer(rules, plain, state, unseen, 1)
        assert found / UNIT == pytest.approx(exact, abs=0.001)


@pytest.mark.parametrize("game", [("scopa", 2), ("scopone-9", 4)])
@pytest.mark.parametrize("policy", [QUICK, COUNTING])
def test_a_seat_of_a_trial_does_not_look_into_other_hands(
    policy: int, game: tuple[str, int]
) -> None:
    rng = Random("trial")

    def play(deal: Deal) -> list[int]:
        state = list(deal.state)
        trial(deal.variant.rules, state, V, OUT, deal.state[kernel.LEFT] - 1, policy)
        return [state[at] for at in (kernel.TABLE, kernel.PILE, kernel.PILE + 1)]

    for deal in islice(positions(find_variant(*game), "trial"), 0, 100, 4):
        assert deal.turn is not None
        assert play(deal) == play(reshuffled(deal, deal.turn, rng))


def test_a_trial_ends_where_it_is_told_to() -> None:
    seen = seen_by_mover(next(positions(find_variant("scopa"), "end")))
    state = list(seen.deal.state)
    state[kernel.HAND + 1 - state[kernel.TURN]] = set_of(seen.unseen[:3])
    trial(seen.variant.rules, state, V, OUT, 32, QUICK)
    assert state[kernel.LEFT] == 32
