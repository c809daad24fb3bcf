"""The rules compiled are the rules: plain, compiled and brute force agree everywhere.

Compiling takes some seconds, so whatever needs it stands in this file: the tests of one
file share a process.
"""

from __future__ import annotations

import random

import pytest

from ai import playouts, search, solver
from ai.compiled import FILES, PLAIN, Speed, compiled, has_compiler
from ai.policy import COUNTING, QUICK
from ai.values import CLASSIC
from scopa_net.rules import kernel as k
from scopa_net.rules import points as p
from scopa_net.rules.actions import action_of
from scopa_net.rules.cards import MAZZO
from scopa_net.rules.kernel import Ints, Rules
from scopa_net.rules.variants import Variant
from tests.benchmarks import deals
from tests.rules import boards, brute
from tests.rules.test_brute_force import move_of, order_for, plain
from tests.support.deals import RULE_SETS

if not has_compiler():
    pytest.skip("numba is not installed (extra `fast`)", allow_module_level=True)

V = CLASSIC.ints()
POLICIES = (deals.RANDOM, deals.CARD, deals.GREEDY)
EVERY_RULES: dict[str, Rules] = {
    **boards.RULE_SETS,
    **{name: variant.rules for name, variant in RULE_SETS.items()},
}


ALL_FILES = [file._replace(asked=None) for file in (*FILES, deals.FILE)]


@pytest.fixture(scope="module")
def checked() -> Speed:
    return compiled(files=ALL_FILES, checked=True)


@pytest.fixture(scope="module", params=["compiled", "bounds checked"])
def fast(request: pytest.FixtureRequest) -> Speed:
    if request.param == "compiled":
        return compiled(files=ALL_FILES)
    speed: Speed = request.getfixturevalue("checked")
    return speed


class Deal:
    """A deal that only the functions of one speed touch."""

    def __init__(self, speed: Speed, rules: Rules, order: list[int], first: int):
        self.speed, self.rules = speed, rules
        self.out = speed.room(k.BUFFER)
        self.s = speed.ints([0] * k.DECK + order + [0] * (k.SIZE - k.DECK - k.CARDS))
        speed.of(k.new_deal)(rules, self.s, first)

    def legal(self) -> list[int]:
        n = self.speed.of(playouts.legal)(self.rules, self.s, self.out)
        return self.speed.listed(self.out[:n])

    def apply(self, action: int) -> None:
        self.speed.of(k.apply)(self.rules, self.s, action)

    def score(self) -> None:
        self.speed.of(p.score)(self.rules, self.s)

    def state(self) -> list[int]:
        return self.speed.listed(self.s)

    def observed(self, seat: int) -> Ints:
        seen = self.s.copy()
        self.speed.of(k.observe)(self.rules, seen, seat)
        return seen

    def facts(self) -> list[int]:
        """What is asked of a state without changing it."""
        of, r, s = self.speed.of, self.rules, self.s
        first = s[k.FIRST]
        return [
            of(k.redeal)(r, s),
            of(k.table_bonus)(r, s),
            of(k.heir)(r, s),
            *(of(k.held)(r, s, seat) for seat in range(r.players)),
            *(of(k.owner)(r, first, position) for position in range(k.CARDS)),
            of(p.cards_winner)(r, s),
            of(p.coins_winner)(r, s),
            of(p.prime_winner)(r, s),
        ]

    def feared(self) -> list[int]:
        """The points that each side has for certain."""
        found = []
        for side in range(self.rules.sides):
            s = self.s.copy()
            self.speed.of(p.fear)(self.rules, s, side)
            self.speed.of(p.score)(self.rules, s)
            found += self.speed.listed(s)
        return found


def shuffled(luck: random.Random) -> list[int]:
    return luck.sample(range(k.CARDS), k.CARDS)


@pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES.keys())
def test_every_position_of_a_deal_is_the_same(fast: Speed, rules: Rules) -> None:
    luck = random.Random(repr(rules))
    for first in range(max(3, rules.players)):
        order = shuffled(luck)
        slow = Deal(PLAIN, rules, order, first % rules.players)
        deal = Deal(fast, rules, order, first % rules.players)
        while slow.s[k.LEFT]:
            legal = slow.legal()
            assert deal.legal() == legal
            assert deal.state() == slow.state()
            assert deal.facts() == slow.facts()
            seat = luck.randrange(-1, rules.players)
            assert fast.listed(deal.observed(seat)) == slow.observed(seat)
            action = luck.choice(legal)
            slow.apply(action)
            deal.apply(action)
        slow.score()
        deal.score()
        assert deal.state() == slow.state()
        assert deal.feared() == slow.feared()


@pytest.mark.parametrize("variant", RULE_SETS.values(), ids=RULE_SETS.keys())
def test_a_deal_is_that_of_brute_force(fast: Speed, variant: Variant) -> None:
    luck = random.Random(variant.fingerprint)
    first = luck.randrange(variant.players)
    order = order_for(variant, luck)
    position = brute.opening_of(variant, plain([MAZZO[at] for at in order]), first)
    deal = Deal(fast, variant.rules, order, first)
    while not position.over:
        legal = {move_of(action_of(action)): action for action in deal.legal()}
        assert set(legal) == brute.moves(variant, position)
        move = luck.choice(sorted(legal, key=repr))
        deal.apply(legal[move])
        position = brute.after(variant, position, move)
    deal.score()
    state = deal.state()
    assert state[k.LEFT] == 0
    earned = brute.points(variant, position.piles, position.scope, position.declared)
    totals = [sum(points.values()) for points in earned]
    assert state[k.TOTAL : k.TOTAL + variant.sides] == totals


@pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES.keys())
def test_a_world_and_its_playouts_are_the_same(fast: Speed, rules: Rules) -> None:
    luck = random.Random(repr(rules))
    for policy in POLICIES:
        order, seat = shuffled(luck), luck.randrange(rules.players)
        ends = []
        for speed in (PLAIN, fast):
            deal = Deal(speed, rules, order, seat)
            s, out = deal.observed(seat), deal.out
            x = speed.of(playouts.determinise)(rules, s, out, 1 + seat)
            world = speed.listed(s)
            x = speed.of(deals.playout)(rules, s, out, x, policy)
            speed.of(p.score)(rules, s)
            ends.append((x, world, speed.listed(s)))
        assert ends[0] == ends[1]


@pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES.keys())
def test_what_actions_come_to_in_trials_is_the_same(fast: Speed, rules: Rules) -> None:
    order = shuffled(random.Random(repr(rules)))
    for policy in (QUICK, COUNTING):
        ends = []
        for speed in (PLAIN, fast):
            deal = Deal(speed, rules, order, 0)
            legal = deal.legal()
            n, left = len(legal), deal.state()[k.LEFT]
            sums = speed.room(search.sums_room(n))
            x = speed.of(search.batch)(
                rules,
                deal.observed(0),
                speed.room(rules.players),
                speed.ints(V),
                speed.room(k.SIZE),
                speed.room(k.SIZE),
                deal.out,
                speed.ints(legal),
                n,
                1,
                2,
                left - 4,
                policy,
                sums,
            )
            ends.append((x, speed.listed(sums)))
        assert ends[0] == ends[1]


@pytest.mark.parametrize("rules", EVERY_RULES.values(), ids=EVERY_RULES.keys())
def test_an_ending_is_worth_the_same(fast: Speed, rules: Rules) -> None:
    luck = random.Random(repr(rules))
    deal = Deal(PLAIN, rules, shuffled(luck), 0)
    while deal.s[k.LEFT] > 4:
        deal.apply(luck.choice(deal.legal()))
    worths = []
    for speed in (PLAIN, fast):
        s, out, moves = speed.ints(deal.s), speed.room(k.BUFFER), speed.room(k.BUFFER)
        frames = speed.room(solver.FRAMES)
        solve = speed.of(solver.solve)
        worths.append(solve(rules, s, speed.ints(V), 0, out, moves, frames))
    assert worths[0] == worths[1]


def test_the_longest_list_of_plays_is_the_same(fast: Speed) -> None:
    slow = Deal(PLAIN, boards.ESCOBA, list(range(40)), 0)
    deal = Deal(fast, boards.ESCOBA, list(range(40)), 0)
    for one in (slow, deal):
        one.s[k.TABLE], one.s[k.HAND] = k.ALL & ~7, 7
    assert len(slow.legal()) == 6984
    assert deal.legal() == slow.legal()


def test_a_bound_that_is_checked_holds(checked: Speed) -> None:
    deal = Deal(checked, boards.CLASSIC, list(range(40)), 0)
    with pytest.raises(IndexError):
        checked.of(k.legal_plays)(boards.CLASSIC, deal.s, checked.room(0))
