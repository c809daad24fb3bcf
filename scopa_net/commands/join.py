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
from scopa_net.commands.variant_options import (
    USUAL_VARIANT,
    chosen_variant,
    players_option,
    rule_option,
)
from scopa_net.home import find_home

__all__ = ["command"]


@click.command(name="join", short_help="Play where you are invited.")
@click.argument("invitation", metavar="INVITATION")
@name_option
@click.option(
    "--variant",
    metavar="NAME",
    help="Sit down only if this game is played. [default: whatever the host plays]",
)
@players_option
@rule_option
@seat_options
def command(  # noqa: PLR0913, as each option is an argument
    *,
    invitation: str,
    name: str | None,
    variant: str | None,
    players: int | None,
    rules: tuple[str, ...],
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
    scopa join scopa://192.168.1.5:4000/.../... --variant escoba

    A connection that is lost is made again by itself. Whatever happens to this program,
    `scopa resume` goes on with the match, and so does the same `scopa join`.

    Leaves with 3 if nobody can be reached, 4 if the host refuses or plays what this
    program does not know, or another game than you ask for.
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
    wanted = None
    if variant is not None or players is not None or rules:
        wanted = chosen_variant(variant or USUAL_VARIANT, players, rules)
    return table.play(lambda match: match.join(invite, own, wanted))
