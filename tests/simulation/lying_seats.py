"""Whole seats at a real game of which one lies, joined frame by frame.

The liars of `tests.support` sit in a `Seat`: what they sign goes through its mesh and
reaches the others as frames, and the others' players are told what they would read.
"""

from collections.abc import Sequence
from typing import Any, cast

from protocol.codec import Value, encode
from protocol.entry import Entry, Kind
from protocol.party import Party
from protocol.step import Step
from scopa_net.events import DealScored, Event, Stopped
from scopa_net.notices import Notice, Told
from tests.simulation.wires import Wires
from tests.support.malice import Forged, Liar

ENTRY = 2


class LaysACardThatTakes(Liar):
    """Lays a card although it has to take with it."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.ACT or cast("Any", body)[4] == (0, ()):
            return None
        act = list(cast("tuple[Value, ...]", body))
        act[4] = (0, ())
        return kind, tuple(act)


class LyingWires(Wires):
    """A star around seat 0; the party of seat `liar` is one of the catalogue."""

    def __init__(self, seats: int, liar: int, kind: type[Liar], **named: Any) -> None:
        super().__init__(seats, **named)
        self.liar = liar
        self._kind = kind
        self._sent: Entry | None = None
        for guest in range(1, seats):
            self.connect(0, guest)
        self.run()

    def take(self, number: int, step: Step[Notice]) -> None:
        super().take(number, step)
        table = self.seats[self.liar].table
        if table is None:
            return
        if type(table.party) is Party:
            table.party.__class__ = self._kind
        lie = self.party.lie
        if lie is not None and lie != self._sent:
            self._sent = lie
            self.say((ENTRY, *lie.signed))

    def say(self, message: Value) -> None:
        """Send a message on every link of the liar, past its mesh."""
        links = self.honest if self.liar == 0 else (0,)
        self.frames += [(self.liar, link, encode(message)) for link in links]

    def _somebody_plays(self) -> bool:
        party = self.party
        idle = party.lied and not party.goes_on
        asked = [s for s in self.seats if not (idle and s.number == self.liar)]
        return self._one_plays(asked)

    @property
    def party(self) -> Liar:
        """The one who lies."""
        table = self.seats[self.liar].table
        assert table is not None
        return cast("Liar", table.party)

    @property
    def honest(self) -> Sequence[int]:
        """The numbers of the others."""
        return [seat.number for seat in self.seats if seat.number != self.liar]

    def told(self, number: int) -> list[Event]:
        """All that the player of a seat was told."""
        notices = (one for one in self.notices if isinstance(one, Told))
        return [one.event for one in notices if one.seat == number]

    def stopped(self, number: int) -> list[Stopped]:
        """How the match of a seat was stopped."""
        return [one for one in self.told(number) if isinstance(one, Stopped)]

    def scored(self, number: int) -> list[DealScored]:
        """The deals that a seat's player has seen to their end."""
        return [one for one in self.told(number) if isinstance(one, DealScored)]
