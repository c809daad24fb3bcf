import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from protocol.text import (
    MARK,
    NAME_CELLS_MAX,
    SafeText,
    alike,
    safe_name,
    safe_text,
)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada  ", "Ada"),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("Ða \u00a0 x", "Ða   x"),
        ("\x1b[31mRED", f"{MARK}[31mRED"),
        ("a\x9b2Jb", f"a{MARK}2Jb"),
        ("a\u202eb", f"a{MARK}b"),
        ("a\u200bb", f"a{MARK}b"),
        ("a\nb\rc\td", f"a{MARK}b{MARK}c{MARK}d"),
        ("\x07", MARK),
        ("❤\ufe0f", f"❤{MARK}"),
        ("", MARK),
        ("   ", MARK),
        ("x" * 40, "x" * NAME_CELLS_MAX),
        ("汉" * 40, "汉" * (NAME_CELLS_MAX // 2)),
    ],
)
def test_a_name_is_shown_without_anything_a_terminal_obeys(
    raw: str, shown: str
) -> None:
    # X34.
    assert safe_name(raw) == shown


def test_no_code_point_at_all_gets_past_the_door() -> None:
    # X34.
    for code in range(sys.maxunicode + 1):
        shown = safe_text(f"a{chr(code)}b", cells_max=8)
        for character in shown:
            category = unicodedata.category(character)
            assert category[0] != "C", hex(code)
            assert category not in {"Zl", "Zp"}, hex(code)
        assert wcswidth(shown) >= 0, hex(code)


def test_combining_marks_do_not_pile_up() -> None:
    shown = safe_text("z" + "\u0301" * 10_000, cells_max=8)
    assert len(shown) <= 3


@given(st.text(max_size=60), st.integers(1, 30))
def test_safe_text_fits_its_cells_and_stays_as_it_is(raw: str, cells: int) -> None:
    shown = safe_text(raw, cells_max=cells)
    assert isinstance(shown, SafeText)
    assert 0 <= wcswidth(shown) <= cells
    assert safe_text(shown, cells_max=cells) == shown


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Marco", "MARCO"),
        ("Marco", "Marc\N{CYRILLIC SMALL LETTER O}"),
        ("marco", "M\N{CYRILLIC SMALL LETTER A}RCO"),
        ("Ada", "\N{GREEK CAPITAL LETTER ALPHA}da"),
        ("Ada", "\N{FULLWIDTH LATIN CAPITAL LETTER A}da"),
        ("Alice", "AIice"),
        ("Alice", "A1ice"),
        ("Bob", "B0b"),
        ("Zoë", "Zoe\u0308"),
        ("Ada", " Ada "),
    ],
)
def test_names_that_a_reader_takes_for_one_are_alike(first: str, second: str) -> None:
    # X35.
    assert alike(first, second)
    assert alike(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [("Ada", "Ida"), ("Ian", "Lan"), ("Zoe", "Zoë"), ("Ali", "All"), ("Ada", "Ada 2")],
)
def test_names_that_can_be_told_apart_are_not_alike(first: str, second: str) -> None:
    assert not alike(first, second)
