"""A grid of cells, exactly as wide and as high as asked, whatever is written on it.

Every cell has a character, the name of its ground and the name of its ink; themes say
how these look. Widths are measured, never counted: a wide character takes two cells,
and what a terminal and we might measure differently is replaced by a mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from wcwidth import wcswidth, wcwidth

from protocol.text import MARK

__all__ = ["Canvas", "Run", "cut", "width_of", "wrap"]

_UNSURE = (range(0x1F1E6, 0x1F200), range(0x1F3FB, 0x1F400))
"""Regional indicators and skin tones: two of them may be drawn as one."""


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring cells of one look."""

    ground: str
    ink: str
    text: str


class Canvas:
    """`columns` x `rows` cells; with `ascii_only` nothing else is ever written."""

    def __init__(self, columns: int, rows: int, *, ascii_only: bool = False) -> None:
        self.columns = columns
        self.rows = rows
        self._ascii_only = ascii_only
        # The right half of a wide character holds "".
        self._text = [[" "] * columns for _ in range(rows)]
        self._ground = [["screen"] * columns for _ in range(rows)]
        self._ink = [[""] * columns for _ in range(rows)]

    def put(self, x: int, y: int, text: str, ink: str = "") -> int:
        """Write from cell `x` on, cut at the edges; the column after the text."""
        for found, width in _clusters(self._plain(text)):
            cluster = "?" if self._ascii_only and found == MARK else found
            if 0 <= y < self.rows and x >= 0 and x + width <= self.columns:
                self._free(x, y, width)
                self._text[y][x : x + width] = [cluster, *[""] * (width - 1)]
                self._ink[y][x : x + width] = [ink] * width
            x += width
        return x

    def fill(self, x: int, y: int, width: int, height: int, ground: str) -> None:
        """Empty a rectangle, and give it a ground."""
        left, right = max(x, 0), min(x + width, self.columns)
        for row in range(max(y, 0), min(y + height, self.rows)):
            if left < right:
                self._free(left, row, right - left)
                self._text[row][left:right] = [" "] * (right - left)
                self._ground[row][left:right] = [ground] * (right - left)
                self._ink[row][left:right] = [""] * (right - left)

    def lines(self) -> tuple[str, ...]:
        """What is written, row by row."""
        return tuple("".join(row) for row in self._text)

    def runs(self, y: int) -> list[Run]:
        """A row as runs of one look each."""
        cells = zip(self._ground[y], self._ink[y], self._text[y], strict=True)
        return [
            Run(ground, ink, "".join(cell[2] for cell in same))
            for (ground, ink), same in groupby(cells, key=lambda cell: cell[:2])
        ]

    def _free(self, x: int, y: int, width: int) -> None:
        """Leave no half of a wide character at the edges of what is written next."""
        row = self._text[y]
        if row[x] == "":
            row[x - 1] = " "
        if x + width < self.columns and row[x + width] == "":
            row[x + width] = " "

    def _plain(self, text: str) -> str:
        if not self._ascii_only or text.isascii():
            return text
        return "".join(_ascii(character) for character in text)


def width_of(text: str) -> int:
    """How many cells the text takes on a canvas."""
    return sum(width for _, width in _clusters(text))


def cut(text: str, cells: int, ellipsis: str = "~") -> str:
    """The text in at most so many cells; what is cut off is shown by an ellipsis."""
    if width_of(text) <= cells:
        return text
    room = cells - width_of(ellipsis)
    kept = ""
    for cluster, width in _clusters(text):
        if width > room:
            break
        room -= width
        kept += cluster
    return kept + ellipsis if cells >= width_of(ellipsis) else ""


def wrap(text: str, cells: int) -> list[str]:
    """The text in lines of at most so many cells, broken between words."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if width_of(longer) <= cells:
            lines[-1] = longer
        else:
            lines.append(cut(word, cells))
    return [line for line in lines if line]


def _clusters(text: str) -> Iterator[tuple[str, int]]:
    """Each character with the marks on it, and its cells."""
    found: list[tuple[str, int]] = []
    for character in text:
        width = 1 if " " <= character <= "~" else wcwidth(character)
        if width < 0 or any(ord(character) in unsure for unsure in _UNSURE):
            found.append((MARK, 1))
        elif width > 0:
            found.append((character, width))
        elif found and unicodedata.category(character) == "Mn":
            marked = found[-1][0] + character
            if wcswidth(marked) == found[-1][1]:
                found[-1] = (marked, found[-1][1])
    if text.isascii() or wcswidth(text) == sum(width for _, width in found):
        return iter(found)
    # Together they measure differently, such as a letter and a mark of its own cell.
    return iter(
        [one if len(one[0]) == 1 and _sure(one[0]) else (MARK, 1) for one in found]
    )


def _sure(character: str) -> bool:
    """Whether the character measures the same whatever stands beside it."""
    return unicodedata.category(character)[0] in "LNPSZ" and wcwidth(character) == 1


def _ascii(character: str) -> str:
    """The character without its marks; a sign for what is not ASCII even so."""
    if character.isascii():
        return character
    plain = "".join(
        one for one in unicodedata.normalize("NFKD", character) if one.isascii()
    )
    if len(plain) == 1:
        return plain
    return "?" * max(wcwidth(character), 0)
