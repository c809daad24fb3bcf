"""The dialect files at two speeds: as plain Python, and compiled by numba.

The same functions, with the same answers. A caller names a function of a dialect file
and a `Speed` answers with its twin:

    speed = fastest(told)
    apply = speed.of(kernel.apply)
    s = speed.ints(deal.state)

Plain functions take lists, compiled ones arrays of 64-bit ints; only `ints`, `room` and
`listed` know which. The one slice in a dialect file is `w[:] = s`: it copies a state.
numba (the extra `fast`) is loaded when somebody asks for the compiled speed and not
before.

A function is compiled in the types of its annotations, once for a computer: the machine
code is kept in a folder named by the hash of everything that it came from. numba alone
would look at one file at a time, and serve what an edit of another file has outdated.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import operator
import os
import pickle
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, Protocol, TypeVar, get_type_hints

from scopa_net.rules.kernel import SIZE, Ints, Rules

__all__ = [
    "FILES",
    "PLAIN",
    "CompilerFailed",
    "File",
    "Pace",
    "Speed",
    "compiled",
    "fastest",
    "has_compiler",
]

F = TypeVar("F", bound=Callable[..., Any])
Told = Callable[[str], None]


class File(NamedTuple):
    """A module in the dialect.

    `hot` functions are compiled into their callers. `asked` are those that Python may
    call, all if None; of the others only what these need is compiled.
    """

    module: str
    hot: tuple[str, ...] = ()
    asked: tuple[str, ...] | None = None


# Every dialect file; one stands below those that it imports from. Which functions are
# hot was measured (tests/benchmarks/kernel.py).
FILES = (
    File(
        "scopa_net.rules.kernel",
        hot=(
            "captures",
            "ordinary",
            "plays_of",
            "odd_plays_of",
            "legal_plays",
            "deal_hands",
            "apply",
        ),
        asked=("apply",),
    ),
    File("scopa_net.rules.points", asked=()),
    File("ai.playouts", hot=("spin", "below", "legal"), asked=()),
    File("ai.policy", hot=("worth", "gain", "quick"), asked=()),
    File("ai.solver", hot=("keep", "undo", "promising"), asked=("solve",)),
    File("ai.search", asked=("batch", "trial")),
)


class CompilerFailed(Exception):
    """The compiled speed cannot be had, and the sentence says why."""


class Speed(Protocol):
    """One of the two speeds."""

    @property
    def name(self) -> str:
        """`plain` or `compiled`."""

    def of(self, function: F) -> F:
        """The twin of a function that is `asked` for; it is called without keywords."""

    def ints(self, values: Iterable[int]) -> Ints:
        """A sequence for twins of this speed, with a copy of the values."""

    def room(self, size: int) -> Ints:
        """The same, of so many zeros."""

    def listed(self, ints: Ints) -> list[int]:
        """The values of such a sequence."""


class _Plain:
    name = "plain"

    def of(self, function: F) -> F:
        return function

    def ints(self, values: Iterable[int]) -> Ints:
        return list(values)

    def room(self, size: int) -> Ints:
        return [0] * size

    def listed(self, ints: Ints) -> list[int]:
        return list(ints)


PLAIN: Speed = _Plain()


class _Compiled:
    name = "compiled"

    def __init__(self, numpy: Any, twins: dict[Callable[..., Any], Any]) -> None:
        self._numpy = numpy
        self._twins = twins

    def of(self, function: F) -> F:
        twin: F = self._twins[function]
        return twin

    def ints(self, values: Iterable[int]) -> Ints:
        array: Ints = self._numpy.array(list(values), self._numpy.int64)
        return array

    def room(self, size: int) -> Ints:
        array: Ints = self._numpy.zeros(size, self._numpy.int64)
        return array

    def listed(self, ints: Ints) -> list[int]:
        return [int(number) for number in ints]


def has_compiler() -> bool:
    """Whether numba is installed; it is not loaded to find out."""
    return importlib.util.find_spec("numba") is not None


def compiled(
    told: Told = lambda _: None,
    files: Sequence[File] = FILES,
    *,
    checked: bool = False,
) -> Speed:
    """The compiled speed; the caller waits for it.

    `told` gets a sentence if the machine code is not at hand and has to be made, which
    takes some seconds. `checked` compiles every index with a look at the bounds, which
    is for tests and kept nowhere.
    """
    if not has_compiler():
        raise CompilerFailed(
            "The fast version needs numba, which is not installed; "
            "pip install 'scopa-net[fast]' brings it."
        )
    try:
        import numba
        import numpy
    except (ImportError, OSError) as reason:
        raise CompilerFailed(f"numba does not load: {reason}.") from reason
    folder = None if checked else _cache_folder(files, numba.__version__)
    try:
        with _COMPILING:
            _give_ints_their_methods()
            return _Compiled(numpy, _kept_twins(files, told, folder, checked=checked))
    except numba.core.errors.NumbaError as reason:
        raise CompilerFailed(f"numba does not compile the rules: {reason}") from reason


class Pace:
    """The plain speed until the compiled one is there; a thread of its own makes it."""

    def __init__(self, load: Callable[[Told], Speed] = compiled) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._speed = PLAIN

    def now(self, told: Told = lambda _: None) -> Speed:
        """The fastest there is at this moment.

        The first call begins to make the faster one. `told` is called by the other
        thread, with one sentence, if that takes long or fails.
        """
        with self._lock:
            if self._thread is None and has_compiler():
                self._thread = threading.Thread(
                    target=self._make, args=(told,), name="compile", daemon=True
                )
                self._thread.start()
        return self._speed

    def wait(self, told: Told = lambda _: None) -> Speed:
        """The fastest that can be had here; plain without numba, or if that fails."""
        self.now(told)
        if self._thread is not None:
            self._thread.join()
        return self._speed

    def _make(self, told: Told) -> None:
        try:
            self._speed = self._load(told)
        except CompilerFailed as reason:
            told(f"{reason} The plain version plays on.")


_PACE = Pace()
fastest = _PACE.now
"""What this process has now; every caller shares one compilation."""

_COMPILING = threading.Lock()
"""Held by the thread that compiles: where numba keeps code is one setting for all."""

_CACHE_FAILS = (
    AttributeError,
    EOFError,
    ImportError,
    LookupError,
    OSError,
    RuntimeError,
    ValueError,
    pickle.PickleError,
)
"""What numba raises where machine code cannot be written, or is damaged."""


def _kept_twins(
    files: Sequence[File], told: Told, folder: Path | None, *, checked: bool
) -> dict[Callable[..., Any], Any]:
    """The twins, by way of the folder; begun anew if it is damaged, or without it."""
    if folder is not None:
        try:
            return _twins(files, told, folder, checked=checked)
        except _CACHE_FAILS:
            shutil.rmtree(folder, ignore_errors=True)
        with suppress(*_CACHE_FAILS):
            return _twins(files, told, folder, checked=checked)
    return _twins(files, told, None, checked=checked)


def _twins(
    files: Sequence[File], told: Told, folder: Path | None, *, checked: bool
) -> dict[Callable[..., Any], Any]:
    """Every function of the files, compiled; a caller gets its callees' twins."""
    import numba

    types = {
        int: numba.int64,
        Ints: numba.int64[::1] if checked else _pointers(),
        Rules: numba.typeof(Rules()),
        type(None): numba.void,
    }
    asked = {each for file in files for each in _asked(file)}
    needed = _needed(asked)
    made: dict[Callable[..., Any], Any] = {}
    announced = False
    with _keeping(numba.config, folder):
        for file in files:
            module = importlib.import_module(file.module)
            names = {
                name: made.get(value, value) if inspect.isfunction(value) else value
                for name, value in vars(module).items()
            }
            for function in _functions(module):
                if function not in needed:
                    continue
                name = function.__name__
                hints = get_type_hints(function)
                answer = types[hints.pop("return")]
                twin = numba.njit(
                    answer(*(types[hint] for hint in hints.values())),
                    cache=folder is not None,
                    nogil=True,
                    error_model="numpy",
                    boundscheck=checked,
                    forceinline=name in file.hot,
                    no_cfunc_wrapper=True,
                    no_cpython_wrapper=function not in asked,
                )(FunctionType(function.__code__, names, name))
                if not announced and not twin.stats.cache_hits:
                    announced = True
                    told(_announcement(folder))
                made[function] = names[name] = twin
    return {function: made[function] for function in asked}


def _announcement(folder: Path | None) -> str:
    once = (
        "which is done once on this computer"
        if folder is not None
        else "at every start, because its result cannot be kept in a cache folder"
    )
    return f"The rules are being compiled to play faster, {once}; some seconds."


def _functions(module: ModuleType) -> list[FunctionType]:
    """The functions that a module defines, from top to bottom."""
    return [
        value
        for value in vars(module).values()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    ]


def _asked(file: File) -> list[FunctionType]:
    """The functions of a file that Python may call."""
    module = importlib.import_module(file.module)
    if file.asked is None:
        return _functions(module)
    return [vars(module)[name] for name in file.asked]


def _needed(asked: Iterable[FunctionType]) -> set[FunctionType]:
    """These functions and all that they call."""
    found: set[FunctionType] = set()
    to_see = list(asked)
    while to_see:
        function = to_see.pop()
        if function not in found:
            found.add(function)
            names = map(function.__globals__.get, function.__code__.co_names)
            to_see += [value for value in names if inspect.isfunction(value)]
    return found


@contextmanager
def _keeping(config: Any, folder: Path | None) -> Iterator[None]:
    """Let numba keep machine code in the folder."""
    config.reload_config()  # it would undo this when the environment has changed
    before = config.CACHE_DIR
    config.CACHE_DIR = before if folder is None else str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def _cache_folder(files: Sequence[File], version: str) -> Path | None:
    """A folder for exactly this machine code, or None if nothing can be written there.

    numba would then write beside the sources, where an edit of one file leaves code in
    the cache of another as it was.
    """
    content = hashlib.sha256(repr((version, tuple(files))).encode())
    try:
        for path in (__file__, *map(_path_of, files)):
            content.update(Path(path).read_bytes())
        folder = _caches() / content.hexdigest()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):
        return None


def _path_of(file: File) -> str:
    path = importlib.import_module(file.module).__file__
    if path is None:
        raise OSError(f"{file.module} is in no file")
    return path


def _caches() -> Path:
    """Where this system wants caches to be. RuntimeError: the user has no home."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        base = Path(local) if local else Path.home() / "AppData" / "Local"
        return base / "scopa-net" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "scopa-net"
    xdg = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(xdg) if Path(xdg).is_absolute() else Path.home() / ".cache") / (
        "scopa-net"
    )


@cache
def _pointers() -> Any:
    """The type of a sequence in compiled functions: the address where its ints begin.

    Arrays are counted at every call, which took twice as long as all the rest. Whoever
    calls from Python holds the array meanwhile.
    """
    from numba.core import types
    from numba.core.typeconv.rules import default_type_manager
    from numba.extending import NativeValue, overload, unbox

    array = types.int64[::1]
    pointer = types.CPointer(types.int64)

    def unboxed(_: Any, value: Any, c: Any) -> Any:
        native = c.unbox(array, value)
        data = c.context.make_array(array)(c.context, c.builder, native.value).data
        c.context.nrt.decref(c.builder, array, native.value)
        return NativeValue(data, is_error=native.is_error)

    def copied(to: Any, _: Any, values: Any) -> Any:
        def copy(to: Any, _: Any, values: Any) -> None:
            for i in range(SIZE):
                to[i] = values[i]

        return copy if to == values == pointer else None

    unbox(types.CPointer)(unboxed)
    overload(operator.setitem)(copied)  # w[:] = s
    default_type_manager.set_safe_convert(array, pointer)
    return pointer


@cache
def _give_ints_their_methods() -> None:
    """Teach numba `bit_count` and `bit_length`, once for a process."""
    from numba.core import types
    from numba.extending import intrinsic, overload_method

    def population(_: Any, number: Any) -> Any:
        def emit(_: Any, builder: Any, __: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(number), emit

    def leading_zeros(_: Any, number: Any) -> Any:
        def emit(context: Any, builder: Any, __: Any, args: Any) -> Any:
            flag = context.get_constant(types.boolean, 0)
            return builder.ctlz(args[0], flag)

        return types.int64(number), emit

    ones = intrinsic(population)
    zeros = intrinsic(leading_zeros)
    overload_method(types.Integer, "bit_count")(lambda n: lambda n: ones(n))
    overload_method(types.Integer, "bit_length")(lambda n: lambda n: 64 - zeros(n))
