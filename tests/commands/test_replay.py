"""`scopa replay`: what people and programs read of a match that was played."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from protocol.archive import HEADER
from protocol.crypto.group import EDWARDS
from scopa_net.events import DealScored, Played
from tests.support import matches
from tests.support.command_line import Ran, scopa

played = partial(matches.played, suite=EDWARDS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.scopa"


def replay(path: Path, record: bytes, *options: str) -> Ran:
    path.write_bytes(record)
    return scopa("replay", str(path), *options)


def objects(ran: Ran) -> list[Any]:
    return [json.loads(line) for line in ran.out.splitlines()]


def test_people_read_every_play_and_the_score(path: Path) -> None:
    match = played(target=3)
    ran = replay(path, match.record, "--plain")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].startswith("Deal 1. ")
    plays = [line for line in lines if " played " in line or " laid " in line]
    assert len(plays) == sum(isinstance(event, Played) for event in match.events)
    assert "wins the match after" in lines[-1]


def test_programs_read_the_events_that_a_match_has(path: Path) -> None:
    match = played(target=3)
    found = objects(replay(path, match.record, "--json"))
    assert all(one["schema"] == 1 for one in found)
    types = [one["type"] for one in found]
    assert (types[0], types[-1]) == ("deal_started", "match_won")
    assert types.count("deal_scored") == sum(
        isinstance(event, DealScored) for event in match.events
    )
    assert found[0]["seat"] is None


def test_a_review_weighs_each_choice_and_ends_with_the_costliest(path: Path) -> None:
    match = played(target=3)
    found = objects(replay(path, match.record, "--review", "--bot", "rules", "--json"))
    reviews = [one for one in found if one["type"] == "reviewed"]
    last = found[-1]
    assert (last["type"], last["bot"], last["unknown"]) == ("review", "rules", 0)
    losses = sorted((one["loss"] for one in reviews), reverse=True)
    assert [one["loss"] for one in last["costliest"]] == losses[:3]
    assert sum(one["choices"] for one in last["players"]) == len(reviews)
    one = reviews[0]
    assert one["action"] in {each["action"].rstrip("#") for each in one["weighed"]}
    assert one["best"] == one["weighed"][0]["action"].rstrip("#")
    assert one["reasons"]


def test_a_review_by_worlds_is_the_same_each_time_and_has_its_errors(
    path: Path,
) -> None:
    record = played().record
    options = ("--review", "--bot", "mc:worlds=16")
    ran = replay(path, record, *options)
    assert ran.code == 0
    assert ran.out == replay(path, record, *options).out
    assert "; mc would do the same." in ran.out
    assert " mc would play " in ran.out or " mc would lay " in ran.out
    assert "(+- " in ran.out
    assert "\nThe costliest moves:\n1. Deal 1, move " in ran.out


def test_a_deal_that_is_not_over_is_gone_through_as_far_as_it_came(
    path: Path,
) -> None:
    ran = replay(path, played(acts_max=3).record, "--review", "--bot", "rules")
    assert ran.code == 0
    assert "Not weighed, as the hand was never revealed: 3 choices." in ran.out
    assert ran.out.endswith("No move cost anything.\n")


def test_a_file_that_is_not_right_is_refused_as_an_audit_refuses_it(
    path: Path,
) -> None:
    record = played(target=3).record
    cut, flipped = record[:-200], bytearray(record)
    flipped[len(record) // 2] ^= 1
    for data in (cut, bytes(flipped), HEADER[:5], b"no record", b""):
        mine, audits = replay(path, data), scopa("audit", str(path), "--json")
        assert (mine.code, mine.out) == (audits.code, "")
        assert mine.err.removeprefix("Error: ") == audits.err.removeprefix("Error: ")
    missing = scopa("replay", str(path.with_name("none")))
    assert missing.code == 6


def test_a_bot_that_cannot_review_is_refused_before_anything_is_read(
    path: Path,
) -> None:
    ran = replay(path, b"", "--review", "--bot", "greedy")
    assert (ran.code, ran.out) == (2, "")
    assert "greedy does not say what a move is worth: mc and rules do." in ran.err
    assert replay(path, b"", "--bot", "rules").code == 2
