import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from protocol.text import SafeText
from scopa_net.acquaintances import Acquaintance
from scopa_net.commands.checkup import State, folders
from scopa_net.home import Home
from scopa_net.settings import settle
from tests.commands.checkup.trials import begun


class Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "data")


def test_a_folder_that_is_not_there_yet_is_not_made(home: Home) -> None:
    found = folders.data(home)
    assert found.state is State.OK
    assert "will be made" in found.found
    assert not home.folder.exists()


def test_what_is_kept_is_counted_and_a_trial_leaves_nothing(home: Home) -> None:
    home.identity()
    home.know((Acquaintance(SafeText("ada"), bytes(32), 5),))
    begun(home)
    before = sorted(home.folder.rglob("*"))
    found = folders.data(home)
    assert found.state is State.OK
    assert "1 match, 1 known player" in found.found
    assert sorted(home.folder.rglob("*")) == before


def test_what_others_can_read_is_a_failure_with_the_remedy(home: Home) -> None:
    home.identity()
    home.key_file.chmod(0o644)
    found = folders.data(home)
    assert (found.state, found.found) == (State.FAIL, "Others can read your key")
    assert found.todo == f"chmod 600 {home.key_file}"


def test_a_damaged_key_is_a_failure(home: Home) -> None:
    home.identity()
    home.key_file.write_bytes(b"?")
    found = folders.data(home)
    assert found.state is State.FAIL
    assert "is damaged" in found.found


def test_a_file_in_the_place_of_the_folder_is_a_failure(home: Home) -> None:
    home.folder.write_text("")
    for named in (home, Home(home.folder / "deeper")):
        found = folders.data(named)
        assert found.state is State.FAIL
        assert "is no folder" in found.found


@pytest.mark.parametrize(
    ("free", "state"),
    [(1 << 20, State.FAIL), (100 << 20, State.WARN), (1 << 30, State.OK)],
)
def test_a_disk_that_is_nearly_full_is_told(
    home: Home, monkeypatch: pytest.MonkeyPatch, free: int, state: State
) -> None:
    home.identity()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(free, 0, free))
    found = folders.data(home)
    assert found.state is state
    assert f"{free / (1 << 30):.1f} GB are free" in found.found


def test_a_match_that_is_open_elsewhere_is_told(home: Home) -> None:
    assert folders.running(home).found == "No other match is open."
    match = begun(home)
    store = home.open(match)
    found = folders.running(home)
    store.close()
    assert found.state is State.OK
    assert f"{match[:8]} in process {os.getpid()}" in found.found


def test_settings_are_told_and_a_bad_file_is_a_failure(home: Home) -> None:
    file = home.folder / "settings.toml"
    assert folders.settings(home.folder).found == f"Nothing is settled in {file}."
    settle(file, "name", "Ada")
    assert folders.settings(home.folder).found == f"{file} settles name."
    file.write_text("name = 3")
    found = folders.settings(home.folder)
    assert found.state is State.FAIL
    assert "name is a text" in found.found
