"""Every check of what others sign, each with a switch that turns it off.

A check is a condition in the source of `protocol`: one operand of what a function
refuses for, or of what it asks before it says yes. `checks` lists them as they stand,
so that a new one cannot be forgotten; `turned_off` compiles its function anew with that
one operand decided in favour of whoever is judged.
"""

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any, cast

import pytest

MODULES = (
    "codec",
    "archive",
    "audit",
    "mesh",
    "crypto.group",
    "crypto.identity",
    "crypto.proofs",
    "crypto.shuffle",
    "crypto.shuffle_proof",
    "entry",
    "log",
    "room",
    "roster",
    "hello",
    "shuffling",
    "openings",
    "replay",
    "notes",
    "news",
    "deck",
    "rivals",
    "leaving",
    "voids",
    "course",
    "record",
    "judge",
    "resumption",
    "whereabouts",
)
REFUSING = frozenset({"Reason", "Fault", "LinkFault", "Refusal", "Broken", "Malformed"})
REFUSING_NAMES = frozenset({"WAIT", "_shrinking", "fault", "reason", "proven"})
ANSWERS = ("Check", "Reason", "Refusal", "Fault", "Findings", "Broken")
# Functions whose yes is a refusal.
WARNING = frozenset({"forgets", "stopped"})
# Functions whose None keeps an entry waiting.
HOLDING = frozenset({"ready"})
BLAMING = frozenset({"_refuse", "_blame"})


@dataclass(frozen=True, order=True)
class Check:
    """One operand of a condition: where it stands, and what it says."""

    place: str
    says: str

    def __str__(self) -> str:
        return f"{self.place}: {self.says}"


@dataclass(frozen=True)
class _Operand:
    """An operand in a function's tree, and the truth that lets everybody pass."""

    node: ast.expr
    passing: bool


def checks() -> tuple[Check, ...]:
    """All of them, in the order of the modules."""
    found = [
        Check(place, ast.unparse(operand.node))
        for place, function in _functions()
        for operand in _operands(_tree(function))
    ]
    return tuple(dict.fromkeys(found))


def turned_off(monkeypatch: pytest.MonkeyPatch, check: Check) -> None:
    """Let one check pass whatever it is asked about, wherever it is used."""
    function = dict(_functions())[check.place]
    tree = _tree(function)
    found = [o for o in _operands(tree) if ast.unparse(o.node) == check.says]
    assert found, f"there is no such check: {check}"
    _Passing(found).visit(tree)
    changed = _compiled(function, tree)
    owner, name = _owner(check.place)
    if isinstance(owner, ModuleType):
        # Others have imported it by its name.
        for module in list(sys.modules.values()):
            here = module.__name__.startswith(("protocol.", "tests."))
            if here and vars(module).get(name) is function:
                monkeypatch.setattr(module, name, changed)
    elif isinstance(vars(owner)[name], property):
        monkeypatch.setattr(owner, name, property(changed))
    else:
        monkeypatch.setattr(owner, name, changed)


# -- functions -------------------------------------------------------------------


@cache
def _places() -> Mapping[str, FunctionType]:
    found: dict[str, FunctionType] = {}
    for module_name in MODULES:
        module = import_module(f"protocol.{module_name}")
        for name, value in vars(module).items():
            if getattr(value, "__module__", None) != module.__name__:
                continue
            place = f"{module_name}.{name}"
            if isinstance(value, FunctionType):
                found[place] = value
            elif isinstance(value, type):
                for inner, function in _methods(value):
                    found[f"{place}.{inner}"] = function
    return found


def _functions() -> Iterator[tuple[str, FunctionType]]:
    yield from _places().items()


def _methods(owner: type) -> Iterator[tuple[str, FunctionType]]:
    for name, value in vars(owner).items():
        function = value.fget if isinstance(value, property) else value
        if not isinstance(function, FunctionType) or name.startswith("__"):
            continue
        # Not what a dataclass or a named tuple has made.
        if function.__module__ == owner.__module__ and "kwds" not in (
            function.__code__.co_varnames
        ):
            yield name, function


def _owner(place: str) -> tuple[object, str]:
    module = next(
        name
        for name in sorted(MODULES, key=len, reverse=True)
        if place.startswith(f"{name}.")
    )
    owner: object = import_module(f"protocol.{module}")
    *classes, name = place.removeprefix(f"{module}.").split(".")
    for one in classes:
        owner = getattr(owner, one)
    return owner, name


def _tree(function: FunctionType) -> ast.FunctionDef:
    source = textwrap.dedent(inspect.getsource(function))
    (tree,) = ast.parse(source).body
    assert isinstance(tree, ast.FunctionDef)
    return tree


def _compiled(function: FunctionType, tree: ast.FunctionDef) -> Callable[..., object]:
    tree.decorator_list = []
    module = ast.fix_missing_locations(ast.Module([tree], []))
    made: dict[str, Any] = {}
    exec(
        compile(module, function.__code__.co_filename, "exec"),
        function.__globals__,
        made,
    )
    return cast("Callable[..., object]", made[tree.name])


# -- conditions ------------------------------------------------------------------


def _operands(tree: ast.FunctionDef) -> list[_Operand]:
    """What a function asks; None is no refusal where what is wrong is the answer."""
    says_yes = isinstance(tree.returns, ast.Name) and tree.returns.id == "bool"
    answers = ast.unparse(tree.returns) if tree.returns else ""
    says_wrong = any(word in answers for word in ANSWERS) and tree.name not in HOLDING
    refuses = partial(_refuses, says_wrong=says_wrong)
    found: list[_Operand] = []
    for node in ast.walk(tree):
        match node:
            case ast.If() if any(map(refuses, node.body)):
                found += _split(node.test, ast.Or, passing=False)
            case ast.If() if any(map(refuses, node.orelse)):
                found += _split(node.test, ast.And, passing=True)
            case ast.IfExp() if _is_refusal(node.body, says_wrong=says_wrong):
                found += _split(node.test, ast.Or, passing=False)
            case ast.IfExp() if _is_refusal(node.orelse, says_wrong=says_wrong):
                found += _split(node.test, ast.And, passing=True)
            case ast.Return(value=value) if says_yes and value is not None:
                found += _asked(value, passing=tree.name not in WARNING)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="check")) as call):
                # A shape that raises.
                found.append(_Operand(call, passing=True))
    return found


def _asked(value: ast.expr, *, passing: bool) -> list[_Operand]:
    """The operands of what a function asks before it says yes."""
    if isinstance(value, ast.Constant | ast.Name):
        return []
    return _split(value, ast.And, passing=passing)


def _split(test: ast.expr, by: type[ast.boolop], *, passing: bool) -> list[_Operand]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, by):
        return [_Operand(value, passing) for value in test.values]
    return [_Operand(test, passing)]


def _refuses(done: ast.stmt, *, says_wrong: bool) -> bool:
    """Whether a statement of a branch refuses."""
    match done:
        case ast.Raise():
            return True
        case ast.Return(value=ast.expr() as value):
            return _is_refusal(value, says_wrong=says_wrong)
        case ast.AugAssign(value=value):
            return _blames(value)
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append")) as call):
            # What is false, of several, as `replayed` gathers it.
            return _is_refusal(call, says_wrong=says_wrong)
    return False


def _blames(value: ast.expr) -> bool:
    return any(
        isinstance(one, ast.Attribute) and one.attr in BLAMING
        for one in ast.walk(value)
    )


def _is_refusal(value: ast.expr, *, says_wrong: bool) -> bool:
    if isinstance(value, ast.Constant):
        return value.value is False or (value.value is None and not says_wrong)
    names = {one.id for one in ast.walk(value) if isinstance(one, ast.Name)}
    if names & REFUSING_NAMES or _blames(value):
        return True
    made = {
        one.value.id
        for one in ast.walk(value)
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name)
    }
    calls = {
        one.func.id
        for one in ast.walk(value)
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)
    }
    return bool((made | calls) & REFUSING)


class _Passing(ast.NodeTransformer):
    """Decides some operands."""

    def __init__(self, operands: list[_Operand]) -> None:
        self._decided = {id(operand.node): operand.passing for operand in operands}

    def visit(self, node: ast.AST) -> ast.AST:
        if id(node) in self._decided:
            return ast.Constant(self._decided[id(node)])
        return self.generic_visit(node)
