"""The grid keeps its size whatever is written on it."""

from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from scopa_net.ui.canvas import Canvas, Run, cut, width_of, wrap

WIDE = "漢"


@given(
    st.lists(
        st.tuples(st.integers(-3, 25), st.integers(-1, 4), st.text(max_size=12)),
        max_size=12,
    ),
    st.booleans(),
)
def test_whatever_is_written_every_line_keeps_its_width(
    texts: list[tuple[int, int, str]],
    ascii_only: bool,  # noqa: FBT001
) -> None:
    canvas = Canvas(20, 3, ascii_only=ascii_only)
    for x, y, text in texts:
        canvas.put(x, y, text)
        canvas.fill(x, y, 3, 1, "felt")
        canvas.put(x + 1, y, text)
    assert [wcswidth(line) for line in canvas.lines()] == [20, 20, 20]
    if ascii_only:
        assert all(line.isascii() for line in canvas.lines())


@given(st.text(max_size=40), st.integers(0, 30))
def test_a_cut_text_is_no_wider_than_asked(text: str, cells: int) -> None:
    assert width_of(cut(text, cells)) <= cells


@given(st.text(max_size=80), st.integers(1, 30))
def test_no_wrapped_line_is_wider_than_asked(text: str, cells: int) -> None:
    assert all(width_of(line) <= cells for line in wrap(text, cells))


def test_half_a_wide_character_is_never_left() -> None:
    canvas = Canvas(6, 1)
    canvas.put(0, 0, WIDE * 3)
    canvas.put(1, 0, "x")
    assert canvas.lines() == (f" x{WIDE}{WIDE}",)
    canvas.put(2, 0, "y")
    assert canvas.lines() == (f" xy {WIDE}",)


def test_a_wide_character_that_would_cross_the_edge_is_left_out() -> None:
    canvas = Canvas(3, 1)
    canvas.put(0, 0, WIDE * 2)
    assert canvas.lines() == (f"{WIDE} ",)


def test_cells_of_one_look_are_one_run() -> None:
    canvas = Canvas(5, 1)
    canvas.fill(1, 0, 3, 1, "felt")
    canvas.put(2, 0, "ab", "key")
    assert canvas.runs(0) == [
        Run("screen", "", " "),
        Run("felt", "", " "),
        Run("felt", "key", "ab"),
        Run("screen", "", " "),
    ]


def test_what_cannot_be_written_in_ascii_keeps_its_place() -> None:
    canvas = Canvas(8, 1, ascii_only=True)
    canvas.put(0, 0, f"Žiga{WIDE}!")
    assert canvas.lines() == ("Ziga??! ",)


def test_a_cut_is_visible() -> None:
    assert cut("Bartolomeo", 5) == "Bart~"
    assert cut(f"{WIDE}{WIDE}", 3) == f"{WIDE}~"
    assert cut("Ana", 3) == "Ana"


def test_words_stay_whole_where_they_fit() -> None:
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("", 7) == []
