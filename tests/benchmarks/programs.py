"""Real programs for the benchmarks: started, read, and ended whatever happens."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
WAIT_S = 60.0


class Program:
    """A `scopa` with a data folder of its own.

    It runs under `watch`, a module that is given a file for what it sees, then `scopa`.
    """

    def __init__(self, folder: Path, name: str, watch: str) -> None:
        self.name = name
        self._watch = watch
        self._folder = folder
        self._runs = 0
        self._process: subprocess.Popen[bytes] | None = None

    def start(
        self, *words: str, terminal: int | None = None, inside: Sequence[str] = ()
    ) -> None:
        """Begin, at `terminal` or with JSON for what is told.

        `inside` are words before all others, which put it on another machine.
        """
        self._runs += 1
        plain = () if terminal is not None else ("--json",)
        with self._told.open("wb") as told, self._failed.open("wb") as failed:
            self._process = subprocess.Popen(
                [
                    *(*inside, sys.executable, "-m"),
                    *(self._watch, str(self._found), *words, *plain),
                ],
                cwd=ROOT,
                stdin=subprocess.DEVNULL if terminal is None else terminal,
                stdout=told if terminal is None else terminal,
                stderr=failed,
                env=self._environment(),
            )

    def told(self, kind: str) -> list[dict[str, Any]]:
        """What of that kind it has printed; raises if it is not running any more."""
        assert self._process is not None
        if self._process.poll() is not None:
            said = self._failed.read_text(encoding="utf-8", errors="replace")
            raise RuntimeError(f"{self.name} has ended: {said.strip()}")
        lines = self._told.read_text(encoding="utf-8").split("\n")[:-1]
        return [one for one in map(json.loads, lines) if one["type"] == kind]

    @property
    def pid(self) -> int:
        """The process that runs."""
        assert self._process is not None
        return self._process.pid

    def stop(self) -> Any:
        """Let it leave; what was seen of it."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(WAIT_S)
        return json.loads(self._found.read_text(encoding="utf-8"))

    def end(self) -> None:
        """It is not to run any longer, however it goes."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    @property
    def _told(self) -> Path:
        return self._folder / f"{self.name}-{self._runs}.told"

    @property
    def _failed(self) -> Path:
        return self._folder / f"{self.name}-{self._runs}.failed"

    @property
    def _found(self) -> Path:
        return self._folder / f"{self.name}-{self._runs}.holds"

    def _environment(self) -> dict[str, str]:
        environment = {
            **os.environ,
            "SCOPA_DATA_DIR": str(self._folder / self.name),
            "PYTHONPYCACHEPREFIX": str(self._folder / "compiled"),
            "TERM": "xterm-256color",
        }
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        return environment


@contextmanager
def programs(folder: Path, watch: str, *names: str) -> Iterator[list[Program]]:
    """So many programs, which are not there any more when they are done with."""
    made = [Program(folder, name, watch) for name in names]
    try:
        yield made
    finally:
        for one in made:
            one.end()


def until(condition: Callable[[], object]) -> None:
    """Wait for it."""
    give_up = time.monotonic() + WAIT_S
    while not condition():
        if time.monotonic() > give_up:
            raise TimeoutError
        time.sleep(0.02)
