"""What can be on the screen, one noun a file: each draws on a canvas, and is pure."""

from scopa_net.ui.scenes.stage import COLUMNS_MIN, ROWS_MIN, draw

__all__ = ["COLUMNS_MIN", "ROWS_MIN", "draw"]
