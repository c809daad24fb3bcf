import getpass
from pathlib import Path

import pytest

from scopa_net.acquaintances import NAMELESS
from scopa_net.commands.refusals import Failure
from scopa_net.commands.seated_bots import bot_named
from scopa_net.commands.settled import VARIABLES, name_at_table, settled
from scopa_net.settings import KEYS, settle

SERVERS = {"mailbox": ("ws://{}.example:1/v1"), "relay": "tcp:{}.example:1"}


@pytest.mark.parametrize("key", VARIABLES)
def test_an_option_goes_before_a_variable_the_file_and_a_default_in_that_order(
    key: str, tmp_path: Path
) -> None:
    option, variable, file = (
        SERVERS.get(key, "{}").format(name) for name in ("option", "variable", "file")
    )
    named = {VARIABLES[key]: variable}
    settle(tmp_path / "settings.toml", key, file)
    found = settled(key, tmp_path, option=option, environment=named)
    assert (found.value, found.origin) == (option, "option")
    found = settled(key, tmp_path, environment=named)
    assert (found.value, found.origin) == (variable, VARIABLES[key])
    for unset in ({}, {VARIABLES[key]: ""}):
        found = settled(key, tmp_path, environment=unset)
        assert (found.value, found.origin) == (file, str(tmp_path / "settings.toml"))
    settle(tmp_path / "settings.toml", key, None)
    default = settled(key, tmp_path, environment={})
    assert default.origin in {"default", "login name"}


def test_every_variable_is_that_of_a_setting() -> None:
    assert set(VARIABLES) <= set(KEYS)


@pytest.mark.parametrize(
    ("login", "name", "origin"),
    [
        ("ada", "ada", "login name"),
        ("Zo\xeb", "Zo\xeb", "login name"),
        ("root", NAMELESS, "default"),
        ("Administrator", NAMELESS, "default"),
        ("1000", NAMELESS, "default"),
        ("a\x1b[2J", NAMELESS, "default"),
        ("", NAMELESS, "default"),
    ],
)
def test_who_has_settled_no_name_is_called_what_they_log_in_with_if_that_is_a_name(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    login: str,
    name: str,
    origin: str,
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: login)
    found = settled("name", tmp_path, environment={})
    assert (found.value, found.origin) == (name, origin)


def test_a_machine_that_knows_no_login_name_leaves_the_player_nameless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown() -> str:
        raise KeyError

    monkeypatch.setattr(getpass, "getuser", unknown)
    assert settled("name", tmp_path, environment={}).value == NAMELESS


def test_a_bad_file_is_a_failure_that_says_what_is_bad(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("name = 3")
    with pytest.raises(Failure, match="name is a text"):
        settled("name", tmp_path, environment={})


def test_a_person_has_the_settled_name_and_a_bot_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SCOPA_NAME", raising=False)
    settle(tmp_path / "settings.toml", "name", "Ada")
    assert name_at_table(None, None, tmp_path) == "Ada"
    assert name_at_table("Bea", None, tmp_path) == "Bea"
    assert name_at_table(None, bot_named("rules"), tmp_path) == "rules (bot)"
    assert name_at_table("Bea", bot_named("rules"), tmp_path) == "Bea"
