"""Kernel and points are in the dialect: numba compiles them, with the same results."""

import inspect
import random
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, get_type_hints

import pytest

from scopa_net.rules import kernel as k
from scopa_net.rules import points as p
from scopa_net.rules.kernel import Ints, Rules
from tests.rules.boards import RULE_SETS

numba = pytest.importorskip("numba", reason="numba is not installed (extra `fast`)")
numpy = pytest.importorskip("numpy", reason="numpy is not installed (extra `fast`)")

Compiled = dict[str, Callable[..., Any]]


@pytest.fixture(scope="module")
def compiled() -> Compiled:
    """Every function of both files, compiled with the types of its annotations."""
    give_ints_their_methods()
    types = {
        int: numba.int64,
        Ints: numba.int64[::1],
        Rules: numba.typeof(Rules()),
        type(None): numba.void,
    }
    done: Compiled = {}
    for module in (k, p):
        for name, function in functions_of(module).items():
            hints = get_type_hints(function)
            answer = types[hints.pop("return")]
            twin = FunctionType(
                function.__code__, {**vars(module), **done}, name, None, None
            )
            signature = answer(*(types[hint] for hint in hints.values()))
            done[name] = numba.njit(signature, error_model="numpy")(twin)
    return done


def functions_of(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The functions a module defines, from top to bottom: callees come first."""
    return {
        name: function
        for name, function in vars(module).items()
        if inspect.isfunction(function) and function.__module__ == module.__name__
    }


def give_ints_their_methods() -> None:
    """`bit_count` and `bit_length`, which numba does not know."""
    from numba.core import types  # noqa: PLC0415
    from numba.extending import intrinsic, overload_method  # noqa: PLC0415

    @intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def population(_: Any, number: Any) -> Any:
        def emit(_: Any, builder: Any, __: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(number), emit

    @intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def leading_zeros(_: Any, number: Any) -> Any:
        def emit(context: Any, builder: Any, __: Any, args: Any) -> Any:
            flag = context.get_constant(types.boolean, 0)
            return builder.ctlz(args[0], flag)

        return types.int64(number), emit

    ones: Any = population
    zeros: Any = leading_zeros
    overload_method(types.Integer, "bit_count")(lambda n: lambda n: ones(n))
    overload_method(types.Integer, "bit_length")(lambda n: lambda n: 64 - zeros(n))


def played(rules: Rules, seed: int, call: Compiled, s: Any, out: Any) -> list[int]:
    """The scored end of a deal and every count of legal actions on the way."""
    rng = random.Random(seed)
    order = list(range(40))
    rng.shuffle(order)
    for i, card in enumerate(order):
        s[k.DECK + i] = card
    call["new_deal"](rules, s, rng.randrange(rules.players))
    counts = [int(call["redeal"](rules, s))]
    while s[k.LEFT]:
        n = call["legal_plays"](rules, s, out)
        if rules.declare or rules.compulsion == 3:
            n = call["legal_extras"](rules, s, out, n)
        counts.append(int(n))
        call["apply"](rules, s, int(out[rng.randrange(n)]))
    call["score"](rules, s)
    seen = s.copy()
    call["observe"](rules, seen, 0)
    return [*map(int, s), *map(int, seen), *counts]


def test_the_compiled_kernel_plays_and_scores_alike(compiled: Compiled) -> None:
    plain: Compiled = {**functions_of(k), **functions_of(p)}
    for rules in RULE_SETS.values():
        for seed in range(5):
            listed = played(rules, seed, plain, [0] * k.SIZE, [0] * k.BUFFER)
            s = numpy.zeros(k.SIZE, numpy.int64)
            out = numpy.zeros(k.BUFFER, numpy.int64)
            assert played(rules, seed, compiled, s, out) == listed
