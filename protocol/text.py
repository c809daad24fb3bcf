"""Foreign text, made safe to show.

The one place where another peer's characters become something the interface accepts:
a terminal obeys what it is shown, so whatever could move the cursor, hide, reorder or
pile up is replaced by a visible mark. Sanitising is for showing only; what is signed
and compared are the bytes as they came.
"""

import unicodedata

from wcwidth import wcwidth

MARK = "\N{REPLACEMENT CHARACTER}"
NAME_CELLS_MAX = 16
LINE_CELLS_MAX = 240
MARKS_PER_BASE_MAX = 2
# Control, format, surrogate, private, unassigned, line and paragraph separators.
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class SafeText(str):
    """Text that holds nothing but visible, ordinary characters on one line."""

    __slots__ = ()


def safe_text(raw: str, *, cells_max: int) -> SafeText:
    """`raw` in NFC with every unsafe character replaced, cut to `cells_max` columns.

    Spaces of any kind become plain ones; a base character keeps two combining marks.
    """
    kept: list[str] = []
    cells = 0
    marks = 0
    for character in unicodedata.normalize("NFC", raw[: 8 * cells_max]):
        shown = _visible(character)
        width = max(wcwidth(shown), 0)
        if width == 0:
            marks += 1
            if marks > MARKS_PER_BASE_MAX or not kept:
                continue
        else:
            marks = 0
        if cells + width > cells_max:
            break
        cells += width
        kept.append(shown)
    return SafeText("".join(kept).strip())


def safe_name(raw: str) -> SafeText:
    """A player's name; a nameless one is shown as the mark, never as nothing."""
    return safe_text(raw, cells_max=NAME_CELLS_MAX) or SafeText(MARK)


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Zs":
        return " "
    if category in _UNSAFE or wcwidth(character) < 0:
        return MARK
    # Emoji and text variation selectors change the width of what stands before them.
    return MARK if character in "\ufe0e\ufe0f" else character
