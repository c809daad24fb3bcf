"""The solver's value of an open ending is that of brute force."""

from __future__ import annotations

from itertools import islice

import pytest

from scopa_net.rules.variants import find_variant
from tests.ai.endings import GAMES, brute_force, endings, solved


@pytest.mark.parametrize(("name", "players", "cards"), GAMES)
def test_an_open_ending_is_worth_what_brute_force_says(
    name: str, players: int, cards: int
) -> None:
    variant = find_variant(name, players)
    for deal in islice(endings(variant, min(cards, 5), "solver"), 6):
        for side in (0, 1):
            assert solved(deal, side) == brute_force(deal, side)


def test_a_deal_that_is_over_is_worth_its_points() -> None:
    for deal in islice(endings(find_variant("scopa", 2), 0, "over"), 20):
        assert solved(deal, 0) == brute_force(deal, 0)
