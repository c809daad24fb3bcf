"""Finds a bot by what a player types: ``NAME``, or ``NAME:option=value,...``.

A name is announced by an installed distribution in the entry point group
`scopa_net.bots`. In a source tree our own names are read from its pyproject.toml, so
nothing has to be installed there. A file is a bot too: ``./my.py`` if it has a
function `choose`, ``./my.py:MyBot`` if it has a class. A bot is loaded when it is
asked for, and no other with it.

The options of a bot are the parameters of its class that have a default; the text of
a value is read as the type of that default.

Whatever a bot's code does before it plays, it does in `_foreign`: when it fails, that
is a sentence for the player, and what it prints is not taken for our output.
"""

from __future__ import annotations

import importlib.util
import inspect
import math
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from traceback import TracebackException
from types import ModuleType
from typing import Any, TypeAlias, TypeVar, cast

from protocol.text import LINE_CELLS_MAX, SafeText, safe_text
from scopa_net import HOME
from scopa_net.bots.bot import Bot

GROUP = "scopa_net.bots"
OURS = "scopa-net"

_FILE = re.compile(r"(.+?\.py)(?::(\w+))?(?::(.*))?", re.DOTALL)
_TRUTHS = {"yes": True, "on": True, "true": True, "1": True}
_TRUTHS |= {"no": False, "off": False, "false": False, "0": False}

Factory: TypeAlias = Callable[..., Bot]
T = TypeVar("T")


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
        return _foreign(
            f"The bot {self.name} of {self.source} cannot be loaded",
            lambda: _factory(
                EntryPoint(self.name, self.target, GROUP).load(), self.name
            ),
        )


@dataclass(frozen=True, slots=True)
class Found:
    """A bot that is ready to play, and what it is called, without its options."""

    name: str
    bot: Bot


@dataclass(frozen=True, slots=True)
class Description:
    """What a bot says of itself: its first line of help, its options' defaults."""

    summary: SafeText
    options: Mapping[str, object]


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


def find_bot(text: str) -> Found:
    """The bot that a text such as ``rules:keep=0.5`` asks for.

    UnknownBot, InvalidBotOption or BotError, each with a sentence for the player.
    """
    if file := _FILE.fullmatch(text.strip()):
        path, name, options = file[1], file[2] or Path(file[1]).stem, file[3]
        factory = _from_file(path, file[2])
    else:
        name, colon, options = text.strip().partition(":")
        factory = _entry(name).load()
        options = options if colon else None
    given = {} if options is None else _read_options(factory, name, options)
    return Found(name, _made(factory, name, given))


def anywhere(text: str) -> str:
    """The text that asks for the same bot in whatever folder it is read."""
    file = _FILE.fullmatch(text.strip())
    if file is None:
        return text.strip()
    return os.path.abspath(file[1]) + text.strip()[file.end(1) :]


def describe(factory: Factory, name: str) -> Description:
    """What a bot says of itself, without being made."""

    def ask() -> Description:
        about = (inspect.getdoc(factory) or "").partition("\n")[0]
        summary = safe_text(about, cells_max=LINE_CELLS_MAX)
        return Description(summary, _options(factory))

    return _foreign(f"The bot {name} cannot be described", ask)


def _options(factory: Factory) -> Mapping[str, object]:
    """The options that a bot takes, each with its default."""
    return {
        name: _plain(parameter.default)
        for name, parameter in inspect.signature(factory).parameters.items()
        if parameter.default is not parameter.empty
    }


def _plain(default: object) -> object:
    """The default as a truth, a number or a text of Python's own types."""
    match default:
        case bool():
            return default
        case int():
            return int(default)
        case float():
            return float(default)
        case _:
            return str(default)


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


def _foreign(sentence: str, call: Callable[[], T]) -> T:
    """What a call of a bot's code gives; a BotError that begins so if it fails."""
    try:
        with redirect_stdout(sys.stderr):
            return call()
    except (KeyboardInterrupt, BotError):
        raise
    # The outermost frame of foreign code, which may raise anything, SystemExit too: an
    # error here is the bot's. Only Ctrl-C is the player's own.
    except BaseException as reason:
        raise BotError(f"{sentence}: {told(reason)}.") from reason


def told(reason: BaseException) -> SafeText:
    """Type and text of what foreign code raised, in one line."""
    lines = TracebackException.from_exception(reason, limit=0).format_exception_only()
    # The lines of the source before a SyntaxError begin with blanks.
    first = next((line for line in lines if not line[:1].isspace()), "")
    return safe_text(first.strip().rstrip("."), cells_max=LINE_CELLS_MAX)


def _made(factory: Factory, name: str, given: Mapping[str, object]) -> Bot:
    def make() -> Bot:
        bot = factory(**given)
        if not callable(getattr(bot, "choose", None)):
            raise BotError(f"{name} is no bot: it has no method choose(observation).")
        return bot

    return _foreign(f"The bot {name} cannot start", make)


def _read_options(factory: Factory, name: str, text: str) -> dict[str, object]:
    known = describe(factory, name).options
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


def _from_file(path: str, name: str | None) -> Factory:
    if not os.path.exists(path):
        raise UnknownBot(f"There is no file {path!a}.")
    return _foreign(
        f"The bot {path} cannot be loaded",
        lambda: _in_module(_module(path), path, name),
    )


def _in_module(module: ModuleType, path: str, name: str | None) -> Factory:
    if name is not None:
        if not hasattr(module, name):
            raise BotError(f"{path} has no {name}.")
        return _factory(getattr(module, name), name)
    if not callable(getattr(module, "choose", None)):
        raise BotError(
            f"{path} has no function choose(observation); if it has a class, "
            f"name it: {path}:MyBot."
        )
    return _factory(module, path)


def _module(path: str) -> ModuleType:
    module_name = f"scopa_bot_{Path(path).stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None, "its name ends in .py"
    assert spec.loader is not None, "its name ends in .py"
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    return module


def _factory(found: Any, name: str) -> Factory:
    if isinstance(found, ModuleType):

        def module() -> Bot:
            return cast(Bot, found)

        module.__doc__ = found.__doc__
        return module
    if not callable(found):
        raise BotError(f"{name} is no bot: it is neither a class nor a module.")
    return cast(Factory, found)


def _listed(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
