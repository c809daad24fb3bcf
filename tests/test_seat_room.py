"""Seats in a waiting room: who has come, who is ready, who has gone."""

from dataclasses import replace

from protocol.codec import encode
from protocol.step import Step
from scopa_net.rules import find_variant
from scopa_net.seat import Gathered, LinkFailed, NoPlace, Notice, RoomChanged, Seat
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

    def rooms(self, at: int) -> list[list[tuple[str, bool]]]:
        return [
            [(one.name, one.ready) for one in notice.room.players]
            for notice in self.notices
            if isinstance(notice, RoomChanged) and notice.seat == at
        ]


THREE = find_variant("scopa", 3, {"target": "1"})


def three(*, unready: tuple[int, ...] = ()) -> list[Seat]:
    seats = [seat_of(at, variant=THREE) for at in range(3)]
    for at in unready:
        seats[at].ready = False
    return seats


def test_everybody_is_told_who_has_come_and_who_is_ready() -> None:
    triple = Triple(*three(unready=(0, 2)))
    assert all(seat.table is None for seat in triple.seats)
    last = [("p0", False), ("p1", True), ("p2", False)]
    assert [triple.rooms(at)[-1] for at in range(3)] == [last] * 3
    assert triple.rooms(0)[0] == [("p0", False), ("p1", True)]
    triple.do(2, triple.seats[2].get_ready())
    assert triple.rooms(1)[-1] == [("p0", False), ("p1", True), ("p2", True)]
    assert triple.seats[0].table is None
    triple.do(0, triple.seats[0].get_ready())
    assert all(seat.table is not None for seat in triple.seats)
    assert not any(isinstance(notice, LinkFailed) for notice in triple.notices)
    assert triple.seats[0].get_ready() == Step()


def test_who_goes_before_the_start_is_told_of_and_nobody_sits_down_without_it() -> None:
    triple = Triple(*three(unready=(0,)))
    triple.do(0, triple.seats[0].disconnect(1))
    assert triple.rooms(2)[-1] == [("p0", False), ("p2", True)]
    triple.come(1)
    triple.seats[0].hesitant = True
    triple.do(0, triple.seats[0].get_ready())
    (gathered,) = [one for one in triple.notices if isinstance(one, Gathered)]
    triple.do(0, triple.seats[0].disconnect(1))
    assert triple.seats[0].consent(gathered.terms) == Step()
    assert triple.seats[0].table is None
    # When it is there again nobody is asked a second time.
    triple.come(1)
    assert [one for one in triple.notices if isinstance(one, Gathered)] == [gathered]
    assert all(seat.table is not None for seat in triple.seats)


def test_whose_program_has_crashed_before_the_start_is_asked_about_again() -> None:
    triple = Triple(*three())
    triple.seats[0] = seat_of(0, variant=THREE)
    triple.seats[0].hesitant = True
    for at in (1, 2):
        triple.seats[at] = seat_of(at, variant=THREE)
        triple.come(at)
    triple.do(0, triple.seats[0].disconnect(1))
    other = replace(secrets_of(1), coin=b"n" * 32)
    triple.seats[1] = Seat(
        SMALL, other, THREE, bytes(32), name="p1", host=secrets_of(0).identity.key
    )
    triple.come(1)
    before, now = [one for one in triple.notices if isinstance(one, Gathered)]
    assert triple.seats[0].consent(before.terms) == Step()
    triple.do(0, triple.seats[0].consent(now.terms))
    assert all(seat.table is not None for seat in triple.seats)


def test_only_the_host_tells_who_has_come_and_only_who_has_joined_is_ready() -> None:
    host, guest, other = three(unready=(0,))
    host.connect(1, secrets_of(1).identity.key)
    assert host.receive(1, encode((9,))) == Step()
    present = [(secrets_of(at).identity.key, "nobody", None, 1) for at in (0, 2)]
    room = encode((8, 3, tuple(present)))
    assert host.receive(1, room) == Step()
    guest.connect(0, secrets_of(2).identity.key)
    assert guest.receive(0, room) == Step()
    assert guest.receive(0, encode((10,))) == Step()
    other.connect(0, secrets_of(0).identity.key)
    (told,) = other.receive(0, room).events
    assert isinstance(told, RoomChanged)
    assert other.receive(0, encode((10,))).events == (NoPlace(2),)


def test_what_is_said_of_the_waiting_room_at_a_table_changes_nothing() -> None:
    triple = Triple(*three())
    key = secrets_of(0).identity.key
    for data in ((9,), (10,), (8, 3, ((key, "x", None, 1),))):
        assert triple.seats[1].receive(0, encode(data)) == Step()
        assert triple.seats[0].receive(1, encode(data)) == Step()


def test_a_table_of_two_has_no_waiting_room() -> None:
    pair = Pair(seat_of(0), seat_of(1))
    assert not any(isinstance(notice, RoomChanged) for notice in pair.notices)
