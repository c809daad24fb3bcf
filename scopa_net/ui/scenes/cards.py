"""Rows of cards, as large as they fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scopa_net.rules import Card
from scopa_net.ui.canvas import Canvas, cut, width_of
from scopa_net.ui.faces import SIZES, TINY, Edge, Glyphs, Size, face, suit_ink

__all__ = ["Shown", "draw_cards", "fitting"]

_INKS = {
    Edge.PLAIN: ("frame", ""),
    Edge.CHOSEN: ("frame.chosen", "mark.chosen"),
    Edge.LAST: ("frame.last", "mark.last"),
}
_HOOKS = {Edge.PLAIN: "  ", Edge.CHOSEN: "[]", Edge.LAST: "<>"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A card as it lies there: what its frame says, and the words below it."""

    card: Card
    edge: Edge = Edge.PLAIN
    mark: str = ""
    ink: str = ""
    raised: bool = False


def fitting(count: int, width: int, height: int, sizes: Sequence[Size] = SIZES) -> Size:
    """The largest size in which so many cards fit, each row with a line below it."""
    for size in sizes:
        per_row = max((width + 1) // (size.width + 1), 1)
        rows = -(-count // per_row)
        if rows * (size.height + 1) <= height:
            return size
    return TINY


def draw_cards(
    canvas: Canvas,
    cards: Sequence[Shown],
    glyphs: Glyphs,
    area: tuple[int, int, int, int],
    size: Size,
) -> None:
    """The cards in the middle of an area, given as column, row, width and height."""
    x, y, width, height = area
    per_row = max((width + 1) // (size.width + 1), 1)
    rows = max(-(-len(cards) // per_row), 1)
    per_row = -(-len(cards) // rows)
    above = max((height - rows * (size.height + 1) + 1) // 2, 0)
    for row in range(rows):
        shown = cards[row * per_row : (row + 1) * per_row]
        wide = len(shown) * (size.width + 1) - 1
        left = x + max((width - wide) // 2, 0)
        at_row = y + above + row * (size.height + 1)
        if at_row + size.height > y + height:
            break
        for at, card in enumerate(shown):
            _draw_card(canvas, card, glyphs, size, left + at * (size.width + 1), at_row)


def _draw_card(
    canvas: Canvas, shown: Shown, glyphs: Glyphs, size: Size, x: int, y: int
) -> None:
    frame_ink, mark_ink = _INKS[shown.edge]
    top = y - 1 if shown.raised and size != TINY else y
    canvas.fill(x, top, size.width, size.height, "card")
    inner = face(shown.card, size, glyphs)
    ink = suit_ink(shown.card)
    if size == TINY:
        left, right = tuple(_HOOKS[shown.edge])
        canvas.put(x, top, inner[0], ink)
        canvas.put(x, top, left, frame_ink)
        canvas.put(x + size.width - 1, top, right, frame_ink)
    else:
        lines = glyphs.frame(shown.edge).lines(size.width, size.height)
        for row, line in enumerate(lines):
            canvas.put(x, top + row, line, frame_ink)
        for row, line in enumerate(inner, 1):
            canvas.put(x + 1, top + row, line, ink)
    if shown.mark and size != TINY:
        mark = cut(shown.mark, size.width, glyphs.ellipsis)
        at = x + (size.width - width_of(mark)) // 2
        canvas.put(at, y + size.height, mark, shown.ink or mark_ink)
