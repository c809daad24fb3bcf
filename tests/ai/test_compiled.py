"""How the compiled speed is made, kept and done without; the files here are tiny."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from ai.compiled import (
    FILES,
    PLAIN,
    CompilerFailed,
    File,
    Pace,
    Speed,
    compiled,
    has_compiler,
)
from scopa_net.rules import kernel

ROOT = Path(__file__).resolve().parent.parent.parent
NUMBERS = count()

needs_numba = pytest.mark.skipif(
    not has_compiler(), reason="numba is not installed (extra `fast`)"
)


class Dialect:
    """Two dialect files, the second of which calls the first."""

    def __init__(self, folder: Path) -> None:
        number = next(NUMBERS)
        self.folder = folder
        self.names = f"one{number}", f"two{number}"
        self.write("n + 1")
        self.write_second(
            f"from {self.names[0]} import one\n"
            "def two(s: Ints, n: int) -> int:\n"
            "    s[0] = one(n)\n"
            "    return s[0].bit_count() + 100 * s[0].bit_length()\n"
        )

    def write(self, answer: str) -> None:
        """The first file, so that `one(n)` is the answer."""
        self._write(self.names[0], f"def one(n: int) -> int:\n    return {answer}\n")

    def write_second(self, text: str) -> None:
        self._write(self.names[1], text)

    def _write(self, name: str, text: str) -> None:
        path = self.folder / f"{name}.py"
        path.write_text(f"from scopa_net.rules.kernel import Ints\n{text}")

    def loaded(self, told: Callable[[str], None]) -> tuple[Speed, Any]:
        """What a new process has of the files, and the plain function `two`."""
        importlib.invalidate_caches()
        for name in self.names:
            sys.modules.pop(name, None)
        modules = [importlib.import_module(name) for name in self.names]
        return compiled(told, [File(name) for name in self.names]), modules[1].two

    def answer(self, told: Callable[[str], None] = lambda _: None) -> tuple[int, int]:
        """What `two` writes and answers, compiled."""
        speed, two = self.loaded(told)
        s = speed.room(1)
        return int(speed.of(two)(s, 41)), speed.listed(s)[0]


@pytest.fixture
def dialect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dialect:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    return Dialect(tmp_path)


def cached(dialect: Dialect) -> list[Path]:
    return sorted((dialect.folder / "cache").rglob("*.nb[ci]"))


# -- plain ----------------------------------------------------------------------------


def test_the_plain_speed_is_the_functions_themselves_on_lists() -> None:
    assert PLAIN.of(kernel.apply) is kernel.apply
    s = PLAIN.ints(range(3))
    assert s == PLAIN.listed(s) == [0, 1, 2]
    assert PLAIN.listed(s) is not s
    assert PLAIN.room(2) == [0, 0]


def test_without_numba_the_plain_speed_plays_and_the_fast_one_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    assert not has_compiler()
    assert Pace().wait() is PLAIN
    with pytest.raises(CompilerFailed, match="pip install"):
        compiled()


def test_a_numba_that_does_not_load_is_told_and_the_plain_speed_plays_on(
    tmp_path: Path,
) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('numpy is too new')\n")
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            "from ai.compiled import PLAIN, Pace\nassert Pace().wait(print) is PLAIN\n",
        ],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert run.stdout == (
        "numba does not load: numpy is too new. The plain version plays on.\n"
    )


def test_every_dialect_file_has_what_is_said_of_it() -> None:
    for file in FILES:
        names = vars(importlib.import_module(file.module))
        assert {*file.hot, *(file.asked or ())} <= set(names)


# -- compiled -------------------------------------------------------------------------


@needs_numba
def test_a_second_start_finds_the_machine_code_and_says_nothing(
    dialect: Dialect,
) -> None:
    told: list[str] = []
    assert dialect.answer(told.append) == (603, 42)
    assert told == [
        "The rules are being compiled to play faster, which is done once on this "
        "computer; some seconds."
    ]
    assert dialect.answer(told.append) == (603, 42)
    assert len(told) == 1


@needs_numba
def test_an_edit_of_one_file_reaches_what_is_cached_of_another(
    dialect: Dialect,
) -> None:
    assert dialect.answer() == (603, 42)
    dialect.write("n * 2")
    assert dialect.answer() == (703, 82)


@needs_numba
def test_where_nothing_can_be_written_it_compiles_at_every_start(
    dialect: Dialect,
) -> None:
    (dialect.folder / "cache").write_text("a file stands where the folder should be")
    told: list[str] = []
    for starts in (1, 2):
        assert dialect.answer(told.append) == (603, 42)
        assert len(told) == starts
    assert "at every start" in told[0]
    assert sorted(path.suffix for path in dialect.folder.rglob("*")) == [
        "",
        ".py",
        ".py",
    ]


@needs_numba
@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", [b"", b"not machine code"])
def test_damaged_machine_code_is_made_again(
    dialect: Dialect, suffix: str, damage: bytes
) -> None:
    dialect.answer()
    files = cached(dialect)
    assert {path.suffix for path in files} == {".nbi", ".nbc"}
    for path in files:
        if path.suffix == suffix:
            path.write_bytes(damage)
    told: list[str] = []
    assert dialect.answer(told.append) == (603, 42)
    assert len(told) == 1
    assert dialect.answer(told.append) == (603, 42)
    assert len(told) == 1


@needs_numba
def test_what_is_not_in_the_dialect_is_told_as_a_failure(dialect: Dialect) -> None:
    dialect.write_second("def two(s: Ints, n: int) -> int:\n    return s.index(n)\n")
    with pytest.raises(CompilerFailed, match="does not compile the rules"):
        dialect.loaded(lambda _: None)


@needs_numba
def test_only_what_is_asked_for_can_be_called_and_only_what_it_needs_is_made(
    dialect: Dialect,
) -> None:
    dialect.loaded(lambda _: None)
    one, two = dialect.names
    called = File(two, asked=("two",))
    speed = compiled(files=[File(one, asked=()), called])
    modules = [sys.modules[name] for name in dialect.names]
    assert speed.of(modules[1].two)(speed.room(1), 41) == 603
    with pytest.raises(KeyError):
        speed.of(modules[0].one)
    before = cached(dialect)
    compiled(files=[File(one, asked=()), File(two, asked=())])
    assert cached(dialect) == before


@needs_numba
def test_what_was_kept_for_few_callers_is_not_given_to_more(dialect: Dialect) -> None:
    one, two = dialect.names
    module = importlib.import_module(one)
    compiled(files=[File(one, asked=()), File(two)])
    speed = compiled(files=[File(one), File(two)])
    assert speed.of(module.one)(41) == 42


@needs_numba
def test_the_compiled_speed_takes_arrays_and_gives_lists_of_ints(
    dialect: Dialect,
) -> None:
    speed, two = dialect.loaded(lambda _: None)
    s = speed.ints([1 << 39, 7])
    assert speed.of(two)(s, 0) == 101
    listed = speed.listed(s)
    assert listed == [1, 7]
    assert {type(number) for number in listed} == {int}
    with pytest.raises(KeyError):
        speed.of(kernel.apply)


@needs_numba
def test_a_state_is_copied_as_it_is_in_plain_python(dialect: Dialect) -> None:
    dialect.write_second("def two(w: Ints, s: Ints) -> None:\n    w[:] = s\n")
    speed, two = dialect.loaded(lambda _: None)
    state = range(kernel.SIZE)
    copies = []
    for each in (PLAIN, speed):
        w = each.room(kernel.SIZE)
        each.of(two)(w, each.ints(state))
        copies.append(each.listed(w))
    assert copies == [[*state], [*state]]


@needs_numba
def test_a_list_or_an_array_of_other_numbers_is_refused(dialect: Dialect) -> None:
    speed, two = dialect.loaded(lambda _: None)
    s = speed.ints([1, 2])
    with pytest.raises(TypeError):
        speed.of(two)([1, 2], 1)
    for other in (s.astype("float64"), s.astype("int32"), s[::-1]):  # type: ignore[attr-defined]
        with pytest.raises(TypeError):
            speed.of(two)(other, 1)


@needs_numba
def test_the_plain_speed_answers_while_the_compiled_one_is_made(
    dialect: Dialect,
) -> None:
    goes_on = threading.Event()

    def slow(told: Callable[[str], None]) -> Speed:
        assert goes_on.wait(10)
        return dialect.loaded(told)[0]

    pace = Pace(slow)
    assert pace.now() is PLAIN
    assert pace.now() is PLAIN
    goes_on.set()
    assert pace.wait().name == "compiled"
    assert pace.now().name == "compiled"
