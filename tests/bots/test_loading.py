"""How the code of a bot is loaded, and what is told of it when that fails."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scopa_net.bots import Bot
from scopa_net.bots.errors import BotError, UnknownBot
from scopa_net.bots.loading import describe, made
from scopa_net.bots.registry import BotEntry, loaded
from tests.bots.test_registry import FILE


@pytest.fixture
def file(tmp_path: Path) -> Iterator[str]:
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    yield str(path)
    sys.modules.pop("scopa_bot_mine", None)


def load(text: str) -> Bot:
    name, factory = loaded(text)
    return made(factory, name, {})


def refused(text: str, kind: type[BotError] = BotError) -> str:
    with pytest.raises(kind) as refusal:
        load(text)
    return str(refusal.value)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (":Nothing", "no method choose(observation)"),
        (":Missing", "has no Missing"),
        (":NUMBER", "neither a class nor a module"),
        (":Picky", "The bot Picky cannot start: ValueError: there are too few worlds."),
    ],
)
def test_what_is_no_bot_is_refused(file: str, name: str, sentence: str) -> None:
    assert sentence in refused(file + name)


def test_a_file_that_does_not_load_is_refused(tmp_path: Path) -> None:
    absent = str(tmp_path / "absent.py")
    assert refused(absent, UnknownBot) == f"There is no file '{absent}'."
    broken = tmp_path / "broken.py"
    broken.write_text("def choose(:")
    assert "cannot be loaded" in refused(str(broken))
    broken.write_text("import no_such_module")
    assert "no_such_module" in refused(str(broken))
    broken.write_text("x = 1")
    assert f"{broken}:MyBot" in refused(str(broken))


def test_a_bot_whose_package_is_broken_is_refused() -> None:
    entry = BotEntry("mine", "no_such_module:Bot", "scopa-mine")
    with pytest.raises(BotError, match="The bot mine of scopa-mine cannot be loaded"):
        entry.load()


FAILURES = (
    "raise RuntimeError('no \\x1b[31m luck')",
    "raise SystemExit",
    "raise BaseException",
    "class Unspeakable(Exception):\n"
    "    def __str__(self): raise ValueError\n"
    "raise Unspeakable",
    "1 / 0",
    "def choose(:",
)


@pytest.mark.parametrize("failure", FAILURES)
def test_whatever_a_bot_raises_when_it_is_loaded_is_told(
    failure: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lost_bot.py"
    path.write_text(failure)
    said = refused(str(path))
    assert said.startswith(f"The bot {path} cannot be loaded: ")
    assert said.isprintable()
    monkeypatch.syspath_prepend(tmp_path)
    entry = BotEntry("mine", "lost_bot", "scopa-mine")
    with pytest.raises(BotError, match="The bot mine of scopa-mine cannot be loaded: "):
        entry.load()


@pytest.mark.parametrize("failure", FAILURES[:-1])
def test_whatever_a_bot_raises_when_it_is_made_is_told(
    failure: str, tmp_path: Path
) -> None:
    path = tmp_path / "lost_start.py"
    inner = "\n        ".join(failure.splitlines())
    path.write_text(f"class Lost:\n    def __init__(self):\n        {inner}\n")
    assert refused(f"{path}:Lost").startswith("The bot Lost cannot start: ")


HIDDEN = """
class Mute(dict):
    def choose(self, observation): ...


class Default:
    def __repr__(self): raise ValueError


class Odd:
    def __init__(self, given=Default()): ...
    def choose(self, observation): ...


class Shy:
    @property
    def choose(self): raise SystemExit
"""


def test_what_cannot_be_looked_at_is_told(tmp_path: Path) -> None:
    path = tmp_path / "hidden.py"
    path.write_text(HIDDEN)
    for name in ("Mute", "Odd"):
        called, factory = loaded(f"{path}:{name}")
        with pytest.raises(BotError) as refusal:
            describe(factory, called)
        said = str(refusal.value)
        assert said.startswith(f"The bot {name} cannot be described: ValueError")
    assert refused(f"{path}:Shy").startswith("The bot Shy cannot start: SystemExit")


def test_ctrl_c_is_not_the_bot_s_fault(tmp_path: Path) -> None:
    path = tmp_path / "slow_start.py"
    path.write_text("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        load(str(path))


def test_what_a_bot_prints_when_it_is_loaded_is_no_output_of_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "loud.py"
    path.write_text(f"print('loud')\n{FILE}")
    load(str(path))
    assert capsys.readouterr() == ("", "loud\n")
