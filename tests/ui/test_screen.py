"""The screen on a terminal that only a program looks at."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from random import Random

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_input, create_pipe_input
from prompt_toolkit.output import DummyOutput

from scopa_net.app.typed_ahead import forget_typed
from scopa_net.events import Played
from scopa_net.rules import Play, card, find_variant
from scopa_net.rules.cards import cards
from scopa_net.ui.faces import ASCII, CONSOLE, FULL
from scopa_net.ui.screen import Screen, Terminal, terminal_glyphs
from scopa_net.ui.screen.app import PAUSE_S
from scopa_net.ui.view import Command, Do, Heard, Overlay, Quit, ViewState
from tests.ui.sitting import Sitting, dealt_out
from tests.ui.test_keyboard import odd_sequences

ESCAPE, CTRL_C = "\x1b", "\x03"
PASTED, PASTE_END = f"{ESCAPE}[200~", f"{ESCAPE}[201~"


class Glass(DummyOutput):
    """A terminal of 80x24 that remembers whether it is in use."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def get_size(self) -> Size:
        return Size(rows=24, columns=80)

    def enter_alternate_screen(self) -> None:
        self.log.append("alternate")

    def quit_alternate_screen(self) -> None:
        self.log.append("normal")


def seen() -> ViewState:
    """Ana holds AB, 4C and 7D; the 7 can take in two ways."""
    deal = dealt_out(find_variant("scopa"), "3S 4D 5C 2B", "7D 4C AB", "JC 6D AS")
    return Sitting(deal, hints=True).start().ask().view


class Sat:
    """A screen and what came of it."""

    def __init__(self, keys: PipeInput) -> None:
        self.keys = keys
        self.glass = Glass()
        self.commands: list[Command] = []
        self.screen = self.screen_of(Terminal(keys, self.glass, ASCII, shown_s=0.01))

    def screen_of(self, terminal: Terminal) -> Screen:
        return Screen(terminal, seen(), self.command)

    def command(self, command: Command) -> None:
        self.commands.append(command)
        if isinstance(command, Quit):
            self.screen.close()

    async def until(self, come: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not come():
                await asyncio.sleep(0.005)

    def run(self, act: Callable[["Sat"], Awaitable[None]]) -> None:
        async def both() -> None:
            shown = asyncio.ensure_future(self.screen.run())
            await self.until(lambda: "alternate" in self.glass.log or shown.done())
            try:
                await act(self)
            finally:
                self.screen.close()
                await shown

        asyncio.run(both())


@contextmanager
def sat() -> Iterator[Sat]:
    with create_pipe_input() as keys:
        yield Sat(keys)


def test_keys_play_a_card() -> None:
    async def act(one: Sat) -> None:
        one.keys.send_text("3")
        await one.until(lambda: one.screen.view.picked == 2)
        one.keys.send_text("b")
        await one.until(lambda: bool(one.commands))

    with sat() as one:
        one.run(act)
        assert one.commands == [Do(Play(card("7D"), cards("2B 5C")))]
        assert one.glass.log == ["alternate", "normal"]


def test_arrows_escape_and_enter_have_their_names() -> None:
    async def act(one: Sat) -> None:
        one.keys.send_text(f"{ESCAPE}[C{ESCAPE}[C")
        await one.until(lambda: one.screen.view.picked == 1)
        one.keys.send_text(ESCAPE)
        await one.until(lambda: one.screen.view.picked is None)
        one.keys.send_text(f"{ESCAPE}[D{ESCAPE}[B\r")
        await one.until(lambda: bool(one.commands))

    with sat() as one:
        one.run(act)
        assert one.commands == [Do(Play(card("7D"), cards("2B 5C")))]


def test_ctrl_c_twice_gives_the_terminal_back() -> None:
    async def act(one: Sat) -> None:
        one.keys.send_text("\x03")
        await one.until(lambda: one.screen.view.overlay is Overlay.LEAVE)
        one.keys.send_text("\x03")
        await one.until(lambda: bool(one.commands))

    with sat() as one:
        one.run(act)
        assert one.commands == [Quit(interrupted=True)]
        assert one.glass.log == ["alternate", "normal"]


def test_what_a_command_raises_gives_the_terminal_back_and_is_raised() -> None:
    def failing(_: Command) -> None:
        raise ZeroDivisionError

    async def act(one: Sat) -> None:
        one.keys.send_text("1\r")
        await one.until(lambda: "normal" in one.glass.log)

    with sat() as one:
        one.screen = Screen(Terminal(one.keys, one.glass, ASCII), seen(), failing)
        with pytest.raises(ZeroDivisionError):
            one.run(act)
        assert one.glass.log == ["alternate", "normal"]


def test_a_redraw_that_fails_gives_the_terminal_back_and_is_raised() -> None:
    async def act(one: Sat) -> None:
        one.screen.canvas = one.screen.view  # type: ignore[assignment,method-assign]
        one.keys.send_text("1")
        await one.until(lambda: "normal" in one.glass.log)

    with sat() as one:
        with pytest.raises(TypeError):
            one.run(act)
        assert one.glass.log == ["alternate", "normal"]


def test_a_play_settles_by_itself() -> None:
    async def act(one: Sat) -> None:
        company = one.screen.view.company
        event = Played(0, Play(card("AB")), scopa=False)
        one.screen.give(Heard(event, company))
        assert one.screen.view.showing is not None
        await one.until(lambda: one.screen.view.showing is None)

    with sat() as one:
        one.run(act)


@pytest.mark.parametrize(
    "sent", ["[31m", "[<999;1;1M", "[M q", "[24;80R", "[31;1y", "[200~qry"]
)
def test_what_a_terminal_sends_that_is_no_key_does_nothing(sent: str) -> None:
    async def act(one: Sat) -> None:
        one.keys.send_text(f"{ESCAPE}{sent}{CTRL_C}")
        await one.until(lambda: one.screen.view.overlay is Overlay.LEAVE)
        assert one.screen.view.picked is None

    with sat() as one:
        one.run(act)
        assert one.commands == []


def test_whatever_a_terminal_sends_the_screen_stays_and_ctrl_c_leaves() -> None:
    sent = "".join(islice(odd_sequences(Random(7)), 500))

    async def act(one: Sat) -> None:
        one.keys.send_bytes(sent.encode(errors="surrogateescape"))
        for _ in range(2):
            one.keys.send_text(CTRL_C)
        await one.until(lambda: Quit(interrupted=True) in one.commands)
        assert "normal" not in one.glass.log

    with sat() as one:
        terminal = Terminal(one.keys, one.glass, ASCII)
        one.screen = Screen(terminal, seen(), one.commands.append)
        one.run(act)


def test_what_is_pasted_is_written_where_something_is_written() -> None:
    async def act(one: Sat) -> None:
        one.keys.send_text(f"{PASTED}qry{PASTE_END}")
        one.keys.send_text("t")
        await one.until(lambda: one.screen.view.typed is not None)
        one.keys.send_text(f"{PASTED}ci\nao{PASTE_END}")
        await one.until(lambda: bool(one.screen.view.typed))
        assert one.screen.view.typed == "ci ao"

    with sat() as one:
        terminal = Terminal(one.keys, one.glass, ASCII)
        one.screen = Screen(terminal, replace(seen(), chats=True), one.command)
        one.run(act)
        assert one.commands == []


class Typist:
    """Who types at a pseudo-terminal, whatever looks at it."""

    def __init__(self) -> None:
        self._ours, self.theirs = os.openpty()
        with create_pipe_input() as keys:
            self.sat = Sat(keys)
        self._stdin = os.fdopen(os.dup(self.theirs))
        forget = partial(forget_typed, self.theirs)
        keyboard = create_input(self._stdin)
        glass = self.sat.glass
        terminal = Terminal(keyboard, glass, ASCII, forget_typed=forget)
        self.sat.screen = self.sat.screen_of(terminal)

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def close(self) -> None:
        self._stdin.close()
        os.close(self._ours)
        os.close(self.theirs)


@pytest.fixture
def typist() -> Iterator[Typist]:
    one = Typist()
    yield one
    one.close()


@pytest.mark.skipif(sys.platform == "win32", reason="it has no pseudo-terminals")
@pytest.mark.parametrize("before", ["are you quite ready?\n", "hello\n\x04q", "qry"])
def test_what_was_typed_before_the_screen_came_is_no_key(
    typist: Typist, before: str
) -> None:
    async def act(one: Sat) -> None:
        # Who has not seen it yet types on.
        for key in "qry":
            typist.type(key)
            await asyncio.sleep(0.02)
        assert one.screen.view.overlay is None
        await asyncio.sleep(PAUSE_S)
        typist.type("?")
        await one.until(lambda: one.screen.view.overlay is Overlay.HELP)

    typist.type(before)
    typist.sat.run(act)
    assert typist.sat.commands == []


@pytest.mark.skipif(sys.platform == "win32", reason="it has no pseudo-terminals")
def test_who_presses_keys_without_a_pause_is_heeded_all_the_same(
    typist: Typist,
) -> None:
    async def act(one: Sat) -> None:
        came = asyncio.get_running_loop().time()
        while one.screen.view.overlay is None:
            typist.type("?")
            await asyncio.sleep(PAUSE_S / 10)
            assert asyncio.get_running_loop().time() < came + 10

    typist.type("hello")
    typist.sat.run(act)


@pytest.mark.skipif(sys.platform == "win32", reason="it has no pseudo-terminals")
def test_a_key_that_comes_as_soon_as_there_is_a_screen_counts(typist: Typist) -> None:
    async def act(one: Sat) -> None:
        typist.type("q")
        await one.until(lambda: one.screen.view.overlay is Overlay.LEAVE)

    typist.sat.run(act)


@pytest.mark.skipif(sys.platform == "win32", reason="it has no pseudo-terminals")
def test_keys_that_the_screen_did_not_read_are_no_line_for_what_comes_after_it(
    typist: Typist,
) -> None:
    async def act(one: Sat) -> None:
        one.screen.close()
        typist.type("y\n")

    typist.sat.run(act)
    assert not forget_typed(typist.theirs)


@pytest.mark.parametrize(
    ("environment", "can_unicode", "glyphs"),
    [
        ({}, True, FULL),
        ({}, False, ASCII),
        ({"TERM": "linux"}, True, CONSOLE),
        ({"SCOPA_CHARS": "ascii"}, True, ASCII),
        ({"SCOPA_CHARS": "full", "TERM": "linux"}, False, FULL),
        ({"SCOPA_CHARS": "nothing known"}, True, FULL),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="it has its own default")
def test_the_characters_are_those_that_the_terminal_can_show(
    environment: dict[str, str],
    can_unicode: bool,  # noqa: FBT001
    glyphs: object,
) -> None:
    assert terminal_glyphs(environment, can_unicode) is glyphs
