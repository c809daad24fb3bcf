"""Calling a deal void: proposed by one seat, and so only if every seat says the same.

    void    this deal, after so many plays and as it stands then, is not to count
    refuse  it is to count

Who says `void` says nothing more about the deal until all have answered; each other
seat answers once, and who plays on has refused. The first refusal is the end of that
proposal, for good; another can be made after the next play. With all seats' word the
deal is over without a score: all reveal, and it is dealt again (F7).

Views are judged by how many plays they hold: a play more, and the proposal is dead.
"""

from collections.abc import Mapping, Sequence

from protocol.bodies import Refuse, Void, said
from protocol.entry import Entry, Kind
from protocol.faults import Reason


class Voids:
    """What was proposed and answered about one deal between so many seats."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        # After so many plays, by seat.
        self._voids: dict[int, dict[int, Entry]] = {}
        self._refusals: dict[int, dict[int, Entry]] = {}

    def agreed(self, view: Entry | None = None) -> tuple[Entry, ...]:
        """Every seat's word that makes the deal void, in a view or now; () if not."""
        for mine in self._voids.values():
            if len(mine) < self._seats:
                continue
            words = tuple(mine[seat] for seat in sorted(mine))
            if _all_in(view, words):
                return words
        return ()

    def open(self, plays: int, view: Entry | None = None) -> Mapping[int, Entry]:
        """Who has called the deal void after its last play, and nobody has refused.

        By seat; empty if there is no such proposal, or it is answered by all.
        """
        if self.refused(plays, view):
            return {}
        words = self._voids.get(plays, {}).items()
        found = {seat: one for seat, one in words if _all_in(view, (one,))}
        return found if len(found) < self._seats else {}

    def callers(self, plays: int) -> Sequence[int]:
        """Who has called the deal void after so many plays, in the order it came."""
        return tuple(self._voids.get(plays, {}))

    def refusers(self, plays: int) -> Sequence[int]:
        """Who has refused that, in the order it came."""
        return tuple(self._refusals.get(plays, {}))

    def refused(self, plays: int, view: Entry | None = None) -> bool:
        """Whether somebody has refused, in a view or now."""
        words = self._refusals.get(plays, {}).values()
        return any(_all_in(view, (one,)) for one in words)

    def answered(self, seat: int, plays: int) -> bool:
        """Whether a seat has said its word on a proposal after so many plays."""
        return seat in self._voids.get(plays, {}) or seat in self._refusals.get(
            plays, {}
        )

    def is_bound(self, seat: int, plays: int, view: Entry | None = None) -> bool:
        """Whether a seat has called the deal void, and that stands in a view or now."""
        return bool(self.agreed(view)) or seat in self.open(plays, view)

    def check(self, entry: Entry, plays: int, state: bytes) -> Reason | None:
        """Whether a word about the deal, open and in this state, may stand.

        `plays` and `state` are those of the entry's view.
        """
        if entry.kind == Kind.VOID:
            void = said(entry, Void)
            wrong, named = void.state != state, void.plays
        else:
            wrong, named = False, said(entry, Refuse).plays
        if named != plays:
            return Reason.VOIDED
        if wrong:
            return Reason.WRONG_STATE
        if self.answered(entry.seat, plays):
            return Reason.TWICE
        return self._check_proposal(entry, plays)

    def _check_proposal(self, entry: Entry, plays: int) -> Reason | None:
        if self.refused(plays, entry):
            return Reason.OUT_OF_ORDER
        if entry.kind == Kind.REFUSE and not self.open(plays, entry):
            return Reason.OUT_OF_ORDER
        return None

    def accept(self, entry: Entry) -> None:
        """Fold in a word that may stand."""
        if entry.kind == Kind.VOID:
            mine = self._voids.setdefault(said(entry, Void).plays, {})
        else:
            mine = self._refusals.setdefault(said(entry, Refuse).plays, {})
        mine[entry.seat] = entry


def _all_in(view: Entry | None, entries: Sequence[Entry]) -> bool:
    return view is None or all(map(view.covers, entries))
