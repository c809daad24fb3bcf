"""Games of the family between two programs, and games of more on one table."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.audit import audit
from protocol.crypto.group import EDWARDS
from scopa_net.referee import open_match
from scopa_net.rules import PRESETS
from tests.end_to_end.peers import ROOT, Peer

HERE = ("--listen", "127.0.0.1:0")
TWO = [name for name, preset in PRESETS.items() if 2 in preset.players]
MORE = [name for name, preset in PRESETS.items() if 2 not in preset.players]


@pytest.fixture
def peers(tmp_path: Path) -> Iterator[tuple[Peer, Peer]]:
    """Two, of which none outlives the test."""
    both = Peer(tmp_path, "ada"), Peer(tmp_path, "bob")
    yield both
    for peer in both:
        if peer.running:
            peer.kill()


def match_between(host: Peer, guest: Peer, *words: str) -> list[str]:
    """What kinds of things the guest was told of a match that both hold as won."""
    host.start("host", "--bot", "random", *HERE, *words)
    (invite,) = host.invites()
    guest.start("join", invite, "--bot", "rules")
    assert (host.end(), guest.end()) == (0, 0)
    assert host.types()[-1] == guest.types()[-1] == "match_won"
    found = audit(host.record(), EDWARDS, open_match)
    assert found.sound
    assert found.finished
    return guest.types()


@pytest.mark.parametrize("name", TWO)
def test_two_programs_play_every_game_for_two(
    name: str, peers: tuple[Peer, Peer]
) -> None:
    match_between(*peers, "--variant", name, "--rule", "target=1")


def test_claims_go_over_the_network(peers: tuple[Peer, Peer]) -> None:
    rules = ("--rule", "compulsion=none+claim")
    assert "claimed" in match_between(*peers, "--variant", "escoba", *rules)


def test_declarations_go_over_the_network(peers: tuple[Peer, Peer]) -> None:
    rules = ("--rule", "target=99")
    assert "declared" in match_between(*peers, "--variant", "cirulla", *rules)


@pytest.mark.parametrize("name", MORE)
def test_every_game_for_more_is_played_by_bots_at_one_table(name: str) -> None:
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "scopa_net", "play", "--json"),
            *("--variant", name, "--rule", "target=1"),
            *("--bot", "random", "--against", "greedy"),
        ],
        cwd=ROOT,
        capture_output=True,
        timeout=120,
        check=True,
    )
    assert json.loads(ran.stdout.splitlines()[-1])["type"] == "match_won"


@pytest.mark.parametrize(
    ("name", "players", "rules", "offered"),
    [
        ("cirulla", 2, {"target": "200"}, "You can declare"),
        ("cirulla", 3, {}, ""),
        ("escoba", 4, {"compulsion": "none+claim", "target": "21"}, "You can claim"),
        ("escoba", 2, {"compulsion": "none"}, "and stay on the table"),
        ("scopa", 6, {}, ""),
        ("scopa", 4, {"sides": "4"}, ""),
    ],
)
def test_a_person_plays_line_by_line(
    name: str, players: int, rules: dict[str, str], offered: str
) -> None:
    """Says whatever can be said, and plays the first card in its first way."""
    changed = {"target": "1"} | rules
    typed = "low\nthree\nclaim\n1\na\n" * 2_000
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "scopa_net", "play", "--plain"),
            *("--variant", name, "--players", str(players)),
            *(word for rule in changed.items() for word in ("--rule", "=".join(rule))),
            *("--against", "random"),
        ],
        cwd=ROOT,
        input=typed,
        text=True,
        capture_output=True,
        timeout=120,
        check=True,
    )
    assert "found right" in ran.stdout.splitlines()[-1]
    assert offered in ran.stdout
