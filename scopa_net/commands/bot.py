"""``scopa bot``: the bots that can take a seat."""

from __future__ import annotations

import inspect
import json

import click

from scopa_net.bots.registry import BotEntry, BotError, bot_entries, bot_options

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
        click.echo(json.dumps({"schema": 1, "type": "bots", "bots": described}))
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
        factory = entry.load()
    except BotError as reason:
        return about | {"problem": str(reason)}
    text = inspect.getdoc(factory) or ""
    options = {key: _plain(value) for key, value in bot_options(factory).items()}
    return about | {"summary": text.partition("\n")[0], "options": options}


def _plain(value: object) -> object:
    return value if isinstance(value, bool | int | float | str) else str(value)


def _option_text(options: object) -> str:
    assert isinstance(options, dict)
    return "options: " + ", ".join(f"{key}={value}" for key, value in options.items())
