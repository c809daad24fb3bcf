"""What travels between honest seats: each entry once to each peer that lacks it."""

import pytest

from protocol.codec import Anything, decode
from tests.simulation.wires import Wires

ENTRY = 2
TWICE_MAX = 4
"""Entries that cross, while a guest sits down, with its word that it has none."""


def entries_sent(seats: int, *, breaks: int = 0) -> tuple[int, int]:
    """How many entries the record of a match has, and how many frames carried one.

    The first guest's link breaks and comes back every so many happenings.
    """
    sent = 0

    def count(_: int, __: int, data: bytes) -> bytes:
        nonlocal sent
        message = decode(data, Anything(), size_max=1 << 16)
        sent += isinstance(message, tuple) and message[0] == ENTRY
        return data

    wires = Wires(seats, count)
    for guest in range(1, seats):
        wires.connect(0, guest)
    happened = 0
    while wires.carry():
        happened += 1
        if breaks and happened % breaks == 0:
            wires.frames = type(wires.frames)(
                frame for frame in wires.frames if 1 not in frame[:2]
            )
            for a, b in ((0, 1), (1, 0)):
                wires.take(a, wires.seats[a].disconnect(b))
            wires.connect(0, 1)
    assert all(seat.table and seat.table.finished for seat in wires.seats)
    return sum(len(chain) for chain in wires.seats[0].chains()), sent


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_entry_is_sent_once_to_each_seat(seats: int) -> None:
    entries, sent = entries_sent(seats)
    lacked = entries * (seats - 1)
    assert lacked <= sent <= lacked + TWICE_MAX * (seats - 1)


def test_a_link_that_comes_back_carries_only_what_is_lacking() -> None:
    entries, sent = entries_sent(2, breaks=25)
    assert entries <= sent < 2 * entries
