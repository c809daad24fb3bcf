"""When the own player is ready for a table to start.

At a table of three or more a person at a terminal says so; a program is ready at once,
and so is everybody at a table of two, which starts when the other has come.
"""

from collections.abc import Callable

from twisted.internet.defer import CancelledError, Deferred

from scopa_net.app.questions import Questions
from scopa_net.ui.gathering import READY_QUESTION

__all__ = ["Readiness"]

_LEAVE = frozenset({"quit", "q"})


class Readiness:
    """Asks the person; `ready` is called once, or `leave` if it goes instead."""

    def __init__(
        self,
        questions: Questions,
        ready: Callable[[], None],
        leave: Callable[[], None],
    ) -> None:
        self._questions = questions
        self._ready = ready
        self._leave = leave
        self._asked: Deferred[str | None] | None = None

    def is_asked_for(self, players: int) -> bool:
        """Whether the own player is to say when it is ready."""
        return players > 2 and self._questions.answered_by_a_person

    def ask(self) -> None:
        """Ask until the person is ready; other questions come in between."""
        asked = self._questions.ask_line(READY_QUESTION, patient=True)
        self._asked = asked
        asked.addCallback(self._answered)
        asked.addErrback(lambda failure: failure.trap(CancelledError) and None)

    def give_up(self) -> None:
        """It does not matter any more: the table has started without an answer."""
        asked, self._asked = self._asked, None
        if asked is not None and not asked.called:
            asked.cancel()

    def _answered(self, line: str | None) -> None:
        self._asked = None
        if line is None or line.strip().lower() in _LEAVE:
            self._leave()
        elif line.strip():
            self.ask()
        else:
            self._ready()
