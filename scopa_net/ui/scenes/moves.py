"""The plays of the deal so far, in sentences, and what was written meanwhile."""

from __future__ import annotations

from scopa_net.ui.canvas import Canvas, wrap
from scopa_net.ui.faces import Glyphs
from scopa_net.ui.scenes.dialog import Line, draw_dialog
from scopa_net.ui.view import ViewState

__all__ = ["draw_moves"]

WIDTH = 76


def draw_moves(canvas: Canvas, view: ViewState, glyphs: Glyphs) -> None:
    """The newest first."""
    lines = [
        Line.of(text, at=2 if row else 0)
        for move in reversed(view.moves)
        for row, text in enumerate(wrap(move, WIDTH - 6))
    ]
    told = lines or [Line.of("Nothing has been played in this deal yet.")]
    if view.said:
        told += [Line.of(""), Line.of("WRITTEN", ink="strong")]
    for said in reversed(view.said):
        told += [
            Line.of(text, at=2 if row else 0)
            for row, text in enumerate(wrap(said, WIDTH - 6))
        ]
    title = f"Deal {view.deal + 1}: what was played, the newest first"
    draw_dialog(canvas, glyphs, title, told, width=WIDTH, scroll=view.top)
