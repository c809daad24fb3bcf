"""Seats that find each other, and stay in touch whatever becomes of the host."""

from random import Random

import pytest
from twisted.internet.defer import Deferred

from protocol.crypto.identity import Identity
from protocol.hello import GuestHello, Refusal
from protocol.invite import Invite
from protocol.links import Link, dial
from protocol.news import Where, read_news, sign_news
from scopa_net.app import neighbours
from scopa_net.app.contacts import Way
from scopa_net.app.meeting import program, read_places
from tests.app.circle import Circle, Program, address_of
from tests.protocol.links.computers import Computer, is_open
from tests.protocol.links.party import answer_of

STRANGER = Identity(b"?" * 32)
PAIRS = ((0, 1), (0, 2), (1, 2))


def seated(players: int = 3, seed: int = 1, *, together: bool = False) -> Circle:
    """A table at which everybody has links with everybody."""
    circle = Circle(players, seed, together=together)
    circle.start()
    circle.until(circle.all_linked, 10)
    circle.run(1)
    return circle


def called_by_smaller_key(circle: Circle, one: int, other: int) -> list[str]:
    pair = [circle.programs[at] for at in (one, other)]
    return [min(pair, key=lambda each: each.key).computer.address]


# -- links -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_at_three_everybody_has_one_link_with_everybody(seed: int) -> None:
    circle = seated(3, seed)
    circle.run(20)
    assert [len(circle.links(*pair)) for pair in PAIRS] == [1, 1, 1]
    assert circle.links(1, 2) == called_by_smaller_key(circle, 1, 2)
    assert [program.failures for program in circle.programs] == [[], [], []]


def test_at_two_the_guest_listens_nowhere_and_learns_where_its_host_is() -> None:
    circle = seated(2)
    host, guest = circle.programs
    assert {place for place, _ in circle.lan.listening} == {address_of(0)}
    assert guest.believes(host) == (address_of(0),)
    assert circle.links(0, 1) == [address_of(1)]


@pytest.mark.parametrize("seed", range(4))
def test_of_two_links_made_at_once_the_one_of_the_smaller_key_stays(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nobody lets the other call first, so that they meet on the way.
    monkeypatch.setattr(neighbours, "LARGER_KEY_S", 0.0)
    circle = seated(3, seed, together=True)
    made = len(circle.lan.dialed_by)
    circle.lan.break_links(address_of(1), address_of(2))
    circle.until(circle.all_linked, 5)
    circle.run(2)
    assert len(circle.lan.dialed_by) == made + 2
    assert circle.links(1, 2) == called_by_smaller_key(circle, 1, 2)
    circle.run(20)
    assert len(circle.lan.dialed_by) == made + 2
    assert circle.all_linked()


def test_who_cannot_be_called_calls() -> None:
    circle = Circle(3)
    larger = max((1, 2), key=lambda at: circle.programs[at].key)
    circle.programs[larger].tells = lambda: ()
    circle.start()
    circle.until(circle.all_linked, 10)
    circle.programs[larger].kill()
    circle.until(lambda: len(circle.links(1, 2)) == 0, 1)
    smaller = 3 - larger
    circle.programs[smaller].tells = lambda: ()
    circle.again(larger)
    circle.until(circle.all_linked, 10)


# -- somebody is gone ------------------------------------------------------------


def test_without_their_host_the_others_stay_in_touch() -> None:
    circle = seated()
    host, first, second = circle.programs
    host.kill()
    circle.run(30)
    assert circle.all_linked()
    assert first.through(host) is second.through(host) is None
    assert first.through(second) == second.key
    circle.again(0)
    assert circle.until(circle.all_linked, 10) < 10


def test_guests_that_come_back_find_each_other_without_their_host() -> None:
    circle = seated()
    for each in circle.programs:
        each.kill()
    circle.run(5)
    first, second = circle.again(1), circle.again(2)
    circle.until(circle.all_linked, 10)
    assert first.hears(second)
    assert len(circle.links(1, 2)) == 1
    circle.again(0)
    circle.until(circle.all_linked, 10)


def test_a_guest_comes_back_to_the_others_from_another_address() -> None:
    circle = seated()
    circle.programs[0].kill()
    circle.programs[2].kill()
    moved = circle.again(2, "10.0.0.77")
    circle.until(circle.all_linked, 10)
    assert circle.programs[1].believes(moved) == ("10.0.0.77",)


# -- somebody is cut off ---------------------------------------------------------


def test_who_is_seen_only_through_another_is_known_to_be_there() -> None:
    circle = seated()
    host, first, second = circle.programs
    circle.lan.cut(address_of(1), address_of(2))
    circle.until(lambda: not first.hears(second), 7)
    assert first.through(second) == host.key
    circle.until(lambda: second.through(first) == host.key, 7)
    assert first.through(host) == host.key
    circle.lan.mend(address_of(1), address_of(2))
    circle.until(circle.all_linked, 20)
    assert first.through(second) == second.key


def test_at_four_the_way_may_lead_through_two_others() -> None:
    circle = seated(4)
    for one, other in ((0, 2), (0, 3), (1, 3)):
        circle.lan.cut(address_of(one), address_of(other))
    circle.run(15)
    first, second, _, last = circle.programs
    assert first.through(last) == second.key
    circle.lan.cut(address_of(2), address_of(3))
    circle.run(15)
    assert first.through(last) is None
    assert first.through(second) == second.key


@pytest.mark.parametrize("seed", range(3))
def test_whatever_breaks_all_are_linked_again_when_it_is_mended(seed: int) -> None:
    circle = seated(4, seed)
    luck = Random(seed)
    for _ in range(4):
        pairs = [luck.sample(range(4), 2) for _ in range(luck.randint(1, 5))]
        for one, other in pairs:
            breaks = luck.choice((circle.lan.cut, circle.lan.break_links))
            breaks(address_of(one), address_of(other))
        victim = luck.randrange(4)
        if luck.random() < 0.5:
            circle.programs[victim].kill()
            circle.run(luck.uniform(0, 5))
            circle.again(victim)
        circle.run(luck.uniform(0, 20))
        for one, other in pairs:
            circle.lan.mend(address_of(one), address_of(other))
        circle.until(circle.all_linked, 40)
    circle.run(30)
    for one in range(4):
        for other in range(one):
            assert len(circle.links(one, other)) == 1


# -- addresses -------------------------------------------------------------------


def test_a_new_address_is_told_over_the_links_that_are_left() -> None:
    circle = seated()
    host, first, second = circle.programs
    second.tells = lambda: ("10.0.0.12", "10.0.0.99")
    circle.run(neighbours.LOOK_AROUND_S + 1)
    assert first.believes(second) == host.believes(second) == second.tells()
    second.tells = lambda: ("10.0.0.99",)
    circle.run(neighbours.LOOK_AROUND_S + 1)
    assert first.believes(second) == ("10.0.0.99",)


def tell_many(circle: Circle, teller: int, count: int, seconds: float) -> None:
    """A seat names one list of addresses after another, all of them others'."""
    one = circle.programs[teller]
    for number in range(count):
        hosts = tuple(f"10.{number // 25}.{number % 25}.{at}" for at in range(1, 9))
        one.tells = lambda hosts=hosts: hosts  # type: ignore[misc]
        one.neighbours.listen_as(one.disk.meeting)
        circle.run(seconds / count)


def test_where_others_are_is_kept_at_once_but_not_however_often_they_tell() -> None:
    circle = seated()
    guest, teller = circle.programs[1:]
    assert len(read_places(guest.disk.facts)) == 2
    before = guest.disk.notes
    tell_many(circle, 2, 60, 3)
    assert guest.believes(teller) == teller.tells()
    circle.run(10)
    assert guest.disk.notes - before <= neighbours.KEEPING.burst + 3
    kept = [read_news(place)[-1] for place in read_places(guest.disk.facts)]
    assert teller.tells() in kept


def test_nobody_is_made_to_call_many_who_never_asked_for_it() -> None:
    # X39: so many addresses at once, and then eight a minute, whatever is told.
    circle = seated()
    victim, liar = circle.programs[1], circle.programs[2]
    circle.lan.cut(victim.computer.address, liar.computer.address)
    before = len(circle.lan.dialed)
    tell_many(circle, 2, 60, 120)
    strange = [host for _, host in circle.lan.dialed[before:] if host[:7] != "10.0.0."]
    # The host holds its link, and calls nobody.
    assert 8 <= len(strange) <= neighbours.UNPROVEN.burst + 2 * 8


def test_an_address_that_is_nobodys_is_never_called() -> None:
    # X39.
    circle = seated()
    victim, liar = circle.programs[1], circle.programs[2]
    table = liar.machine.seat.table
    assert table is not None
    record = table.party.judge.record
    hosts = ("127.0.0.1", "224.0.0.1", "0.0.0.0", "fe80::1")
    identity = liar.disk.secrets.identity
    told = Where(record.table_scope, table.party.seat, 1_000, 1, hosts)
    knows = victim.machine.seat.whereabouts
    assert knows is not None
    assert knows.hear(sign_news(identity, told)) is None
    circle.lan.cut(victim.computer.address, liar.computer.address)
    liar.neighbours.close()
    circle.run(60)
    assert not set(hosts) & {host for _, host in circle.lan.dialed}


# -- who may come in -------------------------------------------------------------


def knock(circle: Circle, at: int, identity: Identity, nonce: bytes) -> Refusal | None:
    """Call a guest as somebody else; why it does not let us in."""
    ((_, port),) = [
        place for place in circle.lan.listening if place[0] == address_of(at)
    ]
    caller = Computer(circle.lan, "10.0.0.66")
    called = Invite(address_of(at), port, circle.programs[at].key, b"")
    hello = GuestHello(program(), None, nonce)
    answer = answer_of(dial(caller, called, identity, hello))
    circle.run(2)
    return answer.failure.refusal if answer.failures else None


def test_a_guest_lets_in_those_of_its_table_alone() -> None:
    circle = seated()
    host, guest, other = circle.programs
    nonce = host.disk.meeting.nonce
    assert knock(circle, 1, STRANGER, nonce) is Refusal.WRONG_TICKET
    other.kill()
    theirs = other.disk.secrets.identity
    assert knock(circle, 1, theirs, b"o" * 32) is Refusal.OTHER_TABLE
    assert knock(circle, 1, theirs, nonce) is None
    assert guest.failures == []


# -- better ways -----------------------------------------------------------------


RELAY = "10.99.0.1"


def relay_to(circle: Circle, near: Program, far: Program) -> Way:
    """A way through somebody's server, which always works."""
    places = circle.lan.listening
    (place,) = [each for each in places if each[0] == far.computer.address]
    circle.lan.relays[RELAY] = place

    def reach() -> "Deferred[Link]":
        called = Invite(RELAY, 1, far.key, b"")
        hello = GuestHello(program(), None, near.disk.meeting.nonce)
        return dial(near.computer, called, near.disk.secrets.identity, hello)

    return Way(reach, head_start_s=2.0, relayed=True)


def relayed(circle: Circle) -> list[bool]:
    """Of each link of the two guests, whether it is relayed."""
    guests = {address_of(1), address_of(2)}
    return [
        wire.relayed
        for wire in circle.lan.dialed_by
        if {wire.host, wire.other.host} <= {*guests, RELAY} and is_open(wire)
    ]


@pytest.mark.parametrize("near", [1, 2])
def test_a_relayed_link_serves_until_there_is_a_direct_one(near: int) -> None:
    circle = seated()
    first, second = circle.programs[near], circle.programs[3 - near]
    first.contacts.reach(second.key, [relay_to(circle, first, second)])
    circle.run(5)
    assert relayed(circle) == [False]
    circle.lan.cut(address_of(1), address_of(2))
    circle.until(lambda: relayed(circle) == [True], 30)
    circle.until(circle.all_linked, 5)
    circle.lan.mend(address_of(1), address_of(2))
    circle.until(lambda: relayed(circle) == [False], 20)
    assert circle.all_linked()
    circle.run(30)
    assert relayed(circle) == [False]


def test_a_relayed_link_beside_a_direct_one_goes_when_the_direct_one_has_held() -> None:
    # It may be that the other side has lost the direct one, and we do not know it yet.
    circle = seated()
    first, second = circle.programs[1:]
    relay_to(circle, first, second).reach().addCallback(first.contacts.take)
    circle.run(5)
    assert sorted(relayed(circle)) == [False, True]
    circle.run(15)
    assert relayed(circle) == [False]
    assert circle.all_linked()
