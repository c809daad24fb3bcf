"""Hosts and guests that lie in the waiting room, and what the honest seats make of it.

Whatever is told before the start is for people: nobody sits down by it. What holds is
that an honest seat starts with those of whom it was told last, by its own will alone,
and that nobody else's place or link is lost over it.
"""

import pytest

from protocol.codec import encode
from protocol.step import Step
from protocol.text import alike
from scopa_net.notices import LinkFailed, NoPlace, OtherTerms, RoomChanged
from scopa_net.rules import find_variant
from scopa_net.seat import Seat
from tests.support.room_liars import (
    NOBODY,
    CrowdsTheRoom,
    GivesASideAwayTwice,
    GrowsTheTable,
    HidesAGuest,
    InventsAGuest,
    JoinsAgainAndAgain,
    JoinsAnotherTable,
    JoinsOverAndOver,
    LeavesItselfOut,
    NamesThemBadly,
    SaysThatAllAreReady,
    StartsWithoutThem,
    TellsItsHostOfTheRoom,
    TellsOfTheRoomForEver,
)
from tests.support.small_group import SMALL
from tests.support.terms_liars import (
    ChangesTheRules,
    ChangesTheSeats,
    DrivesATerminal,
    NamedAlmostAsAnother,
    NamedAsAnother,
    NamedAsTheReader,
    SeatsOneKeyTwice,
    SpeaksAnOlderVersion,
)
from tests.test_seat import secrets_of
from tests.test_seat_room import THREE, Triple

FOUR = find_variant("scopa", 4, {"target": "1"})


def seat(
    at: int, kind: type[Seat] = Seat, *, side: int | None = None, four: bool = False
) -> Seat:
    made = kind(
        SMALL,
        secrets_of(at),
        FOUR if four else THREE,
        bytes(32),
        name=f"p{at}",
        host=secrets_of(0).identity.key,
        side=side,
        number=at,
    )
    made.open()
    return made


def table(host: type[Seat] = Seat, guest: type[Seat] = Seat) -> list[Seat]:
    """A host, an honest guest, and another guest."""
    return [seat(0, host), seat(1), seat(2, guest)]


def failed(triple: Triple) -> list[tuple[int, int, str]]:
    return [
        (notice.seat, notice.link, notice.reason)
        for notice in triple.notices
        if isinstance(notice, LinkFailed)
    ]


def shown(triple: Triple, at: int) -> set[bytes]:
    """Of whom a seat was told last."""
    rooms = [
        notice.room
        for notice in triple.notices
        if isinstance(notice, RoomChanged) and notice.seat == at
    ]
    return {one.key for one in rooms[-1].players}


def sitting(one: Seat) -> set[bytes]:
    assert one.table is not None
    return set(one.table.party.judge.course.terms.keys)


def assert_all_play(triple: Triple) -> None:
    tables = [one.table for one in triple.seats]
    assert all(table is not None and table.seated for table in tables)
    assert not any(table.party.judge.faults for table in tables if table)


@pytest.mark.parametrize(
    "liar", [HidesAGuest, InventsAGuest, SaysThatAllAreReady, NamesThemBadly]
)
def test_whatever_a_host_has_told_its_guests_start_with_those_they_are_shown(
    liar: type[Seat],
) -> None:
    triple = Triple(*table(host=liar))
    assert_all_play(triple)
    assert failed(triple) == []
    for guest in (1, 2):
        assert shown(triple, guest) == sitting(triple.seats[guest])
        assert NOBODY not in shown(triple, guest)


def test_names_that_a_host_tells_can_do_nothing_to_a_terminal() -> None:
    triple = Triple(*table(host=NamesThemBadly))
    rooms = [one.room for one in triple.notices if isinstance(one, RoomChanged)]
    names = [player.name for room in rooms for player in room.shown().players]
    assert names
    assert all(name.isprintable() for name in names)


@pytest.mark.parametrize("liar", [CrowdsTheRoom, LeavesItselfOut, GrowsTheTable])
def test_a_room_that_cannot_be_is_the_links_fault(liar: type[Seat]) -> None:
    triple = Triple(*table(host=liar))
    assert {reason for _, _, reason in failed(triple)} == {
        "a waiting room that is none"
    }
    assert {link for _, link, _ in failed(triple)} == {0}


def test_a_guest_starts_by_the_word_of_its_own_player_alone() -> None:
    seats = table(host=StartsWithoutThem)
    seats[1].gathering.hesitant = True
    triple = Triple(*seats)
    assert triple.seats[0].table is not None
    assert triple.seats[1].table is None
    triple.agree(1)
    assert_all_play(triple)
    assert triple.seats[1].agree(triple.told(1)[-1].digest) == Step()


@pytest.mark.parametrize("liar", [HidesAGuest, InventsAGuest, NamesThemBadly])
def test_who_has_agreed_to_others_than_those_of_the_terms_is_asked_again(
    liar: type[Seat],
) -> None:
    seats = table(host=liar)
    seats[1].gathering.hesitant = True
    triple = Triple(*seats[:2])
    first = triple.told(1)[-1].digest
    triple.agree(1)
    triple.seats.append(seats[2])
    triple.rows.append([])
    triple.come(2)
    assert triple.seats[0].table is not None
    assert triple.seats[1].table is None
    assert triple.told(1)[-1].digest != first
    triple.agree(1)
    assert_all_play(triple)


def test_nobody_sits_down_if_its_side_was_given_away() -> None:
    sides = (1, 1, 1, 0)
    seats = [
        seat(at, Seat if at else GivesASideAwayTwice, side=side, four=True)
        for at, side in enumerate(sides)
    ]
    triple = Triple(*seats)
    assert {one.seat for one in triple.notices if isinstance(one, NoPlace)} == {1, 2}
    assert [one.table is None for one in triple.seats[1:]] == [True, True, False]


def test_a_waiting_room_told_of_at_the_table_is_heard_by_nobody() -> None:
    triple = Triple(*table(host=TellsOfTheRoomForEver))
    assert_all_play(triple)
    assert failed(triple) == []
    assert not any(isinstance(one, NoPlace) for one in triple.notices)


# -- guests ----------------------------------------------------------------------


def rooms_told(triple: Triple, at: int) -> int:
    return len(triple.rooms(at))


@pytest.mark.parametrize("liar", [JoinsAgainAndAgain, JoinsOverAndOver])
def test_no_guest_makes_a_host_write_to_the_others_without_end(
    liar: type[Seat],
) -> None:
    # X30.
    seats = table(guest=liar)
    seats[0].gathering.hesitant = True
    triple = Triple(*seats)
    assert rooms_told(triple, 1) <= 5
    assert {at for at, *_ in failed(triple)} <= {0}
    assert {link for _, link, _ in failed(triple)} <= {2}
    assert shown(triple, 1) == {secrets_of(at).identity.key for at in range(3)}
    triple.agree(0)
    assert_all_play(triple)


def test_a_wish_for_another_table_takes_no_place_here() -> None:
    # X21.
    seats = table(guest=JoinsAnotherTable)
    triple = Triple(*seats)
    assert failed(triple) == [(0, 2, "a wish to sit down at another table")]
    assert shown(triple, 0) == {secrets_of(at).identity.key for at in (0, 1)}
    triple.do(0, triple.seats[0].disconnect(2))
    triple.seats[2] = seat(2)
    triple.come(2)
    assert_all_play(triple)


def test_a_guest_cannot_speak_as_a_host() -> None:
    triple = Triple(*table(guest=TellsItsHostOfTheRoom))
    assert_all_play(triple)
    assert failed(triple) == []
    assert NOBODY not in shown(triple, 0)


def test_a_host_is_ready_by_its_own_player_alone() -> None:
    # X24: whoever brings the host's own wish on a link has no place by it.
    host = seat(0)
    host.gathering.hesitant = True
    host.connect(5)
    wish = host.connect(6).send[-1].data
    for data in (wish, encode((9, bytes(32)))):
        assert host.receive(5, data) == Step()
    assert host.table is None


# -- what all sign first ---------------------------------------------------------


@pytest.mark.parametrize(
    "liar", [ChangesTheRules, ChangesTheSeats, SeatsOneKeyTwice, SpeaksAnOlderVersion]
)
def test_no_match_starts_if_a_host_has_told_its_guests_different_terms(
    liar: type[Seat],
) -> None:
    # X24, X25, X26: nobody can be blamed before all have signed the same.
    triple = Triple(*table(host=liar))
    for guest in triple.seats[1:]:
        assert guest.table is None or not guest.table.seated
        assert guest.table is None or guest.table.party.judge.faults == []
    other = [one for one in triple.notices if isinstance(one, OtherTerms)]
    assert [one.seat for one in other] == ([2] if liar is ChangesTheRules else [])
    triple.join(1, 2)
    assert {reason for _, _, reason in failed(triple)} <= {
        "a peer at another table",
        "an entry of another match",
    }


@pytest.mark.parametrize(
    "liar", [DrivesATerminal, NamedAsAnother, NamedAlmostAsAnother, NamedAsTheReader]
)
def test_whatever_name_a_guest_has_signed_it_is_told_apart_and_harmless(
    liar: type[Seat],
) -> None:
    # X34, X35.
    triple = Triple(*table(guest=liar))
    assert_all_play(triple)
    for one in triple.seats:
        assert one.table is not None
        names = one.table.names
        assert all(name.isprintable() and len(name) < 40 for name in names)
        for at, name in enumerate(names):
            others = ("You", *names[:at], *names[at + 1 :])
            assert not any(alike(name, other) for other in others)
