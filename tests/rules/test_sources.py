"""Every line of the sources and every case is pinned by a test that carries its id."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from scopa_net.rules import OPTIONS, PRESETS
from tests.rules.sources import EXCUSED, LINES

TESTS = Path(__file__).parent.parent
README = TESTS.parent / "scopa_net" / "rules" / "README.md"
ID = re.compile(r"(?<![\w.])(S[024]\.\d+|[A-G]\d+)(?![\w.]*\d)")
RANGE = re.compile(r"S([024])\.(\d+)-S\1\.(\d+)")


def cited(text: str) -> set[str]:
    """The ids in a text; S0.9-S0.12 are four."""
    found = {one for one in ID.findall(text) if one in LINES or one[0] == "S"}
    for source, first, last in RANGE.findall(text):
        found |= {f"S{source}.{n}" for n in range(int(first), int(last) + 1)}
    return found


def pinned() -> dict[str, set[str]]:
    """By id, the test functions that carry it, in words or in a parameter."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(TESTS.rglob("test_*.py")):
        source = path.read_text(encoding="utf-8")
        # The letter F is there for the corrections of the dealing protocol.
        dealing = path.relative_to(TESTS).parts[0] in {"protocol", "simulation"}
        if dealing or path == Path(__file__) or not cited(source):
            continue
        lines = source.splitlines()
        named: dict[str, set[str]] = {}
        for node in ast.parse(source).body:
            start = min([node.lineno, *(one.lineno for one in _decorators(node))])
            text = "\n".join(lines[start - 1 : node.end_lineno])
            match node:
                case ast.FunctionDef(name=name) if name.startswith("test_"):
                    used = [
                        named[word]
                        for word in re.findall(r"\w+", text)
                        if word in named
                    ]
                    for one in cited(text).union(*used):
                        found[one].add(f"{path.stem}::{name}")
                case (
                    ast.Assign(targets=[ast.Name(id=name)])
                    | ast.AnnAssign(target=ast.Name(id=name))
                ):
                    named[name] = cited(text)
    return found


def _decorators(node: ast.stmt) -> list[ast.expr]:
    return node.decorator_list if isinstance(node, ast.FunctionDef) else []


def chapter(title: str) -> str:
    """What the page of the rules says under a title."""
    [found] = [
        part
        for part in README.read_text(encoding="utf-8").split("\n## ")
        if part.startswith(title)
    ]
    return found


PINNED = pinned()


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_pinned_or_says_why_not(line: str) -> None:
    if line in EXCUSED:
        assert not PINNED.get(line), "it is pinned after all"
    else:
        assert PINNED.get(line), f"no test carries {line}: {LINES[line]}"


def test_no_test_cites_a_line_that_does_not_exist() -> None:
    strange = {one: tests for one, tests in PINNED.items() if one not in LINES}
    assert not strange


def test_the_page_of_the_rules_names_every_line() -> None:
    text = README.read_text(encoding="utf-8")
    assert set(LINES) <= cited(text)


def test_the_page_tells_each_line_as_it_is_and_a_test_that_pins_it() -> None:
    text = chapter("Lines of the sources")
    for line, says in LINES.items():
        [row] = re.findall(rf"^\| {re.escape(line)} \| (.*) \|$", text, re.MULTILINE)
        told, pin = row.split(" | ")
        assert told == says
        if line in EXCUSED:
            assert pin == EXCUSED[line]
        else:
            assert pin.strip("`") in {one.split("::")[1] for one in PINNED[line]}


def test_the_page_tells_each_option_with_its_values_and_who_uses_it() -> None:
    text = chapter("Options")
    users = {name: set[str]() for name in OPTIONS}
    for id_, preset in PRESETS.items():
        for changes in (preset.changes, *preset.changes_for.values()):
            for name in changes:
                users[name].add(id_)
    told = set()
    for row in re.findall(r"^\| (`.*`) \| (.*) \| .* \| (.*) \| .* \|$", text, re.M):
        names = re.findall(r"`(\w+)`", row[0])
        if not set(names) <= set(OPTIONS):
            continue
        told |= set(names)
        values = [", ".join(OPTIONS[name]) or "1 to 999" for name in names]
        assert row[1] == "; ".join(values)
        assert set(row[2].split()) - {"-"} == set().union(*(users[n] for n in names))
    assert told == set(OPTIONS)


def test_the_page_tells_each_preset_as_it_is() -> None:
    text = chapter("Presets")
    for id_, preset in PRESETS.items():
        [row] = re.findall(rf"^\| `{id_}` \| (.*) \|$", text, re.MULTILINE)
        players, differs, _ = row.split(" | ")
        assert players == ", ".join(map(str, preset.players))
        expected = set()
        for changes in (preset.changes, *preset.changes_for.values()):
            expected |= {f"{name}={value}" for name, value in changes.items()}
        assert set(re.findall(r"\w+=[\w+-]+", differs)) == expected


def test_the_tests_that_the_page_names_exist() -> None:
    text = README.read_text(encoding="utf-8")
    everything = "".join(
        path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")
    )
    for name in re.findall(r"`(test_\w+)`", text):
        assert f"def {name}(" in everything, name
