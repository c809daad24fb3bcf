"""What a player has settled for good: `settings.toml`.

An option or a variable of the environment overrides it for once, and what is not there
has a default. Whatever else somebody has written in it, comments too, stays as it is.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from protocol.codes import BadServer, read_mailbox, read_relay
from protocol.files import read_file, shown, write_new

__all__ = [
    "KEYS",
    "BadSetting",
    "Settings",
    "SettingsDamaged",
    "read_settings",
    "settle",
]

FILE_BYTES_MAX: Final = 65_536
NAME_CHARACTERS_MAX: Final = 64


class BadSetting(Exception):
    """What is to be settled is not what it should be."""


class SettingsDamaged(Exception):
    """The file cannot be read or written, or does not hold settings."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is settled; None is what is not.

    `mailbox` and `relay` are the servers for codes, and `public_servers` says whether
    those that are kept for everybody may be used when none are named.
    """

    name: str | None = None
    mailbox: str | None = None
    relay: str | None = None
    public_servers: bool | None = None


KEYS: Final[Mapping[str, type]] = {
    "name": str,
    "mailbox": str,
    "relay": str,
    "public_servers": bool,
}
"""Every setting, and what it is."""


def read_settings(path: Path) -> Settings:
    """What is settled in a file, which may be missing; raises `SettingsDamaged`."""
    try:
        found = tomllib.loads(_text(path))
    except (tomllib.TOMLDecodeError, RecursionError) as bad:
        raise _damaged(path, f"it is no TOML file: {bad}") from bad
    try:
        settled = {key: _checked(key, found[key]) for key in KEYS if key in found}
    except BadSetting as bad:
        raise _damaged(path, str(bad).removesuffix(".")) from bad
    return Settings(**settled)  # type: ignore[arg-type]


def settle(path: Path, key: str, value: str | bool | None) -> None:  # noqa: FBT001
    """Put a setting into a file, or take it out by None.

    Raises `BadSetting` or `SettingsDamaged`.
    """
    # Nobody who only reads waits for what can also write.
    import tomlkit  # noqa: PLC0415

    read_settings(path)
    document = tomlkit.parse(_text(path))
    if value is None:
        document.pop(key, None)
    else:
        document[key] = _checked(key, value)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_new(path, tomlkit.dumps(document).encode(), replace=True)
    except OSError as bad:
        raise SettingsDamaged(
            f"{shown(path)} cannot be written: {bad.strerror}. See whose it is, or "
            "name another folder with --data-dir."
        ) from bad


def _checked(key: str, value: object) -> str | bool:
    kind = KEYS.get(key)
    if kind is None:
        raise BadSetting(f"There is no setting {key}; there are {', '.join(KEYS)}.")
    if kind is bool and isinstance(value, bool):
        return value
    if kind is bool:
        raise BadSetting(f"{key} is true or false.")
    if not isinstance(value, str):
        raise BadSetting(f'{key} is a text, like {key} = "...".')
    return _text_checked(key, value)


def _text_checked(key: str, value: str) -> str:
    try:
        if key == "mailbox":
            return read_mailbox(value)
        if key == "relay":
            return read_relay(value)
    except BadServer as bad:
        raise BadSetting(f"{key}: {bad}") from bad
    if not value.strip() or len(value) > NAME_CHARACTERS_MAX:
        raise BadSetting(f"{key} has 1 to {NAME_CHARACTERS_MAX} characters.")
    return value


def _text(path: Path) -> str:
    """What is in the file; nothing if there is none."""
    try:
        data = read_file(path, FILE_BYTES_MAX)
    except FileNotFoundError:
        return ""
    except OSError as bad:
        raise _damaged(path, str(bad.strerror)) from bad
    if len(data) > FILE_BYTES_MAX:
        raise _damaged(path, "it is too long for a file of settings")
    try:
        return data.decode()
    except UnicodeDecodeError as bad:
        raise _damaged(path, "it is no text in UTF-8") from bad


def _damaged(path: Path, why: str) -> SettingsDamaged:
    return SettingsDamaged(
        f"{shown(path)} cannot be used: {why}. Mend it, or move it away."
    )
