"""A seat given up for good: the others go on from the old score, with somebody new."""

import json
from collections.abc import Callable, Sequence
from typing import Any, cast

from protocol.audit import audit
from protocol.crypto.group import EDWARDS
from scopa_net.referee import Referee, open_match
from scopa_net.rules import Carried, variant_of_lines
from tests.end_to_end.peers import HERE, Peer, until

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


def test_a_match_is_carried_on_without_who_is_gone(seat: Callable[..., Peer]) -> None:
    ada, bob, cleo, dan = map(seat, ("ada", "bob", "cleo", "dan"))
    sit_down(ada, (bob, cleo), *GAME)
    until(lambda: scores(ada) and scores(bob))
    cleo.kill()
    until(lambda: {"waiting"} & set(ada.types()[-1:]))
    for peer in (ada, bob):
        peer.kill()
    (old,) = kept(ada).values()
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
