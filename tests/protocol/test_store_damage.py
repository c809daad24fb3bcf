"""Stores that are foreign, newer, edited, cut or flipped: noticed, and left alone."""

import os
import sqlite3
from functools import partial
from pathlib import Path
from random import Random

import pytest

from protocol.store import (
    MatchStore,
    StoreDamaged,
    StoreForeign,
    StoreMissing,
    StoreNewer,
    StoreProblem,
    rescue,
)
from tests.protocol.stored import (
    FACTS,
    NAME,
    entry,
    filled,
    modes,
    reopened,
    run_and_kill,
    secret,
)

DAMAGES = 200
SECRETS = frozenset({"master"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / NAME


# -- what is wrong --------------------------------------------------------------


def test_a_store_that_is_not_there_is_missing(path: Path) -> None:
    for use in (MatchStore.open, partial(rescue, secrets=SECRETS)):
        with pytest.raises(StoreMissing):
            use(path)
    assert modes(path.parent) == {}


def test_an_emptied_store_is_a_damaged_one(path: Path) -> None:
    path.write_bytes(b"")
    path.chmod(0o600)
    for use in (MatchStore.open, partial(rescue, secrets=SECRETS)):
        with pytest.raises(StoreDamaged):
            use(path)
    assert path.read_bytes() == b""


@pytest.mark.parametrize("data", [b"{}", b"SQLite format 3\0" + bytes(200)])
def test_a_foreign_file_is_refused_and_left_alone(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    path.chmod(0o600)
    with pytest.raises(StoreForeign, match="is not a saved match"):
        MatchStore.open(path)
    assert path.read_bytes() == data


def test_a_database_of_another_program_is_foreign(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE rows (number)")
    other.close()
    path.chmod(0o600)
    with pytest.raises(StoreForeign):
        MatchStore.open(path)


def test_a_store_of_a_newer_program_is_refused(path: Path) -> None:
    MatchStore.create(path, FACTS).close()
    altered(path, "PRAGMA user_version = 2")
    with pytest.raises(StoreNewer, match="newer version"):
        MatchStore.open(path)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE rows SET value = x'00' WHERE number = 5",
        "UPDATE rows SET seat = 1 WHERE number = 5",
        "DELETE FROM rows WHERE number = 5",
        "DELETE FROM rows WHERE number > 10",
        "UPDATE rows SET kind = 2 WHERE kind = 1",
        "UPDATE rows SET value = 'text' WHERE number = 5",
        "CREATE TRIGGER t AFTER INSERT ON rows BEGIN DELETE FROM rows; END",
        "CREATE TABLE more (number)",
        "UPDATE rows SET number = 100 WHERE number = 21",
    ],
)
def test_a_store_that_was_edited_is_damaged(path: Path, statement: str) -> None:
    filled(path)
    MatchStore.open(path).close()
    altered(path, statement)
    before = path.read_bytes()
    with pytest.raises(StoreDamaged):
        MatchStore.open(path)
    assert path.read_bytes() == before


def altered(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("gone", ["wal", "half of it", "all but the first store"])
def test_a_lost_end_is_noticed_and_nothing_is_touched(path: Path, gone: str) -> None:
    first = path.with_name("copy")
    MatchStore.create(path, FACTS, [secret(), entry(0)]).close()
    first.write_bytes(path.read_bytes())
    run_and_kill(
        path,
        """
        store = MatchStore.open(path)
        for number in range(1, 20):
            store.commit([entry(number)])
        """,
    )
    wal = path.with_name(f"{path.name}-wal")
    if gone == "half of it":
        os.truncate(wal, wal.stat().st_size // 2)
    else:
        wal.unlink()
    before = {one: one.read_bytes() for one in (path, wal) if one.exists()}
    with pytest.raises(StoreDamaged, match="last moves"):
        MatchStore.open(path)
    assert {one: one.read_bytes() for one in (path, wal) if one.exists()} == before


def test_a_row_that_was_kept_but_not_announced_is_there(path: Path) -> None:
    """As if the process had died after the commit, before its lock could say so."""
    filled(path, 3)
    lock = path.with_name(f"{path.name}-lock")
    stale = lock.read_bytes()
    store = MatchStore.open(path)
    store.commit([entry(50)])
    store.close()
    lock.write_bytes(stale)
    assert len(reopened(path)) == 4
    lock.write_bytes(b"")
    assert len(reopened(path)) == 4
    lock.unlink()
    assert len(reopened(path)) == 4


def test_any_damage_is_noticed_or_harmless(path: Path) -> None:
    rows = tuple(filled(path, 40))
    names = [path, path.with_name(f"{path.name}-wal")]
    MatchStore.open(path).close()
    run_and_kill(
        path,
        """
        store = MatchStore.open(path)
        for number in range(40, 50):
            store.commit([entry(number)])
        """,
    )
    rows += tuple(entry(number) for number in range(40, 50))
    lock = path.with_name(f"{path.name}-lock")
    whole = {name: name.read_bytes() for name in (*names, lock)}
    noticed: list[StoreProblem] = []
    for number in range(DAMAGES):
        luck = Random(number)
        for name, data in whole.items():
            name.unlink(missing_ok=True)
            write(name, data)
        name = luck.choice([*names, *names, lock])
        damaged = bytearray(whole[name])
        if luck.random() < 0.25:
            del damaged[luck.randrange(len(damaged)) :]
        else:
            for _ in range(luck.choice((1, 1, 3))):
                damaged[luck.randrange(len(damaged))] ^= 1 << luck.randrange(8)
        write(name, bytes(damaged))
        try:
            found = reopened(path)
        except (StoreDamaged, StoreForeign, StoreNewer) as problem:
            noticed.append(problem)
            untouched = name == lock or name.read_bytes() == bytes(damaged)
        else:
            untouched = True
            assert found == rows
        assert untouched
    assert all(str(problem).endswith(".") for problem in noticed)
    assert DAMAGES // 3 < len(noticed) < DAMAGES


def write(path: Path, data: bytes) -> None:
    path.touch(0o600)
    path.write_bytes(data)


# -- what is done about it -------------------------------------------------------


def test_what_is_left_of_a_damaged_store_can_be_gone_on_with(path: Path) -> None:
    rows = filled(path, 20)
    wal = path.with_name(f"{path.name}-wal")
    os.truncate(wal, wal.stat().st_size // 2)
    with pytest.raises(StoreDamaged):
        MatchStore.open(path)
    data = path.read_bytes()
    store, aside = rescue(path, SECRETS)
    left = store.entries()
    assert 5 < len(left) < 20
    assert left == tuple(rows[: len(left)])
    assert store.secrets() == (secret(),)
    assert store.facts() == FACTS
    store.commit(rows)
    store.close()
    assert reopened(path) == tuple(rows)
    assert aside.read_bytes() == data
    assert aside.with_name(f"{aside.name}-wal").exists()
    again, other = rescue(path, SECRETS)
    again.close()
    assert other != aside


def test_where_no_secret_is_left_nothing_is_changed(path: Path) -> None:
    filled(path, 3)
    path.write_bytes(bytes(4096))
    wal = path.with_name(f"{path.name}-wal")
    wal.unlink()
    with pytest.raises(StoreDamaged, match="Too little"):
        rescue(path, SECRETS)
    assert path.read_bytes() == bytes(4096)
