"""``scopa config``: what you have settled for good."""

from __future__ import annotations

import json
from pathlib import Path

import click

from protocol.files import shown
from protocol.text import LINE_CELLS_MAX, safe_text
from scopa_net.commands.data_folder import data_folder_option
from scopa_net.commands.refusals import Failure, Refusal
from scopa_net.commands.settled import Settled, settled
from scopa_net.home import settings_file
from scopa_net.settings import KEYS, BadSetting, SettingsDamaged, settle
from scopa_net.ui.json_lines import SCHEMA

__all__ = ["command"]

_KEY = click.Choice(tuple(KEYS))
_json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object."
)


@click.group(name="config", short_help="What you have settled for good.")
def command() -> None:
    """What you have settled for good, in one file that you may also edit.

    \b
    scopa config list
    scopa config set name Ada
    scopa config set mailbox ws://192.0.2.7:4000
    scopa config unset public_servers

    An option goes before a variable, that before the file, and that before the default.
    With --data-dir or $SCOPA_DATA_DIR the file is in that folder.

    \b
    name            what you are called [default: what you log in with]
    mailbox, relay  the servers by which players meet who use codes
    public_servers  whether those for everybody may be used [default: you are asked]
    """


@command.command(name="list")
@data_folder_option
@_json_option
def list_settings(*, data_dir: Path | None, as_json: bool) -> None:
    """List every setting with its value, and where that comes from."""
    found = {key: settled(key, data_dir) for key in KEYS}
    file = settings_file(data_dir)
    if as_json:
        settings = [
            {"key": key, "value": one.value, "origin": one.origin}
            for key, one in found.items()
        ]
        _print_json("settings", file=str(file), settings=settings)
        return
    width = max(map(len, KEYS))
    for key, one in found.items():
        click.echo(f"{key:<{width}}  {_text(one) or '-'}  ({one.origin})")
    click.echo(f"The file is {shown(file)}.", err=True)


@command.command()
@click.argument("key", type=_KEY, metavar="KEY")
@data_folder_option
@_json_option
def get(*, key: str, data_dir: Path | None, as_json: bool) -> None:
    """Print the value of KEY; nothing if it has none."""
    found = settled(key, data_dir)
    if as_json:
        _print_json("setting", key=key, value=found.value, origin=found.origin)
    elif found.value is not None:
        click.echo(_text(found))


@command.command(name="set")
@click.argument("key", type=_KEY, metavar="KEY")
@click.argument("value", metavar="VALUE")
@data_folder_option
def set_value(*, key: str, value: str, data_dir: Path | None) -> None:
    """Settle KEY as VALUE."""
    settling: str | bool = value
    if KEYS[key] is bool:
        settling = click.BOOL.convert(value, None, None)
    _settle(data_dir, key, settling)


@command.command()
@click.argument("key", type=_KEY, metavar="KEY")
@data_folder_option
def unset(*, key: str, data_dir: Path | None) -> None:
    """Have nothing settled for KEY."""
    _settle(data_dir, key, None)


def _settle(data_dir: Path | None, key: str, value: str | bool | None) -> None:  # noqa: FBT001
    try:
        settle(settings_file(data_dir), key, value)
    except BadSetting as reason:
        raise Refusal(str(reason)) from reason
    except SettingsDamaged as reason:
        raise Failure(str(reason)) from reason


def _text(found: Settled) -> str:
    """As it is written in the file, but for the quotes."""
    if isinstance(found.value, bool):
        return "true" if found.value else "false"
    return str(safe_text(found.value or "", cells_max=LINE_CELLS_MAX))


def _print_json(type_: str, **fields: object) -> None:
    click.echo(json.dumps({"schema": SCHEMA, "type": type_, **fields}))
