"""Which keys were pressed, by what a terminal sends.

A terminal sends more than keys: reports of the mouse and of the focus, answers to
questions, pasted text, and over a bad line half of any of these. The parser of
prompt_toolkit reads what it does not know as an Esc and the characters after it, and
here these would play a card or give the match up. So what is not known means nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final

from prompt_toolkit.input import Input as KeyInput
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

if sys.platform != "win32":
    from prompt_toolkit.input.vt100 import Vt100Input

__all__ = ["Keyboard", "read_only_keys"]

CUT_S: Final = 0.5
"""After so long a sequence that was not ended is over."""
PASTE_CUT_S: Final = 3.0
PASTE_CHARACTERS_MAX: Final = 1024
"""So much of a pasted text is kept; nobody can write longer lines."""
SEQUENCE_CHARACTERS_MAX: Final = 32
"""More than any key sends."""

_ESCAPE: Final = "\x1b"
_INTERRUPT: Final = "\x03"
_CONTROL: Final = _ESCAPE + "["
_SINGLE: Final = _ESCAPE + "O"
_CONSOLE: Final = _CONTROL + "["
"""How F1 to F5 of the Linux console begin."""
_STRINGS: Final = frozenset(_ESCAPE + kind for kind in "]PX^_")
_STRING_ENDS: Final = frozenset("\x07\x18\x1a\x9c\udc9c")
_OLD_MOUSE: Final = _CONTROL + "M"
_OLD_MOUSE_CHARACTERS: Final = 3
_PASTE: Final = _CONTROL + "200~"
_PASTE_END: Final = _CONTROL + "201~"
_SEVEN_BITS: Final = {
    chr(base + code): _ESCAPE + chr(code - 0x40)
    for code in (0x8F, 0x90, 0x98, 0x9B, 0x9D, 0x9E, 0x9F)
    for base in (0, 0xDC00)
}
"""What begins with one character of 8 bits, alone or as what is no UTF-8."""


class Keyboard(Vt100Parser):
    """Hands on keys and pasted text; `now_s` is a clock that only goes forward."""

    def __init__(
        self,
        feed_key_callback: Callable[[KeyPress], None],
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._now_s = now_s
        self._fed_s = now_s()
        super().__init__(feed_key_callback)

    def reset(self, request: bool = False) -> None:  # noqa: FBT001, FBT002
        """Forget what has only begun."""
        self._held = ""
        self._skip = 0
        self._pasted: list[str] | None = None
        self._tail = ""

    def feed(self, data: str) -> None:
        """Take what the terminal has sent."""
        now_s = self._now_s()
        lasts_s = CUT_S if self._pasted is None else PASTE_CUT_S
        if now_s > self._fed_s + lasts_s:
            self.reset()
        self._fed_s = now_s
        for character in data:
            self._take(character)

    def flush(self) -> None:
        """Nothing has come for a while: an Esc was the key, not a beginning."""
        if self._held == _ESCAPE:
            self._held = ""
            self._press(_ESCAPE)

    # -- inside --------------------------------------------------------------

    def _take(self, character: str) -> None:
        if character == _INTERRUPT:
            # It works whatever else has come.
            self.reset()
            self._press(character)
        elif self._pasted is not None:
            self._paste(self._pasted, character)
        elif self._skip:
            self._skip -= 1
        elif not self._held:
            self._begin(character)
        elif character == _ESCAPE:
            if self._held == _ESCAPE:
                self._press(_ESCAPE)
            self._held = _ESCAPE
        elif self._held in _STRINGS:
            if character in _STRING_ENDS:
                self._held = ""
        else:
            self._follow(character)

    def _begin(self, character: str) -> None:
        begun = _SEVEN_BITS.get(character, "")
        if character == _ESCAPE or begun:
            self._held = begun or character
        else:
            self._press(character)

    def _follow(self, character: str) -> None:
        """The next character of a sequence, which may be its last one."""
        held, whole = self._held, self._held + character
        if not " " <= character <= "~":
            self._held = ""
            if held != _ESCAPE:
                self._begin(character)
        elif whole in _STRINGS or whole in {_CONTROL, _SINGLE, _CONSOLE}:
            self._held = whole
        elif whole == _OLD_MOUSE:
            self._held, self._skip = "", _OLD_MOUSE_CHARACTERS
        elif _goes_on(held, character):
            self._held = whole[:SEQUENCE_CHARACTERS_MAX]
        else:
            self._held = ""
            if whole == _PASTE:
                self._pasted = []
            elif whole in ANSI_SEQUENCES:
                self._press(whole)

    def _paste(self, pasted: list[str], character: str) -> None:
        self._tail = (self._tail + character)[-len(_PASTE_END) :]
        if len(pasted) < PASTE_CHARACTERS_MAX + len(_PASTE_END):
            pasted.append(character)
        if self._tail == _PASTE_END:
            text = "".join(pasted).removesuffix(_PASTE_END)[:PASTE_CHARACTERS_MAX]
            line = "".join(filter(_is_text, " ".join(text.splitlines())))
            self.reset()
            self.feed_key_callback(KeyPress(Keys.BracketedPaste, line))

    def _press(self, sent: str) -> None:
        keys = ANSI_SEQUENCES.get(sent)
        if isinstance(keys, tuple):
            for key in keys:
                self.feed_key_callback(KeyPress(key, ""))
        elif keys is not None:
            self.feed_key_callback(KeyPress(keys, sent))
        elif _is_text(sent):
            self.feed_key_callback(KeyPress(sent, sent))


def read_only_keys(keys: KeyInput) -> None:
    """Have `keys` read what a terminal sends as a `Keyboard` does.

    On Windows the system tells which keys were pressed.
    """
    if sys.platform != "win32" and isinstance(keys, Vt100Input):
        keys.vt100_parser = Keyboard(keys.vt100_parser.feed_key_callback)


def _goes_on(held: str, character: str) -> bool:
    """Whether that is not the last character of the sequence."""
    if held == _CONSOLE:
        return False
    if held.startswith((_CONTROL, _SINGLE)):
        return character <= "?"
    return character <= "/"


def _is_text(character: str) -> bool:
    """Whether it can be written, and was not only sent."""
    code = ord(character)
    return code >= 0x20 and not (0x7F <= code <= 0x9F or 0xD800 <= code <= 0xDFFF)
