"""The bots that the README shows are in the tree, and keep what bots promise."""

from __future__ import annotations

import sys
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from scopa_net import HOME
from scopa_net.bots import Play, card
from scopa_net.bots.check import examine
from scopa_net.bots.registry import find_bot
from scopa_net.rules.variants import find_variant
from tests.ai.positions import opening, positions, seen_by_mover

EXAMPLES = Path(HOME, "ai", "examples")
ASKED = (
    f"{EXAMPLES}/most_cards.py",
    f"{EXAMPLES}/patient.py:Patient:least=2",
    f"cmd,scope_first=no:{sys.executable} {EXAMPLES}/plain.py",
)
GAMES = tuple(find_variant(*game) for game in (("scopa", 2), ("cirulla", 2)))


@pytest.mark.parametrize("text", ASKED)
def test_an_example_keeps_what_bots_promise(text: str) -> None:
    findings = list(examine(partial(find_bot, text), GAMES, 5))
    assert {one.passed for one in findings} == {True}


@pytest.mark.skipif(sys.platform == "win32", reason="there is no sh")
def test_a_shell_is_enough_for_a_bot() -> None:
    found = find_bot(f"cmd:sh {EXAMPLES}/first.sh")
    try:
        for deal in islice(positions(GAMES[1], "shell"), 8):
            seen = seen_by_mover(deal)
            answer = found.answer(seen)
            assert (answer.action, answer.trouble) == (seen.legal_actions[0], None)
    finally:
        found.close()


def test_the_readme_shows_the_examples_as_they_are() -> None:
    readme = Path(HOME, "ai", "README.md").read_text(encoding="utf-8")
    shown = {part.split("```")[0] for part in readme.split("```python\n")[1:]}
    files = [EXAMPLES / f"{name}.py" for name in ("most_cards", "patient", "plain")]
    assert shown >= {file.read_text(encoding="utf-8") for file in files}


def test_the_first_example_takes_the_settebello() -> None:
    found = find_bot(str(EXAMPLES / "most_cards.py"))
    try:
        taken = found.bot.choose(opening("7D 2C KC QS", "7C KS 2S"))
    finally:
        found.close()
    assert taken == Play(card("7C"), (card("7D"),))
