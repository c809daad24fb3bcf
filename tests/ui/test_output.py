import errno
from io import StringIO

import pytest

from scopa_net.ui.output import Output, nobody_reads, wrapped


class Full(StringIO):
    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def nobody_leaves(reason: OSError) -> None:
    raise AssertionError(reason)


def test_a_line_never_stands_on_that_of_a_prompt() -> None:
    page = StringIO()
    out = Output(page, nobody_leaves)
    out.lines("one")
    out.prompt()
    out.prompt()
    out.lines("two")
    out.prompt()
    out.answered()
    out.lines("three")
    assert page.getvalue() == "one\n> \ntwo\n> three\n"


def test_what_comes_unasked_leaves_the_prompt_below_it() -> None:
    page = StringIO()
    out = Output(page, nobody_leaves)
    out.prompt()
    out.lines("Waiting for Ada.", "You can wait.")
    out.lines()
    out.whole("scopa join HERE")
    assert page.getvalue() == (
        "> \nWaiting for Ada.\nYou can wait.\n> \nscopa join HERE\n> "
    )
    out.leave_prompt()
    out.lines("It is over.")
    assert page.getvalue().endswith("\n> \nIt is over.\n")


def test_the_line_of_a_prompt_is_left_for_what_others_write() -> None:
    page = StringIO()
    out = Output(page, lambda _: None)
    out.leave_prompt()
    assert page.getvalue() == ""
    out.prompt()
    out.leave_prompt()
    out.leave_prompt()
    assert page.getvalue() == "> \n"


def test_a_stream_that_takes_no_more_is_told_once_with_the_reason() -> None:
    told: list[int | None] = []
    out = Output(Full(), lambda reason: told.append(reason.errno))
    out.lines("one")
    out.lines("two")
    assert told == [errno.ENOSPC]


def test_only_a_closed_reader_has_seen_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    invalid = OSError(errno.EINVAL, "Invalid argument")
    assert nobody_reads(BrokenPipeError())
    assert not nobody_reads(OSError(errno.ENOSPC, "No space left on device"))
    assert not nobody_reads(OSError(errno.EIO, "Input/output error"))
    monkeypatch.setattr("sys.platform", "linux")
    assert not nobody_reads(invalid)
    monkeypatch.setattr("sys.platform", "win32")
    assert nobody_reads(invalid)


def test_lines_for_a_terminal_are_broken_between_words() -> None:
    page = StringIO()
    Output(page, nobody_leaves, width=lambda: 12).lines("Your turn. Which card?")
    assert page.getvalue() == "Your turn.\nWhich card?\n"


def test_what_is_to_be_copied_is_not_broken() -> None:
    page = StringIO()
    Output(page, nobody_leaves, width=lambda: 12).whole("scopa join scopa://HERE")
    assert page.getvalue() == "scopa join scopa://HERE\n"


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("one two three", None, "one two three"),
        ("one two three", 13, "one two three"),
        ("one two three", 12, "one two|three"),
        ("one two three", 5, "one|two|three"),
        ("one unbreakable two", 5, "one|unbreakable|two"),
        ("\u724c\u724c \u724c", 6, "\u724c\u724c|\u724c"),
        ("", 5, ""),
    ],
)
def test_a_line_is_measured_in_cells(text: str, width: int | None, lines: str) -> None:
    assert wrapped(text, width) == lines.replace("|", "\n")
