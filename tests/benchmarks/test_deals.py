"""The deals that are measured are played as they are said to be."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from ai.playouts import legal, spin
from scopa_net.rules import kernel as k
from scopa_net.rules import points as p
from scopa_net.rules.kernel import Ints, Rules
from tests.ai.test_playouts import every_rules, in_the_middle
from tests.benchmarks.deals import CARD, GREEDY, RANDOM, chosen, playout
from tests.rules.boards import CLAIMED, CLASSIC, RULE_SETS, act, position, word


def choice(rules: Rules, s: Ints, policy: int, x: int = 1) -> str:
    """The name of what a policy chooses."""
    return word(chosen(rules, s, [0] * k.BUFFER, x, policy))


def chances(rules: Rules, s: Ints, policy: int, draws: int = 4000) -> dict[str, float]:
    """How often a policy chooses what."""
    x = 1
    found: Counter[str] = Counter()
    for _ in range(draws):
        x = spin(x)
        found[choice(rules, s, policy, x)] += 1
    return {name: count / draws for name, count in found.items()}


@every_rules
@pytest.mark.parametrize("policy", [RANDOM, CARD, GREEDY])
def test_a_playout_makes_legal_actions_to_the_end_of_the_deal(
    rules: Rules, policy: int
) -> None:
    luck = random.Random(repr(rules))
    s = in_the_middle(rules, luck)
    out = [0] * k.BUFFER
    x = 7
    played = s[:]
    end = playout(rules, played, out, x, policy)
    while s[k.LEFT]:
        x = spin(x)
        action = chosen(rules, s, out, x, policy)
        assert action in out[: legal(rules, s, out)]
        s = act(rules, s, action)
    assert (end, played) == (x, s)
    p.score(rules, played)
    assert sum(played[k.TOTAL : k.TOTAL + rules.sides]) >= 0


def test_random_takes_every_action_as_likely_and_card_every_card() -> None:
    s = position(CLASSIC, "2C 2S 3C 4D", "2B KD")
    assert chances(CLASSIC, s, RANDOM) == {
        "2Bx2C": pytest.approx(1 / 3, abs=0.03),
        "2Bx2S": pytest.approx(1 / 3, abs=0.03),
        "KD": pytest.approx(1 / 3, abs=0.03),
    }
    assert chances(CLASSIC, s, CARD) == {
        "2Bx2C": pytest.approx(1 / 4, abs=0.03),
        "2Bx2S": pytest.approx(1 / 4, abs=0.03),
        "KD": pytest.approx(1 / 2, abs=0.03),
    }


def test_under_rules_for_a_whole_hand_card_obeys_them() -> None:
    rules = RULE_SETS["hand-compulsion"]
    s = position(rules, "2C 3C", "2B KD JD")
    assert chances(rules, s, CARD, 100) == {"2Bx2C": 1}


@pytest.mark.parametrize(
    ("table", "hand", "best"),
    [
        ("7D 7C KC", "7S KD", "7Sx7D"),
        ("3C 4S KC", "7S KS", "7Sx3C4S"),
        ("2C 2S", "2B 4B", "4Bx2C2S"),
        ("2D 2S KC", "2B", "2Bx2D"),
        ("KC JC", "7D 5S AS", "5S"),
        ("KC", "7D 4D 4S", "4S"),
    ],
    ids=["settebello", "a seven", "scopa", "denari", "lays little", "keeps denari"],
)
def test_greedy_takes_the_best_now(table: str, hand: str, best: str) -> None:
    assert choice(CLASSIC, position(CLASSIC, table, hand), GREEDY) == best


def test_greedy_claims_what_another_overlooked() -> None:
    s = position(CLAIMED, "JC 2S 5S", "KD KC")
    s[k.LAID] = 18
    assert choice(CLAIMED, s, GREEDY) == "claim 2S5SJC"
