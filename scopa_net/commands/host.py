"""``scopa host``: a match with players elsewhere, who are invited."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from click.core import ParameterSource

from protocol.codes import Servers
from protocol.invite import BadAddress, read_address
from scopa_net.app.carrying import NotCarried, carried_variant
from scopa_net.app.meeting import OtherRules
from scopa_net.app.wishes import Wishes, check_side
from scopa_net.bots.registry import anywhere
from scopa_net.commands.at_table import (
    AtTable,
    bot_or_none,
    name_option,
    options_again,
    seat_options,
    side_option,
)
from scopa_net.commands.data_folder import Refused, kept_things
from scopa_net.commands.refusals import Refusal
from scopa_net.commands.seated_bots import bot_named
from scopa_net.commands.servers import servers_options
from scopa_net.commands.settled import name_at_table
from scopa_net.commands.variant_options import chosen_variant, variant_options
from scopa_net.home import find_home
from scopa_net.rules import Variant
from scopa_net.ui.words import counted

__all__ = ["command"]

_GAME = ("variant", "players", "rules")


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
    "--carry",
    metavar="ID",
    help="Go on from the score of a kept match, one of whose players is gone for good "
    "or has given it up.",
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
@click.option(
    "--fill",
    "fill",
    metavar="BOT",
    multiple=True,
    help="Give a place to a bot of yours; again for more.",
)
@side_option
@name_option
@seat_options
def command(  # noqa: PLR0913, as each option is an argument
    *,
    variant: str,
    players: int | None,
    rules: tuple[str, ...],
    listen: str,
    carry: str | None,
    no_lan: bool,
    remote: bool,
    servers: Callable[[], Servers],
    side: int | None,
    fill: tuple[str, ...],
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
    scopa host --players 4 --fill rules --fill greedy

    Prints an invitation for each other player, who comes with `scopa join`; it serves
    that player again whenever the connection was lost. `scopa resume` goes on with it.

    On the own network `scopa lan` lists the table: whoever knocks there is let in if
    you say so, once both have compared four words; with --bot or --json nobody is. With
    --remote players may come by codes: two servers, which see no card, help.

    With --carry a new match starts from the score of one whose player will not come
    back, or has given it up so that nobody has won; each has the old side again.
    """
    chosen = _chosen(carry, data_dir) or chosen_variant(variant, players, rules)
    found, bots = bot_or_none(bot), _filling(fill, side, chosen)
    wishes = Wishes(name_at_table(name, found, data_dir), side=side)
    address, announced = _address(listen), not no_lan
    asked = servers() if remote else None
    home, again = find_home(data_dir), options_again(bot, data_dir)
    table = AtTable(
        home, found, again=again, record=record, plain=plain, as_json=as_json
    )
    return table.play(
        lambda match: match.host(
            chosen, address, wishes, announced=announced, servers=asked, bots=bots
        )
    )


def _chosen(match: str | None, data_dir: Path | None) -> Variant | None:
    """What is played if the score of a match is carried on."""
    if match is None:
        return None
    given = click.get_current_context().get_parameter_source
    if any(given(name) != ParameterSource.DEFAULT for name in _GAME):
        raise Refusal("Leave out the game and its rules: they are those of the match.")
    home = find_home(data_dir)
    with kept_things():
        try:
            return carried_variant(home, match, home.identity().key)
        except NotCarried as reason:
            raise Refused(str(reason)) from reason


def _filling(
    fill: tuple[str, ...], side: int | None, variant: Variant
) -> tuple[str, ...]:
    """The bots that take places, each known to be there, beside the own place."""
    try:
        check_side(side, variant)
    except OtherRules as reason:
        raise Refusal(str(reason)) from reason
    places = variant.players - 1
    if len(fill) > places:
        raise Refusal(
            f"There are {counted(variant.players, 'place')}, and one is yours: "
            f"{counted(places, 'bot')} can be filled in, not {len(fill)}."
        )
    for text in fill:
        bot_named(text).close()
    return tuple(map(anywhere, fill))


def _address(listen: str) -> tuple[str, int]:
    try:
        return read_address(listen)
    except BadAddress as reason:
        raise Refusal(str(reason)) from reason
