"""The screen on a terminal that only a program looks at."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from scopa_net.events import Played
from scopa_net.rules import Play, card, find_variant
from scopa_net.rules.cards import cards
from scopa_net.ui.faces import ASCII, CONSOLE, FULL
from scopa_net.ui.screen import Screen, Terminal, terminal_glyphs
from scopa_net.ui.view import Command, Do, Heard, Overlay, Quit, ViewState
from tests.ui.sitting import Sitting, dealt_out

ESCAPE = "\x1b"


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
        terminal = Terminal(keys, self.glass, ASCII, shown_s=0.01)
        self.screen = Screen(terminal, seen(), self.command)

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
