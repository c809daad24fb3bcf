import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from protocol.archive import write_archive
from protocol.audit import audit
from scopa_net.referee import open_match
from scopa_net.rules import Carried, find_variant
from scopa_net.summary import (
    SUMMARY_BYTES_MAX,
    Summary,
    read_summary,
    summarize,
    write_summary,
)
from tests.protocol.test_audit_blame import shuffles_and_proves_with_another_seed
from tests.support.matches import new_table, play, played
from tests.support.small_group import SMALL


def summary_of(record: bytes) -> Summary:
    return summarize(audit(record, SMALL, open_match).judge.course)


def test_a_match_that_was_won_says_by_whom() -> None:
    match = played(target=3)
    found = summary_of(match.record)
    won: Any = match.events[-1]
    assert (found.names, found.scores, found.deals) == (
        won.names,
        won.scores,
        won.deals,
    )
    assert (found.winner, found.turn) == (won.winner, None)
    assert (found.variant, found.target) == ("scopa", 3)
    assert found.seated
    assert not found.stopped


def test_a_match_in_play_says_whose_turn_it_is() -> None:
    match = played(acts_max=5)
    found = summary_of(match.record)
    assert (found.scores, found.deals, found.winner) == ((0, 0), 0, None)
    assert found.turn in {0, 1}


def test_a_live_table_and_its_record_are_summed_up_alike() -> None:
    match = played(acts_max=5)
    local, _ = new_table(match.variant, seed=2)
    play(local, luck=Random(~2), acts_max=5)
    table = local.seats[0].table
    assert table is not None
    assert summarize(table.party.judge.course) == summary_of(match.record)


def test_a_player_is_called_in_lists_as_at_the_table() -> None:
    # X35: no program calls anybody "You" but its own player.
    local, _ = new_table(find_variant("scopa"), seed=2, names=("You", "bruno"))
    play(local, luck=Random(3), acts_max=3)
    table = local.seats[0].table
    assert table is not None
    assert summarize(table.party.judge.course).names == table.names
    assert sorted(table.names) == ["You (2)", "bruno"]


def test_before_the_coin_has_fallen_nobody_is_seated() -> None:
    chains = played(acts_max=0).chains
    found = summary_of(write_archive([chain[:1] for chain in chains]))
    assert not found.seated
    assert (found.scores, found.turn) == ((0, 0), None)
    assert sorted(found.names) == ["ana", "bruno"]


def test_a_stopped_match_is_nobodys_turn() -> None:
    course = audit(played(acts_max=5).record, SMALL, open_match).judge.course
    found = summarize(course, stopped=True)
    assert (found.stopped, found.turn) == (True, None)


def test_a_match_whose_last_deck_was_stacked_is_won_by_nobody() -> None:
    match = played(players=3, run=shuffles_and_proves_with_another_seed)
    found = audit(match.record, SMALL, open_match)
    assert found.judge.course.match_over
    assert found.stopped
    said = summarize(found.judge.course, stopped=found.stopped)
    assert (said.stopped, said.winner, said.turn) == (True, None, None)
    assert any(said.scores)


def table_after(acts: int, *, target: int = 30) -> list[Summary]:
    """How a match of two stands for each of them."""
    variant = find_variant("scopa", 2, {"target": str(target)})
    local, _ = new_table(variant, seed=2)
    play(local, luck=Random(3), acts_max=acts)
    tables = [seat.table for seat in local.seats]
    return [summarize(one.party.judge.course) for one in tables if one is not None]


def test_all_who_hold_a_scored_deal_mark_its_match_alike() -> None:
    marks = set()
    for acts in (3, 36, 40, 72):
        ana, bruno = (one.standing for one in table_after(acts))
        assert ana is not None
        assert ana == bruno
        marks.add((acts // 36, ana.mark))
    assert len(marks) == 3


def test_a_match_that_carries_a_score_starts_from_it() -> None:
    carried = Carried((4, 7), "0a" * 16, "0b" * 16)
    local, _ = new_table(replace(find_variant("scopa"), carried=carried), seed=2)
    play(local, luck=Random(3), acts_max=3)
    table = local.seats[0].table
    assert table is not None
    found = summarize(table.party.judge.course, blamed=True)
    assert (found.scores, found.deals) == ((4, 7), 0)
    assert found.standing is not None
    assert (found.standing.carried, found.standing.blamed) == (carried, True)
    assert read_summary(write_summary(found)) == found
    unknown = replace(found.standing, rules=("variant=chess",))
    assert unknown.carried is None


def test_a_summary_is_read_as_it_was_written() -> None:
    for match in (played(), played(acts_max=5), played(players=4)):
        found = summary_of(match.record)
        assert read_summary(write_summary(found)) == found


def test_what_is_read_is_safe_to_show() -> None:
    found = json.loads(write_summary(summary_of(played().record)))
    found["names"] = ["\x1b[2Jana", "b" * 100]
    found["variant"] = "scopa\n\u202e"
    read = read_summary(json.dumps(found).encode())
    assert read is not None
    assert read.names == ("\N{REPLACEMENT CHARACTER}[2Jana", "b" * 16)
    assert "\n" not in read.variant
    assert "\u202e" not in read.variant


@pytest.mark.parametrize(
    "change",
    [
        {"schema": 2},
        {"type": "event"},
        {"names": "ana"},
        {"names": ["ana"]},
        {"names": ["ana", 1]},
        {"scores": [1]},
        {"scores": [1, -1]},
        {"scores": [True, 1]},
        {"turn": 2},
        {"winner": "ana"},
        {"deals": 1.5},
        {"target": 1 << 40},
        {"seated": 1},
        {"stopped": None},
        {"variant": None},
    ],
)
def test_a_summary_of_another_form_is_none(change: dict[str, object]) -> None:
    found = json.loads(write_summary(summary_of(played().record)))
    assert read_summary(json.dumps(found | change).encode()) is None
    for name in change:
        del found[name]
    assert read_summary(json.dumps(found).encode()) is None


@pytest.mark.parametrize(
    "change",
    [
        {"rules": "variant=scopa"},
        {"rules": [1]},
        {"table": "0a"},
        {"mark": "0B" * 16},
        {"mark": None},
        {"keys": ["0a" * 31]},
        {"blamed": 0},
    ],
)
def test_a_standing_of_another_form_is_none(change: dict[str, object]) -> None:
    found = json.loads(write_summary(summary_of(played().record)))
    found["standing"] |= change
    assert read_summary(json.dumps(found).encode()) is None
    del found["standing"]
    read = read_summary(json.dumps(found).encode())
    assert read is not None
    assert read.standing is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"null",
        b"\xff",
        b"[" * 10_000,
        b"1" * 5000,
        b" " * SUMMARY_BYTES_MAX + b"{}",
    ],
)
def test_what_is_no_summary_is_none(data: bytes) -> None:
    assert read_summary(data) is None
