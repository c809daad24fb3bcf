"""What a key means, by what is shown."""

from __future__ import annotations

from scopa_net.ui.view import (
    Along,
    Back,
    CallAgain,
    Confirm,
    Erase,
    Intent,
    Interrupt,
    Leave,
    NextWay,
    Overlay,
    Pick,
    Refuse,
    Show,
    Speak,
    Take,
    TypeIn,
    ViewState,
    WantHint,
    WriteTo,
)

__all__ = ["WAY_LETTERS", "intent_of", "label_of"]

WAY_LETTERS = "abcdefgijkmnopruvwyz"
"""What the ways to play a card are called: no letter that means something else."""

_EVERYWHERE: dict[str, Intent] = {
    "up": NextWay(-1),
    "down": NextWay(1),
    "tab": NextWay(1),
    "s-tab": NextWay(-1),
    "left": Along(-1),
    "right": Along(1),
    "enter": Confirm(),
    " ": Confirm(),
    "escape": Back(),
    "backspace": Back(),
    "?": Show(Overlay.HELP),
    "f1": Show(Overlay.HELP),
    "s": Show(Overlay.SCORE),
    "l": Show(Overlay.MOVES),
    "h": WantHint(),
    "t": WriteTo(),
    "r": CallAgain(),
    "x": Speak(),
    "q": Leave(),
    "c-c": Interrupt(),
    "c-d": Leave(),
}
_TYPED: dict[str, Intent] = {
    "enter": Confirm(),
    "escape": Back(),
    "backspace": Erase(),
    "c-c": Interrupt(),
}
"""What does not write itself while something is written to the others."""

_OVER_IT = {"up", "down", "enter", " ", "escape", "backspace", "c-c", "?", "f1", "q"}
"""The keys that mean something while an overlay is open."""


_LEAVING: dict[str, Intent] = {
    "y": Confirm(),
    "enter": Confirm(),
    "q": Confirm(),
    "n": Back(),
    "escape": Back(),
    "c-c": Interrupt(),
    "r": Show(Overlay.RESIGN),
    "v": Show(Overlay.VOID),
}
_ANSWERED = {Overlay.RESIGN, Overlay.VOID, Overlay.VOID_ASKED}
_ANSWERS: dict[str, Intent] = {
    "y": Confirm(),
    "n": Refuse(),
    "escape": Back(),
    "c-c": Interrupt(),
}
"""To what is said for good, no other key says yes."""


def label_of(way: int) -> str:
    """The letter of a way to play a card; nothing if letters do not reach."""
    return WAY_LETTERS[way] if way < len(WAY_LETTERS) else " "


def intent_of(key: str, view: ViewState) -> Intent | None:
    """What the player wants who presses the key; None if it means nothing here."""
    if view.typed is not None:
        return TypeIn(key) if len(key) == 1 else _TYPED.get(key)
    key = key.lower() if len(key) == 1 else key
    if view.overlay is Overlay.LEAVE:
        if key == "v" and view.is_asked_to_void:
            return Show(Overlay.VOID_ASKED)
        # Who watches has no other way to go.
        return None if view.watches and key in {"r", "v"} else _LEAVING.get(key)
    if view.overlay in _ANSWERED:
        return _ANSWERS.get(key)
    if view.overlay is not None:
        return _EVERYWHERE[key] if key in _OVER_IT else None
    if len(key) == 1 and key.isascii() and key.isdecimal():
        return Pick(int(key) or 10)
    if len(view.ways) > 1 and key in WAY_LETTERS:
        return Take(WAY_LETTERS.index(key))
    return _EVERYWHERE.get(key)
