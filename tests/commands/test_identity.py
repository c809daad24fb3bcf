"""``scopa identity``, over a home with a key and known players."""

from pathlib import Path

import pytest

from protocol.crypto.identity import key_words
from protocol.text import SafeText
from scopa_net.acquaintances import Acquaintance
from scopa_net.home import DATA_DIR, Home
from tests.support.command_line import scopa

ADA = Acquaintance(SafeText("Ada"), b"a" * 32, 86_400)
ZOE = Acquaintance(SafeText("Zo\xeb"), b"z" * 32, 0)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv(DATA_DIR, str(tmp_path / "data"))
    return Home(tmp_path / "data")


def test_the_own_key_is_shown_as_words_with_its_file(home: Home) -> None:
    ran = scopa("identity")
    key = home.identity().key
    assert (ran.code, ran.out) == (0, f"{key_words(key)}\n")
    assert ran.err == f"The key is in {home.folder / 'identity.key'}.\n"
    assert scopa("identity", "--json").answer == {
        "schema": 1,
        "type": "identity",
        "words": key_words(key),
        "key": key.hex(),
        "file": str(home.folder / "identity.key"),
    }


def test_another_folder_holds_another_key(home: Home, tmp_path: Path) -> None:
    other = scopa("identity", "--data-dir", str(tmp_path / "other"))
    assert other.code == 0
    assert other.out != f"{key_words(home.identity().key)}\n"


@pytest.mark.usefixtures("home")
def test_who_has_met_nobody_is_told_so() -> None:
    ran = scopa("identity", "known")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "You have not met anybody yet.\n"
    assert scopa("identity", "known", "--json").answer["players"] == []


def test_the_known_players_are_listed_with_words_and_day(home: Home) -> None:
    home.know((ADA, ZOE))
    lines = scopa("identity", "known").out.splitlines()
    assert [line.split() for line in lines] == [
        [key_words(ADA.key), "1970-01-02", "Ada"],
        [key_words(ZOE.key), "1970-01-01", "Zo\xeb"],
    ]
    ada, _ = scopa("identity", "known", "--json").answer["players"]
    assert ada == {
        "name": "Ada",
        "words": key_words(ADA.key),
        "key": ADA.key.hex(),
        "met": "1970-01-02T00:00:00+00:00",
    }


def test_a_player_is_forgotten_and_only_that_one(home: Home) -> None:
    home.know((ADA, ZOE))
    assert scopa("identity", "forget", "ada").code == 0
    assert home.known() == (ZOE,)
    ran = scopa("identity", "forget", "ada")
    assert (ran.code, ran.err) == (6, "Error: You know nobody who is called ada.\n")


def test_damage_is_told_and_changes_nothing(home: Home) -> None:
    home.know((ADA,))
    (home.folder / "known.json").write_bytes(b"?")
    for words in (("known",), ("forget", "Ada")):
        ran = scopa("identity", *words)
        assert ran.code == 1
        assert "is damaged" in ran.err
    assert (home.folder / "known.json").read_bytes() == b"?"
