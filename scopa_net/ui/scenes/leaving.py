"""The question before a match is left, and the end of one."""

from __future__ import annotations

from scopa_net.events import Stopped
from scopa_net.ui.canvas import Canvas, wrap
from scopa_net.ui.faces import Glyphs
from scopa_net.ui.presenter import waited_for
from scopa_net.ui.scenes.dialog import Line, draw_dialog, keys_line
from scopa_net.ui.sentences import sentences
from scopa_net.ui.view import Overlay, ViewState
from scopa_net.ui.words import and_list

__all__ = ["draw_ended", "draw_leaving", "ending_lines"]

WIDTH = 64


def draw_leaving(canvas: Canvas, view: ViewState, glyphs: Glyphs) -> None:
    """What leaving costs, how else to leave, and how to stay; or a question of that."""
    if view.overlay in _QUESTIONS:
        _draw_question(canvas, view, glyphs)
        return
    if view.watches:
        _draw_stop_watching(canvas, glyphs)
        return
    cost = (
        "The match is kept. Go on with it by: scopa resume"
        if view.kept
        else "A match against bots is not kept: it ends here."
    )
    leave = "save and leave" if view.kept else "leave"
    told = ["The others are told that you leave for today."] if view.kept else []
    void = [("v", "ask that this deal does not count")]
    if view.is_asked_to_void:
        void = [("v", "say whether this deal is to count")]
    elif view.unanswered:
        told.append(waited_for(view))
        void = []
    lines = [
        Line.of(""),
        Line.of(cost),
        *(Line.of(line) for each in told for line in wrap(each, WIDTH - 4)),
        Line.of(""),
        keys_line((glyphs.enter, leave), ("Esc", "stay")),
        keys_line(("r", "resign"), *void),
        Line.of(""),
    ]
    draw_dialog(canvas, glyphs, "Leave the match?", lines, width=WIDTH)


def _draw_stop_watching(canvas: Canvas, glyphs: Glyphs) -> None:
    lines = [
        Line.of(""),
        Line.of("The match goes on without you; you can watch again later."),
        Line.of(""),
        keys_line((glyphs.enter, "leave"), ("Esc", "stay")),
        Line.of(""),
    ]
    draw_dialog(canvas, glyphs, "Stop watching?", lines, width=WIDTH)


def _draw_question(canvas: Canvas, view: ViewState, glyphs: Glyphs) -> None:
    """What is said for good, or is to be answered."""
    assert view.overlay is not None
    title, text = _QUESTIONS[view.overlay]
    if view.overlay is Overlay.VOID_ASKED:
        text = f"{view.news} {text}"
    if view.overlay is not Overlay.RESIGN and view.silent and view.company is not None:
        names = and_list([view.company.names[seat] for seat in view.silent])
        are = "are" if len(view.silent) > 1 else "is"
        text += f" {names} {are} away: who says yes waits for that answer, too."
    lines = [
        Line.of(""),
        *(Line.of(line) for line in wrap(text, WIDTH - 4)),
        Line.of(""),
        keys_line(("y", "yes"), ("n", "no")),
        Line.of(""),
    ]
    draw_dialog(canvas, glyphs, title, lines, width=WIDTH)


_QUESTIONS = {
    Overlay.RESIGN: (
        "Give the match up?",
        "It is over then. With two sides the other one wins it.",
    ),
    Overlay.VOID: (
        "Call the deal void?",
        "All players are asked. If all say yes, its cards are opened, and it is dealt "
        "again by the same dealer. Until all have answered you cannot play.",
    ),
    Overlay.VOID_ASKED: (
        "Is this deal not to count?",
        "If all say yes, its cards are opened, and it is dealt again by the same "
        "dealer. Who plays on says no.",
    ),
}


def draw_ended(canvas: Canvas, view: ViewState, glyphs: Glyphs) -> None:
    """How the match ended."""
    lines = [
        Line.of(""),
        *ending_lines(view, WIDTH - 4),
        Line.of(""),
        keys_line((glyphs.enter, "leave the table")),
        Line.of(""),
    ]
    title = "The match is stopped" if isinstance(view.ended, Stopped) else "Match over"
    draw_dialog(canvas, glyphs, title, lines, width=WIDTH)


def ending_lines(view: ViewState, cells: int) -> list[Line]:
    """The sentences that tell the end of the match; none while it goes on."""
    ended = view.ended
    if ended is None:
        return []
    if view.company is None:
        told: tuple[str, ...] = (ended.sentence,) if isinstance(ended, Stopped) else ()
    else:
        told = sentences(ended, view.company)
    ink = "warning" if isinstance(ended, Stopped) else "turn"
    return [Line.of(line, ink) for one in told for line in wrap(one, cells)]
