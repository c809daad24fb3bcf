"""Dialing: the race of addresses, and what is said when it comes to nothing."""

import pytest
from twisted.internet import error
from twisted.internet.defer import CancelledError
from twisted.internet.protocol import Factory, Protocol
from twisted.python.failure import Failure

from protocol.codec import encode
from protocol.entry import WIRE_VERSION
from protocol.hello import PROTOCOL, Door, HostHello, Refusal, Refused, write_greeting
from protocol.links import Why, delays_s, dial
from protocol.links.frames import framed
from protocol.links.tls import Pinned, TlsFactory
from protocol.text import SafeText
from tests.protocol.links.network import Net
from tests.protocol.links.party import (
    ADDRESS,
    GUEST,
    GUEST_HELLO,
    HOST,
    HOST_HELLO,
    NONCE,
    OTHER,
    PROGRAM,
    TICKET,
    call,
    host,
    invite,
)

REFUSED = error.ConnectionRefusedError()
NO_ROUTE = error.NoRouteError()
NO_ANSWER = error.TimeoutError()


class Says(Protocol):
    """Answers whatever it hears with this."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def dataReceived(self, data: bytes) -> None:
        assert self.transport is not None
        self.transport.write(self.data)


class HangsUp(Protocol):
    def connectionMade(self) -> None:
        assert self.transport is not None
        self.transport.loseConnection()


def at_once(protocol: Protocol) -> Factory:
    factory = Factory()
    factory.buildProtocol = lambda addr: protocol  # type: ignore[method-assign]
    return factory


def host_that_says(net: Net, data: bytes) -> TlsFactory:
    pinned = Pinned(HOST, lambda key: True)
    return TlsFactory(pinned, at_once(Says(data)), net, dials=False)


def test_the_first_address_that_proves_the_key_wins() -> None:
    net = Net()
    listener, links = host(net)
    stranger, _ = host(net)
    stranger.factory = TlsFactory(
        Pinned(OTHER, lambda key: True), at_once(Says(b"")), net, dials=False
    )
    net.machines |= {
        "10.0.0.2": NO_ANSWER,
        "10.0.0.3": stranger.factory,
        "10.0.0.4": REFUSED,
        "10.0.0.5": listener.factory,
    }
    answer = call(net, invite("10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5"))
    net.run(2)
    assert answer.link.peer_key == HOST.key
    assert len(links) == 1
    assert [host for _, host in net.dialed] == [
        "10.0.0.2",
        "10.0.0.3",
        "10.0.0.4",
        "10.0.0.5",
    ]
    at = [at_s for at_s, _ in net.dialed]
    assert at[0] == 0
    assert at[1] == 0.25
    assert at[3] < 0.5, "what fails at once is not waited for"


def test_a_link_over_one_address_leaves_nothing_of_the_others() -> None:
    net = Net()
    listener, links = host(net)
    net.machines |= {"10.0.0.2": NO_ANSWER, "10.0.0.3": listener.factory}
    answer = call(net, invite("10.0.0.2", "10.0.0.3"))
    net.run(1)
    answer.link.close()
    net.run(1)
    assert net.getDelayedCalls() == []
    assert len(links) == 1
    assert sum(listener.turned_away.values()) == 0


def test_of_two_that_answer_together_one_is_given_up() -> None:
    net = Net()
    listener, links = host(net)
    net.names["host.example"] = ["fd00::1", "10.0.0.1"]
    net.machines |= {"fd00::1": listener.factory, "10.0.0.1": listener.factory}
    net.stalled = True
    answer = call(net, invite("host.example"))
    net.run(0.5)
    for wire in net.wires:
        wire.stalled = False
    net.run(2)
    assert len(net.wires) == 4
    assert answer.link.is_open
    assert len(links) == 1


def test_a_name_is_dialed_at_both_kinds_of_address_in_turns() -> None:
    net = Net()
    net.names["host.example"] = ["10.0.0.1", "10.0.0.2", "fd00::1", "10.0.0.1"]
    call(net, invite("host.example"))
    net.run(2)
    assert [host for _, host in net.dialed] == ["fd00::1", "10.0.0.1", "10.0.0.2"]


def test_no_more_than_eight_addresses_are_dialed() -> None:
    net = Net()
    net.names["host.example"] = [f"10.0.0.{i}" for i in range(1, 100)]
    answer = call(net, invite("host.example"))
    net.run(11)
    assert len(net.dialed) == 8
    assert answer.failure.why is Why.TIMED_OUT


def test_a_name_that_means_nothing_does_not_stop_the_other_addresses() -> None:
    net = Net()
    listener, _ = host(net)
    net.machines[ADDRESS] = listener.factory
    answer = call(net, invite("nowhere.example", ADDRESS))
    net.run(2)
    assert answer.link.is_open


@pytest.mark.parametrize(
    ("machines", "why", "exit_code", "says"),
    [
        ({"10.0.0.1": REFUSED}, Why.NOBODY_LISTENS, 3, "Nobody listens at 10.0.0.1:4"),
        ({"10.0.0.1": NO_ROUTE}, Why.UNREACHABLE, 3, "cannot be reached"),
        ({"10.0.0.1": NO_ANSWER}, Why.TIMED_OUT, 3, "did not answer"),
        ({"10.0.0.1": at_once(HangsUp())}, Why.HUNG_UP, 3, "hung up"),
        ({"10.0.0.1": at_once(Protocol())}, Why.TIMED_OUT, 3, "said nothing"),
        (
            {"10.0.0.1": at_once(Says(b"HTTP/1.1 400\r\n"))},
            Why.FOREIGN,
            4,
            "no program",
        ),
        ({"10.0.0.1": REFUSED, "fd00::1": NO_ANSWER}, Why.NOBODY_LISTENS, 3, "Nobody"),
        ({"10.0.0.1": NO_ROUTE, "fd00::1": REFUSED}, Why.NOBODY_LISTENS, 3, r"\[fd00"),
    ],
)
def test_each_way_to_fail_has_its_own_sentence(
    machines: dict[str, object], why: Why, exit_code: int, says: str
) -> None:
    net = Net()
    net.machines |= machines
    answer = call(net, invite(*machines))
    net.run(12)
    failure = answer.failure
    assert (failure.why, failure.exit_code) == (why, exit_code)
    assert failure.passing == (exit_code == 3)
    assert says.replace("\\", "") in failure.sentence
    assert failure.sentence.isprintable()
    assert failure.sentence.endswith((".", "?"))
    net.run(60)
    assert net.getDelayedCalls() == []


def test_a_name_that_means_nothing_is_said_to() -> None:
    net = Net()
    answer = call(net, invite("nowhere.example"))
    net.run(1)
    assert answer.failure.why is Why.UNKNOWN_HOST
    assert "nowhere.example" in answer.failure.sentence


def test_the_own_invitation_is_not_dialed() -> None:
    net = Net()
    answer = call(net, invite(), HOST)
    assert answer.failure.why is Why.OWN_INVITE
    assert answer.failure.exit_code == 4
    assert net.dialed == []


@pytest.mark.parametrize("refusal", Refusal)
def test_a_refusal_is_told_with_its_reason(refusal: Refusal) -> None:
    net = Net()
    frame = framed(write_greeting(Refused(PROGRAM, refusal)))
    net.machines[ADDRESS] = host_that_says(net, frame)
    answer = call(net, invite())
    net.run(1)
    failure = answer.failure
    assert (failure.why, failure.refusal) == (Why.REFUSED, refusal)
    assert failure.exit_code == 4
    assert failure.passing == (refusal is Refusal.BUSY)


@pytest.mark.parametrize(
    "data",
    [
        framed(b"\xc1"),
        framed(write_greeting(GUEST_HELLO)),
        framed(encode((PROTOCOL, WIRE_VERSION, 2, "1", 99))),
        (16_385).to_bytes(4, "big"),
        b"\xff" * 100,
    ],
    ids=repr,
)
def test_a_host_that_says_something_else_is_foreign(data: bytes) -> None:
    net = Net()
    net.machines[ADDRESS] = host_that_says(net, data)
    answer = call(net, invite())
    net.run(1)
    assert (answer.failure.why, answer.failure.exit_code) == (Why.FOREIGN, 4)


def test_a_host_of_another_version_is_told_from_a_foreign_one() -> None:
    net = Net()
    frame = framed(encode((PROTOCOL, 7, 1, "\x1b[31m7.0", "?")))
    net.machines[ADDRESS] = host_that_says(net, frame)
    answer = call(net, invite())
    net.run(1)
    assert (answer.failure.why, answer.failure.exit_code) == (Why.OTHER_VERSION, 4)
    assert "version 7" in answer.failure.sentence
    assert answer.failure.sentence.isprintable()


def test_a_hosts_texts_are_safe_to_show() -> None:
    net = Net()
    evil = "\x1b]0;x\x07\u202eDa"
    said = (PROTOCOL, WIRE_VERSION, 1, evil, NONCE, "s", 2, (), evil, ())
    frame = framed(encode(said))
    net.machines[ADDRESS] = host_that_says(net, frame)
    answer = call(net, invite())
    net.run(1)
    hello = answer.link.peer_hello
    assert isinstance(hello, HostHello)
    for text in (hello.table, hello.program):
        assert isinstance(text, SafeText)
        assert text.isprintable()


def test_a_host_that_never_answers_is_given_up_at_the_hello_deadline() -> None:
    net = Net()
    net.machines[ADDRESS] = host_that_says(net, b"")
    answer = call(net, invite())
    net.run(4.9)
    assert answer.failures == []
    net.run(0.3)
    assert answer.failure.why is Why.TIMED_OUT


def test_a_host_with_a_full_table_says_so() -> None:
    net = Net()
    listener, _ = host(net, Door(NONCE, [TICKET], places=0))
    net.machines[ADDRESS] = listener.factory
    answer = call(net, invite())
    net.run(1)
    assert answer.failure.refusal is Refusal.TABLE_FULL


@pytest.mark.parametrize("when_s", [0, 0.015, 0.3, 1])
def test_a_call_may_be_cancelled_at_any_moment(when_s: float) -> None:
    net = Net()
    net.names["host.example"] = ["fd00::1", "10.0.0.1"]
    net.machines |= {"fd00::1": NO_ANSWER, "10.0.0.1": host_that_says(net, b"")}
    answer = dial(net, invite("host.example"), GUEST, GUEST_HELLO)
    failures: list[Failure] = []
    answer.addErrback(failures.append)
    net.run(when_s)
    answer.cancel()
    net.run(20)
    assert len(failures) == 1
    assert failures[0].check(CancelledError)
    assert net.getDelayedCalls() == []


def test_delays_grow_to_a_limit_and_are_never_alike() -> None:
    whole = delays_s(lambda: 0.0)
    steps = [next(whole) for _ in range(12)]
    assert steps[:3] == pytest.approx([0.5, 0.8, 1.28])
    assert steps == sorted(steps)
    assert steps[-1] == 8
    half = delays_s(lambda: 1.0)
    assert [next(half) for _ in range(12)] == [step / 2 for step in steps]
    assert HOST_HELLO.seats == 2
