"""Peers that send nonsense, flood, stand still or are somebody else: no match ends."""

import re
import signal
import socket
import sys
from collections.abc import Callable

import pytest

from protocol.invite import Invite, read_invite
from tests.end_to_end.peers import HERE, Peer, sit_down, until
from tests.end_to_end.test_network import nothing_lost

A_GUEST_BABBLES = """
import sys
from scopa_net import cli
from protocol.links import Link

send, babbled = Link.send, []
def babble(link, data):
    send(link, data)
    if len(babbled) < 3:
        babbled.append(data)
        if sys.argv[-1] == "long":
            link._wire.write((70_000).to_bytes(4) + bytes(70_000))
        else:
            send(link, b"\\xc1 is no message")

Link.send = babble
cli.main()
"""


@pytest.mark.parametrize("what", ["long", "rubbish"])
def test_nonsense_from_a_guest_ends_its_link_and_not_the_match(
    what: str, waiting_host: tuple[Peer, Peer, Invite]
) -> None:
    # X31.
    host, guest, invite = waiting_host
    babbler = (
        sys.executable,
        "-c",
        A_GUEST_BABBLES.replace("sys.argv[-1]", repr(what)),
    )
    guest.start("join", str(invite), "--bot", "random", program=babbler)
    assert (guest.end(), host.end(), host.complained) == (0, 0, "")
    nothing_lost(host, guest)


A_GUEST_FLOODS = """
from protocol.links import Link
from scopa_net import cli

send, said = Link.send, []
def flood(link, data):
    send(link, data)
    said.append(data)
    if len(said) == 20:
        for again in said * 150:
            send(link, again)

Link.send = flood
cli.main()
"""


HELD_BY_SOME = (
    r"Not everybody is known to hold the result\.\n"
    r"For them: scopa resume \w+ --bot \w+\n"
)


def test_a_guest_that_floods_ends_nobodys_match(seat: Callable[..., Peer]) -> None:
    # X30.
    host, guest, eve = map(seat, ("ada", "bob", "eve"))
    host.start("host", "--bot", "rules", *HERE, "--players", "3", "--rule", "target=2")
    first, second = host.invites()
    guest.start("join", first, "--bot", "random")
    floods = (sys.executable, "-c", A_GUEST_FLOODS)
    eve.start("join", second, "--bot", "random", program=floods)
    assert [peer.end() for peer in (host, guest, eve)] == [0, 0, 0]
    assert len({peer.record() for peer in (host, guest, eve)}) == 1
    for peer in (host, guest):
        # Who is flooded hears the flooder late, perhaps too late to know what it holds.
        assert re.fullmatch(f"({HELD_BY_SOME})?", peer.complained)


def test_another_program_at_the_hosts_port_ends_nobodys_match(
    peers: tuple[Peer, Peer],
) -> None:
    # X36.
    host, guest = peers
    invite = read_invite(sit_down(host, guest))
    until(lambda: "played" in guest.types())
    host.kill()
    with socket.create_server(("127.0.0.1", invite.port)) as other:
        for _ in range(2):
            caller, _ = other.accept()
            with caller:
                caller.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    host.start("resume", "--bot", "random")
    assert (guest.end(), host.end(), guest.complained) == (0, 0, "")
    nothing_lost(host, guest)


def test_a_peer_that_stands_still_is_waited_for(
    waiting_host: tuple[Peer, Peer, Invite],
) -> None:
    # X33.
    host, guest, invite = waiting_host
    guest.start("join", str(invite), "--bot", "random")
    until(lambda: "played" in guest.types())
    assert guest.process is not None
    guest.process.send_signal(signal.SIGSTOP)
    until(lambda: host.told[-1]["type"] == "waiting" and host.told[-1]["names"])
    assert host.told[-1]["names"] == ["random (bot)"]
    guest.process.send_signal(signal.SIGCONT)
    assert (guest.end(), host.end()) == (0, 0)
    assert host.told[-1]["type"] == "match_won"
    nothing_lost(host, guest)
