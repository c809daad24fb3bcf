"""Runs the Python code of a bot in this process, up to the bot that is made.

For our own bots that is the program of the match; for all others it is a process of
their own (`hosted.py`). Whatever a bot's code does before it plays, it does in
`_foreign`: when it fails, that is a sentence for the player, and what it prints is not
taken for our output.
"""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from traceback import TracebackException
from types import ModuleType
from typing import Any, Final, TypeAlias, TypeVar, cast

from protocol.text import LINE_CELLS_MAX, SafeText, safe_text
from scopa_net.bots.bot import Bot
from scopa_net.bots.errors import BotError, UnknownBot

__all__ = [
    "GROUP",
    "Description",
    "Factory",
    "describe",
    "factory_of_entry",
    "factory_of_file",
    "guarded",
    "made",
    "told",
]

GROUP: Final = "scopa_net.bots"

Factory: TypeAlias = Callable[..., Bot]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Description:
    """What a bot says of itself: its first line of help, its options' defaults."""

    summary: SafeText
    options: Mapping[str, object]


def factory_of_entry(name: str, target: str, source: str) -> Factory:
    """What makes the bot that `source` announces; BotError if it cannot be loaded."""
    return guarded(
        f"The bot {name} of {source} cannot be loaded",
        lambda: _factory(EntryPoint(name, target, GROUP).load(), name),
    )


def factory_of_file(path: str, name: str | None) -> Factory:
    """What makes the bot of a file: its class of that name, or its `choose`."""
    if not os.path.exists(path):
        raise UnknownBot(f"There is no file {path!a}.")
    return guarded(
        f"The bot {path} cannot be loaded",
        lambda: _in_module(_module(path), path, name),
    )


def describe(factory: Factory, name: str) -> Description:
    """What a bot says of itself, without being made."""

    def ask() -> Description:
        about = (inspect.getdoc(factory) or "").partition("\n")[0]
        summary = safe_text(about, cells_max=LINE_CELLS_MAX)
        return Description(summary, _options(factory))

    return guarded(f"The bot {name} cannot be described", ask)


def made(factory: Factory, name: str, given: Mapping[str, object]) -> Bot:
    """The bot, with these options."""

    def make() -> Bot:
        bot = factory(**given)
        if not callable(getattr(bot, "choose", None)):
            raise BotError(f"{name} is no bot: it has no method choose(observation).")
        return bot

    return guarded(f"The bot {name} cannot start", make)


def guarded(sentence: str, call: Callable[[], T]) -> T:
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
