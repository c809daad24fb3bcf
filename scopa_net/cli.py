"""The command line: a table of commands, each loaded when it is called.

``scopa --help`` must answer at once, so nothing here imports a command, a reactor or
a screen. What a command returns is the exit code (nothing: 0). Whatever went wrong is
told here, and only here: by a sentence on stderr, with --json by an object on stdout
too.
"""

import gc
import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from scopa_net import HOME, __version__
from scopa_net.exits import Exit

__all__ = ["COMMANDS", "load", "main", "misplaced", "scopa"]

COMMANDS = {
    "play": ("scopa_net.commands.play:command", "Play against bots, offline."),
    "host": ("scopa_net.commands.host:command", "Invite players and play."),
    "join": ("scopa_net.commands.join:command", "Play where you are invited."),
    "lan": ("scopa_net.commands.lan:command", "List the tables on your network."),
    "resume": ("scopa_net.commands.resume:command", "Go on with a match."),
    "audit": ("scopa_net.commands.audit:command", "Check a match that was played."),
    "replay": (
        "scopa_net.commands.replay:command",
        "Go through a match that was played.",
    ),
    "games": ("scopa_net.commands.games:command", "The matches that are kept."),
    "rendezvous": (
        "scopa_net.commands.rendezvous:command",
        "Introduce players who use codes.",
    ),
    "rules": (
        "scopa_net.commands.rules:command",
        "The variants, and what a position allows or scores.",
    ),
    "bot": ("scopa_net.commands.bot:command", "The bots that can take a seat."),
    "identity": (
        "scopa_net.commands.identity:command",
        "Your key, and those of the players you know.",
    ),
    "config": (
        "scopa_net.commands.config:command",
        "What you have settled for good.",
    ),
    "doctor": (
        "scopa_net.commands.doctor:command",
        "What may keep you from playing.",
    ),
    "completion": (
        "scopa_net.commands.completion:command",
        "Have your shell complete commands.",
    ),
}
"""Name of the command -> where it is ("module:attribute"), and its line of help."""


class _Unwritten(Exception):
    """The output could not be written."""

    def __init__(self, reason: OSError) -> None:
        super().__init__(reason)
        self.reason = reason


@contextmanager
def _writing() -> Iterator[None]:
    """Lets an error of writing pass by click, which has an end of its own for some."""
    try:
        yield
    except OSError as reason:
        if reason.filename is not None:
            raise
        raise _Unwritten(reason) from reason


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

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """The context; a help or a version is written while it is made."""
        with _writing():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        with _writing():
            return super().invoke(ctx)


def load(target: str) -> click.Command:
    """The command that a target of the table names.

    What is loaded stays, so it is searched for garbage neither meanwhile nor later.
    """
    module, _, attribute = target.partition(":")
    gc.disable()
    try:
        command = getattr(importlib.import_module(module), attribute)
    finally:
        gc.freeze()
        gc.enable()
    if not isinstance(command, click.Command):
        raise TypeError(f"{target} is no command")
    return command


def _show_version(ctx: click.Context, _option: click.Parameter, wanted: object) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from protocol.entry import WIRE_VERSION

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
    scopa host                  a match with players elsewhere, who are invited
    scopa resume                go on with a match that was interrupted
    scopa rules list            the games there are
    scopa doctor                what may keep you from playing
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
    try:
        code = _run()
    except _Unwritten as lost:
        code = _unwritten(lost.reason)
    sys.exit(code)


def _run() -> int:
    if reason := misplaced():
        click.echo(reason, err=True)
        return Exit.FAILURE
    try:
        return scopa.main(prog_name="scopa", standalone_mode=False) or Exit.DONE
    except click.ClickException as error:
        _tell(error)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return Exit.INTERRUPTED


def _tell(error: click.ClickException) -> None:
    """Say what went wrong; if nobody can hear it, the exit code still does."""
    from scopa_net.ui.json_lines import error_object

    found = error_object(error.exit_code, error.format_message())
    try:
        error.show()
        if "--json" in sys.argv[1:]:
            click.echo(json.dumps(found))
    except OSError:
        _let_go()


def _unwritten(reason: OSError) -> int:
    """The exit code if output was lost; a reader who went away has seen enough."""
    from scopa_net.ui.output import nobody_reads

    _let_go()
    if nobody_reads(reason):
        return Exit.DONE
    try:
        why = reason.strerror or reason
        click.echo(f"Error: The output could not be written: {why}.", err=True)
    except OSError:
        _let_go()
    return Exit.FAILURE


def _let_go() -> None:
    """What a lost stream still holds goes nowhere, or Python would complain at last."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
