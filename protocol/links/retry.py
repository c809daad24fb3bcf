"""How long to wait before dialing again."""

from collections.abc import Callable, Iterator
from typing import Final

FIRST_DELAY_S: Final = 0.5
DELAY_S_MAX: Final = 8.0
GROWTH: Final = 1.6


def delays_s(jitter: Callable[[], float]) -> Iterator[float]:
    """Growing delays without end, each between half of its step and the whole.

    `jitter` answers a number from 0 to 1, another one each time, so that two sides or
    two guests do not keep meeting at the same moment.
    """
    step = FIRST_DELAY_S
    while True:
        yield step * (1 - jitter() / 2)
        step = min(step * GROWTH, DELAY_S_MAX)
