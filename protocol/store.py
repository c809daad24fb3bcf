"""One SQLite file a match: all that a seat must not forget, in the order of storing.

Rows are only ever added to one table. Each carries a hash over itself and the row
before it, so that a flipped bit, a row out of place and a row that is gone are noticed
on opening. What SQLite cannot notice is a damaged end of its write-ahead log: it takes
that for the trace of a commit that never was, and forgets it. So the lock beside the
store says how many rows were committed last (see `lock`), and a log that is left from
a killed process is read in a copy first: SQLite would cut it at the damage.

A store has one opener in one process at a time (`StoreLocked`), which is also what
keeps clear of the WAL-reset bug of SQLite 3.7.0 to 3.51.2. Secrets lie in it, so it
is its owner's alone. Whatever is wrong is one sentence, and nothing is deleted.
"""

import os
import shlex
import shutil
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from protocol.files import beside, create, exposed, publish, shown, sync_folder
from protocol.kept import (
    START,
    Kept,
    KeptKind,
    KeptRows,
    Tail,
    entry_row,
    kept_facts,
    kept_row,
)
from protocol.lock import LockFile, LockTaken
from protocol.lock import holder as lock_holder
from protocol.step import EntryRow, Row, SecretRow

__all__ = [
    "SQLITE_VERSION",
    "MatchStore",
    "StoreDamaged",
    "StoreExposed",
    "StoreFailed",
    "StoreForeign",
    "StoreLocked",
    "StoreMissing",
    "StoreNewer",
    "StoreProblem",
    "delete",
    "holder",
    "rescue",
]

SQLITE_VERSION = sqlite3.sqlite_version_info
"""Of the library that writes the stores."""

APPLICATION_ID = 0x53434F50
VERSION = 1
ROW_BYTES_MAX = 1 << 20

_SCHEMA = (
    "CREATE TABLE rows (number INTEGER PRIMARY KEY, kind INTEGER NOT NULL,"
    " seat INTEGER NOT NULL, name BLOB NOT NULL, value BLOB NOT NULL,"
    " signature BLOB NOT NULL, link BLOB NOT NULL)"
)
_INSERT = "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?)"
_SELECT = (
    "SELECT number, kind, seat, name, value, signature, link FROM rows ORDER BY number"
)
_SETTINGS = (
    "locking_mode = EXCLUSIVE",
    "synchronous = FULL",
    "fullfsync = ON",
    "checkpoint_fullfsync = ON",
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "mmap_size = 0",
    "temp_store = MEMORY",
)
_WAL, _LOCK, _NEW, _COPY = "-wal", "-lock", "-new", "-check"
_BESIDE = ("", _WAL, "-shm", "-journal")
_HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\0"


class StoreProblem(Exception):
    """A saved match cannot be used, and the sentence says why."""


class StoreMissing(StoreProblem):
    """There is no such saved match."""


class StoreLocked(StoreProblem):
    """The match is open already: in `process`, if that is known."""

    def __init__(self, process: int | None) -> None:
        where = f"in another window (process {process})" if process else "elsewhere"
        if process == os.getpid():
            where = "in this program already"
        super().__init__(f"This match is open {where}.")
        self.process = process


class StoreDamaged(StoreProblem):
    """Something of what was stored is gone, or is something else."""


class StoreForeign(StoreProblem):
    """This file is not a saved match."""


class StoreNewer(StoreProblem):
    """This match was saved by a newer program."""


class StoreExposed(StoreProblem):
    """Others on this computer can read or change the match's secrets."""


class StoreFailed(StoreProblem):
    """The disk does not take, or does not give, what it should."""


class MatchStore:
    """The open store of one match; it is this process's until it is closed.

    A commit that fails closes it: what was kept is known only after opening it again.
    """

    def __init__(self, path: Path, lock: LockFile) -> None:
        self.path = path
        self._lock = lock
        self._rows = KeptRows()
        self._connection: sqlite3.Connection | None = _connect(path)

    def __repr__(self) -> str:
        return f"MatchStore({self.path.name!r})"

    @classmethod
    def create(
        cls, path: Path, facts: Mapping[str, bytes], rows: Iterable[Row] = ()
    ) -> "MatchStore":
        """A new store that holds these facts and rows, or no store at all.

        It comes to be in one moment: a process that is killed in here leaves nothing
        of that name.
        """
        with _locked(path) as (lock, undo):
            if os.path.lexists(path):
                raise StoreFailed(f"{shown(path)} exists already.")
            undo.callback(lock.delete)
            undo.callback(_unlink, beside(path, _NEW))
            _build(path, lock, [*kept_facts(facts), *map(kept_row, rows)])
            _publish(path)
            store = cls._opened(path, lock)
            undo.pop_all()
        return store

    @classmethod
    def open(cls, path: Path) -> "MatchStore":
        """The store at `path`, every row of it checked."""
        path = Path(path)
        _check_file(path)
        with _locked(path, StoreDamaged) as (lock, undo):
            _check_header(path)
            if _size(beside(path, _WAL)):
                with _copied(path) as copy, closing(_connect(copy)) as connection:
                    _check(connection, lock.tail())
            store = cls._opened(path, lock)
            undo.pop_all()
        return store

    @classmethod
    def _opened(cls, path: Path, lock: LockFile) -> "MatchStore":
        with ExitStack() as undo:
            store = cls(path, lock)
            connection = store._open_connection()
            undo.callback(connection.close)
            store._rows = _check(connection, lock.tail())
            _check_writable(connection)
            lock.note(store._rows.tail)
            undo.pop_all()
        return store

    def close(self) -> None:
        """Give the store free; harmless if it is closed already."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None
            self._lock.release()

    # -- what is in it -------------------------------------------------------

    def facts(self) -> Mapping[str, bytes]:
        """What the program noted about the match; of each name the last."""
        return dict(self._rows.facts)

    def secrets(self) -> tuple[SecretRow, ...]:
        """The secrets of all local seats."""
        return tuple(
            SecretRow(name.decode(), value, seat)
            for (seat, name), value in self._rows.secrets.items()
        )

    def entries(self) -> tuple[EntryRow, ...]:
        """Every entry of all local seats, in the order of storing."""
        with _telling(self.path, StoreDamaged):
            return tuple(
                entry_row(kept)
                for kept in _read(self._open_connection())
                if kept.kind == KeptKind.ENTRY
            )

    # -- what goes in --------------------------------------------------------

    def commit(self, rows: Iterable[Row]) -> None:
        """Keep all rows or none; they are on the disk when this returns.

        What is kept already is not kept again. A secret never changes.
        """
        self._append([kept_row(row) for row in rows])

    def note(self, facts: Mapping[str, bytes]) -> None:
        """Keep facts; each replaces an older one of its name."""
        self._append(kept_facts(facts))

    def _append(self, rows: Sequence[Kept]) -> None:
        connection = self._open_connection()
        fresh = [kept for kept in dict.fromkeys(rows) if not self._rows.has(kept)]
        if not fresh:
            return
        with ExitStack() as undo:
            undo.callback(self.close)
            with _telling(self.path, StoreFailed):
                connection.execute("BEGIN IMMEDIATE")
                _insert(connection, self._rows.tail, fresh)
                connection.execute("COMMIT")
            undo.pop_all()
        for kept in fresh:
            self._rows.add(kept)
        self._lock.note(self._rows.tail)

    def _open_connection(self) -> sqlite3.Connection:
        if self._connection is None:
            raise StoreFailed("This saved match is not open any more.")
        return self._connection


def holder(path: Path) -> int | None:
    """Who has this store open: None if nobody, 0 if it is not known which process."""
    return lock_holder(beside(path, _LOCK))


def rescue(path: Path, secrets: Set[str]) -> tuple[MatchStore, Path]:
    """A store of what can still be read of a damaged one, and where that one is now.

    It holds the rows up to the first damage. Raises `StoreDamaged`, and changes
    nothing, if not even these secrets are among them, which were stored first.
    """
    _check_file(path)
    with _locked(path, StoreDamaged) as (lock, undo):
        left = _left_of(path)
        found = {kept.name for kept in left if kept.kind == KeptKind.SECRET}
        if not found.issuperset(name.encode() for name in secrets):
            raise StoreDamaged("Too little of this saved match can be read any more.")
        _build(path, lock, left)
        aside = _set_aside(path)
        _publish(path)
        store = MatchStore._opened(path, lock)
        undo.pop_all()
    return store, aside


def delete(path: Path) -> None:
    """Delete a store with all that belongs to it, unless it is open somewhere."""
    with _locked(path) as (lock, _):
        _unlink(path)
        _unlink(beside(path, _NEW))
        _unlink(beside(path, _COPY))
        lock.delete()


# -- opening ------------------------------------------------------------------------


@contextmanager
def _locked(
    path: Path, otherwise: type[StoreProblem] = StoreFailed
) -> Iterator[tuple[LockFile, ExitStack]]:
    """The lock, given free at the end unless the caller empties the stack."""
    with _telling(path, otherwise), ExitStack() as undo:
        lock = LockFile.take(beside(path, _LOCK))
        undo.callback(lock.release)
        yield lock, undo


def _connect(path: Path) -> sqlite3.Connection:
    """A connection to a file that is there already: SQLite makes none by itself."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=0
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, ROW_BYTES_MAX)
    try:
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}").close()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection, noted: Tail | None) -> KeptRows:
    """What the rows come to, if they are all there and as they were stored."""
    if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise StoreDamaged(_DAMAGED)
    schema = connection.execute("SELECT type, sql FROM sqlite_schema").fetchall()
    mode = connection.execute("PRAGMA journal_mode").fetchone()
    if schema != [("table", _SCHEMA)] or mode != ("wal",):
        raise StoreDamaged(_DAMAGED)
    rows = KeptRows()
    met = noted is None or noted == START
    for kept in _read(connection):
        rows.add(kept)
        met = met or rows.tail == noted
    if not met:
        raise StoreDamaged("The last moves of this saved match are missing.")
    return rows


def _read(connection: sqlite3.Connection) -> Iterator[Kept]:
    """Every row in its order; raises `StoreDamaged` at the first that is not right."""
    tail = START
    for number, kind, seat, name, value, signature, link in connection.execute(_SELECT):
        kept = Kept(kind, seat, name, value, signature)
        if not kept.well_typed:
            raise StoreDamaged(_DAMAGED)
        tail = kept.after(tail)
        if tail != (number, link):
            raise StoreDamaged(_DAMAGED)
        yield kept


def _check_writable(connection: sqlite3.Connection) -> None:
    """Find out now, rather than at the first commit, that nothing can be written."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("ROLLBACK")


def _check_file(path: Path) -> None:
    """Whether `path` is a file, and its owner's alone."""
    for end in _BESIDE:
        try:
            found = beside(path, end).lstat()
        except FileNotFoundError:
            if not end:
                raise StoreMissing("There is no such saved match.") from None
            continue
        except OSError as reason:
            raise StoreFailed(f"{shown(path)}: {reason.strerror}.") from reason
        if not stat.S_ISREG(found.st_mode):
            raise StoreForeign(f"{shown(path)} is not a file of saved matches.")
        if exposed(beside(path, end)):
            name = shlex.quote(shown(beside(path, end)))
            raise StoreExposed(f"Others can read a saved match: chmod 600 {name}")


def _check_header(path: Path) -> None:
    """Whether the file is one of ours, before SQLite looks at it."""
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if not header:
        raise StoreDamaged(_DAMAGED)
    application = int.from_bytes(header[68:72])
    if not header.startswith(_MAGIC) or application != APPLICATION_ID:
        raise StoreForeign(f"{shown(path)} is not a saved match of this game.")
    if int.from_bytes(header[60:64]) > VERSION:
        raise StoreNewer("This match was saved by a newer version of this program.")
    if int.from_bytes(header[60:64]) < VERSION or header[18:20] != b"\2\2":
        raise StoreDamaged(_DAMAGED)


@contextmanager
def _copied(path: Path) -> Iterator[Path]:
    """A copy of a store, for as long as it is looked at."""
    copy = beside(path, _COPY)
    _unlink(copy)
    try:
        for end in ("", _WAL):
            if os.path.lexists(beside(path, end)):
                made = create(beside(copy, end))
                with made, beside(path, end).open("rb") as file:
                    shutil.copyfileobj(file, made)
        yield copy
    finally:
        _unlink(copy)


def _left_of(path: Path) -> list[Kept]:
    """The rows up to the first damage."""
    left = []
    with (
        suppress(sqlite3.Error, StoreDamaged, MemoryError),
        _copied(path) as copy,
        closing(_connect(copy)) as connection,
    ):
        for kept in _read(connection):
            left.append(kept)
    return left


# -- making -------------------------------------------------------------------------


def _build(path: Path, lock: LockFile, rows: Sequence[Kept]) -> None:
    """Make the store beside its place, whole and on the disk."""
    fresh = beside(path, _NEW)
    _unlink(fresh)
    lock.note(START)
    create(fresh).close()
    with closing(_connect(fresh)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute(_SCHEMA)
        tail = _insert(connection, START, list(dict.fromkeys(rows)))
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")
    lock.note(tail)


def _insert(connection: sqlite3.Connection, tail: Tail, rows: Sequence[Kept]) -> Tail:
    placed = []
    for kept in rows:
        tail = kept.after(tail)
        placed.append((tail.number, *kept, tail.link))
    connection.executemany(_INSERT, placed)
    return tail


def _publish(path: Path) -> None:
    """Give what was built its name, on the disk too."""
    publish(beside(path, _NEW), path)
    sync_folder(path.parent)


def _set_aside(path: Path) -> Path:
    count = 1
    while os.path.lexists(aside := path.with_suffix(f".damaged-{count}")):
        count += 1
    for end in _BESIDE:
        with suppress(FileNotFoundError):
            beside(path, end).rename(beside(aside, end))
    sync_folder(path.parent)
    return aside


def _unlink(path: Path) -> None:
    for end in _BESIDE:
        beside(path, end).unlink(missing_ok=True)


# -- in words -----------------------------------------------------------------------

_DAMAGED = "This saved match is damaged: it is not what was stored."


@contextmanager
def _telling(path: Path, otherwise: type[StoreProblem]) -> Iterator[None]:
    """Turn what the system says into a sentence; `otherwise` is what most of it is."""
    try:
        yield
    except LockTaken as taken:
        raise StoreLocked(taken.process) from None
    except OSError as reason:
        folder = shown(path.parent)
        raise StoreFailed(
            f"Nothing can be stored in {folder}: {reason.strerror}."
        ) from reason
    except MemoryError as reason:
        raise StoreDamaged(_DAMAGED) from reason
    except sqlite3.Error as reason:
        raise _problem(path, reason, otherwise) from reason


def _problem(
    path: Path, reason: sqlite3.Error, otherwise: type[StoreProblem]
) -> StoreProblem:
    name = getattr(reason, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreLocked(None)
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return StoreDamaged(_DAMAGED)
    for start, why in _TROUBLES.items():
        if name.startswith(start) and name != "SQLITE_IOERR_SHORT_READ":
            return StoreFailed(f"Nothing can be stored in {shown(path.parent)}: {why}.")
    if otherwise is StoreDamaged:
        return StoreDamaged(_DAMAGED)
    return otherwise(f"The match could not be stored ({reason}).")


_TROUBLES = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "it cannot be written to",
    "SQLITE_PERM": "it cannot be written to",
    "SQLITE_CANTOPEN": "it cannot be written to",
    "SQLITE_IOERR": "the disk reports an error",
}


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
