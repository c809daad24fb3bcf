"""`scopa bot show`, `check` and `hint`; `list` is tested with the registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from scopa_net import HOME
from tests.support.command_line import scopa

PATIENT = f"{Path(HOME, 'ai', 'examples', 'patient.py')}:Patient"
TABLE = ("--table", "3C 4S KB QB")


def test_a_bot_says_what_it_is_and_how_it_plays() -> None:
    own, other = scopa("bot", "show", "rules"), scopa("bot", "show", PATIENT)
    assert own.out.startswith("rules: Counts cards")
    assert "in the program of the match" in own.out
    assert other.out.splitlines() == [
        "Patient: Captures only when that brings some cards at once.",
        "options: least=3",
        "It plays in a process of its own: 10000 ms a move, 4096 MiB of memory.",
    ]
    told = scopa("bot", "show", PATIENT, "--json").answer
    assert (told["schema"], told["type"], told["name"]) == (1, "bot", "Patient")
    assert (told["process"], told["options"]) == (True, {"least": 3})


def test_what_is_no_bot_is_refused_by_every_command() -> None:
    for words in (("show", "gredy"), ("check", "gredy"), ("hint", "gredy", *TABLE)):
        more = ("--hand", "7D 2B KS") if words[0] == "hint" else ()
        ran = scopa("bot", *words, *more)
        assert (ran.code, ran.out) == (2, "")
        assert "Did you mean greedy?" in ran.err


def test_a_check_is_a_line_for_each_promise_and_an_exit_code(tmp_path: Path) -> None:
    passed = scopa("bot", "check", "greedy", "--variant", "scopa", "--positions", "2")
    assert passed.code == 0
    lines = passed.out.splitlines()
    assert lines[1] == "ok      legal         8 positions of 4 games"
    assert lines[-1] == "-       ends          it plays in this program"
    lost = tmp_path / "lost.py"
    lost.write_text("def choose(observation):\n    return None\n")
    failed = scopa("bot", "check", str(lost), "--variant", "escoba", "--json")
    assert failed.code == 1
    assert (failed.answer["type"], failed.answer["ok"]) == ("bot_check", False)
    assert failed.answer["checks"][1] == {
        "name": "legal",
        "passed": False,
        "detail": "in escoba for 2 it failed: It chose what is no action: an object of "
        "type NoneType",
    }
    unknown = scopa("bot", "check", "greedy", "--variant", "scoppa")
    assert unknown.code == 2
    assert "Did you mean scopa?" in unknown.err


def test_a_hint_is_a_move_and_its_reasons() -> None:
    asked = (*TABLE, "--hand", "7D 2B KS")
    assert scopa("bot", "hint", "greedy", *asked).out == "7Dx3C4S\n"
    assert scopa("bot", "hint", f"{PATIENT}:least=2", *asked).out.splitlines() == [
        "7Dx3C4S",
        "It takes 2 cards; 2 could be taken.",
    ]
    told = scopa("bot", "hint", f"{PATIENT}:least=2", *asked, "--json").answer
    assert told == {
        "schema": 1,
        "type": "hint",
        "bot": "Patient",
        "action": "7Dx3C4S",
        "card": "7D",
        "captured": ["3C", "4S"],
        "scopa": False,
        "reasons": ["It takes 2 cards; 2 could be taken."],
    }


def test_a_hint_in_the_middle_of_a_deal_is_for_who_plays_then() -> None:
    asked = ("--played", "7Bx3C4S, QDxQB", "--hand", "5C KD", "--score", "3")
    ran = scopa("bot", "hint", "greedy", *TABLE, *asked, "--score", "5")
    assert ran.out == "KDxKB#\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--hand", "7D"), "Who plays now holds 3 cards, not 1."),
        (("--hand", "7D 2B KS", "--score", "1"), "There are 2 sides, so 2 scores."),
        (("--hand", "7D 2B 9S"), "'9S' is not a card"),
    ],
)
def test_a_position_that_cannot_be_is_refused(
    words: tuple[str, ...], sentence: str
) -> None:
    ran = scopa("bot", "hint", *TABLE, *words)
    assert ran.code == 2
    assert sentence in ran.err


def test_a_bot_that_fails_gives_no_hint(tmp_path: Path) -> None:
    lost = tmp_path / "lost.py"
    lost.write_text("def choose(observation):\n    return 1 / 0\n")
    ran = scopa("bot", "hint", str(lost), *TABLE, "--hand", "7D 2B KS")
    assert ran.code == 1
    assert ran.err.endswith(
        "The bot lost failed: ZeroDivisionError: division by zero.\n"
    )
