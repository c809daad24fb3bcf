"""Where bots meet: which seats they take, and what their results are worth."""

from ai.arena.interval import Interval, interval
from ai.arena.pairing import advantage, seatings

__all__ = ["Interval", "advantage", "interval", "seatings"]
