"""Frames: four bytes that say how many follow, and those; an empty one is a heartbeat.

Our own receiver: every byte is copied a bounded number of times however the stream is
cut, and a frame over the limit of the moment is refused at its header.
"""

from collections.abc import Iterator
from typing import Final

HEADER_BYTES: Final = 4
FRAME_BYTES_MAX: Final = 65_536
HEARTBEAT: Final = bytes(HEADER_BYTES)


def framed(data: bytes) -> bytes:
    """A frame around `data`."""
    return len(data).to_bytes(HEADER_BYTES, "big") + data


class FrameTooLong(ValueError):
    """The other side announced more than it may send now."""


class Unframer:
    """Cuts a stream into frames; `bytes_max` holds for the next header to come."""

    def __init__(self, bytes_max: int) -> None:
        self.bytes_max = bytes_max
        self._held = bytearray()
        self._needed: int | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The frames that `data` completes; raises `FrameTooLong`, and is then spent.

        To be run through to the end: what it has not come to yet is not kept.
        """
        view = memoryview(data)
        while True:
            wanted = HEADER_BYTES if self._needed is None else self._needed
            taken = view[: wanted - len(self._held)]
            view = view[len(taken) :]
            self._held += taken
            if len(self._held) < wanted:
                return
            whole = bytes(self._held)
            self._held.clear()
            if self._needed is None:
                self._needed = int.from_bytes(whole, "big")
                if self._needed > self.bytes_max:
                    raise FrameTooLong(self._needed)
            else:
                self._needed = None
                yield whole
