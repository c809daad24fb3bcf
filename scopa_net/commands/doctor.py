"""``scopa doctor``: whether this machine is fit to play, and what to do if not."""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from io import TextIOWrapper
from pathlib import Path

import click

from scopa_net import __version__
from scopa_net.commands.checkup import (
    Check,
    Finding,
    State,
    examine,
    folders,
    machine,
    network,
)
from scopa_net.commands.data_folder import data_folder_option
from scopa_net.exits import Exit
from scopa_net.home import Home, find_home
from scopa_net.ui.json_lines import SCHEMA, Object
from scopa_net.ui.output import wrapped

__all__ = ["command"]

_COLUMNS = 80
_NAME_WIDTH = 11
_WIDTH_MIN = 20
_ARROW = "-> "
_MULTICAST_S = 10.0


@click.command(name="doctor", short_help="What may keep you from playing.")
@data_folder_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(*, data_dir: Path | None, as_json: bool) -> Exit:
    """Look at all that a match needs, and say what to do where something is wrong.

    \b
    scopa doctor
    scopa doctor --json

    Nothing is changed, and servers are called only if you have agreed to use them, or
    chosen your own. For some seconds a table is announced on the LAN that nobody can
    join. The output names folders and addresses of this machine: look at it before you
    send it to anybody.

    Leaves with 1 if something failed.
    """
    home = find_home(data_dir)
    if not as_json and isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    told = []
    for name, finding in examine(_checks(home, data_dir)):
        told.append((name, finding))
        if not as_json:
            _show(name, finding)
    fit = all(finding.state is not State.FAIL for _, finding in told)
    if as_json:
        checks = [_object(name, finding) for name, finding in told]
        facts: Object = {"schema": SCHEMA, "type": "doctor", "ok": fit}
        click.echo(json.dumps(facts | {"version": __version__, "checks": checks}))
    return Exit.DONE if fit else Exit.FAILURE


def _checks(home: Home, data_dir: Path | None) -> tuple[Check, ...]:
    return (
        Check("terminal", machine.terminal),
        Check("locale", machine.words),
        Check("data folder", partial(folders.data, home)),
        Check("settings", partial(folders.settings, data_dir)),
        Check("matches", partial(folders.running, home)),
        Check("clock", partial(machine.clock, home)),
        Check("Python", machine.python),
        Check("libraries", machine.libraries),
        Check("SQLite", machine.sqlite),
        Check("cards", machine.group),
        Check("listening", network.listening),
        Check("addresses", network.addresses),
        Check("mDNS", network.multicast, _MULTICAST_S, State.WARN),
        Check("mailbox", partial(network.mailbox, data_dir), late=State.WARN),
        Check("relay", partial(network.relay, data_dir), late=State.WARN),
    )


def _show(name: str, finding: Finding) -> None:
    """What was found beside its name, and under it what to do."""
    start = f"{finding.state.value:<9}  {name:<{_NAME_WIDTH}}  "
    blank = " " * len(start)
    width = max(_columns() - len(start), _WIDTH_MIN)
    for at, line in enumerate(wrapped(finding.found, width).splitlines()):
        click.echo(f"{blank if at else start}{line}")
    todo = wrapped(finding.todo, width - len(_ARROW)).splitlines()
    for at, line in enumerate(todo):
        click.echo(f"{blank}{' ' * len(_ARROW) if at else _ARROW}{line}")


def _columns() -> int:
    """How wide it is here; a terminal that does not know has 0 columns."""
    try:
        found = os.get_terminal_size(sys.stdout.fileno()) if sys.stdout else None
    except (OSError, ValueError):
        found = None
    return found.columns - 1 if found and found.columns else _COLUMNS


def _object(name: str, finding: Finding) -> Object:
    facts: Object = {"name": name, "state": finding.state.value}
    return facts | {"found": finding.found, "todo": finding.todo}
