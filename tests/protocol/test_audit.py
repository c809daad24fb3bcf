"""What is damaged in a record is found where it is, and accuses nobody."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from protocol.archive import HEADER, DamagedArchive, ForeignArchive, write_archive
from protocol.audit import Damage, Harm, audit
from protocol.crypto.group import EDWARDS
from protocol.deck import VOIDING
from protocol.entry import Kind, read_entry
from protocol.faults import Signed
from protocol.game import ForeignRules
from protocol.leaving import LEAVING
from protocol.roster import Terms, read_terms
from scopa_net.referee import open_match
from tests.protocol.auditing import (
    come_back,
    damaged,
    given_up,
    judged,
    partial,
    renamed,
    whole,
)
from tests.support.forgeries import Forgery
from tests.support.matches import Played, first_action, played
from tests.support.small_group import SMALL

KINDS = [kind for kind in Kind if kind is not Kind.SPOILED]


# -- what is right ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "target"), [(2, 1), (2, 5), (3, 1), (4, 1), (6, 1)]
)
def test_a_finished_match_is_sound_and_finished(players: int, target: int) -> None:
    match = played(players=players, target=target)
    result = judged(match.record)
    assert (result.sound, result.finished) == (True, True)
    assert (result.faults, result.damage) == ((), None)
    assert result.terms == match.terms
    assert result.judge.course.verified


@pytest.mark.parametrize("acts", range(0, 37, 4))
def test_a_match_left_at_any_time_is_sound_and_not_finished(acts: int) -> None:
    result = judged(played(acts_max=acts).record)
    assert (result.sound, result.finished) == (True, acts == 36)


def test_a_record_that_holds_less_of_a_chain_is_sound_as_far_as_it_goes() -> None:
    forgery = Forgery(whole())
    forgery.chains[forgery.last_author].pop()
    result = judged(forgery.written())
    assert (result.sound, result.finished) == (True, False)


def test_a_match_longer_than_what_a_judge_holds_back_is_sound() -> None:
    match = played(target=60, policy=first_action)
    assert max(len(chain) for chain in match.chains) > 512
    result = judged(match.record)
    assert (result.sound, result.finished) == (True, True)


# -- what nobody signed -----------------------------------------------------------


def places(match: Played) -> Iterator[tuple[range, int, int, int]]:
    """Where each entry's frame lies in the file; its seat, number and kind."""
    at = len(HEADER)
    for seat, chain in enumerate(match.chains):
        for seq, signed in enumerate(chain):
            size = 4 + 1 + 3 + len(signed.encoded) + 2 + 64
            size -= len(signed.encoded) < 256
            yield range(at, at + size), seat, seq, read_entry(signed).kind
            at += size


def flipped(data: bytes, at: int, bits: int) -> bytes:
    return data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :]


def end_of(match: Played, seat: int) -> tuple[int, int]:
    """What would be the next entry of a chain: a cut does not say whose is next."""
    return seat, len(match.chains[seat])


def test_frames_lie_where_these_tests_look_for_them() -> None:
    for match in (whole(), partial()):
        *_, (last, _, _, _) = places(match)
        assert match.record[last.stop :][:5] == bytes([0, 0, 0, 36, 0x92])


@pytest.mark.parametrize("kind", KINDS)
def test_a_flipped_byte_is_damage_at_its_entry_and_accuses_nobody(kind: Kind) -> None:
    late = kind in (Kind.REVEAL, Kind.VERDICT)
    match = whole() if late else partial()
    if kind is Kind.RESUMED:
        match = come_back()
    if kind in LEAVING | VOIDING:
        match = given_up()
    luck = Random(kind)
    mine = [place for place in places(match) if place[3] == kind]
    assert mine
    for _ in range(24):
        frame, seat, seq, _ = luck.choice(mine)
        at = luck.choice(frame[4:])
        found = damaged(flipped(match.record, at, luck.randrange(1, 256)))
        assert found == Damage(seat, seq, Harm.ALTERED), at


@pytest.mark.parametrize("place", range(4))
def test_a_flipped_byte_of_a_length_is_damage_at_its_entry(place: int) -> None:
    match = partial()
    luck = Random(place)
    for frame, seat, seq, _ in luck.sample(list(places(match)), 8):
        at = frame[place]
        found = damaged(flipped(match.record, at, luck.randrange(1, 256)))
        expected = [(seat, seq)] if seq else [(seat, seq), end_of(match, seat - 1)]
        assert (found.seat, found.seq) in expected
        assert found.harm in {Harm.ALTERED, Harm.CUT}


def test_every_part_of_an_entry_is_damaged_in_the_same_way() -> None:
    match = partial()
    frame, seat, seq, _ = list(places(match))[7]
    for at in frame[4::4]:
        found = damaged(flipped(match.record, at, 0x41))
        assert found == Damage(seat, seq, Harm.ALTERED), at


def test_a_flipped_byte_of_the_trailer_is_damage_at_the_end() -> None:
    match = partial()
    *_, (last, seat, seq, _) = places(match)
    for at in range(last.stop, len(match.record)):
        found = damaged(flipped(match.record, at, 1))
        assert (found.seat, found.seq) == (seat, seq + 1)
        assert found.harm in {Harm.END, Harm.CUT, Harm.ALTERED}


def test_a_flipped_byte_of_the_first_line_is_refused_before_anything_is_read() -> None:
    for at in range(len(HEADER)):
        with pytest.raises((DamagedArchive, ForeignArchive)):
            judged(flipped(partial().record, at, 1))


def test_a_file_cut_off_between_entries_is_cut_and_accuses_nobody() -> None:
    match = partial()
    *frames, (last, _, _, _) = places(match)
    for frame, seat, seq, _ in frames[1:]:
        found = damaged(match.record[: frame.start])
        expected = (seat, seq) if seq else end_of(match, seat - 1)
        assert found == Damage(*expected, Harm.CUT)
    assert damaged(match.record[: last.stop]).harm is Harm.CUT


def test_a_file_cut_off_within_an_entry_is_cut_there() -> None:
    match = partial()
    luck = Random(1)
    for frame, seat, seq, _ in luck.sample(list(places(match))[1:], 12):
        found = damaged(match.record[: luck.choice(frame[1:])])
        expected = (seat, seq) if seq else end_of(match, seat - 1)
        assert found == Damage(*expected, Harm.CUT)


def test_a_file_without_any_entry_says_that_nothing_is_left() -> None:
    for data in (HEADER, HEADER + b"\0\0", write_archive(()), HEADER + bytes(4000)):
        with pytest.raises(DamagedArchive):
            judged(data)


def test_bytes_after_the_end_are_damage() -> None:
    match = whole()
    for more in (b"\n", b"\0" * 4, b"rubbish", match.record):
        assert damaged(match.record + more).harm is Harm.END


# -- what somebody signed, but not for this place ---------------------------------


def test_an_entry_left_out_of_the_middle_is_missing() -> None:
    match = partial()
    for seat, chain in enumerate(match.chains):
        for seq in range(len(chain) - 1):
            forgery = Forgery(match)
            del forgery.chains[seat][seq]
            found = damaged(forgery.written())
            assert found == Damage(seat, seq, Harm.MISSING)


def test_a_chain_that_ends_before_what_others_build_on_it_is_missing_there() -> None:
    forgery = Forgery(partial())
    del forgery.chains[1][-6:]
    count = len(forgery.chains[1])
    assert damaged(forgery.written()) == Damage(1, count, Harm.MISSING)


def test_a_whole_chain_left_out_is_missing() -> None:
    forgery = Forgery(whole())
    forgery.chains[0].clear()
    assert damaged(forgery.written()) == Damage(0, 0, Harm.MISSING)


def test_an_entry_that_is_there_twice_is_misplaced() -> None:
    for seat, seq in ((0, 0), (0, 1), (1, 9), (1, -1)):
        forgery = Forgery(partial())
        chain = forgery.chains[seat]
        seq %= len(chain)
        chain.insert(seq, chain[seq])
        assert damaged(forgery.written()) == Damage(seat, seq, Harm.MISPLACED)


def test_two_entries_in_each_others_place_accuse_nobody() -> None:
    for seat, seq in ((0, 0), (0, 5), (1, 0), (1, 8)):
        forgery = Forgery(partial())
        chain = forgery.chains[seat]
        chain[seq], chain[seq + 1] = chain[seq + 1], chain[seq]
        assert damaged(forgery.written()) == Damage(seat, seq, Harm.MISSING)


def test_authors_in_another_order_accuse_nobody() -> None:
    forgery = Forgery(whole())
    forgery.chains.reverse()
    assert damaged(forgery.written()) == Damage(0, 0, Harm.MISSING)


def test_entries_interleaved_as_they_were_made_are_not_a_record_again() -> None:
    match = whole()
    pairs = zip(*match.chains, strict=True)
    mixed = write_archive([[one for pair in pairs for one in pair]])
    assert damaged(mixed) == Damage(0, 1, Harm.MISPLACED)


def test_an_entry_of_another_match_of_the_same_seat_is_not_taken_in() -> None:
    forgery = Forgery(partial())
    old = forgery.entry(1, 6)
    forgery.change(old, scope=bytes(16))
    assert damaged(forgery.written()) == Damage(1, 6, Harm.UNSUPPORTED)


def test_the_last_entry_of_another_match_is_not_passed_over_in_silence() -> None:
    forgery = Forgery(whole())
    last = forgery.entry(1, len(forgery.chains[1]) - 1)
    forgery.change(last, scope=bytes(16))
    assert damaged(forgery.written()) == Damage(1, last.seq, Harm.UNSUPPORTED)


def test_another_table_that_a_seat_signed_does_not_stand_for_this_one() -> None:
    for seat in range(2):
        forgery = Forgery(partial())
        old = forgery.entry(seat, 0)
        terms = read_terms(renamed(old.body))
        assert terms is not None
        scope = terms.scope(old.prev)
        forgery.change(old, renamed, scope=scope)
        assert damaged(forgery.written()) == Damage(seat, 0, Harm.UNSUPPORTED)


# -- what this program does not know ----------------------------------------------


def test_a_match_dealt_with_another_suite_is_foreign() -> None:
    with pytest.raises(ForeignRules):
        audit(whole().record, EDWARDS, open_match)


def test_rules_that_this_program_does_not_know_are_foreign() -> None:
    def opening(terms: Terms, table: bytes) -> Any:
        raise ForeignRules(terms, table)

    with pytest.raises(ForeignRules):
        audit(whole().record, SMALL, opening)


def test_which_of_two_tables_was_played_is_what_most_entries_say() -> None:
    """Even where copies of the other one, which a seat signed too, outnumber them."""
    forgery = Forgery(partial())
    old = forgery.entry(0, 0)
    terms = read_terms(renamed(old.body))
    assert terms is not None
    forgery.change(old, renamed, scope=terms.scope(old.prev))
    other_table = forgery.chains[0][0]
    forgery.chains[0][:1] = [other_table] * 20
    result = judged(forgery.written())
    assert result.terms == partial().terms
    assert (result.faults, result.sound) == ((), False)


def test_two_entries_that_build_on_each_other_accuse_nobody() -> None:
    forgery = Forgery(partial())
    seen = tuple(len(chain) for chain in forgery.chains)
    for seat in range(2):
        last = forgery.entry(seat, seen[seat] - 1)
        own = tuple(last.seq if at == seat else n for at, n in enumerate(seen))
        if own != last.seen:
            forgery.change(last, seen=own)
    assert damaged(forgery.written()) == Damage(0, seen[0] - 1, Harm.UNSUPPORTED)


def test_bytes_in_the_place_of_an_entry_are_damage() -> None:
    for rubbish in (b"", b"rubbish", b"\x90"):
        forgery = Forgery(partial())
        forgery.chains[1][3] = Signed(rubbish, bytes(64))
        assert damaged(forgery.written()) == Damage(1, 3, Harm.ALTERED)
