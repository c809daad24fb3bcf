"""The rules against a second, slow reading of them: positions, counts and points."""

import json
import random
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from scopa_net.rules import kernel
from scopa_net.rules.actions import MATCH_CLAIM, Action, Claim, Declare, Play
from scopa_net.rules.cards import MAZZO, Suit, cards
from scopa_net.rules.cards import Card as RealCard
from scopa_net.rules.deal import Deal, apply, declared, legal_actions, new_deal
from scopa_net.rules.errors import IncompatibleOptions
from scopa_net.rules.options import OPTIONS
from scopa_net.rules.scoring import score_deal, score_piles
from scopa_net.rules.variants import Variant, find_variant, variant_of_lines
from tests.rules import brute
from tests.rules.brute import Card, Move, Position
from tests.support.deals import PRESETS, RULE_SETS

FIGURES = Path(__file__).parent.parent / "vectors" / "deals_counted.json"
DEPTHS = {3: 7, 9: 4, 10: 4}

every_rule_set = pytest.mark.parametrize(
    "variant", RULE_SETS.values(), ids=RULE_SETS.keys()
)


def plain(cards: Sequence[RealCard]) -> list[Card]:
    return [(one.rank, int(one.suit)) for one in cards]


def move_of(action: Action) -> Move:
    match action:
        case Play(card, captured):
            return "play", plain([card])[0], frozenset(plain(captured))
        case Declare(shown, kind):
            return kind, None, frozenset(plain(shown))
        case Claim(captured):
            return "claim", None, frozenset(plain(captured))


def assert_alike(deal: Deal, position: Position) -> None:
    """Everything that can be seen of a deal is as brute force has it."""
    sides, seats = range(deal.variant.sides), range(deal.players)
    assert frozenset(plain(deal.table)) == position.table
    assert [frozenset(plain(deal.hand(seat))) for seat in seats] == [*position.hands]
    assert [frozenset(plain(deal.pile(side))) for side in sides] == [*position.piles]
    assert [deal.scope(side) for side in sides] == [*position.scope]
    assert [declared(deal, side) for side in sides] == [*position.declared]
    assert deal.state[kernel.LAST] == (-1 if position.last is None else position.last)
    assert deal.tallone == len(position.stock)
    assert deal.plays == position.plays
    assert deal.over == position.over
    if not position.over:
        assert deal.turn == position.turn


def order_for(variant: Variant, luck: random.Random) -> list[int]:
    """An order that is played as it lies, by brute force's own judgement."""
    while True:
        order = luck.sample(range(40), 40)
        if not brute.is_redealt(variant, plain([MAZZO[at] for at in order])):
            return order


def assert_deal_alike(variant: Variant, first: int, luck: random.Random) -> None:
    """Every position, all that is legal in it, and every point at the end."""
    order = order_for(variant, luck)
    deal = new_deal(variant, first, order)
    position = brute.opening_of(variant, plain([MAZZO[at] for at in order]), first)
    while not position.over:
        assert_alike(deal, position)
        legal = {
            move_of(action): action
            for action in legal_actions(deal)
            if action != MATCH_CLAIM
        }
        assert set(legal) == brute.moves(variant, position)
        move = luck.choice(sorted(legal, key=repr))
        deal = apply(deal, legal[move])
        position = brute.after(variant, position, move)
    assert_alike(deal, position)
    assert legal_actions(deal) == ()
    earned = brute.points(variant, position.piles, position.scope, position.declared)
    assert [dict(score.points) for score in score_deal(deal)] == earned


def assert_piles_alike(variant: Variant, luck: random.Random) -> None:
    """Claims and declarations included; piles need not be whole."""
    piles: list[list[RealCard]] = [[] for _ in range(variant.sides)]
    rich = luck.random() < 0.3
    for card in luck.sample(MAZZO, luck.choice((0, 8, 20, 32, 40))):
        lucky = rich and (card.suit is Suit.DENARI or card.rank in (7, 9))
        piles[0 if lucky else luck.randrange(variant.sides)].append(card)
    scope = [luck.randrange(4) for _ in piles]
    said = [luck.choice((0, 0, 3, 10, 13)) for _ in piles]
    if variant.accusi == "off":
        said = [0] * len(piles)
    scores = score_piles(variant, piles, scope, said)
    sets = [frozenset(plain(pile)) for pile in piles]
    earned = brute.points(variant, sets, scope, said)
    assert [dict(score.points) for score in scores] == earned
    for score, pile, points in zip(scores, sets, earned, strict=True):
        assert score.total == sum(points.values())
        assert score.wins_match == brute.wins_outright(variant, pile)


@every_rule_set
def test_whole_deals_are_those_of_brute_force(variant: Variant) -> None:
    luck = random.Random(variant.fingerprint)
    for first in range(6):
        assert_deal_alike(variant, first % variant.players, luck)


@every_rule_set
def test_any_piles_score_as_by_brute_force(variant: Variant) -> None:
    luck = random.Random(variant.fingerprint)
    for _ in range(60):
        assert_piles_alike(variant, luck)


def any_rules(luck: random.Random) -> Variant:
    """A preset with options changed at random, such that they go together."""
    names = [name for name, values in OPTIONS.items() if values and name != "players"]
    while True:
        preset = luck.choice(list(PRESETS.values()))
        changed = luck.sample(names, luck.randint(1, 7))
        values = {name: luck.choice(OPTIONS[name]) for name in changed}
        with suppress(IncompatibleOptions):
            return find_variant(preset.id, preset.players, values)


@pytest.mark.parametrize("seed", range(20))
def test_whatever_options_go_together_are_those_of_brute_force(seed: int) -> None:
    luck = random.Random(f"options {seed}")
    for _ in range(20):
        variant = any_rules(luck)
        for _ in range(10):
            assert_piles_alike(variant, luck)
        assert_deal_alike(variant, luck.randrange(variant.players), luck)


@every_rule_set
def test_openings_are_dealt_again_as_by_brute_force(variant: Variant) -> None:
    luck = random.Random(variant.fingerprint)
    head = [*range(4), *range(36, 40), 25, 12, 16, 20, 5, 8]
    for _ in range(300):
        opening = luck.sample(head, 4)
        order = opening + [at for at in range(40) if at not in opening]
        deal = new_deal(variant, 0, order)
        same = plain([MAZZO[at] for at in order])
        assert deal.redeal_due == brute.is_redealt(variant, same)
        assert_same_opening(deal, brute.opening_of(variant, same, 0))


def assert_same_opening(deal: Deal, position: Position) -> None:
    sides = range(deal.variant.sides)
    assert frozenset(plain(deal.table)) == position.table
    assert [deal.scope(side) for side in sides] == [*position.scope]
    assert [frozenset(plain(deal.pile(side))) for side in sides] == [*position.piles]


# Counting, as chess programs do: how many ways there are to make so many moves.


def counted_by_brute_force(variant: Variant, order: Sequence[int]) -> list[int]:
    """How many positions, told apart by how they came about, there are by depth."""
    layer = [brute.opening_of(variant, plain([MAZZO[at] for at in order]), 0)]
    counts = [1]
    for _ in range(DEPTHS[variant.hand_size]):
        layer = [
            brute.after(variant, position, move)
            for position in layer
            for move in brute.moves(variant, position)
        ]
        counts.append(len(layer))
    return counts


def counted_by_the_kernel(variant: Variant, order: Sequence[int]) -> list[int]:
    layer = [new_deal(variant, 0, order)]
    counts = [1]
    for _ in range(DEPTHS[variant.hand_size]):
        layer = [apply(deal, one) for deal in layer for one in legal_actions(deal)]
        counts.append(len(layer))
    return counts


def figures() -> dict[str, tuple[list[int], list[int]]]:
    """By preset, the order of the deal and how many positions it has by depth.

    `python -m tests.rules.count_deals` writes them, by brute force alone.
    """
    found = json.loads(FIGURES.read_text(encoding="utf-8"))
    return {
        name: ([one.index for one in cards(told["order"])], told["positions"])
        for name, told in found.items()
    }


def test_the_figures_are_of_every_preset() -> None:
    assert list(figures()) == list(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_there_are_as_many_positions_as_brute_force_counted(name: str) -> None:
    order, counts = figures()[name]
    assert counted_by_the_kernel(PRESETS[name], order) == counts


@pytest.mark.parametrize("name", ["scopa of 2", "escoba of 2", "cirulla of 2"])
def test_brute_force_still_counts_what_it_counted(name: str) -> None:
    order, counts = figures()[name]
    assert counted_by_brute_force(PRESETS[name], order) == counts


# Recorded deals, read from their text by brute force alone.


def card_of(text: str) -> Card:
    return "A234567JQK".index(text[0]) + 1, "DCSB".index(text[1])


def set_of(text: str) -> frozenset[Card]:
    return frozenset(card_of(text[at : at + 2]) for at in range(0, len(text), 2))


def move_in(word: str) -> Move:
    said, colon, shown = word.removesuffix("#").partition(":")
    if colon:
        return said, None, set_of(shown)
    played, _, taken = said.partition("x")
    return "play", card_of(played), set_of(taken)


def told(block: str, key: str) -> list[str]:
    """What the lines of a block say that begin with a key, in words."""
    lines = [line.split() for line in block.splitlines()]
    return [word for first, *rest in lines if first == key for word in rest]


@pytest.mark.parametrize("name", [*PRESETS, "escoba with claims"])
def test_a_recorded_deal_is_one_of_brute_force(name: str) -> None:
    """Every action, every scopa that is marked, and the points of each category."""
    path = FIGURES.parent / "deals" / f"{name.replace(' ', '-')}.txt"
    _, deal, score, *_ = path.read_text(encoding="ascii").split("\n\n")
    variant = variant_of_lines(told(deal, "rule"))
    [order], [first] = told(deal, "order"), told(deal, "first")
    at = [card_of(order[n : n + 2]) for n in range(0, len(order), 2)]
    assert not brute.is_redealt(variant, at)
    position = brute.opening_of(variant, at, int(first))
    for word in told(deal, "play"):
        assert move_in(word) in brute.moves(variant, position)
        then = brute.after(variant, position, move_in(word))
        assert (sum(then.scope) > sum(position.scope)) == word.endswith("#")
        position = then
    assert position.over
    earned = brute.points(variant, position.piles, position.scope, position.declared)
    for side, points in enumerate(earned):
        pile = position.piles[side]
        line = score.splitlines()[side]
        listed = re.findall(r"(\w+) (\d+)", line.partition("(")[2].partition(")")[0])
        assert {category: int(n) for category, n in listed} == points
        assert f"side {side}: {sum(points.values())} (" in line
        assert f"{len(pile)} cards, {sum(not suit for _, suit in pile)} coins" in line
