"""The file beside a store: who has the store open, and what was committed last.

The system gives the lock free when its process dies, however it dies, so no lock is
ever stale. What was committed last is written over the same few bytes and never synced:
it outlives the process, and after a power cut it may lag behind the store, never lead.
"""

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from protocol.crypto.hashing import H
from protocol.files import SAFELY
from protocol.kept import Tail

__all__ = ["LockFile", "LockTaken", "holder"]

PATIENCE_S = 0.3
"""For so long it is tried again: a look at who has it takes it for a moment."""
_PAUSE_S = 0.02
_PROCESS_BYTES = 32
_TAIL_BYTES = 104
_FAR = 1 << 30
"""Windows locks a range of bytes, and nobody else can read what is in it."""


class LockTaken(Exception):
    """Somebody has it: `process`, or None if that is not known."""

    def __init__(self, process: int | None) -> None:
        super().__init__(process)
        self.process = process


class LockFile:
    """The lock at `path`, taken; a store has one, and gives it free at its end."""

    def __init__(self, path: Path, fd: int) -> None:
        self._path = path
        self._fd = fd

    @classmethod
    def take(cls, path: Path) -> "LockFile":
        """Take the lock; raises `LockTaken`, or `OSError` if there can be none here."""
        give_up = time.monotonic() + PATIENCE_S
        while True:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | SAFELY, 0o600)
            try:
                taken = _lock(fd, shared=False)
                if taken and _is_at(fd, path):
                    _write(fd, 0, b"process %d" % os.getpid(), _PROCESS_BYTES)
                    kept, fd = fd, -1
                    return cls(path, kept)
                if not taken and time.monotonic() > give_up:
                    raise LockTaken(_process(fd))
            finally:
                if fd >= 0:
                    os.close(fd)
            time.sleep(_PAUSE_S)

    def tail(self) -> Tail | None:
        """What was committed last, as far as it can be read."""
        data = _read(self._fd, _PROCESS_BYTES, _TAIL_BYTES).split()
        with suppress(ValueError):
            word, number, link, check = data
            tail = Tail(int(number), bytes.fromhex(link.decode()))
            if word == b"row" and check.decode() == _check(tail):
                return tail
        return None

    def note(self, tail: Tail) -> None:
        """Write down what was committed last."""
        text = f"row {tail.number} {tail.link.hex()} {_check(tail)}"
        # The commit itself stands: what this cannot say only lags behind.
        with suppress(OSError):
            _write(self._fd, _PROCESS_BYTES, text.encode(), _TAIL_BYTES)

    def delete(self) -> None:
        """Delete the file, as nothing is left that it could guard."""
        if sys.platform == "win32":
            # An open file cannot be deleted there.
            self.release()
        self._path.unlink(missing_ok=True)

    def release(self) -> None:
        """Give the lock free; harmless if that is done already."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def holder(path: Path) -> int | None:
    """Who has the lock: None if nobody, 0 if it is not known which process."""
    try:
        fd = os.open(path, os.O_RDWR | SAFELY)
    except OSError:
        return None
    try:
        return None if _lock(fd, shared=True) else _process(fd) or 0
    except OSError:
        return None
    finally:
        os.close(fd)


if sys.platform == "win32":
    import msvcrt

    def _lock(fd: int, *, shared: bool) -> bool:
        """Lock the open file, if nobody has; there is no shared lock here."""
        os.lseek(fd, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def _lock(fd: int, *, shared: bool) -> bool:
        """Lock the open file, if nobody has: not the process, so not twice in one."""
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.flock(fd, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _is_at(fd: int, path: Path) -> bool:
    """Whether the file that was locked has not been deleted in the meantime."""
    try:
        return os.path.samestat(os.fstat(fd), path.lstat())
    except FileNotFoundError:
        return False


def _process(fd: int) -> int | None:
    words = _read(fd, 0, _PROCESS_BYTES).split()
    if len(words) == 2 and words[0] == b"process" and words[1].isdigit():
        return int(words[1])
    return None


def _check(tail: Tail) -> str:
    return H("sc1.store.tail", tail.number, tail.link)[:8].hex()


def _read(fd: int, at: int, size: int) -> bytes:
    os.lseek(fd, at, os.SEEK_SET)
    return os.read(fd, size)


def _write(fd: int, at: int, text: bytes, size: int) -> None:
    os.lseek(fd, at, os.SEEK_SET)
    os.write(fd, text.ljust(size - 1) + b"\n")
