"""The bots that a host brings to its table: each is a program of its own, a guest.

Each joins by an invitation and keeps its match in a folder of its own, so it goes on
like any guest by being started again. What it prints goes nowhere. Its input is a pipe
of which only this program holds the other end: when that is closed, be it because this
program was killed, the bot leaves (`scopa join --until-input-ends`).
"""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any, Final

from twisted.internet.defer import Deferred, succeed
from twisted.internet.interfaces import IDelayedCall

__all__ = ["BotSeat", "Filling", "seat_for"]

AGAIN_S: Final = (1.0, 2.0, 4.0, 8.0)
"""When one that has failed is started again: its folder may still be in use."""

PATIENCE_S: Final = 5.0
"""So long one has to leave before it is killed."""

_ROOT: Final = str(Path(__file__).resolve().parents[2])
_OF_THE_PERSON: Final = ("SCOPA_NAME", "SCOPA_DATA_DIR")


@dataclass(frozen=True, slots=True)
class BotSeat:
    """A bot as it is asked for, and the command that seats it."""

    bot: str
    command: tuple[str, ...]


def seat_for(bot: str, invite: str, folder: Path) -> BotSeat:
    """A bot that comes by an invitation, or goes on with what its folder keeps."""
    python = (sys.executable, "-P", "-m", "scopa_net")
    who = ("--bot", bot, "--data-dir", str(folder), "--json")
    return BotSeat(bot, (*python, "join", invite, *who, "--until-input-ends"))


class Filling:
    """The programs of a host's bots; `tell` is called when one does not go on."""

    def __init__(self, reactor: Any, tell: Callable[[str], None]) -> None:
        self._reactor = reactor
        self._tell = tell
        self._running: dict[BotSeat, subprocess.Popen[bytes]] = {}
        self._failed: dict[BotSeat, int] = {}
        self._timers: list[IDelayedCall] = []
        self._all_gone: Deferred[None] | None = None

    def start(self, seats: Sequence[BotSeat]) -> None:
        """Have these come."""
        for seat in seats:
            self._start(seat)

    def close(self) -> "Deferred[None]":
        """End all; fires when nothing of them runs any more."""
        for timer in self._timers:
            if timer.active():
                timer.cancel()
        if not self._running:
            return succeed(None)
        gone: Deferred[None] = Deferred()
        self._all_gone = gone
        for program in self._running.values():
            assert program.stdin is not None
            program.stdin.close()
        kill = self._reactor.callLater(PATIENCE_S, self._kill)
        self._timers = [kill]
        return gone

    # -- inside --------------------------------------------------------------

    def _start(self, seat: BotSeat) -> None:
        try:
            program = subprocess.Popen(
                seat.command,
                env=_environment(os.environ),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # What is typed at the host's terminal is not for its bots.
                start_new_session=True,
            )
        except OSError:
            self._ended(seat, 1)
            return
        self._running[seat] = program
        Thread(target=self._wait, args=(seat, program), daemon=True).start()

    def _wait(self, seat: BotSeat, program: "subprocess.Popen[bytes]") -> None:
        code = program.wait()
        self._reactor.callFromThread(self._ended, seat, code)

    def _ended(self, seat: BotSeat, code: int) -> None:
        program = self._running.pop(seat, None)
        if program is not None and program.stdin is not None:
            program.stdin.close()
        if self._all_gone is not None:
            if not self._running:
                self._stop_waiting(self._all_gone)
            return
        failed = self._failed.get(seat, 0)
        if code == 0:
            return
        if failed == len(AGAIN_S):
            self._tell(f"The bot {seat.bot} has ended {failed + 1} times: it is gone.")
            return
        self._failed[seat] = failed + 1
        again = self._reactor.callLater(AGAIN_S[failed], self._start, seat)
        self._timers.append(again)

    def _stop_waiting(self, gone: "Deferred[None]") -> None:
        for timer in self._timers:
            if timer.active():
                timer.cancel()
        gone.callback(None)

    def _kill(self) -> None:
        for program in self._running.values():
            program.kill()


def _environment(own: Mapping[str, str]) -> dict[str, str]:
    """The own one, in which this package is found, and nothing is the person's."""
    kept = {name: text for name, text in own.items() if name not in _OF_THE_PERSON}
    paths = (_ROOT, kept.get("PYTHONPATH", ""))
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
