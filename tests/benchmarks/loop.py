"""How long the event loop is held while two programs play over the network.

    python -m tests.benchmarks.loop [--deals 6] [--only NAME]... [--folder .] [--json]

Real processes on the loopback, with every callback of their loops timed (`holds`):

    bots      `host --bot rules` and `join --bot random`
    four      the same with three guests
    resumed   a host that is stopped after so many deals, and goes on
    person    a host on a whole screen of 120x36, whose keys are pressed, and a bot
    thinker   a host whose bot computes for long, in plain Python, and three guests
    screen    `play` on a whole screen, which loads the match after its first frame
    play      `play --bot rules` against a bot
    play-6    the same against five, whose cards are all dealt in the one process

A hold is a callback in which something of the match was done; its time is that of the
clock, so it holds whatever else the machine does at that moment. One that draws the
screen is counted by itself, and `not_on_disk` leaves out what waited for the disk.
`over_20_ms` says on what the long ones were spent. Beside the milliseconds are ratios
to one scalar multiplication and to one commit, of the same process. The bar: 20 ms at
p99 for all but the drawing.
"""

import json
import os
import tempfile
import termios
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any, TypeAlias

import click

from tests.benchmarks.programs import Program, programs, until

BAR_MS = 20.0
KEY_S = 0.1
KEYS = (b"1", b"\r", b"x")
THINKER = """
from time import perf_counter

def choose(observation):
    end = perf_counter() + 0.3
    while perf_counter() < end:
        sum(range(100))
    return observation.legal_actions[0]
"""
Seen: TypeAlias = dict[str, dict[str, Any]]
WATCH = "tests.benchmarks.holds"
HOST = ("host", "--listen", "127.0.0.1:0", "--rule", "target=99")


def bots(folder: Path, deals: int) -> Seen:
    """Bots, from the first word of each program on."""
    with programs(folder, WATCH, "host", "guest") as both:
        sit_down(*both)
        until(lambda: all(len(one.told("deal_scored")) >= deals for one in both))
        return stopped(*both)


def four(folder: Path, deals: int) -> Seen:
    """Four bots, of which the host carries what the others say to each other."""
    with programs(folder, WATCH, "host", "first", "second", "third") as all_four:
        sit_down(*all_four)
        until(lambda: all(len(one.told("deal_scored")) >= deals for one in all_four))
        return stopped(*all_four)


def resumed(folder: Path, deals: int) -> Seen:
    """A host that goes on with so many deals behind it, and two more before it."""
    with programs(folder, WATCH, "host", "guest") as (host, guest):
        sit_down(host, guest)
        until(lambda: len(host.told("deal_scored")) >= deals)
        host.stop()
        host.start("resume", "--bot", "rules")
        until(lambda: len(host.told("deal_scored")) >= 2)
        return stopped(host, guest)


def person(folder: Path, deals: int) -> Seen:
    """A host at a whole screen who plays the first card, whatever it takes."""
    with terminal() as (theirs, keys), programs(folder, WATCH, "host", "guest") as both:
        host, guest = both
        host.start(*HOST, terminal=theirs)
        until(lambda: b"scopa://" in keys.shown and keys.shown.endswith(b"\n"))
        invite = keys.shown[keys.shown.find(b"scopa://") :].split()[0].decode()
        guest.start("join", invite, "--bot", "random")
        until(lambda: keys.press() and len(guest.told("deal_scored")) >= min(deals, 2))
        return stopped(host, guest)


def thinker(folder: Path, deals: int) -> Seen:
    """A host whose bot computes for long, in plain Python, and three guests."""
    bot = folder / "thinker.py"
    bot.write_text(THINKER, encoding="utf-8")
    with programs(folder, WATCH, "host", "first", "second", "third") as all_four:
        sit_down(*all_four, bot=str(bot))
        until(lambda: all_four[0].told("deal_scored"))
        return stopped(*all_four)


def beginning(folder: Path, deals: int) -> Seen:
    """`scopa play` on a whole screen, which loads the match after its first frame."""
    with terminal() as (theirs, keys), programs(folder, WATCH, "play") as (one,):
        one.start("play", terminal=theirs)
        until(lambda: b"1049h" in keys.shown)
        until(lambda: keys.press() and keys.pressed >= 25 * min(deals, 4))
        return stopped(one)


def alone(folder: Path, deals: int) -> Seen:
    """`scopa play` with two seats."""
    return offline(folder, deals, 2)


def alone_of_six(folder: Path, deals: int) -> Seen:
    """`scopa play` with six, whose cards are all dealt in the one process."""
    return offline(folder, deals, 6)


def offline(folder: Path, deals: int, seats: int) -> Seen:
    with programs(folder, WATCH, "play") as (one,):
        words = ("--players", str(seats), "--bot", "rules", "--rule", "target=99")
        one.start("play", *words)
        until(lambda: len(one.told("deal_scored")) >= min(deals, 4))
        return stopped(one)


def sit_down(host: Program, *guests: Program, bot: str = "rules") -> None:
    host.start(*HOST, "--players", str(1 + len(guests)), "--bot", bot)
    until(lambda: host.told("listening"))
    for guest, invite in zip(guests, host.told("listening")[0]["invites"], strict=True):
        guest.start("join", invite, "--bot", "random")


def stopped(*those: Program) -> Seen:
    return {one.name: figures(one.stop()) for one in those}


class Keys:
    """The other end of a terminal: what was written on it, and keys for it."""

    def __init__(self, fd: int) -> None:
        self.shown = b""
        self._fd = fd
        self.pressed = 0
        Thread(target=self._read, daemon=True).start()

    def press(self) -> bool:
        """Press the next key, in the pace of a quick player."""
        time.sleep(KEY_S)
        os.write(self._fd, KEYS[self.pressed % len(KEYS)])
        self.pressed += 1
        return True

    def _read(self) -> None:
        with suppress(OSError):
            while data := os.read(self._fd, 65536):
                self.shown += data


@contextmanager
def terminal() -> Iterator[tuple[int, Keys]]:
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (36, 120))
    try:
        yield theirs, Keys(ours)
    finally:
        os.close(theirs)
        os.close(ours)


# -- figures ------------------------------------------------------------------------


def figures(seen: dict[str, Any]) -> dict[str, Any]:
    """What the callbacks of one process come to."""
    worked = [hold for hold in seen["holds"] if set(hold["causes"]) != {"rest"}]
    drawn = [hold for hold in worked if "redraw" in hold["causes"]]
    others = [hold for hold in worked if "redraw" not in hold["causes"]]
    commit_s = at(seen["calls"].get("commit", []), 0.5)
    multiplication_s = seen["multiplication_s"]
    p99_s = at([hold["s"] for hold in others], 0.99)
    return {
        "callbacks": len(seen["holds"]),
        "holds": spread([hold["s"] for hold in others]),
        "not_on_disk": spread([not_on_disk_s(hold) for hold in others]),
        "holds_cpu": spread([hold["cpu_s"] for hold in others]),
        "redraws": spread([hold["s"] for hold in drawn]),
        "redraws_cpu": spread([hold["cpu_s"] for hold in drawn]),
        "multiplication_ms": ms(multiplication_s),
        "commit": spread(seen["calls"].get("commit", [])),
        "p99_in_multiplications": round(p99_s / multiplication_s),
        "p99_in_commits": round(p99_s / commit_s, 1) if commit_s else None,
        "over_20_ms": long_ones(others),
        "spent_ms": by_cause(others),
    }


def not_on_disk_s(hold: dict[str, Any]) -> float:
    """What is left of a hold without the commits and the notes for a list."""
    spent: dict[str, float] = hold["causes"]
    return float(hold["s"]) - spent.get("commit", 0.0) - spent.get("note", 0.0)


def long_ones(holds: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The longest first, each with all that took a twentieth of it."""
    found = [hold for hold in holds if hold["s"] > BAR_MS / 1000]
    return [
        {
            "ms": ms(hold["s"]),
            "cpu_ms": ms(hold["cpu_s"]),
            "causes": {
                cause: ms(spent)
                for cause, spent in hold["causes"].items()
                if spent > hold["s"] / 20
            },
        }
        for hold in sorted(found, key=lambda hold: -float(hold["s"]))
    ]


def by_cause(holds: Sequence[dict[str, Any]]) -> dict[str, float]:
    total: Counter[str] = Counter()
    for hold in holds:
        total.update(hold["causes"])
    return {cause: ms(spent) for cause, spent in total.most_common()}


def spread(times: Sequence[float]) -> dict[str, float]:
    shares = {"p50_ms": 0.5, "p99_ms": 0.99, "max_ms": 1.0}
    return {"n": len(times)} | {name: ms(at(times, of)) for name, of in shares.items()}


def at(times: Sequence[float], share: float) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if times else 0.0


def ms(seconds: float) -> float:
    return round(1000 * seconds, 2)


SETTINGS: dict[str, Callable[[Path, int], Seen]] = {
    "bots": bots,
    "four": four,
    "resumed": resumed,
    "person": person,
    "thinker": thinker,
    "screen": beginning,
    "play": alone,
    "play-6": alone_of_six,
}


def show(name: str, found: Seen) -> None:
    for who, one in found.items():
        click.echo(f"{name}, {who}: {one['callbacks']} callbacks")
        for what in (
            "holds",
            "not_on_disk",
            "holds_cpu",
            "redraws",
            "redraws_cpu",
            "commit",
        ):
            click.echo(f"  {what:<11} {one[what]}")
        click.echo(
            f"  p99 is {one['p99_in_multiplications']} multiplications", nl=False
        )
        click.echo(f" or {one['p99_in_commits']} commits; spent {one['spent_ms']}")
        for long in one["over_20_ms"]:
            click.echo(f"  over 20 ms: {long}")


@click.command()
@click.option("--deals", default=6, show_default=True, help="Deals played, or behind.")
@click.option("--only", type=click.Choice([*SETTINGS]), multiple=True)
@click.option("--folder", default=".", show_default=True, help="On the disk measured.")
@click.option("--json", "as_json", is_flag=True)
def main(*, deals: int, only: tuple[str, ...], folder: str, as_json: bool) -> None:
    """How long the event loop is held while two programs play over the network."""
    found: dict[str, Seen] = {}
    for name in only or SETTINGS:
        with tempfile.TemporaryDirectory(dir=folder) as made:
            found[name] = SETTINGS[name](Path(made), deals)
    if as_json:
        click.echo(json.dumps({"bar_ms": BAR_MS} | found))
        return
    for name, both in found.items():
        show(name, both)


if __name__ == "__main__":
    main()
