import io
import os
import sys
from importlib import metadata
from pathlib import Path

import pytest

from protocol.crypto.group import EDWARDS, Point
from scopa_net.commands.checkup import State, machine
from scopa_net.home import Home
from tests.commands.checkup.trials import NOW_S, begun
from tests.protocol.crypto.counting import Counting


def test_without_a_terminal_matches_are_told_line_by_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    found = machine.terminal({})
    assert found.state is State.OK
    assert "no terminal" in found.found


@pytest.mark.parametrize(
    ("encoding", "state"),
    [("utf-8", State.OK), ("UTF8", State.OK), ("ascii", State.WARN)],
)
def test_a_locale_without_all_characters_is_a_warning(
    monkeypatch: pytest.MonkeyPatch, encoding: str, state: State
) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding))
    found = machine.words({"LANG": "C", "LC_ALL": ""})
    assert found.state is state
    assert found.found.startswith("LANG=C; text is written as ")
    assert bool(found.todo) == (state is State.WARN)


@pytest.mark.parametrize("now_s", [0.0, 4_102_444_800.0])
def test_a_clock_of_another_century_is_a_warning(tmp_path: Path, now_s: float) -> None:
    found = machine.clock(Home(tmp_path), now_s)
    assert found.state is State.WARN
    assert "cannot be" in found.found


def test_a_clock_that_was_put_back_is_a_warning(tmp_path: Path) -> None:
    home = Home(tmp_path / "data")
    assert machine.clock(home, NOW_S).state is State.OK
    begun(home)
    for path in home.folder.rglob("*"):
        os.utime(path, (NOW_S + 86_400, NOW_S + 86_400))
    found = machine.clock(home, NOW_S)
    assert found.state is State.WARN
    assert "put back" in found.found
    assert machine.clock(home, NOW_S + 86_400).state is State.OK


def test_every_library_that_is_needed_is_told_with_its_version() -> None:
    found = machine.libraries()
    assert found.state is State.OK
    for name in ("click", "cryptography", "msgpack"):
        assert f"{name} {metadata.version(name)}" in found.found
    assert "pytest" not in found.found


def test_a_library_that_is_missing_is_a_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    needed = ["click>=8", "no-such-thing[x]>=1; python_version > '3'"]
    monkeypatch.setattr(metadata, "requires", lambda _: needed)
    found = machine.libraries()
    assert found.state is State.FAIL
    assert found.found.startswith("no-such-thing is not installed")


@pytest.mark.parametrize(
    ("version", "warnings"), [((3, 51, 2), 1), ((3, 51, 3), 0), ((3, 52, 0), 0)]
)
def test_an_old_sqlite_is_told_to_do_no_harm_here(
    version: tuple[int, ...], warnings: int
) -> None:
    found = machine.sqlite(version)
    assert found.state is State.OK
    assert found.found.count("two connections") == warnings


class Closed(Counting):
    """A library that lets nobody in."""

    def decode(self, encoded: bytes) -> Point | None:
        return None


def test_a_library_that_fails_the_self_test_is_a_failure() -> None:
    assert machine.group().state is State.OK
    found = machine.group(Closed(EDWARDS))
    assert found.state is State.FAIL
    assert "the generator is refused: no cards can be dealt safely here" in found.found
