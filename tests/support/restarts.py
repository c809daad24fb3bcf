"""Parties that are killed and opened again, from all that they had stored or from less.

A `Mortal` circle keeps what each party would store, passes notes on besides entries,
and gives a party that comes back all that the others hold, as the mesh does.
"""

from collections.abc import Sequence
from typing import Any

from protocol.faults import Signed
from protocol.judge import Findings
from protocol.party import Party
from tests.support.parties import Circle


class Mortal(Circle):
    """A circle in which every message arrives once, in any order."""

    def __init__(self, opening: Any, **named: Any) -> None:
        seats = named.get("seats", 2)
        self.stored: list[list[Signed]] = [[] for _ in range(seats)]
        self.notes: list[tuple[int, Signed]] = []
        self._noted: list[set[tuple[Signed, Signed]]] = [set() for _ in range(seats)]
        self._again: bytes | None = None
        super().__init__(opening, **named)

    def seat_party(self, *arguments: Any) -> Party:
        """Who takes a seat, for the first time or again."""
        return Party(*arguments, again=self._again)

    def take(self, seat: int, findings: Findings) -> None:
        """Store what a party has come to hold, and pass its notes on."""
        super().take(seat, findings)
        kept = self.stored[seat]
        kept += [one.signed for one in findings.added if one.signed not in kept]
        self._pass_notes(seat)
        if self.parties[seat].judge.record.lacking():
            for other in self._others(seat):
                self.give(other, seat)

    def _pass_notes(self, seat: int) -> None:
        threads = self.parties[seat].resumption.threads
        now = [(thread[0], note) for thread in threads for note in thread]
        for pair in now:
            if pair not in self._noted[seat]:
                self.notes += [(to, pair[1]) for to in self._others(seat)]
        self._noted[seat] = set(now)

    def _others(self, seat: int) -> list[int]:
        return [other for other in range(len(self.parties)) if other != seat]

    def step(self) -> bool:
        """Deliver a note or an entry, or finish a task."""
        if self.notes and self.luck.random() < 0.5:
            seat, note = self.notes.pop(self.luck.randrange(len(self.notes)))
            self.take(seat, self.parties[seat].hear(note))
            return True
        return super().step() or bool(self.notes)

    def run(self, steps_max: int = 20_000) -> None:
        """Deliver everything; nobody acts."""
        for _ in range(steps_max):
            if not self.step():
                return
        raise AssertionError("the table did not come to rest")

    def kill(self, seat: int) -> None:
        """What was on its way to or from a party that is killed is lost."""
        self.under_way = [one for one in self.under_way if one[0] != seat]
        self.notes = [one for one in self.notes if one[0] != seat]
        self.tasks = [one for one in self.tasks if one[0] != seat]

    def open(self, seat: int, stored: Sequence[Signed] | None = None) -> Party:
        """Open a party again, from what it had stored or from other entries."""
        self.kill(seat)
        old = self.parties[seat]
        secrets = old._secrets
        self._again = self.luck.randbytes(32)
        party = self.seat_party(
            old._suite, secrets, self.terms, self.nonce, self.opening
        )
        self.parties[seat] = party
        self.stored[seat] = list(self.stored[seat] if stored is None else stored)
        self._noted[seat] = set()
        for signed in self.stored[seat]:
            party.recall(signed)
        self.take(seat, party.begin())
        for other in self._others(seat):
            self.give(other, seat)
            self.give(seat, other)
        return party

    def give(self, giver: int, taker: int) -> None:
        """Send all that one party holds to another, as on a new link."""
        record = self.parties[giver].judge.record
        for seat in range(len(record.keys)):
            self.under_way += [(taker, signed) for signed in record.signed(seat)]
        notes = self.parties[giver].resumption.notes
        self.notes += [(taker, note) for note in notes]
