"""A person at a whole screen who says something besides playing."""

from collections.abc import Callable

import pytest

from scopa_net.app.screen_player import ScreenPlayer
from scopa_net.leaving import Word
from scopa_net.ui.view import Command, Input
from tests.ui.make_screens import asked
from tests.ui.sitting import Sitting


class Glass:
    """A screen without a terminal: its view, and who carries out its commands."""

    def __init__(self, command: Callable[[Command], None]) -> None:
        self.sitting: Sitting = asked()
        self._command = command

    async def run(self) -> None:
        raise AssertionError("nothing is drawn here")

    def close(self) -> None:
        raise AssertionError("nothing is drawn here")

    def give(self, given: Input) -> None:
        self.sitting.give(given)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.sitting.press(key)
            commands, self.sitting.commands = self.sitting.commands, []
            for command in commands:
                self._command(command)


class Player:
    """Who sits before it, and what has been said."""

    def __init__(self) -> None:
        self.said: list[Word] = []
        self.player = ScreenPlayer(self._glass, leave=lambda _: None)
        self.player.sit_down(lambda: None, None, lambda _: None, self.said.append)

    def _glass(self, command: Callable[[Command], None]) -> Glass:
        self.glass = Glass(command)
        return self.glass


@pytest.mark.parametrize(("key", "word"), [("r", Word.RESIGN), ("v", Word.CALL_VOID)])
def test_what_can_be_said_is_said_after_a_yes(key: str, word: Word) -> None:
    one = Player()
    one.glass.press("q", key, "y")
    assert one.said == [word]


@pytest.mark.parametrize("key", ["r", "v"])
def test_what_cannot_be_said_is_answered_by_why(key: str) -> None:
    one = Player()
    one.player.why_not = lambda word: f"No {word.name}."
    one.glass.press("q", key)
    assert one.glass.sitting.view.overlay is None
    assert "No " in one.glass.sitting.text()
    one.glass.press("y")
    assert one.said == []


def test_what_can_be_said_no_more_is_answered_by_why() -> None:
    one = Player()
    one.glass.press("q", "v")
    one.player.why_not = lambda _: "The match is over already."
    one.glass.press("y")
    assert one.said == []
    assert "The match is over already." in one.glass.sitting.text()
