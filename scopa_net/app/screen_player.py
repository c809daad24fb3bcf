"""A person at a whole screen; the screen may be there before there is a match."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Protocol

from twisted.internet.defer import Deferred

from protocol.text import chat_text
from scopa_net.events import Event
from scopa_net.leaving import Word
from scopa_net.rules import Action, Observation
from scopa_net.ui.chatting import MUTE, Chats
from scopa_net.ui.company import Company
from scopa_net.ui.view import (
    Asked,
    AskHint,
    CallAgain,
    ChatCame,
    Command,
    Do,
    Heard,
    Hinted,
    Input,
    Link,
    LinkChanged,
    MaySay,
    Quit,
    Say,
    Shuffles,
    Unsaid,
    Write,
)

if TYPE_CHECKING:
    from scopa_net.players import Adviser

__all__ = ["ScreenPlayer", "Shown"]


class Shown(Protocol):
    """A screen, as its player needs it."""

    def run(self) -> Coroutine[Any, Any, None]:
        """Hold the terminal until it is closed."""
        ...

    def close(self) -> None:
        """Give the terminal back."""
        ...

    def give(self, given: Input, /) -> None:
        """Something has happened."""
        ...


class ScreenPlayer:
    """A person at a whole screen.

    `screen` makes the screen, given what is to carry out its commands; `leave` is
    called when the player leaves, with True after Ctrl-C.
    """

    def __init__(
        self,
        screen: Callable[[Callable[[Command], None]], Shown],
        *,
        leave: Callable[[bool], None],
    ) -> None:
        self._screen = screen(self._command)
        self._leave = leave
        self._look: Callable[[], Company | None] = lambda: None
        self._adviser: Adviser | None = None
        self._say: Callable[[Word], None] = lambda _: None
        self.chats: Chats | None = None
        self.call_again: Callable[[], str] = str
        self.why_not: Callable[[Word], str] = lambda _: ""
        self._choice: Deferred[Action] | None = None
        self._shown: Deferred[None] | None = None

    def sit_down(
        self,
        look: Callable[[], Company | None],
        adviser: "Adviser | None",
        leave: Callable[[bool], None],
        say: Callable[[Word], None],
    ) -> None:
        """Take a seat in a match, which is now what is left.

        `look` says who sits at the table, None before everybody is seated; `say` is
        called when the player says something besides playing.
        """
        self._look, self._adviser = look, adviser
        self._leave, self._say = leave, say

    def answer(self, observation: Observation) -> None:
        """It is answered when the player has thought."""

    def show(self) -> Deferred[None]:
        """Take the terminal, on the asyncio loop that runs; fires when it is back."""
        shown = asyncio.ensure_future(self._screen.run())
        self._shown = Deferred.fromFuture(shown)
        return self._shown

    def close(self) -> Deferred[None] | None:
        """Give the terminal back; fires when that is done."""
        if self._shown is None:
            return None
        closed: Deferred[None] = Deferred()
        self._shown.addBoth(lambda _: closed.callback(None))
        self._screen.close()
        return closed

    def hear(self, event: Event) -> None:
        """Show it, in its turn."""
        self._screen.give(Heard(event, self._look()))

    def choose(self, observation: Observation) -> Deferred[Action]:
        """Ask, and answer when a card has been played."""
        self._choice = Deferred()
        self._screen.give(Asked(observation))
        return self._choice

    def hear_of_link(
        self, seat: int, link: Link, by: int | None, away_s: int, carry: str
    ) -> None:
        """Show whether a seat can be reached, `by` which one, or how long not.

        And by which ID the others may `carry` the score on without it.
        """
        company = self._look()
        if company is not None:
            self._screen.give(LinkChanged(seat, link, company, by, away_s, carry))

    def hear_of_shuffles(self, done: int, seats: int) -> None:
        """Show how many of the seats have shuffled."""
        self._screen.give(Shuffles(done, seats))

    def hear_chat(self, line: str) -> None:
        """Show what somebody has written."""
        self._screen.give(ChatCame(line))

    def _write(self, chats: Chats, text: str) -> None:
        """Send it, and show it, or why it was not sent; or mute somebody."""
        if text.startswith(MUTE):
            self.hear_chat(chats.mute(text.removeprefix(MUTE)))
        else:
            self.hear_chat(chats.say(text) or f"You say: {chat_text(text)}")

    def _command(self, command: Command) -> None:
        match command:
            case Do(action):
                choice, self._choice = self._choice, None
                if choice is not None:
                    choice.callback(action)
            case AskHint(observation):
                self._ask_adviser(observation)
            case MaySay(word):
                self._check(word)
            case Say(word):
                if self._check(word):
                    self._say(word)
            case Write(text) if self.chats is not None:
                self._write(self.chats, text)
            case CallAgain():
                self.call_again()
            case Quit(interrupted):
                self._leave(interrupted)

    def _check(self, word: Word) -> bool:
        """Whether that may be said now; if not, show why."""
        why_not = self.why_not(word)
        if why_not:
            self._screen.give(Unsaid(why_not))
        return not why_not

    def _ask_adviser(self, observation: Observation) -> None:
        if self._adviser is None:
            self._screen.give(Hinted(None))
            return
        hint = self._adviser.advise(observation)
        hint.addCallbacks(
            lambda hint: self._screen.give(Hinted(hint.action, hint.reasons)),
            lambda _: self._screen.give(Hinted(None)),
        )
