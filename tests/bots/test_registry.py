"""How a bot is found by what a player types."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from click.testing import CliRunner

from scopa_net import HOME
from scopa_net.bots import Bot, registry
from scopa_net.bots.bot import Trouble
from scopa_net.bots.errors import BotError, InvalidBotOption, UnknownBot
from scopa_net.bots.loading import GROUP, describe
from scopa_net.bots.plugin import Plugin
from scopa_net.bots.registry import (
    BotEntry,
    Found,
    anywhere,
    bot_entries,
    bot_names,
    find_bot,
)
from scopa_net.commands.bot import command
from tests.ai.positions import opening
from tests.bots.test_plugin import ROGUE

Find = Callable[[str], Found]
OURS = ("beginner", "easy", "greedy", "mc", "medium", "random", "rules", "strong")
FILE = """
def choose(observation):
    return max(observation.legal_actions, key=lambda action: len(action.captured))


class Last:
    '''Plays the last action.'''

    def __init__(self, deep: bool = False, name="x", worlds: int = 3) -> None:
        self.given = (deep, name, worlds)

    def choose(self, observation):
        return observation.legal_actions[-1]

    def explain(self, observation, action):
        yield repr(self.given)


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


@pytest.fixture
def found() -> Iterator[Callable[[str], Found]]:
    """Finds bots, of which every process is ended."""
    made: list[Found] = []

    def find(text: str) -> Found:
        made.append(find_bot(text))
        return made[-1]

    yield find
    for one in made:
        one.close()


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
    assert "greedy, mc, medium, random, rules and strong" in sentence
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


def test_a_file_with_a_function_is_a_bot_with_a_process_of_its_own(
    file: str, found: Find
) -> None:
    seen = opening("3C 4S KB QB", "7D 2B KS")
    one = found(file)
    assert one.name == "mine"
    assert one.bot.choose(seen) == seen.legal_actions[1]
    assert isinstance(one.bot, Plugin)
    assert not one.bot.failures
    assert "scopa_bot_mine" not in sys.modules


def test_a_class_of_a_file_is_a_bot_with_options(file: str, found: Find) -> None:
    seen = opening("3C 4S KB QB", "7D 2B KS")
    for options, given in (
        ("", (False, "x", 3)),
        (":deep=yes,name=a.py", (True, "a.py", 3)),
        (":worlds=9,deep=off", (False, "x", 9)),
    ):
        one = found(f"{file}:Last{options}")
        assert one.name == "Last"
        assert isinstance(one.bot, Plugin)
        answer = one.bot.answer(seen, explain=True)
        assert (answer.action, answer.trouble) == (seen.legal_actions[-1], None)
        assert answer.reasons == (repr(given),)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (":Last:deep=perhaps", "The option deep is yes or no, as in deep=False, "),
        (":Last:worlds=1.5", "The option worlds is a whole number, as in worlds=3, "),
        (":Last:size=1", "The bot Last has no option 'size'; it has deep, name and "),
        (":Last:", "An option of a bot is written key=value, not ''."),
    ],
)
def test_a_bad_option_of_another_s_bot_is_refused_too(
    text: str, sentence: str, file: str
) -> None:
    assert refused(file + text, InvalidBotOption).startswith(sentence)


def test_what_does_not_load_in_its_process_is_refused_in_whole_sentences(
    file: str,
) -> None:
    assert refused(f"{file}:Picky") == (
        "The bot Picky cannot start: ValueError: there are too few worlds."
    )
    assert refused("./absent.py", UnknownBot) == "There is no file './absent.py'."


def test_a_bot_imports_what_lies_beside_its_file(tmp_path: Path, found: Find) -> None:
    (tmp_path / "choosing_last.py").write_text("def last(them):\n    return them[-1]\n")
    path = tmp_path / "split.py"
    path.write_text(
        "from choosing_last import last\n"
        "def choose(observation):\n"
        "    return last(observation.legal_actions)\n"
    )
    seen = opening("3C 4S KB QB", "7D 2B KS")
    assert found(str(path)).bot.choose(seen) == seen.legal_actions[-1]


def test_what_is_no_answer_of_a_file_s_bot_is_told(tmp_path: Path, found: Find) -> None:
    path = tmp_path / "odd.py"
    path.write_text("print('loud')\ndef choose(observation):\n    return '7D'\n")
    bot = found(str(path)).bot
    assert isinstance(bot, Plugin)
    told: list[Trouble] = []
    bot.troubled = told.append
    bot.choose(opening("3C 4S KB QB", "7D 2B KS"))
    assert [(one.kind, one.what) for one in told] == [
        ("crash", "failed: It chose what is no action: an object of type str")
    ]
    assert bot.noise == 0


PROGRAM = f"{shlex.quote(sys.executable)} -I -S {shlex.quote(ROGUE)}"


def test_a_program_is_a_bot_and_is_called_what_it_says(found: Find) -> None:
    seen = opening("3C 4S KB QB", "7D 2B KS")
    silent = found(f"cmd:{PROGRAM} well")
    assert silent.name == Path(sys.executable).stem
    assert silent.bot.choose(seen) == seen.legal_actions[0]
    assert found(f"cmd:{PROGRAM} named a:b=c,d").name == "Ada\ufffd"


def test_options_of_a_program_stand_before_it(found: Find) -> None:
    seen = opening("3C 4S KB QB", "7D 2B KS")
    bot = found(f"cmd,worlds=9,fast=yes:{PROGRAM} given").bot
    assert isinstance(bot, Plugin)
    assert bot.answer(seen).reasons == ("{'worlds': 9, 'fast': True}",)
    assert refused(f"cmd,deep=1:{PROGRAM} named", InvalidBotOption) == (
        "The bot Ada\ufffd has no option 'deep'; it has fast and worlds."
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("cmd:", "A program is named after cmd: as in cmd:./prog --flag."),
        ("cmd:./absent --x", "There is no program './absent' that can be run."),
        ("cmd:'unclosed", 'The command "\'unclosed" cannot be read: No closing'),
        (f"cmd:{PROGRAM} exits", "cannot start: it has ended with code 0."),
    ],
)
def test_a_program_that_cannot_run_is_refused(text: str, sentence: str) -> None:
    assert sentence in refused(text)


def test_a_program_is_asked_for_in_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert anywhere("cmd,x=1:./prog --in ../y 'a b' -z") == (
        f"cmd,x=1:{tmp_path}/prog --in {tmp_path.parent}/y 'a b' -z"
    )
    assert anywhere("cmd:prog x.py") == "cmd:prog x.py"


def test_a_bot_is_called_by_its_name_without_options() -> None:
    assert find_bot("rules:keep=0.5").name == "rules"


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

    point = EntryPoint("greedy", target, GROUP)
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
    assert "rules     Counts cards" in result.stdout
    assert "        options: reply=0.9, keep=0.35\n" in result.stdout


def test_the_command_lists_the_bots_for_programs() -> None:
    result = CliRunner().invoke(command, ["list", "--json"])
    said = json.loads(result.stdout)
    assert (said["schema"], said["type"]) == (1, "bots")
    bots = {bot["name"]: bot for bot in said["bots"]}
    assert bots["rules"]["options"] == {"reply": 0.9, "keep": 0.35}
    assert bots["greedy"]["problem"] is None


@pytest.fixture
def installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, str], None]:
    """Installs a distribution scopa-mine with a module `mine`, which announces bots."""

    def install(announced: str, module: str = FILE) -> None:
        info = tmp_path / "scopa_mine-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: scopa-mine\n")
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{announced}\n")
        (tmp_path / "mine.py").write_text(module)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    return install


Install = Callable[..., None]


def test_an_installed_bot_has_a_process_of_its_own(
    installed: Install, found: Find
) -> None:
    installed("last = mine:Last\nrules = mine:Last")
    seen = opening("3C 4S KB QB", "7D 2B KS")
    one = found("last:worlds=9")
    assert isinstance(one.bot, Plugin)
    assert one.bot.answer(seen, explain=True).reasons == ("(False, 'x', 9)",)
    assert "mine" not in sys.modules
    assert not isinstance(found("rules").bot, Plugin)


def test_bots_of_others_are_listed_and_none_of_them_is_loaded_here(
    installed: Install,
) -> None:
    installed("last = mine:Last\nlost = absent:Lost\nplain = mine:Nothing")
    result = CliRunner().invoke(command, ["list", "--json"])
    bots = {bot["name"]: bot for bot in json.loads(result.stdout)["bots"]}
    assert bots["last"] == {
        "name": "last",
        "summary": "Plays the last action.",
        "options": {"deep": False, "name": "x", "worlds": 3},
        "source": "scopa-mine",
        "problem": None,
    }
    assert bots["lost"]["problem"] == (
        "The bot lost of scopa-mine cannot be loaded: ModuleNotFoundError: No module "
        "named 'absent'."
    )
    assert bots["plain"]["problem"].startswith("plain is no bot: it has no method")
    assert "mine" not in sys.modules
