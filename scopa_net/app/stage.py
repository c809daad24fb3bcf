"""The program's loop, and the whole screen if it has one: all that precedes a match.

A first frame is not to wait for what only a match needs, its cryptography and its
bots; so nothing here loads them.
"""

import asyncio
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from twisted.internet._resolver import GAIResolver
from twisted.internet.asyncioreactor import AsyncioSelectorReactor
from twisted.internet.defer import Deferred
from twisted.internet.main import installReactor
from twisted.internet.task import deferLater
from twisted.internet.threads import deferToThreadPool
from twisted.python.failure import Failure
from twisted.python.threadpool import ThreadPool

from scopa_net.app.screen_player import ScreenPlayer
from scopa_net.exits import Exit, exit_of_signal
from scopa_net.ui.output import Output
from scopa_net.ui.view import ViewState

if TYPE_CHECKING:
    from scopa_net.bots import Bot
    from scopa_net.ui.screen import Terminal

__all__ = ["Ending", "Person", "Played", "Stage"]

_LEAVE_ON = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_WINDOWS_SIGNAL_POLL_S = 0.2
_NAME_THREADS = 2
_LATE_S = 0.25

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Person:
    """A person: where lines are read and written, and who gives hints.

    `interactive` if both ends are a terminal; `terminal` if it shows a whole screen.
    """

    out: Output
    fd: int | None
    interactive: bool
    adviser: "Bot | None"
    terminal: "Terminal | None" = None


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended for this program.

    `record` is None if it was left before anything was signed; `failure` says what
    went wrong. `match` is its ID if it is kept, and `unfinished` if it can go on. It
    was kept before and is not any more if it was `abandoned`.
    """

    code: int
    record: bytes | None
    failure: Failure | None = None
    match: str = ""
    unfinished: bool = False
    abandoned: bool = False


class Played(Protocol):
    """What is played on a stage."""

    def drop(self) -> None:
        """Nothing of it goes on."""
        ...

    def before_the_end(self) -> Deferred[None]:
        """What must be done before the loop stops; it is dropped already."""
        ...


class Stage:
    """The loop, from its first turn to the exit code.

    `played` is what is to be told when the program is left.
    """

    def __init__(self) -> None:
        self.reactor = _install_reactor()
        self.played: Played | None = None
        self.screen: ScreenPlayer | None = None
        # The loop has a core to itself: threads that calculate on all of them keep it
        # from its turn, and on few cores they are no faster.
        self._threads = _start_threads(max(1, (os.cpu_count() or 1) - 1))
        self._patient = _start_threads(1)
        self._code: int | None = None
        self._failure: Failure | None = None
        self._shown = False

    def run(self, begin: Callable[[], None]) -> int:
        """Run the loop from `begin` on, until somebody leaves; the exit code."""
        self.reactor.callWhenRunning(self._begin, begin)
        # What is loaded by now stays, and is not to be searched for garbage.
        gc.freeze()
        if self._code is None:
            with self._signals():
                self.reactor.run(installSignalHandlers=False)
        return Exit.FAILURE if self._code is None else self._code

    def leave(self, code: int) -> None:
        """End here, or do not begin; with this exit code, if there is none already."""
        if self._code is not None:
            return
        self._code = code
        if self.played is not None:
            self.played.drop()
        if not self.reactor.running:
            return
        if self.played is None:
            self._stop()
        else:
            self.played.before_the_end().addBoth(lambda _: self._stop())

    def fail(self, failure: Failure) -> None:
        """Something went wrong, and it cannot go on here."""
        if self._failure is None:
            self._failure = failure
        self.leave(Exit.FAILURE)

    @property
    def left(self) -> bool:
        """Whether it has been left; nothing goes on."""
        return self._code is not None

    @property
    def failure(self) -> Failure | None:
        """What went wrong."""
        return self._failure

    def calculate(self, call: Callable[[], T]) -> Deferred[T]:
        """Do a machine's work off the loop."""
        return deferToThreadPool(self.reactor, self._threads, call)

    def calculate_aside(self, call: Callable[[], T]) -> Deferred[T]:
        """Do what nobody waits for yet, and what is not to hold up the rest."""
        return deferToThreadPool(self.reactor, self._patient, call)

    def calculate_later(self, call: Callable[[], T]) -> Deferred[T]:
        """Do what nobody waits for when all have the cards that they do wait for."""
        begun: Deferred[None] = deferLater(self.reactor, _LATE_S, lambda: None)
        return begun.addCallback(lambda _: self.calculate_aside(call))

    def threads(self, count: int) -> Callable[[Callable[[], T]], Deferred[T]]:
        """Threads for what may take long, and is not to hold up what is calculated."""
        pool = _start_threads(count)
        return lambda call: deferToThreadPool(self.reactor, pool, call)

    def find_hosts(self) -> None:
        """Have names of hosts looked up in threads that nobody waits for at the end.

        The reactor would wait for its own, as long as a name server is silent.
        """
        pool = _start_threads(_NAME_THREADS)
        self.reactor.installNameResolver(GAIResolver(self.reactor, lambda: pool))

    # -- a whole screen ------------------------------------------------------

    def set_screen(self, terminal: "Terminal", view: ViewState) -> ScreenPlayer:
        """The whole screen, which is still to be shown."""
        from scopa_net.ui.screen import Screen

        player = ScreenPlayer(
            lambda command: Screen(terminal, view, command), leave=self._leave_screen
        )
        self.screen = player
        self.reactor.addSystemEventTrigger("before", "shutdown", player.close)
        return player

    def show(self) -> None:
        """Take the terminal for the whole screen, if there is one and it is not yet."""
        if self.screen is not None and not self._shown:
            self._shown = True
            shown = self.screen.show()
            shown.addCallbacks(lambda _: self.leave(Exit.DONE), self.fail)

    @property
    def on_screen(self) -> bool:
        """Whether the whole screen has the terminal, so nothing else may write."""
        return self._shown

    def _leave_screen(self, interrupted: bool) -> None:  # noqa: FBT001
        self.leave(Exit.INTERRUPTED if interrupted else Exit.DONE)

    # -- inside --------------------------------------------------------------

    def _begin(self, begin: Callable[[], None]) -> None:
        if self._code is None:
            begin()

    def _stop(self) -> None:
        if self.reactor.running:
            self.reactor.stop()

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """A signal leaves the match in order; a second one ends the program at once.

        One handler counts them and stays: to put another in its place while a second
        signal is on its way makes Python complain. What is left of the program after
        a signal is only the end of it.
        """
        come = 0

        def leave(number: int, _frame: object) -> None:
            nonlocal come
            come += 1
            if come > 1:
                os._exit(exit_of_signal(number))
            self.reactor.callFromThread(self.leave, exit_of_signal(number))

        numbers = [getattr(signal, name) for name in _LEAVE_ON if hasattr(signal, name)]
        before = [(number, signal.signal(number, leave)) for number in numbers]
        if sys.platform == "win32":
            self.reactor.callLater(_WINDOWS_SIGNAL_POLL_S, self._wake)
        try:
            yield
        finally:
            if not come:
                for number, handler in before:
                    signal.signal(number, handler)

    def _wake(self) -> None:
        """Windows runs signal handlers only when the loop wakes."""
        self.reactor.callLater(_WINDOWS_SIGNAL_POLL_S, self._wake)


class _DaemonThread(Thread):
    """A thread that a program does not wait for when it ends."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, daemon=True, **named)


def _install_reactor() -> AsyncioSelectorReactor:
    """Twisted's reactor over a selector loop, which Windows would not choose."""
    loop = asyncio.SelectorEventLoop()
    asyncio.set_event_loop(loop)
    reactor = AsyncioSelectorReactor(loop)
    installReactor(reactor)
    return reactor


def _start_threads(threads: int) -> ThreadPool:
    """So many threads at most. Nobody waits for them: a bot may think for long."""
    pool = ThreadPool(0, threads)
    pool.threadFactory = _DaemonThread
    pool.start()
    return pool
