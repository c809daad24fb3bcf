"""``scopa play``: a match against bots, offline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from scopa_net.app.stage import Ending, Stage
from scopa_net.commands.record_file import RecordFile
from scopa_net.commands.refusals import Refusal
from scopa_net.commands.telling import Telling, own_name
from scopa_net.commands.terminal import plain_option
from scopa_net.commands.variant_options import chosen_variant, variant_options
from scopa_net.rules import Variant
from scopa_net.ui.lines import SHUFFLING
from scopa_net.ui.view import ViewState
from scopa_net.ui.words import and_list, changed_rules, counted

if TYPE_CHECKING:
    from scopa_net.app.local import LocalMatch
    from scopa_net.commands.offline import Offline
    from scopa_net.ui.screen import Terminal

__all__ = ["command"]

USUAL_BOT = "rules"
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
    scopa play --against beginner
    scopa play --players 3 --against greedy --against rules
    scopa play --bot greedy --against rules --json

    From weak to strong there are the bots beginner, easy, medium and strong; `scopa bot
    list` names all.

    On a terminal it is a whole screen of cards: press ? for its keys. With --plain, and
    where there is no terminal, it is played in sentences, line by line: type help when
    you are asked for a card.

    Leaves with 0 if the match was played or left, 1 if a bot of ours failed, 2 if there
    is no such bot or game, or a bot that cannot start, 5 if the match was stopped.
    """
    if players is None and len(against) > 1:
        players = len(against) + 1
    chosen = chosen_variant(variant, players, rules)
    asked = _opponents(chosen, against)
    file = None if record is None else RecordFile.named(record)
    telling = Telling(has_person=bot is None, plain=plain, as_json=as_json)
    return _Playing(chosen, bot, name, asked, telling).play(file)


def _opponents(variant: Variant, against: Sequence[str]) -> list[str]:
    """The bots for the other seats; the last one asked for fills what is left."""
    others = variant.players - 1
    if len(against) > others:
        raise Refusal(
            f"{len(against)} opponents and you are more than {variant.players} players."
        )
    asked = [*against] or [USUAL_BOT]
    return asked + asked[-1:] * (others - len(asked))


def _offline() -> type[Offline]:
    """What only a match needs: its cryptography, its bots. It takes long to load."""
    from scopa_net.commands.offline import Offline

    return Offline


class _Playing:
    """One run of the command."""

    def __init__(
        self,
        variant: Variant,
        bot: str | None,
        name: str | None,
        asked: Sequence[str],
        telling: Telling,
    ) -> None:
        self._variant = variant
        self._bot = bot
        self._name = name
        self._asked = asked
        self._telling = telling
        self._match: LocalMatch | None = None

    def play(self, file: RecordFile | None) -> int:
        """Play, write the record, and answer with the exit code."""
        terminal = self._telling.terminal
        begin = self._in_lines() if terminal is None else self._on_screen(terminal)
        with self._telling.bots_aside():
            ending = self._ending(self._stage.run(begin))
        return self._telling.finish(ending, file, (0,) * self._variant.sides)

    def _in_lines(self) -> Callable[[], None]:
        """Seat everybody, and only then say who plays."""
        offline = self._seated(_offline())
        self._set_stage()
        match = self._made(offline)
        self._introduce([chair.name for chair in offline.chairs])
        return match.begin

    def _on_screen(self, terminal: Terminal) -> Callable[[], None]:
        """Draw the first frame, and only then load what is to be played."""
        self._set_stage()
        self._stage.set_screen(terminal, ViewState(hints=True))
        self._introduce([own_name(self._name, None), *self._others()])
        return self._show

    def _set_stage(self) -> None:
        self._stage = Stage()
        self._telling.leave = self._stage.leave

    def _show(self) -> None:
        self._stage.show()
        # The screen draws in the turn of the loop that is the next.
        self._stage.reactor.callLater(0, self._load)

    def _load(self) -> None:
        # A bot that is not ours starts a process, and may take its time.
        loaded = self._stage.calculate(lambda: self._seated(_offline()))
        loaded.addCallback(self._loaded).addErrback(self._stage.fail)

    def _loaded(self, offline: Offline) -> None:
        if not self._stage.left:
            self._made(offline).begin()

    def _seated(self, offline: type[Offline]) -> Offline:
        return offline(self._bot, self._name, self._asked, self._others())

    def _made(self, offline: Offline) -> LocalMatch:
        self._match = offline.match(self._variant, self._telling, self._stage)
        return self._match

    def _ending(self, code: int) -> Ending:
        if self._match is None:
            return Ending(code, None, self._stage.failure)
        return self._match.ending(code)

    def _others(self) -> list[str]:
        """What a person's opponents are called."""
        own = own_name(self._name, None).casefold()
        names = [name for name in NAMES if name.casefold() != own]
        return names[: len(self._asked)]

    def _introduce(self, names: Sequence[str]) -> None:
        """Say who plays what, before anything is dealt."""
        if self._telling.quiet:
            return
        own, *others = names
        if self._bot is None:
            pairs = zip(others, self._asked, strict=True)
            others = [f"{name} (bot {bot})" for name, bot in pairs]
        points = counted(self._variant.target, "point")
        title = f"{self._variant.id.capitalize()} to {points} with {and_list(others)}"
        mine = "" if self._bot is None else f", played for you by {own}"
        self._telling.say(f"{title}{mine}.", *changed_rules(self._variant))
        if self._telling.terminal is None:
            self._telling.say(SHUFFLING)
