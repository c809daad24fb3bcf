"""Carries out the Steps of one machine, in their fixed order.

Rows are kept in one transaction, then frames are sent, then events are told, then
tasks are started in threads; a later step waits until the one before it is carried
out. If keeping fails, nothing of the step is sent or shown and the runner ends with
the failure: the machine is to be opened again from what was kept. No call here waits:
the machine is opened in a thread too, since a match that was stored is folded again,
and what comes for it until then waits.

The machine may be one seat behind links or a whole table in one process; events, tasks
and choices carry the number of the local seat.
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from twisted.internet.defer import Deferred, maybeDeferred
from twisted.python.failure import Failure

from protocol.step import Frame, Row, Step, Task
from scopa_net.events import TurnCame, VoidProposed
from scopa_net.leaving import Word
from scopa_net.notices import Notice, Told
from scopa_net.players import Player
from scopa_net.rules import Action
from scopa_net.table import Table

__all__ = ["Machine", "Runner", "Threads"]

T = TypeVar("T")


class Machine(Protocol):
    """What a runner drives."""

    def open(self) -> Step[Notice]:
        """Begin."""
        ...

    def done(self, task: Task, result: object) -> Step[Notice]:
        """A task has its result."""
        ...

    def act(self, number: int, action: Action) -> Step[Notice]:
        """The choice of the player in local seat `number`."""
        ...

    def say(self, number: int, word: Word) -> Step[Notice]:
        """What the player in local seat `number` says besides playing."""
        ...

    def table(self, number: int) -> Table | None:
        """The table as local seat `number` knows it, once the terms are agreed."""
        ...

    @property
    def finished(self) -> bool:
        """Whether the match is over and confirmed by everybody."""
        ...


class Threads(Protocol):
    """Where what takes time is calculated; the loop goes on meanwhile."""

    def calculate(self, call: Callable[[], T], /) -> Deferred[T]:
        """Do what somebody waits for."""
        ...

    def calculate_aside(self, call: Callable[[], T], /) -> Deferred[T]:
        """Do what is patient, and holds up nothing of the former."""
        ...

    def calculate_later(self, call: Callable[[], T], /) -> Deferred[T]:
        """Do what is late."""
        ...


class Runner:
    """Drives `machine`; `players` fill its local seats, by number.

    `keep` stores rows in one transaction or raises; `send` puts frames on their links;
    `listen` hears every notice before the player it concerns.
    `ended` fires when the match is over and confirmed, or with the first failure of
    anything that it called.
    """

    def __init__(
        self,
        machine: Machine,
        players: Mapping[int, Player],
        *,
        threads: Threads,
        keep: Callable[[tuple[Row, ...]], None],
        send: Callable[[tuple[Frame, ...]], None],
        listen: Callable[[Notice], None],
    ) -> None:
        self.ended: Deferred[None] = Deferred()
        self._machine = machine
        self._players = players
        self._threads = threads
        self._keep = keep
        self._send = send
        self._listen = listen
        self._steps: deque[Step[Notice]] = deque()
        self._calls: deque[Callable[[], Step[Notice]]] = deque()
        self._opened = False
        self._carrying = False
        self._over = False

    def start(self) -> Deferred[None]:
        """Open the machine and carry on from there; fires when it is open."""
        opening = self._threads.calculate(self._machine.open)
        return opening.addCallback(self._open).addErrback(self._fail)

    @property
    def opened(self) -> bool:
        """Whether the machine is open: nobody is to look at it before."""
        return self._opened

    def leave(self) -> None:
        """Carry out nothing any more; results and choices still to come are dropped."""
        self._over = True
        self._steps.clear()
        self._calls.clear()

    def table(self, number: int) -> Table | None:
        """See `Machine`; None before the machine is open."""
        return self._machine.table(number) if self._opened else None

    def say(self, number: int, word: Word) -> None:
        """Have a local seat say something, if it can be said now."""
        table = self.table(number)
        if not self._over and table is not None and table.can_say(word):
            self.carry_out(self._machine.say(number, word))

    def give(self, call: Callable[[], Step[Notice]]) -> None:
        """Call the machine, once it is open, and carry out what it answers."""
        if not self._over:
            self._calls.append(call)
        if self._opened:
            maybeDeferred(self._answer).addErrback(self._fail)

    def carry_out(self, step: Step[Notice]) -> None:
        """Do what the machine wants done, after all that it wanted before."""
        self._steps.append(step)
        if self._carrying:
            return
        self._carrying = True
        try:
            while self._steps and not self._over:
                self._carry_out(self._steps.popleft())
        finally:
            self._carrying = False
        if self._machine.finished and not self._over:
            self._over = True
            self.ended.callback(None)

    def _open(self, step: Step[Notice]) -> None:
        if not self._over:
            self._opened = True
            self.carry_out(step)
            self._answer()

    def _answer(self) -> None:
        while self._calls:
            self.carry_out(self._calls.popleft()())

    def _carry_out(self, step: Step[Notice]) -> None:
        if step.store:
            self._keep(step.store)
        if step.send:
            self._send(step.send)
        for notice in step.events:
            self._tell(notice)
        for task in step.tasks:
            result = self._start(task)
            result.addCallback(self._done, task).addErrback(self._fail)

    def _start(self, task: Task) -> Deferred[object]:
        if task.late:
            return self._threads.calculate_later(task.run)
        if task.patient:
            return self._threads.calculate_aside(task.run)
        return self._threads.calculate(task.run)

    def _tell(self, notice: Notice) -> None:
        if self._over:
            return
        self._listen(notice)
        if not isinstance(notice, Told):
            return
        player = self._players.get(notice.seat)
        if player is None:
            # Somebody only watches.
            return
        player.hear(notice.event)
        if isinstance(notice.event, TurnCame):
            self._ask(player, notice.seat)
        if isinstance(notice.event, VoidProposed):
            self._ask_about_void(player, notice.seat)

    def _ask(self, player: Player, number: int) -> None:
        """Ask for a choice, if the turn that came is still this seat's own."""
        table = self.table(number)
        if table is not None and table.to_act:
            choice = player.choose(table.observation())
            choice.addCallback(self._chosen, number).addErrback(self._fail)

    def _ask_about_void(self, player: Player, number: int) -> None:
        """Ask who can say at once whether the deal is to count; a person says later."""
        table = self.table(number)
        if table is not None and table.can_say(Word.REFUSE_VOID):
            word = player.answer(table.observation())
            if word is not None:
                self.say(number, word)

    def _chosen(self, action: Action, number: int) -> None:
        table = self.table(number)
        if self._over or table is None or not table.to_act:
            return
        self.carry_out(self._machine.act(number, action))

    def _done(self, result: object, task: Task) -> None:
        if not self._over:
            self.carry_out(self._machine.done(task, result))

    def _fail(self, failure: Failure) -> None:
        if not self._over:
            self.leave()
            self.ended.errback(failure)
