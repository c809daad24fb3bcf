"""What a match says on the standard streams, and with what a command of one ends."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO, TextIOWrapper
from typing import TYPE_CHECKING, TextIO

from protocol.text import safe_name
from scopa_net.acquaintances import NAMELESS
from scopa_net.app.stage import Ending, Person
from scopa_net.commands.record_file import RecordFile
from scopa_net.commands.refusals import Failure, Refusal
from scopa_net.commands.terminal import own_terminal
from scopa_net.events import DealScored, Event, MatchWon, Resigned, Stopped, TurnCame
from scopa_net.exits import Exit
from scopa_net.ui.company import Company
from scopa_net.ui.json_lines import (
    Object,
    bot_failed_object,
    event_object,
    left_object,
)
from scopa_net.ui.output import Output, nobody_reads
from scopa_net.ui.sentences import sentences
from scopa_net.ui.words import shuffled_words

if TYPE_CHECKING:
    from scopa_net.bots import Bot
    from scopa_net.bots.bot import Trouble
    from scopa_net.bots.registry import Found

__all__ = ["FORGOTTEN", "Telling", "left_words", "own_name"]

FORGOTTEN = "The match had not begun: nothing of that table is kept here any more."

_LEFT_EARLY = "The match was left before its end."
_NOT_BEGUN = "The match had not begun yet."
_NO_SEAT = "You have not sat down."
_NOBODY_CAME = "Nobody has sat down: the table is gone, and its invitations with it."


class Telling:
    """Where one run of a command says what: data on stdout, talk beside it.

    `leave` is called with an exit code when nobody reads any more, or nothing can be
    written; it may be set later.
    """

    def __init__(self, *, has_person: bool, plain: bool, as_json: bool) -> None:
        self.has_person = has_person
        self.leave: Callable[[int], None] = lambda _: None
        self._data = self._output(sys.stdout) if as_json else None
        self._talk = self._output(
            sys.stderr if as_json else sys.stdout, width=_terminal_width
        )
        self.terminal = own_terminal(plain=plain or as_json or not has_person)
        self._on_screen = False
        self._at_the_end: tuple[str, ...] = ()
        self._ended = False
        self._given_up = False
        self._stopped = False
        self._scores: Sequence[int] = ()
        self._unwritten: OSError | None = None

    @property
    def quiet(self) -> bool:
        """Whether it is a program that listens, and nobody else."""
        return self._data is not None and not self.has_person

    def say(self, *lines: str) -> None:
        """Talk, for people; a whole screen says it itself, and is not written over."""
        if not self._on_screen:
            self._talk.lines(*lines)

    def show_command(self, *commands: str) -> None:
        """What is to be copied: each on one line, however long."""
        if not self._on_screen:
            self._talk.whole(*commands)

    def tell(self, found: Object) -> None:
        """Data, for programs that asked for it."""
        if self._data is not None:
            self._data.lines(json.dumps(found))

    def hear(self, event: Event, company: Company) -> None:
        """What the own seat is told."""
        self._on_screen = self.terminal is not None
        self._ended |= isinstance(event, MatchWon | Stopped)
        self._given_up |= isinstance(event, Resigned)
        self._stopped |= isinstance(event, Stopped)
        if isinstance(event, DealScored):
            self._scores = event.scores
        if self.terminal is not None and isinstance(event, MatchWon | Stopped):
            self._at_the_end = sentences(event, company)
        if self._data is not None:
            if found := event_object(event, company):
                self.tell(found)
        elif not self.has_person and not isinstance(event, TurnCame):
            self.say(*sentences(event, replace(company, you=None)))

    def shuffling(self, done: int, seats: int) -> None:
        """So many of the seats have shuffled the cards that are waited for."""
        if not self.quiet:
            self.say(shuffled_words(done, seats))

    def bot_failed(self, name: str, trouble: Trouble) -> None:
        """A simple move was played for a bot; a person hears of it where it plays."""
        self.tell(bot_failed_object(name, trouble))
        if not self.has_person and not self.quiet:
            self.say(trouble.sentence(name))

    def person(self, adviser: Callable[[], Bot | None]) -> Person | None:
        """Who fills the own seat, if it is no bot."""
        if not self.has_person:
            return None
        terminal = self._data is None and sys.stdout is not None
        return Person(
            self._talk,
            sys.stdin.fileno() if sys.stdin else None,
            bool(terminal and sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()),
            adviser(),
            self.terminal,
        )

    @contextmanager
    def bots_aside(self) -> Iterator[None]:
        """What a bot prints is talk: stdout is ours alone, and so is a whole screen."""
        if self.terminal is None:
            with redirect_stdout(sys.stderr):
                yield
            return
        said = StringIO()
        try:
            with redirect_stdout(said), redirect_stderr(said):
                yield
        finally:
            sys.stderr.write(said.getvalue())

    def finish(
        self,
        ending: Ending,
        file: RecordFile | None,
        scores: Sequence[int],
        *,
        again: str = "",
        left: str = _LEFT_EARLY,
    ) -> int:
        """Say how it ended, write the record, and answer with the exit code.

        `again` is the command that goes on with a match that is kept, `left` what a
        person reads who has gone before the end.
        """
        self._on_screen = False
        self._talk.leave_prompt()
        self.say(*self._at_the_end)
        if not self._ended and ending.failure is None:
            self.tell(left_object(self._scores or scores))
            if self._unwritten is None and not self._given_up:
                self.say(left)
        if file and ending.record:
            file.write(ending.record)
            self.say(f"The record is in {file.path}.")
        if ending.match and self._unwritten is None:
            self._say_kept(ending, again)
        if self._unwritten is not None:
            raise self._unwritten
        return _code(ending)

    def _say_kept(self, ending: Ending, again: str) -> None:
        """What is kept here of a match, and what for."""
        if self._stopped:
            # It never goes on, and nobody waits for it.
            return
        if not ending.unfinished:
            self.say("Not everybody is known to hold the result.")
            self.show_command(f"For them: {again}")
            return
        if self._ended or self._given_up:
            self.say("The result is not confirmed: not every player has signed it yet.")
        self.show_command(f"It is kept: {again}")

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
        self.leave(Exit.DONE if nobody_reads(reason) else Exit.FAILURE)


def left_words(*, kept: bool, begun: bool, hosting: bool) -> str:
    """What a person reads who has gone before the end.

    A table that is `kept` was sat down at; its match has `begun` when all have agreed
    on who plays.
    """
    if begun:
        return _LEFT_EARLY
    if kept:
        return _NOT_BEGUN
    return _NOBODY_CAME if hosting else _NO_SEAT


def own_name(name: str | None, bot: Found | None) -> str:
    """The own name at the table: the one that was given, or the bot's."""
    if name is None:
        return str(safe_name(bot.name)) if bot else NAMELESS
    if not name.strip():
        raise Refusal("A name needs at least one character.")
    return str(safe_name(name))


def _code(ending: Ending) -> int:
    if ending.failure is None:
        return ending.code
    # It is loaded by now if it has failed, and not before a first frame.
    from scopa_net.players import BotFailed

    if ending.failure.check(BotFailed):
        raise Failure(ending.failure.getErrorMessage())
    ending.failure.raiseException()
    raise AssertionError


def _terminal_width(stream: TextIO) -> int | None:
    """How many columns a line may have; None if it is no terminal that tells."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except OSError:
        return None
    return columns - 1 if columns > 1 else None
