"""The command line: a table of commands, each loaded when it is called.

``scopa --help`` must answer at once, so nothing here imports a command, a reactor or
a screen. What a command returns is the exit code (nothing: 0).
"""

import importlib
import importlib.util
import os
import sys

import click

from scopa_net import HOME, __version__

__all__ = ["COMMANDS", "load", "main", "misplaced", "scopa"]

COMMANDS = {
    "play": ("scopa_net.commands.play:command", "Play against bots, offline."),
    "audit": ("scopa_net.commands.audit:command", "Check a match that was played."),
    "rules": (
        "scopa_net.commands.rules:command",
        "The variants, and what a position allows or scores.",
    ),
    "bot": ("scopa_net.commands.bot:command", "The bots that can take a seat."),
}
"""Name of the command -> where it is ("module:attribute"), and its line of help."""

EXIT_FAILURE = 1
EXIT_INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group that knows its commands by name and loads the one that is called."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command itself, where the table holds only its line of help."""
        name, listed, rest = super().resolve_command(ctx, args)
        if listed is None or listed.name not in COMMANDS:
            return name, listed, rest
        return name, load(COMMANDS[listed.name][0]), rest


def load(target: str) -> click.Command:
    """The command that a target of the table names."""
    module, _, attribute = target.partition(":")
    command = getattr(importlib.import_module(module), attribute)
    if not isinstance(command, click.Command):
        raise TypeError(f"{target} is no command")
    return command


def _show_version(ctx: click.Context, _option: click.Parameter, wanted: object) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from protocol.log import WIRE_VERSION

    click.echo(f"scopa-net {__version__} (wire protocol {WIRE_VERSION})")
    ctx.exit()


@click.group(
    cls=LazyGroup,
    commands={
        name: click.Command(name, help=summary)
        for name, (_, summary) in COMMANDS.items()
    },
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the program's version and that of the wire protocol.",
)
def scopa() -> None:
    """Scopa in the terminal, with no server in the middle.

    \b
    scopa play                  a match against a bot
    scopa rules list            the games there are
    scopa COMMAND --help        what a command can do
    """


def misplaced() -> str | None:
    """A sentence if a foreign ``ai`` or ``protocol`` would be imported for ours."""
    ours = os.path.realpath(HOME)
    for name in ("protocol", "ai"):
        spec = importlib.util.find_spec(name)
        origin = spec.origin if spec is not None else None
        folder = os.path.dirname(os.path.realpath(origin)) if origin else "nowhere"
        if folder != os.path.join(ours, name):
            return (
                f"scopa: the package '{name}' would come from {folder} and not from "
                f"{ours}; start scopa in another folder, or by the command 'scopa'."
            )
    return None


def main() -> None:
    """Run the command line and leave with its exit code."""
    if reason := misplaced():
        click.echo(reason, err=True)
        sys.exit(EXIT_FAILURE)
    try:
        sys.exit(scopa.main(prog_name="scopa", standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(EXIT_INTERRUPTED)
