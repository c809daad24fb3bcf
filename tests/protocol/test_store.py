"""The store of a match, on a real disk."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from protocol.faults import LocalProtocolError
from protocol.kept import kept_row
from protocol.step import Row
from protocol.store import (
    MatchStore,
    StoreExposed,
    StoreFailed,
    StoreForeign,
    StoreLocked,
    StoreProblem,
    delete,
    holder,
    rescue,
)
from scopa_net import HOME
from tests.protocol.stored import (
    FACTS,
    NAME,
    SEED,
    entry,
    filled,
    modes,
    reopened,
    secret,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / NAME


@pytest.fixture
def any_umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


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
    for again in (MatchStore.open, delete, partial(rescue, secrets=frozenset())):
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


# -- a disk that fails -----------------------------------------------------------

FULL = """
import resource, signal, sys
from pathlib import Path
from protocol.store import MatchStore, StoreFailed
from tests.protocol.stored import entry, secret

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


@pytest.fixture
def for_anybody() -> Iterator[Path]:
    """A folder that another user, who may not do everything, can reach."""
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        folder = Path(made, "folder")
        folder.mkdir()
        yield folder
        folder.chmod(0o700)


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such bit")
def test_a_read_only_folder_is_a_sentence(for_anybody: Path) -> None:
    path = for_anybody / NAME
    MatchStore.create(path, FACTS).close()
    for_anybody.chmod(0o555)
    ran = subprocess.run(
        [sys.executable, "-c", READ_ONLY, str(path)],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr == ""
    assert [line.split()[0] for line in ran.stdout.splitlines()] == ["StoreFailed"] * 2
    for_anybody.chmod(0o700)
    assert reopened(path) == ()


def test_a_store_that_cannot_be_made_leaves_nothing(path: Path) -> None:
    too_much = {"name": bytes(2 << 20)}
    with pytest.raises(StoreFailed):
        MatchStore.create(path, too_much, [secret()])
    assert modes(path.parent) == {}


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
