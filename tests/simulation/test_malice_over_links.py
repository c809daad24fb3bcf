"""Liars on real links: what one seat can prove reaches every seat that it can reach."""

from random import Random
from typing import cast

import pytest

from protocol.archive import write_archive
from protocol.audit import audit
from protocol.codec import Anything, Malformed, Value, decode, encode
from protocol.entry import Entry, Kind, read_entry
from protocol.faults import Blame, Signed
from scopa_net.events import Stopped
from scopa_net.notices import LinkFailed, Told
from scopa_net.referee import open_match
from tests.simulation.wires import Tamper, Wires, honest
from tests.support.small_group import SMALL

ENTRY = 2


def entry_in(data: bytes) -> Entry | None:
    """The entry in a frame, if it carries one."""
    try:
        message = decode(data, Anything(), size_max=1 << 16)
    except Malformed:
        return None
    kind, *rest = cast("tuple[Value, ...]", message)
    return read_entry(Signed(*cast("list[bytes]", rest))) if kind == ENTRY else None


def two_faced(wires: Wires, liar: int, victim: int) -> Tamper:
    """Show `victim` another commitment of `liar` than everybody else."""

    def tamper(sender: int, receiver: int, data: bytes) -> bytes:
        entry = entry_in(data)
        if (sender, receiver) != (liar, victim) or entry is None:
            return data
        if entry.kind != Kind.COMMIT or entry.seat != wires.rank(liar):
            return data
        return encode((ENTRY, *wires.resigned(liar, entry, (0, bytes(32)))))

    return tamper


def assert_all_blame(wires: Wires, liar: int) -> None:
    for seat in wires.seats:
        if seat.number == liar:
            continue
        faults = wires.faults(seat.number)
        assert faults
        assert {fault.seat for fault in faults} == {wires.rank(liar)}
        assert {fault.blame for fault in faults} == {Blame.FORK}
        result = audit(write_archive(seat.chains()), SMALL, open_match)
        assert {fault.seat for fault in result.faults} == {wires.rank(liar)}
        stopped = [
            notice.event
            for notice in wires.notices
            if isinstance(notice, Told)
            and notice.seat == seat.number
            and isinstance(notice.event, Stopped)
        ]
        assert [event.blame for event in stopped] == ["fork"]


@pytest.mark.parametrize("seats", [3, 4])
def test_a_hub_that_tells_two_stories_is_caught_where_they_meet(seats: int) -> None:
    wires = Wires(seats)
    wires.tamper = two_faced(wires, 0, seats - 1)
    for guest in range(1, seats):
        wires.connect(0, guest)
    wires.run()
    # Its next entry follows only one of the two stories.
    assert wires.faults(seats - 1)
    wires.tamper = honest
    for guest in range(1, seats - 1):
        wires.connect(guest, seats - 1)
    wires.run()
    assert_all_blame(wires, 0)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_guest_that_tells_two_stories_is_caught_by_the_relay(seats: int) -> None:
    wires = Wires(seats)
    wires.tamper = two_faced(wires, 1, seats - 1)
    for a in range(seats):
        for b in range(a + 1, seats):
            wires.connect(a, b)
    wires.run()
    assert_all_blame(wires, 1)


def test_a_proof_is_sent_on_every_later_link() -> None:
    wires = Wires(3)
    wires.tamper = two_faced(wires, 1, 0)
    wires.connect(0, 1)
    wires.connect(0, 2)
    wires.run()
    assert {fault.seat for fault in wires.faults(0)} == {wires.rank(1)}
    assert {fault.seat for fault in wires.faults(2)} == {wires.rank(1)}


def test_rubbish_on_a_link_fails_the_link_and_nothing_else() -> None:
    wires = Wires(2)
    wires.connect(0, 1)
    wires.run()
    assert wires.seats[0].table is not None
    assert wires.seats[0].table.finished
    before = wires.seats[0].chains()
    luck = Random(1)
    wires.notices.clear()
    for size in range(0, 400, 3):
        wires.take(0, wires.seats[0].receive(1, luck.randbytes(size)))
    assert len(wires.notices) == len(range(0, 400, 3))
    assert all(isinstance(notice, LinkFailed) for notice in wires.notices)
    assert wires.seats[0].chains() == before
    assert wires.faults(0) == []


def test_a_peer_that_lies_about_what_it_holds_harms_only_itself() -> None:
    wires = Wires(3)
    for guest in (1, 2):
        wires.connect(0, guest)
    have = encode((1, 1, ((1 << 20, bytes(32)),) * 3))
    short = encode((1, 0, ((0, bytes(32)),) * 2))
    for data in (have, short, encode((4, 5)), encode((4, 0))):
        wires.take(0, wires.seats[0].receive(1, data))
    wires.run()
    assert all(not wires.faults(number) for number in range(3))
