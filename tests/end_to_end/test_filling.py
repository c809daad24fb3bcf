"""A host with bots of its own, each a program that nobody has to start."""

import sys
from collections.abc import Callable
from pathlib import Path

from protocol.audit import audit
from protocol.crypto.group import EDWARDS
from protocol.store import holder
from scopa_net import HOME
from scopa_net.referee import open_match
from tests.end_to_end.peers import HERE, Peer, until

PLAIN = Path(HOME, "ai", "examples", "plain.py")


def test_a_host_that_fills_all_places_plays_by_itself_also_after_a_kill(
    seat: Callable[..., Peer],
) -> None:
    host = seat("ada")
    words = (
        "--players",
        "3",
        "--fill",
        "rules",
        "--fill",
        f"cmd:{sys.executable} {PLAIN}",
    )
    host.start("host", "--bot", "rules", *HERE, *words, "--rule", "target=4")
    assert host.invites() == []
    until(lambda: "played" in host.types())
    host.kill()
    stores = sorted(host.home.glob("matches/*.bots/*/matches/*.sqlite"))
    assert len(stores) == 2
    host.start("resume", "--bot", "rules")
    assert host.end() == 0
    until(lambda: not any(map(holder, stores)))
    won = host.told[-1]
    assert sorted(won["names"]) == [
        "plain (bot)",
        "rules (bot)",
        "rules (bot) (2)",
    ]
    found = audit(host.record(), EDWARDS, open_match)
    assert found.finished
    assert found.sound
    assert list((host.home / "matches").iterdir()) == []
    assert host.complained == ""


def test_a_bot_that_is_not_there_is_refused_before_anything_starts(
    seat: Callable[..., Peer],
) -> None:
    host = seat("ada")
    host.start("host", "--players", "3", "--fill", "rules", "--fill", "rulez")
    assert host.end() == 2
    assert "There is no bot 'rulez'. Did you mean rules?" in host.complained
    host.start("host", "--fill", "rules", "--fill", "rules")
    assert host.end() == 2
    assert "1 bot can be filled in, not 2." in host.complained
    assert not host.home.exists()
