"""What every match needs that runs in this process, be its seats here or elsewhere.

The reactor, threads, signals, and who fills a chair: a bot, or a person at lines or at
a whole screen.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeAlias

from twisted.internet.asyncioreactor import AsyncioSelectorReactor
from twisted.internet.defer import Deferred
from twisted.internet.main import installReactor
from twisted.internet.threads import deferToThreadPool
from twisted.python.failure import Failure
from twisted.python.threadpool import ThreadPool

from protocol.crypto.group import EDWARDS, self_test
from protocol.step import Frame, Row
from scopa_net.bots import Bot
from scopa_net.events import Event, MatchWon, Stopped
from scopa_net.exits import Exit, exit_of_signal
from scopa_net.players import (
    BotPlayer,
    LinePlayer,
    LineReader,
    Player,
    ScreenPlayer,
    T,
)
from scopa_net.rules import Variant
from scopa_net.runner import Machine, Runner
from scopa_net.seat import Notice, Told
from scopa_net.table import Table
from scopa_net.ui.company import Company
from scopa_net.ui.lines import Lines, Sight
from scopa_net.ui.output import Output
from scopa_net.ui.view import ViewState

if TYPE_CHECKING:
    from scopa_net.ui.screen import Terminal

__all__ = ["OWN", "Chair", "Ending", "Hear", "Person", "Running"]

ADVISER = "hint"
OWN = 0
"""The local seat that the program is run for."""
_LEAVE_ON = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_WINDOWS_SIGNAL_POLL_S = 0.2

Hear: TypeAlias = Callable[[Event, Company], None]


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat to be filled, and its name at the table; without a bot a person plays."""

    name: str
    bot: Bot | None


@dataclass(frozen=True, slots=True)
class Person:
    """A person: where lines are read and written, and who gives hints.

    `interactive` if both ends are a terminal; `terminal` if it shows a whole screen.
    """

    out: Output
    fd: int | None
    interactive: bool
    adviser: Bot | None
    terminal: "Terminal | None" = None


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended for this program.

    `record` is None if it was left before anything was signed; `failure` says what
    went wrong. `match` is its ID if it is kept, and `unfinished` if it can go on.
    """

    code: int
    record: bytes | None
    failure: Failure | None = None
    match: str = ""
    unfinished: bool = False


class Running:
    """A match that runs here; which one, and with whom, is for those that inherit.

    `hear` is told what the own seat is told; `person` fills a chair without a bot.
    `variant` is to be set before `drive`.
    """

    variant: Variant
    screen_at_once = True
    kept = False
    """Whether it can be gone on with after it was left."""

    def __init__(self, *, hear: Hear, person: Person | None, threads: int) -> None:
        self_test(EDWARDS)
        self.reactor = _install_reactor()
        # The loop has a core to itself: threads that calculate on all of them keep it
        # from its turn, and on few cores they are no faster.
        self._calculating = _start_threads(max(1, (os.cpu_count() or 1) - 1))
        self._thinking = _start_threads(threads)
        self._hear = hear
        self._person = person
        self._code: int | None = None
        self._failure: Failure | None = None
        self._runner: Runner | None = None
        self.screen: ScreenPlayer | None = None
        # How the match ended, while the player still looks at the screen; and whether
        # it was left before everybody had confirmed it.
        self._outcome: int | None = None
        self._left_early = False
        self._shown = False
        self.won = False

    def leave(self, code: int) -> None:
        """End here, or do not begin; with this exit code, if there is none already."""
        if self._code is None:
            self._code = code
            if self._runner is not None:
                self._runner.leave()
            if self.reactor.running:
                self.before_the_end().addBoth(lambda _: self._stop())

    def calculate(self, call: Callable[[], T]) -> Deferred[T]:
        """Do a machine's work off the event loop."""
        return deferToThreadPool(self.reactor, self._calculating, call)

    def think(self, call: Callable[[], T]) -> Deferred[T]:
        """Ask a bot off the event loop; one that thinks for long holds up no proof."""
        return deferToThreadPool(self.reactor, self._thinking, call)

    # -- for those that inherit ----------------------------------------------

    def table(self) -> Table | None:
        """The table as the own seat knows it, once the terms are agreed."""
        raise NotImplementedError

    def begin(self) -> None:
        """The loop runs: begin the match."""
        raise NotImplementedError

    def told(self, event: Event) -> None:
        """The own seat was told of this, before its player."""

    def other_notice(self, notice: Notice) -> None:
        """Something has come up that no player needs to know."""

    def before_the_end(self) -> Deferred[None]:
        """What must be done before the loop stops; the match is left already."""
        done: Deferred[None] = Deferred()
        done.callback(None)
        return done

    def drive(
        self,
        machine: Machine,
        chairs: Mapping[int, Chair],
        luck: bytes,
        *,
        keep: Callable[[tuple[Row, ...]], None],
        send: Callable[[tuple[Frame, ...]], None],
    ) -> Runner:
        """What carries out the steps of `machine`; it is still to be started."""
        self._runner = Runner(
            machine,
            {at: self._player(chair, luck) for at, chair in chairs.items()},
            in_thread=self.calculate,
            keep=keep,
            send=send,
            listen=self._listen,
        )
        self._runner.ended.addCallbacks(lambda _: self.end(Exit.DONE), self.fail)
        return self._runner

    def run(self) -> int:
        """Run the loop until the match is over or left; the exit code."""
        self.reactor.callWhenRunning(self._begin)
        if self._code is None:
            with self._signals():
                self.reactor.run(installSignalHandlers=False)
        return Exit.FAILURE if self._code is None else self._code

    def fail(self, failure: Failure) -> None:
        """Something went wrong, and the match cannot go on here."""
        if self._failure is None:
            self._failure = failure
        self.leave(Exit.FAILURE)

    def end(self, code: int) -> None:
        """The match is over; on a screen the player looks at it as long as wanted."""
        if self.screen is None or self._left_early:
            self.leave(code)
        else:
            self._outcome = code

    @property
    def left(self) -> bool:
        """Whether the match has been left; nothing of it goes on."""
        return self._code is not None

    @property
    def failure(self) -> Failure | None:
        """What went wrong."""
        return self._failure

    # -- inside --------------------------------------------------------------

    def _begin(self) -> None:
        if self._code is None:
            self.begin()

    def _stop(self) -> None:
        if self.reactor.running:
            self.reactor.stop()

    def _player(self, chair: Chair, luck: bytes) -> Player:
        if chair.bot is not None:
            return self._bot_player(chair.bot, chair.name, luck)
        person = self._person
        assert person is not None, "a chair without a bot is a person's"
        adviser = (
            self._bot_player(person.adviser, ADVISER, luck) if person.adviser else None
        )
        if person.terminal is not None:
            return self._screen_player(person.terminal, adviser)
        lines = Lines(
            person.out,
            self._look,
            hints=adviser is not None,
            prompt=person.interactive,
        )
        player = LinePlayer(
            lines,
            interactive=person.interactive,
            adviser=adviser,
            leave=lambda: self.leave(Exit.DONE),
            call_later=self.reactor.callLater,
        )
        reader = LineReader(person.fd, self.reactor.callFromThread)
        self.reactor.callWhenRunning(player.read_from, reader)
        return player

    def _screen_player(self, terminal: "Terminal", adviser: Player | None) -> Player:
        from scopa_net.ui.screen import Screen

        view = ViewState(hints=adviser is not None, kept=self.kept)
        player = ScreenPlayer(
            lambda command: Screen(terminal, view, command),
            look=self.company,
            adviser=adviser,
            leave=self._leave_screen,
        )
        self.screen = player
        if self.screen_at_once:
            self.reactor.callWhenRunning(self.show)
        self.reactor.addSystemEventTrigger("before", "shutdown", player.close)
        return player

    def show(self) -> None:
        """Take the terminal for the whole screen, if there is one and it is not yet."""
        if self.screen is not None and not self._shown:
            self._shown = True
            shown = self.screen.show()
            shown.addCallbacks(lambda _: self.leave(Exit.DONE), self.fail)

    def _leave_screen(self, interrupted: bool) -> None:  # noqa: FBT001
        """A match that was won is left once everybody has confirmed it."""
        if interrupted:
            self.leave(Exit.INTERRUPTED)
        elif self._outcome is None and self.won:
            self._left_early = True
        else:
            self.leave(Exit.DONE if self._outcome is None else self._outcome)

    def _bot_player(self, bot: Bot, name: str, luck: bytes) -> BotPlayer:
        return BotPlayer(bot, name, secret=luck, in_thread=self.think)

    def _look(self) -> Sight | None:
        company, table = self.company(), self.table()
        if company is None or table is None:
            return None
        return Sight(company, table.observation())

    def company(self) -> Company | None:
        """Who sits where, once everybody has a place."""
        table = self.table()
        if table is None or not table.seated:
            return None
        return Company(table.names, self.variant, table.place)

    def _listen(self, notice: Notice) -> None:
        if not isinstance(notice, Told):
            self.other_notice(notice)
            return
        table = self.table()
        if notice.seat != OWN or table is None:
            return
        self.told(notice.event)
        self._hear(notice.event, self.company() or Company((), self.variant))
        self.won |= isinstance(notice.event, MatchWon)
        if isinstance(notice.event, Stopped):
            self.end(Exit.UNPROVEN)

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
