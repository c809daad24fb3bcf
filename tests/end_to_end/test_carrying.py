"""A seat given up for good: the others go on from the old score, with somebody new."""

import json
import os
from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest

from protocol.audit import audit
from protocol.crypto.group import EDWARDS
from scopa_net.referee import Referee, open_match
from scopa_net.rules import Carried, variant_of_lines
from tests.end_to_end.peers import HERE, SCOPA, Peer, until
from tests.end_to_end.test_screen import ENTER
from tests.end_to_end.test_screen import seat as on_terminal

GAME = ("--players", "3", "--rule", "target=9")


def scores(peer: Peer) -> list[list[int]]:
    return [one["score"] for one in peer.told if one["type"] == "deal_scored"]


def sit_down(host: Peer, guests: tuple[Peer, ...], *words: str) -> None:
    host.start("host", "--bot", "rules", "--name", host.name, *HERE, *words)
    for guest, invite in zip(guests, host.invites(), strict=False):
        guest.start("join", invite, "--bot", "random", "--name", guest.name)


def kept(peer: Peer) -> dict[str, dict[str, Any]]:
    """The matches in this player's list, by ID."""
    peer.start("games", "list")
    assert peer.end() == 0
    return {one["id"]: one for one in peer.told[0]["matches"]}


def says(peer: Peer, match: str, score: Sequence[int]) -> None:
    """What this player's program keeps of the score, and so what it hosts."""
    path = peer.home / "matches" / f"{match}.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"scores": score}))


def begin_without(gone: Peer, ada: Peer, bob: Peer) -> dict[str, Any]:
    """A match of three whose first deal is scored, and then one is killed for good."""
    sit_down(ada, (bob, gone), *GAME)
    until(lambda: scores(ada) and scores(bob))
    gone.kill()
    until(lambda: {"waiting"} & set(ada.types()[-1:]))
    for peer in (ada, bob):
        peer.kill()
    (old,) = kept(ada).values()
    return old


def test_a_match_is_carried_on_without_who_is_gone(seat: Callable[..., Peer]) -> None:
    ada, bob, cleo, dan = map(seat, ("ada", "bob", "cleo", "dan"))
    old = begin_without(cleo, ada, bob)
    assert (old["unfinished"], old["carried"]) == (True, None)
    sides = {name: old["score"][place] for place, name in enumerate(old["names"])}

    says(ada, old["id"], (8, 8, 8))
    sit_down(ada, (bob,), "--carry", old["id"])
    assert bob.end() == 4
    assert "The host carries on 8 - 8 - 8 of a match that stands at" in bob.complained
    ada.kill()
    says(ada, old["id"], old["score"])

    sit_down(ada, (bob, dan), "--carry", old["id"])
    assert [peer.end() for peer in (ada, bob, dan)] == [0, 0, 0]

    assert len({peer.record() for peer in (ada, bob, dan)}) == 1
    found = audit(ada.record(), EDWARDS, open_match)
    assert found.sound
    assert found.finished
    carried = variant_of_lines(found.terms.rules).carried
    assert isinstance(carried, Carried)
    assert list(carried.scores) == old["score"]
    first = cast("Referee", found.judge.course.start)
    names = dict(zip(found.terms.names, first.places, strict=True))
    assert [first.match.scores[names[name]] for name in ("ada", "bob", "dan")] == [
        sides[name] for name in ("ada", "bob", "cleo")
    ]
    before = kept(ada)[old["id"]]
    assert before["unfinished"]
    assert kept(ada)[before["carried_on"]]["carried"] == old["score"]


@pytest.mark.skipif(os.name == "nt", reason="needs a terminal of POSIX")
def test_a_bot_of_the_hosts_takes_the_place_if_the_others_agree(
    seat: Callable[..., Peer],
) -> None:
    ada, bob, cleo = map(seat, ("ada", "bob", "cleo"))
    old = begin_without(cleo, ada, bob)
    words = ("--carry", old["id"], "--fill", "greedy")
    ada.start("host", "--bot", "rules", "--name", "ada", *HERE, *words)
    (invite,) = ada.invites()
    joining, home = ("join", invite, "--plain"), {"SCOPA_DATA_DIR": str(bob.home)}
    with on_terminal(*joining, environment=home, program=SCOPA, size=200) as person:
        person.wait_for("Press Enter when you are ready")
        person.press(ENTER)
        asked = person.wait_for("is that right? [y/N]")
        assert "of the match with cleo, who is not in it; greedy (bot) plays" in asked
        assert "deal_started" not in ada.types()
        person.press("y", ENTER)
        person.wait_for("You play against")
    until(lambda: "deal_started" in ada.types())
    for peer in (ada, bob):
        if peer.running:
            peer.kill()
        (new,) = (one["id"] for one in kept(peer).values() if one["carried"])
        peer.start("resume", new, "--bot", "random")
    assert (ada.end(), bob.end()) == (0, 0)
    assert ada.record() == bob.record()
    found = audit(ada.record(), EDWARDS, open_match)
    assert (found.sound, found.finished) == (True, True)
    assert {"ada", "greedy (bot)"} < set(found.terms.names)
    carried = variant_of_lines(found.terms.rules).carried
    assert isinstance(carried, Carried)
    assert list(carried.scores) == old["score"]
