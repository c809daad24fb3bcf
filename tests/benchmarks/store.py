"""What it takes to keep one row, and what the disk itself takes for as many bytes.

    python -m tests.benchmarks.store [--rows 2000] [--size 400] [--folder .] [--json]

Each row is a transaction of its own, on the disk when it returns. `ratio` is the median
over that of a bare append and fdatasync, in the same run: the two take turns.
"""

import json
import os
import tempfile
from pathlib import Path
from random import Random
from time import perf_counter

import click

from protocol.faults import Signed
from protocol.step import EntryRow
from protocol.store import MatchStore


def measure(folder: Path, rows: int, size: int) -> dict[str, float]:
    luck = Random(1)
    kept, bare = [], []
    store = MatchStore.create(folder / "match.sqlite", {})
    with (folder / "bare").open("wb", buffering=0) as file:
        for _ in range(rows):
            row = EntryRow(Signed(luck.randbytes(size), luck.randbytes(64)))
            start = perf_counter()
            store.commit([row])
            kept.append(perf_counter() - start)
            start = perf_counter()
            file.write(row.entry.encoded + row.entry.signature)
            _sync(file.fileno())
            bare.append(perf_counter() - start)
    store.close()
    start = perf_counter()
    MatchStore.open(folder / "match.sqlite").close()
    opening = perf_counter() - start
    return {
        "rows": rows,
        "bytes_a_row": size,
        "store_p50_ms": _at(kept, 0.5),
        "store_p99_ms": _at(kept, 0.99),
        "store_max_ms": _at(kept, 1),
        "bare_p50_ms": _at(bare, 0.5),
        "bare_p99_ms": _at(bare, 0.99),
        "ratio": round(_at(kept, 0.5) / _at(bare, 0.5), 2),
        "open_ms": round(opening * 1000, 1),
    }


def _sync(fd: int) -> None:
    getattr(os, "fdatasync", os.fsync)(fd)


def _at(times: list[float], share: float) -> float:
    ordered = sorted(times)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3)


@click.command()
@click.option("--rows", default=2000, show_default=True)
@click.option("--size", default=400, show_default=True)
@click.option("--folder", default=".", show_default=True)
@click.option("--json", "as_json", is_flag=True)
def command(rows: int, size: int, folder: str, *, as_json: bool) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as made:
        found = measure(Path(made), rows, size)
    if as_json:
        click.echo(json.dumps(found))
        return
    for name, value in found.items():
        click.echo(f"{name:<14} {value}")


if __name__ == "__main__":
    command()
