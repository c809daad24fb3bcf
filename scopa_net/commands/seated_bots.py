"""The bots that a command seats, by their names."""

from __future__ import annotations

from contextlib import suppress

from scopa_net.bots import Bot
from scopa_net.bots.errors import BotError
from scopa_net.bots.registry import Found, find_bot
from scopa_net.commands.refusals import Refusal

__all__ = ["USUAL_BOT", "bot_named", "usual_adviser"]

USUAL_BOT = "rules"
ADVISERS = ("medium", "rules")
"""Strong, and quick enough at every game; then what is quick at any."""


def bot_named(text: str) -> Found:
    """The bot, or a `Refusal`."""
    try:
        return find_bot(text)
    except BotError as reason:
        raise Refusal(str(reason)) from reason


def usual_adviser() -> Bot | None:
    """Who gives a person hints: the first that can be loaded, if any."""
    for name in ADVISERS:
        with suppress(BotError):
            return find_bot(name).bot
    return None
