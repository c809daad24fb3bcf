"""Every attack by a seat or over a network is made in a test that carries its id."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.protocol.attacks import ATTACKS, EXCUSED

TESTS = Path(__file__).parent.parent
ID = re.compile(r"(?<![\w.])([XF]\d+)(?!\w)")
# The rules of the game have letters of their own.
ELSEWHERE = ("rules", "ui", "ai", "bots")
# Of the machine, its files and its bots.
OTHERS = frozenset(f"X{number}" for number in range(40, 45))


def carried() -> dict[str, set[str]]:
    """By id, the test functions that carry it."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(TESTS.rglob("test_*.py")):
        if path.relative_to(TESTS).parts[0] in ELSEWHERE or path == Path(__file__):
            continue
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, ast.FunctionDef):
                continue
            if not node.name.startswith("test_"):
                continue
            text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            for one in ID.findall(text):
                found[one].add(f"{path.stem}::{node.name}")
    return found


CARRIED = carried()


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_is_made_by_a_test_that_carries_its_id(attack: str) -> None:
    assert CARRIED.get(attack), f"no test carries {attack}: {ATTACKS[attack]}"


def test_no_test_carries_an_id_that_does_not_exist() -> None:
    strange = set(CARRIED) - set(ATTACKS) - OTHERS
    assert not {one for one in strange if one not in EXCUSED}


def test_what_is_excused_is_carried_by_no_test() -> None:
    assert not set(EXCUSED) & set(CARRIED)
