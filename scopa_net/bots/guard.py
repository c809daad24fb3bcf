"""Runs one program and ends all of it: the process between us and somebody's bot.

    python -I -S guard.py LIFELINE MEMORY PROGRAM [ARGUMENT...]

It is run by its path and needs nothing of ours, so it starts at once. The program gets
our standard streams, a session of its own and at most MEMORY bytes of address space
(0: as much as it wants). When it ends, or when nobody holds the other end of the pipe
LIFELINE any more, be it because the match's program was killed, everything that it has
started is killed: its process group, and on Linux also what has left that group.
"""

import ctypes
import os
import resource
import select
import signal
import sys
from contextlib import suppress

CANNOT_RUN = 126
SET_PDEATHSIG = 1
SET_CHILD_SUBREAPER = 36


def main() -> int:
    """Run it until it ends, or is to end; its exit code, as a shell would say it."""
    lifeline, memory, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    if library is not None:
        library.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    bot = os.fork()
    if bot == 0:
        os.close(lifeline)
        _become(command, memory, library)
    for stream in (0, 1, 2):
        # Who reads what the bot says is to hear of its end.
        os.close(stream)
    status = None
    while status is None:
        ready, _, _ = select.select([lifeline, woken], [], [])
        if woken in ready:
            os.read(woken, 512)
            status = _ended(bot)
        if lifeline in ready:
            break
    _kill_all(bot)
    return 0 if status is None else os.waitstatus_to_exitcode(status) & 0xFF


def _become(command: list[str], memory: int, library: ctypes.CDLL | None) -> None:
    """Turn the forked process into the program, or end."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.setsid()
        if library is not None:
            library.prctl(SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        _limit(resource.RLIMIT_CORE, 0)
        if memory:
            _limit(resource.RLIMIT_AS, memory)
        os.execvp(command[0], command)
    except OSError as reason:
        os.write(2, f"{command[0]}: {reason.strerror}\n".encode())
    finally:
        os._exit(CANNOT_RUN)


def _limit(what: int, most: int) -> None:
    """No more than that, where the system knows such a limit and lets it be set."""
    _, hard = resource.getrlimit(what)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(what, (most, most))


def _ended(bot: int) -> int | None:
    """The status of the bot if it has ended; whatever else has ended is let go."""
    with suppress(ChildProcessError):
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == bot:
                return status
            if process == 0:
                return None
    return None


def _kill_all(bot: int) -> None:
    """Kill the bot's group, then whatever comes to this process as an orphan."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(bot, signal.SIGKILL)
    for _ in range(1000):
        for child in _children():
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _children() -> list[int]:
    """The processes that this one is the parent of, where the system says so."""
    own = os.getpid()
    try:
        with open(f"/proc/self/task/{own}/children", encoding="ascii") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


if __name__ == "__main__":
    os._exit(main())
