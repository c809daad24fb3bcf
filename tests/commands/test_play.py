"""What `scopa play` refuses before anything is dealt; it plays in end_to_end."""

import json
from pathlib import Path

import pytest

from tests.support.command_line import scopa


def refused(*words: str) -> str:
    """The sentence, which is an object too with --json."""
    ran, as_json = scopa("play", *words), scopa("play", *words, "--json")
    assert (ran.code, ran.out) == (2, "")
    assert (as_json.code, as_json.err) == (2, ran.err)
    error = json.loads(as_json.out)
    assert (error["schema"], error["type"], error["code"]) == (1, "error", 2)
    assert ran.err.endswith(f"Error: {error['message']}\n")
    return ran.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--against", "gredy"], "There is no bot 'gredy'. Did you mean greedy?"),
        (["--bot", "nobody"], "There is no bot 'nobody'."),
        (["--bot", ""], "There is no bot ''."),
        (["--bot", "./absent.py"], "There is no file './absent.py'."),
        (["--against", "rules:"], "written key=value, not ''."),
        (["--against", "rules:keep=nan"], "The option keep is a number"),
        (["--bot", "greedy:x=1"], "The bot greedy has no option 'x'"),
        (["--variant", "scoppa"], "There is no variant 'scoppa'. Did you mean scopa?"),
        (["--variant", "scopone-9", "--players", "2"], "is for 4 players, not 2."),
        (["--players", "5"], "Five cannot play"),
        (["--players", "1"], "scopa is for 2, 3, 4 or 6 players, not 1."),
        (["--players", "0"], "scopa is for 2, 3, 4 or 6 players, not 0."),
        (["--players", "many"], "'many' is not a valid integer."),
        (["--rule", "target"], "A rule is written key=value, not 'target'."),
        (["--rule", "=3"], "A rule is written key=value, not '=3'."),
        (["--rule", "target=0"], "target is a number from 1 to 999"),
        (["--rule", "tarrget=3"], "There is no option 'tarrget'. Did you mean target?"),
        (
            ["--rule", "target=3", "--rule", "target=4"],
            "The rule target is given twice",
        ),
        (["--players", "3", *["--against", "rules"] * 3], "3 opponents and you are"),
        (["--name", " "], "A name needs at least one character."),
        (["--record", "/nowhere/at/all"], "No record can be written to /nowhere/at"),
        (["--record", ""], "A record needs the name of a file."),
        (["--no-such-option"], "No such option '--no-such-option'."),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_sentence(
    words: list[str], sentence: str
) -> None:
    assert sentence in refused(*words)


def test_an_existing_record_is_refused_before_the_match(tmp_path: Path) -> None:
    path = tmp_path / "match.scopa"
    path.write_bytes(b"older")
    said = refused("--record", str(path))
    assert "exists already: name a new file." in said
    assert path.read_bytes() == b"older"
