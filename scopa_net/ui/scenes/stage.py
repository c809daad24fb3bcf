"""The whole screen: the table, and what lies over it."""

from __future__ import annotations

from scopa_net.ui.canvas import Canvas
from scopa_net.ui.faces import Glyphs
from scopa_net.ui.scenes.choice import draw_choice
from scopa_net.ui.scenes.help import draw_help
from scopa_net.ui.scenes.leaving import draw_ended, draw_leaving
from scopa_net.ui.scenes.moves import draw_moves
from scopa_net.ui.scenes.score import draw_deal_over, draw_score
from scopa_net.ui.scenes.small import draw_small
from scopa_net.ui.scenes.table import draw_table, layout
from scopa_net.ui.scenes.waiting import draw_waiting
from scopa_net.ui.view import Overlay, ViewState

__all__ = ["COLUMNS_MIN", "ROWS_MIN", "draw"]

COLUMNS_MIN = 60
ROWS_MIN = 20


def draw(view: ViewState, columns: int, rows: int, glyphs: Glyphs) -> Canvas:
    """The view on a screen of this size."""
    canvas = Canvas(columns, rows, ascii_only=glyphs.ascii_only)
    if columns < COLUMNS_MIN or rows < ROWS_MIN:
        draw_small(canvas, view, (COLUMNS_MIN, ROWS_MIN))
        return canvas
    places = layout(columns, rows, watches=view.watches)
    draw_table(canvas, view, glyphs, places)
    match view.overlay:
        case Overlay.HELP:
            draw_help(canvas, view, glyphs)
        case Overlay.SCORE:
            draw_score(canvas, view, glyphs)
        case Overlay.MOVES:
            draw_moves(canvas, view, glyphs)
        case Overlay.LEAVE | Overlay.RESIGN | Overlay.VOID | Overlay.VOID_ASKED:
            draw_leaving(canvas, view, glyphs)
        case Overlay.DEAL_OVER:
            draw_deal_over(canvas, view, glyphs)
        case None if view.ended is not None:
            draw_ended(canvas, view, glyphs)
        case None if len(view.ways) > 1:
            draw_choice(canvas, view, glyphs, places)
        case None:
            draw_waiting(canvas, view, glyphs, places)
    return canvas
