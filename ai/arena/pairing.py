"""Duplicate deals: two bots play one deck in several seatings, so that luck cancels.

A seating says for each side which of the two bots, 0 or 1, plays it.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TypeAlias

Seating: TypeAlias = tuple[int, ...]


def seatings(sides: int) -> tuple[Seating, ...]:
    """How one deck is to be played so that no bot has the better seats.

    Each bot sits on each side once alone against the other bot on all the rest. Two
    sides, however many seats they have, make a pair; three make six seatings.
    """
    alone = [
        tuple(int((side == lone) ^ bool(other)) for side in range(sides))
        for other in (1, 0)
        for lone in range(sides)
    ]
    return tuple(dict.fromkeys(alone))


def advantage(seating: Seating, points: Sequence[int]) -> float:
    """What bot 0 made of a deal more than bot 1, in points a side."""
    mine = [won for bot, won in zip(seating, points, strict=True) if bot == 0]
    theirs = [won for bot, won in zip(seating, points, strict=True) if bot == 1]
    return fmean(mine) - fmean(theirs)
