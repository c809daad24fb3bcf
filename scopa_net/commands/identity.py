"""``scopa identity``: by what the player is known, and whom the player knows."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path

import click

from protocol.crypto.identity import key_words
from protocol.files import shown
from protocol.text import safe_name
from scopa_net.acquaintances import Acquaintance, forgotten
from scopa_net.commands.data_folder import Absent, data_folder_option, kept_things
from scopa_net.home import find_home
from scopa_net.ui.json_lines import SCHEMA

__all__ = ["command"]

_json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object."
)


@click.group(
    name="identity",
    short_help="Your key, and those of the players you know.",
    invoke_without_command=True,
)
@data_folder_option
@_json_option
@click.pass_context
def command(ctx: click.Context, *, data_dir: Path | None, as_json: bool) -> None:
    """Your key in words, and the file that holds it.

    \b
    scopa identity
    scopa identity known
    scopa identity forget Ada

    Others know you by your key, whatever your name. When you meet somebody for the
    first time you are shown the words of that key: ask, by voice or in a message,
    whether they are the ones that `scopa identity` shows there.

    The file is yours alone. Who has a copy of it can sit down as you; without it, those
    who know you are told that you are not who you were.
    """
    if ctx.invoked_subcommand is not None:
        return
    with kept_things():
        home = find_home(data_dir)
        key = home.identity().key
    if as_json:
        file = str(home.key_file)
        _print_json("identity", words=key_words(key), key=key.hex(), file=file)
        return
    click.echo(key_words(key))
    click.echo(f"The key is in {shown(home.key_file)}.", err=True)


@command.command()
@data_folder_option
@_json_option
def known(*, data_dir: Path | None, as_json: bool) -> None:
    """List the players you have met, the last one first."""
    with kept_things():
        found = find_home(data_dir).known()
    if as_json:
        _print_json("known", players=[_facts(one) for one in found])
        return
    if isinstance(sys.stdout, TextIOWrapper):
        # A name may have characters that the terminal lacks.
        sys.stdout.reconfigure(errors="replace")
    if not found:
        click.echo("You have not met anybody yet.", err=True)
    for one in found:
        when = datetime.fromtimestamp(one.met_s, UTC).astimezone()
        click.echo(f"{key_words(one.key)}  {when:%Y-%m-%d}  {one.name}")


@command.command()
@click.argument("name", metavar="NAME")
@data_folder_option
def forget(*, name: str, data_dir: Path | None) -> None:
    """Forget which key a name had: whoever has it next is somebody new."""
    with kept_things():
        home = find_home(data_dir)
        rest = forgotten(home.known(), name)
        if rest is None:
            raise Absent(f"You know nobody who is called {safe_name(name)}.")
        home.know(rest)


def _facts(one: Acquaintance) -> dict[str, object]:
    met = datetime.fromtimestamp(one.met_s, UTC).isoformat("T", "seconds")
    words = key_words(one.key)
    return {"name": one.name, "words": words, "key": one.key.hex(), "met": met}


def _print_json(type_: str, **fields: object) -> None:
    click.echo(json.dumps({"schema": SCHEMA, "type": type_, **fields}))
