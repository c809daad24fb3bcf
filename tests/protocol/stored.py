"""What the tests of the store keep in it, and processes that die with one open."""

import signal
import stat
import subprocess
import sys
from pathlib import Path
from random import Random

from protocol.faults import Signed
from protocol.step import EntryRow, SecretRow
from protocol.store import MatchStore
from scopa_net import HOME

FACTS = {"nonce": bytes(range(32)), "name": b"Ana"}
SEED = b"canary-of-32-bytes-never-printed"
NAME = "0123456789abcdef0123456789abcdef.sqlite"


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
            "from tests.protocol.stored import entry, secret",
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
