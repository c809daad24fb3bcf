"""The value table: what capturing a card is worth in points of the deal."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from ai.policy import UNIT
from scopa_net.rules.kernel import ACES, ALL, CARDS, PILE, SETTEBELLO, Rules
from scopa_net.rules.points import DENARI, GRANDE, SEVENS
from scopa_net.rules.variants import Variant

KINDS: Mapping[str, int] = MappingProxyType(
    {
        "card": ALL,
        "coin": DENARI,
        "settebello": SETTEBELLO,
        "seven": SEVENS,
        "six": SEVENS >> 4,
        "ace": ACES,
        "low_coin": 0x111,  # the three lowest: napola and trentino
        "middle_coin": 0x111 << 12,  # the next three of a napola
        "court_coin": GRANDE,
        "king_of_coins": 1 << 36,
        "cavallo": 15 << 32,
    }
)
"""The kinds of cards that may be worth something, each with its cards."""


@dataclass(frozen=True, slots=True)
class Values:
    """What a scopa is worth, and a captured card of each kind, in points of the deal.

    A card has all the kinds it fits: the settebello is worth card + coin + seven +
    settebello.
    """

    kinds: Mapping[str, float]
    scopa: float
    _paying: tuple[tuple[int, float], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        paying = ((KINDS[name], worth) for name, worth in self.kinds.items() if worth)
        object.__setattr__(self, "_paying", tuple(paying))

    def of(self, cards: int) -> float:
        """What the kernel's set of cards is worth."""
        total = 0.0
        for kind, worth in self._paying:
            total += worth * (cards & kind).bit_count()
        return total

    def ints(self) -> list[int]:
        """The same for the dialect, as `ai.policy` lays it out."""
        found = [-1 if self.scopa < 0 else 1, round(UNIT * self.scopa)]
        found.append(len(self._paying))
        for kind, worth in self._paying:
            found += [kind, round(UNIT * worth)]
        return found

    def without(self, *names: str) -> Values:
        """The same with these kinds worth nothing."""
        kept = {name: self.kinds[name] for name in self.kinds if name not in names}
        return Values(kept, self.scopa)

    def turned_round(self) -> Values:
        """What the same is worth where points are to be avoided."""
        return Values({name: -self.kinds[name] for name in self.kinds}, -self.scopa)


def values_of(variant: Variant) -> Values:
    """The values fitted to a variant and so many players, or else to classic Scopa.

    Where points are to be avoided, all is turned round.
    """
    names = (f"{variant.id}-{variant.players}", f"scopa-{variant.players}")
    values = next((found for found in map(_fitted, names) if found), CLASSIC)
    return values.turned_round() if variant.goal == "avoid" else values


def still_open(values: Values, rules: Rules, state: Sequence[int]) -> Values:
    """The values without the points that the variant lacks or that are settled.

    Most cards and most denari are settled when no side can catch up or draw level.
    """
    piles = [state[PILE + side] for side in range(rules.sides)]
    taken = 0
    for pile in piles:
        taken |= pile
    worthless = []
    if not rules.p_cards or _settled(piles, CARDS - taken.bit_count()):
        worthless.append("card")
    coins = [pile & DENARI for pile in piles]
    if not rules.p_coins or _settled(coins, (DENARI & ~taken).bit_count()):
        worthless.append("coin")
    if not rules.prime:
        worthless += ["seven", "six", "ace"]
    if not rules.worth1 & SETTEBELLO:
        worthless.append("settebello")
    if worthless:
        values = values.without(*worthless)
    return values if rules.p_scopa else Values(values.kinds, 0.0)


def _settled(piles: Sequence[int], left: int) -> bool:
    best, second = sorted((pile.bit_count() for pile in piles), reverse=True)[:2]
    return best > second + left


@cache
def _fitted(name: str) -> Values | None:
    file = files("ai.values").joinpath(f"{name}.toml")
    if not file.is_file():
        return None
    points = tomllib.loads(file.read_text(encoding="utf-8"))["points"]
    return Values(points, points.pop("scopa"))


def _classic() -> Values:
    found = _fitted("scopa-2")
    assert found is not None, "it is in this folder"
    return found


CLASSIC = _classic()
"""Classic Scopa for two, which serves wherever nothing else was fitted."""
