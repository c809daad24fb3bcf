"""``scopa join``: take the seat that an invitation offers, or knock at a table."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

import click

from protocol.codes import BadCode, Servers, looks_like_code, read_code
from protocol.invite import (
    SCHEME,
    BadAddress,
    BadInvite,
    Invite,
    read_invite,
    read_place,
)
from protocol.links.dialing import Place
from protocol.pasted import unwrapped
from scopa_net.app.network import NetworkMatch
from scopa_net.app.uninvited import Uninvited
from scopa_net.app.wishes import Wishes
from scopa_net.commands.at_table import (
    AtTable,
    bot_or_none,
    name_option,
    options_again,
    seat_options,
    side_option,
)
from scopa_net.commands.refusals import Refusal
from scopa_net.commands.servers import may_be_asked, servers_options
from scopa_net.commands.settled import name_at_table
from scopa_net.commands.variant_options import (
    USUAL_VARIANT,
    chosen_variant,
    players_option,
    rule_option,
)
from scopa_net.commands.watching import watch as watch_match
from scopa_net.exits import Exit
from scopa_net.home import find_home
from scopa_net.players import LineReader
from scopa_net.rules import Variant

__all__ = ["command"]

Way: TypeAlias = Callable[[NetworkMatch], None]


def _in_one(
    _: click.Context, __: click.Parameter, words: tuple[str, ...]
) -> str | None:
    """A code is read out word by word, and a mail may have broken an invitation."""
    return unwrapped(" ".join(words)) if words else None


@click.command(name="join", short_help="Play where you are invited.")
@click.argument(
    "where", metavar="[INVITATION|CODE|HOST:PORT]", nargs=-1, callback=_in_one
)
@servers_options
@name_option
@click.option(
    "--variant",
    metavar="NAME",
    help="Sit down only if this game is played. [default: whatever the host plays]",
)
@players_option
@rule_option
@side_option
@click.option(
    "--watch",
    is_flag=True,
    help="Follow and audit the match without a seat or a hand, by an invitation to "
    "watch.",
)
@click.option(
    "--until-input-ends",
    is_flag=True,
    hidden=True,
    help="Leave when the input ends, though a bot reads none.",
)
@seat_options
def command(  # noqa: PLR0913, as each option is an argument
    *,
    where: str | None,
    servers: Callable[[], Servers],
    name: str | None,
    variant: str | None,
    players: int | None,
    rules: tuple[str, ...],
    side: int | None,
    watch: bool,
    until_input_ends: bool,
    bot: str | None,
    data_dir: Path | None,
    record: str | None,
    plain: bool,
    as_json: bool,
) -> int:
    """Play where you are invited; the invitation is what `scopa host` prints.

    Or the code that is read out to you by who has made it with `scopa host --remote`.

    Without either you knock: at an address, or, where nothing is named, at a table of
    your network that you choose. Both screens show four words, and the host's player,
    who has compared them with you, lets you in. With --bot or --json the line yes on
    the input says that they are the same.

    \b
    scopa join
    scopa join 192.168.1.5:4000
    scopa join 7-hamburger-spindle
    scopa join scopa://192.168.1.5:4000/.../... --variant escoba
    scopa join scopa://192.168.1.5:4000/.../... --watch

    A connection that is lost is made again by itself. Whatever happens to this program,
    `scopa resume` goes on with the match, and so does the same `scopa join`.

    Leaves with 3 if nobody can be reached, 4 if the host refuses or plays another game.
    """
    found, wanted = bot_or_none(bot), _wanted(variant, players, rules)
    own, home = name_at_table(name, found, data_dir), find_home(data_dir)
    if watch:
        if found is not None or wanted is not None or side is not None:
            raise Refusal("Who watches takes no seat: leave out the bot and the game.")
        return watch_match(home, where, own, record, plain=plain, as_json=as_json)
    meant, again = _meant(where), options_again(bot, data_dir)
    table = AtTable(
        home, found, again=again, record=record, plain=plain, as_json=as_json
    )
    way = _way(meant, servers, _wishes(own, wanted, side, data_dir), table)
    return table.play(_ending_with_input(way) if until_input_ends else way)


def _wishes(
    own: str, wanted: Variant | None, side: int | None, data_dir: Path | None
) -> Wishes:
    return Wishes(own, wanted, side, partial(may_be_asked, data_dir))


def _ending_with_input(way: Way) -> Way:
    """The same, and leave when nobody holds the other end of the input any more."""

    def come(match: NetworkMatch) -> None:
        fd = sys.stdin.fileno() if sys.stdin else None
        reader = LineReader(fd, match.reactor.callFromThread)

        def typed(line: str | None) -> None:
            reader.taken()
            if line is None:
                match.leave(Exit.DONE)

        way(match)
        reader.start(typed)

    return come


def _wanted(
    variant: str | None, players: int | None, rules: tuple[str, ...]
) -> Variant | None:
    """The game that was asked for, if one was."""
    if variant is None and players is None and not rules:
        return None
    return chosen_variant(variant or USUAL_VARIANT, players, rules)


@dataclass(frozen=True, slots=True)
class _Code:
    """A code that somebody has read out."""

    text: str


def _meant(where: str | None) -> Invite | _Code | Place | None:
    """What was named, as it was pasted or heard; raises `Refusal`."""
    if where is None:
        return None
    try:
        if looks_like_code(where):
            return _Code(read_code(where))
        if where.lower().startswith(SCHEME):
            return read_invite(where)
    except (BadCode, BadInvite) as reason:
        raise Refusal(str(reason)) from reason
    try:
        host, port = read_place(where)
    except BadAddress as reason:
        raise Refusal(
            f"This is neither an invitation nor an address: {reason}"
        ) from reason
    return Place((host,), port)


def _way(
    meant: Invite | _Code | Place | None,
    servers: Callable[[], Servers],
    wishes: Wishes,
    table: AtTable,
) -> Way:
    """How to come to the table that is meant; raises `Refusal`."""
    match meant:
        case _Code(code):
            introduce = servers()
            return lambda match: match.join_by_code(code, introduce, wishes)
        case Invite() as invite:
            return lambda match: match.join(invite, wishes)
        case None if not table.interactive:
            raise Refusal(
                "Say where: by an invitation, or by an address that `scopa lan` lists. "
                "Only a person at a terminal is asked."
            )
        case place:
            uninvited = Uninvited(place, wishes.name, table)
            return lambda match: match.come(uninvited, wishes)
