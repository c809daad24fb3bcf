"""Lines of text to a stream that may go away."""

from collections.abc import Callable
from typing import TextIO


class Output:
    """Writes whole lines at once to `stream`; `lost` is called once when it is gone.

    A reader that has seen enough, such as `head`, closes a pipe early: that is no
    failure, and nothing is said about it.
    """

    def __init__(self, stream: TextIO, lost: Callable[[], None]) -> None:
        self._stream = stream
        self._lost = lost
        self._gone = False

    def line(self, text: str) -> None:
        """One whole line."""
        self.write(f"{text}\n")

    def write(self, text: str) -> None:
        """Text that stays on its line, such as a prompt."""
        if self._gone:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._gone = True
            self._lost()
