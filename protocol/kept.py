"""Rows as a store keeps them: each tied by a hash to the one before it.

So a row that was changed, moved or taken out is noticed by whoever reads all of them,
and the number and link of the last one stand for all.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import NamedTuple, assert_never

from protocol.crypto.hashing import H
from protocol.faults import LocalProtocolError, Signed
from protocol.step import EntryRow, Row, SecretRow

SEATS_MAX = 64


class KeptKind(IntEnum):
    """What a row holds; the numbers are the file's and are never used again."""

    FACT = 0
    SECRET = 1
    ENTRY = 2


class Tail(NamedTuple):
    """The last row of a store: its number and its link."""

    number: int
    link: bytes


START = Tail(0, bytes(32))


class Kept(NamedTuple):
    """A row without its place. Its value may be a secret: it is never shown."""

    kind: int
    seat: int
    name: bytes
    value: bytes
    signature: bytes

    def __repr__(self) -> str:
        return f"Kept({self.kind}, {self.seat}, {self.name!r})"

    @property
    def digest(self) -> bytes:
        """What it is told from others by."""
        return H("sc1.store.row", *self)

    @property
    def well_typed(self) -> bool:
        """Whether the types are those that were put in; a damaged file gives any."""
        numbers: tuple[object, ...] = (self.kind, self.seat)
        texts: tuple[object, ...] = (self.name, self.value, self.signature)
        return all(isinstance(text, bytes) for text in texts) and all(
            isinstance(number, int) and 0 <= number < SEATS_MAX for number in numbers
        )

    def after(self, tail: Tail) -> Tail:
        """The end of a store to which this row is added."""
        number = tail.number + 1
        return Tail(number, H("sc1.store", tail.link, number, *self))


class KeptRows:
    """What the rows so far come to."""

    def __init__(self) -> None:
        self.tail = START
        self.facts: dict[str, bytes] = {}
        self.secrets: dict[tuple[int, bytes], bytes] = {}
        self._entries: set[bytes] = set()

    def add(self, kept: Kept) -> None:
        """Take a row in."""
        self.tail = kept.after(self.tail)
        match kept.kind:
            case KeptKind.FACT:
                self.facts[kept.name.decode()] = kept.value
            case KeptKind.SECRET:
                self.secrets[kept.seat, kept.name] = kept.value
            case _:
                self._entries.add(kept.digest)

    def has(self, kept: Kept) -> bool:
        """Whether a row is here already; a secret is never replaced by another."""
        match kept.kind:
            case KeptKind.FACT:
                return self.facts.get(kept.name.decode()) == kept.value
            case KeptKind.SECRET:
                held = self.secrets.get((kept.seat, kept.name))
                if held is not None and held != kept.value:
                    raise LocalProtocolError("a secret never changes")
                return held is not None
            case _:
                return kept.digest in self._entries


def kept_row(row: Row) -> Kept:
    """A row that a machine wants kept."""
    match row:
        case EntryRow(entry, seat):
            return Kept(KeptKind.ENTRY, seat, b"", entry.encoded, entry.signature)
        case SecretRow(name, value, seat):
            return Kept(KeptKind.SECRET, seat, name.encode(), value, b"")
        case _:
            assert_never(row)


def kept_facts(facts: Mapping[str, bytes]) -> list[Kept]:
    """What the program itself wants kept."""
    return [
        Kept(KeptKind.FACT, 0, name.encode(), value, b"")
        for name, value in facts.items()
    ]


def entry_row(kept: Kept) -> EntryRow:
    """The entry that was kept."""
    return EntryRow(Signed(kept.value, kept.signature), kept.seat)
