"""What the rules refuse, by kind, and how a refusal repeats a foreign text."""

from __future__ import annotations

SHOWN_MAX = 30


def quoted(text: str) -> str:
    """A foreign text as a refusal repeats it: quoted, escaped and not long."""
    return ascii(text if len(text) <= SHOWN_MAX else text[:SHOWN_MAX] + "...")


class RulesError(ValueError):
    """The rules do not allow this."""


class InvalidAction(RulesError):
    """That cannot be read as an action."""


class IllegalAction(RulesError):
    """That action is not allowed now; the deal is unchanged."""


class AmbiguousAction(RulesError):
    """That could mean more than one legal action."""


class UnknownVariant(RulesError):
    """There is no such variant to play."""


class UnknownOption(RulesError):
    """There is no such option, or it has no such value."""


class IncompatibleOptions(RulesError):
    """These options cannot be played together."""
