"""``scopa doctor``: what it says and how it ends, by whole programs at once."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from scopa_net import HOME
from scopa_net.home import DATA_DIR, Home

STATES = {"ok", "warn", "fail", "not asked"}
DOCTOR = [sys.executable, "-m", "scopa_net", "doctor"]
WAIT_S = 60


@dataclass(frozen=True)
class Ran:
    home: Home
    code: int
    out: str
    err: str


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ran]:
    """Of a healthy home, and of one whose key others can read, with what is closed."""
    folder = tmp_path_factory.mktemp("doctor")
    healthy, exposed = Home(folder / "healthy"), Home(folder / "exposed")
    exposed.identity()
    exposed.key_file.chmod(0o644)
    started = {
        "healthy": (healthy, start(healthy)),
        "exposed": (exposed, start(exposed)),
        "json": (exposed, start(exposed, "--json")),
        "unheard": (exposed, start(exposed, closed="<&- >&-")),
    }
    return {name: ended(home, process) for name, (home, process) in started.items()}


def start(home: Home, *words: str, closed: str = "") -> "subprocess.Popen[str]":
    environment = {key: one for key, one in os.environ.items() if key[:6] != "SCOPA_"}
    return subprocess.Popen(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *DOCTOR, *words],
        cwd=HOME,
        env=environment | {DATA_DIR: str(home.folder)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(home: Home, process: "subprocess.Popen[str]") -> Ran:
    out, err = process.communicate(timeout=WAIT_S)
    return Ran(home, process.returncode, out, err)


def test_a_healthy_machine_is_told_line_by_line(runs: dict[str, Ran]) -> None:
    ran = runs["healthy"]
    assert (ran.code, ran.err) == (0, "")
    starts = [line for line in ran.out.splitlines() if not line.startswith(" ")]
    assert all(line[:9].strip() in STATES for line in starts)
    for name in ("terminal", "data folder", "SQLite", "listening", "mDNS", "mailbox"):
        assert sum(line[11:22].strip() == name for line in starts) == 1
    assert all(len(line) <= 80 or " " not in line[24:] for line in ran.out.splitlines())
    assert not ran.home.folder.exists()


def test_what_failed_is_told_with_its_remedy_and_the_exit_code(
    runs: dict[str, Ran],
) -> None:
    ran = runs["exposed"]
    assert (ran.code, ran.err) == (1, "")
    assert "fail       data folder  Others can read your key\n" in ran.out
    assert "-> chmod 600" in ran.out


def test_programs_get_every_check_with_what_to_do(runs: dict[str, Ran]) -> None:
    ran = runs["json"]
    answer: dict[str, Any] = json.loads(ran.out)
    assert (ran.code, ran.err) == (1, "")
    assert (answer["schema"], answer["type"], answer["ok"]) == (1, "doctor", False)
    checks = {check["name"]: check for check in answer["checks"]}
    assert {check["state"] for check in checks.values()} <= STATES
    assert checks["data folder"] == {
        "name": "data folder",
        "state": "fail",
        "found": "Others can read your key",
        "todo": f"chmod 600 {ran.home.key_file}",
    }
    for server in ("mailbox", "relay"):
        assert checks[server]["state"] == "not asked"
    assert checks["mDNS"]["state"] in {"ok", "warn"}


def test_where_nobody_can_read_it_the_exit_code_is_the_answer(
    runs: dict[str, Ran],
) -> None:
    ran = runs["unheard"]
    assert (ran.code, ran.out, ran.err) == (1, "", "")
