"""The levels of `mc`, by names for people; `beginner` comes before them.

None knows more than its seat: a level is how many worlds are imagined, nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

from ai.monte_carlo import MonteCarloBot

__all__ = ["Easy", "Medium", "Strong"]


@dataclass(frozen=True, slots=True)
class Easy(MonteCarloBot):
    """Level 2 of 4: tries its moves in few imagined worlds, as mc does."""

    worlds: int = 8


@dataclass(frozen=True, slots=True)
class Medium(MonteCarloBot):
    """Level 3 of 4: tries its moves in more imagined worlds, as mc does."""

    worlds: int = 30


@dataclass(frozen=True, slots=True)
class Strong(MonteCarloBot):
    """Level 4 of 4: tries its moves in many imagined worlds, as mc does."""

    worlds: int = 100
