"""Finds a bot by what a player types; ai/README.md has the grammar.

``NAME[:k=v,...]`` is a name announced by an installed distribution in the entry point
group `scopa_net.bots`; in a source tree our own names are read from its pyproject.toml,
so nothing has to be installed there. ``./my.py[:Class][:k=v,...]`` is a file, and
``cmd[,k=v,...]:PROGRAM ARGUMENT...`` a program.

Our own bots play in this process. All others get one of their own, a `Plugin`, which
runs from here on; so a bot that cannot play is refused before anything is dealt.
"""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from protocol.text import safe_name
from scopa_net import HOME
from scopa_net.bots.bot import Answer, Bot, Weighs, explained
from scopa_net.bots.errors import BotError, InvalidBotOption, UnknownBot
from scopa_net.bots.loading import (
    GROUP,
    Description,
    Factory,
    describe,
    factory_of_entry,
    factory_of_file,
    made,
)
from scopa_net.bots.plugin import Greeting, Limits, Plugin, limits_of
from scopa_net.bots.process import bot_environment
from scopa_net.rules.observation import Observation

__all__ = [
    "OURS",
    "BotEntry",
    "Found",
    "anywhere",
    "bot_entries",
    "bot_names",
    "described",
    "find_bot",
    "loaded",
]

OURS: Final = "scopa-net"

_FILE = re.compile(r"(.+?\.py)(?::(\w+))?(?::(.*))?", re.DOTALL)
_PROGRAM = re.compile(r"cmd(?:,([^:]*))?:(.*)", re.DOTALL)
_TRUTHS = {"yes": True, "on": True, "true": True, "1": True}
_TRUTHS |= {"no": False, "off": False, "false": False, "0": False}
_ROOT: Final = str(Path(__file__).resolve().parents[2])


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A bot that can be asked for: its name, where it is, and who brought it."""

    name: str
    target: str
    source: str

    def load(self) -> Factory:
        """What makes the bot, in this process; BotError if it cannot be loaded."""
        return factory_of_entry(self.name, self.target, self.source)


@dataclass(frozen=True, slots=True)
class Found:
    """A bot that is ready to play, and what it is called, without its options."""

    name: str
    bot: Bot

    @property
    def description(self) -> Description:
        """What it says of itself."""
        if isinstance(self.bot, Plugin):
            return Description(self.bot.greeting.about, self.bot.greeting.options)
        return describe(type(self.bot), self.name)

    def answer(self, observation: Observation, *, explain: bool = False) -> Answer:
        """What it chooses, and why if it can say so."""
        if isinstance(self.bot, Plugin):
            return self.bot.answer(observation, explain=explain)
        action = self.bot.choose(observation)
        why = explained(self.bot, observation, action) if explain else ()
        return Answer(action, why)

    @property
    def weigher(self) -> Weighs:
        """The bot, which says what each action is worth; BotError if it does not."""
        if not isinstance(self.bot, Weighs):
            raise BotError(
                f"The bot {self.name} does not say what a move is worth: mc and rules "
                "do."
            )
        return self.bot

    def close(self) -> bool:
        """End its process, if it has one; whether it has ended by itself."""
        return self.bot.close() if isinstance(self.bot, Plugin) else True


def bot_entries() -> tuple[BotEntry, ...]:
    """Every bot that is announced, by name; nothing is loaded.

    Our own names cannot be taken by another distribution.
    """
    found: dict[str, BotEntry] = {}
    announced = [
        BotEntry(point.name, point.value, point.dist.name if point.dist else OURS)
        for point in entry_points(group=GROUP)
    ]
    announced.sort(key=lambda entry: (entry.source == OURS, entry.source))
    for entry in (*announced, *_in_the_tree(Path(HOME))):
        found[entry.name] = entry
    return tuple(found[name] for name in sorted(found))


def bot_names() -> tuple[str, ...]:
    """The names that `find_bot` knows."""
    return tuple(entry.name for entry in bot_entries())


def find_bot(text: str, limits: Limits | None = None) -> Found:
    """The bot that a text such as ``rules:keep=0.5`` asks for, started.

    UnknownBot, InvalidBotOption or BotError, each with a sentence for the player.
    """
    limits = limits or limits_of(os.environ)
    text = text.strip()
    if program := _PROGRAM.fullmatch(text):
        return _program(program[2], program[1], limits)
    if file := _FILE.fullmatch(text):
        if not os.path.exists(file[1]):
            raise UnknownBot(f"There is no file {file[1]!a}.")
        name = file[2] or Path(file[1]).stem
        return _hosted(
            text[: file.end(2) if file[2] else file.end(1)], name, file[3], limits
        )
    name, colon, rest = text.partition(":")
    entry, options = _entry(name), rest if colon else None
    if entry.source != OURS:
        return _hosted(name, name, options, limits)
    factory = entry.load()
    given = _read_options(describe(factory, name).options, name, options)
    return Found(name, made(factory, name, given))


def loaded(text: str) -> tuple[str, Factory]:
    """The name and the maker of a Python bot, which is loaded in this process.

    The text is a name or a file with or without a class, without options.
    """
    if file := _FILE.fullmatch(text):
        return file[2] or Path(file[1]).stem, factory_of_file(file[1], file[2])
    return text, _entry(text).load()


def described(entry: BotEntry) -> Description:
    """What a bot says of itself; one that is not ours says it in its own process."""
    if entry.source == OURS:
        return describe(entry.load(), entry.name)
    found = find_bot(entry.name)
    found.close()
    return found.description


def anywhere(text: str) -> str:
    """The text that asks for the same bot in whatever folder it is read.

    Of a command each word is a path that begins with a dot and a slash.
    """
    text = text.strip()
    if program := _PROGRAM.fullmatch(text):
        words = [
            os.path.abspath(word) if word.startswith(("./", "../")) else word
            for word in _words(program[2])
        ]
        return text[: program.start(2)] + shlex.join(words)
    file = _FILE.fullmatch(text)
    if file is None:
        return text
    return os.path.abspath(file[1]) + text[file.end(1) :]


def _hosted(target: str, name: str, options: str | None, limits: Limits) -> Found:
    """A bot written in Python, which our own part of it runs in its process."""
    environment = bot_environment(os.environ)
    paths = (_ROOT, environment.get("PYTHONPATH", ""))
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    command = (sys.executable, "-P", "-m", "scopa_net.bots.hosted", target)
    bot = Plugin(
        command,
        name,
        limits=limits,
        environment=environment,
        read_options=lambda said: _read_options(said.options, name, options),
        sentences=True,
    )
    return Found(name, bot)


def _program(line: str, options: str | None, limits: Limits) -> Found:
    words = _words(line)
    if not words:
        raise UnknownBot("A program is named after cmd: as in cmd:./prog --flag.")
    if shutil.which(words[0]) is None:
        raise UnknownBot(f"There is no program {words[0]!a} that can be run.")
    name = str(safe_name(Path(words[0]).stem))

    def read(said: Greeting) -> Mapping[str, object]:
        return _read_options(said.options, str(said.name or name), options)

    bot = Plugin(words, name, limits=limits, read_options=read)
    return Found(str(bot.greeting.name or name), bot)


def _words(line: str) -> list[str]:
    """The words of a command line, split and quoted as a shell would have them."""
    try:
        return shlex.split(line, posix=os.name != "nt")
    except ValueError as reason:
        raise UnknownBot(
            f"The command {line[:40]!a} cannot be read: {reason}."
        ) from None


def _in_the_tree(home: Path) -> Iterable[BotEntry]:
    """What pyproject.toml announces, if we run from the sources and not installed."""
    try:
        text = (home / "pyproject.toml").read_text(encoding="utf-8")
    except OSError:
        return
    project = tomllib.loads(text).get("project", {})
    if project.get("name") == OURS:
        for name, target in project["entry-points"][GROUP].items():
            yield BotEntry(name, target, OURS)


def _entry(name: str) -> BotEntry:
    entries = {entry.name: entry for entry in bot_entries()}
    if name in entries:
        return entries[name]
    if not entries:
        raise UnknownBot(
            "No bots are installed: run `pip install .` where scopa-net lies."
        )
    close = get_close_matches(name.lower(), entries, n=1)
    hint = f"Did you mean {close[0]}? " if close else ""
    raise UnknownBot(f"There is no bot {name!a}. {hint}There are {_listed(entries)}.")


def _read_options(
    known: Mapping[str, object], name: str, text: str | None
) -> dict[str, object]:
    given: dict[str, object] = {}
    for part in () if text is None else text.split(","):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not key or not equals:
            raise InvalidBotOption(
                f"An option of a bot is written key=value, not {part!a}."
            )
        if key not in known:
            exist = f"has {_listed(known)}" if known else "has none"
            raise InvalidBotOption(f"The bot {name} has no option {key!a}; it {exist}.")
        if key in given:
            raise InvalidBotOption(f"The option {key} is given twice.")
        given[key] = _read_value(key, value, known[key])
    return given


def _read_value(key: str, text: str, default: object) -> object:
    try:
        match default:
            case bool():
                return _TRUTHS[text.lower()]
            case int():
                return int(text)
            case float():
                return _finite(text)
            case _:
                return text
    except (KeyError, ValueError):
        kinds = {bool: "yes or no", int: "a whole number", float: "a number"}
        raise InvalidBotOption(
            f"The option {key} is {kinds[type(default)]}, as in {key}={default}, "
            f"not {text!a}."
        ) from None


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number


def _listed(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
