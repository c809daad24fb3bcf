"""Whom the player has met at a table: which key each name had.

A name is what a peer says of itself, a key is what it proves; so once both were met
together, the same name with another key is somebody else, or somebody who has lost the
key. The two cannot be told apart from here: only the player can ask. That is why a
program without a person neither remembers anybody nor is stopped: there is nobody who
could ask or answer, and a bot that is left alone with a match is to play it, whoever
plays under which name.

A name that says nothing, of a bot or of nobody in particular, belongs to no key.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from protocol.text import (
    MARK,
    NAME_CELLS_MAX,
    SafeText,
    alike,
    safe_name,
    safe_text,
)

__all__ = [
    "KNOWN_BYTES_MAX",
    "NAMELESS",
    "Acquaintance",
    "Introduction",
    "Standing",
    "bot_name",
    "forgotten",
    "introduce",
    "known_after",
    "read_known",
    "write_known",
]

NAMELESS: Final = "Player"
"""The name of who has none."""

_BOT: Final = " (bot)"
_KEY_BYTES: Final = 32
KNOWN_MAX: Final = 1000
KNOWN_BYTES_MAX: Final = 1 << 20
_SCHEMA: Final = 1
_TYPE: Final = "known_players"
_MET_S_END: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """A name, the key that it had, and when it was met last, by the system's clock."""

    name: SafeText
    key: bytes
    met_s: int


class Standing(Enum):
    """What is known of somebody at the table."""

    KNOWN = "known"
    """The key that this name had."""

    RENAMED = "renamed"
    """A key that was met under other names only."""

    OTHER_KEY = "other_key"
    """The name of somebody who had another key."""

    NEW = "new"
    """Neither the key nor the name was met before."""


@dataclass(frozen=True, slots=True)
class Introduction:
    """Somebody at the table; `said` is the own word for it, `name` as it is shown here.

    `before` is who it is, or whose name it has; None of somebody new.
    """

    name: SafeText
    said: SafeText
    key: bytes
    standing: Standing
    before: Acquaintance | None

    @property
    def words(self) -> str:
        """The key, to be compared by ear."""
        # Who has nobody to introduce, as at a first frame, waits for no cryptography.
        from protocol.crypto.identity import key_words  # noqa: PLC0415

        return key_words(self.key)


def bot_name(bot: str) -> SafeText:
    """What a bot is called at a table, so that the others see what plays there."""
    short = safe_text(bot, cells_max=NAME_CELLS_MAX - len(_BOT)) or MARK
    return SafeText(short + _BOT)


def introduce(
    known: Sequence[Acquaintance], players: Iterable[tuple[str, SafeText, bytes]]
) -> tuple[Introduction, ...]:
    """What is known of these players, each a signed name, the shown one, and a key."""
    return tuple(_introduced(known, *each) for each in players)


def _says_nothing(name: SafeText) -> bool:
    """Whether it says nothing of who has it."""
    return name.endswith(_BOT) or any(alike(name, each) for each in (NAMELESS, MARK))


def _introduced(
    known: Sequence[Acquaintance], raw: str, shown: SafeText, key: bytes
) -> Introduction:
    said = safe_name(raw)
    of_key = [one for one in known if one.key == key]
    of_name = [] if _says_nothing(said) else _named(known, said)
    both = [one for one in of_name if one.key == key]
    if both:
        standing, before = Standing.KNOWN, _last(both)
    elif of_name:
        standing, before = Standing.OTHER_KEY, _last(of_name)
    elif of_key:
        standing, before = Standing.RENAMED, _last(of_key)
    else:
        standing, before = Standing.NEW, None
    return Introduction(shown, said, key, standing, before)


def _named(known: Sequence[Acquaintance], name: SafeText) -> list[Acquaintance]:
    return [one for one in known if alike(one.name, name)]


def _last(found: Sequence[Acquaintance]) -> Acquaintance:
    return max(found, key=lambda one: one.met_s)


def known_after(
    known: Sequence[Acquaintance],
    introductions: Sequence[Introduction],
    now_s: int,
) -> tuple[Acquaintance, ...]:
    """Who is known after a table with these, the last met first.

    Of two at one table with one name only who had it before is remembered by it; and
    nobody by a name that says nothing.
    """
    met: list[Acquaintance] = []
    for one in introductions:
        namesakes = [other for other in introductions if alike(other.said, one.said)]
        shared = len(namesakes) > 1 and one.standing is not Standing.KNOWN
        if not shared and not _says_nothing(one.said):
            met.append(Acquaintance(one.said, one.key, now_s))
    rest = [one for one in known if not any(alike(one.name, each.name) for each in met)]
    found = sorted((*met, *rest), key=lambda one: -one.met_s)
    return tuple(found[:KNOWN_MAX])


def forgotten(
    known: Sequence[Acquaintance], name: str
) -> tuple[Acquaintance, ...] | None:
    """Who is known without that name; None if nobody has it."""
    rest = tuple(one for one in known if not alike(one.name, safe_name(name)))
    return None if len(rest) == len(known) else rest


# -- as they are kept ----------------------------------------------------------------


def write_known(known: Iterable[Acquaintance]) -> bytes:
    """The acquaintances as a JSON object."""
    players = [
        {"name": one.name, "key": one.key.hex(), "met": one.met_s} for one in known
    ]
    found = {"schema": _SCHEMA, "type": _TYPE, "players": players}
    return json.dumps(found, indent=1).encode() + b"\n"


def read_known(data: bytes) -> tuple[Acquaintance, ...] | None:
    """The acquaintances in `data`; None if that is not what was written."""
    try:
        found = json.loads(data)
        if found["schema"] != _SCHEMA or found["type"] != _TYPE:
            return None
        return tuple(_read(found["players"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _read(players: object) -> Iterator[Acquaintance]:
    if type(players) is not list or len(players) > KNOWN_MAX:
        raise ValueError
    for one in players:
        name, key, met_s = one["name"], bytes.fromhex(one["key"]), one["met"]
        if type(met_s) is not int or not 0 <= met_s < _MET_S_END:
            raise ValueError
        if len(key) != _KEY_BYTES or type(name) is not str:
            raise ValueError
        yield Acquaintance(safe_name(name), key, met_s)
