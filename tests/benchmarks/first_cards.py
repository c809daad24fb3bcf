"""How long everybody waits for the first cards of a deal.

    python -m tests.benchmarks.first_cards [--seats N]... [--delay MS]... [--matches 3]
                                           [--deals 2] [--lossy] [--json]

`network`: real processes on the loopback, all joined to the host by a way on which
everything takes its time (`delay`), so that what the two farthest seats say to each
other is so many milliseconds under way. Everybody is there when the last seat knows
that all have signed the terms; a deal is over when the last seat has been told so.

    cold      from there to the first cards of the match on every screen
    prepared  from the end of a deal to the first cards of the next
    steps     when the last seat had the last of each kind of entry about the first deck
    shared_ms the processor time that all seats take for it together, each until its own
              first cards, over the cores: how soon they can be there on this machine
    own_ms    the most that one seat takes: how soon with a machine for each

The bars: cold (n + 3) d + 350 ms, prepared d + 25 ms; each is the median.

`lossy`, if it is asked for, which takes root: the same of two seats at the ends of a
way that takes 60 ms and loses 5 % of all packets, in both directions. TCP sends those
again, a fifth of a second later or more.

`play`: from the start of `scopa play` to its first cards; the bars are 1 s for 2 seats
and 2.5 s for 4. All processes share the cores of one machine here, and at a table they
do not: `cpus` says how many there are.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import click

from tests.benchmarks.delay import delayed
from tests.benchmarks.programs import ROOT, Program, programs, until
from tests.end_to_end.homes import far_apart
from tests.support.namespaces import networks

WATCH = "tests.benchmarks.marks"
GUESTS = ("first", "second", "third", "fourth", "fifth")
MAKING = ("coin", "commit", "key", "shuffle", "proof", "ready", "shares")
LOSSY_MS, LOSSY_PERCENT = 60, 5
PLAY_BARS_MS = {2: 1000, 4: 2500}
SLOW = """
from time import sleep

def choose(observation):
    sleep(0.05)
    return observation.legal_actions[0]
"""
Seen: TypeAlias = list[dict[str, Any]]
Figures: TypeAlias = dict[str, Any]


def network(seats: int, delay_ms: int, matches: int, deals: int) -> Figures:
    """The figures of a table of so many seats, so far from each other."""
    played = [_match(seats, delay_ms, deals) for _ in range(matches)]
    return _figures(played, delay_ms, deals)


def lossy(matches: int, deals: int) -> Figures:
    """The figures of two seats with a long and lossy way between them."""
    played = [_lossy_match(deals) for _ in range(matches)]
    return _figures(played, LOSSY_MS, deals)


def _figures(played: Sequence[Seen], delay_ms: int, deals: int) -> Figures:
    seats = len(played[0])
    starts = [_everybody_there(seen) for seen in played]
    pairs = list(zip(starts, played, strict=True))
    cold = [_dealt(seen, start) - start for start, seen in pairs]
    ends = [(end, seen) for seen in played for end in _ends(seen, deals)]
    prepared = [_dealt(seen, end) - end for end, seen in ends]
    spent = [of_one for seen in played for of_one in _spent(seen, deals)]
    return {
        "cold": _against(cold, (seats + 3) * delay_ms + 350)
        | _calculated([_spent_at_first(seen) for seen in played]),
        "steps": {
            kind: _ms(median(_stood(seen, kind) - start for start, seen in pairs))
            for kind in MAKING
        },
        "prepared": _against(prepared, delay_ms + 25) | _calculated(spent),
    }


def play(seats: int, times: int) -> Figures:
    """The figures of `scopa play` with so many seats."""
    return _against([_play(seats) for _ in range(times)], PLAY_BARS_MS.get(seats))


def _match(seats: int, delay_ms: int, deals: int) -> Seen:
    """What every program notes of a match that lasts until the deal after `deals`."""
    # The way of guests to each other leads by the host.
    link_s = delay_ms / 1000 / (1 if seats == 2 else 2)
    with ExitStack() as stack:
        bot, (host, *guests) = _programs(stack, seats)
        invites = _invites(host, bot, "127.0.0.1:0", seats)
        near = urlsplit(invites[0]).port
        assert near is not None
        far = stack.enter_context(delayed(near, link_s))
        for guest, invite in zip(guests, invites, strict=True):
            led = invite.replace(f":{near}/", f":{far}/")
            guest.start("join", led, "--bot", bot)
        return _seen([host, *guests], deals)


def _lossy_match(deals: int) -> Seen:
    with ExitStack() as stack:
        way = far_apart(stack.enter_context(networks()), LOSSY_MS, LOSSY_PERCENT)
        ours, theirs = stack.enter_context(way)
        bot, (host, guest) = _programs(stack, 2)
        (invite,) = _invites(host, bot, "10.7.0.1:0", 2, inside=ours.inside)
        guest.start("join", invite, "--bot", bot, inside=theirs.inside)
        return _seen([host, guest], deals)


def _programs(stack: ExitStack, seats: int) -> tuple[str, list[Program]]:
    """A bot's file, and a program for each seat."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    bot = folder / "slow.py"
    bot.write_text(SLOW, encoding="utf-8")
    names = ("host", *GUESTS[: seats - 1])
    return str(bot), stack.enter_context(programs(folder, WATCH, *names))


def _invites(
    host: Program, bot: str, address: str, seats: int, inside: Sequence[str] = ()
) -> list[str]:
    """Have a host listen there; its invitations."""
    table = ("--players", str(seats), "--rule", "target=99", "--bot", bot)
    host.start("host", "--listen", address, *table, inside=inside)
    until(lambda: host.told("listening"))
    invites: list[str] = host.told("listening")[0]["invites"]
    return invites


def _seen(all_seats: Sequence[Program], deals: int) -> Seen:
    until(lambda: all(len(one.told("played")) > 36 * deals for one in all_seats))
    return [one.stop() for one in all_seats]


def _play(seats: int) -> float:
    """The seconds from the start of the program to its first cards."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("play", "--players", str(seats), "--bot", "rules", "--json")
        start = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "scopa_net", *words],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env={**os.environ, "SCOPA_DATA_DIR": folder},
        )
        assert process.stdout is not None
        with process:
            try:
                next(line for line in process.stdout if b'"dealt"' in line)
                return time.monotonic() - start
            finally:
                process.kill()


# -- what was noted -----------------------------------------------------------------


def _everybody_there(seen: Seen) -> float:
    return _stood(seen, "table")


def _stood(seen: Seen, kind: str) -> float:
    """When the last seat had the last entry of a kind about the first deck.

    Of shares those of the first round count alone: one entry of every seat.
    """
    times: list[list[float]] = [
        [at for at, what, deck, _ in one["entries"] if (what, deck) == (kind, 0)]
        for one in seen
    ]
    return max(sorted(mine)[len(seen) - 1] for mine in times)


def _ends(seen: Seen, deals: int) -> list[float]:
    """When the last seat was told that each of the first deals is over."""
    told = [
        [at for at, name, _ in one["events"] if name == "DealScored"][:deals]
        for one in seen
    ]
    return [max(of_one_deal) for of_one_deal in zip(*told, strict=True)]


def _spent_at_first(seen: Seen) -> list[float]:
    """The processor time of every seat from the signed terms to its first cards."""
    tables = [[each for each in one["entries"] if each[1] == "table"] for one in seen]
    return [
        next(cpu for _, name, cpu in one["events"] if name == "Dealt") - mine[-1][3]
        for one, mine in zip(seen, tables, strict=True)
    ]


def _spent(seen: Seen, deals: int) -> list[list[float]]:
    """The processor time of every seat between each of the first deals and the next."""
    of_seats = []
    for one in seen:
        ends = [each for each in one["events"] if each[1] == "DealScored"][:deals]
        dealt = [each for each in one["events"] if each[1] == "Dealt"]
        of_seats.append(
            [
                next(cpu for at, _, cpu in dealt if at >= end) - before
                for end, _, before in ends
            ]
        )
    return [list(of_one_deal) for of_one_deal in zip(*of_seats, strict=True)]


def _dealt(seen: Seen, start: float) -> float:
    """When the last seat saw the first cards after that time."""
    first: list[float] = [
        next(at for at, name, _ in one["events"] if name == "Dealt" and at >= start)
        for one in seen
    ]
    return max(first)


def _against(times_s: Sequence[float], bar_ms: int | None) -> Figures:
    return {
        "ms": _ms(median(times_s)),
        "worst_ms": _ms(max(times_s)),
        "bar_ms": bar_ms,
        "times": len(times_s),
    }


def _calculated(spent: Sequence[Sequence[float]]) -> Figures:
    """What is calculated until then, by the seats of each deal."""
    return {
        "shared_ms": _ms(median(map(sum, spent)) / (os.cpu_count() or 1)),
        "own_ms": _ms(median(map(max, spent))),
    }


def _ms(seconds: float) -> int:
    return round(1000 * seconds)


@click.command()
@click.option("--seats", type=click.Choice(["2", "3", "4", "6"]), multiple=True)
@click.option("--delay", type=int, multiple=True, help="Milliseconds; 0, 25 and 50.")
@click.option("--matches", default=3, show_default=True, help="First deals measured.")
@click.option("--deals", default=2, show_default=True, help="Later ones, of each.")
@click.option("--lossy", "far", is_flag=True, help="Also by a lossy way; as root.")
@click.option("--json", "as_json", is_flag=True)
def main(
    *,
    seats: tuple[str, ...],
    delay: tuple[int, ...],
    matches: int,
    deals: int,
    far: bool,
    as_json: bool,
) -> None:
    """How long everybody waits for the first cards of a deal."""
    found = {
        "cpus": os.cpu_count(),
        "network": {
            n: {ms: network(int(n), ms, matches, deals) for ms in delay or (0, 25, 50)}
            for n in seats or ("2", "3", "4")
        },
        "lossy": lossy(matches, deals) if far else None,
        "play": {n: play(int(n), matches) for n in seats or ("2", "4", "6")},
    }
    click.echo(json.dumps(found) if as_json else _shown(found))


def _shown(found: Figures) -> str:
    lines = [f"{found['cpus']} cpus"]
    for n, by_delay in found["network"].items():
        for ms, figures in by_delay.items():
            lines += [f"{n} seats, {ms} ms apart:"]
            lines += [f"  {name:<10}{one}" for name, one in figures.items()]
    if found["lossy"] is not None:
        lines += [f"2 seats, {LOSSY_MS} ms and {LOSSY_PERCENT} % of all packets apart:"]
        lines += [f"  {name:<10}{one}" for name, one in found["lossy"].items()]
    lines += [f"play, {n} seats: {one}" for n, one in found["play"].items()]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
