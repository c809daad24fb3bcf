"""What captured cards are worth in points, fitted for each game and kept as data."""

from ai.values.table import CLASSIC, KINDS, Values, still_open, values_of

__all__ = ["CLASSIC", "KINDS", "Values", "still_open", "values_of"]
