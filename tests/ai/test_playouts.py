"""Worlds dealt to an observer, and deals played out in them."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from ai.playouts import (
    CARD,
    CARRY,
    GREEDY,
    LOW32,
    RANDOM,
    START_MAX,
    below,
    chosen,
    determinise,
    legal,
    playout,
    spin,
)
from scopa_net.rules import kernel as k
from scopa_net.rules import points as p
from scopa_net.rules.kernel import Ints, Rules
from tests.rules.boards import CLAIMED, CLASSIC, RULE_SETS, act, dealt, position, word

every_rules = pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS.keys())


def in_the_middle(rules: Rules, luck: random.Random) -> Ints:
    """A state after some actions, all cards known."""
    s = dealt(rules, luck.sample(range(40), 40), luck.randrange(rules.players))
    out = [0] * k.BUFFER
    for _ in range(luck.randrange(s[k.LEFT])):
        s = act(rules, s, out[luck.randrange(legal(rules, s, out))])
    return s


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


# -- chance ---------------------------------------------------------------------------


def test_no_state_of_the_generator_comes_near_the_sixty_third_bit() -> None:
    assert spin(CARRY * LOW32 + LOW32) <= CARRY * LOW32 + LOW32 < 1 << 62
    assert START_MAX < CARRY << 32


def test_numbers_below_are_drawn_evenly() -> None:
    x = 1
    found: Counter[int] = Counter()
    for _ in range(6000):
        x = spin(x)
        found[below(x, 6)] += 1
    assert sorted(found) == list(range(6))
    assert all(abs(count - 1000) < 120 for count in found.values())


# -- worlds ---------------------------------------------------------------------------


@every_rules
def test_a_world_has_every_card_once_and_is_what_the_observer_saw(
    rules: Rules,
) -> None:
    luck = random.Random(repr(rules))
    for x in range(1, 9):
        s = in_the_middle(rules, luck)
        seat = luck.randrange(-1, rules.players)
        k.observe(rules, s, seat)
        world = s[:]
        determinise(rules, world, [0] * k.BUFFER, x)
        hands = world[k.HAND : k.HAND + rules.players]
        assert [hand.bit_count() for hand in hands] == [
            k.held(rules, s, each) for each in range(rules.players)
        ]
        for known, hand in zip(s[k.HAND :], hands, strict=False):
            assert known & ~hand == 0
        stock = world[k.DECK + k.CARDS - s[k.STOCK] : k.DECK + k.CARDS]
        piles = world[k.PILE : k.PILE + rules.sides]
        places = [*hands, *piles, world[k.TABLE], *(1 << card for card in stock)]
        assert sum(places) == k.ALL
        assert sum(place.bit_count() for place in places) == k.CARDS
        changed = {i for i in range(k.SIZE) if world[i] != s[i]}
        order = range(k.DECK + k.CARDS - s[k.STOCK], k.DECK + k.CARDS)
        assert changed <= {*range(k.HAND, k.HAND + rules.players), *order}


def test_a_card_that_was_not_seen_lies_anywhere_as_likely() -> None:
    s = dealt(CLASSIC, list(range(40)))
    k.observe(CLASSIC, s, 0)
    out = [0] * k.BUFFER
    x = 1
    held: Counter[int] = Counter()
    last: Counter[int] = Counter()
    for _ in range(3300):
        world = s[:]
        x = determinise(CLASSIC, world, out, x)
        held.update(i for i in range(40) if world[k.HAND + 1] >> i & 1)
        last[world[k.DECK + 39]] += 1
    assert sorted(held) == sorted(last) == list(range(7, 40))
    assert all(abs(count - 300) < 75 for count in held.values())
    assert all(abs(count - 100) < 45 for count in last.values())


def test_cards_of_the_stock_that_are_known_stay_where_they_are() -> None:
    s = dealt(CLASSIC, list(range(40)))
    k.observe(CLASSIC, s, 0)
    s[k.DECK + 20] = 38
    determinise(CLASSIC, s, [0] * k.BUFFER, 5)
    assert s[k.DECK + 20] == 38
    assert not s[k.HAND + 1] >> 38 & 1


# -- policies -------------------------------------------------------------------------


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
