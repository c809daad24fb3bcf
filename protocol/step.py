"""What a machine wants done: a value, carried out by a shell in a fixed order.

A shell commits `store` in one transaction, writes `send` to the links, delivers
`events`, starts `tasks`. If the commit fails nothing is sent or shown and the machine
is opened again from its store. So nothing signed exists only in memory, and nothing is
shown that a crash could take back.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from protocol.faults import Signed

Event = TypeVar("Event", covariant=True)


@dataclass(frozen=True, slots=True)
class Task:
    """A pure calculation too slow for the event loop, held as a value.

    `number` tells apart the tasks of one machine; `seat` says whose machine it is when
    one shell drives several. The shell answers `done(task, task.run())`. Nobody's next
    entry waits for one that is `patient`, so it is not to hold up any that is not; and
    one that is `late` too begins best when the first cards of the deal that has begun
    meanwhile are there.
    """

    number: int
    call: Callable[..., object]
    arguments: tuple[object, ...]
    seat: int = 0
    patient: bool = False
    late: bool = False

    def run(self) -> object:
        """Calculate, in whatever thread."""
        return self.call(*self.arguments)


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry to be kept: ours before it is sent, a peer's before it is shown."""

    entry: Signed
    seat: int = 0


@dataclass(frozen=True, slots=True)
class SecretRow:
    """A secret to be kept, under 0600, before anything that depends on it is signed."""

    name: str
    value: bytes = field(repr=False)
    seat: int = 0


Row = EntryRow | SecretRow


@dataclass(frozen=True, slots=True)
class Frame:
    """Bytes for one link."""

    link: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Step(Generic[Event]):
    """One answer of a machine; steps add up in the order in which they were made."""

    store: tuple[Row, ...] = ()
    send: tuple[Frame, ...] = ()
    events: tuple[Event, ...] = ()
    tasks: tuple[Task, ...] = ()

    def __add__(self, later: "Step[Event]") -> "Step[Event]":
        return Step(
            self.store + later.store,
            self.send + later.send,
            self.events + later.events,
            self.tasks + later.tasks,
        )
