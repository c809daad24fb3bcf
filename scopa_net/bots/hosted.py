"""A bot written in Python, at its end of the pipe: ``python -m scopa_net.bots.hosted``.

It is asked for by its name or file, and plays by the same JSON lines as a bot in any
other language. What it prints goes to stderr, what it reads is empty.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Iterator
from typing import Any, TextIO

from protocol.text import SafeText
from scopa_net.bots.answers import is_action, kind_of
from scopa_net.bots.bot import Bot, Explains
from scopa_net.bots.errors import BotError
from scopa_net.bots.forms import Object, read_observation
from scopa_net.bots.loading import Description, Factory, describe, guarded, made
from scopa_net.bots.plugin import PROTOCOL
from scopa_net.bots.registry import loaded
from scopa_net.rules.notation import format_action
from scopa_net.rules.observation import Observation

__all__ = ["main"]

_OUR_FILES = {__file__, guarded.__code__.co_filename}


def main(target: str) -> None:
    """Load the bot, say what it is, and answer until the input ends."""
    asked, said = _own_pipes()
    if os.path.dirname(target):
        # Files beside the bot's own can be imported by it, and hide nothing of ours.
        sys.path.append(os.path.abspath(os.path.dirname(target)))
    try:
        _play(target, _objects(asked), said)
    except BotError as reason:
        _say(said, {"type": "error", "message": str(reason)})


def _play(target: str, asked: Iterator[Object], said: TextIO) -> None:
    if next(asked, {}).get("type") != "hello":
        return
    name, factory = loaded(target)
    about = _described(factory, name)
    hello = {"protocol": PROTOCOL, "name": name, "about": about.summary}
    _say(said, {"type": "hello", **hello, "options": dict(about.options)})
    bot: Bot | None = None
    for request in asked:
        match request.get("type"):
            case "options":
                bot = made(factory, name, request["options"])
                _say(said, {"type": "ready"})
            case "choose" if bot is not None:
                _say(said, {"id": request["id"], **_answered(bot, request)})
            case "quit":
                return


def _described(factory: Factory, name: str) -> Description:
    """What the bot says of itself; one that cannot be looked at plays all the same."""
    try:
        return describe(factory, name)
    except BotError:
        return Description(SafeText(""), {})


def _answered(bot: Bot, request: Object) -> Object:
    seen = read_observation(request["observation"])
    try:
        return guarded("", lambda: _move(bot, seen, explain=request["explain"]))
    except BotError as reason:
        if reason.__cause__ is not None:
            _print_where(reason.__cause__)
        message = str(reason).removeprefix(": ")
        return {"type": "error", "message": message}


def _move(bot: Bot, seen: Observation, *, explain: bool) -> Object:
    action: object = bot.choose(seen)
    if not is_action(action):
        raise BotError(f"It chose what is no action: {kind_of(action)}.")
    answer: Object = {"type": "move", "action": format_action(action)}
    if explain and isinstance(bot, Explains):
        answer["reasons"] = [str(one) for one in bot.explain(seen, action)]
    return answer


def _print_where(reason: BaseException) -> None:
    """The traceback, from where the bot's own code begins."""
    frames = reason.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename in _OUR_FILES:
        frames = frames.tb_next
    traceback.print_exception(type(reason), reason, frames)


def _own_pipes() -> tuple[TextIO, TextIO]:
    """The pipes to the match, which the bot's own code does not find any more."""
    asked, said = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return (
        open(asked, encoding="utf-8"),
        open(said, "w", encoding="utf-8", buffering=1),
    )


def _objects(asked: TextIO) -> Iterator[dict[str, Any]]:
    for line in asked:
        yield json.loads(line)


def _say(said: TextIO, what: Object) -> None:
    said.write(json.dumps(what) + "\n")
    said.flush()


if __name__ == "__main__":
    main(sys.argv[1])
