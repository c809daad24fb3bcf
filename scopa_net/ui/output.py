"""Lines of text to a stream that may go away."""

import errno
import sys
from collections.abc import Callable
from typing import TextIO

from wcwidth import wcswidth

__all__ = ["Output", "nobody_reads", "wrapped"]

PROMPT = "> "


class Output:
    """Writes whole lines at once to `stream`.

    What comes while a prompt stands is written below it, and then the prompt again: it
    stands wherever a line is waited for, until that is `answered`, or `leave_prompt`
    says that nobody waits for it any more.

    `lost` is called once, with the reason, when it takes no more; then nothing is
    written. `width` is that of a terminal, whose lines are broken between words; None
    keeps every line whole.
    """

    def __init__(
        self,
        stream: TextIO,
        lost: Callable[[OSError], None],
        *,
        width: Callable[[], int | None] = lambda: None,
    ) -> None:
        self._stream = stream
        self._lost = lost
        self._width = width
        self._gone = False
        self._prompted = False

    def lines(self, *texts: str) -> None:
        """Some lines, never on that of a prompt."""
        width = self._width()
        self.whole(*(wrapped(text, width) for text in texts))

    def whole(self, *texts: str) -> None:
        """Lines left unbroken: a terminal that breaks one copies it as one."""
        if not texts:
            return
        text = "".join(f"{each}\n" for each in texts)
        self._write(f"\n{text}{PROMPT}" if self._prompted else text)

    def prompt(self) -> None:
        """A sign that a line is waited for; what is typed stands after it."""
        if not self._prompted:
            self._write(PROMPT)
            self._prompted = True

    def leave_prompt(self) -> None:
        """No line is waited for any more, and nothing is to stand on that line."""
        if self._prompted:
            self._write("\n")
            self._prompted = False

    def answered(self) -> None:
        """A line was typed, so its end has also ended that of the prompt."""
        self._prompted = False

    def _write(self, text: str) -> None:
        if self._gone:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError as reason:
            self._gone = True
            self._lost(reason)


def nobody_reads(reason: OSError) -> bool:
    """Whether what could not be written had a reader who has seen enough.

    `head` closes its pipe early: that is no failure, and nothing is said about it.
    """
    if isinstance(reason, BrokenPipeError):
        return True
    return sys.platform == "win32" and reason.errno == errno.EINVAL


def wrapped(text: str, width: int | None) -> str:
    """The text with line ends for blanks, so that no line has more cells than `width`.

    A word that is wider stays whole.
    """
    if not width or wcswidth(text) <= width:
        return text
    first, *words = text.split(" ")
    lines = [first]
    for word in words:
        longer = f"{lines[-1]} {word}"
        if wcswidth(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return "\n".join(lines)
