"""What is waited for, when there is no card to look at or a seat does not answer."""

from __future__ import annotations

from scopa_net.ui.absence import LONG_S
from scopa_net.ui.canvas import Canvas, cut, width_of, wrap
from scopa_net.ui.faces import Glyphs
from scopa_net.ui.presenter import waited_for
from scopa_net.ui.scenes.dialog import Line, draw_dialog, keys_line
from scopa_net.ui.scenes.table import Places
from scopa_net.ui.view import Link, ViewState
from scopa_net.ui.words import and_list, shuffled_words

__all__ = ["draw_waiting"]

WIDTH = 60
SAID_ROWS_MAX = 2


def draw_waiting(
    canvas: Canvas, view: ViewState, glyphs: Glyphs, places: Places
) -> None:
    """Over the table only if the match waits."""
    if view.silent and view.asked is None and view.company is not None:
        _draw_silent(canvas, view, glyphs)
    elif view.shuffling and view.showing is None:
        told = [
            "The cards are being shuffled by all seats.",
            "Nobody can see or choose a card.",
        ]
        if view.shuffles is not None:
            told += ["", shuffled_words(view.shuffles.done, view.shuffles.seats)]
        y = places.table_top + places.table_height // 2 - 1
        for row, line in enumerate(told, y):
            text = cut(line, places.main - 6, glyphs.ellipsis)
            canvas.put((places.main - width_of(text)) // 2, row, text, "strong")


def _draw_silent(canvas: Canvas, view: ViewState, glyphs: Glyphs) -> None:
    assert view.company is not None
    cells = min(WIDTH, canvas.columns - 2) - 4
    names = and_list([view.company.names[seat] for seat in view.silent])
    lost = all(view.links[seat] is Link.LOST for seat in view.silent)
    several = len(view.silent) > 1
    if lost:
        title = f"{names} {'are' if several else 'is'} away"
    else:
        title = f"{names} {'do' if several else 'does'} not answer"
    on = "goes on as soon as everybody is back."
    long = max(view.away_s[seat] for seat in view.silent) >= LONG_S
    told = [f"The match is kept; nothing is lost. It {on}"]
    if view.watches or long:
        told = [f"The match {on}"]
    if view.unanswered:
        told = [waited_for(view), *told]
    others = set(range(len(view.links))) - {view.company.you, *view.silent}
    if others:
        told.insert(0, f"Nobody sees {names}.")
    leave = "leave" if view.watches else "save and leave, or more"
    call = [("r", "call again now")] if view.may_call else []
    later: tuple[str, ...] = ("Later: scopa resume",)
    if view.watches or long:
        later = () if view.watches else _after_long(view, names)
    # What is written now would lie below the box.
    said = [line for each in view.said[-1:] for line in wrap(each, cells)]
    lines = [
        *(Line.of(line, "faint") for line in said[:SAID_ROWS_MAX]),
        Line.of(""),
        *(Line.of(line) for each in told for line in wrap(each, cells)),
        *(Line.of(line) for each in later for line in wrap(each, cells)),
        Line.of(""),
        keys_line(*call, ("q", leave)),
    ]
    draw_dialog(canvas, glyphs, title, lines, width=WIDTH)


def _after_long(view: ViewState, names: str) -> tuple[str, ...]:
    """What can be done if somebody does not come back."""
    told = [
        "You can wait, or save and leave: the others are told, and later it goes on "
        "by: scopa resume"
    ]
    if not view.unanswered:
        void = "Or ask that this deal does not count: that takes the yes of"
        told.append(f"{void} {names}, too.")
    if view.carry:
        gone = f"If {names} will not come back, leave, and start anew from this score:"
        told += [gone, f"scopa host --carry {view.carry}"]
    return tuple(told)
