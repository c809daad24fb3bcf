"""A process that keeps rows and says so is killed at any moment: none of them is lost.

    python -m tests.end_to_end.test_store_kill [KILLS]

kills it 100 times, or as often as asked for, and says what was found.
"""

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from protocol.faults import Signed
from protocol.step import EntryRow, SecretRow
from protocol.store import MatchStore, StoreMissing
from scopa_net import HOME

KILLS = 30
KILLS_BY_HAND = 100
LIFE_MAX_S = 0.4
SECRET = SecretRow("master", bytes(32))


def entry(number: int) -> EntryRow:
    luck = Random(number)
    return EntryRow(Signed(luck.randbytes(luck.randrange(200, 3000)), bytes(64)))


def batch(count: int) -> list[EntryRow]:
    """The rows of the step that follows the first `count` rows."""
    return [entry(count + more) for more in range(1 + count % 3)]


def keep_on(path: Path) -> None:
    """Keep step after step, and say after each how many rows there are."""
    try:
        store = MatchStore.open(path)
    except StoreMissing:
        store = MatchStore.create(path, {"nonce": bytes(32)}, [SECRET])
    count = len(store.entries())
    while True:
        rows = batch(count)
        store.commit(rows)
        count += len(rows)
        print(count, flush=True)  # noqa: T201


@dataclass
class Found:
    kills: int = 0
    rows: int = 0
    unannounced: int = 0


def kill_often(path: Path, kills: int, luck: Random) -> Found:
    found = Found()
    for _ in range(kills):
        announced = announced_before_death(path, luck)
        found.kills += 1
        kept = rows_in(path)
        whole = max(announced, found.rows)
        assert kept in {whole, whole + len(batch(whole))}, (kept, announced)
        found.unannounced += kept > whole
        found.rows = kept
    return found


def announced_before_death(path: Path, luck: Random) -> int:
    """The last number that a process said; some die before they say any."""
    writer = subprocess.Popen(
        [sys.executable, "-m", __spec__.name, "--keep-on", str(path)],
        cwd=HOME,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    first = "" if luck.random() < 0.3 else writer.stdout.readline()
    time.sleep(luck.uniform(0, LIFE_MAX_S))
    writer.kill()
    rest, _ = writer.communicate()
    # A line that was cut off was not said.
    lines = [one for one in (first + rest).splitlines(keepends=True) if one[-1] == "\n"]
    return int(lines[-1]) if lines else 0


def rows_in(path: Path) -> int:
    """How many rows there are; all are the ones that were kept, in their order."""
    try:
        store = MatchStore.open(path)
    except StoreMissing:
        return 0
    entries = store.entries()
    assert entries == tuple(entry(number) for number in range(len(entries)))
    assert store.secrets() == (SECRET,)
    store.close()
    return len(entries)


def test_no_row_that_was_announced_is_lost_however_its_process_dies(
    tmp_path: Path,
) -> None:
    found = kill_often(tmp_path / "match.sqlite", KILLS, Random(1))
    assert found.kills == KILLS
    assert found.rows > 10 * KILLS


def main(words: list[str]) -> None:
    if words[:1] == ["--keep-on"]:
        keep_on(Path(words[1]))
    kills = int(words[0]) if words else KILLS_BY_HAND
    with tempfile.TemporaryDirectory() as folder:
        print(kill_often(Path(folder) / "match.sqlite", kills, Random(1)))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
