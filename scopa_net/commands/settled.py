"""What goes before what: an option, a variable, the file of settings, a default."""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from protocol.files import shown
from protocol.text import MARK, safe_name
from scopa_net.acquaintances import NAMELESS, bot_name
from scopa_net.commands.refusals import Failure
from scopa_net.commands.telling import own_name
from scopa_net.home import settings_file
from scopa_net.settings import Settings, SettingsDamaged, read_settings

if TYPE_CHECKING:
    from scopa_net.bots.registry import Found

__all__ = ["VARIABLES", "Settled", "name_at_table", "settings_of", "settled"]

VARIABLES: Final[Mapping[str, str]] = {
    "name": "SCOPA_NAME",
    "mailbox": "SCOPA_MAILBOX",
    "relay": "SCOPA_RELAY",
}
"""The variables of the environment that go before a setting; some have none."""

OPTION: Final = "option"
DEFAULT: Final = "default"
LOGIN: Final = "login name"

_OF_NOBODY: Final = frozenset(
    {
        "admin",
        "administrator",
        "guest",
        "nobody",
        "owner",
        "pi",
        "root",
        "test",
        "ubuntu",
        "user",
    }
)
"""Names to log in with that say nothing of who does."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A value, None if it has none, and where it comes from."""

    value: str | bool | None
    origin: str


def settled(
    key: str,
    data_dir: Path | None,
    *,
    option: str | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Settled:
    """What counts for a setting; an empty variable is none."""
    if option is not None:
        return Settled(option, OPTION)
    variable = VARIABLES.get(key, "")
    if environment.get(variable):
        return Settled(environment[variable], variable)
    file = settings_file(data_dir, environment)
    value: str | bool | None = getattr(settings_of(file), key)
    if value is not None:
        return Settled(value, shown(file))
    if key == "name":
        login = _login_name()
        return Settled(NAMELESS, DEFAULT) if login is None else Settled(login, LOGIN)
    return Settled(None, DEFAULT)


def name_at_table(name: str | None, bot: Found | None, data_dir: Path | None) -> str:
    """What the own seat is called among players elsewhere.

    A person without an option or a variable has a settled name, or that of the login,
    so that those who know the player see the same one each time. A bot has its own,
    by which the others see that it is one.
    """
    if name is None:
        name = str(bot_name(bot.name) if bot else settled("name", data_dir).value)
    return own_name(name, bot)


def settings_of(file: Path) -> Settings:
    """What is settled there, or a failure that says what is wrong with it."""
    try:
        return read_settings(file)
    except SettingsDamaged as reason:
        raise Failure(str(reason)) from reason


def _login_name() -> str | None:
    """What the player logs in with, if that is a name to be called by."""
    try:
        name = str(safe_name(getpass.getuser()))
    except (OSError, KeyError, ImportError):
        return None
    if MARK in name or not any(map(str.isalpha, name)) or name.lower() in _OF_NOBODY:
        return None
    return name
