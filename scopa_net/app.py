"""Builds a program from its parts: reactor, seats, players, runner.

It decides nothing but the exit code with which the whole ends.
"""

import asyncio
import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
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
from protocol.crypto.identity import Identity
from protocol.party import Secrets
from protocol.step import Frame, Row
from scopa_net.bots import Bot
from scopa_net.events import Event, MatchWon, Stopped
from scopa_net.exits import Exit, exit_of_signal
from scopa_net.local import Local
from scopa_net.players import (
    BotPlayer,
    LinePlayer,
    LineReader,
    Player,
    ScreenPlayer,
    T,
)
from scopa_net.rules import Variant
from scopa_net.runner import Runner
from scopa_net.seat import Notice, Seat, Told
from scopa_net.ui.company import Company
from scopa_net.ui.lines import Lines, Sight
from scopa_net.ui.output import Output
from scopa_net.ui.view import ViewState

if TYPE_CHECKING:
    from scopa_net.ui.screen import Terminal

__all__ = ["Chair", "Ending", "LocalMatch", "Person", "fresh_seats"]

ADVISER = "hint"
_OWN = 0
"""The local seat that the program is run for; it also hosts."""
_LEAVE_ON = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_WINDOWS_SIGNAL_POLL_S = 0.2

Hear: TypeAlias = Callable[[Event, Company], None]
Gather: TypeAlias = Callable[[Variant, Sequence[str]], Sequence[Seat]]


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
    went wrong.
    """

    code: int
    record: bytes | None
    failure: Failure | None = None


def fresh_seats(variant: Variant, names: Sequence[str]) -> list[Seat]:
    """Seats with fresh identities and secrets, around a table with a fresh nonce."""
    nonce = secrets.token_bytes(32)
    drawn = [
        Secrets(
            Identity(secrets.token_bytes(32)),
            secrets.token_bytes(32),
            secrets.token_bytes(32),
        )
        for _ in names
    ]
    return [
        Seat(
            EDWARDS,
            own,
            variant,
            nonce,
            name=name,
            host=drawn[_OWN].identity.key,
            number=number,
        )
        for number, (own, name) in enumerate(zip(drawn, names, strict=True))
    ]


class LocalMatch:
    """A match whose seats are all in this process; the first chair is the own one.

    `hear` is told what the own seat is told; `person` fills the chair without a bot.
    `gather` makes the seats, in the order of the chairs.
    """

    def __init__(
        self,
        variant: Variant,
        chairs: Sequence[Chair],
        *,
        hear: Hear,
        person: Person | None = None,
        gather: Gather = fresh_seats,
    ) -> None:
        self_test(EDWARDS)
        self._variant = variant
        self._hear = hear
        self._reactor = _install_reactor()
        self._threads = _start_threads(len(chairs))
        self._local = Local(gather(variant, [chair.name for chair in chairs]))
        self._code: int | None = None
        self._failure: Failure | None = None
        self._person = person
        self._screen: ScreenPlayer | None = None
        # How the match ended, while the player still looks at the screen; and whether
        # it was left before everybody had confirmed it.
        self._outcome: int | None = None
        self._left_early = False
        self._won = False
        luck = secrets.token_bytes(32)
        self._runner = Runner(
            self._local,
            {at: self._player(chair, luck) for at, chair in enumerate(chairs)},
            in_thread=self._in_thread,
            keep=_keep_nothing,
            send=_send_nowhere,
            listen=self._listen,
        )

    def play(self) -> Ending:
        """Run the match to its end, or until somebody wants to leave."""
        self._runner.ended.addCallbacks(lambda _: self._end(Exit.DONE), self._fail)
        self._reactor.callWhenRunning(self._runner.start)
        if self._code is None:
            with self._signals():
                self._reactor.run(installSignalHandlers=False)
        begun = any(self._local.seats[_OWN].chains())
        record = self._local.record() if begun else None
        code = Exit.FAILURE if self._code is None else self._code
        return Ending(code, record, self._failure)

    def leave(self, code: int) -> None:
        """End here, or do not begin; with this exit code, if there is none already."""
        if self._code is None:
            self._code = code
            self._runner.leave()
            if self._reactor.running:
                self._reactor.stop()

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
            call_later=self._reactor.callLater,
        )
        reader = LineReader(person.fd, self._reactor.callFromThread)
        self._reactor.callWhenRunning(player.read_from, reader)
        return player

    def _screen_player(self, terminal: "Terminal", adviser: Player | None) -> Player:
        from scopa_net.ui.screen import Screen

        view = ViewState(hints=adviser is not None)
        player = ScreenPlayer(
            lambda command: Screen(terminal, view, command),
            look=self._company,
            adviser=adviser,
            leave=self._leave_screen,
        )
        self._screen = player
        self._reactor.callWhenRunning(self._show, player)
        self._reactor.addSystemEventTrigger("before", "shutdown", player.close)
        return player

    def _show(self, player: ScreenPlayer) -> None:
        shown = player.show()
        shown.addCallbacks(lambda _: self.leave(Exit.DONE), self._fail)

    def _leave_screen(self, interrupted: bool) -> None:  # noqa: FBT001
        """A match that was won is left once everybody has confirmed it."""
        if interrupted:
            self.leave(Exit.INTERRUPTED)
        elif self._outcome is None and self._won:
            self._left_early = True
        else:
            self.leave(Exit.DONE if self._outcome is None else self._outcome)

    def _end(self, code: int) -> None:
        """The match is over; on a screen the player looks at it as long as wanted."""
        if self._screen is None or self._left_early:
            self.leave(code)
        else:
            self._outcome = code

    def _bot_player(self, bot: Bot, name: str, luck: bytes) -> BotPlayer:
        return BotPlayer(bot, name, secret=luck, in_thread=self._in_thread)

    def _look(self) -> Sight | None:
        table = self._local.table(_OWN)
        if table is None or not table.seated:
            return None
        company = Company(table.names, self._variant, table.place)
        return Sight(company, table.observation())

    def _company(self) -> Company | None:
        table = self._local.table(_OWN)
        if table is None or not table.seated:
            return None
        return Company(table.names, self._variant, table.place)

    def _in_thread(self, call: Callable[[], T]) -> Deferred[T]:
        return deferToThreadPool(self._reactor, self._threads, call)

    def _listen(self, notice: Notice) -> None:
        if not isinstance(notice, Told) or notice.seat != _OWN:
            return
        table = self._local.table(_OWN)
        if table is None:
            return
        place = table.place if table.seated else None
        names = table.names if table.seated else ()
        self._hear(notice.event, Company(names, self._variant, place))
        self._won |= isinstance(notice.event, MatchWon)
        if isinstance(notice.event, Stopped):
            self._end(Exit.UNPROVEN)

    def _fail(self, failure: Failure) -> None:
        self._failure = failure
        self.leave(Exit.FAILURE)

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
            self._reactor.callFromThread(self.leave, exit_of_signal(number))

        numbers = [getattr(signal, name) for name in _LEAVE_ON if hasattr(signal, name)]
        before = [(number, signal.signal(number, leave)) for number in numbers]
        if sys.platform == "win32":
            self._reactor.callLater(_WINDOWS_SIGNAL_POLL_S, self._wake)
        try:
            yield
        finally:
            if not come:
                for number, handler in before:
                    signal.signal(number, handler)

    def _wake(self) -> None:
        """Windows runs signal handlers only when the loop wakes."""
        self._reactor.callLater(_WINDOWS_SIGNAL_POLL_S, self._wake)


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


def _start_threads(seats: int) -> ThreadPool:
    """Threads for tasks and bots. Nobody waits for them: a bot may think for long."""
    pool = ThreadPool(0, (os.cpu_count() or 1) + seats)
    pool.threadFactory = _DaemonThread
    pool.start()
    return pool


def _keep_nothing(_rows: tuple[Row, ...]) -> None:
    """An offline match lives as long as its process."""


def _send_nowhere(frames: tuple[Frame, ...]) -> None:
    """The frames of a local table never leave it."""
    assert not frames
