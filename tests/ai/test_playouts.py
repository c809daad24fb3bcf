"""Chance, and worlds dealt to an observer."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from ai.playouts import (
    CARRY,
    LOW32,
    START_MAX,
    below,
    determinise,
    legal,
    spin,
)
from scopa_net.rules import kernel as k
from scopa_net.rules.kernel import Ints, Rules
from tests.rules.boards import CLASSIC, RULE_SETS, act, dealt

every_rules = pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS.keys())


def in_the_middle(rules: Rules, luck: random.Random) -> Ints:
    """A state after some actions, all cards known."""
    s = dealt(rules, luck.sample(range(40), 40), luck.randrange(rules.players))
    out = [0] * k.BUFFER
    for _ in range(luck.randrange(s[k.LEFT])):
        s = act(rules, s, out[luck.randrange(legal(rules, s, out))])
    return s


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
