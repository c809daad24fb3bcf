"""Whole matches under the first seeds; `python -m tests.simulation` runs any number."""

import json
from collections import Counter
from typing import Any

import pytest

from scopa_net.leaving import Word
from tests.simulation.command import main, simulate
from tests.simulation.cuts import CutWorld
from tests.simulation.leaving import LeavingWorld
from tests.simulation.world import World

SEEDS = 100
CUT = (4, 10, 22, 25, 28, 33, 39, 40, 51, 58, 88, 149, 197)
LEFT = (1, 5, 6, 8, 9, 11, 12, 14, 15, 16, 17, 23)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[Any]]:
    status = main([*arguments, "--json"])
    lines = capsys.readouterr().out.splitlines()
    return status, [json.loads(line) for line in lines]


def test_every_seed_ends_with_a_won_match_and_equal_records(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, lines = run(capsys, "--seeds", str(SEEDS), "--real-group-every", "20")
    assert lines[:-1] == []
    assert status == 0
    assert (lines[-1]["seeds"], lines[-1]["failed"]) == (SEEDS, 0)
    assert lines[-1]["plays"] > SEEDS * 30
    assert lines[-1]["crashes"] > SEEDS // 2
    assert lines[-1]["old_copies"] > SEEDS // 10


@pytest.mark.parametrize("option", ["--seeds", "--deals", "--lies"])
@pytest.mark.parametrize("number", ["0", "-3", "many"])
def test_no_seed_at_all_is_refused_and_not_reported_as_no_failure(
    option: str, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main([option, number])
    assert refused.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"argument {option}: give a number from 1 on, not '{number}'" in err


def test_a_seed_replays_exactly() -> None:
    worlds = [World(6), World(6)]
    for world in worlds:
        world.run()
    first, second = worlds
    assert first.now_s == second.now_s
    assert first.crashes == second.crashes
    assert [p.disk.entries for p in first.places] == [
        p.disk.entries for p in second.places
    ]
    assert [p.told for p in first.places] == [p.told for p in second.places]


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_the_number_of_seats_can_be_asked_for(seats: int) -> None:
    outcome = simulate(1, seats=seats)
    assert outcome.failure == ""
    assert outcome.setting.split()[1] == str(seats)


def test_matches_that_are_left_end_alike_for_all() -> None:
    # F7, F13.
    said: Counter[Word] = Counter()
    given_up = void = 0
    for seed in LEFT:
        world = LeavingWorld(seed)
        world.run()
        world.check()
        said.update(world.said)
        assert world.places[0].seat is not None
        table = world.places[0].seat.table
        assert table is not None
        course = table.party.judge.course
        given_up += bool(course.given_up)
        void += any(deck.void for deck in course.decks)
    assert set(said) == set(Word)
    assert given_up
    assert void


def test_matches_that_lose_links_and_players_go_on_or_are_carried_on() -> None:
    # F8, F11, F12.
    befell: Counter[str] = Counter()
    came_back = carried = 0
    for seed in CUT:
        world = CutWorld(seed)
        world.run()
        world.check()
        befell.update(world.befell)
        gone = "lose" in world.befell
        came_back += gone and not world.abandoned
        carried += world.abandoned and world.carry_on() > 0
    assert set(befell) == {"part", "break", "double", "move", "lose"}
    assert came_back
    assert carried


def test_a_failing_seed_says_how_it_is_run_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(_: World) -> None:
        raise AssertionError("two tavole")

    monkeypatch.setattr(World, "run", breaks)
    status, (failed, _) = run(capsys, "--cuts", "--seeds", "1", "--first", "7")
    assert status == 1
    assert failed["type"] == "failed_seed"
    assert failed["again"] == (
        "python -m tests.simulation --seeds 1 --first 7 --real-group-every 0 --cuts"
    )
