"""What every match needs that runs in this process, be its seats here or elsewhere.

Who fills a chair, a bot or a person at lines or at a whole screen; and what the own
seat is told.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall
from twisted.python.failure import Failure

from protocol.crypto.group import EDWARDS, self_test
from protocol.step import Frame, Row
from scopa_net.app.questions import Questions
from scopa_net.app.screen_player import ScreenPlayer
from scopa_net.app.stage import Ending, Person, Stage
from scopa_net.app.unsaid import why_unsaid
from scopa_net.bots import Bot
from scopa_net.bots.bot import Trouble
from scopa_net.bots.plugin import Plugin
from scopa_net.events import (
    DealScored,
    Dealt,
    Event,
    MatchWon,
    Redealt,
    Resigned,
    Stopped,
    Voided,
)
from scopa_net.exits import Exit
from scopa_net.leaving import Word
from scopa_net.notices import Notice, Told
from scopa_net.players import Adviser, BotPlayer, LinePlayer, LineReader, Player
from scopa_net.rules import Variant
from scopa_net.runner import Machine, Runner
from scopa_net.table import Table
from scopa_net.ui.absence import NOBODY_AWAY
from scopa_net.ui.chatting import Chats
from scopa_net.ui.company import Company
from scopa_net.ui.decks import deck_in
from scopa_net.ui.lines import Lines, Sight
from scopa_net.ui.view import ViewState

if TYPE_CHECKING:
    from scopa_net.ui.screen import Terminal

__all__ = ["OWN", "Chair", "Ending", "Hear", "Person", "Running", "Shuffling"]

ADVISER = "hint"
OWN = 0
"""The local seat that the program is run for."""

SHUFFLING_S = 0.5
"""How long cards may be waited for before it is said how far the shuffling is."""

Hear: TypeAlias = Callable[[Event, Company], None]
Shuffling: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat to be filled, and its name at the table; without a bot a person plays."""

    name: str
    bot: Bot | None


class Running:
    """A match that runs here; which one, and with whom, is for those that inherit.

    `hear` is told what the own seat is told, and `shuffling`, while cards are waited
    for and no screen shows it, how many of how many seats have shuffled; `person` fills
    a chair without a bot. `variant` is to be set before `drive`. Without a `stage` it
    has one of its own.
    """

    variant: Variant
    kept = False
    """Whether it can be gone on with after it was left."""
    watches = False
    """Whether the own player has no seat, and only looks."""

    def __init__(
        self,
        *,
        hear: Hear,
        shuffling: Shuffling,
        person: Person | None,
        threads: int,
        stage: Stage | None = None,
    ) -> None:
        self_test(EDWARDS)
        self._stage = stage or Stage()
        self._stage.played = self
        self.reactor = self._stage.reactor
        self._think = self._stage.threads(threads)
        self._hear = hear
        self._shuffling = shuffling
        self._shuffled: int | None = None
        self._await_shuffles: IDelayedCall | None = None
        self._person = person
        self.questions = Questions(self.reactor, person)
        self.chats: Chats | None = None
        self.call_again: Callable[[], str] = lambda: NOBODY_AWAY
        self.bot_failed: Callable[[str, Trouble], None] = lambda _name, _trouble: None
        self._lines: LinePlayer | None = None
        self._runner: Runner | None = None
        # How the match ended, while the player still looks at the screen; and whether
        # it was left before everybody had confirmed it.
        self._outcome: int | None = None
        self._left_early = False
        self.won = False

    def leave(self, code: int) -> None:
        """See `Stage`."""
        self._stage.leave(code)

    def fail(self, failure: Failure) -> None:
        """See `Stage`."""
        self._stage.fail(failure)

    def drop(self) -> None:
        """See `Played`."""
        if self._runner is not None:
            self._runner.leave()

    @property
    def left(self) -> bool:
        """See `Stage`."""
        return self._stage.left

    @property
    def failure(self) -> Failure | None:
        """See `Stage`."""
        return self._stage.failure

    @property
    def screen(self) -> ScreenPlayer | None:
        """The whole screen, if there is one."""
        return self._stage.screen

    def show(self) -> None:
        """See `Stage`."""
        self._stage.show()

    # -- for those that inherit ----------------------------------------------

    def table(self) -> Table | None:
        """The table as the own seat knows it, once the terms are agreed."""
        raise NotImplementedError

    def begin(self) -> None:
        """The loop runs: begin the match."""
        raise NotImplementedError

    def told(self, event: Event) -> None:
        """The own seat was told of this, before its player."""

    def other_notice(self, notice: Notice) -> None:
        """Something has come up that no player needs to know."""

    def before_the_end(self) -> Deferred[None]:
        """What must be done before the loop stops; the match is left already."""
        done: Deferred[None] = Deferred()
        done.callback(None)
        return done

    def drive(
        self,
        machine: Machine,
        chairs: Mapping[int, Chair],
        luck: bytes,
        *,
        keep: Callable[[tuple[Row, ...]], None],
        send: Callable[[tuple[Frame, ...]], None],
    ) -> Runner:
        """What carries out the steps of `machine`; it is still to be started."""
        self._runner = Runner(
            machine,
            {at: self._player(chair, luck) for at, chair in chairs.items()},
            threads=self._stage,
            keep=keep,
            send=send,
            listen=self._listen,
        )
        self.reactor.callWhenRunning(self._await_cards)
        self._runner.ended.addCallbacks(lambda _: self.end(Exit.DONE), self.fail)
        return self._runner

    def _why_unsaid(self, word: Word) -> str:
        """What keeps the own seat from saying that now; nothing if it may."""
        return why_unsaid(self.table(), word, kept=self.kept)

    def say(self, word: Word) -> None:
        """The own seat says something besides playing; who adjourns leaves.

        After all that is being carried out, or leaving would drop what is said.
        """
        self.reactor.callLater(0, self._say, word)

    def _say(self, word: Word) -> None:
        if self._runner is not None:
            self._runner.say(OWN, word)
        if word is Word.ADJOURN:
            self.leave(Exit.DONE)

    def run(self) -> int:
        """Run the loop until the match is over or left; the exit code."""
        return self._stage.run(self.begin)

    def end(self, code: int) -> None:
        """The match is over; on a screen the player looks at it as long as wanted."""
        if self.screen is None or self._left_early:
            self.leave(code)
        else:
            self._outcome = code

    # -- inside --------------------------------------------------------------

    def _player(self, chair: Chair, luck: bytes) -> Player:
        if chair.bot is not None:
            return self._bot_player(chair.bot, chair.name, luck)
        person = self._person
        assert person is not None, "a chair without a bot is a person's"
        adviser = (
            self._bot_player(person.adviser, ADVISER, luck) if person.adviser else None
        )
        if person.terminal is not None:
            return self._screen_player(person.terminal, adviser)
        lines = Lines(
            person.out,
            self._look,
            why_not=self._why_unsaid,
            hints=adviser is not None,
            prompt=person.interactive,
            chats=self.chats,
            call_again=self.call_again,
        )
        lines.watches = self.watches
        player = LinePlayer(
            lines,
            interactive=person.interactive,
            adviser=adviser,
            leave=lambda: self.leave(Exit.DONE),
            say=self.say,
            call_later=self.reactor.callLater,
        )
        self.questions.lines = self._lines = player
        reader = LineReader(person.fd, self.reactor.callFromThread)
        self.reactor.callWhenRunning(player.read_from, reader)
        return player

    def _screen_player(self, terminal: "Terminal", adviser: Adviser | None) -> Player:
        player = self.screen or self._stage.set_screen(
            terminal,
            ViewState(
                hints=adviser is not None,
                kept=self.kept,
                watches=self.watches,
                chats=self.chats is not None,
            ),
        )
        player.chats, player.call_again = self.chats, self.call_again
        player.why_not = self._why_unsaid
        player.sit_down(self.company, adviser, self._leave_screen, self.say)
        return player

    def _leave_screen(self, interrupted: bool) -> None:  # noqa: FBT001
        """A match that was won is left once everybody has confirmed it."""
        if interrupted:
            self.leave(Exit.INTERRUPTED)
        elif self._outcome is None and self.won:
            self._left_early = True
        else:
            self.leave(Exit.DONE if self._outcome is None else self._outcome)

    def _bot_player(self, bot: Bot, name: str, luck: bytes) -> BotPlayer:
        if isinstance(bot, Plugin):
            bot.troubled = partial(
                self.reactor.callFromThread, self._hear_of_trouble, name
            )
        told = partial(self.reactor.callFromThread, self._tell)
        return BotPlayer(bot, name, secret=luck, in_thread=self._think, told=told)

    def _tell(self, sentence: str) -> None:
        """Tell the person who sits here, if anybody does and the match still is."""
        if not self.left:
            self.hear_chat(sentence)

    def _hear_of_trouble(self, name: str, trouble: Trouble) -> None:
        """A bot that is not ours has failed, and the match goes on."""
        if not self.left:
            self.hear_chat(trouble.sentence(name))
            self.bot_failed(name, trouble)

    def _look(self) -> Sight | None:
        company, table = self.company(), self.table()
        if company is None or table is None:
            return None
        return Sight(company, table.observation())

    def hear_chat(self, line: str) -> None:
        """Tell the own player what somebody has written, wherever it reads."""
        if self.screen is not None:
            self.screen.hear_chat(line)
        elif self._lines is not None:
            self._lines.hear_chat(line)

    def company(self) -> Company | None:
        """Who sits where, once everybody has a place."""
        table = self.table()
        if table is None or not table.seated:
            return None
        return Company(table.names, self.variant, table.place, deck_in(os.environ))

    def _listen(self, notice: Notice) -> None:
        if not isinstance(notice, Told):
            self.other_notice(notice)
            return
        table = self.table()
        if notice.seat != OWN or table is None:
            return
        self.told(notice.event)
        match notice.event:
            case DealScored() | Redealt() | Voided():
                self._await_cards()
            case Dealt() | Resigned() | MatchWon() | Stopped():
                self._await_no_cards()
        self._hear(notice.event, self.company() or Company((), self.variant))
        self.won |= isinstance(notice.event, MatchWon)
        if isinstance(notice.event, Stopped):
            self.end(Exit.UNPROVEN)

    # -- while the cards are shuffled ----------------------------------------

    def _await_cards(self) -> None:
        """From now on say now and then how far the shuffling is."""
        self._await_no_cards()
        self._await_shuffles = self.reactor.callLater(SHUFFLING_S, self._tell_shuffles)

    def _await_no_cards(self) -> None:
        if self._await_shuffles is not None and self._await_shuffles.active():
            self._await_shuffles.cancel()
        self._shuffled = None

    def _tell_shuffles(self) -> None:
        self._await_shuffles = self.reactor.callLater(SHUFFLING_S, self._tell_shuffles)
        table = self.table()
        done = None if table is None else table.shuffled
        if done is None or done == self._shuffled:
            return
        self._shuffled = done
        if self.screen is not None and self._stage.on_screen:
            self.screen.hear_of_shuffles(done, self.variant.players)
        else:
            self._shuffling(done, self.variant.players)
