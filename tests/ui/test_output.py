from io import StringIO

from scopa_net.ui.output import Output


class Gone(StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError


def nobody_leaves() -> None:
    raise AssertionError


def test_a_line_never_stands_on_that_of_a_prompt() -> None:
    page = StringIO()
    out = Output(page, nobody_leaves)
    out.line("one")
    out.prompt()
    out.prompt()
    out.line("two")
    out.prompt()
    out.answered()
    out.line("three")
    assert page.getvalue() == "one\n> \ntwo\n> three\n"


def test_a_stream_that_is_gone_is_told_once() -> None:
    told: list[str] = []
    out = Output(Gone(), lambda: told.append("lost"))
    out.line("one")
    out.line("two")
    assert told == ["lost"]
