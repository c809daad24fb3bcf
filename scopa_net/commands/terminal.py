"""Whether a command shows a whole screen or writes line by line."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from scopa_net.app.typed_ahead import forget_typed

if TYPE_CHECKING:
    from scopa_net.ui.screen import Terminal

__all__ = ["own_terminal", "plain_option"]

plain_option = click.option(
    "--plain",
    is_flag=True,
    envvar="SCOPA_PLAIN",
    show_envvar=True,
    help="Write sentences line by line instead of showing a whole screen; so it is "
    "anyway where there is no terminal for one.",
)


def own_terminal(*, plain: bool) -> Terminal | None:
    """The terminal for a whole screen; None if lines are wanted, or all it can do."""
    if plain or not (sys.stdin and sys.stdout):
        return None
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    if sys.platform != "win32" and os.environ.get("TERM", "dumb") in {"", "dumb"}:
        return None
    # It is loaded only where it is shown: that takes longer than all the rest.
    from scopa_net.ui.screen import Terminal

    return Terminal.own(partial(forget_typed, sys.stdin.fileno()))
