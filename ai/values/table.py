"""The value table: what capturing a card is worth in points of the deal."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from importlib.resources import files

from ai.policy import UNIT
from scopa_net.rules.kernel import ACES, ALL, CARDS, PILE, SETTEBELLO, Rules
from scopa_net.rules.points import DENARI, SEVENS

SIXES = SEVENS >> 4


@dataclass(frozen=True, slots=True)
class Values:
    """Points for each captured card, and for each card that is special besides."""

    card: float
    coin: float
    settebello: float
    seven: float
    six: float
    ace: float
    scopa: float

    def of(self, cards: int) -> float:
        """What the kernel's set of cards is worth."""
        total = self.card * cards.bit_count() + self.coin * (cards & DENARI).bit_count()
        if cards & (SEVENS | SIXES | ACES):
            total += self.seven * (cards & SEVENS).bit_count()
            total += self.six * (cards & SIXES).bit_count()
            total += self.ace * (cards & ACES).bit_count()
            if cards & SETTEBELLO:
                total += self.settebello
        return total

    def ints(self) -> list[int]:
        """The same for the dialect, as `ai.policy` lays it out."""
        kinds = (
            (ALL, self.card),
            (DENARI, self.coin),
            (SETTEBELLO, self.settebello),
            (SEVENS, self.seven),
            (SIXES, self.six),
            (ACES, self.ace),
        )
        paying = [(cards, round(UNIT * points)) for cards, points in kinds if points]
        found = [-1 if self.scopa < 0 else 1, round(UNIT * self.scopa), len(paying)]
        return found + [number for pair in paying for number in pair]

    def turned_round(self) -> Values:
        """What the same is worth where points are to be avoided."""
        return Values(*(-worth for worth in astuple(self)))


def still_open(values: Values, rules: Rules, state: Sequence[int]) -> Values:
    """The values without the points that the variant lacks or that are settled.

    Most cards and most denari are settled when no side can catch up or draw level.
    """
    piles = [state[PILE + side] for side in range(rules.sides)]
    taken = 0
    for pile in piles:
        taken |= pile
    if not rules.p_cards or _settled(piles, CARDS - taken.bit_count()):
        values = replace(values, card=0.0)
    coins = [pile & DENARI for pile in piles]
    if not rules.p_coins or _settled(coins, (DENARI & ~taken).bit_count()):
        values = replace(values, coin=0.0)
    if not rules.prime:
        values = replace(values, seven=0.0, six=0.0, ace=0.0)
    if not rules.worth1 & SETTEBELLO:
        values = replace(values, settebello=0.0)
    if not rules.p_scopa:
        values = replace(values, scopa=0.0)
    return values


def _settled(piles: Sequence[int], left: int) -> bool:
    best, second = sorted((pile.bit_count() for pile in piles), reverse=True)[:2]
    return best > second + left


def _read(name: str) -> Values:
    text = files("ai.values").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return Values(**tomllib.loads(text))


CLASSIC = _read("classic")
"""Classic Scopa; other ways to score need a table of their own."""
