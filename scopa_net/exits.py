"""With what number the program ends, for those who start it from a script."""

from enum import IntEnum

__all__ = ["Exit", "exit_of_signal"]


class Exit(IntEnum):
    """Every exit code there is, but for those of signals."""

    DONE = 0
    """What was asked for is done, or its reader has seen enough."""

    FAILURE = 1
    """It was possible and went wrong all the same."""

    USAGE = 2
    """What was asked for is not possible."""

    NETWORK = 3
    """Nobody could be reached."""

    FOREIGN = 4
    """Somebody refused, or speaks what this program does not know."""

    UNPROVEN = 5
    """A match was stopped, or its record proves that somebody did wrong."""

    MISSING = 6
    """What was asked for is not there."""

    INTERRUPTED = 130
    """Somebody typed Ctrl-C."""


def exit_of_signal(number: int) -> int:
    """The exit code of a program that was told to end by this signal."""
    return 128 + number
