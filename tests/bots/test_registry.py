"""How a bot is found by what a player types."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest
from click.testing import CliRunner

from scopa_net import HOME
from scopa_net.bots import Bot, Play, card, registry
from scopa_net.bots.registry import (
    BotEntry,
    BotError,
    InvalidBotOption,
    UnknownBot,
    bot_entries,
    bot_names,
    bot_options,
    find_bot,
)
from scopa_net.commands.bot import command
from tests.ai.positions import opening

OURS = ("greedy", "random", "rules")
FILE = """
def choose(observation):
    return max(observation.legal_actions, key=lambda action: len(action.captured))


class Last:
    def __init__(self, deep: bool = False, name="x", worlds: int = 3) -> None:
        self.given = (deep, name, worlds)

    def choose(self, observation):
        return observation.legal_actions[-1]


class Nothing:
    pass


class Picky:
    def __init__(self, worlds: int = 3) -> None:
        raise ValueError("there are too few worlds")


NUMBER = 3
"""


@pytest.fixture
def file(tmp_path: Path) -> Iterator[str]:
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    yield str(path)
    sys.modules.pop("scopa_bot_mine", None)


def refused(text: str, kind: type[BotError] = BotError) -> str:
    with pytest.raises(kind) as refusal:
        find_bot(text)
    return str(refusal.value)


def test_our_bots_are_found_by_name() -> None:
    assert set(OURS) <= set(bot_names())
    assert list(bot_names()) == sorted(bot_names())
    seen = opening("3C 4S KB QB", "7D 2B JS")
    for name in OURS:
        assert find_bot(name).choose(seen) in seen.legal_actions


def test_options_are_read_as_the_type_of_their_default() -> None:
    assert find_bot("rules:keep=0.5, reply=1") == find_bot("rules:reply=1.0,keep=.5")
    assert find_bot("rules:keep=0.5") != find_bot("rules")


def test_an_unknown_bot_is_refused_with_the_names_and_a_guess() -> None:
    sentence = refused("gredy", UnknownBot)
    assert sentence.startswith(
        "There is no bot 'gredy'. Did you mean greedy? There are"
    )
    assert "greedy, random and rules" in sentence
    assert "Did you mean" not in refused("zzz", UnknownBot)
    assert "There is no bot ''" in refused("", UnknownBot)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rules:keep", "An option of a bot is written key=value, not 'keep'."),
        ("rules:=1", "An option of a bot is written key=value, not '=1'."),
        ("rules:deep=1", "The bot rules has no option 'deep'; it has reply and keep."),
        ("greedy:deep=1", "The bot greedy has no option 'deep'; it has none."),
        (
            "rules:keep=a",
            "The option keep is a number, as in keep=0.35, not 'a'.",
        ),
        ("rules:keep=1,keep=2", "The option keep is given twice."),
    ],
)
def test_a_bad_option_is_refused_with_the_reason(text: str, sentence: str) -> None:
    assert refused(text, InvalidBotOption) == sentence


def test_a_file_with_a_function_is_a_bot(file: str) -> None:
    seen = opening("3C 4S KB QB", "7D 2B KS")
    assert str(find_bot(file).choose(seen)) == str(seen.legal_actions[1])


def test_a_class_of_a_file_is_a_bot_with_options(file: str) -> None:
    given = [
        vars(find_bot(f"{file}:Last{options}"))["given"]
        for options in ("", ":deep=yes,name=y", ":worlds=9,deep=off")
    ]
    assert given == [(False, "x", 3), (True, "y", 3), (False, "x", 9)]
    assert "is yes or no" in refused(f"{file}:Last:deep=perhaps", InvalidBotOption)
    assert "a whole number" in refused(f"{file}:Last:worlds=1.5", InvalidBotOption)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (":Nothing", "no method choose(observation)"),
        (":Missing", "has no Missing"),
        (":NUMBER", "neither a class nor a module"),
        (":Picky", "The bot Picky cannot start: there are too few worlds."),
    ],
)
def test_what_is_no_bot_is_refused(file: str, name: str, sentence: str) -> None:
    assert sentence in refused(file + name)


def test_a_file_that_does_not_load_is_refused(tmp_path: Path) -> None:
    assert "cannot be loaded" in refused(str(tmp_path / "absent.py"))
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


def test_a_module_can_be_announced_as_a_bot(
    monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    monkeypatch.syspath_prepend(Path(file).parent)
    made: Bot = BotEntry("mine", "mine", "scopa-mine").load()()
    seen = opening("3C 4S KB QB", "7D 2B KS")
    assert made.choose(seen) in seen.legal_actions
    sys.modules.pop("mine")


def test_another_distribution_cannot_take_our_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Foreign:
        name = "scopa-aaa"

    point = EntryPoint("greedy", "aaa:Bot", registry.GROUP)
    vars(point).update(dist=Foreign())
    ours = entry_points(group=registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [*ours, point])
    found = {entry.name: entry for entry in bot_entries()}
    assert found["greedy"].target == "ai.greedy_bot:GreedyBot"


def test_the_source_tree_needs_no_installation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(registry, "entry_points", lambda group: [])
    assert bot_names() == OURS
    monkeypatch.setattr(registry, "HOME", str(tmp_path))
    assert bot_names() == ()
    assert "pip install ." in refused("greedy", UnknownBot)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    assert bot_names() == ()


def test_a_bot_is_loaded_only_when_it_is_asked_for() -> None:
    script = """
import sys
from scopa_net.bots.registry import bot_names, find_bot
bot_names()
assert not any(name.split(".")[0] == "ai" for name in sys.modules)
find_bot("greedy")
assert "ai.rule_bot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], cwd=HOME, check=True, timeout=60)


def test_options_of_a_bot_are_those_with_a_default() -> None:
    entries = {entry.name: entry for entry in bot_entries()}
    assert bot_options(entries["rules"].load()) == {"reply": 0.9, "keep": 0.35}
    assert bot_options(entries["greedy"].load()) == {}


def test_the_command_lists_the_bots() -> None:
    result = CliRunner().invoke(command, ["list"])
    assert result.exit_code == 0
    assert "rules   Counts cards" in result.stdout
    assert "        options: reply=0.9, keep=0.35\n" in result.stdout


def test_the_command_lists_the_bots_for_programs() -> None:
    result = CliRunner().invoke(command, ["list", "--json"])
    said = json.loads(result.stdout)
    assert (said["schema"], said["type"]) == (1, "bots")
    bots = {bot["name"]: bot for bot in said["bots"]}
    assert bots["rules"]["options"] == {"reply": 0.9, "keep": 0.35}
    assert bots["greedy"]["problem"] is None


def test_a_broken_bot_is_listed_with_its_problem(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = BotEntry("mine", "no_such_module:Bot", "scopa-mine")
    monkeypatch.setattr("scopa_net.commands.bot.bot_entries", lambda: (broken,))
    result = CliRunner().invoke(command, ["list"])
    assert result.exit_code == 0
    assert "mine  The bot mine of scopa-mine cannot be loaded" in result.stdout


def test_the_bot_of_the_readme_plays(tmp_path: Path) -> None:
    readme = Path(HOME, "ai", "README.md").read_text(encoding="utf-8")
    path = tmp_path / "readme_bot.py"
    path.write_text(readme.split("```python\n")[1].split("```")[0])
    bot = find_bot(str(path))
    taken = bot.choose(opening("7D 2C KC QS", "7C KS 2S"))
    assert str(taken) == str(Play(card("7C"), (card("7D"),)))
    sys.modules.pop("scopa_bot_readme_bot")
