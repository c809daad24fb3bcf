"""``scopa lan``: the tables on the own network."""

from __future__ import annotations

import json
from pathlib import Path

import click
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure as Failed

from protocol.links.endings import NoMulticast
from scopa_net.app.nearby import Nearby
from scopa_net.app.stage import Stage
from scopa_net.commands.data_folder import data_folder_option, kept_things
from scopa_net.commands.refusals import Refusal
from scopa_net.commands.tables_nearby import NOTHING_FOUND, table_line, table_object
from scopa_net.exits import Exit
from scopa_net.home import find_home
from scopa_net.ui.json_lines import lan_object
from scopa_net.ui.words import counted

__all__ = ["command"]

SECONDS = 2.0
SECONDS_MAX = 60.0


class _NoNetwork(Refusal):
    """This machine can find nobody."""

    exit_code = Exit.NETWORK


class _Searching:
    """See `Played`: what must end before the program does."""

    def __init__(self, nearby: Nearby) -> None:
        self._nearby = nearby

    def drop(self) -> None:
        """See `Played`."""

    def before_the_end(self) -> Deferred[None]:
        """See `Played`."""
        return self._nearby.close()


@click.command(name="lan", short_help="List the tables on your network.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.2, SECONDS_MAX),
    default=SECONDS,
    show_default=True,
    help="How long to search.",
)
@data_folder_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(*, seconds: float, data_dir: Path | None, as_json: bool) -> int:
    """List the tables that are open on your network, each looked at before it is shown.

    \b
    scopa lan
    scopa lan --seconds 5 --json

    The address that ends a line is for `scopa join`, which asks the host's player to
    let you in; `scopa join` alone lists the same tables and lets you choose.

    Leaves with 0, whether there are any or not; with 3 where nothing can be searched.
    """
    with kept_things():
        own = find_home(data_dir).identity().key
    stage = Stage()
    nearby = Nearby(stage.reactor, own)
    stage.played = _Searching(nearby)

    def begin() -> None:
        nearby.start().addCallbacks(
            lambda _: stage.reactor.callLater(seconds, stage.leave, Exit.DONE),
            stage.fail,
        )

    code = stage.run(begin)
    if stage.failure is not None:
        _tell_failure(stage.failure)
    if code == Exit.DONE:
        _tell(nearby, as_json=as_json)
    return code


def _tell_failure(failure: Failed) -> None:
    reason = failure.value
    if isinstance(reason, NoMulticast):
        raise _NoNetwork(str(reason)) from reason
    failure.raiseException()


def _tell(nearby: Nearby, *, as_json: bool) -> None:
    tables = nearby.tables
    if as_json:
        found = lan_object(
            [table_object(table) for table in tables],
            crowded=nearby.crowded,
            other_versions=nearby.other_versions,
        )
        click.echo(json.dumps(found))
        return
    for table in tables:
        click.echo(table_line(table))
    if not tables:
        for line in NOTHING_FOUND:
            click.echo(line, err=True)
    if nearby.crowded:
        click.echo("There are more tables than are looked at.", err=True)
    if nearby.other_versions:
        others = counted(nearby.other_versions, "more table")
        click.echo(f"{others}: another version of the protocol is spoken.", err=True)
