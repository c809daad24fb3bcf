"""What a player can say besides playing: that it leaves, or that a deal is void.

And who has won when somebody has given the match up.
"""

from collections.abc import Sequence
from enum import Enum, auto

__all__ = ["Word", "winner_without"]


class Word(Enum):
    """Something a seat says that all others are to know, and that is in the record."""

    RESIGN = auto()
    ADJOURN = auto()
    CALL_VOID = auto()
    """The running deal is not to count; said first, or after another has said it."""
    REFUSE_VOID = auto()


def winner_without(places: Sequence[int], sides: int) -> int | None:
    """The side that has won when those who sit there have given the match up.

    None if more than one side is left, or none: then nobody has won.
    """
    left = set(range(sides)) - {place % sides for place in places}
    return left.pop() if len(left) == 1 else None
