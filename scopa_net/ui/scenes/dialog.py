"""A framed box over the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scopa_net.ui.canvas import Canvas, cut, width_of
from scopa_net.ui.faces import Glyphs

__all__ = ["Line", "draw_dialog", "keys_line"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of parts, each a text, an ink, and the column where it begins."""

    parts: tuple[tuple[int, str, str], ...]

    @classmethod
    def of(cls, text: str, ink: str = "", at: int = 0) -> Line:
        """A line of one part."""
        return cls(((at, text, ink),))


def draw_dialog(
    canvas: Canvas,
    glyphs: Glyphs,
    title: str,
    lines: Sequence[Line],
    *,
    width: int,
    top: int | None = None,
    within: int | None = None,
    scroll: int = 0,
) -> None:
    """The lines in a box with a title, in the middle unless `top` is given.

    `within` so many columns from the left, if not on the whole screen.

    What does not fit is reached by `scroll` lines; a sign says that there is more.
    """
    width = min(width, canvas.columns - 2)
    room = canvas.rows - 4
    shown = lines[min(scroll, max(len(lines) - room, 0)) :][:room]
    height = len(shown) + 2
    x = ((within or canvas.columns) - width) // 2
    y = max((canvas.rows - 1 - height) // 2, 0) if top is None else top
    canvas.fill(x, y, width, height, "dialog")
    for row, text in enumerate(glyphs.chosen.lines(width, height)):
        if row in {0, height - 1}:
            canvas.put(x, y + row, text, "frame.dialog")
        else:
            canvas.put(x, y + row, text[0], "frame.dialog")
            canvas.put(x + width - 1, y + row, text[-1], "frame.dialog")
    room_for_title = width - 6
    canvas.put(x + 2, y, f" {cut(title, room_for_title, glyphs.ellipsis)} ", "strong")
    for row, line in enumerate(shown, y + 1):
        for at, text, ink in line.parts:
            canvas.put(x + 2 + at, row, cut(text, width - 4 - at, glyphs.ellipsis), ink)
    if len(shown) < len(lines):
        more = f" {glyphs.up_down} more "
        canvas.put(x + width - 2 - width_of(more), y + height - 1, more, "key")


def keys_line(*keys: tuple[str, str]) -> Line:
    """Keys with what they do."""
    parts = []
    at = 0
    for key, does in keys:
        parts += [(at, key, "key"), (at + width_of(key) + 1, does, "")]
        at += width_of(key) + width_of(does) + 4
    return Line(tuple(parts))
