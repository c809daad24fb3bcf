"""A host's door: who gets in, what strangers cost, which ports are listened on."""

import errno
from dataclasses import replace
from typing import Any

import pytest
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.error import CannotListenError
from twisted.internet.protocol import Factory, Protocol

from protocol.codec import encode
from protocol.crypto.identity import Identity
from protocol.entry import WIRE_VERSION
from protocol.faults import LocalProtocolError
from protocol.hello import (
    PROTOCOL,
    Door,
    GuestHello,
    Refusal,
    Refused,
    read_greeting,
    write_greeting,
)
from protocol.links import End, Listener, NotListening, Why, dial
from protocol.links.budget import Allowance
from protocol.links.frames import Unframer, framed
from protocol.links.tls import Pinned, TlsFactory
from tests.protocol.links.network import Net, Wire, hear
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
    answer_of,
    call,
    host,
    invite,
)


class Stranger(Protocol):
    """Says what it is told to, over TLS, and reads the frames of the answer."""

    def __init__(self, data: bytes) -> None:
        self.frames: list[bytes] = []
        self._data = data
        self._unframer = Unframer(65_536)

    def connectionMade(self) -> None:
        assert self.transport is not None
        self.transport.write(self._data)

    def dataReceived(self, data: bytes) -> None:
        self.frames += self._unframer.feed(data)


def plain(protocol: Protocol) -> Factory:
    factory = Factory()
    factory.buildProtocol = lambda addr: protocol  # type: ignore[method-assign]
    return factory


def says(net: Net, listener: Listener, data: bytes, who: Identity = GUEST) -> Stranger:
    stranger = Stranger(data)
    pinned = Pinned(who, lambda key: True)
    dials = TlsFactory(pinned, plain(stranger), net, dials=True)
    net.join(dials, listener.factory)
    net.run(1)
    return stranger


def silent(net: Net, listener: Listener, address: str) -> Wire:
    """A connection that does nothing at all."""

    class From(Factory):
        def buildProtocol(self, addr: object) -> Protocol:
            return Protocol()

    class At:
        def buildProtocol(self, addr: object) -> Any:
            kind = IPv6Address if ":" in address else IPv4Address
            return listener.factory.buildProtocol(kind("TCP", address, 1))

    return net.join(From(), At())


@pytest.mark.parametrize(
    ("hello", "refusal"),
    [
        (GuestHello(PROGRAM, b"x" * 16, None), Refusal.WRONG_TICKET),
        (GuestHello(PROGRAM, None, None), Refusal.WRONG_TICKET),
        (GuestHello(PROGRAM, None, NONCE), Refusal.WRONG_TICKET),
        (GuestHello(PROGRAM, TICKET, b"m" * 32), Refusal.OTHER_TABLE),
    ],
)
def test_who_is_not_let_in_is_told_why_and_nothing_else(
    hello: GuestHello, refusal: Refusal
) -> None:
    net = Net()
    listener, links = host(net)
    stranger = says(net, listener, framed(write_greeting(hello)))
    assert [read_greeting(frame) for frame in stranger.frames] == [
        Refused(PROGRAM, refusal)
    ]
    assert links == []
    assert listener.turned_away[refusal.name.lower()] == 1
    assert net.getDelayedCalls() == [], "it is not waited for"


@pytest.mark.parametrize("version", [WIRE_VERSION - 1, WIRE_VERSION + 1])
def test_another_version_is_told_which_one_is_spoken_here(version: int) -> None:
    # X26.
    net = Net()
    listener, links = host(net)
    hello = encode((PROTOCOL, version, 0, "9", "new"))
    (answer,) = says(net, listener, framed(hello)).frames
    refused = Refused(PROGRAM, Refusal.WRONG_VERSION, WIRE_VERSION)
    assert read_greeting(answer) == refused
    assert links == []


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"\x00" * 500,
        framed(b"\xc1"),
        framed(encode(("ssh", 1, 0, "9"))),
        framed(write_greeting(HOST_HELLO)),
        framed(write_greeting(Refused(PROGRAM, Refusal.BUSY))),
        framed(b"x" * 1_024),
        (1_025).to_bytes(4, "big"),
        framed(b"\xdd\xff\xff\xff\xff"),
        framed(b"\x91" * 1_000),
    ],
    ids=lambda data: repr(data[:12]),
)
def test_rubbish_is_cut_off_without_an_answer(data: bytes) -> None:
    net = Net()
    listener, links = host(net)
    stranger = says(net, listener, data)
    assert stranger.frames == []
    assert links == []
    assert sum(listener.turned_away.values()) == 1
    assert net.getDelayedCalls() == []


def test_rubbish_instead_of_tls_is_cut_off() -> None:
    net = Net()
    listener, links = host(net)
    near = net.join(plain(Protocol()), listener.factory)
    near.write(b"SSH-2.0-OpenSSH_9.2\r\n" * 50)
    net.run(1)
    assert near.lost
    assert links == []


def test_a_byte_a_second_dies_at_the_deadline() -> None:
    # X32.
    net = Net()
    listener, links = host(net)
    near = silent(net, listener, "10.0.0.7")
    hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc"
    for at in range(4):
        near.write(hello[at : at + 1])
        net.run(1)
        assert not near.lost
    near.write(hello[4:5])
    net.run(1.1)
    assert near.lost
    assert links == []
    assert listener.turned_away == {"silent": 1}


def test_a_hello_of_a_byte_a_second_dies_at_the_same_deadline() -> None:
    # X32.
    net = Net()
    listener, links = host(net)
    stranger = says(net, listener, b"")
    transport = stranger.transport
    assert transport is not None
    for at in range(4):
        transport.write(framed(write_greeting(GUEST_HELLO))[at : at + 1])
        net.run(0.9)
    assert listener.turned_away == {}
    net.run(1)
    assert listener.turned_away == {"silent": 1}
    assert links == []


def test_a_hundred_connections_at_once_hold_four_places_and_five_seconds() -> None:
    # X32.
    net = Net()
    listener, links = host(net)
    near = [silent(net, listener, "10.0.0.7") for _ in range(100)]
    net.run(1)
    assert sum(1 for wire in near if not wire.lost) == 4
    # Somebody else still gets in.
    says(net, listener, framed(write_greeting(GUEST_HELLO)))
    assert len(links) == 1
    net.run(5)
    assert all(wire.lost for wire in near)
    assert listener.turned_away == {"crowded": 96, "silent": 4}


def test_sixteen_wait_at_most_wherever_they_come_from() -> None:
    net = Net()
    listener, links = host(net)
    near = [silent(net, listener, f"fd00:0:0:{i}::1") for i in range(40)]
    net.run(1)
    assert sum(1 for wire in near if not wire.lost) == 16
    net.run(5)
    says(net, listener, framed(write_greeting(GUEST_HELLO)))
    assert len(links) == 1


def test_one_address_has_one_account_in_both_of_its_forms() -> None:
    net = Net()
    listener, _ = host(net)
    forms = ["10.0.0.7", "::ffff:10.0.0.7", "::ffff:a00:7"] * 2
    near = [silent(net, listener, form) for form in forms]
    net.run(1)
    assert sum(1 for wire in near if not wire.lost) == 4


def test_a_network_that_hands_out_addresses_without_end_has_one_account() -> None:
    net = Net()
    listener, _ = host(net)
    many = [silent(net, listener, f"2001:db8:0:7:{i:x}::1") for i in range(40)]
    net.run(1)
    assert sum(1 for wire in many if not wire.lost) == 4


def comes_and_goes(net: Net, listener: Listener, address: str) -> None:
    wire = silent(net, listener, address)
    net.run(0.05)
    wire.abortConnection()


def test_calls_are_answered_only_so_often() -> None:
    net = Net()
    listener, links = host(net)
    for _ in range(400):
        comes_and_goes(net, listener, "10.0.0.7")
    assert listener.turned_away["broken"] == pytest.approx(32 + 20 * 4, abs=2)
    # Others are not made to wait for that.
    says(net, listener, framed(write_greeting(GUEST_HELLO)))
    assert len(links) == 1


def test_calls_from_everywhere_are_answered_only_so_often() -> None:
    net = Net()
    listener, links = host(net)
    for number in range(1_000):
        comes_and_goes(net, listener, f"10.0.{number % 250}.7")
    assert listener.turned_away["broken"] < 128 + 50 * 32 + 2
    for number in range(600):
        silent(net, listener, f"10.1.{number // 250}.{number % 250}").abortConnection()
        net.run(0)
    assert listener.turned_away["crowded"] > 400
    assert len(listener._calls_of) < 128 + 8 * 32 + 2
    net.run(1)
    says(net, listener, framed(write_greeting(GUEST_HELLO)))
    assert len(links) == 1


def test_who_was_in_before_comes_in_again_however_many_strangers_wait() -> None:
    net = Net()
    listener, links = host(net)
    hello = framed(write_greeting(GUEST_HELLO))
    says(net, listener, hello)
    for again in range(20):
        for number in range(40):
            silent(net, listener, f"10.{again}.{number}.7")
        net.run(0.1)
    says(net, listener, hello)
    assert len(links) == 2
    # Whoever is at the same address has that one's account, and no more.
    near = [silent(net, listener, "10.0.0.1") for _ in range(10)]
    net.run(1)
    assert sum(1 for wire in near if not wire.lost) == 4


def test_who_is_in_takes_no_place_of_those_who_wait() -> None:
    net = Net()
    keys = [Identity(bytes((i,)) * 32) for i in range(20)]
    tickets = [bytes((i,)) * 16 for i in range(20)]
    listener, links = host(net, Door(NONCE, tickets, places=20))
    for key, ticket in zip(keys, tickets, strict=True):
        hello = framed(write_greeting(GuestHello(PROGRAM, ticket, None)))
        says(net, listener, hello, key)
    assert [link.peer_key for link in links] == [key.key for key in keys]


def test_a_used_ticket_admits_its_first_user_again_and_nobody_else() -> None:
    net = Net()
    listener, links = host(net)
    net.machines[ADDRESS] = listener.factory
    first = call(net, invite())
    net.run(1)
    second = call(net, invite(), OTHER)
    net.run(1)
    assert second.failure.why is Why.REFUSED
    assert second.failure.refusal is Refusal.USED_TICKET
    assert second.failure.exit_code == 4
    assert not second.failure.passing
    first.link.close()
    net.run(1)
    again = call(net, invite())
    net.run(1)
    assert again.link.is_open
    assert [link.peer_key for link in links] == [GUEST.key, GUEST.key]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ticket", [TICKET, b"2" * 16])
def test_of_two_who_race_for_the_last_seat_one_sits_and_the_other_reads_why(
    seed: int, ticket: bytes
) -> None:
    """Whether they hold the same invitation or each one of their own."""
    net = Net(seed)
    listener, links = host(net, Door(NONCE, [TICKET, b"2" * 16], places=1))
    net.machines[ADDRESS] = listener.factory
    hello = GuestHello(PROGRAM, ticket, None)
    racing = (
        call(net, invite()),
        answer_of(dial(net, replace(invite(), ticket=ticket), OTHER, hello)),
    )
    net.run(1)
    (loser,) = (each.failure for each in racing if each.failures)
    (winner,) = (each.link for each in racing if each.links)
    assert winner.is_open
    assert [link.peer_key in (GUEST.key, OTHER.key) for link in links] == [True]
    why = Refusal.USED_TICKET if ticket == TICKET else Refusal.TABLE_FULL
    assert loser.refusal is why
    assert why.sentence in str(loser)


def test_the_newer_link_of_one_player_replaces_the_older() -> None:
    net = Net()
    listener, links = host(net)
    net.machines[ADDRESS] = listener.factory
    first = call(net, invite())
    net.run(1)
    ear = hear(net, links[0])
    second = call(net, invite())
    net.run(1)
    assert ear.endings == [End.REPLACED]
    assert second.link.is_open
    assert links[1].is_open
    assert not first.link.is_open
    # The end of the older one is not the end of the newer one.
    net.run(20)
    third = call(net, invite())
    net.run(1)
    assert third.link.is_open
    assert not second.link.is_open


def test_who_calls_again_and_again_is_let_in_only_so_often() -> None:
    net = Net()
    listener, links = host(net)
    net.machines[ADDRESS] = listener.factory
    answers = []
    for _ in range(400):
        answers.append(call(net, invite()))
        net.run(0.05)
    assert 20 <= len(links) <= 40
    refused = [why for answer in answers for why in answer.failures]
    assert {why.refusal for why in refused} == {Refusal.BUSY, None}
    assert all(why.passing for why in refused)
    net.run(12)
    again = call(net, invite())
    net.run(1)
    assert again.link.is_open


def test_a_new_link_brings_no_new_budget() -> None:
    net = Net()
    listener, links = host(net)
    net.machines[ADDRESS] = listener.factory
    guest = call(net, invite())
    net.run(0.1)
    hear(net, links[0])
    for _ in range(1_500):
        guest.link.send(b"x")
    net.run(0.1)
    guest.link.close()
    net.run(0.1)
    guest = call(net, invite())
    net.run(0.1)
    ear = hear(net, links[1])
    for _ in range(1_000):
        guest.link.send(b"x")
    net.run(0.1)
    assert 148 < len(ear.frames) < 300
    net.run(5)
    assert len(ear.frames) == 1_000


def test_who_comes_again_may_not_ask_for_everything_again() -> None:
    net = Net()
    listener, links = host(net)
    net.machines[ADDRESS] = listener.factory
    guest = call(net, invite())
    net.run(0.1)
    hear(net, links[0])
    first = hear(net, guest.link)
    guest.link.hearing = Allowance(burst=1_000_000, per_s=1).full(net.seconds())
    for _ in range(9_500):
        links[0].send(b"x")
    net.run(10.5)
    assert len(first.frames) == 9_500
    guest.link.abort(End.CLOSED)
    net.run(1)
    guest = call(net, invite())
    net.run(0.1)
    ear = hear(net, guest.link)
    for _ in range(1_000):
        links[1].send(b"x")
    net.run(0.1)
    assert 128 < len(ear.frames) < 200
    net.run(8)
    assert len(ear.frames) == 1_000


def test_a_closed_door_lets_nobody_in_and_keeps_who_is_in() -> None:
    net = Net()
    listener, links = host(net)
    net.machines[ADDRESS] = listener.factory
    answer = call(net, invite())
    net.run(1)
    waits = silent(net, listener, "10.0.0.7")
    closed: list[None] = []
    listener.close().addCallback(closed.append)
    net.run(1)
    assert closed == [None]
    assert waits.lost
    assert answer.link.is_open
    assert links[0].is_open


# ---------------------------------------------------------------- ports


class Port:
    def __init__(self, host: str, port: int) -> None:
        self.address = IPv4Address("TCP", host, port or 5005)
        self.open = True

    def getHost(self) -> IPv4Address:
        return self.address

    def stopListening(self) -> None:
        self.open = False


class Machine(Net):
    """A machine where listening fails as it is told to."""

    def __init__(self, **fails: int) -> None:
        super().__init__()
        self.fails = fails
        self.ports: list[Port] = []

    def listenTCP(self, port: int, factory: object, interface: str) -> Port:
        number = self.fails.get("six" if ":" in interface else "four")
        if number is not None:
            raise CannotListenError(interface, port, OSError(number, "no"))
        self.ports.append(Port(interface, port))
        return self.ports[-1]

    def listened(self) -> list[tuple[str, int]]:
        return [(p.address.host, p.address.port) for p in self.ports if p.open]


def open_on(machine: Machine, where: str, port: int) -> Listener:
    listener, _ = host(machine)
    listener.open(where, port)
    return listener


def test_both_kinds_of_address_share_one_port() -> None:
    machine = Machine()
    assert open_on(machine, "", 0).port == 5005
    assert machine.listened() == [("::", 5005), ("0.0.0.0", 5005)]


def test_without_ipv6_the_other_kind_serves_alone() -> None:
    machine = Machine(six=errno.EAFNOSUPPORT)
    assert open_on(machine, "", 4000).port == 4000
    assert machine.listened() == [("0.0.0.0", 4000)]


def test_one_address_is_one_port() -> None:
    machine = Machine()
    listener = open_on(machine, "127.0.0.1", 4000)
    assert machine.listened() == [("127.0.0.1", 4000)]
    with pytest.raises(LocalProtocolError):
        listener.open("", 0)


@pytest.mark.parametrize(
    ("machine", "where", "port", "says_so"),
    [
        (Machine(six=errno.EADDRINUSE), "", 4000, "4000 already"),
        (Machine(four=errno.EADDRINUSE), "", 4000, "4000 already"),
        (Machine(four=errno.EADDRINUSE), "", 0, "free for IPv4 and IPv6"),
        (Machine(four=errno.EADDRINUSE), "127.0.0.1", 4000, "4000 already"),
        (Machine(four=errno.EACCES), "127.0.0.1", 80, "above 1023"),
        (Machine(four=errno.EADDRNOTAVAIL), "7.7.7.7", 80, "7.7.7.7 is no address"),
        (Machine(four=errno.ENOBUFS), "7.7.7.7", 80, "7.7.7.7, port 80, failed: no"),
        (Machine(six=errno.EAFNOSUPPORT, four=errno.ENOBUFS), "", 80, "failed: no"),
    ],
)
def test_where_listening_fails_a_sentence_says_why(
    machine: Machine, where: str, port: int, says_so: str
) -> None:
    with pytest.raises(NotListening, match=says_so) as refused:
        open_on(machine, where, port)
    assert refused.value.exit_code == 3
    assert str(refused.value).endswith(".")
    assert machine.listened() == []


def test_the_hosts_own_key_is_not_admitted() -> None:
    # X24.
    net = Net()
    listener, links = host(net)
    says(net, listener, framed(write_greeting(GUEST_HELLO)), HOST)
    assert links == []
