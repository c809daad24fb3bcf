"""Who fills a seat: a bot that thinks in a thread, or a person who types lines.

A `Player` is all that the runner knows of either. A bot's luck comes from a secret of
the match, so a match played again from its secrets is the same, and no bot sees the
secret.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Protocol, TypeVar

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from protocol.crypto.hashing import H
from protocol.text import LINE_CELLS_MAX, safe_text
from scopa_net.bots import Bot
from scopa_net.events import Event
from scopa_net.rules import Action, Observation, format_action

__all__ = ["BotFailed", "BotPlayer", "InThread", "Player", "luck_of"]

T = TypeVar("T")


class InThread(Protocol):
    """Calls something off the event loop; its result comes back on the loop."""

    def __call__(self, call: Callable[[], T], /) -> Deferred[T]:
        """What `call` returns, or its failure."""
        ...


class Player(Protocol):
    """Who fills one seat."""

    def hear(self, event: Event) -> None:
        """Something has happened at the table, as this seat is told of it."""
        ...

    def choose(self, observation: Observation) -> Deferred[Action]:
        """One of the observation's `legal_actions`, whenever the player is ready."""
        ...


class BotFailed(Exception):
    """A bot has failed; the message is a sentence for players."""


class BotPlayer:
    """A bot in a seat. It thinks in a thread; `secret` is the match's, for its luck."""

    def __init__(
        self, bot: Bot, name: str, *, secret: bytes, in_thread: InThread
    ) -> None:
        self._bot = bot
        self._name = name
        self._secret = secret
        self._in_thread = in_thread

    def hear(self, event: Event) -> None:
        """Nothing to do: an observation holds all that has happened."""

    def choose(self, observation: Observation) -> Deferred[Action]:
        """The bot's choice; fails with `BotFailed` if it raises or may not do that."""
        luck = luck_of(self._name, self._secret, observation)
        asked = replace(observation, luck=luck)
        choice = self._in_thread(partial(self._bot.choose, asked))
        return choice.addCallbacks(partial(self._checked, asked), self._failed)

    def _checked(self, observation: Observation, action: Action) -> Action:
        if action in observation.legal_actions:
            return action
        raise BotFailed(
            f"The bot {self._name} chose what is not allowed: {_shown(action)}."
        )

    def _failed(self, failure: Failure) -> Action:
        reason = safe_text(failure.getErrorMessage(), cells_max=LINE_CELLS_MAX)
        what = f"{failure.type.__name__}: {reason}" if failure.type else reason
        raise BotFailed(f"The bot {self._name} failed: {what}") from failure.value


def luck_of(name: str, secret: bytes, observation: Observation) -> bytes:
    """The luck of a bot for one choice: new for every deal and ply."""
    deal, ply = observation.match.deal_number, len(observation.history)
    return H("sc1.luck", name, secret, deal, ply)


def _shown(action: object) -> str:
    """The action as text; a bot may also answer with what is no action at all."""
    if isinstance(action, Action):
        return format_action(action)
    return safe_text(repr(action), cells_max=60)
