"""Records changed by somebody who can sign for one of the seats.

A `Forgery` holds the chains of a played match and one seat's pen. Changed bytes are
signed anew by that seat alone; with `follow` the rest of its chain is made to fit.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from protocol.archive import write_archive
from protocol.codec import encode
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity
from protocol.entry import WIRE_VERSION, Entry, Kind, read_entry, signed_digest
from protocol.faults import Signed
from tests.support.matches import Played

Change = Callable[[tuple[Any, ...]], tuple[Any, ...]]


def sign(identity: Identity, entry: Entry) -> Signed:
    """The entry's fields as they are now, signed."""
    encoded = encode(
        (
            WIRE_VERSION,
            entry.scope,
            entry.seat,
            entry.seq,
            entry.prev,
            entry.seen,
            entry.heads,
            entry.kind,
            entry.body,
        )
    )
    return Signed(encoded, identity.sign(signed_digest(encoded)))


class Forgery:
    """The chains of a match, to be changed."""

    def __init__(self, match: Played) -> None:
        self.chains = [list(chain) for chain in match.chains]
        self._pens = match.identities
        self._nonce = match.nonce

    def written(self) -> bytes:
        """The file of the chains as they are now, with a trailer that fits."""
        return write_archive(self.chains)

    def entry(self, seat: int, seq: int) -> Entry:
        """One entry."""
        return read_entry(self.chains[seat][seq])

    def entries(self, kind: Kind) -> Iterator[Entry]:
        """All entries of a kind, seat by seat."""
        for chain in self.chains:
            for signed in chain:
                entry = read_entry(signed)
                if entry.kind == kind:
                    yield entry

    @property
    def last_author(self) -> int:
        """The seat whose last entry no other seat has named, so nothing hangs on it."""
        last = [self.entry(seat, -1) for seat in range(len(self.chains))]
        return next(
            one.seat
            for one in last
            if not any(other.covers(one) for other in last if other is not one)
        )

    def change(
        self,
        old: Entry,
        says: Change | None = None,
        *,
        follow: bool = False,
        **fields: Any,
    ) -> None:
        """Sign `old` anew: with other fields, or with what `says` makes of its body."""
        if says is not None:
            assert isinstance(old.body, tuple)
            fields["body"] = says(old.body)
        new = replace(old, **fields)
        assert new != old
        chain = self.chains[old.seat]
        chain[old.seq] = sign(self._pens[old.seat], new)
        if follow:
            for seq in range(old.seq + 1, len(chain)):
                self._refit(old.seat, seq)

    def forget(self, entry: Entry) -> None:
        """Leave out what was written in view of `entry`, as if all had left then."""
        seat, seq = entry.seat, entry.seq
        for other, chain in enumerate(self.chains):
            limit = seq + 1 if other == seat else len(chain)
            chain[:] = [
                one for one in chain[:limit] if read_entry(one).seen[seat] <= seq
            ]

    def add(self, seat: int, kind: Kind, body: Any) -> None:
        """One more entry at the end of a seat's chain, in the view of all there is."""
        seen = tuple(len(chain) for chain in self.chains)
        last = self.entry(seat, seen[seat] - 1)
        new = replace(
            last,
            seq=seen[seat],
            prev=last.id,
            seen=seen,
            heads=self._heads(seen),
            kind=int(kind),
            body=body,
        )
        self.chains[seat].append(sign(self._pens[seat], new))

    def _refit(self, seat: int, seq: int) -> None:
        old = self.entry(seat, seq)
        fitted = replace(old, prev=self._head(seat, seq), heads=self._heads(old.seen))
        self.chains[seat][seq] = sign(self._pens[seat], fitted)

    def _heads(self, seen: tuple[int, ...]) -> bytes:
        ids = (self._head(seat, count) for seat, count in enumerate(seen))
        return H("sc1.heads", *ids)

    def _head(self, seat: int, count: int) -> bytes:
        return self.entry(seat, count - 1).id if count else self._nonce
