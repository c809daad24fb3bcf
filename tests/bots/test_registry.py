"""How a bot is found by what a player types."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
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
    anywhere,
    bot_entries,
    bot_names,
    describe,
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
        assert find_bot(name).bot.choose(seen) in seen.legal_actions


def test_a_bot_of_a_file_is_asked_for_in_any_folder(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(file).parent)
    assert anywhere("./mine.py:Last:deep=yes") == f"{file}:Last:deep=yes"
    assert anywhere(f" {file}") == file
    assert anywhere("rules:x=1") == "rules:x=1"


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
        ("rules:", "An option of a bot is written key=value, not ''."),
        *(
            (
                f"rules:keep={number}",
                f"The option keep is a number, as in keep=0.35, not '{number}'.",
            )
            for number in ("nan", "inf", "-inf", "1e999")
        ),
    ],
)
def test_a_bad_option_is_refused_with_the_reason(text: str, sentence: str) -> None:
    assert refused(text, InvalidBotOption) == sentence


def test_a_file_with_a_function_is_a_bot(file: str) -> None:
    seen = opening("3C 4S KB QB", "7D 2B KS")
    assert str(find_bot(file).bot.choose(seen)) == str(seen.legal_actions[1])


def test_a_class_of_a_file_is_a_bot_with_options(file: str) -> None:
    given = [
        vars(find_bot(f"{file}:Last{options}").bot)["given"]
        for options in ("", ":deep=yes,name=y", ":worlds=9,deep=off")
    ]
    assert given == [(False, "x", 3), (True, "y", 3), (False, "x", 9)]
    assert "is yes or no" in refused(f"{file}:Last:deep=perhaps", InvalidBotOption)
    assert "a whole number" in refused(f"{file}:Last:worlds=1.5", InvalidBotOption)
    assert vars(find_bot(f"{file}:Last:name=a.py").bot)["given"][1] == "a.py"
    for nothing in ("", ":Last"):
        assert "written key=value, not ''" in refused(f"{file}{nothing}:")


def test_a_bot_is_called_by_its_name_without_options_or_folder(file: str) -> None:
    assert find_bot("rules:keep=0.5").name == "rules"
    assert find_bot(file).name == "mine"
    assert find_bot(f"{file}:Last:deep=yes").name == "Last"


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
    assert find_bot(f"{path}:Mute").name == "Mute"
    for name in ("Mute", "Odd"):
        said = refused(f"{path}:{name}:x=1")
        assert said.startswith(f"The bot {name} cannot be described: ValueError")
    assert refused(f"{path}:Shy").startswith("The bot Shy cannot start: SystemExit")


def test_ctrl_c_is_not_the_bot_s_fault(tmp_path: Path) -> None:
    path = tmp_path / "slow_start.py"
    path.write_text("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        find_bot(str(path))


def test_what_a_bot_prints_when_it_is_loaded_is_no_output_of_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "loud.py"
    path.write_text(f"print('loud')\n{FILE}")
    find_bot(str(path))
    assert capsys.readouterr() == ("", "loud\n")


def test_a_module_can_be_announced_as_a_bot(
    monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    monkeypatch.syspath_prepend(Path(file).parent)
    made: Bot = BotEntry("mine", "mine", "scopa-mine").load()()
    seen = opening("3C 4S KB QB", "7D 2B KS")
    assert made.choose(seen) in seen.legal_actions
    sys.modules.pop("mine")


def announced(source: str, target: str) -> EntryPoint:
    """The bot `greedy` of an installed distribution."""

    class Distribution:
        name = source

    point = EntryPoint("greedy", target, registry.GROUP)
    vars(point).update(dist=Distribution())
    return point


def test_another_distribution_cannot_take_our_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(registry, "HOME", str(tmp_path))
    points = [
        announced("scopa-net", "ai.greedy_bot:GreedyBot"),
        announced("scopa-aaa", "aaa:Bot"),
        announced("scopa-zzz", "zzz:Bot"),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: points)
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
    told = describe(entries["rules"].load(), "rules")
    assert told.options == {"reply": 0.9, "keep": 0.35}
    assert told.summary.startswith("Counts cards")
    assert describe(entries["greedy"].load(), "greedy").options == {}


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


@pytest.mark.parametrize(
    ("target", "problem"),
    [
        ("no_such_module:Bot", "The bot mine of scopa-mine cannot be loaded: Module"),
        ("builtins:dict", "The bot mine cannot be described: ValueError"),
    ],
)
def test_a_broken_bot_is_listed_with_its_problem(
    target: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = BotEntry("mine", target, "scopa-mine")
    monkeypatch.setattr("scopa_net.commands.bot.bot_entries", lambda: (broken,))
    result = CliRunner().invoke(command, ["list"])
    assert result.exit_code == 0
    assert f"mine  {problem}" in result.stdout


def test_the_bot_of_the_readme_plays(tmp_path: Path) -> None:
    readme = Path(HOME, "ai", "README.md").read_text(encoding="utf-8")
    path = tmp_path / "readme_bot.py"
    path.write_text(readme.split("```python\n")[1].split("```")[0])
    bot = find_bot(str(path)).bot
    taken = bot.choose(opening("7D 2C KC QS", "7C KS 2S"))
    assert str(taken) == str(Play(card("7C"), (card("7D"),)))
    sys.modules.pop("scopa_bot_readme_bot")
