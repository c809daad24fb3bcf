"""``scopa completion``: what a shell needs to complete the words of a command."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

__all__ = ["command"]

SHELLS = ("bash", "zsh", "fish", "powershell")
_PROGRAM = "scopa"
_VARIABLE = "_SCOPA_COMPLETE"
"""The name that click itself looks for."""


@click.command(name="completion", short_help="Have your shell complete commands.")
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
def command(*, shell: str) -> None:
    """Print what makes SHELL complete commands and options after Tab.

    SHELL is bash, zsh, fish or powershell. To have it in every new one:

    \b
    bash        echo 'eval "$(scopa completion bash)"' >> ~/.bashrc
    zsh         echo 'eval "$(scopa completion zsh)"' >> ~/.zshrc
    fish        scopa completion fish > ~/.config/fish/completions/scopa.fish
    powershell  scopa completion powershell >> $PROFILE
    """
    made = get_completion_class(shell)
    assert made is not None, "click knows every shell that the argument offers"
    top = click.get_current_context().find_root().command
    click.echo(made(top, {}, _PROGRAM, _VARIABLE).source())
