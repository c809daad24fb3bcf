"""``scopa resume``: go on with a match that was interrupted."""

from __future__ import annotations

from pathlib import Path

import click

from scopa_net.commands.at_table import (
    AtTable,
    bot_or_none,
    options_again,
    seat_options,
)
from scopa_net.commands.data_folder import Refused, kept_things
from scopa_net.home import find_home

__all__ = ["command"]


@click.command(name="resume", short_help="Go on with a match.")
@click.argument("match", metavar="[ID]", required=False)
@seat_options
def command(
    *,
    match: str | None,
    bot: str | None,
    data_dir: Path | None,
    record: str | None,
    plain: bool,
    as_json: bool,
) -> int:
    """Go on with a match where it stood, as its host or as its guest.

    \b
    scopa resume
    scopa resume 3f2a9c01 --bot rules

    Without an ID it is the unfinished match that was changed last, be it a table that
    has not begun; which one it is, is said. A host listens where
    it did; a guest calls until the host is there.
    """
    found = bot_or_none(bot)
    with kept_things():
        home = find_home(data_dir)
        saved = home.newest(unfinished=True) if match is None else home.find(match)
    if saved.store is None:
        raise Refused("This match is over: only its record is left.")
    again = options_again(bot, data_dir)
    table = AtTable(
        home, found, again=again, record=record, plain=plain, as_json=as_json
    )
    return table.play(lambda playing: playing.resume(saved.id))
