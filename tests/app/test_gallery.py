"""Those who watch a table on a seeded network: honest ones, and others."""

from collections.abc import Callable

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from protocol.archive import write_archive
from protocol.chat import Chat, sign_chat
from protocol.codec import encode
from protocol.crypto.identity import Identity
from protocol.hello import (
    GuestHello,
    Refusal,
    WatcherHello,
    program_text,
)
from protocol.invite import Invite
from protocol.links import End, Link, NotReached, dial
from protocol.links.budget import SENDING, frame_cost
from protocol.news import Where, sign_news
from protocol.notes import Question, sign_note
from protocol.roster import write_join
from protocol.step import Step
from protocol.text import safe_name
from scopa_net.app.contacts import Contacts, Hears, Linked, Way
from scopa_net.notices import Notice
from scopa_net.watching import Watcher
from tests.app.circle import HOST_PORT, TICKETS, WATCH, Circle, address_of
from tests.protocol.links.computers import Computer
from tests.support.small_group import SMALL

PROGRAM = program_text("1")


class Stranger:
    """Somebody at a computer of its own who has the invitation to watch."""

    def __init__(self, circle: Circle, number: int = 0) -> None:
        self.circle = circle
        self.computer = Computer(circle.lan, f"10.0.1.{number + 1}")
        self.identity = Identity(bytes((number + 100,)) * 32)
        self.name = safe_name(f"Cy{number}")
        host = circle.programs[0].key
        self.invite = Invite(address_of(0), HOST_PORT, host, WATCH)

    def call(
        self, ticket: bytes = WATCH, nonce: bytes | None = None
    ) -> "Deferred[Link]":
        hello = WatcherHello(PROGRAM, self.name, ticket, nonce)
        return dial(self.computer, self.invite, self.identity, hello)

    def call_as_guest(self) -> "Deferred[Link]":
        hello = GuestHello(PROGRAM, WATCH, None)
        return dial(self.computer, self.invite, self.identity, hello)


class Looker(Stranger):
    """One who honestly watches."""

    def __init__(self, circle: Circle, number: int = 0) -> None:
        super().__init__(circle, number)
        self.told: list[Notice] = []
        self.watcher: Watcher | None = None
        hears = Hears(
            carry_out=self.carry_out,
            presence_changed=lambda: None,
            answered=self._answered,
            in_vain=lambda *_: None,
        )
        self.contacts = Contacts(
            self.computer, self.identity, hears, jitter=lambda: 0.0
        )
        self.contacts.reach(self.invite.pin, [Way(self._call, patient=False)])
        self.contacts.begin()

    def _call(self) -> "Deferred[Link]":
        known = self.watcher is not None and self.watcher.table(0) is not None
        nonce = self.circle.programs[0].disk.meeting.nonce
        return self.call(nonce=nonce if known else None)

    def _answered(self, _: Link) -> bool:
        if self.watcher is None:
            meeting = self.circle.programs[0].disk.meeting
            self.watcher = Watcher(SMALL, meeting.variant, meeting.nonce, meeting.host)
        return True

    def carry_out(self, call: Callable[[Linked], Step[Notice]]) -> None:
        assert self.watcher is not None
        self._take(call(self.watcher))

    def _take(self, step: Step[Notice]) -> None:
        self.contacts.send(step.send)
        self.told += step.events
        for task in step.tasks:
            assert self.watcher is not None
            self._take(self.watcher.done(task, task.run()))

    def has_all(self) -> bool:
        return self.watcher is not None and self.watcher.finished


class Liar(Stranger):
    """One who says on its link whatever it likes, and counts what it hears."""

    def __init__(self, circle: Circle, number: int = 50) -> None:
        super().__init__(circle, number)
        self.heard: list[bytes] = []
        self.ends: list[End] = []
        self.link: Link | None = None
        self.come()
        circle.until(lambda: self.link is not None, 5)

    def come(self) -> None:
        self.ends.clear()
        self.call().addCallbacks(self._open, lambda _: self.ends.append(End.CLOSED))

    def _open(self, link: Link) -> None:
        self.link = link
        link.start(self)

    def frame(self, data: bytes) -> None:
        self.heard.append(data)

    def suspect(self, *, silent: bool) -> None: ...

    def lost(self, end: End) -> None:
        self.ends.append(end)

    def says(self, *values: object) -> None:
        assert self.link is not None
        self.link.send(encode(tuple(values)))  # type: ignore[arg-type]


def refusal_of(circle: Circle, call: "Deferred[Link]") -> str:
    said: list[str] = []

    def failed(failure: Failure) -> None:
        assert failure.check(NotReached)
        said.append(failure.getErrorMessage())

    call.addErrback(failed)
    circle.until(lambda: bool(said), 5)
    return said[0]


def played(circle: Circle) -> None:
    circle.until(circle.all_won, 120)
    assert not [one.failures for one in circle.programs if one.failures]


def test_who_comes_first_in_the_middle_or_again_ends_with_the_record_of_the_seats() -> (
    None
):
    circle = Circle(2, plays=True)
    circle.start(0)
    early = Looker(circle, 1)
    circle.run(3)
    circle.start(1)
    circle.run(2)
    middle = Looker(circle, 2)
    circle.until(lambda: middle.watcher is not None, 5)
    circle.lan.break_links(middle.computer.address, address_of(0))
    played(circle)
    circle.until(lambda: early.has_all() and middle.has_all(), 60)
    for looker in (early, middle):
        assert looker.watcher is not None
        assert {write_archive(looker.watcher.chains())} == circle.records()
    assert circle.programs[0].watched[-1] == ("Cy1", "Cy2")


def test_nobody_waits_for_who_watches_nor_counts_it_as_a_player() -> None:
    circle = Circle(2, plays=True)
    circle.start(0)
    looker = Looker(circle)
    circle.run(3)
    host = circle.programs[0]
    assert host.contacts.linked == frozenset()
    assert host.presence.who_must_hold() == frozenset()
    circle.start(1)
    circle.run(2)
    circle.lan.break_links(looker.computer.address, address_of(0))
    assert looker.identity.key not in host.contacts.met
    played(circle)


def test_the_wrong_invitation_is_refused_in_a_sentence() -> None:
    circle = Circle(2)
    circle.start(0)
    stranger = Stranger(circle)
    seat = refusal_of(circle, stranger.call(TICKETS[1]))
    assert Refusal.SEAT_TICKET.sentence in seat
    assert Refusal.OTHER_TABLE.sentence in refusal_of(
        circle, stranger.call(nonce=b"o" * 32)
    )


def test_a_guests_own_door_lets_nobody_watch() -> None:
    circle = Circle(3)
    circle.start()
    circle.until(circle.all_linked, 60)
    stranger = Stranger(circle)
    guest = circle.programs[1]
    port = next(
        port for host, port in circle.lan.listening if host == guest.computer.address
    )
    stranger.invite = Invite(guest.computer.address, port, guest.key, WATCH)
    assert Refusal.WRONG_TICKET.sentence in refusal_of(circle, stranger.call())


def test_a_watcher_that_wants_to_sit_down_takes_no_seat() -> None:
    circle = Circle(2, plays=True)
    circle.start(0)
    liar = Liar(circle)
    nonce = circle.programs[0].disk.meeting.nonce
    liar.says(0, *write_join(liar.identity, nonce, "Cy", None, bytes(32)))
    circle.run(3)
    assert circle.programs[0].table() is None
    circle.start(1)
    played(circle)


def test_what_a_watcher_forges_reaches_no_seat() -> None:
    circle = Circle(2, plays=True)
    circle.start()
    host = circle.programs[0]
    circle.until(lambda: host.table() is not None, 30)
    liar = Liar(circle)
    table = host.table()
    assert table is not None
    scope = table.party.judge.record.table_scope
    entry = table.party.judge.record.logs[0].entries[0].signed
    forged = (entry.encoded, liar.identity.sign(b"x" * 32))
    for number in range(40):
        liar.says(2, *forged)
        liar.says(3, (forged, tuple(entry)))
        liar.says(5, *sign_note(liar.identity, Question(scope, 0, number, bytes(32))))
        where = Where(scope, 0, number, 1, ("10.0.0.9",))
        liar.says(6, *sign_news(liar.identity, where))
        liar.says(7, *sign_chat(liar.identity, Chat(scope, 0, number, "I am Ada")))
    played(circle)
    assert not table.party.judge.faults
    assert liar.ends in ([], [End.CLOSED])


def test_rubbish_ends_the_link_and_nothing_else() -> None:
    circle = Circle(2, plays=True)
    circle.start()
    circle.run(2)
    liar = Liar(circle)
    liar.says(9, 9)
    circle.until(lambda: bool(liar.ends), 30)
    played(circle)


def test_who_asks_for_everything_again_and_again_gets_what_a_budget_holds() -> None:
    circle = Circle(2, plays=True)
    circle.start()
    host = circle.programs[0]
    circle.until(lambda: host.table() is not None, 30)
    liar = Liar(circle)
    table = host.table()
    assert table is not None
    scope, nonce = table.party.judge.record.table_scope, host.disk.meeting.nonce
    began = circle.lan.seconds()
    for _ in range(300):
        if liar.ends:
            liar.come()
        else:
            liar.says(1, 1, scope, ((0, nonce), (0, nonce)))
            liar.says(4, 0, 0)
        circle.run(0.2)
    assert circle.all_won()
    units = sum(map(frame_cost, liar.heard))
    took = circle.lan.seconds() - began
    # It costs what it may, and not more by calling again.
    assert SENDING.burst / 2 < units <= SENDING.burst + SENDING.per_s * took
