"""The panel beside a wide table: the score so far, and the plays of the deal."""

from __future__ import annotations

from scopa_net.rules import SETTEBELLO, Suit
from scopa_net.ui.canvas import Canvas, cut, wrap
from scopa_net.ui.faces import Glyphs
from scopa_net.ui.scenes.status import side_title
from scopa_net.ui.view import ViewState

__all__ = ["draw_side"]

FIGURES = 6


def draw_side(
    canvas: Canvas, view: ViewState, glyphs: Glyphs, x: int, width: int
) -> None:
    """From the second row down to the messages."""
    board, company = view.board, view.company
    top, bottom = 2, canvas.rows - 4
    if board is None or company is None:
        return
    sides = company.sides
    rows = [
        ("match", [view.scores[side] if view.scores else 0 for side in sides]),
        ("cards", [len(board.piles[side]) for side in sides]),
        (
            company.deck.coins,
            [sum(c.suit is Suit.DENARI for c in board.piles[side]) for side in sides],
        ),
        ("settebello", [int(SETTEBELLO in board.piles[side]) for side in sides]),
        ("scope", [board.scope[side] for side in sides]),
    ]
    _box(canvas, glyphs, "Score", (x, top, width - 1, len(rows) + 3))
    columns = [x + width - 3 - 7 * (len(sides) - at) for at in range(len(sides))]
    for at, side in zip(columns, sides, strict=True):
        title = cut(side_title(side, company), FIGURES, glyphs.ellipsis)
        canvas.put(at, top + 1, f"{title:>{FIGURES}}", "strong")
    for row, (name, figures) in enumerate(rows, top + 2):
        canvas.put(x + 2, row, name)
        for at, figure in zip(columns, figures, strict=True):
            canvas.put(at, row, f"{figure or glyphs.dash:>{FIGURES}}")
    top += len(rows) + 3
    _box(canvas, glyphs, "Plays", (x, top, width - 1, bottom - top + 1))
    room = bottom - top - 1
    lines = [line for move in view.moves for line in _indented(move, width - 5)]
    for row, line in enumerate(lines[-room:] if room > 0 else [], top + 1):
        canvas.put(x + 2, row, line)


def _indented(text: str, cells: int) -> list[str]:
    first, *others = wrap(text, cells)[:1] or [""]
    rest = wrap(text[len(first) :], cells - 2)
    return [first, *others, *(f"  {line}" for line in rest)]


def _box(
    canvas: Canvas, glyphs: Glyphs, title: str, area: tuple[int, int, int, int]
) -> None:
    x, y, width, height = area
    for row, line in enumerate(glyphs.plain.lines(width, height)):
        canvas.put(x, y + row, line, "frame")
    canvas.put(x + 2, y, f" {title} ", "strong")
