"""`scopa host`, `join` and `resume` as real processes on the loopback."""

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from protocol.audit import Audit, audit
from protocol.crypto.group import EDWARDS
from scopa_net.referee import Referee, open_match
from scopa_net.rules import Play, format_action
from tests.end_to_end.peers import Peer, objects, until

HERE = ("--listen", "127.0.0.1:0")
KILLS = int(os.environ.get("SCOPA_TEST_KILLS", "6"))
"""How often a player is killed; the longer proof is the same with 50."""


@pytest.fixture
def peers(tmp_path: Path) -> Iterator[tuple[Peer, Peer]]:
    both = Peer(tmp_path, "ada"), Peer(tmp_path, "bob")
    yield both
    for peer in both:
        if peer.running:
            peer.kill()


def sit_down(host: Peer, guest: Peer, *words: str) -> str:
    """Begin a match of two bots; the invitation."""
    host.start("host", "--bot", "rules", *HERE, *words)
    (invite,) = host.invites()
    guest.start("join", invite, "--bot", "random")
    return invite


def finished(peer: Peer) -> Audit:
    found = audit(peer.record(), EDWARDS, open_match)
    assert found.sound
    assert found.finished
    return found


def test_two_programs_play_a_match_and_hold_the_same_record(
    peers: tuple[Peer, Peer],
) -> None:
    host, guest = peers
    sit_down(host, guest, "--rule", "target=3")
    assert (guest.end(), host.end()) == (0, 0)
    assert host.types()[0] == "listening"
    assert (host.types()[-1], guest.types()[-1]) == ("match_won", "match_won")
    assert host.told[-1] == guest.told[-1]
    assert host.record() == guest.record()
    assert finished(host).judge.course.match_over
    assert not list((host.home / "matches").glob("*.sqlite"))
    assert (host.complained, guest.complained) == ("", "")


def test_three_programs_play_a_match(tmp_path: Path) -> None:
    host, *guests = (Peer(tmp_path, name) for name in ("ada", "bob", "cleo"))
    words = ("--players", "3", "--rule", "target=2")
    host.start("host", "--bot", "rules", *HERE, *words)
    for guest, invite in zip(guests, host.invites(), strict=True):
        guest.start("join", invite, "--bot", "random")
    assert [peer.end() for peer in (host, *guests)] == [0, 0, 0]
    assert len({peer.record() for peer in (host, *guests)}) == 1
    finished(host)


# -- killed -------------------------------------------------------------------------


def plays_told(run: Path) -> dict[int, list[str]]:
    """What a program told of each deal, from the deal's start."""
    told: dict[int, list[str]] = {}
    deal = -1
    for one in objects(run):
        if one["type"] == "deal_started":
            deal = one["deal"]
            told[deal] = []
        elif one["type"] == "played":
            told[deal].append(one["action"].removesuffix("#"))
    return told


def plays_kept(found: Audit) -> dict[int, list[str]]:
    kept: dict[int, list[str]] = {}
    for deck in found.judge.decks:
        last = cast("Referee", deck.games[-1])
        plays = [each for each in last.deal.actions if isinstance(each, Play)]
        kept[last.match.deal_number] = [format_action(play) for play in plays]
    return kept


def nothing_lost(*both: Peer) -> None:
    """Every play that either side ever showed is in the record, in its place."""
    first, second = both
    assert first.record() == second.record()
    kept = plays_kept(finished(first))
    for run in (*first.runs, *second.runs):
        for deal, plays in plays_told(run).items():
            assert plays == kept[deal][: len(plays)]


def test_a_match_survives_sigkills_at_any_moment(tmp_path: Path) -> None:
    luck = random.Random(KILLS)
    kills = matches = 0
    while kills < KILLS:
        folder = tmp_path / str(matches)
        folder.mkdir()
        host, guest = Peer(folder, "ada"), Peer(folder, "bob")
        sit_down(host, guest)
        until(lambda guest=guest: "dealt" in guest.types())  # type: ignore[misc]
        while kills < KILLS and host.running and guest.running:
            time.sleep(luck.uniform(0.0, 0.8))
            victims = luck.choice([(host,), (guest,), (host, guest), (guest, host)])
            if not (host.running and guest.running):
                break
            for victim in victims:
                victim.kill()
            kills += len(victims)
            for victim in victims:
                bot = "rules" if victim is host else "random"
                victim.start("resume", "--bot", bot)
        assert (host.end(), guest.end()) == (0, 0), (host.complained, guest.complained)
        nothing_lost(host, guest)
        matches += 1
