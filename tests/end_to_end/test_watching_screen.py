"""Somebody at a terminal who watches: on the whole screen, and line by line."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.end_to_end.peers import HERE, Peer, until
from tests.end_to_end.test_screen import ENTER, ESCAPE
from tests.end_to_end.test_screen import seat as on_a_terminal

WATCHES = [sys.executable, "-m", "scopa_net", "join", "--watch", "--name", "Cy"]
WRITES_NOTHING = "Who watches reads what the players write, and writes nothing."
LEFT = "You do not watch any more; the match goes on without you."


def test_who_watches_looks_around_is_told_what_it_may_not_and_goes(
    seat: Callable[..., Peer], tmp_path: Path
) -> None:
    host, guest = seat("ada"), seat("bob")
    host.start("host", "--bot", "rules", "--name", "Ada", *HERE)
    (invite,) = host.invites()
    # Nobody types its cards, so that the match stands.
    guest.start("join", invite, "--name", "Bob", stdin=subprocess.PIPE)
    until(lambda: "dealt" in guest.types())
    watch = str(host.told[0]["watch"])
    home = {"SCOPA_DATA_DIR": str(tmp_path / "cy")}
    with on_a_terminal(watch, environment=home, program=WATCHES) as cy:
        cy.wait_for("Bob is to play.")
        table = cy.wait_for("● watching")
        assert "Your turn" not in table
        assert "Ada " in table
        cy.press("?")
        cy.wait_for("every hand is hidden from you")
        cy.press(ESCAPE)
        cy.wait_for(lambda text: "is hidden" not in text)
        cy.press("1")
        cy.wait_for("Bob is to play. You only watch.")
        cy.press("t", *"seven!", ENTER)
        cy.wait_for(WRITES_NOTHING)
        cy.press("q")
        cy.wait_for("Stop watching?")
        cy.press(ENTER)
        assert cy.ended() == 0
        assert cy.is_as_before()
        assert LEFT in cy.look()
    with on_a_terminal(watch, "--plain", environment=home, program=WATCHES) as cy:
        cy.wait_for("Bob is to play.")
        cy.press(*"say seven!\n")
        cy.wait_for(WRITES_NOTHING)
        cy.press(*"1\n")
        cy.wait_for("You watch this match, and have no hand and no say in it.")
        cy.press(*"quit\n")
        assert cy.ended() == 0
        assert b"\x1b[?1049h" not in cy.raw
        assert LEFT in cy.look()
    assert guest.process is not None
    assert guest.process.stdin is not None
    guest.process.stdin.close()
