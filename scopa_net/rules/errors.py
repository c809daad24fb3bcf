"""What the rules refuse, by kind."""

from __future__ import annotations


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
