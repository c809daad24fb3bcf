"""How fast deals are played: compiled, in C, plainly, and with objects.

    python -m tests.benchmarks.kernel

Nine workloads: Scopa for two, Scopone for four, Escoba for two, each played by any
legal action, by any card, and greedily. The four play the same deals, in turns within
one process, and their checksums must agree in every run. A figure is the median of nine
runs by the time of the processor; of two fresh processes the faster one counts, because
now and then one is slow throughout. The C program is built here by gcc.
"""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import click

from ai.compiled import FILES, PLAIN, CompilerFailed, Speed, compiled
from scopa_net.rules.kernel import BUFFER, SIZE, Rules
from scopa_net.rules.variants import find_variant
from tests.benchmarks import deals, objects

SOURCE = Path(__file__).with_name("kernel.c")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
VARIANTS = {
    "scopa": find_variant("scopa"),
    "scopone": find_variant("scopone-10"),
    "escoba": find_variant("escoba"),
}
POLICIES = {"moves": objects.RANDOM, "card": objects.CARD, "greedy": objects.GREEDY}

RUNS = 9
PROCESSES = 2
SEED = 1
MANY = 20_000
"""Deals of a run in machine code, some 30 ms."""
FEW = 150
"""Deals of a run in plain Python."""

Play = Callable[[int], int]
"""Plays so many deals and answers with their checksum."""


class ChecksumsDiffer(Exception):
    """Two of the four did not play the same deals."""


@dataclass(frozen=True, slots=True)
class Workload:
    """The same deals in four ways; `plain` and `objects` play fewer of them."""

    name: str
    c: Play
    compiled: Play
    plain: Play
    objects: Play

    def measure(self) -> dict[str, float]:
        """Deals a second of each, and the ratios of the medians."""
        self.agree(FEW, "c", "compiled", "plain", "objects")
        self.agree(MANY, "c", "compiled")
        taken: dict[str, list[float]] = {
            name: [] for name in ("c", "compiled", "plain", "objects")
        }
        for _ in range(RUNS):
            sums = {}
            for name, seconds in taken.items():
                count = MANY if name in {"c", "compiled"} else FEW
                play: Play = getattr(self, name)
                began = process_time()
                sums[name] = play(count)
                seconds.append((process_time() - began) / count)
            if sums["c"] != sums["compiled"] or sums["plain"] != sums["objects"]:
                raise ChecksumsDiffer(self.name)
        each = {name: median(seconds) for name, seconds in taken.items()}
        return {
            **{name: round(1 / seconds) for name, seconds in each.items()},
            "compiled_over_c": round(each["c"] / each["compiled"], 3),
            "compiled_over_plain": round(each["plain"] / each["compiled"], 1),
            "plain_over_objects": round(each["objects"] / each["plain"], 2),
        }

    def agree(self, count: int, *names: str) -> None:
        """Raise ChecksumsDiffer unless these play the same deals."""
        if len({getattr(self, name)(count) for name in names}) > 1:
            raise ChecksumsDiffer(self.name)


def on(speed: Speed, rules: Rules, policy: int) -> Play:
    """The work in the dialect, at one of its speeds."""
    run, s, out = speed.of(deals.deals), speed.room(SIZE), speed.room(BUFFER)
    return lambda count: run(rules, s, out, SEED, count, policy)


def in_c(library: Path, rules: Rules, policy: int) -> Play:
    """The work in C."""
    run: Any = ctypes.CDLL(str(library)).run
    run.restype = ctypes.c_int64
    run.argtypes = [ctypes.c_void_p, *[ctypes.c_int64] * 3]
    fields = (ctypes.c_int64 * len(rules))(*rules)
    return lambda count: int(run(fields, SEED, count, policy))


def with_objects(game: objects.Game, policy: int) -> Play:
    """The work with a class for everything."""
    return lambda count: objects.deals(game, SEED, count, policy)


def workloads(library: Path, fast: Speed) -> list[Workload]:
    """All nine."""
    return [
        Workload(
            f"{name} {policy}",
            in_c(library, variant.rules, number),
            on(fast, variant.rules, number),
            on(PLAIN, variant.rules, number),
            with_objects(objects.GAMES[name], number),
        )
        for name, variant in VARIANTS.items()
        for policy, number in POLICIES.items()
    ]


def built(folder: Path) -> Path:
    """The C program as a library."""
    gcc = shutil.which("gcc")
    if gcc is None:
        raise click.ClickException(
            "gcc was not found. It builds the C program that the compiled rules are "
            "measured against; on Debian and Ubuntu: apt-get install gcc."
        )
    library = folder / "kernel.so"
    subprocess.run([gcc, *FLAGS, "-o", library, SOURCE], check=True, timeout=60)
    return library


def measured(library: Path) -> dict[str, dict[str, float]]:
    """Every workload, measured in this process."""
    files = (*FILES, deals.FILE)
    try:
        fast = compiled(lambda sentence: click.echo(sentence, err=True), files)
        return {each.name: each.measure() for each in workloads(library, fast)}
    except CompilerFailed as reason:
        raise click.ClickException(str(reason)) from reason
    except ChecksumsDiffer as reason:
        raise click.ClickException(f"{reason}: the checksums differ.") from reason


def measured_afresh(library: Path) -> dict[str, dict[str, float]]:
    """The same in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.kernel", "--library", str(library)],
        stdout=subprocess.PIPE,
        timeout=600,
        check=False,
    )
    if run.returncode:
        raise click.ClickException("A measuring process failed.")
    found: dict[str, dict[str, float]] = json.loads(run.stdout)
    return found


def over_all(found: dict[str, dict[str, float]], ratio: str) -> float:
    return median(each[ratio] for each in found.values())


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--library", type=Path, hidden=True, help="Measure here, against this.")
def main(*, as_json: bool, library: Path | None) -> None:
    """Measure the speed of the rules."""
    if library is not None:
        click.echo(json.dumps(measured(library)))
        return
    with TemporaryDirectory() as folder:
        library = built(Path(folder))
        processes = [measured_afresh(library) for _ in range(PROCESSES)]
    found = max(processes, key=lambda each: over_all(each, "compiled_over_c"))
    ratios = {
        ratio: round(over_all(found, ratio), 3)
        for ratio in ("compiled_over_c", "compiled_over_plain", "plain_over_objects")
    }
    lowest = min(each["compiled_over_c"] for each in found.values())
    if as_json:
        click.echo(json.dumps({**ratios, "lowest_over_c": lowest, "workloads": found}))
        return
    for name, each in found.items():
        click.echo(f"{name:15} {each}")
    click.echo(f"medians {ratios}, lowest over C {lowest}")


if __name__ == "__main__":
    main()
