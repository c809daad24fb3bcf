"""A process that speaks lines: started, written to, listened to, and ended for good.

Nothing here waits without end, whatever the process does: it is written to and read
from by threads, a line has a limit, and so has what waits to be heard. What it says on
stderr goes to ours, made safe to show, and not more than a bounded part of it.

Between us and it stands `guard.py`, which ends the process and all that it has started
as soon as we close its pipe or are gone ourselves. On Windows there is no guard, and
only the process itself is ended.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import IO, Final, TypeAlias

from protocol.text import LINE_CELLS_MAX, SafeText, safe_text

__all__ = [
    "Ended",
    "Heard",
    "Process",
    "Silence",
    "TooLong",
    "bot_environment",
    "resident_bytes",
]

LIMITS_MEMORY: Final = sys.platform == "linux"
"""Elsewhere `RLIMIT_AS` is not kept, or there is none."""

LINE_BYTES_MAX: Final = 64 * 1024
LINES_AHEAD_MAX: Final = 256
LOG_LINES_MAX: Final = 1000
"""So many lines of its stderr are passed on; the rest is read and dropped."""

INDENT_MAX: Final = 40

LEAVING_S: Final = 0.5
"""So long a process has to end by itself when its input has ended."""

KILLED_S: Final = 5.0

_GUARD: Final = str(Path(__file__).with_name("guard.py"))
_KEPT: Final = frozenset(
    {"COMSPEC", "HOME", "LANG", "LD_LIBRARY_PATH", "LOGNAME", "PATH", "PATHEXT"}
    | {"PYTHONPATH", "SHELL", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "TZ", "USER"}
    | {"USERPROFILE", "VIRTUAL_ENV"}
)


@dataclass(frozen=True, slots=True)
class Ended:
    """It says nothing any more."""


@dataclass(frozen=True, slots=True)
class TooLong:
    """It has begun a line longer than any may be."""


@dataclass(frozen=True, slots=True)
class Silence:
    """It has not said anything in the time it had."""


Heard: TypeAlias = bytes | TooLong | Ended


class Process:
    """A program that runs; `command` is what to run, not read by any shell.

    `memory_bytes` limits its address space, 0 does not. OSError if it cannot be
    started.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        memory_bytes: int,
    ) -> None:
        self._heard: Queue[Heard] = Queue(LINES_AHEAD_MAX)
        self._unsent: Queue[bytes | None] = Queue()
        self._closed = Event()
        self._last_words: deque[SafeText] = deque(maxlen=1)
        self._lifeline: int | None = None
        self._program = self._start(command, environment, memory_bytes)
        self._threads = [
            Thread(target=run, args=(stream,), daemon=True)
            for run, stream in (
                (self._write, self._program.stdin),
                (self._read, self._program.stdout),
                (self._log, self._program.stderr),
            )
        ]
        for thread in self._threads:
            thread.start()
        atexit.register(self.close)

    @property
    def pid(self) -> int:
        """The process that we have started: the guard, where there is one."""
        return self._program.pid

    @property
    def memory_bytes(self) -> int | None:
        """What it holds in memory now; None where the system does not say."""
        try:
            file = Path(f"/proc/{self.pid}/task/{self.pid}/children")
            bot = file.read_text(encoding="ascii").split()[0]
            return resident_bytes(bot)
        except (OSError, IndexError):
            return None

    def say(self, line: bytes) -> None:
        """Have the line written; what nobody reads is dropped."""
        self._unsent.put(line + b"\n")

    def hear(self, wait_s: float) -> Heard | Silence:
        """The next line, without its end; `Ended` again and again after the last."""
        try:
            found = self._heard.get(timeout=max(0.0, wait_s))
        except Empty:
            return Silence()
        if isinstance(found, Ended | TooLong):
            with suppress(Full):
                self._heard.put_nowait(found)
        return found

    def drained(self) -> list[Heard]:
        """What it has said by now that nobody has listened to."""
        found: list[Heard] = []
        with suppress(Empty):
            while len(found) < LINES_AHEAD_MAX:
                found.append(self._heard.get_nowait())
        if found and isinstance(found[-1], Ended | TooLong):
            self._heard.put_nowait(found[-1])
        return found

    def epitaph(self) -> str:
        """With what code it has ended, and its last words on stderr."""
        with suppress(subprocess.TimeoutExpired):
            self._program.wait(LEAVING_S)
        self._threads[-1].join(LEAVING_S)
        code = self._program.poll()
        ended = "" if code is None else f" with code {code}"
        return ended + "".join(f": {words}" for words in self._last_words)

    def close(self) -> bool:
        """End it and all that it has started; whether it has soon ended by itself."""
        if self._closed.is_set():
            return True
        self._unsent.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._program.wait(LEAVING_S)
        left = self._program.poll() is not None
        self.kill()
        return left

    def kill(self) -> None:
        """End it at once, and all that it has started."""
        if self._closed.is_set():
            return
        self._closed.set()
        self._unsent.put(None)
        if self._lifeline is None:
            self._program.kill()
        else:
            os.close(self._lifeline)
        try:
            self._program.wait(KILLED_S)
        except subprocess.TimeoutExpired:
            self._program.kill()
            self._program.wait()
        for thread in self._threads:
            thread.join(LEAVING_S)
        atexit.unregister(self.close)

    # -- inside --------------------------------------------------------------

    def _start(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        memory_bytes: int,
    ) -> subprocess.Popen[bytes]:
        if sys.platform == "win32":
            return subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,
            )
        theirs, ours = os.pipe()
        words = (sys.executable, "-I", "-S", _GUARD, str(theirs), str(memory_bytes))
        try:
            program = subprocess.Popen(
                (*words, *command),
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                pass_fds=(theirs,),
                # Ctrl-C at our terminal is for us.
                start_new_session=True,
            )
        except OSError:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        self._lifeline = ours
        return program

    def _write(self, stream: IO[bytes]) -> None:
        # It may have gone, or never read: then this thread waits, and nobody else.
        with suppress(OSError), stream:
            while (line := self._unsent.get()) is not None:
                stream.write(line)
                stream.flush()

    def _read(self, stream: IO[bytes]) -> None:
        rest = b""
        with stream:
            while data := os.read(stream.fileno(), LINE_BYTES_MAX):
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    if not self._hand_over(line):
                        return
                if len(rest) > LINE_BYTES_MAX:
                    self._hand_over(TooLong())
                    return
        self._hand_over(Ended())

    def _hand_over(self, heard: Heard) -> bool:
        """Wait until there is room for it; False if nobody listens any more."""
        while not self._closed.is_set():
            with suppress(Full):
                self._heard.put(heard, timeout=LEAVING_S)
                return True
        return False

    def _log(self, stream: IO[bytes]) -> None:
        passed_on = 0
        with stream:
            for line in iter(lambda: stream.readline(LINE_BYTES_MAX), b""):
                text = line.decode(errors="replace")
                words = safe_text(text.strip(), cells_max=LINE_CELLS_MAX)
                if not words:
                    continue
                self._last_words.append(words)
                passed_on += 1
                if passed_on <= LOG_LINES_MAX:
                    # A traceback is read by its indents.
                    indent = len(text) - len(text.lstrip(" "))
                    _pass_on(" " * min(indent, INDENT_MAX) + words)
                if passed_on == LOG_LINES_MAX:
                    _pass_on("What this bot says further is not shown.")


def resident_bytes(process: str) -> int | None:
    """The memory that a process, or ``self``, holds; None where it is not told."""
    try:
        pages = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return None


def bot_environment(own: Mapping[str, str]) -> dict[str, str]:
    """What a bot's program is told of ours: where things are, and nothing else."""
    kept = {
        name: text
        for name, text in own.items()
        if name.upper() in _KEPT or name.startswith("LC_")
    }
    return {**kept, "PYTHONUNBUFFERED": "1"}


def _pass_on(words: str) -> None:
    # It may be closed, or nobody may read it: a bot's talk is not worth more.
    with suppress(OSError, ValueError):
        if sys.stderr is not None:
            sys.stderr.write(f"{words}\n")
            sys.stderr.flush()
