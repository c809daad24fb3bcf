"""``scopa config``, over a file in the data folder."""

from pathlib import Path

import pytest

from scopa_net.home import DATA_DIR
from scopa_net.settings import KEYS, read_settings
from tests.support.command_line import scopa


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("SCOPA_NAME", "SCOPA_MAILBOX", "SCOPA_RELAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(DATA_DIR, str(tmp_path / "data"))
    return tmp_path / "data" / "settings.toml"


def test_what_is_set_is_got_listed_and_unset(file: Path) -> None:
    assert scopa("config", "set", "name", "Ada").code == 0
    assert scopa("config", "set", "public_servers", "no").code == 0
    assert scopa("config", "get", "name").out == "Ada\n"
    assert scopa("config", "get", "public_servers").out == "false\n"
    listed = scopa("config", "list")
    assert f"name            Ada  ({file})\n" in listed.out
    assert "mailbox         -  (default)\n" in listed.out
    assert listed.err == f"The file is {file}.\n"
    assert scopa("config", "unset", "public_servers").code == 0
    assert read_settings(file).public_servers is None
    ran = scopa("config", "get", "public_servers")
    assert (ran.code, ran.out) == (0, "")


def test_programs_get_values_and_where_they_come_from(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scopa("config", "set", "relay", "tcp:h.example:1")
    monkeypatch.setenv("SCOPA_NAME", "Bea")
    answer = scopa("config", "list", "--json").answer
    assert (answer["schema"], answer["type"]) == (1, "settings")
    assert answer["file"] == str(file)
    found = {one["key"]: (one["value"], one["origin"]) for one in answer["settings"]}
    assert set(found) == set(KEYS)
    assert found["name"] == ("Bea", "SCOPA_NAME")
    assert found["relay"] == ("tcp:h.example:1", str(file))
    assert scopa("config", "get", "mailbox", "--json").answer == {
        "schema": 1,
        "type": "setting",
        "key": "mailbox",
        "value": None,
        "origin": "default",
    }


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("get", "colour"), "'colour' is not one of"),
        (("set", "public_servers", "perhaps"), "'perhaps' is not a valid boolean"),
        (("set", "mailbox", "http://h"), "ws://HOST:PORT"),
        (("set", "name", " "), "1 to 64 characters"),
    ],
)
def test_what_cannot_be_settled_is_a_usage_error(
    file: Path, words: tuple[str, ...], says: str
) -> None:
    ran = scopa("config", *words)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert not file.exists()


def test_a_bad_file_is_said_to_be_bad_and_stays(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("name = ")
    for words in (("list",), ("get", "name"), ("set", "name", "Ada")):
        ran = scopa("config", *words)
        assert ran.code == 1
        assert "no TOML file" in ran.err
    assert file.read_text() == "name = "
