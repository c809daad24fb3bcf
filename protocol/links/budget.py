"""How much a peer may have us do: so much at once, and then so much a second.

A frame costs one unit, and one more for each full KiB of it. Nothing is refused when a
budget is spent: the rest is only read later, so that whoever has much to say is slowed
down and loses nothing. A link costs too, or a peer would have a fresh budget by calling
again; so budgets go by keys, and outlive links.
"""

from dataclasses import dataclass
from typing import Final

UNIT_BYTES: Final = 1_024


@dataclass(frozen=True, slots=True)
class Allowance:
    """So many units at once, and so many a second."""

    burst: int = 2_048
    """A match of usual length, so that catching up is never slowed down."""

    per_s: int = 200
    """Far more than people need, and a small part of what a machine can check."""

    link_cost: int = 200
    batch: int = 10
    """So many units at least are waited for, or waiting itself would cost most."""

    def full(self, now_s: float) -> "Budget":
        """The budget of a peer that has cost nothing yet."""
        return Budget(self, float(self.burst), now_s)


ALLOWANCE: Final = Allowance()


@dataclass(frozen=True, slots=True)
class Budget:
    """What is left of an allowance at a moment; below zero it is spent."""

    allowance: Allowance
    left: float
    at_s: float

    @property
    def spent(self) -> bool:
        """Whether the peer has to wait."""
        return self.left < 0

    @property
    def wait_s(self) -> float:
        """How long, from the moment of this budget on."""
        return max(0.0, self.allowance.batch - self.left) / self.allowance.per_s

    def less(self, units: int, now_s: float) -> "Budget":
        """What is left after so many units more are used up."""
        allowance = self.allowance
        earned = max(0.0, now_s - self.at_s) * allowance.per_s
        left = min(float(allowance.burst), self.left + earned)
        return Budget(allowance, left - units, now_s)


def frame_cost(frame: bytes) -> int:
    """The units that a frame costs."""
    return 1 + len(frame) // UNIT_BYTES
