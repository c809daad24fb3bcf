"""How much a peer may have us do: so much at once, and then so much a second.

There is one budget for what it sends, each frame of which we may have to check, and one
for what we send, which it may ask for again and again. A frame costs one unit, and one
more for each full KiB of it. Nothing is refused when a budget is spent: the rest is
only read or sent later, so that whoever has much to catch up with loses nothing. A link
costs too, or a peer would have fresh budgets by calling again; so they go by keys, and
outlive links.
"""

from dataclasses import dataclass
from typing import Final

UNIT_BYTES: Final = 1_024


@dataclass(frozen=True, slots=True)
class Allowance:
    """So many units at once, and so many a second; so many for a new link."""

    burst: int
    per_s: float
    link_cost: int = 0

    def full(self, now_s: float) -> "Budget":
        """The budget of a peer that has cost nothing yet."""
        return Budget(self, float(self.burst), now_s)


HEARING: Final = Allowance(burst=2_048, per_s=200, link_cost=200)
"""At once a match of usual length; then far more than people need."""

SENDING: Final = Allowance(burst=8_192, per_s=128)
"""At once several times all that a match comes to; then no line is filled by it."""

_BATCH: Final = 10
"""So many units at least are waited for, or waiting itself would cost most."""


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
        return max(0.0, _BATCH - self.left) / self.allowance.per_s

    def less(self, units: int, now_s: float) -> "Budget":
        """What is left after so many units more are used up."""
        allowance = self.allowance
        earned = max(0.0, now_s - self.at_s) * allowance.per_s
        left = min(float(allowance.burst), self.left + earned)
        return Budget(allowance, left - units, now_s)


def frame_cost(frame: bytes) -> int:
    """The units that a frame costs."""
    return 1 + len(frame) // UNIT_BYTES
