"""A person who is asked when it may start."""

import asyncio
from collections.abc import Callable

import pytest

from scopa_net.app.readiness import Readiness
from tests.app.desk import Desk

WAIT_S = 60.0
ASKED = "Press Enter when you are ready to play.\n> "


def heard(desk: Desk, *typed: str, after: Callable[[Readiness], None]) -> list[str]:
    """What is told of a person who types these lines, one after the other."""
    told: list[str] = []

    async def ask() -> None:
        readiness = Readiness(
            desk.questions(),
            ready=lambda: told.append("ready"),
            leave=lambda: told.append("leaves"),
        )
        readiness.ask()
        for line in typed:
            before = len(told), desk.page.getvalue()
            desk.type(line)
            async with asyncio.timeout(WAIT_S):
                while before == (len(told), desk.page.getvalue()):
                    await asyncio.sleep(0.005)
        after(readiness)

    asyncio.run(ask())
    return told


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["\n"], ["ready"]),
        (["quit\n"], ["leaves"]),
        (["what?\n"], []),
        (["what?\n", " \n"], ["ready"]),
    ],
)
def test_enter_is_ready_and_anything_else_is_asked_again(
    desk: Desk, typed: list[str], told: list[str]
) -> None:
    assert heard(desk, *typed, after=Readiness.give_up) == told
    asked_again = sum(1 for line in typed if line == "what?\n")
    # Who has given up waiting for an answer does not stay on the line for it.
    left = "" if told else "\n"
    assert desk.page.getvalue() == ASKED * (1 + asked_again) + left


def test_a_table_that_has_started_wants_no_answer(desk: Desk) -> None:
    def later(readiness: Readiness) -> None:
        readiness.give_up()
        readiness.give_up()
        desk.type("\n")

    assert heard(desk, after=later) == []


def test_only_a_person_at_a_larger_table_is_asked(desk: Desk) -> None:
    def readiness(*, interactive: bool) -> Readiness:
        questions = desk.questions(interactive=interactive)
        return Readiness(questions, lambda: None, lambda: None)

    person, program = readiness(interactive=True), readiness(interactive=False)
    assert [person.is_asked_for(players) for players in (2, 3, 6)] == [
        False,
        True,
        True,
    ]
    assert not program.is_asked_for(4)
