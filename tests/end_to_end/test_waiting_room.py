"""Persons in a waiting room: who is there, who is ready, and who is turned away."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.crypto.identity import Identity
from protocol.text import SafeText
from scopa_net.acquaintances import Acquaintance
from scopa_net.home import Home
from tests.end_to_end.peers import HERE, Peer, until
from tests.end_to_end.test_known_players import leave, said
from tests.end_to_end.test_screen import Seat
from tests.end_to_end.test_screen import seat as at_terminal

pytest.importorskip("termios", reason="Windows has no pseudo-terminals")

SCOPA = [sys.executable, "-m", "scopa_net"]


def test_a_host_turns_a_stranger_away_and_starts_with_the_others(
    seat: Callable[..., Peer], tmp_path: Path
) -> None:
    home = Home(tmp_path / "mine")
    home.know((Acquaintance(SafeText("Nu"), Identity(bytes(32)).key, 1),))
    cy, stranger, friend = seat("cy"), seat("stranger"), seat("friend")
    program = [*SCOPA, "host", *HERE, "--players", "3", "--no-lan"]
    environment = {"SCOPA_DATA_DIR": str(home.folder)}
    with at_terminal(program=program, environment=environment) as host:
        host.wait_for("Press Enter when you are ready")
        first, second = invitations(host)
        cy.start("join", first, "--bot", "rules", "--name", "Cy")
        host.wait_for("Cy is there (2 of 3).")
        host.press("\n")
        stranger.start("join", second, "--bot", "rules", "--name", "Nu")
        host.wait_for("y/N")
        host.press("n\n")
        assert stranger.end() == 4
        assert stranger.told[-1]["message"].startswith("The host's player does not")
        host.wait_for("Nu has left (2 of 3).")
        friend.start("join", second, "--bot", "rules", "--name", "Fia")
        host.wait_for("● connected")
        leave(host)
    assert "is turned away" in said(host)
    assert "Nu" not in {one["names"][0] for one in cy.told if "names" in one}


def test_a_guest_is_told_that_its_host_is_gone_and_may_leave(
    seat: Callable[..., Peer], tmp_path: Path
) -> None:
    host = seat("ada")
    host.start("host", "--bot", "rules", "--players", "3", "--name", "Ada", *HERE)
    program = [*SCOPA, "join", host.invites()[0]]
    environment = {"SCOPA_DATA_DIR": str(tmp_path / "mine")}
    with at_terminal(program=program, environment=environment) as guest:
        guest.wait_for("Ada is there (2 of 3).")
        guest.press("\n")
        guest.wait_for("You are ready.")
        guest.press("\n")
        guest.wait_for("You are not ready.")
        until(lambda: marks(host)[-2:] == [True, False])
        host.kill()
        guest.wait_for("Waiting for the host")
        host.start("resume", "--bot", "rules")
        guest.wait_for("The host is there again.")
        guest.press("quit\n")
        assert guest.ended() == 0
    until(lambda: host.told[-1]["type"] == "room" and not host.told[-1]["players"][1:])


def marks(host: Peer) -> list[bool]:
    """Whether the only guest was ready, each time that the host was told."""
    rooms = [one["players"] for one in host.told if one["type"] == "room"]
    return [players[1]["ready"] for players in rooms if players[1:]]


def invitations(host: Seat) -> list[str]:
    """The free ones, as they are shown."""
    words = said(host).split()
    shown = [word for word in words if word.startswith("scopa://")]
    return shown[:2]
