"""Who fills a seat: a bot that thinks in a thread, or a person at lines.

A `Player` is all that the runner knows of either. A bot's luck comes from a secret of
the match, so a match played again from its secrets is the same, and no bot sees the
secret.
"""

import os
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Semaphore, Thread
from typing import Protocol, TypeVar

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall
from twisted.python.failure import Failure

from protocol.crypto.hashing import H
from scopa_net.bots import Bot
from scopa_net.bots.answers import is_action, kind_of
from scopa_net.bots.bot import Answer, GetsReady, explained
from scopa_net.bots.loading import told
from scopa_net.events import Event, TurnCame
from scopa_net.leaving import Word
from scopa_net.rules import Action, Observation, format_action
from scopa_net.ui.lines import Lines, Wish

__all__ = [
    "Adviser",
    "BotFailed",
    "BotPlayer",
    "InThread",
    "LinePlayer",
    "LineReader",
    "Player",
    "luck_of",
]

PATIENCE_S = 1.0
"""How long a turn takes before a player is told whose it is."""

LINES_AHEAD_MAX = 64
LINE_BYTES_MAX = 4096

T = TypeVar("T")


class InThread(Protocol):
    """Calls something off the event loop; its result comes back on the loop."""

    def __call__(self, call: Callable[[], T], /) -> Deferred[T]:
        """What `call` returns, or its failure."""
        ...


class Player(Protocol):
    """Who fills one seat."""

    def hear(self, event: Event) -> None:
        """Something has happened at the table, as this seat is told of it."""
        ...

    def choose(self, observation: Observation) -> Deferred[Action]:
        """One of the observation's `legal_actions`, whenever the player is ready."""
        ...

    def answer(self, observation: Observation) -> Word | None:
        """What to say to who calls the deal void; None to say it some time later."""
        ...


class Adviser(Protocol):
    """Who gives a player hints."""

    def advise(self, observation: Observation) -> Deferred[Answer]:
        """What it would choose there, and why."""
        ...


class BotFailed(Exception):
    """A bot has failed; the message is a sentence for players."""


class BotPlayer:
    """A bot in a seat, or beside a player whom it gives hints.

    It thinks in a thread; `secret` is the match's, for its luck. `told` gets a
    sentence, from any thread, if it has to get ready and that takes long.
    """

    def __init__(
        self,
        bot: Bot,
        name: str,
        *,
        secret: bytes,
        in_thread: InThread,
        told: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._bot = bot
        self._name = name
        self._secret = secret
        self._in_thread = in_thread
        self._told = told

    def hear(self, event: Event) -> None:
        """Nothing to do: an observation holds all that has happened."""

    def choose(self, observation: Observation) -> Deferred[Action]:
        """The bot's choice; fails with `BotFailed` if it raises or may not do that."""
        choice = self._in_thread(partial(self._ask, self._lucky(observation)))
        return choice.addErrback(self._failed)

    def advise(self, observation: Observation) -> Deferred[Answer]:
        """The bot's choice as a hint, with its reasons; fails however the bot does."""
        return self._in_thread(partial(self._answer, self._lucky(observation)))

    def answer(self, observation: Observation) -> Word:
        """A deal of which nothing is played can be dealt again; any other counts."""
        return Word.REFUSE_VOID if observation.history else Word.CALL_VOID

    def _lucky(self, observation: Observation) -> Observation:
        luck = luck_of(self._name, self._secret, observation)
        return replace(observation, luck=luck)

    def _answer(self, observation: Observation) -> Answer:
        action = self._ask(observation)
        return Answer(action, explained(self._bot, observation, action))

    def _ask(self, observation: Observation) -> Action:
        """The legal action that the bot's answer is; ours, not the bot's own object."""
        if isinstance(self._bot, GetsReady):
            self._bot.get_ready(self._told)
        answer: object = self._bot.choose(observation)
        if not is_action(answer):
            raise BotFailed(
                f"The bot {self._name} chose what is no action: {kind_of(answer)}."
            )
        for action in observation.legal_actions:
            if action == answer:
                return action
        raise BotFailed(
            f"The bot {self._name} chose what is not allowed: {format_action(answer)}."
        )

    def _failed(self, failure: Failure) -> Action:
        reason = failure.value
        assert reason is not None, "a failure has an exception"
        if isinstance(reason, BotFailed):
            raise reason
        raise BotFailed(f"The bot {self._name} failed: {told(reason)}.") from reason


class LinePlayer:
    """A person, or a program, that types lines.

    On a terminal each line is answered at once. From a pipe lines may come long before
    they are asked for: those that belong to a question wait for one, in their order,
    and so does the end of input. Nothing is read while a hint is thought of.
    """

    def __init__(
        self,
        lines: Lines,
        *,
        interactive: bool,
        adviser: Adviser | None,
        leave: Callable[[], None],
        say: Callable[[Word], None],
        call_later: Callable[[float, Callable[[], None]], IDelayedCall],
    ) -> None:
        self._lines = lines
        self._interactive = interactive
        self._adviser = adviser
        self._leave = leave
        self._say = say
        self._call_later = call_later
        self._waiting: deque[str | None] = deque()
        self._question: tuple[Observation, Deferred[Action]] | None = None
        self._hint_owed = False
        self._reminder: IDelayedCall | None = None
        self._reader: LineReader | None = None
        self._next_line: Deferred[str | None] | None = None

    def hear(self, event: Event) -> None:
        """Tell it; a turn of another only if it lasts."""
        if self._reminder is not None and self._reminder.active():
            self._reminder.cancel()
        if isinstance(event, TurnCame):
            self._reminder = self._call_later(PATIENCE_S, self._remind)
        self._lines.hear(event)
        self._read()

    def answer(self, observation: Observation) -> None:
        """It is typed when the player has thought."""

    def hear_chat(self, line: str) -> None:
        """Tell what somebody has written."""
        self._lines.hear_chat(line)

    def choose(self, observation: Observation) -> Deferred[Action]:
        """Ask, and answer when an action has been typed."""
        choice: Deferred[Action] = Deferred()
        self._question = observation, choice
        self._lines.ask(observation)
        self._read()
        return choice

    def next_line(self) -> "Deferred[str | None]":
        """The next line that is typed, which then means nothing else."""
        line: Deferred[str | None] = Deferred(self._want_no_line)
        self._next_line = line
        self._read()
        return line

    def _want_no_line(self, _: "Deferred[str | None]") -> None:
        self._next_line = None

    def read_from(self, reader: "LineReader") -> None:
        """Take what `reader` reads from now on."""
        self._reader = reader
        reader.start(self.typed)

    def typed(self, line: str | None) -> None:
        """A line has been typed; None is the end of all input."""
        self._waiting.append(line)
        self._read()

    def _remind(self) -> None:
        if self._question is None:
            self._lines.remind()

    def _read(self) -> None:
        """Answer what was typed, as far as it can be answered now."""
        while self._waiting and self._can_answer(self._waiting[0]):
            line = self._waiting.popleft()
            if line is None:
                self._leave()
                return
            if self._reader is not None:
                self._reader.taken()
            if self._next_line is not None:
                self._hand_over(line)
            else:
                self._answer(line)

    def _hand_over(self, line: str) -> None:
        asked, self._next_line = self._next_line, None
        if asked is not None:
            asked.callback(line)

    def _can_answer(self, line: str | None) -> bool:
        if self._interactive or self._next_line is not None:
            return True
        if self._hint_owed:
            return False
        if self._question is not None:
            return True
        return line is not None and self._lines.at_any_time(line)

    def _answer(self, line: str) -> None:
        reply = self._lines.read(line)
        if reply is Wish.LEAVE:
            self._leave()
        elif isinstance(reply, Word):
            self._say(reply)
        elif self._question is not None:
            observation, choice = self._question
            if reply is Wish.HINT:
                self._ask_adviser(observation)
            elif reply is not None:
                self._question = None
                choice.callback(reply)

    def _ask_adviser(self, observation: Observation) -> None:
        if self._adviser is None:
            return
        self._hint_owed = True
        hint = self._adviser.advise(observation)
        hint.addCallbacks(self._advise, lambda _: self._advise(None))

    def _advise(self, hint: Answer | None) -> None:
        self._hint_owed = False
        if hint is None:
            self._lines.say_no_hint()
        else:
            self._lines.advise(hint.action, hint.reasons)
        self._read()


class LineReader:
    """Reads lines of the file descriptor `fd` in a thread of its own.

    Each is handed over by `on_loop`, which is to call on the event loop; None is the
    end. At most `LINES_AHEAD_MAX` lines are under way, so an endless input waits.
    """

    def __init__(self, fd: int | None, on_loop: Callable[..., object]) -> None:
        self._fd = fd
        self._on_loop = on_loop
        self._room = Semaphore(LINES_AHEAD_MAX)

    def start(self, hand_over: Callable[[str | None], None]) -> None:
        """Begin to read; what cannot be read has ended."""
        Thread(target=self._run, args=(hand_over,), daemon=True).start()

    def taken(self) -> None:
        """A line that was handed over has been dealt with."""
        self._room.release()

    def _run(self, hand_over: Callable[[str | None], None]) -> None:
        rest = b""
        # Not by sys.stdin, whose lock a thread would still hold when the program ends.
        while data := self._read():
            *lines, rest = (rest + data).split(b"\n")
            rest = rest[:LINE_BYTES_MAX]
            for line in lines:
                self._hand_over(hand_over, line)
        if rest:
            self._hand_over(hand_over, rest)
        self._on_loop(hand_over, None)

    def _read(self) -> bytes:
        if self._fd is None:
            return b""
        try:
            return os.read(self._fd, LINE_BYTES_MAX)
        except OSError:
            return b""

    def _hand_over(self, hand_over: Callable[[str | None], None], line: bytes) -> None:
        self._room.acquire()
        self._on_loop(hand_over, line[:LINE_BYTES_MAX].decode(errors="replace"))


def luck_of(name: str, secret: bytes, observation: Observation) -> bytes:
    """The luck of a bot for one choice: new for every deal and ply."""
    deal, ply = observation.match.deal_number, len(observation.history)
    return H("sc1.luck", name, secret, deal, ply)
