"""What a bot is, and what can be told of one that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from protocol.text import LINE_CELLS_MAX, SafeText, safe_text
from scopa_net.rules.actions import Action
from scopa_net.rules.observation import Observation


class Bot(Protocol):
    """Whatever can choose for a seat; a class, or a module with such a function."""

    def choose(self, observation: Observation) -> Action:
        """One of the observation's `legal_actions`; asked only when there are any."""
        ...


@runtime_checkable
class Explains(Protocol):
    """A bot that can say why; no bot has to."""

    def explain(self, observation: Observation, action: Action) -> Iterable[str]:
        """Why it chose that, in sentences."""
        ...


@dataclass(frozen=True, slots=True)
class Weighed:
    """An action and what it is worth, in points of the deal for the side that acts.

    `loss` is how much less that is than the best. Both have a standard error, which is
    0 where nothing is left to chance.
    """

    action: Action
    points: float
    loss: float
    error: float = 0.0
    loss_error: float = 0.0


@runtime_checkable
class Weighs(Bot, Protocol):
    """A bot that can say what every action is worth; no bot has to."""

    def weigh(self, observation: Observation) -> Sequence[Weighed]:
        """Every legal action but a claim of the match, what it would choose first."""
        ...


@runtime_checkable
class GetsReady(Protocol):
    """A bot that has something to do before it plays at its best."""

    def get_ready(self, told: Callable[[str], None]) -> None:
        """Begin with that, and wait for nothing; called before every move.

        `told` gets a sentence for people if it takes long, from any thread.
        """
        ...


def explained(
    bot: Bot, observation: Observation, action: Action
) -> tuple[SafeText, ...]:
    """Why the bot chose that; nothing if it does not say so."""
    if not isinstance(bot, Explains):
        return ()
    reasons = bot.explain(observation, action)
    return tuple(safe_text(one, cells_max=LINE_CELLS_MAX) for one in reasons)


Failing: TypeAlias = Literal["illegal", "timeout", "crash", "protocol"]
"""How a bot may fail: it answers what is not allowed, too late, not at all, rubbish."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A bot of somebody's has failed; a simple move was played for it.

    `what` goes on from the bot's name. `out` if it is not asked any more.
    """

    kind: Failing
    what: SafeText
    out: bool = False

    def sentence(self, name: str) -> str:
        """All of it, for players."""
        rest = "from now on simple moves are" if self.out else "a simple move is"
        return f"The bot {name} {self.what}; {rest} played for it."


@dataclass(frozen=True, slots=True)
class Answer:
    """An action, why, and what was wrong with the bot's own if it is not the bot's."""

    action: Action
    reasons: tuple[SafeText, ...] = ()
    trouble: Trouble | None = None
