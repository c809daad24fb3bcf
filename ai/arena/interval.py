"""How sure a mean is."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

CONFIDENT = 1.96
"""Standard errors that hold 95 of 100 results."""


class Interval(NamedTuple):
    """A mean, and what is to be added and taken away for 95 % confidence."""

    mean: float
    ci95: float

    def above(self, bound: float) -> bool:
        """Whether all of it lies above the bound."""
        return self.mean - self.ci95 > bound


def interval(units: Sequence[float]) -> Interval:
    """The mean of independent units, two at least.

    In duplicate play the unit is the mean of all seatings of a deck, not the deal:
    the seatings share their luck and are far from independent.
    """
    return Interval(fmean(units), CONFIDENT * stdev(units) / sqrt(len(units)))
