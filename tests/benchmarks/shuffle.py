"""What dealing costs a seat: processor time, scalar multiplications, bytes of log.

    python -m tests.benchmarks.shuffle [--seats N]... [--deals 3] [--json]

Whole seats play matches of `scopa` in one process. Each figure is per deal; processor
time and multiplications are per seat, taken around every call of that seat; bytes are
those of all entries about one deck with their signatures. The first deal is left out of
the times, for what is computed once. `ratio` is the processor time over that of the
same multiplications alone, timed in the same run.
"""

import json
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from random import Random
from statistics import median
from time import process_time

import click

from protocol.bodies import deck_number
from protocol.crypto.group import EDWARDS, Suite
from protocol.crypto.identity import Identity
from protocol.entry import read_entry
from protocol.party import Secrets
from protocol.step import Frame, Step
from scopa_net.rules import find_variant
from scopa_net.seat import Notice, Seat
from scopa_net.table import Table
from tests.protocol.crypto.counting import Counting


class Meter:
    """One seat with its own counting suite and clock, and its way to the others."""

    def __init__(
        self, number: int, seats: int, secrets: Secrets, host: bytes, nonce: bytes
    ) -> None:
        self.suite = Counting(EDWARDS)
        # A target out of reach: the match goes on for as long as it is measured.
        variant = find_variant("scopa", seats, {"target": "51"})
        self.seat = Seat(
            self.suite,
            secrets,
            variant,
            nonce,
            name=f"seat{number}",
            host=host,
            number=number,
        )
        self.cpu_s = 0.0

    def spend(self, call: Callable[[], Step[Notice]]) -> tuple[Frame, ...]:
        """Make a call, its tasks included, at this seat's cost; give what it sends."""
        start = process_time()
        step = call()
        frames, tasks = list(step.send), list(step.tasks)
        while tasks:
            task = tasks.pop(0)
            step = self.seat.done(task, task.run())
            frames.extend(step.send)
            tasks.extend(step.tasks)
        self.cpu_s += process_time() - start
        return tuple(frames)

    @property
    def table(self) -> Table:
        """The seat's table, once all are seated."""
        if self.seat.table is None:
            raise LookupError("nobody is seated yet")
        return self.seat.table

    @property
    def decks(self) -> int:
        """How many decks have been dealt."""
        return len(self.table.party.judge.decks)


class Tables:
    """Meters joined to a star, as seats are over links."""

    def __init__(self, seats: int, seed: int) -> None:
        self._luck = Random(seed)
        nonce = self._luck.randbytes(32)
        drawn = [_secrets(self._luck) for _ in range(seats)]
        host = drawn[0].identity.key
        self.meters = [
            Meter(at, seats, own, host, nonce) for at, own in enumerate(drawn)
        ]
        self._frames: list[tuple[int, Frame]] = []
        for guest in range(1, seats):
            self._spend(0, partial(self.meters[0].seat.connect, guest))
            self._spend(guest, partial(self.meters[guest].seat.connect, 0))
        self._settle()

    def play_deal(self) -> None:
        """Play on until the next deck is dealt."""
        before = self.meters[0].decks
        while self.meters[0].decks == before:
            mover = next(meter for meter in self.meters if meter.table.to_act)
            action = self._luck.choice(mover.table.observation().legal_actions)
            self._spend(mover.seat.number, partial(mover.seat.act, action))
            self._settle()

    def _spend(self, number: int, call: Callable[[], Step[Notice]]) -> None:
        sent = self.meters[number].spend(call)
        self._frames.extend((number, frame) for frame in sent)

    def _settle(self) -> None:
        while self._frames:
            sender, frame = self._frames.pop(0)
            seat = self.meters[frame.link].seat
            self._spend(frame.link, partial(seat.receive, sender, frame.data))


def _secrets(luck: Random) -> Secrets:
    return Secrets(Identity(luck.randbytes(32)), luck.randbytes(32), luck.randbytes(32))


def measure(seats: int, deals: int, seed: int) -> dict[str, object]:
    """The figures for a table of so many seats."""
    tables = Tables(seats, seed)
    meters = tables.meters
    marks: list[tuple[float, list[tuple[int, int]]]] = []
    while len(marks) <= deals:
        tables.play_deal()
        cpu = sum(meter.cpu_s for meter in meters)
        marks.append((cpu, [meter.suite.taken() for meter in meters]))
    return _figures(seats, marks, meters)


def _figures(
    seats: int,
    marks: list[tuple[float, list[tuple[int, int]]]],
    meters: list[Meter],
) -> dict[str, object]:
    spent = [(after[0] - before[0]) / seats for before, after in pairwise(marks)]
    variable = median(sum(v for v, _ in counts) / seats for _, counts in marks[1:])
    base = median(sum(b for _, b in counts) / seats for _, counts in marks[1:])
    cpu_s = median(spent)
    alone_s = _alone(EDWARDS, round(variable), round(base))
    return {
        "cpu_ms": round(1000 * cpu_s, 1),
        "mults": [round(variable), round(base)],
        "mults_ms": round(1000 * alone_s, 1),
        "ratio": round(cpu_s / alone_s, 2),
        "log_bytes": _log_bytes(meters, deck=1),
    }


def _alone(suite: Suite, variable: int, base: int) -> float:
    """The processor time of so many multiplications with nothing around them."""
    point = suite.hash_to_point("sc1.card", 1)
    scalars = [suite.scalar("sc1.nonce", index) for index in range(64)]
    start = process_time()
    for index in range(variable):
        suite.mul(scalars[index % 64], point)
    for index in range(base):
        suite.base(scalars[index % 64])
    return process_time() - start


def _log_bytes(meters: list[Meter], deck: int) -> int:
    chains = meters[0].seat.chains()
    return sum(
        len(signed.encoded) + len(signed.signature)
        for chain in chains
        for signed in chain[2:]
        if deck_number(read_entry(signed)) == deck
    )


@click.command()
@click.option("--seats", type=click.Choice(["2", "3", "4", "6"]), multiple=True)
@click.option("--deals", default=3, show_default=True, help="Deals measured.")
@click.option("--seed", default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True)
def main(*, seats: tuple[str, ...], deals: int, seed: int, as_json: bool) -> None:
    """What dealing costs a seat."""
    found = {n: measure(int(n), deals, seed) for n in seats or ("2", "3", "4", "6")}
    if not as_json:
        for n, figures in found.items():
            click.echo(f"{n} seats: {figures}")
        return
    names = {"cpu_ms": "cpu_ms_per_seat"}
    keys = ("cpu_ms", "mults", "mults_ms", "ratio", "log_bytes")
    result = {
        names.get(key, key): {n: figures[key] for n, figures in found.items()}
        for key in keys
    }
    click.echo(json.dumps(result))


if __name__ == "__main__":
    main()
