"""The program's surroundings: terminal, locale, clock, libraries."""

from __future__ import annotations

import importlib.metadata
import locale
import os
import platform
import re
import sys
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from protocol.crypto.group import EDWARDS, Suite, UnsafeGroup, self_test
from protocol.store import SQLITE_VERSION
from scopa_net.commands.checkup.finding import Finding, State
from scopa_net.commands.terminal import own_terminal
from scopa_net.home import Home, HomeProblem
from scopa_net.ui.scenes import COLUMNS_MIN, ROWS_MIN

__all__ = ["clock", "group", "libraries", "python", "sqlite", "terminal", "words"]

_DISTRIBUTION = "scopa-net"
_WAL_RESET_FIXED = (3, 51, 3)
# The year in which this was written; and the last for which a key's certificate holds.
_NOT_BEFORE, _NOT_AFTER = 2026, 2099
_AHEAD_S = 300.0


# -- what is shown, and how ----------------------------------------------------------


def terminal(environment: Mapping[str, str] = os.environ) -> Finding:
    """Whether a whole screen will be shown, and with what."""
    if not (sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty()):
        return Finding(
            State.OK,
            "Input or output is no terminal: matches are told line by line, and a "
            "question that needs a person is answered with no.",
        )
    shown = own_terminal(plain=False)
    if shown is None:
        return Finding(
            State.WARN,
            f"TERM is '{environment.get('TERM', '')}': matches are told line by line.",
            "Set TERM to what your terminal is, such as xterm-256color, to see a "
            "whole screen.",
        )
    columns, rows = os.get_terminal_size(sys.stdout.fileno())
    colors = {1: "no colors", 4: "16 colors", 8: "256 colors"}
    told = colors.get(shown.color_bits, "all colors")
    found = (
        f"A whole screen of {columns} columns and {rows} rows, {told}; the suits are "
        f"{' '.join(shown.glyphs.suits)}"
    )
    if columns < COLUMNS_MIN or rows < ROWS_MIN:
        return Finding(
            State.WARN,
            f"{found}. That is too small for a table.",
            f"Make the window at least {COLUMNS_MIN} columns wide and {ROWS_MIN} rows "
            "high, or use --plain.",
        )
    todo = "If these are not four different signs: SCOPA_CHARS=wgl or SCOPA_CHARS=ascii"
    return Finding(State.OK, f"{found}.", f"{todo}.")


def words(environment: Mapping[str, str] = os.environ) -> Finding:
    """Whether names in all scripts can be shown."""
    encoding = getattr(sys.stdout, "encoding", None) or locale.getpreferredencoding()
    named = [
        f"{name}={environment[name]}"
        for name in ("LC_ALL", "LC_CTYPE", "LANG")
        if environment.get(name)
    ]
    found = f"{', '.join(named) or 'No locale is set'}; text is written as {encoding}"
    if encoding.lower().replace("-", "") == "utf8":
        return Finding(State.OK, f"{found}.")
    return Finding(
        State.WARN,
        f"{found}: cards are drawn with plain letters, and what names have beyond that "
        "is shown as a question mark.",
        "Set LANG to a locale of UTF-8 that `locale -a` lists, such as C.UTF-8.",
    )


# -- what it runs on -----------------------------------------------------------------


def clock(home: Home, now_s: float | None = None) -> Finding:
    """Whether the time of day can be right."""
    now_s = time.time() if now_s is None else now_s
    now = datetime.fromtimestamp(now_s, UTC)
    found = f"It is {now:%Y-%m-%d %H:%M} UTC here"
    todo = "Set this machine's clock, and have it kept right over the network."
    if not _NOT_BEFORE <= now.year <= _NOT_AFTER:
        return Finding(
            State.WARN,
            f"{found}, which cannot be: dates are shown wrong, and players elsewhere "
            "are not met again by the time of day.",
            todo,
        )
    try:
        newest_s = max((saved.changed_s for saved in home.saved()), default=0.0)
    except HomeProblem:
        newest_s = 0.0
    if newest_s > now_s + _AHEAD_S:
        return Finding(
            State.WARN,
            f"{found}, and a match that is kept was changed later than that: the clock "
            "was put back.",
            todo,
        )
    return Finding(
        State.OK, f"{found}. Only what is shown and meeting again depend on it."
    )


def python() -> Finding:
    """What runs the program."""
    return Finding(
        State.OK,
        f"{platform.python_implementation()} {platform.python_version()} on "
        f"{platform.system()} {platform.release()}, {platform.machine()}.",
    )


def libraries() -> Finding:
    """Whether all that the program needs is installed, and in which versions."""
    try:
        needed = importlib.metadata.requires(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        return Finding(
            State.WARN,
            "This program is not installed but only lies here, so what it needs is not "
            "known.",
            "Install it: pip install .",
        )
    found, missing = [], []
    for name in _names(needed):
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    told = ", ".join(found)
    if missing:
        return Finding(
            State.FAIL,
            f"{', '.join(missing)} is not installed; there are {told}.",
            "Install this program anew, in an environment of its own: pipx install .",
        )
    return Finding(State.OK, f"{told}.")


def _names(needed: list[str]) -> Iterator[str]:
    """The distributions that are needed however it was installed."""
    for requirement in needed:
        name = re.match(r"[\w.-]+", requirement)
        if name and "extra ==" not in requirement:
            yield name[0]


def sqlite(version: tuple[int, ...] = SQLITE_VERSION) -> Finding:
    """Which SQLite keeps the matches."""
    found = f"SQLite {'.'.join(map(str, version))}"
    if version >= _WAL_RESET_FIXED:
        return Finding(State.OK, f"{found}.")
    return Finding(
        State.OK,
        f"{found}. Before 3.51.3 it could damage a file that two connections write at "
        "once; here each match has only one, which a lock sees to, so no match can be "
        "hit.",
    )


def group(suite: Suite = EDWARDS) -> Finding:
    """Whether the library that locks the cards refuses what it must refuse."""
    try:
        self_test(suite)
    except UnsafeGroup as reason:
        return Finding(
            State.FAIL,
            f"{reason}: no cards can be dealt safely here.",
            "Install PyNaCl from its own wheel, which brings a newer libsodium: "
            "pip install --force-reinstall PyNaCl",
        )
    return Finding(State.OK, "The library that locks the cards refuses false points.")
