"""``scopa doctor``: what it says, and how it ends."""

from pathlib import Path

import pytest

from scopa_net.home import DATA_DIR, Home
from tests.support.command_line import scopa

STATES = {"ok", "warn", "fail", "not asked"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv(DATA_DIR, str(tmp_path / "data"))
    return Home(tmp_path / "data")


def test_a_healthy_machine_is_told_line_by_line(home: Home) -> None:
    ran = scopa("doctor")
    assert (ran.code, ran.err) == (0, "")
    lines = [line for line in ran.out.splitlines() if not line.startswith(" ")]
    assert all(line[:9].strip() in STATES for line in lines)
    assert all(len(line) <= 80 or " " not in line[24:] for line in lines)
    assert f"{home.folder}" in ran.out
    assert not home.folder.exists()


def test_programs_get_every_check_with_what_to_do(home: Home) -> None:
    home.identity()
    home.key_file.chmod(0o644)
    ran = scopa("doctor", "--json")
    assert (ran.code, ran.err) == (1, "")
    assert (ran.answer["schema"], ran.answer["type"]) == (1, "doctor")
    assert ran.answer["ok"] is False
    checks = {check["name"]: check for check in ran.answer["checks"]}
    assert {check["state"] for check in checks.values()} <= STATES
    assert checks["data folder"] == {
        "name": "data folder",
        "state": "fail",
        "found": "Others can read your key",
        "todo": f"chmod 600 {home.key_file}",
    }


def test_what_failed_is_told_with_its_remedy_and_the_exit_code(home: Home) -> None:
    home.identity()
    home.folder.chmod(0o777)
    ran = scopa("doctor")
    assert ran.code == 1
    assert "-> chmod go-w" in ran.out
