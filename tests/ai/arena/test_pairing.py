"""Which bot sits where, and what that takes out of the result."""

from __future__ import annotations

import pytest

from ai.arena import advantage, seatings


@pytest.mark.parametrize(("sides", "count"), [(2, 2), (3, 6), (4, 8), (6, 12)])
def test_each_bot_has_every_side_equally_often(sides: int, count: int) -> None:
    found = seatings(sides)
    assert len(found) == len(set(found)) == count
    for side in range(sides):
        assert sum(seating[side] for seating in found) * 2 == count
    for seating in found:
        assert set(seating) == {0, 1}


def test_two_sides_are_a_pair() -> None:
    assert seatings(2) == ((0, 1), (1, 0))


@pytest.mark.parametrize("sides", [2, 3, 4, 6])
def test_what_the_seats_are_worth_cancels_out(sides: int) -> None:
    """Every seat brings its own luck, and bot 0 a point wherever it sits."""
    luck = [3, -1, 7, 0, 2, 5][:sides]
    total = 0.0
    for seating in seatings(sides):
        points = [won + 1 - bot for won, bot in zip(luck, seating, strict=True)]
        total += advantage(seating, points)
    assert total / len(seatings(sides)) == pytest.approx(1)
