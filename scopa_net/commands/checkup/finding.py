"""A question about this machine, its answer, and what if there is none."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum

__all__ = ["Check", "Finding", "State", "examine"]

DEADLINE_S = 5.0


class State(Enum):
    """How it is; the value is what is printed."""

    OK = "ok"
    WARN = "warn"
    """It can be played like this, but something is missing."""

    FAIL = "fail"
    """It cannot be played like this."""

    UNASKED = "not asked"
    """That would have told somebody elsewhere of this machine."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found and means, and what to do about it; both in sentences."""

    state: State
    found: str
    todo: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """`look` may take as long as it likes: after the deadline nobody waits for it.

    `late` is how bad it is if there is no answer by then.
    """

    name: str
    look: Callable[[], Finding]
    deadline_s: float = DEADLINE_S
    late: State = State.FAIL


class _Look(threading.Thread):
    """One check on its way; a thread can be left behind, whatever it waits for."""

    def __init__(self, check: Check) -> None:
        super().__init__(name=check.name, daemon=True)
        self.check = check
        self.broken: BaseException | None = None
        self._finding: Finding | None = None
        self._until_s = time.monotonic() + check.deadline_s

    def run(self) -> None:
        """Look."""
        self._finding = self.check.look()

    def finding(self) -> Finding:
        """The answer, or that there is none."""
        self.join(max(0.0, self._until_s - time.monotonic()))
        if self._finding is not None:
            return self._finding
        if self.is_alive():
            return Finding(
                self.check.late,
                f"There was no answer within {self.check.deadline_s:g} seconds.",
                "Try again; if it stays so, something on this machine is stuck.",
            )
        kind = type(self.broken).__name__
        return Finding(
            State.FAIL,
            f"This could not be looked at: {kind}.",
            "That is a fault of this program: please report it with this output.",
        )


def examine(checks: Iterable[Check]) -> Iterator[tuple[str, Finding]]:
    """Ask everything at once; the answers in order, each with its name."""
    with _noting_what_breaks():
        looks = [_Look(check) for check in checks]
        for look in looks:
            look.start()
        for look in looks:
            yield look.check.name, look.finding()


@contextmanager
def _noting_what_breaks() -> Iterator[None]:
    """What a check raises is noted and not printed."""
    before = threading.excepthook

    def note(raised: threading.ExceptHookArgs) -> None:
        if isinstance(raised.thread, _Look):
            raised.thread.broken = raised.exc_value
        else:
            before(raised)

    threading.excepthook = note
    try:
        yield
    finally:
        threading.excepthook = before
