"""Seats in a waiting room: who has come, who is ready, who has gone."""

from dataclasses import replace

from protocol.codec import encode
from protocol.room import Declined, Room
from protocol.step import Step
from scopa_net.notices import Forgotten, LinkFailed, NoPlace, Notice, RoomChanged
from scopa_net.rules import find_variant
from scopa_net.seat import Seat
from tests.support.small_group import SMALL
from tests.test_seat import Pair, seat_of, secrets_of


class Triple(Pair):
    """A host and two guests, each on a link of its own; guests have link 0."""

    def __init__(self, *seats: Seat) -> None:
        self.seats = list(seats)
        self.rows = [[] for _ in seats]
        self.notices = []
        self.sent: list[tuple[int, int, bytes]] = []
        for at in range(1, len(seats)):
            self.come(at)

    def come(self, at: int) -> None:
        keys = [secrets_of(one).identity.key for one in (at, 0)]
        for here, link, key in ((0, at, keys[0]), (at, 0, keys[1])):
            self.do(here, self.seats[here].connect(link, key))

    def join(self, one: int, other: int) -> None:
        """Link two guests; each has the other's number as the link's."""
        ends = ((one, other), (other, one))
        steps = [self.seats[here].connect(there) for here, there in ends]
        for (here, _), step in zip(ends, steps, strict=True):
            self.do(here, step)

    def do(self, at: int, step: Step[Notice]) -> None:
        """Carry out what a seat wants done, and all that follows."""
        self.notices += step.events
        self.sent += [(at, frame.link, frame.data) for frame in step.send]
        for task in step.tasks:
            self.do(at, self.seats[at].done(task, task.run()))
        while self.sent:
            sender, to, data = self.sent.pop(0)
            self.do(to, self.seats[to].receive(sender, data))

    def agree(self, at: int) -> None:
        """The player of a seat is ready for those of whom it was told last."""
        self.do(at, self.seats[at].agree(self.told(at)[-1].digest))

    def told(self, at: int) -> list[Room]:
        return [
            notice.room
            for notice in self.notices
            if isinstance(notice, RoomChanged) and notice.seat == at
        ]

    def rooms(self, at: int) -> list[list[tuple[str, bool]]]:
        return [
            [(one.name, one.ready) for one in room.players] for room in self.told(at)
        ]


THREE = find_variant("scopa", 3, {"target": "1"})


def three(*, unready: tuple[int, ...] = ()) -> list[Seat]:
    return [seat_of(at, variant=THREE, hesitant=at in unready) for at in range(3)]


def test_everybody_is_told_who_has_come_and_who_is_ready() -> None:
    triple = Triple(*three(unready=(0, 2)))
    assert all(seat.table is None for seat in triple.seats)
    last = [("p0", False), ("p1", True), ("p2", False)]
    assert [triple.rooms(at)[-1] for at in range(3)] == [last] * 3
    assert triple.rooms(0)[0] == [("p0", False), ("p1", False)]
    triple.agree(2)
    assert triple.rooms(1)[-1] == [("p0", False), ("p1", True), ("p2", True)]
    assert triple.seats[0].table is None
    triple.agree(0)
    assert all(seat.table is not None for seat in triple.seats)
    assert not any(isinstance(notice, LinkFailed) for notice in triple.notices)
    assert triple.seats[0].agree(triple.told(0)[-1].digest) == Step()


def test_who_is_not_ready_any_more_is_waited_for() -> None:
    triple = Triple(*three(unready=(0, 1)))
    triple.agree(1)
    triple.do(1, triple.seats[1].agree(None))
    assert triple.rooms(2)[-1] == [("p0", False), ("p1", False), ("p2", True)]
    triple.agree(0)
    assert all(seat.table is None for seat in triple.seats)
    triple.do(0, triple.seats[0].agree(None))
    triple.agree(1)
    assert all(seat.table is None for seat in triple.seats)
    triple.agree(0)
    assert all(seat.table is not None for seat in triple.seats)
    assert triple.seats[1].agree(None) == Step()


def test_a_change_of_mind_that_comes_too_late_changes_nothing() -> None:
    # What is said and what is proposed may cross.
    seats = three(unready=(0, 1))
    triple = Triple(*seats)
    triple.agree(1)
    late = seats[1].agree(None)
    triple.agree(0)
    triple.do(1, late)
    assert all(seat.table is not None for seat in seats)


def test_whoever_was_ready_is_so_for_those_who_were_there_and_nobody_else() -> None:
    triple = Triple(*three(unready=(0, 1)))
    for at in (0, 1):
        triple.agree(at)
        if at == 0:
            triple.do(0, triple.seats[0].disconnect(2))
            triple.seats[2] = seat_of(3, variant=THREE)
            keys = [secrets_of(one).identity.key for one in (3, 0)]
            for here, link, key in ((0, 2, keys[0]), (2, 0, keys[1])):
                triple.do(here, triple.seats[here].connect(link, key))
    assert [ready for _, ready in triple.rooms(1)[-1]] == [False, True, True]
    assert all(seat.table is None for seat in triple.seats)
    triple.agree(0)
    assert all(seat.table is not None for seat in triple.seats)


def test_who_goes_before_the_start_is_told_of_and_nobody_sits_down_without_it() -> None:
    triple = Triple(*three(unready=(0,)))
    triple.do(0, triple.seats[0].disconnect(1))
    assert [name for name, _ in triple.rooms(2)[-1]] == ["p0", "p2"]
    triple.agree(0)
    assert triple.seats[0].table is None
    triple.come(1)
    triple.agree(0)
    assert all(seat.table is not None for seat in triple.seats)


def test_who_comes_by_a_new_link_is_as_ready_as_before() -> None:
    triple = Triple(*three(unready=(0, 1)))
    triple.agree(1)
    triple.do(0, triple.seats[0].disconnect(1))
    triple.do(1, triple.seats[1].disconnect(0))
    triple.come(1)
    assert dict(triple.rooms(2)[-1]) == {"p0": False, "p1": True, "p2": True}


def test_whose_program_has_crashed_before_the_start_may_draw_a_new_coin() -> None:
    triple = Triple(*three(unready=(0,)))
    triple.do(0, triple.seats[0].disconnect(1))
    other = replace(secrets_of(1), coin=b"n" * 32)
    triple.seats[1] = Seat(
        SMALL, other, THREE, bytes(32), name="p1", host=secrets_of(0).identity.key
    )
    triple.come(1)
    triple.agree(0)
    assert all(seat.table is not None for seat in triple.seats)


def test_whom_the_hosts_player_does_not_want_is_told_so_and_the_rest_stays() -> None:
    triple = Triple(*three(unready=(0,)))
    unwanted = secrets_of(1).identity.key
    triple.do(0, triple.seats[0].turn_away(unwanted))
    assert NoPlace(1, Declined.PERSON) in triple.notices
    assert [name for name, _ in triple.rooms(2)[-1]] == ["p0", "p2"]
    failed = [one.link for one in triple.notices if isinstance(one, LinkFailed)]
    assert failed == [1]
    triple.do(0, triple.seats[0].disconnect(1))
    triple.come(1)
    assert triple.notices.count(NoPlace(1, Declined.PERSON)) == 2
    assert [name for name, _ in triple.rooms(0)[-1]] == ["p0", "p2"]


def test_a_seat_whose_secrets_are_lost_since_the_start_is_told_that_it_is() -> None:
    # Else it would wait for ever at a table that waits for it.
    triple = Triple(*three())
    triple.do(0, triple.seats[0].disconnect(1))
    other = replace(secrets_of(1), coin=b"n" * 32)
    host = secrets_of(0).identity.key
    triple.seats[1] = Seat(
        SMALL, other, THREE, bytes(32), name="p1", host=host, number=1
    )
    triple.come(1)
    assert Forgotten(1) in triple.notices
    assert triple.seats[1].table is None


def test_a_guest_that_goes_on_is_asked_whether_it_agrees_to_who_sits_there() -> None:
    triple = Triple(*three())
    triple.do(0, triple.seats[0].disconnect(1))
    triple.seats[1] = seat_of(1, variant=THREE, hesitant=True)
    triple.come(1)
    assert triple.seats[1].table is None
    triple.agree(1)
    assert triple.seats[1].table is not None
    assert triple.seats[1].table.seated


def test_only_the_host_tells_who_has_come_and_only_who_has_joined_is_ready() -> None:
    host, guest, other = three(unready=(0,))
    host.connect(1, secrets_of(1).identity.key)
    assert host.receive(1, encode((9, bytes(32)))) == Step()
    present = [(secrets_of(at).identity.key, "nobody", None, 1) for at in (0, 2)]
    room = encode((8, 3, tuple(present)))
    assert host.receive(1, room) == Step()
    guest.connect(0, secrets_of(2).identity.key)
    assert guest.receive(0, room) == Step()
    assert guest.receive(0, encode((10, 0))) == Step()
    other.connect(0, secrets_of(0).identity.key)
    assert RoomChanged in map(type, other.receive(0, room).events)
    assert other.receive(0, encode((10, 0))).events == (NoPlace(2, Declined.SIDE),)


def test_what_is_said_of_the_waiting_room_at_a_table_changes_nothing() -> None:
    triple = Triple(*three())
    key = secrets_of(0).identity.key
    for data in ((9, None), (10, 0), (8, 3, ((key, "x", None, 1),))):
        assert triple.seats[1].receive(0, encode(data)) == Step()
        assert triple.seats[0].receive(1, encode(data)) == Step()


def test_nobody_tells_for_ever_how_often_one_changes_its_mind() -> None:
    # X30.
    host, guest, _ = three(unready=(0,))
    host.connect(1, secrets_of(1).identity.key)
    (join,) = guest.connect(0).send
    host.receive(1, join.data)
    minds = [(9, bytes(32)), (9, None)] * 501
    events = [host.receive(1, encode(mind)).events for mind in minds]
    assert [type(one) for one in events[-1]] == [LinkFailed]
    assert not any(events[:1000])
