"""``scopa play``: a match against bots, offline."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO, TextIOWrapper
from typing import TextIO

import click

from protocol.crypto.group import UnsafeGroup
from protocol.text import safe_name
from scopa_net.app import Chair, Ending, LocalMatch, Person
from scopa_net.bots import Bot
from scopa_net.bots.registry import BotError, Found, find_bot
from scopa_net.commands.record_file import RecordFile
from scopa_net.commands.refusals import Failure, Refusal
from scopa_net.commands.terminal import own_terminal, plain_option
from scopa_net.commands.variant_options import chosen_variant, variant_options
from scopa_net.events import DealScored, Event, MatchWon, Stopped, TurnCame
from scopa_net.exits import Exit
from scopa_net.players import BotFailed
from scopa_net.rules import Variant
from scopa_net.ui.company import Company
from scopa_net.ui.json_lines import event_object, left_object
from scopa_net.ui.lines import SHUFFLING
from scopa_net.ui.output import Output, nobody_reads
from scopa_net.ui.sentences import sentences
from scopa_net.ui.words import and_list, counted

__all__ = ["command"]

USUAL_BOT = "rules"
UNNAMED = "Player"
NAMES = ("Bruno", "Carla", "Dario", "Elena", "Fabio", "Giulia")


@click.command(name="play", short_help="Play against bots, offline.")
@click.option(
    "--against",
    "against",
    multiple=True,
    metavar="BOT",
    help="Who plays against you; again for each further one. The last one takes all "
    "seats that are left. With 4 or 6 players the draw for places makes some of them "
    "your partners. [default: rules]",
)
@click.option("--bot", metavar="BOT", help="A bot plays your seat.")
@variant_options
@click.option(
    "--name", envvar="SCOPA_NAME", show_envvar=True, help="Your name at the table."
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write what `scopa audit` checks; an existing file is not overwritten.",
)
@plain_option
@click.option("--json", "as_json", is_flag=True, help="Print events as JSON lines.")
def command(  # noqa: PLR0913, as each option is an argument
    *,
    against: tuple[str, ...],
    bot: str | None,
    variant: str,
    players: int | None,
    rules: tuple[str, ...],
    name: str | None,
    record: str | None,
    plain: bool,
    as_json: bool,
) -> int:
    """Play a match against bots, offline.

    \b
    scopa play
    scopa play --players 3 --against greedy --against rules
    scopa play --bot greedy --against rules --json

    On a terminal it is a whole screen of cards: press ? for its keys. With --plain, and
    where there is no terminal, it is played in sentences, line by line: type help when
    you are asked for a card.

    Leaves with 0 if the match was played or left, 1 if a bot failed, 2 if there is no
    such bot, file of a bot, or game, 5 if the match was stopped.
    """
    if players is None and len(against) > 1:
        players = len(against) + 1
    chosen = chosen_variant(variant, players, rules)
    asked = _opponents(chosen, against)
    chairs = _chairs(bot, name, asked)
    file = None if record is None else RecordFile.named(record)
    playing = _Playing(chosen, chairs, plain=plain, as_json=as_json)
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
    mine = None if bot is None else _bot(bot)
    own = Chair(_own_name(name, mine), mine.bot if mine else None)
    others = [_bot(one) for one in asked]
    if mine is not None:
        return [own, *(Chair(str(safe_name(one.name)), one.bot) for one in others)]
    taken = own.name.casefold()
    names = [name for name in NAMES if name.casefold() != taken]
    seated = zip(names, others, strict=False)
    return [own, *(Chair(name, one.bot) for name, one in seated)]


def _bot(text: str) -> Found:
    try:
        return find_bot(text)
    except BotError as reason:
        raise Refusal(str(reason)) from reason


def _own_name(name: str | None, bot: Found | None) -> str:
    if name is None:
        return str(safe_name(bot.name)) if bot else UNNAMED
    if not name.strip():
        raise Refusal("A name needs at least one character.")
    return str(safe_name(name))


class _Playing:
    """One run of the command: what it prints, and how it ends."""

    def __init__(
        self,
        variant: Variant,
        chairs: Sequence[Chair],
        *,
        plain: bool,
        as_json: bool,
    ) -> None:
        self._variant = variant
        self._chairs = chairs
        self._data = self._output(sys.stdout) if as_json else None
        self._talk = self._output(
            sys.stderr if as_json else sys.stdout, width=_terminal_width
        )
        self._has_person = chairs[0].bot is None
        lines_only = plain or as_json or not self._has_person
        self._terminal = own_terminal(plain=lines_only)
        self._at_the_end: tuple[str, ...] = ()
        self._ended = False
        self._scores = (0,) * variant.sides
        self._unwritten: OSError | None = None
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
        if self._terminal is None:
            self._talk.line(SHUFFLING)

    def play(self, file: RecordFile | None) -> int:
        """Play, write the record, and answer with the exit code."""
        with self._bots_aside():
            ending = self._match.play()
        for line in self._at_the_end:
            self._talk.line(line)
        if not self._ended and ending.failure is None:
            self._tell_left()
        if file and ending.record:
            file.write(ending.record)
            self._talk.line(f"The record is in {file.path}.")
        if self._unwritten is not None:
            raise self._unwritten
        return _code(ending)

    @contextmanager
    def _bots_aside(self) -> Iterator[None]:
        """What a bot prints is talk: stdout is ours alone, and so is a whole screen."""
        if self._terminal is None:
            with redirect_stdout(sys.stderr):
                yield
            return
        said = StringIO()
        try:
            with redirect_stdout(said), redirect_stderr(said):
                yield
        finally:
            sys.stderr.write(said.getvalue())

    def _tell_left(self) -> None:
        if self._data is not None:
            self._data.line(json.dumps(left_object(self._scores)))
        if self._unwritten is None:
            self._talk.line("The match was left before its end.")

    def _hear(self, event: Event, company: Company) -> None:
        self._ended |= isinstance(event, MatchWon | Stopped)
        if isinstance(event, DealScored):
            self._scores = event.scores
        if self._terminal is not None and isinstance(event, MatchWon | Stopped):
            self._at_the_end = sentences(event, company)
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
            self._terminal,
        )

    def _output(
        self,
        stream: TextIO | None,
        *,
        width: Callable[[TextIO], int | None] = lambda _: None,
    ) -> Output:
        """Where lines go; what the stream cannot write is shown by a mark."""
        if stream is None:
            return Output(StringIO(), self._lose)
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
        return Output(stream, self._lose, width=lambda: width(stream))

    def _lose(self, reason: OSError) -> None:
        """The output takes no more: the match is left, and the end says why."""
        if self._unwritten is None or nobody_reads(self._unwritten):
            self._unwritten = reason
        self._match.leave(Exit.DONE if nobody_reads(reason) else Exit.FAILURE)


def _terminal_width(stream: TextIO) -> int | None:
    """How many columns a line may have; None if it is no terminal that tells."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except OSError:
        return None
    return columns - 1 if columns > 1 else None


def _adviser() -> Bot | None:
    try:
        return find_bot(USUAL_BOT).bot
    except BotError:
        return None


def _code(ending: Ending) -> int:
    if ending.failure is None:
        return ending.code
    if ending.failure.check(BotFailed):
        raise Failure(ending.failure.getErrorMessage())
    ending.failure.raiseException()
    raise AssertionError
