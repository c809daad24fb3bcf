"""Questions to the person before cards are dealt, most of them of yes or no.

Nothing but a clear yes is one: a line of anything else, the end of input and whoever
sits at no terminal say no, but for the one question that programs are asked, too. What
was typed before a question could be read is no answer to it: whoever waits for a second
one typed ahead would let in anybody.
"""

import asyncio
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from typing import Any, Final

from twisted.internet.defer import Deferred, succeed

from scopa_net.app.stage import Person
from scopa_net.app.typed_ahead import forget_typed
from scopa_net.players import LINE_BYTES_MAX, LinePlayer

__all__ = ["Questions", "means_yes"]

_YES: Final = frozenset({"y", "yes"})


class Questions:
    """One question at a time. `lines` is who reads what is typed, where it is lines."""

    def __init__(self, reactor: Any, person: Person | None) -> None:
        self._reactor = reactor
        self._person = person
        self._waiting: list[_Question] = []
        self._typed: Deferred[str | None] | None = None
        self.lines: LinePlayer | None = None

    @property
    def answered_by_a_person(self) -> bool:
        """Whether anybody sits there who could say yes."""
        return self._person is not None and self._person.interactive

    def ask(self, *lines: str, withdrawn: str = "") -> "Deferred[bool]":
        """Whether the person says yes; a question that is cancelled is not asked.

        If it has been asked by then, the person is told `withdrawn`.
        """
        return self.ask_line(*lines, withdrawn=withdrawn).addCallback(means_yes)

    def ask_line(
        self, *lines: str, withdrawn: str = "", patient: bool = False
    ) -> "Deferred[str | None]":
        """What the person types; None at the end of input or where nobody sits.

        One that is `patient` waits for all others, and is asked again after them.
        """
        if not self.answered_by_a_person:
            return succeed(None)
        answer: Deferred[str | None] = Deferred(self._cancelled)
        at = sum(1 for one in self._waiting if patient or not one.patient)
        self._waiting.insert(at, _Question(lines, withdrawn, answer, patient))
        if at == 0:
            self._stop_asking()
            self._ask()
        return answer

    def ask_program(self) -> "Deferred[bool]":
        """Whether the next line of the input says yes, where no person can be asked.

        No more of the input is taken than this line; its end says no.
        """
        answer: Deferred[str | None] = Deferred(lambda _: None)
        Thread(target=self._read_for, args=(answer,), daemon=True).start()
        return answer.addCallback(means_yes)

    # -- inside --------------------------------------------------------------

    def _read_for(self, answer: "Deferred[str | None]") -> None:
        line = b""
        if sys.stdin:
            forget_typed(sys.stdin.fileno())
            line = _line_bytes(sys.stdin.fileno())
        self._reactor.callFromThread(_give, answer, line)

    def _ask(self) -> None:
        assert self._person is not None
        if self._person.fd is not None:
            forget_typed(self._person.fd)
        self._person.out.lines(*self._waiting[0].lines)
        self._person.out.prompt()
        self._typed = self.lines.next_line() if self.lines else self._one_line()
        self._typed.addCallback(self._answered)

    def _answered(self, line: str | None) -> None:
        assert self._person is not None
        self._person.out.answered()
        self._typed = None
        self._waiting.pop(0).answer.callback(line)
        if self._waiting and self._typed is None:
            self._ask()

    def _cancelled(self, answer: "Deferred[str | None]") -> None:
        """Nobody wants to know any more; the rest is asked all the same."""
        assert self._person is not None
        first = self._waiting[0]
        self._waiting = [one for one in self._waiting if one.answer is not answer]
        if first.answer is answer and self._typed is not None:
            self._stop_asking()
            if first.withdrawn:
                self._person.out.lines(first.withdrawn)
            if self._waiting:
                self._ask()

    def _stop_asking(self) -> None:
        """What is typed from now on answers nothing that was asked."""
        typed, self._typed = self._typed, None
        if typed is not None:
            assert self._person is not None
            self._person.out.leave_prompt()
            typed.addErrback(lambda _: None)
            typed.cancel()

    def _one_line(self) -> Deferred[str | None]:
        """The next line of the terminal, and nothing of what comes after it."""
        assert self._person is not None
        fd = self._person.fd
        if fd is None:
            return succeed(None)
        if sys.platform == "win32":
            # No loop there can wait for a terminal.
            line: Deferred[str | None] = Deferred()
            Thread(target=self._read, args=(fd, line), daemon=True).start()
            return line
        return _line_of(asyncio.get_running_loop(), fd)

    def _read(self, fd: int, line: "Deferred[str | None]") -> None:
        self._reactor.callFromThread(_give, line, _read(fd))


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked, what is told if nobody wants to know any more, and the answer."""

    lines: tuple[str, ...]
    withdrawn: str
    answer: "Deferred[str | None]"
    patient: bool


def _line_of(loop: asyncio.AbstractEventLoop, fd: int) -> "Deferred[str | None]":
    def unwanted(_: "Deferred[str | None]") -> None:
        loop.remove_reader(fd)

    line: Deferred[str | None] = Deferred(unwanted)

    def readable() -> None:
        loop.remove_reader(fd)
        _give(line, _read(fd))

    loop.add_reader(fd, readable)
    return line


def _read(fd: int) -> bytes:
    """One line of a terminal; what there is of a longer one."""
    try:
        return os.read(fd, LINE_BYTES_MAX)
    except OSError:
        return b""


def _line_bytes(fd: int) -> bytes:
    """One line of a pipe or a file, byte by byte: what follows it is for others."""
    line = b""
    with suppress(OSError):
        while len(line) < LINE_BYTES_MAX and not line.endswith(b"\n"):
            byte = os.read(fd, 1)
            if not byte:
                break
            line += byte
    return line


def _give(line: "Deferred[str | None]", data: bytes) -> None:
    if not line.called:
        line.callback(data.decode(errors="replace") if data else None)


def means_yes(line: str | None) -> bool:
    """Whether what was typed is a clear yes."""
    return line is not None and line.strip().lower() in _YES
