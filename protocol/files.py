"""Files of ours: each whole or not there, and its owner's alone.

Nothing that is there already is written over unless that is asked for, and no link is
followed.
"""

import errno
import os
import secrets
import stat
import sys
from pathlib import Path
from typing import BinaryIO

__all__ = [
    "beside",
    "create",
    "exposed",
    "publish",
    "read_file",
    "shown",
    "sync_folder",
    "write_new",
]

SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_OTHERS = 0o077


def create(path: Path) -> BinaryIO:
    """A new file, 0600 whatever the umask is, open for writing."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | SAFELY
    return os.fdopen(os.open(path, flags, 0o600), "wb")


def write_new(
    path: Path, data: bytes, *, replace: bool = False, lasting: bool = True
) -> None:
    """Write a file in one moment; raises `FileExistsError` unless it is to replace.

    One that is not `lasting` costs no wait for the disk, and a power cut may take it.
    """
    fresh = beside(path, f".{secrets.token_hex(8)}")
    try:
        with create(fresh) as file:
            file.write(data)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        if replace:
            fresh.replace(path)
        else:
            publish(fresh, path)
        if lasting:
            sync_folder(path.parent)
    finally:
        fresh.unlink(missing_ok=True)


def read_file(path: Path, bytes_max: int, *, follow: bool = True) -> bytes:
    """What a file holds, or one byte more than `bytes_max` of it; raises `OSError`.

    A folder, a pipe or a device is no file, and neither is a link that it is not to
    `follow`; nothing is waited for.
    """
    if not follow and path.is_symlink():
        raise OSError(errno.ELOOP, "It is a link, and no file", str(path))
    wait = getattr(os, "O_NONBLOCK", 0) | (0 if follow else SAFELY)

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | wait)

    try:
        with open(path, "rb", opener=opener) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError(errno.EINVAL, "It is no file", str(path))
            return file.read(bytes_max + 1)
    except IsADirectoryError as reason:
        told = OSError(errno.EISDIR, "It is a folder, and no file", str(path))
        raise told from reason


def publish(fresh: Path, path: Path) -> None:
    """Give a file its name; raises `FileExistsError` if that is taken.

    The name is on the disk after `sync_folder`.
    """
    try:
        os.link(fresh, path)
    except FileExistsError:
        raise
    except OSError:
        # A disk without hard links: there, two that do this at once are not told apart.
        if os.path.lexists(path):
            raise FileExistsError(str(path)) from None
        fresh.rename(path)
    else:
        fresh.unlink()


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk; Windows does that by itself."""
    if sys.platform == "win32":
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def exposed(path: Path, others: int = _OTHERS) -> bool:
    """Whether others than the owner have one of these rights; never so on Windows."""
    return sys.platform != "win32" and bool(path.lstat().st_mode & others)


def beside(path: Path, end: str) -> Path:
    """The file whose name is that of `path`, and this."""
    return path.with_name(path.name + end)


def shown(path: Path) -> str:
    """A path for a sentence: it may have any characters."""
    return "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(path)
    )
