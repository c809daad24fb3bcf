"""What pyproject.toml promises; the built wheel: end_to_end/test_wheel.py."""

import re
import tomllib
from pathlib import Path

from scopa_net import __version__

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]
RUNTIME_DEPENDENCIES_MAX = 14


def canonical(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found is not None, requirement
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def test_the_program_depends_on_few_distributions() -> None:
    assert len(PROJECT["dependencies"]) <= RUNTIME_DEPENDENCIES_MAX


def test_what_is_needed_to_run_and_to_test_is_locked() -> None:
    lines = (ROOT / ".ci" / "lock.txt").read_text(encoding="utf-8").splitlines()
    locked = {canonical(line) for line in lines if "==" in line}
    direct = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]
    assert {canonical(requirement) for requirement in direct} - locked == set()


def test_both_names_of_the_command_are_the_same_program() -> None:
    assert PROJECT["scripts"] == {
        "scopa": "scopa_net.cli:main",
        "scopa-net": "scopa_net.cli:main",
    }


def test_the_version_is_a_release_number() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)
