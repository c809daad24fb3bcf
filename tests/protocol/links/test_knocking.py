"""Without an invitation: looking, knocking, and what somebody in between can do."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from protocol.crypto.identity import Identity
from protocol.crypto.knock import Exchange, commitment
from protocol.hello import (
    Door,
    GuestHello,
    GuestNonce,
    HostNonce,
    Knock,
    Look,
    Refusal,
    Refused,
    Shown,
    read_greeting,
    write_greeting,
)
from protocol.links import End, Link, Listener, NotReached, Why
from protocol.links.dialing import Place
from protocol.links.frames import framed
from protocol.links.knocking import LetIn, Seen, knock, look
from protocol.links.porch import DECIDE_S, KNOCKS, KNOCKS_MAX, TURNED_AWAY_S, Knocker
from protocol.text import safe_name
from tests.protocol.links.network import Net, hear
from tests.protocol.links.party import (
    ADDRESS,
    GUEST,
    HOST,
    HOST_HELLO,
    NONCE,
    OTHER,
    PROGRAM,
    TICKET,
    call,
    invite,
)
from tests.protocol.links.test_listening import Stranger, says

PLACE = Place((ADDRESS,), 4000)
ADA = safe_name("Ada")
NONCE_OF_GUEST = b"y" * 32


@dataclass
class Table:
    """A host's public side; a person answers when the test does."""

    net: Net
    places: int = 1
    asks: bool = True
    identity: Identity = HOST
    asked: list[Knocker] = field(default_factory=list)
    answers: list["Deferred[bool]"] = field(default_factory=list)
    withdrawn: list[Knocker] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.door = Door(NONCE, [TICKET], places=self.places)
        self.listener = Listener(
            self.net,
            self.identity,
            HOST_HELLO,
            self.links.append,
            admit=self.door.admit,
            public=self,
        )

    def answer(self, at: int = 0, *, yes: bool) -> None:
        """The person says it."""
        self.answers[at].callback(yes)

    def shown(self) -> Shown:
        return Shown(
            PROGRAM, HOST_HELLO.table, 2, self.door.free, self.asks, HOST_HELLO.rules
        )

    def knows(self, key: bytes) -> bool:
        return key in self.door.admitted

    def ask(self, knocker: Knocker) -> "Deferred[bool]":
        self.asked.append(knocker)
        answer: Deferred[bool] = Deferred(lambda _: self.withdrawn.append(knocker))
        self.answers.append(answer)
        return answer

    def let_in(self, key: bytes, ticket: bytes) -> Refusal | None:
        return self.door.let_in(key, ticket)


@dataclass
class Knocked:
    """What a knock has come to so far."""

    exchanges: list[Exchange] = field(default_factory=list)
    let_in: list[LetIn] = field(default_factory=list)
    failures: list[NotReached] = field(default_factory=list)
    call: "Deferred[None]" = field(default_factory=Deferred)

    def failed(self, failure: Failure) -> None:
        assert isinstance(failure.value, NotReached)
        self.failures.append(failure.value)

    @property
    def words(self) -> list[str]:
        return [exchange.words for exchange in self.exchanges]


def knocks(net: Net, who: Identity = GUEST, place: Place = PLACE) -> Knocked:
    knocked = Knocked()
    call = knock(net, place, who, ADA, PROGRAM, knocked.exchanges.append)
    knocked.call = call.addCallbacks(knocked.let_in.append, knocked.failed)
    return knocked


@pytest.fixture
def net() -> Net:
    return Net()


@pytest.fixture
def table(net: Net) -> Table:
    made = Table(net)
    net.machines[ADDRESS] = made.listener.factory
    return made


def looks(net: Net, who: Identity = GUEST) -> tuple[list[Seen], list[NotReached]]:
    seen: list[Seen] = []
    failed = Knocked()
    look(net, PLACE, who, PROGRAM).addCallbacks(seen.append, failed.failed)
    net.run(1)
    return seen, failed.failures


# -- looking ----------------------------------------------------------------------


def test_who_looks_sees_the_table_and_leaves_nothing_behind(
    net: Net, table: Table
) -> None:
    (seen,), _ = looks(net)
    assert seen.key == HOST.key
    assert seen.shown == table.shown()
    assert 0 <= seen.ping_s < 1
    assert table.asked == []
    assert table.links == []
    assert net.getDelayedCalls() == []


def test_who_looks_at_its_own_table_is_told_so(net: Net, table: Table) -> None:
    seen, (failure,) = looks(net, HOST)
    assert seen == []
    assert failure.why is Why.OWN_INVITE
    assert "your own" in failure.sentence


def test_a_look_and_a_knock_where_nothing_is_public_are_refused(net: Net) -> None:
    door = Door(NONCE, [TICKET], places=1)
    listener = Listener(net, HOST, HOST_HELLO, lambda _: None, admit=door.admit)
    net.machines[ADDRESS] = listener.factory
    _, (failure,) = looks(net)
    assert failure.refusal is Refusal.INVITED_ONLY
    knocked = knocks(net)
    net.run(1)
    assert [each.refusal for each in knocked.failures] == [Refusal.INVITED_ONLY]


# -- knocking ---------------------------------------------------------------------


def test_who_knocks_is_let_in_when_a_person_says_yes(net: Net, table: Table) -> None:
    knocked = knocks(net)
    net.run(1)
    (knocker,) = table.asked
    assert (knocker.player, knocker.key) == (ADA, GUEST.key)
    assert knocked.words == [knocker.words]
    assert knocked.let_in == []
    # A person takes time, and nobody is cut off meanwhile.
    net.run(60)
    table.answer(yes=True)
    net.run(1)
    (inside,) = knocked.let_in
    assert inside.link.peer_hello == HOST_HELLO
    (at_host,) = table.links
    near, far = hear(net, inside.link), hear(net, at_host)
    inside.link.send(b"ciao")
    at_host.send(b"salve")
    net.run(20)
    assert (near.frames, far.frames) == ([b"salve"], [b"ciao"])
    assert (near.told, far.told) == ([], [])


def test_who_was_let_in_comes_again_by_its_key(net: Net, table: Table) -> None:
    knocked = knocks(net)
    net.run(1)
    table.answer(yes=True)
    net.run(1)
    assert table.door.admitted == {GUEST.key: knocked.exchanges[0].ticket}
    assert call(net, invite()).failures == []
    net.run(1)
    assert len(table.links) == 2


def test_who_has_a_seat_is_sent_back_to_it(net: Net, table: Table) -> None:
    call(net, invite())
    net.run(1)
    knocked = knocks(net)
    net.run(1)
    assert [each.refusal for each in knocked.failures] == [Refusal.SEATED]
    assert table.asked == []


def test_a_no_is_told_and_not_asked_again_at_once(net: Net, table: Table) -> None:
    knocked = knocks(net)
    net.run(1)
    table.answer(yes=False)
    net.run(1)
    assert [each.refusal for each in knocked.failures] == [Refusal.NOT_WANTED]
    # Who knocks all the time waits no longer for it.
    for _ in range(2):
        net.run(TURNED_AWAY_S / 2 - 3)
        again = knocks(net)
        net.run(1)
        assert [each.refusal for each in again.failures] == [Refusal.NOT_YET]
    assert len(table.asked) == 1
    net.run(5)
    knocks(net)
    net.run(1)
    assert len(table.asked) == 2


def test_who_is_refused_reads_why_and_what_to_do() -> None:
    for refusal in (Refusal.NOT_WANTED, Refusal.NOT_YET):
        assert "half a minute" in " ".join(refusal.sentence.split())
        assert "invitation" in refusal.sentence


def test_nobody_answers_for_three_minutes(net: Net, table: Table) -> None:
    knocked = knocks(net)
    net.run(DECIDE_S - 1)
    assert knocked.failures == []
    net.run(2)
    assert [each.refusal for each in knocked.failures] == [Refusal.NO_ANSWER]
    assert table.withdrawn == table.asked
    assert net.getDelayedCalls() == []


def test_who_gives_up_is_not_asked_about_any_more(net: Net, table: Table) -> None:
    knocked = knocks(net)
    net.run(1)
    knocked.call.addErrback(lambda _: None)
    knocked.call.cancel()
    net.run(1)
    assert table.withdrawn == table.asked
    assert table.links == []
    assert net.getDelayedCalls() == []


def test_who_falls_silent_is_not_asked_about_any_more(net: Net, table: Table) -> None:
    knocked = knocks(net)
    net.run(1)
    for wire in net.wires:
        wire.cut = True
    net.run(13)
    assert table.withdrawn == table.asked
    (failure,) = knocked.failures
    assert failure.why is Why.HUNG_UP
    assert "gone without an answer" in failure.sentence


def test_a_host_that_ends_leaves_nobody_waiting(net: Net, table: Table) -> None:
    knocked = knocks(net)
    net.run(1)
    table.listener.close()
    net.run(1)
    assert [each.why for each in knocked.failures] == [Why.HUNG_UP]
    assert table.withdrawn == table.asked
    assert net.getDelayedCalls() == []


def test_where_no_person_is_nobody_is_asked(net: Net, table: Table) -> None:
    table.asks = False
    knocked = knocks(net)
    net.run(1)
    assert [each.refusal for each in knocked.failures] == [Refusal.INVITED_ONLY]
    assert knocked.words == []


def test_a_table_that_is_full_says_so_and_withdraws_its_question(
    net: Net, table: Table
) -> None:
    """The person is about to play, and must not be asked what is decided."""
    late = knocks(net)
    net.run(1)
    assert len(table.asked) == 1
    call(net, invite(), OTHER)
    net.run(1)
    assert table.withdrawn == table.asked
    knocked = knocks(net, Identity(b"p" * 32))
    net.run(1)
    for each in (late, knocked):
        assert [failure.refusal for failure in each.failures] == [Refusal.TABLE_FULL]


def test_while_there_is_a_seat_the_others_still_wait(net: Net) -> None:
    table = Table(net, places=2)
    net.machines[ADDRESS] = table.listener.factory
    knocked = knocks(net)
    net.run(1)
    call(net, invite(), OTHER)
    net.run(1)
    assert table.withdrawn == []
    table.answer(yes=True)
    net.run(1)
    assert len(knocked.let_in) == 1


def test_a_seat_that_is_gone_when_the_person_says_yes_is_not_given_twice(
    net: Net, table: Table
) -> None:
    """The door is asked last: whatever has happened, it never lets in too many."""
    knocked = knocks(net)
    net.run(1)
    table.door.admit(OTHER.key, GuestHello(PROGRAM, TICKET, None))
    table.answer(yes=True)
    net.run(1)
    assert [each.refusal for each in knocked.failures] == [Refusal.TABLE_FULL]


def test_few_knocks_wait_and_the_invited_still_come_in(net: Net, table: Table) -> None:
    who = [Identity(bytes([at]) * 32) for at in range(KNOCKS_MAX + 1)]
    knocked = []
    for one in who:
        knocked.append(knocks(net, one))
        net.run(1)
    assert len(table.asked) == KNOCKS_MAX
    (busy,) = (each for each in knocked if each.failures)
    assert busy.failures[0].refusal is Refusal.BUSY
    call(net, invite())
    net.run(1)
    assert len(table.links) == 1


def test_who_asks_with_ever_new_keys_soon_disturbs_nobody(
    net: Net, table: Table
) -> None:
    for at in range(2 * KNOCKS.burst):
        knocks(net, Identity(bytes([at]) * 32))
        net.run(1)
        if not table.answers[-1].called:
            table.answer(-1, yes=False)
    assert len(table.asked) <= KNOCKS.burst + 1


# -- somebody in between, and those who lie ---------------------------------------


def test_somebody_in_between_has_other_words_on_each_side(net: Net) -> None:
    """It knocks at the host's as a guest, and opens to the guest as a host."""
    # X36.
    table = Table(net)
    fake = Table(net, identity=OTHER)
    net.machines[ADDRESS] = fake.listener.factory
    net.machines["10.0.0.2"] = table.listener.factory
    guest = knocks(net)
    net.run(1)
    between = knocks(net, OTHER, Place(("10.0.0.2",), 4000))
    net.run(1)
    assert guest.words == [fake.asked[0].words]
    assert between.words == [table.asked[0].words]
    assert guest.words != between.words


def test_somebody_in_between_who_passes_nonces_on_has_other_words_too(
    net: Net, table: Table
) -> None:
    """The guest's commitment is to its own pair of keys, so it opens no other."""
    # X36.
    hidden = commitment(OTHER.key, GUEST.key, NONCE_OF_GUEST)
    stranger = says_in_turn(net, table, Knock(PROGRAM, ADA, hidden), who=OTHER)
    assert stranger.frames == [stranger.frames[0]]
    assert table.asked == []


def says_in_turn(
    net: Net,
    table: Table,
    first: Knock,
    *,
    nonce: bytes = NONCE_OF_GUEST,
    who: Identity = GUEST,
) -> Stranger:
    """Knock so, and show that nonce when the host's has come."""
    stranger = says(net, table.listener, framed(write_greeting(first)), who)
    (answer,) = stranger.frames
    assert isinstance(read_greeting(answer), HostNonce)
    assert stranger.transport is not None
    stranger.transport.write(framed(write_greeting(GuestNonce(PROGRAM, nonce))))
    net.run(1)
    return stranger


def honest_knock() -> Knock:
    return Knock(PROGRAM, ADA, commitment(HOST.key, GUEST.key, NONCE_OF_GUEST))


def test_a_knock_by_hand_is_asked_about(net: Net, table: Table) -> None:
    says_in_turn(net, table, honest_knock())
    assert [each.key for each in table.asked] == [GUEST.key]


def test_who_shows_another_nonce_than_it_was_bound_to_is_cut_off(
    net: Net, table: Table
) -> None:
    says_in_turn(net, table, honest_knock(), nonce=b"z" * 32)
    assert table.asked == []
    assert table.listener.turned_away == {"rubbish": 1}
    assert net.getDelayedCalls() == []


def test_a_commitment_to_other_keys_is_no_commitment(net: Net, table: Table) -> None:
    hidden = commitment(OTHER.key, GUEST.key, NONCE_OF_GUEST)
    says_in_turn(net, table, Knock(PROGRAM, ADA, hidden))
    assert table.asked == []


def test_who_shows_its_nonce_before_it_knocks_is_cut_off(
    net: Net, table: Table
) -> None:
    early = framed(write_greeting(GuestNonce(PROGRAM, NONCE_OF_GUEST)))
    stranger = says(net, table.listener, early)
    assert stranger.frames == []
    assert table.listener.turned_away == {"rubbish": 1}


def test_who_never_shows_its_nonce_is_cut_off_in_time(net: Net, table: Table) -> None:
    says(net, table.listener, framed(write_greeting(honest_knock())))
    net.run(5)
    assert table.asked == []
    assert table.listener.turned_away == {"silent": 1}
    assert net.getDelayedCalls() == []


@pytest.mark.parametrize(
    "more",
    [
        GuestNonce(PROGRAM, NONCE_OF_GUEST),
        GuestHello(PROGRAM, None, None),
        Look(PROGRAM),
    ],
    ids=lambda one: type(one).__name__,
)
def test_who_says_more_while_a_person_decides_is_not_let_in(
    net: Net, table: Table, more: GuestNonce | GuestHello | Look
) -> None:
    stranger = says_in_turn(net, table, honest_knock())
    assert stranger.transport is not None
    stranger.transport.write(framed(write_greeting(more)))
    net.run(6)
    assert table.withdrawn == table.asked
    assert table.links == []


@pytest.mark.parametrize(
    "answer",
    [
        lambda: write_greeting(HOST_HELLO),
        lambda: write_greeting(GuestNonce(PROGRAM, b"n" * 32)),
        lambda: write_greeting(Look(PROGRAM)),
        lambda: b"\xc1",
    ],
    ids=["lets in unseen", "a guest's nonce", "a look", "rubbish"],
)
def test_a_guest_goes_in_nowhere_without_words(
    net: Net, answer: Callable[[], bytes]
) -> None:
    """A host that opens at once has shown its person nothing."""
    table = Table(net)
    table.listener.greeted = (  # type: ignore[method-assign]
        lambda link, data: link.greet(answer())
    )
    net.machines[ADDRESS] = table.listener.factory
    knocked = knocks(net)
    net.run(1)
    assert [each.why for each in knocked.failures] == [Why.FOREIGN]
    assert knocked.let_in == []


def test_a_refusal_ends_a_knock(net: Net, table: Table) -> None:
    stranger = says_in_turn(net, table, honest_knock())
    table.answer(yes=False)
    net.run(1)
    answers = [read_greeting(frame) for frame in stranger.frames if frame]
    assert answers[-1] == Refused(PROGRAM, Refusal.NOT_WANTED)
    assert table.links == []
    assert End.CLOSED.name.lower() not in table.listener.turned_away
