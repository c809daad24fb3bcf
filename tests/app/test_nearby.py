"""Only tables that have answered are told of, and nobody is called too often."""

import pytest
from twisted.internet import error
from twisted.internet.defer import Deferred

from protocol.crypto.identity import Identity
from protocol.entry import WIRE_VERSION
from protocol.hello import Door, HostHello, Refusal, Shown, table_text
from protocol.links import Link, Listener
from protocol.links.dialing import Place
from protocol.links.lan import Find
from protocol.links.porch import Knocker
from protocol.text import SafeText
from scopa_net.app.meeting import program
from scopa_net.app.nearby import LOOK_S, TRIES, Nearby, TableNearby
from scopa_net.rules import find_variant
from tests.protocol.links.network import Net
from tests.protocol.links.party import HOST, NONCE, OTHER

SCOPA = find_variant("scopa").lines()
HERE, THERE = "192.168.1.9", "192.168.1.10"


class Open:
    """A table's public side on which nobody knocks."""

    def __init__(self, name: str, rules: tuple[str, ...], free: int) -> None:
        self._shown = Shown(program(), table_text(name), 2, free, True, rules)  # noqa: FBT003

    def shown(self) -> Shown:
        return self._shown

    def knows(self, _key: bytes) -> bool:
        return False

    def ask(self, knocker: Knocker) -> "Deferred[bool]":
        raise AssertionError(knocker)

    def let_in(self, key: bytes, ticket: bytes) -> Refusal | None:
        raise AssertionError(key, ticket)


@pytest.fixture
def net() -> Net:
    return Net()


@pytest.fixture
def nearby(net: Net) -> Nearby:
    return Nearby(net, OTHER.key)


def table(
    net: Net,
    host: str = HERE,
    *,
    name: str = "Da Ada",
    rules: tuple[str, ...] = SCOPA,
    free: int = 1,
    identity: Identity = HOST,
) -> None:
    links: list[Link] = []
    hello = HostHello(program(), NONCE, "s", 2, rules, table_text(name))
    admit = Door(NONCE, [], places=1).admit
    public = Open(name, rules, free)
    listener = Listener(net, identity, hello, links.append, admit=admit, public=public)
    net.machines[host] = listener.factory


def find(name: str, *hosts: str, version: int = WIRE_VERSION, port: int = 4000) -> Find:
    return Find(name, Place(hosts, port), "aaaaaaaa", version, SafeText("lies"), 9)


def test_what_is_told_of_a_table_is_what_it_has_answered(
    net: Net, nearby: Nearby
) -> None:
    table(net)
    nearby.hear_of(find("a", HERE))
    net.run(1)
    (found,) = nearby.tables
    assert found.seen.key == HOST.key
    assert found.seen.shown.table == "Da Ada"
    assert found.variant == find_variant("scopa")
    assert found.open_to_all
    assert str(found.place) == f"{HERE}:4000"


def test_a_table_that_does_not_answer_is_called_twice_and_forgotten(
    net: Net, nearby: Nearby
) -> None:
    net.machines[HERE] = error.ConnectionRefusedError()
    nearby.hear_of(find("a", HERE))
    net.run(5)
    assert nearby.tables == ()
    assert [host for _, host in net.dialed] == [HERE] * TRIES
    # It has come to life, and announces itself anew.
    table(net)
    nearby.hear_of(find("a", HERE))
    net.run(1)
    assert len(nearby.tables) == 1


def test_a_silent_machine_holds_nothing_up(net: Net, nearby: Nearby) -> None:
    table(net)
    nearby.hear_of(find("a", THERE))
    nearby.hear_of(find("b", HERE))
    net.run(1)
    assert len(nearby.tables) == 1
    net.run(TRIES * LOOK_S + 1)
    assert net.getDelayedCalls() == []


def test_ever_new_names_for_one_address_make_one_call(net: Net, nearby: Nearby) -> None:
    table(net)
    for at in range(50):
        nearby.hear_of(find(f"name {at}", HERE))
    net.run(1)
    assert len(net.dialed) == 1
    assert len(nearby.tables) == 1


def test_a_table_at_two_addresses_is_told_of_once(net: Net, nearby: Nearby) -> None:
    table(net)
    table(net, THERE)
    nearby.hear_of(find("a", HERE))
    nearby.hear_of(find("b", THERE))
    net.run(1)
    assert len(nearby.tables) == 1


def test_another_version_is_counted_and_not_called(net: Net, nearby: Nearby) -> None:
    for _ in range(2):
        nearby.hear_of(find("a", HERE, version=WIRE_VERSION + 1))
    net.run(1)
    assert nearby.other_versions == 1
    assert net.dialed == []


def test_the_own_table_is_left_out_whatever_it_is_announced_as(net: Net) -> None:
    nearby = Nearby(net, HOST.key)
    table(net)
    nearby.hear_of(find("a", HERE))
    net.run(1)
    assert nearby.tables == ()


def test_a_game_that_is_not_known_here_is_told_of_all_the_same(
    net: Net, nearby: Nearby
) -> None:
    table(net, rules=("variant=briscola",))
    nearby.hear_of(find("a", HERE))
    net.run(1)
    assert [found.variant for found in nearby.tables] == [None]


def test_where_one_may_knock_comes_first_and_all_is_told_when_it_is_found(
    net: Net,
) -> None:
    told: list[TableNearby] = []
    nearby = Nearby(net, OTHER.key, told.append)
    table(net, name="Full", free=0)
    table(net, THERE, name="Open", identity=Identity(b"q" * 32))
    nearby.hear_of(find("a", HERE))
    net.run(1)
    nearby.hear_of(find("b", THERE))
    net.run(1)
    assert [each.seen.shown.table for each in told] == ["Full", "Open"]
    assert [each.seen.shown.table for each in nearby.tables] == ["Open", "Full"]
