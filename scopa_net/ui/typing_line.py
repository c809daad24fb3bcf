"""What happens to the line in which a player writes to the others: a pure reducer.

While it is open every key belongs to it, and nothing that happens at the table waits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from protocol.text import CHAT_CHARACTERS_MAX
from scopa_net.ui.view import (
    Command,
    Confirm,
    Erase,
    Intent,
    TypeIn,
    ViewState,
    Write,
)

__all__ = ["heard", "opened", "typed"]

SAID_MAX: Final = 8
"""So many messages can be read again."""


def heard(view: ViewState, line: str) -> ViewState:
    """After somebody has written something."""
    return replace(view, said=(*view.said, line)[-SAID_MAX:])


def opened(view: ViewState) -> ViewState:
    """With an empty line to write in."""
    return replace(view, typed="")


def typed(
    view: ViewState, line: str, given: Intent
) -> tuple[ViewState, tuple[Command, ...]]:
    """After a key; whatever neither writes nor sends closes the line."""
    match given:
        case TypeIn(text):
            return replace(view, typed=(line + text)[:CHAT_CHARACTERS_MAX]), ()
        case Erase():
            return replace(view, typed=line[:-1]), ()
        case Confirm() if line.strip():
            return replace(view, typed=None), (Write(line.strip()),)
        case _:
            return replace(view, typed=None), ()
