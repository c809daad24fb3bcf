"""Those who watch a table on a seeded network: honest ones, and others."""

from collections.abc import Callable
from dataclasses import replace

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from protocol.archive import write_archive
from protocol.chat import Chat, sign_chat
from protocol.codec import encode
from protocol.crypto.identity import Identity
from protocol.hello import (
    GuestHello,
    HostHello,
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
from protocol.text import SafeText, safe_name
from protocol.whereabouts import Hearsay
from scopa_net.app.contacts import Hears, Linked
from scopa_net.app.following import Following
from scopa_net.app.meeting import Meeting
from scopa_net.app.neighbours import UNPROVEN
from scopa_net.app.presence import WatchedPresence
from scopa_net.app.screen_player import ScreenPlayer
from scopa_net.app.talk import ONLY_WATCHES, Talk
from scopa_net.events import DealStarted, MatchWon
from scopa_net.notices import ChatHeard, LinkFailed, Notice, Told, WhereaboutsKnown
from scopa_net.ui.absence import LONG_S, Waiting
from scopa_net.ui.view import Link as LinkState
from scopa_net.watching import WatchedTable, Watcher
from tests.app.circle import HOST_PORT, TICKETS, WATCH, Circle, address_of
from tests.app.test_talk import Reader
from tests.protocol.links.computers import Computer, is_open
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
    """One who honestly watches, with all of the shipped program but its output."""

    screen: ScreenPlayer | None = None
    left = False

    def __init__(self, circle: Circle, number: int = 0) -> None:
        super().__init__(circle, number)
        self.told: list[Notice] = []
        self.waiting: list[Waiting] = []
        self.read: list[str] = []
        self.refused: list[str] = []
        self.watcher: Watcher | None = None
        self.meeting: Meeting | None = None
        hears = Hears(
            carry_out=self.carry_out,
            presence_changed=lambda: self.presence.changed(),
            answered=self._answered,
            in_vain=self._in_vain,
        )
        self.following = Following(
            self.computer,
            self.identity,
            self.invite,
            self.name,
            hears,
            jitter=lambda: 0.0,
        )
        contacts = self.following.contacts
        self.presence = WatchedPresence(
            self.computer, self, contacts, self.waiting.append
        )
        self.talk = Talk(
            self.computer,
            self.identity,
            self.table,
            pass_on=lambda *_: None,
            drop=contacts.drop,
            tells=self,
            show=self.read.append,
        )
        self.following.begin()

    def table(self) -> WatchedTable | None:
        return None if self.watcher is None else self.watcher.table(0)

    @property
    def whereabouts(self) -> Hearsay | None:
        return None if self.watcher is None else self.watcher.hearsay

    @property
    def nobody_needed(self) -> bool:
        return self.has_all()

    @property
    def followed(self) -> frozenset[bytes]:
        return self.following.contacts.answering

    def _answered(self, link: Link) -> bool:
        if self.watcher is None:
            host = self.circle.programs[0].disk.meeting
            self.meeting = replace(host, address=None, invite=self.invite)
            self.watcher = Watcher(SMALL, host.variant, host.nonce, host.host)
        assert self.meeting is not None
        assert isinstance(link.peer_hello, HostHello)
        return link.peer_hello.nonce == self.meeting.nonce

    def _in_vain(self, _: bytes, why: NotReached, again: bool) -> None:  # noqa: FBT001
        if not again:
            self.refused.append(str(why))

    def chat(self, name: SafeText, text: SafeText) -> None: ...

    def carry_out(self, call: Callable[[Linked], Step[Notice]]) -> None:
        assert self.watcher is not None
        self._take(call(self.watcher))

    def _take(self, step: Step[Notice]) -> None:
        self.following.contacts.send(step.send)
        for notice in step.events:
            self._hear(notice)
        for task in step.tasks:
            assert self.watcher is not None
            self._take(self.watcher.done(task, task.run()))

    def _hear(self, notice: Notice) -> None:
        self.told.append(notice)
        assert not isinstance(notice, LinkFailed), notice.reason
        table, known = self.table(), self.whereabouts
        if isinstance(notice, Told) and isinstance(notice.event, DealStarted):
            self.presence.changed()
        if isinstance(notice, WhereaboutsKnown):
            assert table is not None
            assert known is not None
            assert self.meeting is not None
            keys = table.party.judge.record.keys
            self.following.seated(self.meeting, keys, known)
            self.presence.changed()
        if isinstance(notice, ChatHeard):
            self.talk.heard(notice)

    def has_all(self) -> bool:
        return self.watcher is not None and self.watcher.finished

    def record(self) -> bytes:
        assert self.watcher is not None
        return write_archive(self.watcher.chains())


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
        assert {looker.record()} == circle.records()
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


def test_a_guests_own_door_is_for_who_was_let_in_by_the_host() -> None:
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
    other = refusal_of(circle, stranger.call(nonce=b"o" * 32))
    assert Refusal.OTHER_TABLE.sentence in other
    nonce = guest.disk.meeting.nonce
    links: list[Link] = []
    stranger.call(nonce=nonce).addCallback(links.append)
    circle.until(lambda: bool(links), 5)
    # Who plays there sees a hand, and is to see no more.
    stranger.identity = circle.programs[2].disk.secrets.identity
    seated = refusal_of(circle, stranger.call(nonce=nonce))
    assert Refusal.SEATED.sentence in seated


def test_who_watches_is_told_who_is_away_and_who_is_back() -> None:
    circle = Circle(2)
    circle.start()
    circle.until(circle.all_linked, 10)
    looker = Looker(circle)
    circle.run(3)
    assert looker.waiting == []
    circle.programs[1].kill()
    circle.run(3)
    assert looker.waiting == [Waiting(("P1",), unseen=True)]
    circle.again(1)
    circle.until(circle.all_linked, 10)
    circle.run(2)
    assert looker.waiting[1:] == [Waiting()]


class Eye(ScreenPlayer):
    """What a whole screen is told of each seat."""

    def __init__(self) -> None:
        self.states: list[LinkState] = []

    def hear_of_link(
        self, seat: int, link: LinkState, by: int | None, away_s: int, carry: str
    ) -> None:
        self.states.append(link)


def test_before_the_followed_seat_has_said_whom_it_sees_nobody_looks_away() -> None:
    circle = Circle(3, plays=True)
    circle.start()
    circle.until(circle.all_linked, 10)
    looker = Looker(circle)
    looker.screen = eye = Eye()
    circle.until(lambda: bool(eye.states), 10)
    assert set(eye.states) == {LinkState.CONNECTED}
    circle.programs[1].kill()
    circle.run(2)
    assert LinkState.LOST in eye.states


def test_who_goes_when_all_is_over_is_not_shown_to_be_away() -> None:
    circle = Circle(2, plays=True)
    looker = Looker(circle)
    looker.screen = eye = Eye()
    circle.start()
    looker.following.contacts.hurry()
    played(circle)
    circle.until(looker.has_all, 60)
    eye.states.clear()
    circle.programs[1].kill()
    circle.run(3)
    assert LinkState.LOST not in eye.states


def test_who_watches_is_told_through_whom_its_table_sees_a_seat() -> None:
    circle = Circle(3)
    circle.start()
    circle.until(circle.all_linked, 10)
    looker = Looker(circle)
    circle.run(3)
    circle.lan.cut(address_of(0), address_of(1))
    circle.run(20)
    assert looker.waiting == [Waiting(through=(("P1", "P2"),))]
    circle.lan.mend(address_of(0), address_of(1))
    circle.until(circle.all_linked, 20)
    circle.run(2)
    assert looker.waiting[1:] == [Waiting()]


def test_without_the_host_it_follows_another_seat_and_misses_nothing() -> None:
    circle = Circle(3, plays=True)
    circle.start()
    circle.until(circle.all_linked, 10)
    looker = Looker(circle)
    circle.until(lambda: looker.whereabouts is not None, 10)
    circle.run(3)
    host = circle.programs[0]
    assert looker.followed == {host.key}
    host.kill()
    circle.run(5)
    others = {one.key for one in circle.programs[1:]}
    assert len(looker.followed & others) == len(looker.followed) == 1
    assert looker.waiting == [Waiting(("P0",), unseen=True)]
    watched = [one.watched[-1:] for one in circle.programs[1:]]
    assert sorted(watched) == [[], [("Cy0",)]]
    circle.again(0)
    played(circle)
    circle.until(looker.has_all, 60)
    assert {looker.record()} == circle.records()
    assert looker.waiting == [Waiting(("P0",), unseen=True), Waiting()]
    assert looker.refused == []


def test_when_nobody_is_left_it_waits_for_all_and_goes_on_with_who_comes_first() -> (
    None
):
    circle = Circle(3, plays=True)
    circle.start()
    circle.until(circle.all_linked, 10)
    looker = Looker(circle)
    circle.until(lambda: looker.whereabouts is not None, 10)
    circle.run(2)
    for one in circle.programs:
        one.kill()
    circle.run(LONG_S + 3)
    *_, away, lasting = looker.waiting
    assert sorted(away.names) == ["P0", "P1", "P2"]
    assert lasting == replace(away, lasting=True)
    dialed = len(circle.lan.dialed)
    circle.run(60)
    assert len(circle.lan.dialed) - dialed < 60
    circle.again(1)
    circle.until(lambda: looker.followed == {circle.programs[1].key}, 10)
    for at in (0, 2):
        circle.again(at)
    played(circle)
    circle.until(looker.has_all, 60)
    assert {looker.record()} == circle.records()


def test_one_seat_is_enough_and_nobody_else_is_called_while_it_answers() -> None:
    circle = Circle(3)
    circle.start()
    circle.until(circle.all_linked, 10)
    looker = Looker(circle)
    circle.until(lambda: looker.whereabouts is not None, 10)
    circle.run(3)
    dialed = len(circle.lan.dialed)
    circle.run(30)
    assert len(circle.lan.dialed) == dialed
    # Nothing passes, and nobody is told: all others are called at once.
    circle.lan.cut(looker.computer.address, address_of(0))
    circle.run(30)
    assert len(looker.followed) == 1
    circle.lan.mend(looker.computer.address, address_of(0))
    dialed = len(circle.lan.dialed)
    circle.run(30)
    assert len(circle.lan.dialed) == dialed
    links = [
        wire
        for program in circle.programs
        for wire in circle.lan.between(
            looker.computer.address, program.computer.address
        )
        if wire in circle.lan.dialed_by and is_open(wire)
    ]
    assert len(links) == len(looker.followed) == 1
    assert looker.waiting == []


def test_a_seat_makes_who_watches_call_few_addresses_and_none_that_is_nobodys() -> None:
    circle = Circle(3)
    circle.start()
    circle.until(circle.all_linked, 10)
    looker = Looker(circle)
    circle.until(lambda: looker.whereabouts is not None, 10)
    circle.run(3)
    known, liar = looker.whereabouts, circle.programs[1]
    assert known is not None
    (rank,) = circle.programs[0].ranks([liar.key])
    table = looker.table()
    assert table is not None
    scope = table.party.judge.record.table_scope
    nobodys = ("127.0.0.1", "224.0.0.1")
    strangers = tuple(f"10.0.0.{at}" for at in range(200, 206))
    where = Where(scope, rank, 1_000, 4_000, (*nobodys, *strangers))
    assert known.hear(sign_news(liar.disk.secrets.identity, where)) is None
    for one in circle.programs:
        one.kill()
    before = len(circle.lan.dialed)
    circle.run(300)
    called = [to for _, to in circle.lan.dialed[before:]]
    assert 6 < sum(to in strangers for to in called) <= UNPROVEN.burst + 5 * 8
    assert not set(nobodys).intersection(called)


def test_what_players_write_is_read_by_who_watches_and_by_whom_it_is_muted() -> None:
    circle = Circle(2, plays=True)
    writers = [Reader(one).talk for one in circle.programs]
    circle.start()
    circle.until(circle.all_linked, 10)
    looker, late = Looker(circle), Looker(circle, 1)
    circle.until(lambda: looker.table() is not None, 10)
    circle.run(2)
    for writer in writers:
        assert writer.say("ciao") == ""
    circle.run(2)
    assert looker.talk.say("play the seven!") == ONLY_WATCHES
    assert looker.talk.mute("p1") == "What P1 says is not shown any more."
    assert writers[1].say("hush") == ""
    circle.run(2)
    assert looker.read == ["P0 says: ciao", "P1 says: ciao"]
    assert late.read == [*looker.read, "P1 says: hush"]


def test_who_comes_when_all_is_played_still_sees_all_of_it() -> None:
    circle = Circle(2, plays=True)
    circle.start()
    played(circle)
    lookers = [Looker(circle, number) for number in range(2)]
    circle.until(lambda: all(one.has_all() for one in lookers), 30)
    assert {one.record() for one in lookers} == circle.records()
    won = [one.event for one in lookers[0].told if isinstance(one, Told)][-1]
    assert isinstance(won, MatchWon)


def test_who_asks_and_takes_in_nothing_is_dropped_and_holds_nobody_up() -> None:
    circle = Circle(2, plays=True)
    circle.start()
    host = circle.programs[0]
    circle.until(lambda: host.table() is not None, 30)
    liar = Liar(circle)
    for wire in circle.lan.between(liar.computer.address, address_of(0)):
        wire.stalled = wire.host == liar.computer.address
    table = host.table()
    assert table is not None
    scope, nonce = table.party.judge.record.table_scope, host.disk.meeting.nonce
    for _ in range(300):
        if not liar.ends:
            liar.says(1, 1, scope, ((0, nonce), (0, nonce)))
        circle.run(0.2)
    assert liar.ends == [End.BROKEN]
    played(circle)


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
