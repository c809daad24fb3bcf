from dataclasses import dataclass

import pytest

from protocol.codec import Malformed, Value, encode
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity
from protocol.entry import WIRE_VERSION, Entry, Kind, read_entry, signed_digest
from protocol.faults import (
    Blame,
    Fault,
    LinkFault,
    LocalProtocolError,
    Reason,
    Signed,
)
from protocol.held import HELD_MAX
from protocol.record import Record

NONCE = bytes(32)
TABLE_SCOPE = b"t" * 16
TABLE_ID = b"i" * 16
SEATS = tuple(Identity(bytes((seat,)) * 32) for seat in (1, 2, 3))


def record_of(seats: int = 2) -> Record:
    keys = [identity.key for identity in SEATS[:seats]]
    return Record(keys, NONCE, TABLE_SCOPE)


@dataclass
class Writer:
    """A seat that signs whatever fields it is told to."""

    record: Record
    seat: int

    def entry(self, body: Value = (), **fields: object) -> Entry:
        log = self.record.logs[self.seat]
        seq = fields.get("seq", len(log.entries))
        assert isinstance(seq, int)
        seen = fields.get("seen", self.record.counts())
        values = {
            "version": WIRE_VERSION,
            "scope": TABLE_SCOPE if seq < 2 else TABLE_ID,
            "seat": self.seat,
            "seq": seq,
            "prev": log.head(min(seq, len(log.entries))),
            "seen": seen,
            "heads": self.record.heads(self.record.counts()),
            "kind": int(Kind.TABLE),
            "body": body,
        } | fields
        encoded = encode(tuple(values.values()))  # type: ignore[arg-type]
        signature = SEATS[self.seat].sign(signed_digest(encoded))
        return read_entry(Signed(encoded, signature))


def give(record: Record, entry: Entry) -> object:
    """Offer an entry and take what comes out, added if it is sound."""
    outcome = record.offer(entry.signed)
    if outcome is not None:
        return outcome
    ready = record.ready(entry.seat)
    if isinstance(ready, Entry):
        record.add(ready)
    return ready


def test_an_entry_says_who_when_after_what_and_in_which_view() -> None:
    record = record_of()
    first = record.write(SEATS[0], 0, Kind.TABLE, ("hello",))
    record.add(first)
    second = record.write(SEATS[0], 0, Kind.COIN, (b"c" * 32,))
    assert (second.seat, second.seq, second.kind) == (0, 1, Kind.COIN)
    assert second.prev == first.id
    assert second.seen == (1, 0)
    assert second.heads == H("sc1.heads", first.id, NONCE)
    assert second.covers(first)
    assert not first.covers(second)


def test_an_entry_is_known_by_its_bytes_not_by_its_signature() -> None:
    record = record_of()
    entry = record.write(SEATS[0], 0, Kind.TABLE, ())
    assert entry.id == H("sc1.entry", entry.signed.encoded)


def test_nothing_is_signed_for_a_match_that_has_no_table_id_yet() -> None:
    record = record_of()
    writer = Writer(record, 0)
    give(record, writer.entry())
    give(record, writer.entry())
    with pytest.raises(LocalProtocolError):
        record.write(SEATS[0], 0, Kind.COMMIT, ())


def test_an_entry_of_an_unknown_table_id_waits_until_it_is_known() -> None:
    record = record_of()
    writer = Writer(record, 0)
    give(record, writer.entry())
    give(record, writer.entry())
    third = writer.entry()
    assert give(record, third) is None
    record.settle(TABLE_ID)
    assert record.ready(0) == third


def test_an_entry_of_another_table_id_is_dropped_when_the_own_one_is_known() -> None:
    record = record_of()
    writer = Writer(record, 0)
    give(record, writer.entry())
    give(record, writer.entry())
    assert give(record, writer.entry(scope=b"x" * 16)) is None
    record.settle(TABLE_ID)
    assert record.ready(0) is None
    assert not record.waiting()


def test_a_duplicate_is_taken_in_silence() -> None:
    record = record_of()
    entry = Writer(record, 0).entry()
    give(record, entry)
    assert record.offer(entry.signed) is None
    assert record.ready(0) is None


def test_entries_wait_for_their_own_predecessor() -> None:
    source, record = record_of(), record_of()
    writer = Writer(source, 0)
    first = writer.entry()
    give(source, first)
    second = writer.entry()
    assert give(record, second) is None
    assert record.waiting()
    assert give(record, first) == first
    assert record.ready(0) == second


def test_entries_wait_for_what_they_have_seen() -> None:
    source, record = record_of(), record_of()
    other = Writer(source, 1).entry()
    give(source, other)
    mine = Writer(source, 0).entry()
    assert give(record, mine) is None
    assert give(record, other) == other
    assert record.ready(0) == mine


def test_two_entries_with_one_number_are_a_fork_whichever_comes_first() -> None:
    for swapped in (False, True):
        record = record_of()
        pair = [Writer(record, 0).entry(("one",)), Writer(record, 0).entry(("two",))]
        if swapped:
            pair.reverse()
        give(record, pair[0])
        fault = record.offer(pair[1].signed)
        assert isinstance(fault, Fault)
        assert (fault.seat, fault.blame, fault.reason) == (
            0,
            Blame.FORK,
            Reason.FORKED,
        )
        assert set(fault.evidence) == {entry.signed for entry in pair}


def test_a_fork_is_found_before_either_side_can_be_judged() -> None:
    record = record_of()
    record.settle(TABLE_ID)
    writer = Writer(record, 0)
    assert give(record, writer.entry(("one",), seq=5)) is None
    fault = record.offer(writer.entry(("two",), seq=5).signed)
    assert isinstance(fault, Fault)
    assert fault.reason is Reason.FORKED


def test_an_entry_that_does_not_follow_the_held_one_is_a_fork() -> None:
    record = record_of()
    writer = Writer(record, 0)
    first = writer.entry()
    give(record, first)
    fault = give(record, writer.entry(prev=b"p" * 32))
    assert isinstance(fault, Fault)
    assert (fault.blame, fault.reason) == (Blame.FORK, Reason.BROKEN_CHAIN)
    assert fault.evidence[0] == first.signed


def test_a_seat_may_not_forget_what_it_had_seen() -> None:
    record = record_of()
    give(record, Writer(record, 1).entry())
    give(record, Writer(record, 0).entry())
    forgetful = Writer(record, 0).entry(seen=(1, 0))
    fault = give(record, forgetful)
    assert isinstance(fault, Fault)
    assert (fault.blame, fault.reason) == (Blame.CHEAT, Reason.SHRINKING_VIEW)


def test_a_seat_has_seen_all_its_own_entries_and_no_more() -> None:
    record = record_of()
    fault = give(record, Writer(record, 0).entry(seen=(1, 0)))
    assert isinstance(fault, Fault)
    assert fault.reason is Reason.SHRINKING_VIEW


def test_an_entry_that_names_other_heads_is_held_and_blames_nobody() -> None:
    record = record_of()
    entry = Writer(record, 0).entry(heads=b"h" * 32)
    assert give(record, entry) is None
    assert record.disputed() == (entry,)
    assert record.waiting()


@pytest.mark.parametrize("seat", [2, 5])
def test_an_entry_of_nobody_here_is_the_links_fault(seat: int) -> None:
    record = record_of()
    entry = Writer(record, 0).entry(seat=seat, seen=(0,) * 6)
    assert isinstance(record.offer(entry.signed), LinkFault)


def test_an_entry_signed_by_another_is_the_links_fault() -> None:
    record = record_of()
    entry = Writer(record, 0).entry()
    forged = Signed(
        entry.signed.encoded, SEATS[1].sign(signed_digest(entry.signed.encoded))
    )
    assert isinstance(record.offer(forged), LinkFault)
    assert not record.waiting()


def test_an_entry_of_another_match_is_the_links_fault() -> None:
    record = record_of()
    entry = Writer(record, 0).entry(scope=b"x" * 16)
    assert isinstance(record.offer(entry.signed), LinkFault)


@pytest.mark.parametrize(
    "fields",
    [
        {"version": WIRE_VERSION - 1},
        {"version": WIRE_VERSION + 1},
        {"seat": 6},
        {"seq": 1 << 21},
        {"seen": (0,)},
        {"kind": 64},
        {"prev": b""},
        {"heads": b"h"},
        {"scope": b"s"},
    ],
)
def test_an_envelope_of_another_form_is_no_entry(fields: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        Writer(record_of(), 0).entry((), **fields)


def test_a_closed_chain_takes_nothing_more_and_keeps_its_evidence() -> None:
    record = record_of()
    writer = Writer(record, 0)
    first, second = writer.entry(("one",)), writer.entry(("two",))
    give(record, first)
    fault = record.offer(second.signed)
    assert isinstance(fault, Fault)
    record.close(fault)
    assert record.logs[0].closed
    assert give(record, writer.entry()) is None
    assert not record.waiting()
    assert set(record.signed(0)) == {first.signed, second.signed}
    with pytest.raises(LocalProtocolError):
        record.add(second)


def test_a_flood_of_far_numbers_is_not_kept() -> None:
    record = record_of()
    record.settle(TABLE_ID)
    writer = Writer(record, 0)
    for seq in range(3, HELD_MAX + 100):
        give(record, writer.entry(seq=seq))
    first = writer.entry()
    assert give(record, first) == first
    # A second one with a number that is still held would be a fork.
    far = writer.entry(("other",), seq=HELD_MAX + 50)
    assert record.offer(far.signed) is None
    near = writer.entry(("other",), seq=HELD_MAX - 50)
    assert isinstance(record.offer(near.signed), Fault)


def test_what_was_let_go_is_asked_for_once_there_is_room() -> None:
    source, record = record_of(), record_of()
    source.settle(TABLE_ID)
    record.settle(TABLE_ID)
    writer = Writer(source, 0)
    entries = []
    for _ in range(HELD_MAX + 10):
        entries.append(writer.entry())
        give(source, entries[-1])
    for entry in reversed(entries):
        record.offer(entry.signed)
    assert not record.lacking()
    while isinstance(ready := record.ready(0), Entry):
        record.add(ready)
    assert record.lacking()
    assert not record.lacking()


def test_an_entry_of_an_older_match_makes_nobody_a_forger() -> None:
    # Before the table id is known it cannot be told from one of this match.
    record = record_of()
    writer = Writer(record, 0)
    give(record, writer.entry())
    give(record, writer.entry())
    old = writer.entry(("old",), scope=b"o" * 16)
    new = writer.entry(("new",))
    for first, second in ((old, new), (new, old)):
        assert record.offer(first.signed) is None
        assert record.offer(second.signed) is None
    record.settle(TABLE_ID)
    assert record.ready(0) == new


def test_a_fork_of_entries_held_before_the_table_id_is_found_after_it() -> None:
    record = record_of()
    writer = Writer(record, 0)
    for word in ("one", "two"):
        assert record.offer(writer.entry((word,), seq=7).signed) is None
    record.settle(TABLE_ID)
    fault = record.ready(0)
    assert isinstance(fault, Fault)
    assert fault.reason is Reason.FORKED


def test_a_view_holds_what_those_had_seen_whom_it_names() -> None:
    record = record_of(3)
    first = Writer(record, 2).entry()
    give(record, first)
    give(record, Writer(record, 1).entry())
    record_heads = record.heads((0, 1, 0))
    blind = Writer(record, 0).entry(seen=(0, 1, 0), heads=record_heads)
    fault = give(record, blind)
    assert isinstance(fault, Fault)
    assert fault.reason is Reason.SHRINKING_VIEW


def test_a_closed_chain_still_proves_a_fork_but_never_grows() -> None:
    record = record_of()
    writer = Writer(record, 0)
    bad = writer.entry(("bad",))
    record.close(Fault(0, Blame.CHEAT, Reason.MALFORMED, (bad.signed,)))
    assert record.offer(bad.signed) is None
    other = writer.entry(("other",))
    fault = record.offer(other.signed)
    assert isinstance(fault, Fault)
    assert (fault.reason, len(fault.evidence)) == (Reason.FORKED, 2)
    record.close(fault)
    assert record.offer(other.signed) is None
    assert record.counts() == (0, 0)


def test_bytes_that_are_no_entry_are_the_links_fault() -> None:
    record = record_of()
    for data in (b"", b"\x90", b"\xc0", bytes(300)):
        assert isinstance(record.offer(Signed(data, bytes(64))), LinkFault)
