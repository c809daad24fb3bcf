"""What a program says that knocks, where no person can be asked."""

import asyncio
import os
import sys
from typing import Any

import pytest

from scopa_net.app.questions import Questions


class Loop:
    """As much of a reactor as hands over what a thread has read."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def callFromThread(self, call: Any, *given: Any) -> None:  # noqa: N802 - as there
        self._loop.call_soon_threadsafe(call, *given)


@pytest.mark.parametrize(
    ("written", "says", "left"),
    [
        (b"yes\n1\n2\n", True, b"1\n2\n"),
        (b"y\n", True, b""),
        (b"no\n1\n", False, b"1\n"),
        (b"1\nyes\n", False, b"yes\n"),
        (b"\n", False, b""),
        (b"", False, b""),
        (b"yes", True, b""),
    ],
)
def test_a_program_says_by_one_line_whether_the_words_agree(
    written: bytes,
    says: bool,  # noqa: FBT001
    left: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader, writer = os.pipe()
    os.write(writer, written)
    os.close(writer)

    async def asked() -> bool:
        loop = asyncio.get_running_loop()
        answer = Questions(Loop(loop), None).ask_program()
        return await answer.asFuture(loop)

    with os.fdopen(reader, "rb", buffering=0) as pipe:
        monkeypatch.setattr(sys, "stdin", pipe)
        assert asyncio.run(asked()) is says
        assert pipe.read() == left


def test_without_any_input_nobody_has_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async def asked() -> bool:
        loop = asyncio.get_running_loop()
        answer = Questions(Loop(loop), None).ask_program()
        return await answer.asFuture(loop)

    monkeypatch.setattr(sys, "stdin", None)
    assert asyncio.run(asked()) is False
