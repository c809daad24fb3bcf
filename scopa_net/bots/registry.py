"""Finds a bot by what a player types: ``NAME``, or ``NAME:option=value,...``.

A name is announced by an installed distribution in the entry point group
`scopa_net.bots`. In a source tree our own names are read from its pyproject.toml, so
nothing has to be installed there. A file is a bot too: ``./my.py`` if it has a
function `choose`, ``./my.py:MyBot`` if it has a class. A bot is loaded when it is
asked for, and no other with it.

The options of a bot are the parameters of its class that have a default; the text of
a value is read as the type of that default.
"""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, cast

from scopa_net import HOME
from scopa_net.bots.bot import Bot

GROUP = "scopa_net.bots"
OURS = "scopa-net"

_FILE = re.compile(r"(.+\.py)(?::(\w+))?(?::(\w+=.*))?", re.DOTALL)
_TRUTHS = {"yes": True, "on": True, "true": True, "1": True}
_TRUTHS |= {"no": False, "off": False, "false": False, "0": False}

Factory: TypeAlias = Callable[..., Bot]


class BotError(ValueError):
    """That bot cannot play."""


class UnknownBot(BotError):
    """There is no bot of that name."""


class InvalidBotOption(BotError):
    """The bot has no such option, or it has no such value."""


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A bot that can be asked for: its name, where it is, and who brought it."""

    name: str
    target: str
    source: str

    def load(self) -> Factory:
        """What makes the bot; BotError if it cannot be loaded."""
        try:
            found = EntryPoint(self.name, self.target, GROUP).load()
        except (ImportError, AttributeError, SyntaxError) as reason:
            raise BotError(
                f"The bot {self.name} of {self.source} cannot be loaded: {reason}."
            ) from reason
        return _factory(found, self.name)


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


def find_bot(text: str) -> Bot:
    """The bot that a text such as ``rules:keep=0.5`` asks for, ready to play.

    UnknownBot, InvalidBotOption or BotError, each with a sentence for the player.
    """
    if file := _FILE.fullmatch(text.strip()):
        path, name, options = file[1], file[2], file[3] or ""
        return _made(_from_file(path, name), name or Path(path).name, options)
    name, _, options = text.strip().partition(":")
    return _made(_entry(name).load(), name, options)


def bot_options(factory: Factory) -> Mapping[str, object]:
    """The options that a bot takes, each with its default."""
    return {
        name: parameter.default
        for name, parameter in inspect.signature(factory).parameters.items()
        if parameter.default is not parameter.empty
    }


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


def _made(factory: Factory, name: str, options: str) -> Bot:
    given = _read_options(factory, name, options) if options else {}
    try:
        bot = factory(**given)
    except (TypeError, ValueError) as reason:
        raise BotError(f"The bot {name} cannot start: {reason}.") from reason
    if not callable(getattr(bot, "choose", None)):
        raise BotError(f"{name} is no bot: it has no method choose(observation).")
    return bot


def _read_options(factory: Factory, name: str, text: str) -> dict[str, object]:
    known = bot_options(factory)
    given: dict[str, object] = {}
    for part in text.split(","):
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
                return float(text)
            case _:
                return text
    except (KeyError, ValueError):
        kinds = {bool: "yes or no", int: "a whole number", float: "a number"}
        raise InvalidBotOption(
            f"The option {key} is {kinds[type(default)]}, as in {key}={default}, "
            f"not {text!a}."
        ) from None


def _from_file(path: str, name: str | None) -> Factory:
    module = _module(Path(path))
    if name is None:
        if not callable(getattr(module, "choose", None)):
            raise BotError(
                f"{path} has no function choose(observation); if it has a class, "
                f"name it: {path}:MyBot."
            )
        return lambda: cast(Bot, module)
    if not hasattr(module, name):
        raise BotError(f"{path} has no {name}.")
    return _factory(getattr(module, name), name)


def _module(path: Path) -> ModuleType:
    module_name = f"scopa_bot_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None, "its name ends in .py"
    assert spec.loader is not None, "its name ends in .py"
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except (OSError, ImportError, SyntaxError) as reason:
        raise BotError(f"The bot {path} cannot be loaded: {reason}.") from reason
    return module


def _factory(found: Any, name: str) -> Factory:
    if isinstance(found, ModuleType):
        return lambda: cast(Bot, found)
    if not callable(found):
        raise BotError(f"{name} is no bot: it is neither a class nor a module.")
    return cast(Factory, found)


def _listed(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
