"""A guest that dials until it is let in, and again when its link is lost."""

from collections.abc import Callable

import pytest
from twisted.internet import error
from twisted.internet.protocol import Factory, Protocol

from protocol.hello import Door, GuestHello, Refusal
from protocol.links import Caller, End, Link, Listener, NotReached, Why, dial
from tests.protocol.links.network import Ear, Net
from tests.protocol.links.party import (
    ADDRESS,
    GUEST,
    HOST_HELLO,
    NONCE,
    OTHER,
    PROGRAM,
    TICKET,
    host,
    invite,
)


class Guest(Ear):
    """Calls a host on the net, and hears its links."""

    def __init__(self, net: Net) -> None:
        super().__init__(net)
        self.links: list[Link] = []
        self.troubles: list[tuple[NotReached, float | None]] = []
        self.hello = GuestHello(PROGRAM, TICKET, None)
        self.caller = Caller(
            net,
            lambda: dial(net, invite(), GUEST, self.hello),
            jitter=lambda: 0.0,
            on_link=self.reached,
            on_trouble=lambda why, delay_s: self.troubles.append((why, delay_s)),
        )

    def reached(self, link: Link) -> None:
        self.links.append(link)
        link.start(self)

    def lost(self, end: End) -> None:
        super().lost(end)
        self.caller.lost()


def scene(door: Door | None = None) -> tuple[Net, Listener, list[Link], Guest]:
    net = Net()
    listener, links = host(net, door)
    guest = Guest(net)
    return net, listener, links, guest


def test_a_host_that_comes_late_is_reached() -> None:
    net, listener, links, guest = scene()
    net.machines[ADDRESS] = error.ConnectionRefusedError()
    guest.caller.start()
    net.run(4)
    assert [why.why for why, _ in guest.troubles] == [Why.NOBODY_LISTENS] * 4
    assert [delay for _, delay in guest.troubles] == pytest.approx(
        [0.5, 0.8, 1.28, 2.048]
    )
    net.machines[ADDRESS] = listener.factory
    net.run(3)
    assert len(guest.links) == len(links) == 1


def test_a_lost_link_is_made_again_with_what_is_known_by_then() -> None:
    net, listener, links, guest = scene()
    net.machines[ADDRESS] = listener.factory
    guest.caller.start()
    net.run(20)
    guest.hello = GuestHello(PROGRAM, None, NONCE)
    links[0].abort(End.CLOSED)
    net.run(2)
    assert guest.endings == [End.BROKEN]
    assert len(guest.links) == 2
    assert guest.links[1].is_open
    assert links[1].peer_hello == guest.hello


def test_links_that_do_not_hold_are_made_ever_more_slowly() -> None:
    net, listener, links, guest = scene()
    net.machines[ADDRESS] = listener.factory
    guest.caller.start()
    for _ in range(600):
        net.run(0.1)
        for link in links:
            if link.is_open:
                link.abort(End.CLOSED)
    assert 8 <= len(links) <= 14


def test_who_is_refused_for_good_does_not_come_again() -> None:
    net, listener, _, guest = scene(Door(NONCE, [], places=1))
    net.machines[ADDRESS] = listener.factory
    guest.caller.start()
    net.run(60)
    ((why, delay_s),) = guest.troubles
    assert why.refusal is Refusal.WRONG_TICKET
    assert delay_s is None
    assert len(net.dialed) == 1


def somebody_else(net: Net) -> None:
    """Another program with another key now listens where the host did."""
    door = Door(NONCE, [TICKET], places=1)
    other = Listener(net, OTHER, HOST_HELLO, lambda link: None, admit=door.admit)
    net.machines[ADDRESS] = other.factory


def no_program_of_this_kind(net: Net) -> None:
    net.machines[ADDRESS] = Shouts.forProtocol(Shouts.Voice)


class Shouts(Factory):
    noisy = False

    class Voice(Protocol):
        def connectionMade(self) -> None:
            assert self.transport is not None
            self.transport.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@pytest.mark.parametrize("comes", [somebody_else, no_program_of_this_kind])
def test_only_the_host_ends_what_it_has_begun(comes: Callable[[Net], None]) -> None:
    net, listener, links, guest = scene()
    net.machines[ADDRESS] = listener.factory
    guest.caller.start()
    net.run(20)
    comes(net)
    links[0].abort(End.CLOSED)
    net.run(60)
    assert {why.why for why, _ in guest.troubles} <= {Why.WRONG_PIN, Why.FOREIGN}
    assert all(delay_s is not None for _, delay_s in guest.troubles)
    net.machines[ADDRESS] = listener.factory
    net.run(10)
    assert guest.links[-1].is_open


@pytest.mark.parametrize("comes", [somebody_else, no_program_of_this_kind])
def test_who_was_never_let_in_does_not_wait_for_another_program_to_go(
    comes: Callable[[Net], None],
) -> None:
    net, _, _, guest = scene()
    comes(net)
    guest.caller.start()
    net.run(60)
    ((why, delay_s),) = guest.troubles
    assert (why.exit_code, delay_s) == (4, None)


def test_who_hurries_does_not_wait() -> None:
    net, listener, _, guest = scene()
    net.machines[ADDRESS] = error.ConnectionRefusedError()
    guest.caller.start()
    net.run(30)
    net.machines[ADDRESS] = listener.factory
    guest.caller.hurry()
    net.run(0.1)
    assert len(guest.links) == 1
    guest.caller.hurry()
    net.run(1)
    assert len(guest.links) == 1


@pytest.mark.parametrize("when_s", [0.001, 0.02, 2, 60])
def test_who_stops_calls_no_more(when_s: float) -> None:
    net, listener, _, guest = scene()
    net.machines[ADDRESS] = error.TimeoutError()
    guest.caller.start()
    net.run(when_s)
    guest.caller.stop()
    net.machines[ADDRESS] = listener.factory
    guest.caller.lost()
    guest.caller.hurry()
    net.run(60)
    assert guest.links == []
    assert net.getDelayedCalls() == []
