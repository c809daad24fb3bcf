"""``scopa join``: take the seat that an invitation offers."""

from __future__ import annotations

from pathlib import Path

import click

from protocol.invite import BadInvite, read_invite
from scopa_net.commands.at_table import (
    AtTable,
    bot_or_none,
    name_option,
    options_again,
    seat_options,
)
from scopa_net.commands.refusals import Refusal
from scopa_net.commands.telling import own_name
from scopa_net.home import find_home

__all__ = ["command"]


@click.command(name="join", short_help="Play where you are invited.")
@click.argument("invitation", metavar="INVITATION")
@name_option
@seat_options
def command(
    *,
    invitation: str,
    name: str | None,
    bot: str | None,
    data_dir: Path | None,
    record: str | None,
    plain: bool,
    as_json: bool,
) -> int:
    """Play where you are invited; the invitation is what `scopa host` prints.

    \b
    scopa join scopa://192.168.1.5:4000/.../...
    scopa join scopa://192.168.1.5:4000/.../... --bot rules --json

    A connection that is lost is made again by itself. Whatever happens to this program,
    `scopa resume` goes on with the match, and so does the same `scopa join`.

    Leaves with 3 if nobody can be reached, 4 if the host refuses or plays what this
    program does not know.
    """
    try:
        invite = read_invite(invitation)
    except BadInvite as reason:
        raise Refusal(str(reason)) from reason
    found = bot_or_none(bot)
    own = own_name(name, found)
    home = find_home(data_dir)
    again = options_again(bot, data_dir)
    table = AtTable(
        home, found, again=again, record=record, plain=plain, as_json=as_json
    )
    return table.play(lambda match: match.join(invite, own))
