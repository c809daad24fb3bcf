"""``scopa host --carry``: what it refuses before it asks anybody."""

from pathlib import Path

import pytest

from scopa_net.home import DATA_DIR, Home
from tests.support.command_line import scopa


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv(DATA_DIR, str(tmp_path / "data"))
    return Home(tmp_path / "data")


@pytest.mark.parametrize(
    "game", [("--variant", "scopa"), ("--players", "2"), ("--rule", "target=5")]
)
def test_the_game_is_that_of_the_old_match(game: tuple[str, str], home: Home) -> None:
    ran = scopa("host", "--carry", "0" * 32, *game)
    assert (ran.code, ran.out) == (2, "")
    assert "Leave out the game and its rules" in ran.err
    assert not home.folder.exists()


def test_only_a_match_that_is_kept_is_carried_on(home: Home) -> None:
    ran = scopa("host", "--carry", "0" * 32)
    assert (ran.code, ran.err) == (6, "Error: There is no match with that ID.\n")
    assert not home.saved()


def test_a_match_without_a_score_is_refused_with_the_reason(home: Home) -> None:
    match, store = home.begin({"nonce": bytes(32)})
    store.close()
    ran = scopa("host", "--carry", match[:8])
    assert (ran.code, ran.out) == (4, "")
    assert "Nobody was seated in that match" in ran.err
    assert [one.id for one in home.saved()] == [match]


def test_a_score_is_no_rule_to_choose(home: Home) -> None:
    ran = scopa("host", "--rule", "carried=4,7")
    assert ran.code == 2
    assert "scopa host --carry" in ran.err
    assert not home.folder.exists()
