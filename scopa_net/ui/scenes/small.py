"""A notice for a screen that is too small for a table."""

from __future__ import annotations

from scopa_net.ui.canvas import Canvas, wrap
from scopa_net.ui.view import ViewState

__all__ = ["draw_small"]


def draw_small(canvas: Canvas, view: ViewState, least: tuple[int, int]) -> None:
    """How large it has to be, and that nothing is lost."""
    columns, rows = least
    told = [
        f"The table needs {columns}x{rows}; this is {canvas.columns}x{canvas.rows}.",
        "Enlarge the window; the match goes on."
        + (" It is your turn." if view.asked is not None else ""),
        f"For small screens: {_command(view)} --plain",
    ]
    lines = [line for one in told for line in wrap(one, max(canvas.columns, 1))]
    for row, line in enumerate(lines[: canvas.rows]):
        canvas.put(0, row, line)


def _command(view: ViewState) -> str:
    """What is to be called again."""
    if view.watches:
        return "the same command with"
    return f"scopa {'resume' if view.kept else 'play'}"
