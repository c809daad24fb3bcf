"""``scopa play``: a match against bots, offline."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import TextIO

import click

from protocol.crypto.group import UnsafeGroup
from protocol.text import safe_name
from scopa_net.app import EXIT_DONE, Chair, Ending, LocalMatch, Person
from scopa_net.bots import Bot
from scopa_net.bots.registry import BotError, find_bot
from scopa_net.commands.record_file import RecordFile
from scopa_net.commands.refusals import Failure, JsonCommand, Refusal
from scopa_net.commands.variant_options import chosen_variant, variant_options
from scopa_net.events import Event, MatchWon, Stopped, TurnCame
from scopa_net.players import BotFailed
from scopa_net.rules import Variant
from scopa_net.ui.company import Company
from scopa_net.ui.json_lines import event_object
from scopa_net.ui.lines import SHUFFLING
from scopa_net.ui.output import Output
from scopa_net.ui.sentences import sentences
from scopa_net.ui.words import and_list, counted

__all__ = ["command"]

USUAL_BOT = "rules"
UNNAMED = "Player"
NAMES = ("Bruno", "Carla", "Dario", "Elena", "Fabio")


@click.command(name="play", cls=JsonCommand, short_help="Play against bots, offline.")
@click.option(
    "--against",
    "against",
    multiple=True,
    metavar="BOT",
    help="Who plays against you; again for each further opponent. [default: rules]",
)
@click.option("--bot", metavar="BOT", help="A bot plays your seat.")
@variant_options
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
    """Play a match against bots, offline.

    \b
    scopa play
    scopa play --players 3 --against greedy --against rules
    scopa play --bot greedy --against rules --json

    It is played in sentences, line by line: type help when you are asked for a card.
    """
    if players is None and len(against) > 1:
        players = len(against) + 1
    chosen = chosen_variant(variant, players, rules)
    asked = _opponents(chosen, against)
    chairs = _chairs(bot, name, asked)
    file = RecordFile(record) if record else None
    playing = _Playing(chosen, chairs, as_json=as_json)
    playing.introduce(asked)
    return playing.play(file)


def _opponents(variant: Variant, against: Sequence[str]) -> list[str]:
    """The bots for the other seats; the last one asked for fills what is left."""
    others = variant.players - 1
    if len(against) > others:
        raise Refusal(
            f"{len(against)} opponents and you are more than {variant.players} players."
        )
    asked = [*against] or [USUAL_BOT]
    return asked + asked[-1:] * (others - len(asked))


def _chairs(bot: str | None, name: str | None, asked: Sequence[str]) -> list[Chair]:
    """The own chair, then the others. A person's opponents have names of people."""
    names = [_bot_name(one) for one in asked] if bot else NAMES
    own = Chair(_own_name(name, bot), _bot(bot) if bot else None)
    others = [Chair(name, _bot(one)) for name, one in zip(names, asked, strict=False)]
    return [own, *others]


def _bot(text: str) -> Bot:
    try:
        return find_bot(text)
    except BotError as reason:
        raise Refusal(str(reason)) from reason


def _bot_name(text: str) -> str:
    """What a bot is called: its name without options, a file without its folder."""
    if ".py" in text:
        return str(safe_name(Path(text.partition(".py")[0]).name))
    return str(safe_name(text.partition(":")[0]))


def _own_name(name: str | None, bot: str | None) -> str:
    if name is None:
        return _bot_name(bot) if bot else UNNAMED
    if not name.strip():
        raise Refusal("A name needs at least one character.")
    return str(safe_name(name))


class _Playing:
    """One run of the command: what it prints, and how it ends."""

    def __init__(
        self, variant: Variant, chairs: Sequence[Chair], *, as_json: bool
    ) -> None:
        self._variant = variant
        self._chairs = chairs
        self._data = self._output(sys.stdout) if as_json else None
        self._talk = self._output(sys.stderr if as_json else sys.stdout)
        self._has_person = chairs[0].bot is None
        self._ended = False
        try:
            self._match = LocalMatch(
                variant,
                chairs,
                hear=self._hear,
                person=self._person() if self._has_person else None,
            )
        except UnsafeGroup as reason:
            raise Failure(f"{reason}: no cards can be dealt safely here.") from reason

    def introduce(self, asked: Sequence[str]) -> None:
        """Say who plays what, before anything is dealt."""
        if self._data is not None and not self._has_person:
            return
        others = [
            f"{chair.name} (bot {bot})" if self._has_person else chair.name
            for chair, bot in zip(self._chairs[1:], asked, strict=True)
        ]
        points = counted(self._variant.target, "point")
        title = f"{self._variant.id.capitalize()} to {points} with {and_list(others)}"
        mine = "" if self._has_person else f", played for you by {self._chairs[0].name}"
        self._talk.line(f"{title}{mine}.")
        self._talk.line(SHUFFLING)

    def play(self, file: RecordFile | None) -> int:
        """Play, write the record, and answer with the exit code."""
        ending = self._match.play()
        if not self._ended and ending.failure is None:
            self._talk.line("The match was left before its end.")
        if file and not ending.record:
            self._talk.line("Nothing was played, so there is no record.")
        elif file and ending.record:
            file.write(ending.record)
            self._talk.line(f"The record is in {file.path}.")
        return _code(ending)

    def _hear(self, event: Event, company: Company) -> None:
        self._ended |= isinstance(event, MatchWon | Stopped)
        if self._data is not None:
            if found := event_object(event, company):
                self._data.line(json.dumps(found))
        elif not self._has_person and not isinstance(event, TurnCame):
            for line in sentences(event, replace(company, you=None)):
                self._talk.line(line)

    def _person(self) -> Person:
        terminal = self._data is None and sys.stdout is not None
        return Person(
            self._talk,
            sys.stdin.fileno() if sys.stdin else None,
            bool(terminal and sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()),
            _adviser(),
        )

    def _output(self, stream: TextIO | None) -> Output:
        """Where lines go; what the stream cannot write is shown by a mark."""
        if stream is None:
            return Output(StringIO(), lambda: None)
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
        return Output(stream, partial(self._lost, stream))

    def _lost(self, stream: TextIO) -> None:
        """Nobody reads any more: the match is left, and nothing is said about it."""
        self._ended = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        self._match.leave(EXIT_DONE)


def _adviser() -> Bot | None:
    try:
        return find_bot(USUAL_BOT)
    except BotError:
        return None


def _code(ending: Ending) -> int:
    if ending.failure is None:
        return ending.code
    if ending.failure.check(BotFailed):
        raise Failure(ending.failure.getErrorMessage())
    ending.failure.raiseException()
    raise AssertionError
