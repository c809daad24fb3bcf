"""Which servers introduce those who play by codes, and whether they may be asked."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from protocol.codes import PUBLIC, BadServer, Servers, read_servers
from scopa_net.commands.refusals import Refusal
from scopa_net.home import settings_file
from scopa_net.settings import BadSetting, Settings, read_settings, settle

__all__ = ["chosen_servers", "servers_options"]

Command = TypeVar("Command", bound=Callable[..., object])

_ASK = f"""\
Codes need somebody who introduces the two programs to each other. The makers of
magic-wormhole keep two servers for everybody, {PUBLIC.mailbox_place} and
{PUBLIC.relay_place}. They see your address, your friends' addresses, and
when how much is said; never cards, names or what is said. Anyone can run such servers:
see scopa rendezvous. Invitations and tables on the own network need none."""


def servers_options(command: Command) -> Command:
    """The options that name servers."""
    for option in (
        click.option(
            "--relay",
            envvar="SCOPA_RELAY",
            show_envvar=True,
            metavar="tcp:HOST:PORT",
            help="The relay for codes.",
        ),
        click.option(
            "--mailbox",
            envvar="SCOPA_MAILBOX",
            show_envvar=True,
            metavar="URL",
            help="The mailbox server for codes.",
        ),
    ):
        command = option(command)
    return command


def chosen_servers(
    mailbox: str | None, relay: str | None, data_dir: Path | None, *, as_json: bool
) -> Servers:
    """The servers that are named, or settled, or those for everybody.

    The latter only if a person has agreed, now or before.
    """
    file = settings_file(data_dir)
    settled = _settled(file)
    mailbox, relay = mailbox or settled.mailbox, relay or settled.relay
    if mailbox and relay:
        try:
            return read_servers(mailbox, relay)
        except BadServer as reason:
            raise Refusal(str(reason)) from reason
    if mailbox or relay:
        raise Refusal("A mailbox and a relay go together: name both.")
    if not settled.public_servers:
        never = settled.public_servers is False
        _ask(file, has_person=not (never or as_json) and sys.stdin.isatty())
    return PUBLIC


def _ask(file: Path, *, has_person: bool) -> None:
    if not (has_person and sys.stderr.isatty()):
        raise Refusal(
            "Codes need two servers, and those for everybody are used only once a "
            "person at a terminal has agreed: name others by --mailbox URL and "
            "--relay tcp:HOST:PORT, or run your own by `scopa rendezvous`."
        )
    click.echo(_ASK, err=True)
    if not click.confirm("Use these two, now and later?", err=True):
        raise Refusal(
            "Then name other servers by --mailbox URL and --relay tcp:HOST:PORT, or "
            "play by an invitation."
        )
    try:
        settle(file, "public_servers", value=True)
    except BadSetting as reason:
        raise Refusal(str(reason)) from reason


def _settled(file: Path) -> Settings:
    try:
        return read_settings(file)
    except BadSetting as reason:
        raise Refusal(str(reason)) from reason
