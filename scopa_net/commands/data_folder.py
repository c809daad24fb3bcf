"""The option for the data folder, and what its problems are to a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from protocol.store import (
    StoreLocked,
    StoreMissing,
    StoreNewer,
    StoreProblem,
)
from scopa_net.commands.refusals import Failure, Refusal
from scopa_net.exits import Exit
from scopa_net.home import DATA_DIR, HomeProblem, MatchMissing

__all__ = ["Absent", "Refused", "Unsound", "data_folder_option", "kept_things"]

data_folder_option = click.option(
    "--data-dir",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help=f"Where your key and matches are. [default: ${DATA_DIR}, or your system's]",
)


class Absent(Refusal):
    """There is no such match or file."""

    exit_code = Exit.MISSING


class Refused(Refusal):
    """It is there, and this program may not or cannot use it."""

    exit_code = Exit.FOREIGN


class Unsound(Refusal):
    """It is not what was written, or proves that somebody did wrong."""

    exit_code = Exit.UNPROVEN


@contextmanager
def kept_things() -> Iterator[None]:
    """Turns what is wrong with a home or a store into a command's refusal."""
    try:
        yield
    except (HomeProblem, StoreProblem) as reason:
        raise _refusal(reason) from reason


def _refusal(reason: HomeProblem | StoreProblem) -> click.ClickException:
    match reason:
        case MatchMissing() | StoreMissing():
            return Absent(str(reason))
        case StoreLocked() | StoreNewer():
            return Refused(str(reason))
        case _:
            return Failure(str(reason))
