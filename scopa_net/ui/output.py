"""Lines of text to a stream that may go away."""

from collections.abc import Callable
from typing import TextIO

PROMPT = "> "


class Output:
    """Writes whole lines at once to `stream`; `lost` is called once when it is gone.

    A reader that has seen enough, such as `head`, closes a pipe early: that is no
    failure, and nothing is said about it.
    """

    def __init__(self, stream: TextIO, lost: Callable[[], None]) -> None:
        self._stream = stream
        self._lost = lost
        self._gone = False
        self._prompted = False

    def line(self, text: str) -> None:
        """One whole line, never on that of a prompt."""
        self._write(f"\n{text}\n" if self._prompted else f"{text}\n")
        self._prompted = False

    def prompt(self) -> None:
        """A sign that a line is waited for; what is typed stands after it."""
        if not self._prompted:
            self._write(PROMPT)
            self._prompted = True

    def answered(self) -> None:
        """A line was typed, so its end has also ended that of the prompt."""
        self._prompted = False

    def _write(self, text: str) -> None:
        if self._gone:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._gone = True
            self._lost()
