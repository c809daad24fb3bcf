"""Programs that play over the network, each a real process with a data folder."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.support.namespaces import Machine

ROOT = Path(__file__).resolve().parent.parent.parent
SCOPA = [sys.executable, "-m", "scopa_net"]
WAIT_S = 180.0
HERE = ("--listen", "127.0.0.1:0")


def on(machine: Machine) -> list[str]:
    """The program, started on that machine."""
    return [*machine.inside, *SCOPA]


class Peer:
    """One player's folder, and the program that plays for it now."""

    def __init__(self, folder: Path, name: str) -> None:
        self.home = folder / name
        self.name = name
        self.runs: list[Path] = []
        self.process: subprocess.Popen[bytes] | None = None
        self._folder = folder

    def start(
        self,
        *words: str,
        as_json: bool = True,
        program: Sequence[str] = SCOPA,
        stdin: int = subprocess.DEVNULL,
    ) -> None:
        run = self._folder / f"{self.name}-{len(self.runs)}.out"
        self.runs.append(run)
        with run.open("wb") as out, run.with_suffix(".err").open("wb") as err:
            self.process = subprocess.Popen(
                [*program, *words, *(["--json"] if as_json else [])],
                cwd=ROOT,
                env={**os.environ, "SCOPA_DATA_DIR": str(self.home)},
                stdin=stdin,
                stdout=out,
                stderr=err,
            )

    @property
    def said(self) -> str:
        return self.runs[-1].read_text()

    @property
    def complained(self) -> str:
        return self.runs[-1].with_suffix(".err").read_text()

    @property
    def told(self) -> list[dict[str, Any]]:
        """The objects printed by the program that runs, or ran last."""
        return objects(self.runs[-1])

    def types(self) -> list[str]:
        return [one["type"] for one in self.told]

    def invites(self) -> list[str]:
        until(lambda: "listening" in self.types())
        return [str(invite) for invite in self.told[0]["invites"]]

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(WAIT_S)

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()

    def end(self) -> int:
        assert self.process is not None
        return self.process.wait(WAIT_S)

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def kept(self) -> bool:
        """Whether there is a match to go on with."""
        return any((self.home / "matches").glob("*.sqlite"))

    @property
    def over(self) -> bool:
        """Whether it has finished its match."""
        return any((self.home / "finished").glob("*.scopa"))

    def record(self) -> bytes:
        """The record of the one match that it has finished."""
        (path,) = (self.home / "finished").glob("*.scopa")
        return path.read_bytes()


def objects(run: Path) -> list[dict[str, Any]]:
    """Of a program that was killed the last line may be half."""
    lines = run.read_text().split("\n")[:-1]
    return [json.loads(line) for line in lines]


def until(condition: Callable[[], object], wait_s: float = WAIT_S) -> None:
    give_up = time.monotonic() + wait_s
    while not condition():
        assert time.monotonic() < give_up, "it did not happen"
        time.sleep(0.02)


def sit_down(host: Peer, guest: Peer, *words: str) -> str:
    """Begin a match of two bots; the invitation."""
    host.start("host", "--bot", "rules", *HERE, *words)
    (invite,) = host.invites()
    guest.start("join", invite, "--bot", "random")
    return invite
