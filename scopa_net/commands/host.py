"""``scopa host``: a match with players elsewhere, who are invited."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from protocol.codes import Servers
from protocol.invite import BadAddress, read_address
from scopa_net.commands.at_table import (
    AtTable,
    bot_or_none,
    name_option,
    options_again,
    seat_options,
)
from scopa_net.commands.refusals import Refusal
from scopa_net.commands.servers import servers_options
from scopa_net.commands.settled import name_at_table
from scopa_net.commands.variant_options import chosen_variant, variant_options
from scopa_net.home import find_home

__all__ = ["command"]


@click.command(name="host", short_help="Invite players and play.")
@variant_options
@click.option(
    "--listen",
    metavar="HOST:PORT",
    default="0",
    help="An address of this machine, or only a port; 0 is any free one. [default: a "
    "free port of all addresses]",
)
@click.option(
    "--no-lan", is_flag=True, help="Do not tell the own network of the table."
)
@click.option(
    "--remote",
    is_flag=True,
    help="Also make codes, by which players come over the internet.",
)
@servers_options
@name_option
@seat_options
def command(  # noqa: PLR0913, as each option is an argument
    *,
    variant: str,
    players: int | None,
    rules: tuple[str, ...],
    listen: str,
    no_lan: bool,
    remote: bool,
    servers: Callable[[], Servers],
    name: str | None,
    bot: str | None,
    data_dir: Path | None,
    record: str | None,
    plain: bool,
    as_json: bool,
) -> int:
    """Invite players and play, with nobody in the middle.

    \b
    scopa host
    scopa host --players 4 --listen 192.168.1.5:4000
    scopa host --bot rules --json
    scopa host --remote

    Prints an invitation for each other player, who comes with `scopa join`. Each serves
    one player, and that player again whenever the connection was lost.

    The table is also told of on the own network, where `scopa lan` lists it: whoever
    knocks there without an invitation is let in if you say so, once both of you have
    compared four words. Bots let nobody in, nor do you with --json.

    With --remote each player may also come by a short code, from anywhere: two servers
    introduce you, which see addresses and times, never cards.

    Whatever happens to this program, `scopa resume` goes on with the match.
    """
    chosen = chosen_variant(variant, players, rules)
    found = bot_or_none(bot)
    own = name_at_table(name, found, data_dir)
    address = _address(listen)
    introduce = servers() if remote else None
    home, again = find_home(data_dir), options_again(bot, data_dir)
    table = AtTable(
        home, found, again=again, record=record, plain=plain, as_json=as_json
    )
    return table.play(
        lambda match: match.host(
            chosen, address, own, announced=not no_lan, servers=introduce
        )
    )


def _address(listen: str) -> tuple[str, int]:
    try:
        return read_address(listen)
    except BadAddress as reason:
        raise Refusal(str(reason)) from reason
