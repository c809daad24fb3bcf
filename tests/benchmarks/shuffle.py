"""What dealing costs a seat: processor time, scalar multiplications, bytes of log.

    python -m tests.benchmarks.shuffle [--seats N]... [--deals 3] [--json]

Whole seats play matches of `scopa` in one process. Each figure is per deal; one that
is dealt again is left out. Processor time and multiplications are per seat; bytes are
those of all entries about one deck with their signatures. The first deal is left out
of the times, for what is computed once. `ratio` is the processor time over that of
the same multiplications alone, timed in the same run. `steps` says where both are
spent: every task by its name, and all that is no task (messages, plays, rules) in
`table`. `audit_s` is the processor time of an audit of the record of ten deals. To
ask for the processor time costs as much as a message, so the steps are taken from as
many deals more.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from statistics import median
from time import process_time
from typing import TypeAlias, TypeVar, cast

import click

from protocol.archive import write_archive
from protocol.audit import audit
from protocol.bodies import deck_number
from protocol.crypto.group import EDWARDS, Suite
from protocol.crypto.identity import Identity
from protocol.entry import read_entry
from protocol.party import Secrets
from protocol.step import Frame, Step
from scopa_net.notices import Notice
from scopa_net.referee import open_match
from scopa_net.rules import find_variant
from scopa_net.seat import Seat
from scopa_net.table import Table
from tests.protocol.crypto.counting import Counting

Figures: TypeAlias = dict[str, object]
T = TypeVar("T")

AUDITED = 10
STEPS = {
    "make_key": "key",
    "make_shuffle": "shuffle",
    "make_proof": "proof",
    "make_shares": "shares",
    "_read_key": "check keys",
    "decode_deck": "check shuffles",
    "_read_proof": "check proofs",
    "read_shares": "check shares and plays",
    "opens_seed": "check seeds",
    "replayed": "replay",
    "": "table",
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What has been spent: time, variable and base multiplications."""

    time_s: float = 0.0
    variable: int = 0
    base: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.time_s + other.time_s,
            self.variable + other.variable,
            self.base + other.base,
        )

    def __sub__(self, other: "Cost") -> "Cost":
        return self + Cost(-other.time_s, -other.variable, -other.base)

    def over(self, count: int) -> "Cost":
        """An equal part of it."""
        return Cost(
            self.time_s / count, round(self.variable / count), round(self.base / count)
        )


Costs = dict[str, Cost]


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
        self.clocked = False
        self.spent: Costs = dict.fromkeys(STEPS.values(), Cost())

    def spend(self, call: Callable[[], Step[Notice]]) -> tuple[Frame, ...]:
        """Make a call, its tasks included, at this seat's cost; give what it sends."""
        step = self._timed("", call)
        frames, tasks = list(step.send), list(step.tasks)
        while tasks:
            task = tasks.pop(0)
            result = self._timed(task.call.__name__, task.run)
            step = self._timed("", partial(self.seat.done, task, result))
            frames.extend(step.send)
            tasks.extend(step.tasks)
        return tuple(frames)

    def _timed(self, name: str, call: Callable[[], T]) -> T:
        clocked = name and self.clocked
        start = process_time() if clocked else 0.0
        result = call()
        spent_s = process_time() - start if clocked else 0.0
        cost = Cost(spent_s, *self.suite.taken())
        self.spent[STEPS[name]] += cost
        return result

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

    def play_deal(self) -> float:
        """Play on until the next deck is dealt; the processor time of all of it."""
        start = process_time()
        before = self.meters[0].decks
        while self.meters[0].decks == before:
            mover = next(meter for meter in self.meters if meter.table.to_act)
            action = self._luck.choice(mover.table.observation().legal_actions)
            self._spend(mover.seat.number, partial(mover.seat.act, action))
            self._settle()
        return process_time() - start

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


def measure(seats: int, deals: int, seed: int) -> Figures:
    """The figures for a table of so many seats."""
    tables = Tables(seats, seed)
    meters = tables.meters
    tables.play_deal()
    times, spent = _dealing(tables, deals)
    cpu_s = median(times) / seats
    total = sum(spent.values(), Cost()).over(deals * seats)
    for meter in meters:
        meter.clocked = True
    _, steps = _dealing(tables, deals)
    steps = {name: cost.over(deals * seats) for name, cost in steps.items()}
    rest_s = cpu_s - sum(cost.time_s for cost in steps.values())
    steps[STEPS[""]] += Cost(rest_s)
    alone_s = _alone(EDWARDS, total.variable, total.base)
    return {
        "cpu_ms": round(1000 * cpu_s, 1),
        "mults": [total.variable, total.base],
        "mults_ms": round(1000 * alone_s, 1),
        "ratio": round(cpu_s / alone_s, 2),
        "log_bytes": _log_bytes(meters, deck=1),
        "audit_s": round(_audit_s(tables), 2),
        "steps": {name: _plain(cost) for name, cost in steps.items()},
    }


def _dealing(tables: Tables, deals: int) -> tuple[list[float], Costs]:
    """The processor time of each of so many deals, and all that they cost together."""
    times: list[float] = []
    spent: Costs = dict.fromkeys(STEPS.values(), Cost())
    while len(times) < deals:
        decks, start = tables.meters[0].decks, _together(tables.meters)
        time_s = tables.play_deal()
        if tables.meters[0].decks == decks + 1:
            times.append(time_s)
            for name, cost in _between(start, _together(tables.meters)).items():
                spent[name] += cost
    return times, spent


def _together(meters: list[Meter]) -> Costs:
    spent = [meter.spent for meter in meters]
    return {name: sum((one[name] for one in spent), Cost()) for name in STEPS.values()}


def _between(before: Costs, after: Costs) -> Costs:
    return {name: after[name] - before[name] for name in after}


def _plain(cost: Cost) -> Figures:
    return {
        "ms": round(1000 * cost.time_s, 1),
        "mults": [cost.variable, cost.base],
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


def _audit_s(tables: Tables) -> float:
    """The processor time of an audit of so many whole deals, and of one just dealt."""
    while tables.meters[0].decks <= AUDITED:
        tables.play_deal()
    data = write_archive(tables.meters[0].seat.chains())
    start = process_time()
    found = audit(data, EDWARDS, open_match)
    spent_s = process_time() - start
    if not found.sound or len(found.judge.decks) <= AUDITED:
        raise LookupError("this is no record of so many deals")
    return spent_s


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
            _show(n, figures)
        return
    names = {"cpu_ms": "cpu_ms_per_seat"}
    figures_of = ("cpu_ms", "mults", "mults_ms", "ratio", "log_bytes", "audit_s")
    keys = (*figures_of, "steps")
    result = {
        names.get(key, key): {n: figures[key] for n, figures in found.items()}
        for key in keys
    }
    click.echo(json.dumps(result))


def _show(seats: str, figures: Figures) -> None:
    said = ", ".join(f"{key} {figures[key]}" for key in figures if key != "steps")
    click.echo(f"{seats} seats: {said}")
    for name, cost in cast("dict[str, Figures]", figures["steps"]).items():
        click.echo(f"  {name:<24}{cost['ms']:>7} ms  {cost['mults']}")


if __name__ == "__main__":
    main()
