"""``scopa rendezvous``: the servers by which codes are met, one's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from protocol.invite import BadAddress, bracketed, read_address
from scopa_net.commands.refusals import Failure, Refusal
from scopa_net.exits import Exit
from scopa_net.ui.json_lines import introducing_object

if TYPE_CHECKING:
    from twisted.internet.defer import Deferred

    from protocol.links.rendezvous import Rendezvous
    from scopa_net.app.stage import Stage

__all__ = ["command"]


class _NotListening(Refusal):
    """This machine lets nobody reach the servers."""

    exit_code = Exit.NETWORK


class _Serving:
    """The servers, as what is played on a stage."""

    def __init__(self, servers: Rendezvous) -> None:
        self._servers = servers

    def drop(self) -> None:
        """See `Played`."""

    def before_the_end(self) -> Deferred[None]:
        """See `Played`."""
        return self._servers.close()


@click.command(name="rendezvous", short_help="Introduce players who use codes.")
@click.option(
    "--listen",
    metavar="HOST:PORT",
    default="4000",
    show_default=True,
    help="An address of this machine, or only a port, for the mailbox; the relay "
    "takes the next port. 0 is any two free ones.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Keep the mailbox there, so that it outlives this program. [default: memory]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line.")
def command(*, listen: str, data: Path | None, as_json: bool) -> int:
    """Run the two servers by which players find each other who use codes.

    \b
    scopa rendezvous
    scopa rendezvous --listen 203.0.113.5:4000 --data /var/lib/scopa

    A mailbox, where two programs leave each other their first messages, and a relay,
    through which they talk if neither can call the other. Both see addresses and
    times, never cards, and keep no log. Players name them by --mailbox and --relay.

    Runs until it is told to end: Ctrl-C, or SIGTERM.
    """
    try:
        address = read_address(listen)
    except BadAddress as reason:
        raise Refusal(str(reason)) from reason
    from scopa_net.app.stage import Stage

    stage = Stage()
    servers = _open(stage, data, address)
    stage.played = _Serving(servers)
    where = address[0] or _own_address()

    # Who reads it may end the program at once, so the loop must be running.
    return stage.run(lambda: _tell(servers, bracketed(where), as_json=as_json))


def _tell(servers: Rendezvous, where: str, *, as_json: bool) -> None:
    mailbox = f"ws://{where}:{servers.mailbox_port}/v1"
    relay = f"tcp://{where}:{servers.relay_port}"
    if as_json:
        click.echo(json.dumps(introducing_object(mailbox, relay)))
    else:
        click.echo(f"Players name these servers:\n  --mailbox {mailbox}")
        click.echo(f"  --relay {relay}")


def _open(stage: Stage, data: Path | None, address: tuple[str, int]) -> Rendezvous:
    from protocol.links.endings import NotListening

    try:
        # Only now: it takes the reactor that is there.
        from protocol.links.rendezvous import Rendezvous
    except ModuleNotFoundError as missing:
        raise Failure(
            "The servers are not installed: install the program with its extra "
            "'rendezvous', or beside it with pip install magic-wormhole-mailbox-server "
            "magic-wormhole-transit-relay."
        ) from missing
    servers = Rendezvous(stage.reactor, data)
    try:
        servers.open(*address)
    except NotListening as reason:
        raise _NotListening(str(reason)) from reason
    return servers


def _own_address() -> str:
    from scopa_net.app.addresses import own_addresses

    return own_addresses()[0]
