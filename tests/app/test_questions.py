"""Questions to a person who types into a pipe, and to those who are at no terminal."""

import asyncio
import os
from collections.abc import Awaitable
from io import StringIO

import pytest
from twisted.internet.defer import Deferred

from scopa_net.app.questions import Questions, means_yes
from scopa_net.app.stage import Person
from scopa_net.ui.output import Output
from tests.app.desk import Desk


def answer_to(answer: "Deferred[bool]") -> Awaitable[bool]:
    return answer.asFuture(asyncio.get_running_loop())


@pytest.mark.parametrize(
    ("typed", "yes"),
    [("y\n", 1), (" YES \n", 1), ("\n", 0), ("n\n", 0), ("yea\n", 0), ("1\n", 0)],
)
def test_only_a_clear_yes_is_one(desk: Desk, typed: str, yes: int) -> None:
    async def asked() -> bool:
        answer = desk.questions().ask("Is this Ada?", "Play? y/N")
        desk.type(typed)
        return await answer_to(answer)

    assert asyncio.run(asked()) is bool(yes)
    assert desk.page.getvalue() == "Is this Ada?\nPlay? y/N\n> "
    assert not means_yes(None)


def test_the_end_of_input_says_no(desk: Desk) -> None:
    async def asked() -> bool:
        answer = desk.questions().ask("Play?")
        os.dup2(os.open(os.devnull, os.O_RDONLY), desk.writer)
        return await answer_to(answer)

    assert asyncio.run(asked()) is False


def test_who_is_at_no_terminal_says_no_and_is_asked_nothing(desk: Desk) -> None:
    answers: list[bool] = []
    for questions in (desk.questions(interactive=False), Questions(None, None)):
        questions.ask("Play?").addCallback(answers.append)
    assert answers == [False, False]
    assert desk.page.getvalue() == ""


def test_a_patient_question_waits_for_the_others_and_is_asked_again(
    desk: Desk,
) -> None:
    async def asked() -> list[object]:
        questions = desk.questions()
        loop = asyncio.get_running_loop()
        last = questions.ask_line("Ready?", patient=True).asFuture(loop)
        answers = [answer_to(questions.ask(text)) for text in ("One?", "Two?")]
        desk.type("y\n")
        first = await answers[0]
        desk.type("n\n")
        second = await answers[1]
        desk.type("\n")
        return [first, second, await last]

    assert asyncio.run(asked()) == [True, False, "\n"]
    assert desk.page.getvalue() == "Ready?\n> \nOne?\n> Two?\n> Ready?\n> "


def test_questions_come_one_at_a_time(desk: Desk) -> None:
    async def asked() -> list[bool]:
        questions = desk.questions()
        answers = [answer_to(questions.ask(text)) for text in ("One?", "Two?")]
        assert desk.page.getvalue() == "One?\n> "
        desk.type("y\n")
        first = await answers[0]
        desk.type("n\n")
        return [first, await answers[1]]

    assert asyncio.run(asked()) == [True, False]
    assert desk.page.getvalue() == "One?\n> Two?\n> "


def test_what_was_typed_before_a_question_is_no_answer_to_it() -> None:
    async def asked(keyboard: int, terminal: int) -> list[bool]:
        out = Output(StringIO(), lambda _: None)
        questions = Questions(
            None, Person(out, terminal, interactive=True, adviser=None)
        )
        os.write(keyboard, b"y\n")
        first = answer_to(questions.ask("One?"))
        os.write(keyboard, b"n\ny\n")
        second = answer_to(questions.ask("Two?"))
        answers = [await first]
        os.write(keyboard, b"\n")
        return [*answers, await second]

    keyboard, terminal = os.openpty()
    try:
        assert asyncio.run(asked(keyboard, terminal)) == [False, False]
    finally:
        os.close(keyboard)
        os.close(terminal)


def test_it_is_told_which_question_is_withdrawn_before_the_next_is_asked(
    desk: Desk,
) -> None:
    async def asked() -> None:
        questions = desk.questions()
        one, two, three = (
            questions.ask(f"{name}?", withdrawn=f"{name} has gone.")
            for name in ("One", "Two", "Three")
        )
        for answer in (two, one):
            answer.addErrback(lambda _: None)
            answer.cancel()
        three.addErrback(lambda _: None)

    asyncio.run(asked())
    assert desk.page.getvalue() == "One?\n> \nOne has gone.\nThree?\n> "


def test_a_question_that_nobody_waits_for_makes_room(desk: Desk) -> None:
    async def asked() -> bool:
        questions = desk.questions()
        first, second = questions.ask("One?"), questions.ask("Two?")
        first.addErrback(lambda _: None)
        first.cancel()
        desk.type("y\n")
        return await answer_to(second)

    assert asyncio.run(asked()) is True


def test_what_is_typed_after_the_answer_is_left_for_others(desk: Desk) -> None:
    async def asked() -> bool:
        answer = desk.questions().ask("Play?")
        desk.type("y\n")
        yes = await answer_to(answer)
        desk.type("later")
        await asyncio.sleep(0)
        return yes

    assert asyncio.run(asked()) is True
    assert os.read(desk.reader, 16) == b"later"
