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
CHAT_CHARACTERS_MAX = 200
"""So many code points a message to the other players may have."""

MARKS_PER_BASE_MAX = 2
# Letters of the Cyrillic and the Greek alphabet, and the Latin ones they look like.
_LETTERS = str.maketrans(
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425"
    "\u0405\u0406\u0408\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458"
    "\u04bb\u0501\u051b\u051d\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d"
    "\u039f\u03a1\u03a4\u03a5\u03a7\u03b1\u03b9\u03ba\u03bd\u03bf\u03c1\u03c5",
    "ABEKMHOPCTYXSIJaeopcyxsijhdqwABEZHIKMNOPTYXaikvopu",
)
_STROKES = str.maketrans("I|1O0", "llloo")
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


def chat_text(raw: str) -> SafeText:
    """A message to the other players: as long as it may be, on one line."""
    return safe_text(raw, cells_max=2 * CHAT_CHARACTERS_MAX)


def alike(first: str, second: str) -> bool:
    """Whether a reader may take one name for the other; both are safe to show."""
    one, other = _letters(first), _letters(second)
    if one.casefold() == other.casefold():
        return True
    return one.translate(_STROKES) == other.translate(_STROKES)


def _letters(name: str) -> str:
    return unicodedata.normalize("NFKC", name).translate(_LETTERS).strip()


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Zs":
        return " "
    if category in _UNSAFE or wcwidth(character) < 0:
        return MARK
    # Emoji and text variation selectors change the width of what stands before them.
    return MARK if character in "\ufe0e\ufe0f" else character
