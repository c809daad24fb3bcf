"""How a command says no: a sentence on stderr, and as an object in JSON mode."""

from __future__ import annotations

import json
from typing import Any

import click

from scopa_net.ui.json_lines import error_object

__all__ = ["Failure", "JsonCommand", "Refusal"]


class Refusal(click.ClickException):
    """What was asked for is not possible, and the sentence says why."""

    exit_code = 2


class Failure(click.ClickException):
    """It was possible and went wrong all the same."""

    exit_code = 1


class JsonCommand(click.Command):
    """A command with `--json`: then errors, too, are an object on stdout."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """The context; words that cannot be read are told before there is one."""
        as_json = "--json" in args
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.ClickException as error:
            if as_json:
                _print(error)
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except click.ClickException as error:
            if ctx.params.get("as_json"):
                _print(error)
            raise


def _print(error: click.ClickException) -> None:
    found = error_object(error.exit_code, error.format_message())
    click.echo(json.dumps(found))
