"""`python -m tests.simulation`: whole matches under seeds, one line for each failure.

Every seed is a match to three points between real `Seat` machines on a fake network
with fake disks and a fake clock. A seed replays exactly: give it as `--first` with
`--seeds 1` to see its failure again.
"""

import json
import sys
import time
import traceback
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from dataclasses import dataclass

from protocol.faults import LocalProtocolError
from tests.simulation.cuts import CutWorld
from tests.simulation.deals import agreeing_deals
from tests.simulation.leaving import LeavingWorld
from tests.simulation.lies import lie
from tests.simulation.world import World

SAID_MAX = 300
BROKEN = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LocalProtocolError,
    LookupError,
    TypeError,
    ValueError,
)
"""What a failing seed can raise: a check of ours, or a bug that it found."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one seed; `failure` is empty if all was well."""

    seed: int
    setting: str
    plays: int
    crashes: int
    old_copies: int
    troubles: int
    failure: str = ""


def simulate(
    seed: int,
    *,
    seats: int | None = None,
    real_group: bool = False,
    kind: type[World] = World,
) -> Outcome:
    """Run one seed and check all of it."""
    world = kind(seed, seats=seats, real_group=real_group)
    plays, failure = 0, ""
    try:
        world.run()
        plays = world.check()
    except BROKEN as broken:
        failure = _described(broken)
    setting = world.setting
    described = f"{setting.variant.id} {len(world.places)} {setting.topology}"
    return Outcome(
        seed,
        described,
        plays,
        world.crashes,
        world.old_copies,
        len(world.befell),
        failure,
    )


def _described(broken: Exception) -> str:
    frame = traceback.extract_tb(broken.__traceback__)[-1]
    where = f"{frame.filename}:{frame.lineno}"
    return f"{type(broken).__name__}: {str(broken)[:SAID_MAX]} ({where})"


def _from_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"give a number from 1 on, not {text!a}")
    return int(text)


def _options() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=_from_one, default=300, metavar="N")
    parser.add_argument("--first", type=int, default=1, metavar="S")
    parser.add_argument("--seats", type=int, choices=(2, 3, 4, 6))
    parser.add_argument(
        "--real-group-every",
        type=int,
        default=100,
        metavar="K",
        help="one seed in K uses edwards25519 (0: none)",
    )
    parser.add_argument(
        "--deals",
        type=_from_one,
        metavar="N",
        help="instead: N deals by in-memory seats, compared with the pure rules",
    )
    parser.add_argument(
        "--lies",
        type=_from_one,
        metavar="N",
        help="instead: N toy matches, each with one liar of the catalogue",
    )
    parser.add_argument(
        "--leaving",
        action="store_true",
        help="players adjourn, call deals void and resign, too",
    )
    parser.add_argument(
        "--cuts",
        action="store_true",
        help="they lose links, addresses and each other, too, and leave",
    )
    parser.add_argument("--json", action="store_true", help="JSON Lines on stdout")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the seeds that the command line asks for; 1 if any of them failed."""
    options = _options().parse_args(arguments)
    if options.deals is not None:
        return _deals(options)
    return _seeds(options) if options.lies is None else _lies(options)


def _lies(options: Namespace) -> int:
    started_s = time.perf_counter()
    made = failed = 0
    for seed in range(options.first, options.first + options.lies):
        try:
            made += lie(seed)
        except BROKEN as broken:
            failed += 1
            _say(options, type="failed_lie", seed=seed, failure=_described(broken))
    seconds = round(time.perf_counter() - started_s, 1)
    _say(
        options,
        type="lies",
        seeds=options.lies,
        made=made,
        failed=failed,
        seconds=seconds,
    )
    return 1 if failed else 0


def _deals(options: Namespace) -> int:
    """Compare deals with the rules up to the first that differs."""
    started_s = time.perf_counter()
    deals, failure = 0, ""
    try:
        for played in agreeing_deals(options.deals, options.first):
            deals += played
    except BROKEN as broken:
        failure = _described(broken)
    seconds = round(time.perf_counter() - started_s, 1)
    _say(options, type="deals", deals=deals, failure=failure, seconds=seconds)
    return 1 if failure else 0


def _seeds(options: Namespace) -> int:
    started_s = time.perf_counter()
    kind = LeavingWorld if options.leaving else World
    if options.cuts:
        kind = CutWorld
    failed = plays = crashes = old_copies = troubles = 0
    for seed in range(options.first, options.first + options.seeds):
        every = options.real_group_every
        real_group = every > 0 and seed % every == 0
        outcome = simulate(seed, seats=options.seats, real_group=real_group, kind=kind)
        plays += outcome.plays
        crashes += outcome.crashes
        old_copies += outcome.old_copies
        troubles += outcome.troubles
        if outcome.failure:
            failed += 1
            again = _again(options, outcome.seed, real_group=real_group)
            _say(options, type="failed_seed", **_fields(outcome), again=again)
    _say(
        options,
        type="simulation",
        seeds=options.seeds,
        failed=failed,
        plays=plays,
        crashes=crashes,
        old_copies=old_copies,
        troubles=troubles,
        seconds=round(time.perf_counter() - started_s, 1),
    )
    return 1 if failed else 0


def _again(options: Namespace, seed: int, *, real_group: bool) -> str:
    """The command that runs one seed again."""
    command = f"python -m tests.simulation --seeds 1 --first {seed}"
    if options.seats is not None:
        command += f" --seats {options.seats}"
    command += f" --real-group-every {1 if real_group else 0}"
    if options.cuts:
        return f"{command} --cuts"
    return f"{command} --leaving" if options.leaving else command


def _fields(outcome: Outcome) -> dict[str, object]:
    return {
        "seed": outcome.seed,
        "setting": outcome.setting,
        "crashes": outcome.crashes,
        "failure": outcome.failure,
    }


def _say(options: Namespace, **fields: object) -> None:
    if options.json:
        line = json.dumps({"schema": 1, **fields})
    else:
        line = "  ".join(f"{name} {value}" for name, value in fields.items())
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
