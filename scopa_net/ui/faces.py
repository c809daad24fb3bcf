"""What cards and their frames are drawn with, in four sizes and four sets of glyphs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto

from scopa_net.rules import Card
from scopa_net.ui.decks import ITALIAN, Deck

__all__ = [
    "ASCII",
    "CONSOLE",
    "FULL",
    "GLYPHS",
    "LARGE",
    "MEDIUM",
    "SIZES",
    "SMALL",
    "TINY",
    "WGL",
    "Edge",
    "Frame",
    "Glyphs",
    "Size",
    "face",
    "short_name",
    "suit_ink",
]


class Edge(Enum):
    """What the frame of a card says of it."""

    PLAIN = auto()
    CHOSEN = auto()
    LAST = auto()


@dataclass(frozen=True, slots=True)
class Frame:
    """The six characters of a frame: the corners by row, then both directions."""

    corners: str
    across: str
    down: str

    def lines(self, width: int, height: int) -> list[str]:
        """The frame around nothing."""
        left, right, bottom_left, bottom_right = tuple(self.corners)
        across = self.across * (width - 2)
        between = f"{self.down}{' ' * (width - 2)}{self.down}"
        return [
            f"{left}{across}{right}",
            *[between] * (height - 2),
            f"{bottom_left}{across}{bottom_right}",
        ]


@dataclass(frozen=True, slots=True)
class Glyphs:
    """A set of characters that a terminal can show, one cell each.

    `suits` by number of the suit; `up_down`, `left_right` and `enter` name keys.
    """

    suits: str
    plain: Frame
    chosen: Frame
    last: Frame
    back: str = "▒▒"
    dot: str = "·"
    dash: str = "\N{EN DASH}"
    on: str = "●"
    off: str = "○"
    pointer: str = "►"
    up: str = "▲"
    times: str = "\N{MULTIPLICATION SIGN}"
    ellipsis: str = "…"
    up_down: str = "↑↓"
    left_right: str = "←→"
    enter: str = "⏎"
    ascii_only: bool = False
    deck: Deck = ITALIAN

    def of(self, deck: Deck) -> Glyphs:
        """The same characters with the suits and ranks of a deck."""
        plain = self.suits == self.deck.plain_signs
        return replace(self, suits=deck.plain_signs if plain else deck.signs, deck=deck)

    def frame(self, edge: Edge) -> Frame:
        """The frame of a card."""
        frames = {
            Edge.PLAIN: self.plain,
            Edge.CHOSEN: self.chosen,
            Edge.LAST: self.last,
        }
        return frames[edge]


_DOUBLE = Frame("╔╗╚╝", "═", "║")
_SQUARE = Frame("┌┐└┘", "─", "│")
FULL = Glyphs("●▼†♣", Frame("╭╮╰╯", "─", "│"), _DOUBLE, Frame("┏┓┗┛", "━", "┃"))
WGL = Glyphs("●▼†♣", _SQUARE, _DOUBLE, _DOUBLE, enter="Enter")
"""What old fonts of Windows have."""
CONSOLE = Glyphs("DCSB", _SQUARE, _DOUBLE, _DOUBLE, enter="Enter")
"""What the Linux console has."""
ASCII = Glyphs(
    "DCSB",
    Frame("..''", "-", "|"),
    Frame("####", "=", "#"),
    Frame("****", "-", "|"),
    back="//",
    dot="-",
    dash="-",
    on="*",
    off="o",
    pointer=">",
    up="^",
    times="x",
    ellipsis="~",
    up_down="Up/Dn",
    left_right="Lt/Rt",
    enter="Enter",
    ascii_only=True,
)
GLYPHS = {"full": FULL, "wgl": WGL, "console": CONSOLE, "ascii": ASCII}


@dataclass(frozen=True, slots=True)
class Size:
    """The cells of a card, with its frame; a card of one row has none."""

    width: int
    height: int


LARGE = Size(9, 7)
MEDIUM = Size(7, 5)
SMALL = Size(5, 3)
TINY = Size(4, 1)
SIZES = (LARGE, MEDIUM, SMALL, TINY)

_PIPS = {
    1: ("   o   ", "", ""),
    2: ("   o   ", "   o   ", ""),
    3: ("   o   ", "   o   ", "   o   "),
    4: (" o   o ", " o   o ", ""),
    5: (" o   o ", " o   o ", "   o   "),
    6: (" o   o ", " o   o ", " o   o "),
    7: (" o   o ", " o   o ", " o o o "),
}
"""The pips of a large card: above and below, then between."""


def short_name(card: Card, glyphs: Glyphs) -> str:
    """Rank and suit in two cells."""
    return f"{glyphs.deck.short(card.rank)}{glyphs.suits[card.suit]}"


def suit_ink(card: Card) -> str:
    """The name of the suit's ink."""
    return f"suit.{card.suit.name.lower()}"


def face(card: Card, size: Size, glyphs: Glyphs) -> list[str]:
    """The lines inside the frame."""
    rank, suit = tuple(short_name(card, glyphs))
    value, courts = f"={card.rank}", glyphs.deck.courts
    if size == TINY:
        return [f" {rank}{suit} "]
    if size == SMALL:
        return [f"{rank} {suit}"]
    if size == MEDIUM:
        if card.rank in courts:
            return [f"{rank} {suit}  ", courts[card.rank], f"{value:>5}"]
        return [f"{rank} {suit}  ", " " * 5, f"  {suit} {rank}"]
    if card.rank in courts:
        name = f" {courts[card.rank]} "
        return [f"{rank} {suit}    ", " " * 7, name, " " * 7, f"{value:>7}"]
    return [f"{rank:<7}", *_pips(card.rank, suit), f"{rank:>7}"]


def _pips(rank: int, suit: str) -> list[str]:
    first, second, between = _PIPS[rank]
    rows = ("", first, "") if rank == 1 else (first, between, second)
    return [f"{row.replace('o', suit):<7}" for row in rows]
