"""Which servers a seat meets the others again by."""

import pytest
from twisted.internet.task import Clock

from protocol.codes import PUBLIC, Servers
from protocol.crypto.identity import Identity
from scopa_net.app.contacts import Contacts, Hears
from scopa_net.app.remote import Introducers, NewCode, Remote

OWN = Servers("ws://h.example:4000/v1", "tcp:h.example:4001")


class Ears:
    """Who is told of codes."""

    def __init__(self) -> None:
        self.heard: list[NewCode | Introducers] = []

    def codes(self, news: NewCode | Introducers) -> None:
        self.heard.append(news)


@pytest.fixture
def ears() -> Ears:
    return Ears()


@pytest.fixture
def remote(ears: Ears) -> Remote:
    clock, identity = Clock(), Identity(b"1" * 32)
    hears = Hears(
        carry_out=lambda _: None,
        presence_changed=lambda: None,
        answered=lambda _: True,
        in_vain=lambda *_: None,
    )
    return Remote(clock, identity, Contacts(clock, identity, hears), ears)


def at(place: str) -> Servers:
    """Both there."""
    return Servers(f"ws://{place}:4000/v1", f"tcp:{place}:4001")


def test_who_came_without_servers_uses_those_that_the_host_names(
    remote: Remote, ears: Ears
) -> None:
    assert remote.told(None, lambda _: True, loopback=False) is None
    assert remote.told(OWN, lambda _: True, loopback=False) == OWN
    assert remote.servers == OWN
    assert remote.told(PUBLIC, lambda _: True, loopback=False) == OWN
    assert ears.heard == []


def test_servers_that_may_not_be_asked_are_told_of_and_not_used(
    remote: Remote, ears: Ears
) -> None:
    assert remote.told(PUBLIC, lambda one: one != PUBLIC, loopback=False) is None
    assert remote.servers is None
    (news,) = ears.heard
    assert isinstance(news, Introducers)
    assert not news.there
    assert "found only at your addresses" in news.why


@pytest.mark.parametrize(
    "place", ["127.0.0.1", "[::1]", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]"]
)
def test_nobody_sends_us_to_our_own_machine(remote: Remote, place: str) -> None:
    assert remote.told(at(place), lambda _: True, loopback=False) is None
    mixed = Servers(OWN.mailbox, at(place).relay)
    assert remote.told(mixed, lambda _: True, loopback=False) is None
    assert remote.servers is None


@pytest.mark.parametrize("place", ["127.0.0.1", "[::1]", "localhost"])
def test_a_table_on_one_machine_has_its_servers_there(
    remote: Remote, place: str
) -> None:
    assert remote.told(at(place), lambda _: True, loopback=True) == at(place)
