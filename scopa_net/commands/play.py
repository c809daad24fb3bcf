"""``scopa play``: a match against bots, offline."""

from __future__ import annotations

from collections.abc import Sequence

import click

from protocol.crypto.group import UnsafeGroup
from protocol.text import safe_name
from scopa_net.app.local import LocalMatch
from scopa_net.app.running import Chair
from scopa_net.commands.record_file import RecordFile
from scopa_net.commands.refusals import Failure, Refusal
from scopa_net.commands.telling import USUAL_BOT, Telling, bot_named, own_name
from scopa_net.commands.terminal import plain_option
from scopa_net.commands.variant_options import chosen_variant, variant_options
from scopa_net.rules import Variant
from scopa_net.ui.lines import SHUFFLING
from scopa_net.ui.words import and_list, counted

__all__ = ["command"]

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
    mine = None if bot is None else bot_named(bot)
    own = Chair(own_name(name, mine), mine.bot if mine else None)
    others = [bot_named(one) for one in asked]
    if mine is not None:
        return [own, *(Chair(str(safe_name(one.name)), one.bot) for one in others)]
    taken = own.name.casefold()
    names = [name for name in NAMES if name.casefold() != taken]
    seated = zip(names, others, strict=False)
    return [own, *(Chair(name, one.bot) for name, one in seated)]


class _Playing:
    """One run of the command."""

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
        self._has_person = chairs[0].bot is None
        self._telling = Telling(
            has_person=self._has_person, plain=plain, as_json=as_json
        )
        try:
            self._match = LocalMatch(
                variant,
                chairs,
                hear=self._telling.hear,
                person=self._telling.person(),
            )
        except UnsafeGroup as reason:
            raise Failure(f"{reason}: no cards can be dealt safely here.") from reason
        self._telling.leave = self._match.leave

    def introduce(self, asked: Sequence[str]) -> None:
        """Say who plays what, before anything is dealt."""
        if self._telling.quiet:
            return
        others = [
            f"{chair.name} (bot {bot})" if self._has_person else chair.name
            for chair, bot in zip(self._chairs[1:], asked, strict=True)
        ]
        points = counted(self._variant.target, "point")
        title = f"{self._variant.id.capitalize()} to {points} with {and_list(others)}"
        mine = "" if self._has_person else f", played for you by {self._chairs[0].name}"
        self._telling.say(f"{title}{mine}.")
        if self._telling.terminal is None:
            self._telling.say(SHUFFLING)

    def play(self, file: RecordFile | None) -> int:
        """Play, write the record, and answer with the exit code."""
        with self._telling.bots_aside():
            ending = self._match.play()
        return self._telling.finish(ending, file, (0,) * self._variant.sides)
