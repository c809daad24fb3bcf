"""What ``host``, ``join`` and ``resume`` share: one seat at a table elsewhere."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from protocol.codes import BadCode
from protocol.crypto.group import UnsafeGroup
from protocol.entry import SEATS_MAX
from protocol.files import shown
from protocol.links import NotListening, NotReached
from protocol.links.dialing import Place
from protocol.links.endings import NoMulticast
from protocol.room import Room
from protocol.text import SafeText
from scopa_net.acquaintances import Introduction
from scopa_net.app.introductions import NotWhoYouKnow
from scopa_net.app.meeting import NoMeeting, OtherRules
from scopa_net.app.network import NetworkMatch
from scopa_net.app.remote import Introducers, NewCode
from scopa_net.app.uninvited import NoTable
from scopa_net.bots.registry import Found
from scopa_net.commands.data_folder import (
    Absent,
    Refused,
    data_folder_option,
    kept_things,
)
from scopa_net.commands.record_file import RecordFile
from scopa_net.commands.refusals import Failure, Refusal
from scopa_net.commands.seated_bots import bot_named, usual_adviser
from scopa_net.commands.tables_nearby import NOTHING_FOUND, table_line
from scopa_net.commands.telling import FORGOTTEN, Telling, left_words
from scopa_net.commands.terminal import plain_option
from scopa_net.events import Event
from scopa_net.exits import Exit
from scopa_net.home import Home, key_in, short_id
from scopa_net.rules import Variant
from scopa_net.ui.absence import Waiting, waiting_lines
from scopa_net.ui.chatting import chat_line
from scopa_net.ui.company import Company
from scopa_net.ui.gathering import Seen, room_lines, seen
from scopa_net.ui.introductions import introduction_sentences
from scopa_net.ui.json_lines import (
    chat_object,
    code_object,
    introduced_object,
    knocking_object,
    listening_object,
    room_object,
    servers_object,
    waiting_object,
    watched_object,
)
from scopa_net.ui.kept import standing_line
from scopa_net.ui.words import and_list, changed_rules, counted

if TYPE_CHECKING:
    from scopa_net.app.nearby import TableNearby

__all__ = [
    "AtTable",
    "bot_or_none",
    "name_option",
    "nobody_there",
    "options_again",
    "seat_options",
    "side_option",
]

Command = TypeVar("Command", bound=Callable[..., object])

name_option = click.option(
    "--name", envvar="SCOPA_NAME", show_envvar=True, help="Your name at the table."
)


side_option = click.option(
    "--side",
    type=click.IntRange(1, SEATS_MAX),
    callback=lambda _context, _option, side: None if side is None else side - 1,
    metavar="N",
    help="The side to play for, from 1, at a table of teams. [default: drawn]",
)


def seat_options(command: Command) -> Command:
    """The options of every command that takes a seat over the network."""
    for option in reversed(
        (
            click.option("--bot", metavar="BOT", help="A bot plays your seat."),
            data_folder_option,
            click.option(
                "--record",
                type=click.Path(dir_okay=False),
                metavar="FILE",
                help="Also write the record to a new file, for `scopa audit`.",
            ),
            plain_option,
            click.option(
                "--json", "as_json", is_flag=True, help="Print events as JSON lines."
            ),
        )
    ):
        command = option(command)
    return command


class AtTable:
    """One run of such a command: what it says, and how it ends.

    `again` are the options with which `scopa resume` finds the match and its player.
    """

    def __init__(
        self,
        home: Home,
        bot: Found | None,
        *,
        again: str,
        record: str | None,
        plain: bool,
        as_json: bool,
    ) -> None:
        self._file = None if record is None else RecordFile.named(record)
        self._telling = Telling(has_person=bot is None, plain=plain, as_json=as_json)
        self._home = home
        self._again = again
        self._covered = False
        self._room: Seen | None = None
        self._gathers = False
        self._missing: tuple[str, ...] = ()
        try:
            with kept_things():
                person = self._telling.person(usual_adviser)
                self._match = NetworkMatch(home, bot.bot if bot else None, self, person)
        except UnsafeGroup as reason:
            raise Failure(f"{reason}: no cards can be dealt safely here.") from reason
        self._telling.leave = self._match.leave
        self._match.bot_failed = self._telling.bot_failed
        self.interactive = person is not None and person.interactive
        """Whether a person can be asked."""

    def play(self, prepare: Callable[[NetworkMatch], None]) -> int:
        """Prepare the match, play it, and answer with the exit code."""
        with kept_things(), nobody_there():
            prepare(self._match)
            with self._telling.bots_aside():
                ending = self._match.play()
            match = short_id(ending.match, self._home.saved()) if ending.match else ""
            again = f"scopa resume {match}{self._again}"
            scores = self._match.scores
            begun, meeting = self._match.table() is not None, self._match.meeting
            hosting = meeting is not None and meeting.hosting
            left = left_words(kept=bool(ending.match), begun=begun, hosting=hosting)
            if ending.abandoned and ending.failure:
                self._telling.say(FORGOTTEN)
            return self._telling.finish(
                ending, self._file, scores, again=again, left=left
            )

    # -- an Audience ---------------------------------------------------------

    def hear(self, event: Event, company: Company) -> None:
        """See `Audience`."""
        self._room, self._gathers = None, False
        # A whole screen has come up, and shows who is away.
        self._covered = self._telling.terminal is not None
        self._telling.hear(event, company)

    def shuffling(self, done: int, seats: int) -> None:
        """See `Audience`."""
        self._telling.shuffling(done, seats)

    def listening(
        self,
        match: str,
        port: int,
        invites: tuple[str, ...],
        free: tuple[str, ...],
        codes: tuple[str, ...],
        watch: str,
    ) -> None:
        """See `Audience`."""
        found = listening_object(
            match, port, invites, codes, watch, asks=self.interactive
        )
        self._telling.tell(found)
        if self._telling.quiet:
            return
        if free:
            self._invite(free, codes)
            if not self.interactive:
                self._telling.say(
                    "Nobody is let in who only knocks: no person sits here at a "
                    "terminal who could be asked."
                )
        self._telling.show_command(f"Whoever watches only: scopa join {watch} --watch")

    def _invite(self, free: tuple[str, ...], codes: tuple[str, ...]) -> None:
        if codes:
            many = "Read out one of these to each player; each serves one, once:"
            self._telling.say(many if codes[1:] else "Read this to the other player:")
            self._telling.show_command(*(f"scopa join {code}" for code in codes))
            self._telling.say("Or send this, which needs no server:")
            self._telling.show_command(*(f"scopa join {invite}" for invite in free))
            return
        many = "Each of these lines invites one player:"
        self._telling.say(many if free[1:] else "This invites the other player:")
        self._telling.show_command(*(f"scopa join {invite}" for invite in free))

    def watched(self, names: tuple[SafeText, ...]) -> None:
        """See `Audience`."""
        self._telling.tell(watched_object(names))
        if not self._telling.has_person and not self._telling.quiet:
            who = and_list(names) if names else "nobody any more"
            self._telling.say(f"Watched by {who}.")

    def codes(self, news: NewCode | Introducers) -> None:
        """See `Audience`."""
        code = news.code if isinstance(news, NewCode) else None
        if isinstance(news, NewCode):
            self._telling.tell(code_object(code, news.why))
        else:
            self._telling.tell(servers_object(there=news.there, why=news.why))
        if self._telling.quiet or self._covered:
            return
        self._telling.say(news.why)
        if code is not None:
            self._telling.show_command(f"scopa join {code}")

    def sitting(
        self, match: str, variant: Variant, *, side: int | None, again: bool
    ) -> None:
        """See `Audience`."""
        self._gathers = variant.players > 2
        if self._telling.quiet:
            return
        game = f"{variant.id.capitalize()} to {counted(variant.target, 'point')}"
        players = f"{variant.players} players"
        goes_on = " goes on" if again else ""
        self._telling.say(f"{game} for {players}{goes_on}: match {match[:8]}.")
        if again:
            summary = self._home.find(match).summary
            place = summary.place_of(key_in(self._home)) if summary else None
            self._telling.say(standing_line(summary, place))
        self._telling.say(*changed_rules(variant))
        if side is not None and variant.sides < variant.players:
            self._telling.say(f"You play for side {side + 1}.")

    def waiting(self, waiting: Waiting) -> None:
        """See `Audience`."""
        self._telling.tell(waiting_object(waiting))
        before, self._missing = self._missing, waiting.names
        if self._telling.quiet or self._covered:
            return
        by_name = self._room is not None or (self._gathers and waiting.over)
        if waiting.names or not by_name:
            types = self._telling.has_person
            self._telling.say(*waiting_lines(waiting, types=types))
        elif before:
            # It has not started, and who else has come is told by name.
            self._telling.say(f"{and_list(before)} is there again.".capitalize())

    def room(self, room: Room, own: bytes) -> None:
        """See `Audience`."""
        before, now = self._room, seen(self._room, room)
        self._room = now
        self._telling.tell(room_object(room))
        if not (self._telling.quiet or self._covered):
            self._telling.say(*room_lines(before, now, own))

    def rescued(self, aside: Path) -> None:
        """See `Audience`."""
        self._telling.say(
            "This saved match was damaged. It goes on with what can be read of it, and "
            "the others are asked for the rest.",
            f"The damaged file is {shown(aside)}.",
        )

    def introduced(self, met: tuple[Introduction, ...]) -> None:
        """See `Audience`."""
        self._telling.tell(introduced_object(met))
        self._telling.say(*introduction_sentences(met))

    def chat(self, name: SafeText, text: SafeText) -> None:
        """See `Audience`."""
        self._telling.tell(chat_object(name, text))
        if not self._telling.has_person and not self._telling.quiet:
            self._telling.say(chat_line(name, text))

    def trouble(self, why: str) -> None:
        """See `Audience`."""
        if not (self._telling.quiet or self._covered):
            self._telling.say(why)

    # -- one who `TellsOfTables` ---------------------------------------------

    def knocking(self, place: Place, words: str) -> None:
        """See `TellsOfTables`."""
        self._telling.tell(knocking_object(words, str(place)))
        if self._telling.quiet:
            return
        self._telling.say(
            f"Knocking at {place}. The host's screen must show: "
            f"{words.replace('-', ' ')}",
            "Compare them aloud: if they differ, somebody sits in between. The host's "
            "player says whether you are let in.",
        )
        if not self.interactive:
            self._telling.say("Type yes if they are the same; any other line leaves.")

    def tables(self, found: Sequence[TableNearby]) -> tuple[str, ...]:
        """See `TellsOfTables`."""
        lines = [table_line(table) for table in found]
        if not lines[1:]:
            return (*lines, "Knock at this table? [y/N]")
        numbered = (f"{number}  {line}" for number, line in enumerate(lines, 1))
        return (*numbered, f"Which one? [1-{len(lines)}, Enter for none]")


class _Unreached(Refusal):
    """Nobody could be reached, or this machine lets nobody reach it."""

    exit_code = Exit.NETWORK


@contextmanager
def nobody_there() -> Iterator[None]:
    """Turns what keeps players apart into a command's refusal."""
    try:
        yield
    except NoMulticast as reason:
        raise _Unreached(str(reason)) from reason
    except BadCode as reason:
        raise Refusal(str(reason)) from reason
    except (NotReached, NotListening) as reason:
        refused = reason.exit_code == Exit.FOREIGN
        raise (Refused if refused else _Unreached)(str(reason)) from reason
    except NoTable as none:
        few = "No table was chosen." if none.found else " ".join(NOTHING_FOUND)
        raise Absent(few) from none
    except (OtherRules, NoMeeting, NotWhoYouKnow) as reason:
        raise Refused(str(reason)) from reason


def options_again(bot: str | None, data_dir: Path | None) -> str:
    """Those of a command line that whoever goes on with its match has to repeat."""
    words = [] if bot is None else ["--bot", bot]
    if data_dir is not None:
        words += ["--data-dir", str(data_dir)]
    return "".join(f" {shlex.quote(word)}" for word in words)


def bot_or_none(text: str | None) -> Found | None:
    """The bot for the own seat, if one is named."""
    return None if text is None else bot_named(text)
