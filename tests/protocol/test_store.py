"""The store of a match, on a real disk."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from protocol.faults import LocalProtocolError, Signed
from protocol.kept import kept_row
from protocol.step import EntryRow, Row, SecretRow
from protocol.store import (
    RESCUED,
    MatchStore,
    StoreDamaged,
    StoreExposed,
    StoreFailed,
    StoreForeign,
    StoreLocked,
    StoreMissing,
    StoreNewer,
    StoreProblem,
    delete,
    holder,
    quarantine,
    rescue,
)
from scopa_net import HOME

FACTS = {"nonce": bytes(range(32)), "name": b"Ana"}
SEED = b"canary-of-32-bytes-never-printed"
DAMAGES = 200


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "0123456789abcdef0123456789abcdef.sqlite"


@pytest.fixture
def any_umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def entry(number: int, seat: int = 0, size: int = 300) -> EntryRow:
    luck = Random(number)
    return EntryRow(Signed(luck.randbytes(size), luck.randbytes(64)), seat)


def secret(name: str = "master", value: bytes = SEED, seat: int = 0) -> SecretRow:
    return SecretRow(name, value, seat)


def filled(path: Path, count: int = 20) -> list[EntryRow]:
    """A store whose process was killed: nothing of it is closed in order."""
    rows = [entry(number) for number in range(count)]
    run_and_kill(
        path,
        f"""
        store = MatchStore.create(path, {FACTS!r}, [secret()])
        for number in range({count}):
            store.commit([entry(number)])
        """,
    )
    return rows


def run_and_kill(path: Path, body: str) -> None:
    lines = body.strip("\n").split("\n")
    indent = len(lines[0]) - len(lines[0].lstrip())
    script = "\n".join(
        [
            "import os, signal, sys",
            "from pathlib import Path",
            "from protocol.store import MatchStore",
            "from tests.protocol.test_store import entry, secret",
            "path = Path(sys.argv[1])",
            *(line[indent:] for line in lines),
            "os.kill(os.getpid(), signal.SIGKILL)",
        ]
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == -signal.SIGKILL, ran.stderr


def reopened(path: Path) -> tuple[EntryRow, ...]:
    store = MatchStore.open(path)
    try:
        return store.entries()
    finally:
        store.close()


def modes(folder: Path) -> dict[str, int]:
    return {one.name: stat.S_IMODE(one.stat().st_mode) for one in folder.iterdir()}


# -- keeping --------------------------------------------------------------------


def test_what_was_kept_is_there_in_the_order_of_storing(path: Path) -> None:
    store = MatchStore.create(path, FACTS)
    rows = [entry(number, seat=number % 3) for number in (5, 2, 9, 1)]
    store.commit([secret(), *rows[:1]])
    store.commit(rows[1:])
    assert store.entries() == tuple(rows)
    store.close()
    again = MatchStore.open(path)
    assert (again.facts(), again.entries()) == (FACTS, tuple(rows))
    assert again.secrets() == (secret(),)
    again.close()


def test_the_same_row_is_kept_once(path: Path) -> None:
    store = MatchStore.create(path, FACTS, [secret(), entry(1)])
    store.commit([entry(1), entry(2), entry(2), secret()])
    store.commit([entry(1)])
    store.close()
    assert reopened(path) == (entry(1), entry(2))


def test_every_local_seat_has_its_own_copy(path: Path) -> None:
    store = MatchStore.create(path, FACTS, [secret(seat=0), secret(value=b"b", seat=1)])
    store.commit([entry(1, seat=0), entry(1, seat=1)])
    assert [row.seat for row in store.entries()] == [0, 1]
    assert [row.value for row in store.secrets()] == [SEED, b"b"]
    store.close()


def test_a_secret_never_changes(path: Path) -> None:
    store = MatchStore.create(path, FACTS, [secret()])
    with pytest.raises(LocalProtocolError):
        store.commit([entry(1), secret(value=b"another")])
    store.commit([entry(2)])
    assert (store.secrets(), store.entries()) == ((secret(),), (entry(2),))
    store.close()


def test_a_fact_that_changes_is_the_last_one_noted(path: Path) -> None:
    store = MatchStore.create(path, FACTS)
    for name in (b"Bea", b"Ana", b"Bea"):
        store.note({"name": name})
    store.close()
    again = MatchStore.open(path)
    assert again.facts() == {**FACTS, "name": b"Bea"}
    again.close()


def test_a_store_that_was_closed_takes_nothing(path: Path) -> None:
    store = MatchStore.create(path, FACTS)
    store.close()
    store.close()
    with pytest.raises(StoreFailed):
        store.commit([entry(1)])


def test_what_is_there_already_is_not_written_over(path: Path) -> None:
    path.write_bytes(b"somebody's")
    with pytest.raises(StoreFailed, match="exists already"):
        MatchStore.create(path, FACTS)
    assert path.read_bytes() == b"somebody's"


def test_an_ordinary_end_leaves_one_file_and_its_lock(path: Path) -> None:
    MatchStore.create(path, FACTS, [entry(1)]).close()
    assert set(modes(path.parent)) == {path.name, f"{path.name}-lock"}
    delete(path)
    assert modes(path.parent) == {}


def test_secrets_are_not_shown(path: Path) -> None:
    store = MatchStore.create(path, FACTS, [secret()])
    assert "canary" not in repr(store)
    assert "canary" not in repr(kept_row(secret()))
    with pytest.raises(LocalProtocolError) as raised:
        store.commit([secret(value=b"canary")])
    assert "canary" not in str(raised.value)
    store.close()


def test_it_is_set_up_so_that_a_power_cut_takes_nothing(path: Path) -> None:
    store = MatchStore.create(path, FACTS)
    connection = store._open_connection()
    wanted = {
        "journal_mode": "wal",
        "synchronous": 2,
        "fullfsync": 1,
        "locking_mode": "exclusive",
        "trusted_schema": 0,
        "cell_size_check": 1,
        "user_version": 1,
    }
    found = {
        name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in wanted
    }
    assert found == wanted
    store.close()


# -- whose it is ----------------------------------------------------------------


@pytest.mark.parametrize("any_umask", [0o000, 0o077, 0o022], indirect=True)
@pytest.mark.usefixtures("any_umask")
def test_every_file_is_its_owners_alone(path: Path) -> None:
    filled(path, 2)
    assert set(modes(path.parent)) == {
        path.name,
        f"{path.name}-wal",
        f"{path.name}-lock",
    }
    store = MatchStore.open(path)
    store.commit([entry(100)])
    assert set(modes(path.parent).values()) == {0o600}
    store.close()


@pytest.mark.parametrize("end", ["", "-wal"])
def test_a_store_that_others_can_read_is_refused_with_the_remedy(
    path: Path, end: str
) -> None:
    filled(path, 2)
    exposed = path.with_name(path.name + end)
    exposed.chmod(0o640)
    with pytest.raises(StoreExposed, match=f"chmod 600 {exposed}"):
        MatchStore.open(path)
    exposed.chmod(0o600)
    assert len(reopened(path)) == 2


def test_a_link_is_not_followed(path: Path) -> None:
    MatchStore.create(path, FACTS).close()
    link = path.with_name("link.sqlite")
    link.symlink_to(path)
    with pytest.raises(StoreForeign):
        MatchStore.open(link)
    dangling = path.with_name("dangling.sqlite")
    dangling.symlink_to(path.with_name("nowhere"))
    with pytest.raises(StoreFailed):
        MatchStore.create(dangling, FACTS)
    assert not path.with_name("nowhere").exists()


def test_a_second_opener_in_this_process_is_refused(path: Path) -> None:
    store = MatchStore.create(path, FACTS)
    for again in (MatchStore.open, quarantine, delete, rescue):
        with pytest.raises(StoreLocked) as raised:
            again(path)
        assert raised.value.process == os.getpid()
    store.commit([entry(1)])
    assert holder(path) == os.getpid()
    store.close()
    assert holder(path) is None
    assert reopened(path) == (entry(1),)


def test_a_second_process_is_told_who_has_the_match(path: Path) -> None:
    store = MatchStore.create(path, FACTS)
    script = (
        "import sys; from pathlib import Path; from protocol.store import *\n"
        "try: MatchStore.open(Path(sys.argv[1]))\n"
        "except StoreLocked as reason: print(reason)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=True,
    )
    sentence = f"This match is open in another window (process {os.getpid()}).\n"
    assert (ran.stdout, ran.stderr) == (sentence, "")
    store.commit([entry(1)])
    store.close()


def test_another_program_cannot_write_into_an_open_store(path: Path) -> None:
    store = MatchStore.create(path, FACTS)
    script = (
        "import sqlite3, sys\n"
        "other = sqlite3.connect(sys.argv[1], timeout=0)\n"
        "other.execute('DROP TABLE rows')"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "database is locked" in ran.stderr
    store.commit([entry(1)])
    store.close()
    assert reopened(path) == (entry(1),)


def test_who_looks_whether_it_is_open_keeps_nobody_out(path: Path) -> None:
    MatchStore.create(path, FACTS).close()
    for _ in range(50):
        assert holder(path) is None
        MatchStore.open(path).close()


# -- what is wrong --------------------------------------------------------------


def test_a_store_that_is_not_there_is_missing(path: Path) -> None:
    for use in (MatchStore.open, rescue):
        with pytest.raises(StoreMissing):
            use(path)
    assert modes(path.parent) == {}


@pytest.mark.parametrize("data", [b"", b"{}", b"SQLite format 3\0" + bytes(200)])
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


def test_a_damaged_store_is_put_aside_under_another_name(path: Path) -> None:
    filled(path, 3)
    data = path.read_bytes()
    aside = quarantine(path)
    assert aside.read_bytes() == data
    assert aside.with_name(f"{aside.name}-wal").exists()
    assert not path.exists()
    assert len(reopened(aside)) == 3
    MatchStore.create(path, FACTS).close()
    assert quarantine(path) != aside


def test_what_is_left_of_a_damaged_store_can_be_gone_on_with(path: Path) -> None:
    rows = filled(path, 20)
    wal = path.with_name(f"{path.name}-wal")
    os.truncate(wal, wal.stat().st_size // 2)
    with pytest.raises(StoreDamaged):
        MatchStore.open(path)
    store, aside = rescue(path)
    left = store.entries()
    assert 5 < len(left) < 20
    assert left == tuple(rows[: len(left)])
    assert store.secrets() == (secret(),)
    assert store.facts() == {**FACTS, RESCUED: b"1"}
    store.commit(rows)
    store.close()
    assert reopened(path) == tuple(rows)
    assert aside.exists()


def test_where_no_secret_is_left_nothing_is_changed(path: Path) -> None:
    filled(path, 3)
    path.write_bytes(bytes(4096))
    wal = path.with_name(f"{path.name}-wal")
    wal.unlink()
    with pytest.raises(StoreDamaged, match="Nothing"):
        rescue(path)
    assert path.read_bytes() == bytes(4096)


# -- a disk that fails -----------------------------------------------------------

FULL = """
import resource, signal, sys
from pathlib import Path
from protocol.store import MatchStore, StoreFailed
from tests.protocol.test_store import entry, secret

store = MatchStore.create(Path(sys.argv[1]), {}, [secret()])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
number = 0
try:
    while True:
        store.commit([entry(number), entry(number + 1)])
        number += 2
except StoreFailed as reason:
    print(reason)
try:
    store.commit([entry(number)])
except StoreFailed as reason:
    print(number)
"""


def test_a_full_disk_is_a_sentence_and_half_a_step_is_not_kept(path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", FULL, str(path)],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr == ""
    sentence, announced = ran.stdout.splitlines()
    assert sentence.startswith(f"Nothing can be stored in {path.parent}: ")
    found = reopened(path)
    assert len(found) in {int(announced), int(announced) + 2}
    assert found == tuple(entry(number) for number in range(len(found)))
    assert int(announced) > 10


READ_ONLY = """
import os, sys
from pathlib import Path
from protocol.store import MatchStore, StoreProblem

if os.geteuid() == 0:
    os.setuid(65534)
for use in (lambda path: MatchStore.create(path.with_name("new"), {}), MatchStore.open):
    try:
        use(Path(sys.argv[1]))
    except StoreProblem as reason:
        print(type(reason).__name__, reason)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such bit")
def test_a_read_only_folder_is_a_sentence(path: Path) -> None:
    MatchStore.create(path, FACTS).close()
    for folder in (path.parent, *path.parent.parents):
        if folder.stat().st_mode & 0o007 == 0:
            folder.chmod(folder.stat().st_mode | 0o011)
    path.parent.chmod(0o555)
    try:
        ran = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(path)],
            cwd=HOME,
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        path.parent.chmod(0o700)
    assert ran.stderr == ""
    assert [line.split()[0] for line in ran.stdout.splitlines()] == ["StoreFailed"] * 2
    assert reopened(path) == ()


def test_every_problem_is_a_sentence(path: Path) -> None:
    rows: list[Row] = [entry(1)]
    store = MatchStore.create(path, FACTS, rows)
    problems: list[StoreProblem] = []
    for use in (MatchStore.open, lambda path: MatchStore.create(path, FACTS)):
        with pytest.raises(StoreProblem) as raised:
            use(path)
        problems.append(raised.value)
    store.close()
    assert all(str(one)[0].isupper() and str(one)[-1] == "." for one in problems)
