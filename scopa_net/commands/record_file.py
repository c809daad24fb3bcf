"""The file that a portable record is written to: whole, or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from scopa_net.commands.refusals import Failure, Refusal

__all__ = ["RecordFile"]

_PUBLIC_MODE = 0o666


class RecordFile:
    """A file that does not exist yet, in a folder that can be written to.

    Both are looked at before the match begins, so that a match does not end without
    its record for a mistyped name. An existing file is never overwritten.
    """

    @classmethod
    def named(cls, name: str) -> RecordFile:
        """The file that a player has named."""
        if not name:
            raise Refusal("A record needs the name of a file.")
        return cls(Path(name))

    def __init__(self, path: Path) -> None:
        self.path = path
        self._check_new()
        try:
            with tempfile.TemporaryFile(dir=path.parent):
                pass
        except OSError as reason:
            raise Refusal(
                f"No record can be written to {path.parent}: {reason.strerror}."
            ) from reason

    def write(self, record: bytes) -> None:
        """Write it beside its place, then move it there."""
        folder, name = self.path.parent, self.path.name
        try:
            with tempfile.NamedTemporaryFile(
                dir=folder, prefix=f".{name}.", delete=False
            ) as file:
                file.write(record)
                file.flush()
                os.fsync(file.fileno())
            beside = Path(file.name)
            beside.chmod(_PUBLIC_MODE & ~_umask())
        except OSError as reason:
            raise Failure(
                f"The record could not be written: {reason.strerror}."
            ) from reason
        try:
            self._check_new()
            beside.replace(self.path)
        except (OSError, Refusal) as reason:
            raise Failure(
                f"The record could not be moved to {self.path} and is in {beside}."
            ) from reason

    def _check_new(self) -> None:
        if os.path.lexists(self.path):
            raise Refusal(f"{self.path} exists already: name a new file.")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
