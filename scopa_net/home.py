"""The folder in which a peer keeps its key and its matches.

    identity.key           the key that its signatures are made with
    known.json             whom its player has met, and with which keys
    matches/ID.sqlite      a match that can be gone on with (see protocol.store)
    matches/ID.bots/N      a folder like this one, of a bot that its host has brought
    finished/ID.scopa      the record of one, as `scopa audit` reads it
    */ID.json              what a list says of it, so that no store is opened for that

IDs are our own random ones, and the only names here: nothing is called what a peer or a
file says. Whatever holds a secret is its owner's alone, and is refused otherwise.
"""

import os
import secrets
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from protocol.archive import ARCHIVE_BYTES_MAX
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity
from protocol.files import exposed, read_file, shown, write_new
from protocol.pasted import unwrapped
from protocol.step import Row
from protocol.store import MatchStore, delete, holder, rescue
from scopa_net.acquaintances import (
    KNOWN_BYTES_MAX,
    Acquaintance,
    read_known,
    write_known,
)
from scopa_net.summary import (
    SUMMARY_BYTES_MAX,
    Summary,
    read_summary,
    write_summary,
)

__all__ = [
    "DATA_DIR",
    "ID_CHARACTERS",
    "Home",
    "HomeExposed",
    "HomeFailed",
    "HomeProblem",
    "KeyDamaged",
    "KnownDamaged",
    "MatchMissing",
    "Saved",
    "bot_folder",
    "carried_on",
    "find_home",
    "kept_record",
    "key_in",
    "settings_file",
    "short_id",
]

DATA_DIR = "SCOPA_DATA_DIR"
"""The variable that names the folder, where no option does."""

ID_CHARACTERS = 32
_SHORT_ID_MIN = 4
_SHOWN_ID_MIN = 8
_KEY_FIRST_LINE = b"scopa-key 1\n"
_KEY_FILE_BYTES = len(_KEY_FIRST_LINE) + 64 + 1 + 8 + 1
_NEW_KEY = "Put a copy of it back, or move it away to begin with a new one."
_KNOW_NOBODY = "Put a copy of it back, or move it away to know nobody."
_OTHERS_WRITE = 0o022
_STORE, _RECORD, _SUMMARY, _BOTS = ".sqlite", ".scopa", ".json", ".bots"


class HomeProblem(Exception):
    """What is kept cannot be used, and the sentence says why."""


class HomeExposed(HomeProblem):
    """Others on this computer can get at it."""


class HomeFailed(HomeProblem):
    """The disk does not take, or does not give, what it should."""


class KeyDamaged(HomeProblem):
    """The file of the key does not hold what was written to it."""


class KnownDamaged(HomeProblem):
    """The file of the known players does not hold what was written to it."""


class MatchMissing(HomeProblem):
    """There is no such match."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A match that is kept: as a `store`, as a `record`, or as both.

    `process` has the store open now (0: it is not known which). `changed_s` is the
    system's time, good for showing only.
    """

    id: str
    store: Path | None
    record: Path | None
    summary: Summary | None
    process: int | None
    changed_s: float

    @property
    def unfinished(self) -> bool:
        """Whether there is something to go on with."""
        return self.store is not None and self.record is None


def carried_on(summary: Summary | None, kept: Iterable[Saved]) -> str | None:
    """The newest of the matches that are `kept` that started from this score."""
    old = None if summary is None else summary.standing
    if old is None:
        return None
    for saved in kept:
        new = None if saved.summary is None else saved.summary.standing
        carried = None if new is None else new.carried
        if carried is not None and carried.table == old.table:
            return saved.id
    return None


def short_id(match: str, kept: Iterable[Saved]) -> str:
    """As much of an ID as finds its match among those that are `kept`, to be copied."""
    others = [saved.id for saved in kept if saved.id != match]
    for end in range(_SHOWN_ID_MIN, ID_CHARACTERS):
        if not any(other.startswith(match[:end]) for other in others):
            return match[:end]
    return match


def find_home(
    option: Path | None = None, environment: Mapping[str, str] = os.environ
) -> "Home":
    """The home that an option, a variable of the environment or the system names."""
    named = option or environment.get(DATA_DIR) or None
    if named is None:
        named = platformdirs.user_data_path("scopa-net", appauthor=False)
    return Home(Path(named).expanduser().absolute())


def settings_file(
    option: Path | None = None, environment: Mapping[str, str] = os.environ
) -> Path:
    """Where settings are: in the home, if one is named, or where the system has them.

    So players who share a machine do not share what they have settled.
    """
    named = option or environment.get(DATA_DIR) or None
    if named is None:
        folder = Path(platformdirs.user_config_path("scopa-net", appauthor=False))
    else:
        folder = Path(named).expanduser().absolute()
    return folder / "settings.toml"


class Home:
    """A peer's folder; it is made when something is put into it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._matches = folder / "matches"
        self._finished = folder / "finished"
        self._known = folder / "known.json"

    # -- keys ----------------------------------------------------------------

    @property
    def key_file(self) -> Path:
        """Where the own key is, or will be."""
        return self.folder / "identity.key"

    def identity(self) -> Identity:
        """The peer's identity, drawn when it is first asked for, and never again."""
        path = self.key_file
        with self._telling():
            self._make_folder(self.folder)
            if not os.path.lexists(path):
                with suppress(FileExistsError):
                    write_new(path, _key_file(secrets.token_bytes(32)))
        try:
            data = read_file(path, _KEY_FILE_BYTES, follow=False)
        except OSError as reason:
            raise KeyDamaged(_unread(path, reason, _NEW_KEY)) from reason
        if exposed(path):
            raise HomeExposed(f"Others can read your key: chmod 600 {_quoted(path)}")
        return Identity(_key_in(data, path))

    def known(self) -> tuple[Acquaintance, ...]:
        """Whom the player has met; raises `KnownDamaged`."""
        path = self._known
        try:
            data = read_file(path, KNOWN_BYTES_MAX, follow=False)
        except FileNotFoundError:
            return ()
        except OSError as reason:
            raise KnownDamaged(_unread(path, reason, _KNOW_NOBODY)) from reason
        if exposed(path):
            raise HomeExposed(
                f"Others can see whom you know: chmod 600 {_quoted(path)}"
            )
        found = read_known(data)
        if found is None:
            raise KnownDamaged(
                f"{shown(path)} is damaged: whom you know is not to be read from it. "
                f"{_KNOW_NOBODY}"
            )
        return found

    def know(self, known: Iterable[Acquaintance]) -> None:
        """Remember these, and nobody else."""
        with self._telling():
            self._make_folder(self.folder)
            write_new(self._known, write_known(known), replace=True)

    # -- matches -------------------------------------------------------------

    def begin(
        self,
        facts: Mapping[str, bytes],
        rows: Iterable[Row] = (),
        *,
        match: str | None = None,
    ) -> tuple[str, MatchStore]:
        """A new match and its store; an ID that is not given is drawn."""
        with self._telling():
            self._make_folder(self._matches)
            match = match or secrets.token_hex(ID_CHARACTERS // 2)
            return match, MatchStore.create(self._store(match), facts, rows)

    def open(self, match: str) -> MatchStore:
        """The store of a match that is to go on."""
        with self._telling():
            _check_private(self._matches)
            return MatchStore.open(self._store(match))

    def rescue(self, match: str, secrets: Set[str]) -> tuple[MatchStore, Path]:
        """What is left of a damaged store, and where the damaged one lies now.

        Raises `StoreDamaged` if these secrets are not left.
        """
        with self._telling():
            _check_private(self._matches)
            return rescue(self._store(match), secrets)

    def note(self, match: str, summary: Summary) -> None:
        """Keep what a list says of a match; this waits for no disk."""
        kept = os.path.lexists(self._store(match))
        folder = self._matches if kept else self._finished
        with self._telling():
            self._make_folder(folder)
            data = write_summary(summary)
            path = folder / (match + _SUMMARY)
            write_new(path, data, replace=True, lasting=False)

    def finish(self, match: str, record: bytes, summary: Summary) -> Path:
        """Keep the record of a match; its store stays until it is discarded."""
        path = self._finished / (match + _RECORD)
        with self._telling():
            self._make_folder(self._finished)
            write_new(path, record, replace=True)
            data = write_summary(summary)
            beside = path.with_suffix(_SUMMARY)
            write_new(beside, data, replace=True, lasting=False)
        return path

    def discard(self, match: str) -> None:
        """Delete a match's store with its secrets, and its bots; its record stays."""
        with self._telling():
            if self._matches.is_dir():
                delete(self._store(match))
                bots = self._store(match).with_suffix(_BOTS)
                if bots.is_dir():
                    shutil.rmtree(bots)
                (self._matches / (match + _SUMMARY)).unlink(missing_ok=True)

    def remove(self, match: str) -> None:
        """Delete all that is kept of a match, unless it is open somewhere."""
        if match not in {saved.id for saved in self.saved()}:
            raise MatchMissing("There is no such match: its whole ID is needed.")
        self.discard(match)
        with self._telling():
            for end in (_RECORD, _SUMMARY):
                (self._finished / (match + end)).unlink(missing_ok=True)

    def take_in(self, record: bytes, summary: Summary) -> str:
        """Keep a record from elsewhere that was found sound; answers its new ID."""
        if len(record) > ARCHIVE_BYTES_MAX:
            raise HomeFailed("This file is larger than any match record.")
        with self._telling():
            for saved in self.saved():
                if saved.record and kept_record(saved.record) == record:
                    return saved.id
        match = secrets.token_hex(ID_CHARACTERS // 2)
        self.finish(match, record, summary)
        return match

    # -- what there is -------------------------------------------------------

    def saved(self) -> tuple[Saved, ...]:
        """Every match, the one that was changed last first. No store is opened."""
        with self._telling():
            ids = {
                *_ids(self._matches, _STORE),
                *_ids(self._finished, _RECORD),
            }
            found = [self._look_at(match) for match in ids]
        known = [saved for saved in found if saved is not None]
        return tuple(sorted(known, key=lambda s: (-s.changed_s, s.id)))

    def newest(self, *, unfinished: bool = False) -> Saved:
        """The match that was changed last, be it a table that has not begun.

        An unfinished match that was carried on in another is not to be gone on with.
        """
        kept = self.saved()
        for one in kept:
            goes_on = one.unfinished and carried_on(one.summary, kept) is None
            if goes_on or not unfinished:
                return one
        what = "unfinished match" if unfinished else "match"
        raise MatchMissing(f"There is no {what} in {shown(self.folder)}.")

    def find(self, text: str) -> Saved:
        """The match of this ID, or the only one whose ID begins like this."""
        wanted = unwrapped(text).lower()
        found = [
            saved
            for saved in self.saved()
            if saved.id == wanted
            or (len(wanted) >= _SHORT_ID_MIN and saved.id.startswith(wanted))
        ]
        if len(found) > 1:
            raise MatchMissing(
                "More than one match has an ID that begins like that: scopa games list "
                "shows them whole."
            )
        if not found:
            raise MatchMissing("There is no match with that ID.")
        return found[0]

    def _look_at(self, match: str) -> Saved | None:
        """What there is of a match, if it is not being deleted just now."""
        store = self._store(match)
        record = self._finished / (match + _RECORD)
        kept = [path for path in (record, store) if _is_file(path)]
        if not kept:
            return None
        summaries = [path.with_suffix(_SUMMARY) for path in kept]
        wal = store.with_name(f"{store.name}-wal")
        return Saved(
            match,
            store if store in kept else None,
            record if record in kept else None,
            next(filter(None, map(_summary_in, summaries)), None),
            holder(store) if store in kept else None,
            max(map(_changed_s, (*kept, *summaries, wal))),
        )

    def _store(self, match: str) -> Path:
        if not _is_id(match):
            raise MatchMissing("There is no match with that ID.")
        return self._matches / (match + _STORE)

    # -- the folder ----------------------------------------------------------

    def check(self) -> None:
        """Raise `HomeExposed` if others can get at what is there, or could put more."""
        with self._telling():
            for folder in (self.folder, self._matches, self._finished):
                if folder.is_dir():
                    self._make_folder(folder)

    def _make_folder(self, folder: Path) -> None:
        """Make what is missing, and see that it is nobody else's."""
        if not self.folder.is_dir():
            self.folder.parent.mkdir(parents=True, exist_ok=True)
        for each in dict.fromkeys((self.folder, folder)):
            with suppress(FileExistsError):
                each.mkdir(mode=0o700)
        if exposed(self.folder.resolve(), _OTHERS_WRITE):
            raise HomeExposed(
                "Others can put files where your key is: "
                f"chmod go-w {_quoted(self.folder)}"
            )
        if folder != self.folder:
            _check_private(folder)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except OSError as reason:
            where, named = shown(self.folder), reason.filename
            why = str(reason.strerror)
            if named is not None and Path(named) != self.folder:
                why = f"{shown(Path(named))}: {why}"
            raise HomeFailed(
                f"{where} cannot be used as a data folder: {why}. Put that right, or "
                "name another one with --data-dir."
            ) from reason


def key_in(home: Home) -> bytes | None:
    """The public key of a home, if one was drawn and can be read; none is drawn."""
    if not os.path.lexists(home.key_file):
        return None
    with suppress(HomeProblem):
        return home.identity().key
    return None


def kept_record(path: Path) -> bytes:
    """The record of a match that is over; raises `HomeFailed`."""
    try:
        return read_file(path, ARCHIVE_BYTES_MAX, follow=False)
    except OSError as reason:
        todo = "Put a copy of it back, or move it away."
        raise HomeFailed(_unread(path, reason, todo)) from reason


def bot_folder(store: Path, number: int) -> Path:
    """The home of one of the bots that its host has brought to the match of a store."""
    return store.with_suffix(_BOTS) / str(number)


def _check_private(folder: Path) -> None:
    if folder.is_dir() and exposed(folder):
        raise HomeExposed(f"Others can see your matches: chmod 700 {_quoted(folder)}")


def _key_file(seed: bytes) -> bytes:
    check = H("sc1.key.file", seed)[:4].hex()
    return _KEY_FIRST_LINE + f"{seed.hex()} {check}\n".encode()


def _key_in(data: bytes, path: Path) -> bytes:
    """The seed in a key file: a damaged one must not become another identity."""
    with suppress(ValueError):
        seed = bytes.fromhex(data.removeprefix(_KEY_FIRST_LINE)[:64].decode())
        if data == _key_file(seed):
            return seed
    raise KeyDamaged(
        f"{shown(path)} is damaged: it does not hold the key that was written to it. "
        f"{_NEW_KEY}"
    )


def _unread(path: Path, reason: OSError, todo: str) -> str:
    return f"{shown(path)} cannot be read: {reason.strerror}. {todo}"


def _summary_in(path: Path) -> Summary | None:
    try:
        return read_summary(read_file(path, SUMMARY_BYTES_MAX, follow=False))
    except OSError:
        return None


def _ids(folder: Path, end: str) -> list[str]:
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    ids = [name.removesuffix(end) for name in names if name.endswith(end)]
    return [match for match in ids if _is_id(match)]


def _is_id(text: str) -> bool:
    return len(text) == ID_CHARACTERS and set(text) <= set("0123456789abcdef")


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _changed_s(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _quoted(path: Path) -> str:
    return shlex.quote(shown(path))
