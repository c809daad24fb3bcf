"""The full-screen table on a terminal: the only code that knows prompt_toolkit."""

from scopa_net.ui.screen.app import Screen, Terminal, terminal_glyphs

__all__ = ["Screen", "Terminal", "terminal_glyphs"]
