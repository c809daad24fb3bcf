"""Which servers introduce those who play by codes, and whether they may be asked."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click

from protocol.codes import PUBLIC, BadServer, Servers, read_servers
from scopa_net.commands.refusals import Failure, Refusal
from scopa_net.commands.settled import VARIABLES, settled
from scopa_net.home import settings_file
from scopa_net.settings import SettingsDamaged, settle
from scopa_net.ui.canvas import wrap

__all__ = ["chosen_servers", "may_be_asked", "servers_options"]

_ASK = (
    "Codes need somebody who introduces the two programs to each other. The makers of "
    f"magic-wormhole keep two servers for everybody, {PUBLIC.mailbox_place} and "
    f"{PUBLIC.relay_place}. They see your address, your friends' addresses, and when "
    "how much is said; never cards, names or what is said. Anyone can run such "
    "servers: see scopa rendezvous. Invitations and tables on the own network need "
    "none."
)


def servers_options(command: Callable[..., int]) -> Callable[..., int]:
    """The options that name servers; the command gets `servers`, to choose them.

    It has also those for the data folder and for JSON.
    """

    @wraps(command)
    def with_servers(*, mailbox: str | None, relay: str | None, **options: Any) -> int:
        folder, as_json = options["data_dir"], options["as_json"]
        choose = partial(chosen_servers, mailbox, relay, folder, as_json=as_json)
        return command(servers=choose, **options)

    for option in (
        click.option(
            "--relay",
            envvar=VARIABLES["relay"],
            show_envvar=True,
            metavar="tcp:HOST:PORT",
            help="The relay for codes.",
        ),
        click.option(
            "--mailbox",
            envvar=VARIABLES["mailbox"],
            show_envvar=True,
            metavar="URL",
            help="The mailbox server for codes.",
        ),
    ):
        with_servers = option(with_servers)
    return with_servers


def chosen_servers(
    mailbox: str | None, relay: str | None, data_dir: Path | None, *, as_json: bool
) -> Servers:
    """The servers that are named, or settled, or those for everybody.

    The latter only if a person has agreed, now or before.
    """
    named = [
        settled(key, data_dir, option=option or None).value
        for key, option in (("mailbox", mailbox), ("relay", relay))
    ]
    if all(named):
        try:
            return read_servers(*map(str, named))
        except BadServer as reason:
            raise Refusal(str(reason)) from reason
    if any(named):
        raise Refusal("A mailbox and a relay go together: name both.")
    agreed = settled("public_servers", data_dir).value
    if not agreed:
        file, never = settings_file(data_dir), agreed is False
        _ask(file, has_person=not (never or as_json) and sys.stdin.isatty())
    return PUBLIC


def may_be_asked(data_dir: Path | None, servers: Servers) -> bool:
    """Whether servers that a host names are to be used: everybody's only if agreed."""
    theirs, everybodys = (
        {place.rpartition(":")[0] for place in (pair.mailbox_place, pair.relay_place)}
        for pair in (servers, PUBLIC)
    )
    agreed = settled("public_servers", data_dir).value
    return agreed is True or not theirs & everybodys


def _ask(file: Path, *, has_person: bool) -> None:
    if not (has_person and sys.stderr.isatty()):
        raise Refusal(
            "Codes need two servers, and those for everybody are used only once a "
            "person at a terminal has agreed: name others by --mailbox URL and "
            "--relay tcp:HOST:PORT, or run your own by `scopa rendezvous`."
        )
    columns = shutil.get_terminal_size().columns - 1
    click.echo("\n".join(wrap(_ASK, columns)), err=True)
    if not _agrees("Use these two, now and later?"):
        raise Refusal(
            "Then name other servers by --mailbox URL and --relay tcp:HOST:PORT, or "
            "play by an invitation."
        )
    try:
        settle(file, "public_servers", value=True)
    except SettingsDamaged as reason:
        raise Failure(str(reason)) from reason


def _agrees(question: str) -> bool:
    try:
        return click.confirm(question, err=True)
    except click.Abort:
        # What follows is not to stand behind the question.
        click.echo(err=True)
        raise
