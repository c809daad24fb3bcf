"""Several seats in one thread, joined in memory: `scopa play` and the simulator's core.

The first seat is the host and the hub, as at a table over the wire; every other has one
link, to it. Frames between the seats are carried here; rows, events and tasks go to the
shell and carry the seat's number, so a shell drives one seat or a whole table alike.
"""

from collections import deque
from collections.abc import Sequence

from protocol.archive import write_archive
from protocol.step import Step, Task
from scopa_net.leaving import Word
from scopa_net.notices import Notice
from scopa_net.rules import Action
from scopa_net.seat import Seat
from scopa_net.table import Table


class Local:
    """A table whose seats all live here; it has the face of one seat."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self.seats = tuple(seats)
        self._under_way: deque[tuple[int, int, bytes]] = deque()

    def open(self) -> Step[Notice]:
        """Seat everybody and begin."""
        step: Step[Notice] = Step()
        for seat in self.seats:
            step += seat.open()
        hub, *guests = self.seats
        for guest in guests:
            step += self._carry(hub, hub.connect(guest.number))
            step += self._carry(guest, guest.connect(hub.number))
        return step + self._deliver()

    def done(self, task: Task, result: object) -> Step[Notice]:
        """A task of one of the seats has its result."""
        seat = self.seats[task.seat]
        return self._carry(seat, seat.done(task, result)) + self._deliver()

    def act(self, number: int, action: Action) -> Step[Notice]:
        """The choice of the player in seat `number`."""
        seat = self.seats[number]
        return self._carry(seat, seat.act(action)) + self._deliver()

    def say(self, number: int, word: Word) -> Step[Notice]:
        """What the player in seat `number` says besides playing."""
        seat = self.seats[number]
        return self._carry(seat, seat.say(word)) + self._deliver()

    def table(self, number: int) -> Table | None:
        """The table as seat `number` knows it, once the terms are agreed."""
        return self.seats[number].table

    @property
    def finished(self) -> bool:
        """Whether every seat holds the match as over and confirmed."""
        return all(s.table is not None and s.table.finished for s in self.seats)

    def record(self) -> bytes:
        """The portable record, as the first seat holds it."""
        return write_archive(self.seats[0].chains())

    def _carry(self, sender: Seat, step: Step[Notice]) -> Step[Notice]:
        """Put a seat's frames under way; the rest of its step is the shell's.

        Nothing is stored yet when a frame is delivered here, but the whole step is
        committed before any of it is shown, so a crash forgets both ends alike.
        """
        for frame in step.send:
            self._under_way.append((frame.link, sender.number, frame.data))
        return Step(step.store, (), step.events, step.tasks)

    def _deliver(self) -> Step[Notice]:
        step: Step[Notice] = Step()
        while self._under_way:
            number, link, data = self._under_way.popleft()
            seat = self.seats[number]
            step += self._carry(seat, seat.receive(link, data))
        return step
