"""The programs of a host's bots: small ones here, which the test can watch."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest
from twisted.internet.task import Clock

from scopa_net.app.filling import AGAIN_S, PATIENCE_S, BotSeat, Filling, seat_for

WAIT_S = 60.0
UNTIL_INPUT_ENDS = "import sys; sys.stdin.read()"
DEAF = "import time; print('.' * 100_000, flush=True); time.sleep(600)"


class Loop(Clock):
    """A clock of the test's, which takes calls from threads when it is asked to."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: Queue[Callable[[], Any]] = Queue()

    def callFromThread(  # noqa: N802 - Twisted's
        self, call: Callable[..., Any], *arguments: Any
    ) -> None:
        self.threads.put(lambda: call(*arguments))

    def one_call(self) -> None:
        self.threads.get(timeout=WAIT_S)()


def python(source: str) -> BotSeat:
    return BotSeat("rules", (sys.executable, "-c", source))


def marking(folder: Path, source: str = "") -> BotSeat:
    """A program that leaves a mark in a folder for each time that it runs."""
    marks = f"import tempfile; tempfile.mkstemp(dir={str(folder)!r}); {source}"
    return python(marks)


@pytest.fixture
def loop() -> Loop:
    return Loop()


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def filling(loop: Loop, told: list[str]) -> Filling:
    return Filling(loop, told.append)


def test_bots_end_when_their_host_closes_their_input(
    loop: Loop, filling: Filling, told: list[str]
) -> None:
    filling.start([python(UNTIL_INPUT_ENDS)])
    gone = filling.close()
    assert not gone.called
    loop.one_call()
    assert gone.called
    assert told == []
    assert loop.getDelayedCalls() == []


def test_a_bot_that_does_not_leave_is_killed_however_much_it_prints(
    loop: Loop, filling: Filling
) -> None:
    filling.start([python(DEAF)])
    gone = filling.close()
    loop.advance(PATIENCE_S)
    loop.one_call()
    assert gone.called


def test_a_bot_that_fails_is_started_again_and_then_given_up(
    loop: Loop, filling: Filling, told: list[str], tmp_path: Path
) -> None:
    filling.start([marking(tmp_path, "raise SystemExit(4)")])
    for again_s in AGAIN_S:
        loop.one_call()
        assert told == []
        loop.advance(again_s)
    loop.one_call()
    assert told == ["The bot rules has ended 5 times: it is gone."]
    assert len(list(tmp_path.iterdir())) == 1 + len(AGAIN_S)
    assert loop.getDelayedCalls() == []


def test_a_bot_that_is_done_is_not_started_again(
    loop: Loop, filling: Filling, told: list[str]
) -> None:
    filling.start([python("")])
    loop.one_call()
    assert (told, loop.getDelayedCalls()) == ([], [])
    assert filling.close().called


def test_who_closes_starts_nobody_again(loop: Loop, filling: Filling) -> None:
    filling.start([python("raise SystemExit(4)")])
    loop.one_call()
    assert filling.close().called
    assert loop.getDelayedCalls() == []
    with pytest.raises(Empty):
        loop.threads.get_nowait()


def test_no_bots_outlive_a_host_that_is_killed(tmp_path: Path) -> None:
    # The host is a process that is killed; its bot removes its mark when it leaves.
    mark = tmp_path / "mark"
    bot = (
        f"import pathlib, sys; mark = pathlib.Path({str(mark)!r}); mark.touch(); "
        "sys.stdin.read(); mark.unlink()"
    )
    host = (
        "import sys, time\n"
        "from scopa_net.app.filling import BotSeat, Filling\n"
        f"seat = BotSeat('rules', (sys.executable, '-c', {bot!r}))\n"
        "Filling(None, print).start([seat])\n"
        "time.sleep(600)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", host])
    until(mark.exists)
    process.kill()
    process.wait(WAIT_S)
    until(lambda: not mark.exists())


def test_a_bot_comes_and_goes_on_by_its_invitation() -> None:
    seat = seat_for("rules:x=1", "scopa://here", Path("/home/bots/1"))
    assert seat.bot == "rules:x=1"
    assert seat.command[0] == sys.executable
    assert " ".join(seat.command[1:]) == (
        "-P -m scopa_net join scopa://here --bot rules:x=1 --data-dir /home/bots/1 "
        "--json --until-input-ends"
    )


def until(condition: Callable[[], object]) -> None:
    give_up = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < give_up, "it did not happen"
        time.sleep(0.01)
