"""How a command says no: a sentence, which scopa_net.cli tells people and programs."""

from __future__ import annotations

import click

from scopa_net.exits import Exit

__all__ = ["Failure", "Refusal"]


class Refusal(click.ClickException):
    """What was asked for is not possible, and the sentence says why."""

    exit_code = Exit.USAGE


class Failure(click.ClickException):
    """It was possible and went wrong all the same."""

    exit_code = Exit.FAILURE
