"""Which servers a seat meets the others again by."""

from collections.abc import Callable

import pytest
from twisted.internet.task import Clock

from protocol.codes import PUBLIC, Servers
from protocol.crypto.identity import Identity
from protocol.invite import Invite
from scopa_net.app.contacts import Contacts, Hears
from scopa_net.app.meeting import Meeting
from scopa_net.app.remote import Introducers, NewCode, Remote
from scopa_net.rules import find_variant

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


HOST = Identity(b"2" * 32).key


def told(
    remote: Remote,
    servers: Servers | None,
    agrees: Callable[[Servers], bool] = lambda _: True,
    *,
    where: str = "192.0.2.7",
) -> Servers | None:
    """What a guest uses at a table there."""
    invite = Invite(where, 4000, HOST, bytes(16))
    meeting = Meeting(bytes(32), find_variant("scopa"), "Bob", HOST, invite=invite)
    there = remote.told(meeting, servers, agrees)
    assert there.servers == remote.servers
    return there.servers


def at(place: str) -> Servers:
    """Both there."""
    return Servers(f"ws://{place}:4000/v1", f"tcp:{place}:4001")


def test_who_came_without_servers_uses_those_that_the_host_names(
    remote: Remote, ears: Ears
) -> None:
    assert told(remote, None) is None
    assert told(remote, OWN) == OWN
    assert remote.servers == OWN
    assert told(remote, PUBLIC) == OWN
    assert ears.heard == []


def test_servers_that_may_not_be_asked_are_told_of_and_not_used(
    remote: Remote, ears: Ears
) -> None:
    assert told(remote, PUBLIC, lambda one: one != PUBLIC) is None
    assert remote.servers is None
    (news,) = ears.heard
    assert isinstance(news, Introducers)
    assert not news.there
    assert "found only at your addresses" in news.why


@pytest.mark.parametrize(
    "place", ["127.0.0.1", "[::1]", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]"]
)
def test_nobody_sends_us_to_our_own_machine(remote: Remote, place: str) -> None:
    assert told(remote, at(place)) is None
    mixed = Servers(OWN.mailbox, at(place).relay)
    assert told(remote, mixed) is None
    assert remote.servers is None


@pytest.mark.parametrize("place", ["127.0.0.1", "[::1]", "localhost"])
def test_a_table_on_one_machine_has_its_servers_there(
    remote: Remote, place: str
) -> None:
    assert told(remote, at(place), where="127.0.0.1") == at(place)
