"""Tables that never begin: what is kept of them, and what is said."""

import os
import signal
from collections.abc import Callable

import pytest

from protocol.hello import Refusal
from tests.end_to_end.peers import HERE, Peer, until

pytestmark = pytest.mark.skipif(
    os.name != "posix", reason="ends programs by SIGKILL, which only POSIX has"
)

GONE = "The match had not begun: nothing of that table is kept here any more."
NOBODY_CAME = "Nobody has sat down: the table is gone, and its invitations with it."
NO_SEAT = "You have not sat down."


def interrupt(peer: Peer) -> str:
    """What a program says last to whom nobody is left to wait for."""
    assert peer.process is not None
    peer.process.send_signal(signal.SIGINT)
    assert peer.end() == 130
    return peer.said.splitlines()[-1]


def test_a_table_that_can_never_begin_is_kept_by_nobody(
    seat: Callable[..., Peer],
) -> None:
    host, guest, late = map(seat, ("ada", "bob", "cleo"))
    game = ("--variant", "scopone-9", "--side", "2", "--fill", "greedy")
    host.start("host", *HERE, *game, "--bot", "rules", as_json=False)
    until(lambda: "greedy (bot) is there" in host.said)
    assert "You play for side 2." in host.said
    # The host's own bot is not waited for.
    assert "Waiting for 2 more players." in host.said
    invites = [line for line in host.said.splitlines() if "scopa join scopa:" in line]
    _, _, invite = invites[0].split()

    joins = ("join", invite, "--bot", "random")
    guest.start(*joins, as_json=False)
    until(lambda: "random (bot) is there" in host.said)
    guest.kill()
    until(lambda: "random (bot) has left" in host.said)
    late.start(*joins, as_json=False)
    until(lambda: host.said.count("random (bot) is there") == 2)

    guest.start("resume", "--bot", "random", as_json=False)
    assert guest.end() == 4
    assert "It has not begun yet." in guest.said
    assert guest.said.splitlines()[-1] == GONE
    assert Refusal.USED_TICKET.sentence in guest.complained
    assert interrupt(late) == NO_SEAT
    until(lambda: host.said.count("has left") == 2)
    assert interrupt(host) == NOBODY_CAME
    assert not any(peer.kept for peer in (host, guest, late))


def test_a_table_whose_host_is_killed_or_waited_for_is_kept(
    seat: Callable[..., Peer],
) -> None:
    host, guest = map(seat, ("ada", "bob"))
    host.start("host", *HERE, "--players", "3", "--bot", "rules", as_json=False)
    until(lambda: "Waiting for 2 more players." in host.said)
    host.kill()
    host.start("resume", "--bot", "rules")
    guest.start("join", host.invites()[0], "--bot", "random")
    until(lambda: "room" in guest.types())
    assert host.process is not None
    host.process.send_signal(signal.SIGINT)
    assert host.end() == 130
    assert host.kept
    host.start("games", "list", as_json=False)
    assert host.end() == 0
    assert "a table that has not begun" in host.said
