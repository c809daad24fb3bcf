"""``scopa play``: a match against bots, offline."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import click

from protocol.crypto.group import UnsafeGroup
from protocol.text import safe_name
from scopa_net.app import EXIT_DONE, Chair, Ending, LocalMatch
from scopa_net.bots import Bot
from scopa_net.bots.registry import BotError, find_bot
from scopa_net.commands.record_file import RecordFile
from scopa_net.commands.refusals import Failure, JsonCommand, Refusal
from scopa_net.events import Event
from scopa_net.players import BotFailed
from scopa_net.rules import RulesError, Variant, find_variant
from scopa_net.ui.company import Company
from scopa_net.ui.json_lines import event_object
from scopa_net.ui.output import Output

__all__ = ["command"]

USUAL_BOT = "rules"
UNNAMED = "Player"
NAME_BYTES_MAX = 64


@click.command(name="play", cls=JsonCommand, short_help="Play against bots, offline.")
@click.option(
    "--against",
    "against",
    multiple=True,
    metavar="BOT",
    help="Who plays against you; again for each further opponent. [default: rules]",
)
@click.option("--bot", metavar="BOT", help="A bot plays your seat.")
@click.option(
    "--variant", default="scopa", show_default=True, help="Which game is played."
)
@click.option(
    "--players", type=int, metavar="N", help="2, 3, 4 or 6 seats. [default: 2]"
)
@click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a rule of the variant, as in target=21; again for more.",
)
@click.option(
    "--name", envvar="SCOPA_NAME", show_envvar=True, help="Your name at the table."
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write what `scopa audit` checks; an existing file is not overwritten.",
)
@click.option("--json", "as_json", is_flag=True, help="Print events as JSON lines.")
def command(
    *,
    against: tuple[str, ...],
    bot: str | None,
    variant: str,
    players: int | None,
    rules: tuple[str, ...],
    name: str | None,
    record: Path | None,
    as_json: bool,
) -> int:
    r"""Play a match against bots, offline.

    \b
    scopa play
    scopa play --players 3 --against greedy --against rules
    scopa play --bot greedy --against rules --json
    """
    chosen = _variant(variant, players or len(against) + 1, rules)
    chairs = _chairs(chosen, bot, against, name)
    file = RecordFile(record) if record else None
    ending = _play(chosen, chairs, as_json=as_json)
    if file and ending.record:
        file.write(ending.record)
    return _code(ending)


def _variant(id_: str, players: int, rules: Sequence[str]) -> Variant:
    changes: dict[str, str] = {}
    for rule in rules:
        key, equals, value = (word.strip() for word in rule.partition("="))
        if not key or not equals:
            raise Refusal(f"A rule is written key=value, not {rule!a}.")
        if key in changes:
            raise Refusal(f"The rule {key} is given twice.")
        changes[key] = value
    try:
        return find_variant(id_, max(players, 2), changes)
    except RulesError as reason:
        raise Refusal(str(reason)) from reason


def _chairs(
    variant: Variant, bot: str | None, against: Sequence[str], name: str | None
) -> list[Chair]:
    """The own chair, then the others in the order in which they were asked for."""
    others = variant.players - 1
    if len(against) > others:
        raise Refusal(
            f"{len(against)} opponents and you are more than {variant.players} players."
        )
    asked = [*against] or [USUAL_BOT]
    asked += asked[-1:] * (others - len(asked))
    own = Chair(_own_name(name, bot), _bot(bot or USUAL_BOT))
    return [own, *(Chair(_bot_name(one), _bot(one)) for one in asked)]


def _bot(text: str) -> Bot:
    try:
        return find_bot(text)
    except BotError as reason:
        raise Refusal(str(reason)) from reason


def _bot_name(text: str) -> str:
    """What a bot is called: its name without options, a file without its folder."""
    if ".py" in text:
        return _name(Path(text.partition(".py")[0]).name)
    return _name(text.partition(":")[0])


def _own_name(name: str | None, bot: str | None) -> str:
    if name is None:
        return _bot_name(bot) if bot else UNNAMED
    if not name.strip():
        raise Refusal("A name needs at least one character.")
    return _name(name)


def _name(text: str) -> str:
    """A name as the table can carry it: safe to show, and not long in bytes either."""
    name = str(safe_name(text))
    if len(name.encode()) > NAME_BYTES_MAX:
        raise Refusal(f"The name {name} takes more than {NAME_BYTES_MAX} bytes.")
    return name


def _play(variant: Variant, chairs: Sequence[Chair], *, as_json: bool) -> Ending:
    def lost() -> None:
        _discard(sys.stdout)
        match.leave(EXIT_DONE)

    def hear(event: Event, company: Company) -> None:
        found = event_object(event, company)
        if as_json and found is not None:
            out.line(json.dumps(found))

    out = Output(sys.stdout, lost)
    try:
        match = LocalMatch(variant, chairs, hear=hear)
    except UnsafeGroup as reason:
        raise Failure(f"{reason}: no cards can be dealt safely here.") from reason
    return match.play()


def _code(ending: Ending) -> int:
    if ending.failure is None:
        return ending.code
    if ending.failure.check(BotFailed):
        raise Failure(ending.failure.getErrorMessage())
    ending.failure.raiseException()
    raise AssertionError


def _discard(stream: TextIO) -> None:
    """What is still written to a stream that is gone is dropped without a word."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
