"""Players for tests of whole programs; none outlives its test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from protocol.invite import Invite, read_invite
from tests.end_to_end.peers import HERE, Peer
from tests.support.namespaces import Networks, networks


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[Callable[..., Peer]]:
    """Makes peers, of which none outlives the test."""
    made: list[Peer] = []

    def make(name: str, folder: Path = tmp_path) -> Peer:
        made.append(Peer(folder, name))
        return made[-1]

    yield make
    for peer in made:
        if peer.running:
            peer.kill()


@pytest.fixture
def peers(seat: Callable[..., Peer]) -> tuple[Peer, Peer]:
    return seat("ada"), seat("bob")


@pytest.fixture
def waiting_host(peers: tuple[Peer, Peer]) -> tuple[Peer, Peer, Invite]:
    host, guest = peers
    host.start("host", "--bot", "rules", *HERE, "--rule", "target=1")
    return host, guest, read_invite(host.invites()[0])


@pytest.fixture
def nets() -> Iterator[Networks]:
    """Machines of the test's own."""
    with networks() as made:
        yield made
