"""The folders: whether what must not be lost can be kept in them."""

from __future__ import annotations

import os
import secrets
import shutil
import time
from pathlib import Path

from protocol.files import shown
from protocol.store import MatchStore, StoreProblem, delete
from scopa_net.commands.checkup.finding import Finding, State
from scopa_net.home import Home, HomeProblem, settings_file
from scopa_net.settings import KEYS, SettingsDamaged, read_settings
from scopa_net.ui.words import and_list, counted

__all__ = ["data", "running", "settings"]

_FREE_MIN = 20 << 20
_FREE_FEW = 200 << 20
_SLOW_S = 0.5


def data(home: Home) -> Finding:
    """Whether a match can be kept: rights, room, and a store made for trial.

    Nothing is left of the trial, and no folder is made.
    """
    there = _existing(home.folder)
    try:
        free = shutil.disk_usage(there).free
    except OSError as reason:
        return _unusable(home, reason.strerror or "it cannot be looked at")
    room = _room(free)
    if free < _FREE_MIN:
        return Finding(
            State.FAIL,
            f"{shown(home.folder)}: {room}. A match needs some megabytes.",
            "Make room, or name a folder on another disk with --data-dir.",
        )
    if not there.is_dir():
        return _unusable(home, f"{shown(there)} is no folder")
    if there == home.folder:
        return _used(home, free)
    if not os.access(there, os.W_OK | os.X_OK):
        return _unusable(home, f"{shown(there)} is not yours to write to")
    todo = f"It is not there yet and will be made; {room}."
    return Finding(State.OK, f"{shown(home.folder)}. {todo}")


def _used(home: Home, free: int) -> Finding:
    """How it is with a folder that something is kept in."""
    try:
        home.check()
        if os.path.lexists(home.key_file):
            home.identity()
        known, matches = len(home.known()), len(home.saved())
        took_s = _try_store(home.folder)
    except (HomeProblem, StoreProblem) as reason:
        sentence, _, remedy = str(reason).partition(": chmod")
        todo = f"chmod{remedy}" if remedy else "See the troubleshooting of the README."
        return Finding(State.FAIL, sentence, todo)
    found = (
        f"{shown(home.folder)}: {counted(matches, 'match', 'matches')}, "
        f"{counted(known, 'known player')}, {_room(free)}; a move is on the disk after "
        f"{took_s * 1000:.0f} ms"
    )
    if free < _FREE_FEW:
        return Finding(State.WARN, f"{found}. That is little room.", "Make room.")
    if took_s > _SLOW_S:
        return Finding(
            State.WARN,
            f"{found}: each move is waited for as long.",
            "Name a folder on a disk of this machine with --data-dir.",
        )
    return Finding(State.OK, f"{found}.")


def _room(free: int) -> str:
    return f"{free / (1 << 30):.1f} GB are free"


def settings(data_dir: Path | None) -> Finding:
    """Whether what the player has settled can be read."""
    file = settings_file(data_dir)
    try:
        found = read_settings(file)
    except SettingsDamaged as reason:
        return Finding(State.FAIL, str(reason), f"Put it right in {shown(file)}.")
    if not file.exists():
        return Finding(State.OK, f"Nothing is settled in {shown(file)}.")
    names = [key for key in KEYS if getattr(found, key) is not None]
    what = and_list(names) if names else "nothing"
    return Finding(State.OK, f"{shown(file)} settles {what}.")


def running(home: Home) -> Finding:
    """Whether matches are open in other programs."""
    try:
        open_now = [saved for saved in home.saved() if saved.process is not None]
    except HomeProblem as reason:
        return Finding(State.WARN, str(reason))
    if not open_now:
        return Finding(State.OK, "No other match is open.")
    told = [
        f"{saved.id[:8]} in process {saved.process}" if saved.process else saved.id[:8]
        for saved in open_now
    ]
    many = "Matches are" if told[1:] else "A match is"
    return Finding(
        State.OK,
        f"{many} open in another window: {and_list(told)}. Each runs once at a time.",
    )


def _existing(folder: Path) -> Path:
    """What is there of the folder's path; the root always is."""
    return next(each for each in (folder, *folder.parents) if os.path.lexists(each))


def _try_store(folder: Path) -> float:
    """Make a store and delete it; how long one of its commits took."""
    path = folder / f"doctor-{secrets.token_hex(8)}.sqlite"
    store = MatchStore.create(path, {})
    try:
        before_s = time.monotonic()
        store.note({"doctor": b"was here"})
        return time.monotonic() - before_s
    finally:
        store.close()
        delete(path)


def _unusable(home: Home, why: str) -> Finding:
    return Finding(
        State.FAIL,
        f"{shown(home.folder)} cannot be used: {why}. Nothing can be kept, so no match "
        "can be played over the network.",
        "Name a folder of yours with --data-dir or SCOPA_DATA_DIR.",
    )
