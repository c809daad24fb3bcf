"""What is read of a file, whole or not; nothing of it is judged."""

import pytest

from protocol import archive
from protocol.archive import (
    HEADER,
    DamagedArchive,
    End,
    ForeignArchive,
    read_archive,
    read_damaged,
    write_archive,
)
from protocol.entry import WIRE_VERSION
from protocol.faults import Signed

ENTRIES = tuple(Signed(bytes([n]) * (n + 1), bytes([n]) * 64) for n in range(5))
CHAINS = (ENTRIES[:2], ENTRIES[2:])
WHOLE = write_archive(CHAINS)
FRAME = 4 + 1 + 2 + 2 + 64  # length, list, the heads of two byte strings, signature


def frame_ends() -> list[int]:
    ends = [len(HEADER)]
    for entry in ENTRIES:
        ends.append(ends[-1] + FRAME + len(entry.encoded))
    return ends


def test_what_is_written_is_read_again_author_by_author() -> None:
    assert read_archive(WHOLE) == ENTRIES
    assert read_damaged(WHOLE) == archive.Reading(ENTRIES, End.WHOLE)


def test_an_empty_record_is_a_record() -> None:
    assert read_archive(write_archive(())) == ()


def test_a_file_cut_off_anywhere_gives_out_its_whole_entries_and_is_damaged() -> None:
    ends = frame_ends()
    for size in range(len(HEADER), len(WHOLE)):
        count = sum(end <= size for end in ends) - 1
        reading = read_damaged(WHOLE[:size])
        assert reading.end is End.CUT
        at_a_joint = size == ends[count]
        expected = ENTRIES[:count] if at_a_joint else (*ENTRIES[:count], None)
        assert reading.entries == expected
        with pytest.raises(DamagedArchive):
            read_archive(WHOLE[:size])


def test_a_file_cut_off_in_its_first_line_is_damaged_and_not_foreign() -> None:
    for size in range(len(HEADER)):
        with pytest.raises(DamagedArchive, match="cut off"):
            read_damaged(WHOLE[:size])


def test_an_entry_whose_frame_is_broken_leaves_a_gap_and_the_rest_is_read() -> None:
    at = frame_ends()[1] + 4
    broken = WHOLE[:at] + b"\xc1" + WHOLE[at + 1 :]
    reading = read_damaged(broken)
    assert reading.entries == (ENTRIES[0], None, *ENTRIES[2:])
    assert reading.end is End.UNFIT


@pytest.mark.parametrize("more", [b"\0", b"\0" * 4, b"rubbish", WHOLE])
def test_bytes_after_the_trailer_make_the_end_unfit(more: bytes) -> None:
    reading = read_damaged(WHOLE + more)
    assert reading == archive.Reading(ENTRIES, End.UNFIT)
    with pytest.raises(DamagedArchive):
        read_archive(WHOLE + more)


def test_a_trailer_that_counts_or_digests_something_else_is_unfit() -> None:
    shorter = write_archive((ENTRIES[:4],))
    trailer = shorter[-(len(WHOLE) - frame_ends()[-1]) :]
    reading = read_damaged(WHOLE[: frame_ends()[-1]] + trailer)
    assert reading == archive.Reading(ENTRIES, End.UNFIT)


def test_every_flipped_bit_is_noticed() -> None:
    for at in range(len(WHOLE)):
        for bit in range(8):
            flipped = bytearray(WHOLE)
            flipped[at] ^= 1 << bit
            with pytest.raises((DamagedArchive, ForeignArchive)):
                read_archive(bytes(flipped))


def test_a_record_of_another_version_is_foreign() -> None:
    for version in (WIRE_VERSION - 1, WIRE_VERSION + 1):
        other = b"scopa-record %d\n" % version + WHOLE[len(HEADER) :]
        with pytest.raises(ForeignArchive, match="of another version"):
            read_damaged(other)


def test_a_damaged_first_line_is_no_other_version() -> None:
    with pytest.raises(DamagedArchive, match="first line"):
        read_damaged(b"S" + WHOLE[1:])


@pytest.mark.parametrize(
    "data", [b"hello, world\n", b"%PDF-1.7\n" + bytes(99), b"\0" * 15, b"scopa\n"]
)
def test_another_kind_of_file_is_foreign(data: bytes) -> None:
    with pytest.raises(ForeignArchive, match="not a match record"):
        read_damaged(data)


def test_a_file_beyond_the_limit_is_not_looked_into() -> None:
    huge = bytes(archive.ARCHIVE_BYTES_MAX + 1)
    with pytest.raises(ForeignArchive, match="larger"):
        read_damaged(huge)


def test_a_frame_that_says_it_is_huge_is_where_the_file_is_cut() -> None:
    for size in (archive.ARCHIVE_BYTES_MAX, 0xFFFFFFFF, 20_000):
        data = HEADER + size.to_bytes(4) + bytes(30_000)
        assert read_damaged(data) == archive.Reading((None,), End.CUT)


def test_frames_of_nothing_are_read_up_to_the_limit_of_entries() -> None:
    data = HEADER + bytes(4) * (archive.ENTRIES_MAX + 1_000)
    reading = read_damaged(data)
    assert len(reading.entries) == archive.ENTRIES_MAX + 1
    assert reading.end is End.CUT
