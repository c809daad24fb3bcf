"""How much a peer may have us do."""

from random import Random

import pytest

from protocol.links.budget import Allowance, frame_cost

ALLOWANCE = Allowance(burst=100, per_s=10)


def test_so_much_at_once_and_then_so_much_a_second() -> None:
    budget = ALLOWANCE.full(7.0).less(100, 7.0)
    assert not budget.spent
    budget = budget.less(1, 7.0)
    assert budget.spent
    assert budget.wait_s == pytest.approx(1.1)
    assert not budget.less(0, 7.0 + budget.wait_s).spent


def test_nobody_saves_up_more_than_a_burst() -> None:
    budget = ALLOWANCE.full(0.0).less(0, 1_000_000.0)
    assert budget.left == 100


def test_a_clock_that_goes_back_takes_nothing_away() -> None:
    assert ALLOWANCE.full(50.0).less(30, 40.0).left == 70


@pytest.mark.parametrize("seed", range(20))
def test_whatever_comes_when_no_more_is_done_than_allowed(seed: int) -> None:
    luck = Random(seed)
    now = done = 0.0
    budget = ALLOWANCE.full(now)
    for _ in range(500):
        now += luck.choice((0.0, 0.01, luck.uniform(0, 3)))
        budget = budget.less(0, now)
        if budget.spent:
            now += budget.wait_s
            budget = budget.less(0, now)
        units = luck.randint(1, 65)
        budget = budget.less(units, now)
        done += units
        assert done <= 100 + 10 * now + 65


def test_long_frames_cost_more_than_short_ones() -> None:
    costs = [frame_cost(bytes(size)) for size in (1, 1_023, 1_024, 6_144, 65_536)]
    assert costs == [1, 1, 2, 7, 65]
