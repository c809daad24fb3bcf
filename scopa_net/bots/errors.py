"""Why a bot cannot play; each is a sentence for the player."""

from __future__ import annotations


class BotError(ValueError):
    """That bot cannot play."""


class UnknownBot(BotError):
    """There is no bot of that name."""


class InvalidBotOption(BotError):
    """The bot has no such option, or it has no such value."""
