"""How grounds and inks look, for terminals of three kinds.

A theme names styles in the words of prompt_toolkit, but they are plain text here. A
theme is made for its number of colors: reduced ones would run into each other.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["FELT", "MONO", "PLAIN", "Theme", "theme_for"]

Theme = Mapping[str, str]
"""The style of every ground and ink, by name."""

FELT: Theme = {
    "screen": "bg:#0d1a13 #d5e0d6",
    "status": "bg:#20352a #d5e0d6",
    "felt": "bg:#17492f #d5e0d6",
    "card": "bg:#f4efe1 #3a3a3a",
    "dialog": "bg:#23252e #e6e6e6",
    "bar": "bg:#20352a #b9c8bd",
    "frame": "#8a9a8f",
    "frame.felt": "#5fae83",
    "frame.chosen": "bold #c0201f",
    "frame.last": "bold #1f55c0",
    "frame.dialog": "#f0c030",
    "mark.chosen": "bold #f0c030",
    "mark.last": "bold #8fc4ff",
    "suit.denari": "bold #996004",
    "suit.coppe": "bold #c72f58",
    "suit.spade": "bold #0e458e",
    "suit.bastoni": "bold #041309",
    "back": "#c08a5a",
    "strong": "bold",
    "key": "bold #f0c030",
    "faint": "#93a699",
    "turn": "bold #7fe0a0",
    "warning": "bold #ffb070",
    "current": "bold bg:#f0c030 #16181f",
    "good": "#7fe0a0",
}
PLAIN: Theme = {
    "status": "reverse",
    "bar": "",
    "frame.chosen": "bold ansired",
    "frame.last": "bold ansiblue",
    "frame.dialog": "bold",
    "mark.chosen": "bold ansired",
    "mark.last": "bold ansiblue",
    "suit.denari": "bold ansiyellow",
    "suit.coppe": "bold ansired",
    "suit.spade": "bold ansiblue",
    "suit.bastoni": "bold ansigreen",
    "strong": "bold",
    "key": "bold",
    "turn": "bold ansigreen",
    "warning": "bold ansired",
    "current": "reverse",
    "good": "ansigreen",
}
MONO: Theme = {
    "status": "reverse",
    "frame.chosen": "bold",
    "frame.last": "bold",
    "mark.chosen": "bold",
    "mark.last": "bold",
    "strong": "bold",
    "key": "bold",
    "turn": "bold",
    "warning": "bold",
    "current": "reverse",
}


def theme_for(bits: int) -> Theme:
    """The theme for a terminal whose colors have so many bits."""
    if bits <= 1:
        return MONO
    return PLAIN if bits <= 4 else FELT
