"""The file of settings: what is read from it, and what stays in it."""

import stat
from pathlib import Path

import pytest

from scopa_net.settings import (
    BadSetting,
    Settings,
    SettingsDamaged,
    read_settings,
    settle,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.toml"


def test_nothing_is_settled_where_there_is_no_file(file: Path) -> None:
    assert read_settings(file) == Settings()
    assert not file.parent.exists()


def test_what_is_settled_is_there_again_and_comments_stay(file: Path) -> None:
    settle(file, "public_servers", value=True)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text("# mine\nother = 3\n" + file.read_text())
    settle(file, "name", "Ada")
    settle(file, "mailbox", "ws://h.example:4000")
    assert read_settings(file) == Settings(
        name="Ada", mailbox="ws://h.example:4000/v1", public_servers=True
    )
    assert file.read_text().startswith("# mine\nother = 3\n")
    settle(file, "name", None)
    assert read_settings(file).name is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = ", "no TOML file"),
        ("name = 3", "name is a text"),
        ('name = " "', "1 to 64 characters"),
        ('public_servers = "yes"', "true or false"),
        ('mailbox = "http://h.example"', "ws://HOST:PORT"),
        ('relay = "h.example:1"', "tcp:HOST:PORT"),
        ("#" * 70_000, "too long"),
    ],
)
def test_a_bad_file_is_said_to_be_bad_and_is_not_written_over(
    file: Path, text: str, says: str
) -> None:
    file.parent.mkdir()
    file.write_text(text)
    with pytest.raises(SettingsDamaged, match=says):
        read_settings(file)
    with pytest.raises(SettingsDamaged, match=says):
        settle(file, "name", "Ada")
    assert file.read_text() == text


def test_what_is_no_setting_is_not_settled(file: Path) -> None:
    with pytest.raises(BadSetting, match="There is no setting colour"):
        settle(file, "colour", "red")
    with pytest.raises(BadSetting, match="tcp:HOST:PORT"):
        settle(file, "relay", "nowhere")
    assert not file.exists()


def test_a_file_that_cannot_be_read_or_written_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(SettingsDamaged, match="It is a folder"):
        read_settings(tmp_path)
    in_a_file = tmp_path / "file"
    in_a_file.write_text("")
    with pytest.raises(SettingsDamaged, match="cannot be"):
        settle(in_a_file / "settings.toml", "name", "Ada")
