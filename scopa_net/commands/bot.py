"""``scopa bot``: the bots that can take a seat."""

from __future__ import annotations

import json

import click

from scopa_net.bots.errors import BotError
from scopa_net.bots.registry import BotEntry, bot_entries, described
from scopa_net.ui.json_lines import SCHEMA

__all__ = ["command"]


@click.group(name="bot", short_help="The bots that can take a seat.")
def command() -> None:
    """The bots that can take a seat.

    A bot is asked for by its name, with options if it has any, or as a file of yours:

    \b
    rules
    rules:reply=0.9,keep=0.35
    ./my.py  ./my.py:MyBot
    """


@command.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_bots(*, as_json: bool) -> None:
    """List the bots that are installed, and their options."""
    described = [_described(entry) for entry in bot_entries()]
    if as_json:
        click.echo(json.dumps({"schema": SCHEMA, "type": "bots", "bots": described}))
        return
    width = max((len(str(bot["name"])) for bot in described), default=0)
    for bot in described:
        click.echo(f"{bot['name']:<{width}}  {bot['summary'] or bot['problem']}")
        if bot["options"]:
            click.echo(f"{'':<{width}}  {_option_text(bot['options'])}")


def _described(entry: BotEntry) -> dict[str, object]:
    about: dict[str, object] = {
        "name": entry.name,
        "summary": "",
        "options": {},
        "source": entry.source,
        "problem": None,
    }
    try:
        told = described(entry)
    except BotError as reason:
        return about | {"problem": str(reason)}
    return about | {"summary": told.summary, "options": dict(told.options)}


def _option_text(options: object) -> str:
    assert isinstance(options, dict)
    return "options: " + ", ".join(f"{key}={value}" for key, value in options.items())
