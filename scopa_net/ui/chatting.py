"""Chat as players meet it: what they type, and what is said to that."""

from __future__ import annotations

from typing import Final, Protocol

from protocol.text import SafeText

__all__ = ["MUTE", "Chats", "chat_line", "muted_line"]

MUTE: Final = "/mute "
"""What a line on a whole screen begins with that is followed by a name."""


class Chats(Protocol):
    """Where what a player writes goes."""

    def say(self, text: str) -> str:
        """Send it to everybody; a sentence if that cannot be, else nothing."""
        ...

    def mute(self, name: str) -> str:
        """Read somebody no more, or again; the sentence that says so."""
        ...


def chat_line(name: SafeText, text: SafeText) -> str:
    """What somebody has written."""
    return f"{name} says: {text}"


def muted_line(name: SafeText) -> str:
    """That somebody writes more than is shown (X30)."""
    return f"{name} is muted: too many messages."
