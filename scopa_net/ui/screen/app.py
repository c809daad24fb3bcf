"""Shows views on a terminal and reads its keys, on the running asyncio loop.

The terminal is given back as it was however the application ends. Nothing is decided
here: keys become intents, views become cells.
"""

from __future__ import annotations

import asyncio
import locale
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Always
from prompt_toolkit.input import Input as KeyInput
from prompt_toolkit.input import create_input
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.styles import Style

from scopa_net.ui.canvas import Canvas
from scopa_net.ui.decks import deck_in
from scopa_net.ui.faces import GLYPHS, Glyphs
from scopa_net.ui.keys import intent_of
from scopa_net.ui.presenter import caught_up, reduce
from scopa_net.ui.scenes import draw
from scopa_net.ui.screen.keyboard import read_only_keys
from scopa_net.ui.themes import theme_for
from scopa_net.ui.view import Command, Input, Settled, TypeIn, ViewState

__all__ = ["Screen", "Terminal", "terminal_glyphs"]

SHOWN_S = 0.6
"""How long a play is shown before the table becomes what it made of it."""
REDRAW_INTERVAL_S = 0.02
ESCAPE_S = 0.05
"""How long an Esc waits for what would make it the beginning of another key."""
PAUSE_S = 0.5
"""Who was typing when the screen came has seen it after not typing for so long."""
TYPES_ON_S = 2.0
"""Nobody types on for longer without a look."""

_NAMES: Mapping[str, str] = {
    Keys.ControlM: "enter",
    Keys.ControlJ: "enter",
    Keys.ControlI: "tab",
    Keys.BackTab: "s-tab",
    Keys.ControlH: "backspace",
    Keys.ControlC: "c-c",
    Keys.ControlD: "c-d",
}
_NO_KEYS = (
    Keys.Vt100MouseEvent,
    Keys.WindowsMouseEvent,
    Keys.ScrollUp,
    Keys.ScrollDown,
    Keys.CPRResponse,
)
"""What prompt_toolkit would have done with these is nothing for a table."""
_BITS = {
    ColorDepth.DEPTH_1_BIT: 1,
    ColorDepth.DEPTH_4_BIT: 4,
    ColorDepth.DEPTH_8_BIT: 8,
    ColorDepth.DEPTH_24_BIT: 24,
}


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where keys come from and cells go to, and with which characters and patience.

    `forget_typed` drops what has been typed and not read, and says whether there was
    anything.
    """

    keys: KeyInput
    output: Output
    glyphs: Glyphs
    shown_s: float = SHOWN_S
    environment: Mapping[str, str] = field(default_factory=dict)
    forget_typed: Callable[[], bool] = lambda: False

    @classmethod
    def own(cls, forget_typed: Callable[[], bool]) -> Terminal:
        """The terminal that the program runs in."""
        return cls(
            create_input(sys.stdin),
            create_output(sys.stdout),
            terminal_glyphs(os.environ, _can_unicode()).of(deck_in(os.environ)),
            environment=os.environ,
            forget_typed=forget_typed,
        )

    @property
    def color_bits(self) -> int:
        """How many bits a color has here; 1 stands for none."""
        return _BITS[_depth(self)]


def terminal_glyphs(environment: Mapping[str, str], can_unicode: bool) -> Glyphs:  # noqa: FBT001
    """The characters that were asked for, or that the terminal can show."""
    asked = environment.get("SCOPA_CHARS", "auto").lower()
    if asked in GLYPHS:
        return GLYPHS[asked]
    if not can_unicode:
        return GLYPHS["ascii"]
    if environment.get("TERM") == "linux":
        return GLYPHS["console"]
    return GLYPHS["wgl" if sys.platform == "win32" else "full"]


def _can_unicode() -> bool:
    """Whether the user's locale, and not only Python's repair of it, is of UTF-8."""
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        found = os.environ.get(name)
        if found and not (name == "LC_CTYPE" and found == "C.UTF-8"):
            if found in {"C", "POSIX"}:
                return False
            break
    encoding = getattr(sys.stdout, "encoding", None) or locale.getpreferredencoding()
    return encoding.lower().replace("-", "") == "utf8"


class Screen:
    """The table of one player. `command` carries out what the player has decided."""

    def __init__(
        self, terminal: Terminal, view: ViewState, command: Callable[[Command], None]
    ) -> None:
        self._terminal = terminal
        self._command = command
        self._view = view
        self._failure: BaseException | None = None
        self._running = False
        # When keys are meant for this screen, on the clock of the loop.
        self._heeds_s = self._heeds_by_s = 0.0
        read_only_keys(terminal.keys)
        self._app: Application[None] = Application(
            layout=Layout(Window(_Stage(self), always_hide_cursor=Always())),
            style=Style.from_dict(dict(theme_for(terminal.color_bits))),
            color_depth=_depth(terminal),
            key_bindings=self._bindings(),
            full_screen=True,
            min_redraw_interval=REDRAW_INTERVAL_S,
            input=terminal.keys,
            output=terminal.output,
        )
        self._app.ttimeoutlen = ESCAPE_S

    @property
    def view(self) -> ViewState:
        """What is shown."""
        return self._view

    async def run(self) -> None:
        """Hold the terminal until `close`; raises what went wrong meanwhile.

        What was typed before it could be seen is dropped, and so is what was typed for
        it and not read when it ends.
        """
        loop = asyncio.get_running_loop()
        before = loop.get_exception_handler()
        loop.set_exception_handler(self._failed)
        self._running = True
        self._settle()
        clear_typeahead(self._terminal.keys)
        self._app.before_render += self._seen
        try:
            await self._app.run_async(handle_sigint=False, set_exception_handler=False)
        finally:
            self._running = False
            loop.set_exception_handler(before)
            clear_typeahead(self._terminal.keys)
            self._terminal.forget_typed()
        if self._failure is not None:
            raise self._failure

    def close(self) -> None:
        """Give the terminal back."""
        if self._running and self._app.is_running and not self._app.is_done:
            self._app.exit()

    def give(self, given: Input) -> None:
        """Something has happened, or is wanted; before `run` nobody has to see it."""
        before = self._view.serial
        self._view, commands = reduce(self._view, given)
        if not self._running:
            self._view = caught_up(self._view)
        if self._view.serial != before:
            self._settle()
        self._app.invalidate()
        for command in commands:
            self._command(command)

    def canvas(self, columns: int, rows: int) -> Canvas:
        """What is on the screen now."""
        return draw(self._view, columns, rows, self._terminal.glyphs)

    def _seen(self, _: Application[None]) -> None:
        """The terminal sends single keys now, and something is about to be seen."""
        self._app.before_render -= self._seen
        if self._terminal.forget_typed():
            now_s = asyncio.get_running_loop().time()
            self._heeds_s, self._heeds_by_s = now_s + PAUSE_S, now_s + TYPES_ON_S

    def _is_meant(self) -> bool:
        """Whether a key that has come now is not one more of those typed before."""
        now_s = asyncio.get_running_loop().time()
        if now_s >= min(self._heeds_s, self._heeds_by_s):
            return True
        self._heeds_s = now_s + PAUSE_S
        return False

    def _settle(self) -> None:
        """Show the play for a while, if the screen is there already."""
        if self._running and self._view.showing is not None:
            serial = self._view.showing.serial
            asyncio.get_running_loop().call_later(
                self._terminal.shown_s, self._settled, serial
            )

    def _settled(self, serial: int) -> None:
        if self._running:
            self.give(Settled(serial))

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        bindings.add("c-l")(lambda _: self._app.renderer.clear())
        if sys.platform != "win32":
            bindings.add("c-z")(lambda _: self._app.suspend_to_background())

        @bindings.add(Keys.Any)
        def pressed(event: KeyPressEvent) -> None:
            key = event.key_sequence[0].key
            if not (self._is_meant() or key == Keys.ControlC):
                return
            name = _NAMES.get(key, key.value if isinstance(key, Keys) else key)
            intent = intent_of(name, self._view)
            if intent is not None:
                self.give(intent)
            elif self._view.showing is not None:
                self.give(Settled(self._view.showing.serial))

        for key in (*_NAMES, Keys.Escape):
            bindings.add(key)(pressed)

        @bindings.add(Keys.BracketedPaste)
        def pasted(event: KeyPressEvent) -> None:
            if self._view.typed is not None:
                self.give(TypeIn(event.data))

        for key in _NO_KEYS:
            bindings.add(key)(lambda _: None)
        return bindings

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """What a key or a redraw raised ends the application, which then raises it."""
        raised = context.get("exception")
        if raised is None:
            loop.default_exception_handler(context)
        elif self._failure is None:
            self._failure = raised
            self.close()


def _depth(terminal: Terminal) -> ColorDepth:
    """The number of colors, also as NO_COLOR and COLORTERM tell it."""
    environment = terminal.environment
    if environment.get("NO_COLOR"):
        return ColorDepth.DEPTH_1_BIT
    if environment.get("COLORTERM") in {"truecolor", "24bit"}:
        return ColorDepth.DEPTH_24_BIT
    return ColorDepth.from_env() or terminal.output.get_default_color_depth()


class _Stage(UIControl):
    """The whole screen as one control."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def is_focusable(self) -> bool:
        return True

    def create_content(self, width: int, height: int) -> UIContent:
        """The canvas of the moment, in the size that the terminal has."""
        canvas = self._screen.canvas(width, height)

        def line(row: int) -> list[tuple[str, str]]:
            return [
                (f"class:{run.ground} class:{run.ink or 'none'}", run.text)
                for run in canvas.runs(row)
            ]

        # The type of a line there has mouse handlers too; ours has none.
        return UIContent(get_line=line, line_count=height)  # type: ignore[arg-type]
