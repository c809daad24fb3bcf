"""When a player is ready: whom it is asked about, and when it says so itself."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from twisted.python.failure import Failure

from protocol.codec import Anything, decode
from protocol.crypto.identity import Identity
from protocol.invite import Invite
from protocol.room import Present, Room
from protocol.step import Step
from protocol.text import SafeText
from scopa_net.acquaintances import Acquaintance
from scopa_net.app.carrying import CarriedScore
from scopa_net.app.introductions import Introductions, NotWhoYouKnow
from scopa_net.app.meeting import Meeting
from scopa_net.app.one_seat import OneSeat
from scopa_net.app.questions import Questions
from scopa_net.app.readiness import Gatherer, Readiness
from scopa_net.home import Home
from scopa_net.notices import Notice
from scopa_net.rules import find_variant
from scopa_net.ui.gathering import NOT_READY, READY, READY_QUESTION
from tests.app.desk import Desk
from tests.test_seat import seat_of, secrets_of

THREE, TWO = find_variant("scopa", 3), find_variant("scopa", 2)
OWN, HOST, OTHER = (secrets_of(at).identity.key for at in (1, 0, 2))
ADA = Identity(b"somebody who was Ada once before").key


def room_of(*names: str, seats: int = 3) -> Room:
    keys = (HOST, OWN, OTHER)
    players = [
        Present(key, name, None, ready=False)
        for key, name in zip(keys, names, strict=False)
    ]
    return Room(seats, tuple(players))


@dataclass
class Guest:
    """A guest's program, and what it says and shows."""

    home: Home
    questions: Questions
    person: bool = True
    hosting: bool = False
    players: int = 3
    said: list[object] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    refused: list[Failure] = field(default_factory=list)
    left: int = 0

    def __post_init__(self) -> None:
        self.variant = THREE if self.players == 3 else TWO
        seat = seat_of(0 if self.hosting else 1, variant=self.variant, hesitant=True)
        self.machine = OneSeat(
            seat, (), key_of=lambda _: HOST, waits_for=lambda: frozenset()
        )
        own = HOST if self.hosting else OWN
        self.meeting = Meeting(bytes(32), self.variant, "p1", HOST)
        if not self.hosting:
            invite = Invite("127.0.0.1", 1, HOST, bytes(16))
            self.meeting = replace(self.meeting, invite=invite)
        self.machine.connect(0)
        introductions = Introductions(self.home, own, self.questions, lambda met: None)
        self.readiness = Readiness(
            Gatherer(
                own=own,
                questions=self.questions,
                audience=self,
                introductions=introductions if self.person else None,
                score=lambda variant: CarriedScore(self.home, own, variant),
                carry_out=self.carry_out,
                refuse=self.refused.append,
                leave=self.leave,
            )
        )

    def carry_out(self, call: Callable[[OneSeat], Step[Notice]]) -> None:
        for frame in call(self.machine).send:
            message = decode(frame.data, Anything())
            assert isinstance(message, tuple)
            if message[0] == 9:
                self.said.append(message[1])

    def leave(self) -> None:
        self.left += 1

    def room(self, room: Room, own: bytes) -> None:
        self.shown.append(" ".join(one.name for one in room.players))

    def trouble(self, why: str) -> None:
        self.shown.append(why)

    def sees(self, room: Room) -> None:
        self.readiness.room_changed(room, self.meeting)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "data")


def heard(
    desk: Desk, home: Home, *typed: str, before: Callable[[Guest], None]
) -> Guest:
    """A guest at a terminal whose person types these lines, one after the other."""

    async def ask() -> Guest:
        guest = Guest(home, desk.questions())
        guest.readiness.ask()
        before(guest)
        for line in typed:
            desk.type(line)
            await asyncio.sleep(0.05)
        guest.readiness.give_up()
        return guest

    return asyncio.run(ask())


ALL = room_of("Ada", "p1", "Cy")


@pytest.mark.parametrize(
    ("typed", "said", "left"),
    [
        (["\n"], [ALL.digest], 0),
        (["\n", "\n"], [ALL.digest, None], 0),
        (["\n", "\n", " \n"], [ALL.digest, None, ALL.digest], 0),
        (["what?\n"], [], 0),
        (["what?\n", "\n"], [ALL.digest], 0),
        (["quit\n"], [], 1),
        (["\n", "q\n"], [ALL.digest], 1),
    ],
)
def test_enter_is_ready_and_again_is_not_and_quit_leaves(
    desk: Desk, home: Home, typed: list[str], said: list[object], left: int
) -> None:
    guest = heard(desk, home, *typed, before=lambda guest: guest.sees(ALL))
    assert (guest.said, guest.left) == (said, left)


def test_what_enter_does_is_told_each_time(desk: Desk, home: Home) -> None:
    heard(desk, home, "\n", "so?\n", "\n", before=lambda guest: guest.sees(ALL))
    page = desk.page.getvalue()
    assert [page.count(line) for line in (READY_QUESTION, READY, NOT_READY)] == [
        1,
        2,
        1,
    ]


def test_whoever_is_ready_stays_so_when_others_come(desk: Desk, home: Home) -> None:
    first = room_of("Ada", "p1")

    def come(guest: Guest) -> None:
        guest.sees(first)
        guest.readiness._answered("")
        guest.sees(ALL)

    assert heard(desk, home, before=come).said == [first.digest, ALL.digest]


@pytest.mark.parametrize(
    ("players", "person", "asked"),
    [(2, True, False), (3, True, True), (6, True, True), (4, False, False)],
)
def test_only_a_person_at_a_larger_table_is_asked(
    desk: Desk, home: Home, players: int, *, person: bool, asked: bool
) -> None:
    guest = Guest(home, desk.questions(interactive=person))
    assert guest.readiness.is_asked_for(players) is asked


def test_at_a_table_of_two_one_is_ready_for_the_other_at_once(home: Home) -> None:
    guest = Guest(home, Questions(None, None), players=2)
    both = room_of("Ada", "p1", seats=2)
    guest.sees(both)
    guest.sees(both)
    assert (guest.said, guest.shown) == ([both.digest], [])


def test_nobody_is_ready_for_whom_a_guest_does_not_want(home: Home) -> None:
    home.know((Acquaintance(SafeText("Ada"), ADA, 1),))
    guest = Guest(home, Questions(None, None), players=2)
    guest.sees(room_of("Ada", "p1", seats=2))
    assert guest.said == []
    (why,) = guest.refused
    assert why.check(NotWhoYouKnow)


def test_a_host_turns_away_whom_its_player_does_not_want_and_stays(
    home: Home,
) -> None:
    home.know((Acquaintance(SafeText("Cy"), ADA, 1),))
    host = Guest(home, Questions(None, None), hosting=True)
    host.sees(ALL)
    assert host.refused == []
    assert host.shown[0] == "Ada p1 Cy"
    assert host.shown[1].startswith("Cy (")
    assert "is turned away" in host.shown[1]


def test_a_question_is_withdrawn_when_others_are_there(desk: Desk, home: Home) -> None:
    home.know((Acquaintance(SafeText("Cy"), ADA, 1),))
    two = room_of("Ada", "p1")

    def go(guest: Guest) -> None:
        guest.readiness._answered("")
        guest.sees(ALL)
        guest.sees(two)

    guest = heard(desk, home, "y\n", before=go)
    assert guest.said[:1] == [two.digest]
    assert guest.refused == []
