"""What captured cards are worth in points, fitted and kept as data."""

from ai.values.table import CLASSIC, Values, still_open

__all__ = ["CLASSIC", "Values", "still_open"]
