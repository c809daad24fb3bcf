"""Somebody's bot, in a process of its own that speaks JSON lines: see ai/README.md.

Whatever it does, `choose` answers within its time with a legal action: the bot's, or a
simple one in its place, of which `troubled` is told. A bot is started again when it has
ended, and not asked any more once it has failed `FAILURES_MAX` times running.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from protocol.text import LINE_CELLS_MAX, SafeText, safe_name, safe_text
from scopa_net.bots.bot import Answer, Failing, Trouble
from scopa_net.bots.errors import BotError
from scopa_net.bots.forms import Object, observation_object
from scopa_net.bots.process import (
    LIMITS_MEMORY,
    Ended,
    Process,
    Silence,
    TooLong,
    bot_environment,
)
from scopa_net.rules.actions import Action, Play
from scopa_net.rules.errors import AmbiguousAction, InvalidAction, RulesError
from scopa_net.rules.notation import parse_action
from scopa_net.rules.observation import Observation

__all__ = ["PROTOCOL", "Greeting", "Limits", "Plugin", "limits_of"]

PROTOCOL: Final = 1
FAILURES_MAX: Final = 5
"""After so many moves in a row that a bot has failed at, it is not asked any more."""

NOISE_LINES_MAX: Final = 100
_LIMIT_MAX: Final = 1e7
OPTIONS_MAX: Final = 64
REASONS_MAX: Final = 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot may take: seconds to start and to move, bytes of memory.

    These are 0 where the system sets no limit to them.
    """

    start_s: float = 20.0
    move_s: float = 10.0
    memory_bytes: int = 4 << 30 if LIMITS_MEMORY else 0


@dataclass(frozen=True, slots=True)
class Greeting:
    """What a bot says of itself when it starts; `options` by name with a default."""

    name: SafeText | None
    about: SafeText
    options: Mapping[str, object]


class _Failed(Exception):
    """The bot has failed at this move; `ends` if its process is not to go on."""

    def __init__(self, kind: Failing, what: str, *, ends: bool = False) -> None:
        super().__init__(what)
        self.kind = kind
        self.ends = ends


class Plugin:
    """A bot in a process. BotError if it does not start as it should.

    `failures` counts them by kind, `noise` the lines that are no JSON object; `also` is
    said with each question, for a trial of how a bot takes what it does not know.

    `read_options` is given the options that the bot has, with their defaults, and
    answers with those to be set. `sentences` if what the bot says is wrong with its
    start is a whole sentence for players, being said by our own part of it.
    """

    def __init__(
        self,
        command: Sequence[str],
        called: str,
        *,
        limits: Limits,
        environment: Mapping[str, str] | None = None,
        read_options: Callable[[Greeting], Mapping[str, object]] = lambda _: {},
        sentences: bool = False,
    ) -> None:
        self.limits = limits
        self.failures: Counter[Failing] = Counter()
        self.noise = 0
        self.also: Object = {}
        self.troubled: Callable[[Trouble], None] = lambda _: None
        self._command = tuple(command)
        self._called = called
        self._environment = environment or bot_environment(os.environ)
        self._sentences = sentences
        self._asked = 0
        self._running = 0
        self._given: Mapping[str, object] | None = None
        self._read_options = read_options
        self._process: Process | None = None
        self.greeting = self._start()

    def choose(self, observation: Observation) -> Action:
        """See `Bot`; whoever is to hear of trouble hears of it."""
        answer = self.answer(observation)
        if answer.trouble is not None:
            self.troubled(answer.trouble)
        return answer.action

    def answer(self, observation: Observation, *, explain: bool = False) -> Answer:
        """What the bot answers, or what is played for it."""
        if self._running >= FAILURES_MAX:
            return Answer(simple_action(observation))
        try:
            answer = self._asked_for(observation, explain=explain)
        except _Failed as failed:
            return self._stand_in(observation, failed)
        self._running = 0
        return answer

    @property
    def process(self) -> Process | None:
        """The process that runs now, if one does."""
        return self._process

    def stop(self) -> None:
        """Tell the bot that nobody waits for its answer any more."""
        self.tell({"type": "stop", "id": self._asked})

    def tell(self, what: Object) -> None:
        """Say something to the bot that needs no answer."""
        if self._process is not None:
            self._say(self._process, what)

    def restart(self) -> None:
        """End the process; another one is started when the bot is asked again."""
        if self._process is not None:
            self._process.kill()
            self._process = None

    def close(self) -> bool:
        """End it, and all that it has started; whether it has ended by itself."""
        process, self._process = self._process, None
        if process is None:
            return True
        self._say(process, {"type": "quit"})
        return process.close()

    # -- the start -----------------------------------------------------------

    def _start(self) -> Greeting:
        try:
            self._process = Process(
                self._command, self._environment, self.limits.memory_bytes
            )
        except OSError as reason:
            self._refuse(f"cannot be started: {reason.strerror}")
        try:
            return self._greet(self._process, time.monotonic() + self.limits.start_s)
        except _Failed as failed:
            self.restart()
            self._refuse(f"cannot start: it {failed}")
        except BotError:
            self.restart()
            raise

    def _greet(self, process: Process, end_s: float) -> Greeting:
        limits = {
            "start_ms": round(1000 * self.limits.start_s),
            "move_ms": round(1000 * self.limits.move_s),
            "memory_bytes": self.limits.memory_bytes,
        }
        hello = {"type": "hello", "protocol": PROTOCOL, "limits": limits}
        self._say(process, hello)
        said = self._hear(process, end_s, self._is_start("hello"))
        if said.get("protocol") != PROTOCOL:
            raise _Failed("protocol", f"does not speak protocol {PROTOCOL}")
        greeting = _greeting(said)
        if self._given is None:
            self._given = self._read_options(greeting)
        self._say(process, {"type": "options", "options": dict(self._given)})
        self._hear(process, end_s, self._is_start("ready"))
        return greeting

    def _is_start(self, kind: str) -> Callable[[Object], bool]:
        def is_it(said: Object) -> bool:
            if said.get("type") == "error":
                message = _text(said.get("message"))
                if self._sentences:
                    raise BotError(message)
                raise _Failed("crash", f"says: {message}")
            return said.get("type") == kind

        return is_it

    def _refuse(self, why: str) -> NoReturn:
        raise BotError(f"The bot {self._called} {why}.")

    # -- a move --------------------------------------------------------------

    def _asked_for(self, observation: Observation, *, explain: bool) -> Answer:
        end_s = time.monotonic() + self.limits.move_s
        if self._process is None:
            self._start_again()
        process = self._process
        assert process is not None, "it has just been started"
        for heard in process.drained():
            self._take(heard, process)
        self._asked += 1
        request: Object = {
            "type": "choose",
            "id": self._asked,
            **self.also,
            "move_ms": round(1000 * self.limits.move_s),
            "explain": explain,
            "observation": observation_object(observation),
        }
        self._say(process, request)
        return _answer(observation, self._hear(process, end_s, self._is_answer))

    def _start_again(self) -> None:
        try:
            self._start()
        except BotError as reason:
            # Each further try could take as long.
            self._running = FAILURES_MAX
            raise _Failed("crash", f"could not be started again: {reason}") from None

    def _is_answer(self, said: Object) -> bool:
        kind, number = said.get("type"), said.get("id")
        if kind not in {"move", "error"} or (number != self._asked and kind == "error"):
            return False
        if number is None:
            raise _Failed("protocol", "answered without the id of the question")
        if number != self._asked:
            # It is an answer that came too late for its own question.
            return False
        if kind == "error":
            raise _Failed("crash", f"failed: {_text(said.get('message'))}")
        return True

    def _stand_in(self, observation: Observation, failed: _Failed) -> Answer:
        self.failures[failed.kind] += 1
        self._running += 1
        out = self._running >= FAILURES_MAX
        if failed.kind == "timeout":
            self.stop()
        if failed.ends or out or (failed.kind == "timeout" and self._running > 1):
            self.restart()
        what = safe_text(str(failed).rstrip("."), cells_max=LINE_CELLS_MAX)
        trouble = Trouble(failed.kind, what, out)
        return Answer(simple_action(observation), trouble=trouble)

    # -- lines ---------------------------------------------------------------

    def _say(self, process: Process, said: Object) -> None:
        process.say(json.dumps(said, separators=(",", ":")).encode())

    def _hear(
        self, process: Process, end_s: float, is_it: Callable[[Object], bool]
    ) -> Object:
        """The first object that is it; `_Failed` if none comes in time."""
        noise = 0
        while True:
            left_s = end_s - time.monotonic()
            heard = process.hear(left_s)
            # Who never stops talking of something else is never silent.
            if isinstance(heard, Silence) or left_s < 0:
                raise _Failed("timeout", "did not answer in time")
            said = self._take(heard, process)
            if said is not None and is_it(said):
                return said
            noise += said is None
            if noise > NOISE_LINES_MAX:
                raise _Failed("protocol", "prints what is no JSON", ends=True)

    def _take(self, heard: bytes | TooLong | Ended, process: Process) -> Object | None:
        """The object in what was heard; None if it is a line of something else."""
        if isinstance(heard, Ended):
            raise _Failed("crash", f"has ended{process.epitaph()}", ends=True)
        if isinstance(heard, TooLong):
            raise _Failed("protocol", "said a line that is too long", ends=True)
        try:
            said = json.loads(heard)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict):
            self.noise += 1
            return None
        return said


def simple_action(observation: Observation) -> Action:
    """What is played for a bot that has failed: the play that takes most cards."""
    plays = [one for one in observation.legal_actions if isinstance(one, Play)]
    if not plays:
        return observation.legal_actions[0]
    return max(plays, key=lambda play: len(play.captured))


def limits_of(environment: Mapping[str, str]) -> Limits:
    """The limits, of which the player may have set two."""
    usual = Limits()
    seconds = _number(environment, "SCOPA_BOT_SECONDS", usual.move_s)
    megabytes = _number(environment, "SCOPA_BOT_MEMORY_MB", usual.memory_bytes >> 20)
    memory_bytes = int(megabytes * (1 << 20)) if LIMITS_MEMORY else 0
    return Limits(usual.start_s, seconds, memory_bytes)


def _number(environment: Mapping[str, str], variable: str, usual: float) -> float:
    text = environment.get(variable, "")
    if not text:
        return usual
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < _LIMIT_MAX:
        raise BotError(f"{variable} is a number above 0, not {text[:40]!a}.")
    return number


def _text(said: object) -> SafeText:
    return safe_text(str(said) if said else "nothing", cells_max=LINE_CELLS_MAX)


def _greeting(said: Object) -> Greeting:
    options = said.get("options", {})
    if not isinstance(options, dict) or len(options) > OPTIONS_MAX:
        raise _Failed("protocol", "does not say its options as name and default")
    for name, default in options.items():
        if not isinstance(default, bool | int | float | str):
            raise _Failed(
                "protocol", f"has no plain default for its option {name[:40]!a}"
            )
    name, about = said.get("name"), said.get("about")
    return Greeting(
        safe_name(name) if isinstance(name, str) and name.strip() else None,
        safe_text(about, cells_max=LINE_CELLS_MAX)
        if isinstance(about, str)
        else SafeText(""),
        options,
    )


def _answer(observation: Observation, said: Object) -> Answer:
    text = said.get("action")
    if not isinstance(text, str):
        raise _Failed("protocol", "answered without an action")
    try:
        action = parse_action(observation.deal, text)
    except AmbiguousAction as reason:
        raise _Failed("illegal", f"left open what it takes: {reason}") from None
    except InvalidAction:
        raise _Failed(
            "protocol", f"answered what is no action: {text[:40]!a}"
        ) from None
    except RulesError as reason:
        raise _Failed("illegal", f"chose what is not allowed: {reason}") from None
    if action not in observation.legal_actions:
        raise _Failed("illegal", f"chose what is not allowed: {text[:40]!a}")
    reasons = said.get("reasons")
    if not isinstance(reasons, list):
        reasons = []
    return Answer(action, tuple(_text(one) for one in reasons[:REASONS_MAX]))
