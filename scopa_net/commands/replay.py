"""``scopa replay``: a match that was played, play by play, and what each was worth."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import TextIOWrapper

import click

from protocol.audit import Audit
from scopa_net.bots.bot import GetsReady, Weighed, Weighs
from scopa_net.bots.errors import BotError
from scopa_net.bots.registry import Found
from scopa_net.commands.audit import proven
from scopa_net.commands.refusals import Refusal
from scopa_net.commands.seated_bots import bot_named
from scopa_net.events import TurnCame
from scopa_net.recorded import told_again
from scopa_net.referee import Referee
from scopa_net.review import Choice, Reviewed, costliest, lost_by, reviewed
from scopa_net.ui.company import Company
from scopa_net.ui.decks import deck_in
from scopa_net.ui.json_lines import (
    Object,
    event_object,
    review_object,
    reviewed_object,
)
from scopa_net.ui.sentences import sentences
from scopa_net.ui.words import counted, deed, seat_name

__all__ = ["command"]

REVIEWER = "mc"


@click.command(name="replay", short_help="Go through a match that was played.")
@click.argument("file", metavar="FILE")
@click.option(
    "--review",
    is_flag=True,
    help="Say what each choice was worth, and what a bot would have done.",
)
@click.option(
    "--bot",
    metavar="BOT",
    help=f"Who reviews: a bot that weighs moves, mc or rules. [default: {REVIEWER}]",
)
@click.option(
    "--json/--plain",
    "as_json",
    default=False,
    help="Print events as JSON lines, or sentences. [default: sentences]",
)
def command(file: str, *, review: bool, bot: str | None, as_json: bool) -> None:
    """Go through the record of a match, deal by deal and play by play.

    \b
    scopa replay match.scopa
    scopa replay match.scopa --review --bot mc:worlds=400
    scopa replay match.scopa --review --json

    The record is audited first. With --review each choice is weighed by what its player
    could know then, in points of the deal, and at the end come the three costliest.
    Leaves as `scopa audit` does: with 4 if the file is no record this program knows, 5
    if it is damaged or a seat did wrong, 6 if there is no such file.
    """
    if bot is not None and not review:
        raise Refusal("--bot is for --review: it says who reviews.")
    reviewer = _reviewer(bot or REVIEWER) if review else None
    found = proven(file)
    if found.judge.course.start is None:
        raise Refusal("That match never began: there is nothing to go through.")
    _Replay(_company(found), reviewer, as_json=as_json).run(found)


def _reviewer(text: str) -> Found:
    found = bot_named(text)
    try:
        _ = found.weigher
    except BotError as reason:
        found.close()
        raise Refusal(str(reason)) from reason
    return found


def _company(found: Audit) -> Company:
    start = found.judge.course.start
    assert isinstance(start, Referee)
    names = found.terms.shown_names()
    by_place = tuple(names[start.places.index(at)] for at in range(len(names)))
    return Company(by_place, start.variant, deck=deck_in(os.environ))


@dataclass
class _Replay:
    """One run of the command."""

    company: Company
    reviewer: Found | None
    as_json: bool
    reviews: list[Reviewed] = field(default_factory=list)
    unknown: int = 0
    over: bool = False

    def run(self, found: Audit) -> None:
        if isinstance(sys.stdout, TextIOWrapper):
            # A name may have characters that the terminal lacks.
            sys.stdout.reconfigure(errors="replace")
        if self.reviewer is not None and isinstance(self.reviewer.bot, GetsReady):
            self.reviewer.bot.get_ready(self._say_aside)
        for event, choice in told_again(found):
            if isinstance(event, TurnCame):
                continue
            if self.as_json:
                self._print(event_object(event, self.company))
            else:
                self._say(*sentences(event, self.company))
            if self.reviewer is not None and choice is not None:
                self._review(choice, self.reviewer.weigher)
        if self.reviewer is not None:
            self._sum_up(self.reviewer.name)
        self.over = True

    def _say_aside(self, sentence: str) -> None:
        """Tell a person what the bot is doing meanwhile."""
        if not (self.as_json or self.over):
            click.echo(sentence, err=True)

    def _review(self, choice: Choice, bot: Weighs) -> None:
        self.unknown += not choice.known
        one = reviewed(choice, bot)
        if one is None:
            return
        self.reviews.append(one)
        if self.as_json:
            self._print(reviewed_object(one))
        else:
            self._say(*(f"  {line}" for line in self._judged(one)))

    def _judged(self, one: Reviewed) -> Iterator[str]:
        """What a choice was worth, in words."""
        assert self.reviewer is not None
        name, worth = self.reviewer.name, _figure(one.chosen.points, one.chosen.error)
        if one.chosen is one.weighed[0]:
            yield f"Worth {worth} points; {name} would do the same."
        else:
            loss = _loss(one.chosen)
            would = deed(one.best, self.company.deck)
            best = _figure(one.weighed[0].points, one.weighed[0].error)
            costs = f"that costs {loss}" if one.chosen.loss > 0 else "it is no worse"
            yield f"Worth {worth} points; {name} would {would}: {best}; {costs}."
            yield from one.reasons

    def _sum_up(self, bot: str) -> None:
        if self.as_json:
            self._print(review_object(bot, self.reviews, self.unknown, self.company))
            return
        for seat in range(len(self.company.names)):
            who = seat_name(seat, self.company, begins=True)
            count = sum(one.seat == seat for one in self.reviews)
            lost = lost_by(seat, self.reviews)
            self._say(f"{who}: {counted(count, 'choice')}, {lost:.2f} points lost.")
        if self.unknown:
            plays = counted(self.unknown, "choice")
            self._say(f"Not weighed, as the hand was never revealed: {plays}.")
        worst = costliest(self.reviews)
        self._say("The costliest moves:" if worst else "No move cost anything.")
        for at, one in enumerate(worst, 1):
            who = seat_name(one.seat, self.company)
            done, would = (
                deed(action, self.company.deck)
                for action in (one.chosen.action, one.best)
            )
            self._say(
                f"{at}. Deal {one.deal + 1}, move {one.move + 1}, {who}: {done}, and "
                f"not {would}: {_loss(one.chosen)} points."
            )

    def _say(self, *lines: str) -> None:
        for line in lines:
            click.echo(line)

    def _print(self, found: Object | None) -> None:
        if found is not None:
            click.echo(json.dumps(found))


def _figure(points: float, error: float) -> str:
    return f"{points:+.2f}" + (f" (+- {error:.2f})" if error else "")


def _loss(chosen: Weighed) -> str:
    error = f" (+- {chosen.loss_error:.2f})" if chosen.loss_error else ""
    return f"{chosen.loss:.2f}{error}"
