"""Leaving a match in an orderly way: given up for good, or only for today.

    resign   gives the match up; it is over, and nobody opens anything for it
    accept   by every other seat: it has heard of it, and plays no more
    adjourn  "not today": undone by the next entry of the same seat

A resignation ends a match that is not played to its end; what its author had not yet
seen, and others had signed, still counts. When every other seat has signed something
that names one resignation, nothing more can come that was signed without it, so the
end is the same for all (F13). A clock ends nothing (F12).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from protocol.entry import Entry, Kind
from protocol.faults import Reason

LEAVING: Final = frozenset({Kind.ADJOURN, Kind.RESIGN, Kind.ACCEPT})
AFTERWARDS: Final = frozenset({Kind.REVEAL, Kind.VERDICT, Kind.RESUMED, Kind.ACCEPT})
"""What may still be signed by who has seen a resignation."""


class Leaving:
    """Who has left a match of so many seats, and how."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._resignations: dict[int, Entry] = {}
        self._last: dict[int, Entry] = {}

    @property
    def resignations(self) -> Mapping[int, Entry]:
        """The resignation of every seat that has signed one."""
        return MappingProxyType(self._resignations)

    @property
    def away(self) -> frozenset[int]:
        """The seats that have adjourned and signed nothing since."""
        found = self._last.items()
        return frozenset(at for at, last in found if last.kind == Kind.ADJOURN)

    @property
    def accepted(self) -> bool:
        """Whether every other seat has signed something that names a resignation."""
        return any(
            all(self._has_seen(seat, one) for seat in range(self._seats))
            for one in self._resignations.values()
        )

    def owes_acceptance(self, seat: int) -> bool:
        """Whether a seat has signed nothing yet that names some resignation."""
        found = self._resignations.values()
        return any(not self._has_seen(seat, one) for one in found)

    def _has_seen(self, seat: int, resignation: Entry) -> bool:
        if seat == resignation.seat:
            return True
        last = self._last.get(seat)
        return last is not None and last.covers(resignation)

    def given_up_in(self, view: Entry) -> bool:
        """Whether the match had been given up in that view."""
        return any(view.covers(one) for one in self._resignations.values())

    def check(self, entry: Entry, *, over: bool) -> Reason | None:
        """Whether a word of leaving may stand; `over`: all was played in its view."""
        if entry.kind == Kind.ACCEPT:
            return self._check_acceptance(entry)
        if over:
            return Reason.OUT_OF_ORDER
        if entry.kind == Kind.ADJOURN and entry.seat in self.away:
            return Reason.TWICE
        return None

    def _check_acceptance(self, entry: Entry) -> Reason | None:
        others = [r for r in self._resignations.values() if r.seat != entry.seat]
        named = [one for one in others if entry.covers(one)]
        if not named:
            return Reason.OUT_OF_ORDER
        if all(self._has_seen(entry.seat, one) for one in named):
            return Reason.TWICE
        return None

    def accept(self, entry: Entry) -> None:
        """Fold in any entry: it is the last of its seat."""
        self._last[entry.seat] = entry
        if entry.kind == Kind.RESIGN:
            self._resignations[entry.seat] = entry
