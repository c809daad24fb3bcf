"""The interval of a mean holds the truth about as often as it says."""

from __future__ import annotations

from random import Random

import pytest

from ai.arena import Interval, interval


def test_the_interval_of_a_handful_is_the_textbook_one() -> None:
    found = interval([1.0, 2.0, 3.0, 4.0])
    assert found.mean == 2.5
    assert found.ci95 == pytest.approx(1.96 * 1.2909944 / 2)


def test_it_holds_the_truth_95_times_in_100() -> None:
    rng = Random("interval")
    held = 0
    for _ in range(1_000):
        found = interval([rng.gauss(0.4, 1.5) for _ in range(60)])
        held += abs(found.mean - 0.4) <= found.ci95
    assert 930 <= held <= 970


def test_a_result_is_above_a_bound_when_all_of_the_interval_is() -> None:
    assert Interval(0.5, 0.1).above(0.35)
    assert not Interval(0.4, 0.1).above(0.35)
