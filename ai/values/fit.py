"""Fits the values of a game to deals that it plays against itself.

    python -m ai.values.fit --variant scopone-9 --players 4 --write

At several moments of every deal it is noted how many cards of each kind each side has
more than the others on average; the values are what explains best, by least squares,
the points of the deal that are not certain at that moment. What it is worth to have
played first is found beside them, for each moment, and left out. Seats play as in the
trials of `mc`, first by the classic values, then once more by those just found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random

import click

from ai.compiled import PLAIN, Speed, compiled, has_compiler
from ai.policy import COUNTING, QUICK
from ai.search import trial
from ai.values.table import CLASSIC, KINDS, Values
from scopa_net.bots import Variant
from scopa_net.rules import kernel, points
from scopa_net.rules.errors import RulesError
from scopa_net.rules.kernel import EXTRA, FIRST, PILE, SWEEPS, TOTAL, Rules
from scopa_net.rules.state import begin
from scopa_net.rules.variants import find_variant

Sample = tuple[list[float], float]

MOMENTS = 5
"""At how many moments of a deal the piles are noted."""


RIDGE = 1.0
"""Next to nothing, so that kinds which add up to another one share what it is worth."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Values, and the share of the variance of the points to come that they explain."""

    values: Values
    explained: float


def kinds_of(rules: Rules) -> list[str]:
    """The kinds of cards that can matter where these are the rules."""
    found = ["card"] if rules.p_cards else []
    found += ["coin"] if rules.p_coins else []
    found += ["settebello"] if rules.worth1 & kernel.SETTEBELLO else []
    found += ["seven", "six", "ace"] if rules.prime else []
    found += ["low_coin"] if rules.run_cap or rules.worth2 | rules.worth3 else []
    found += ["middle_coin"] if rules.run_cap else []
    found += ["court_coin"] if rules.grande else []
    found += ["king_of_coins"] if rules.worth1 & KINDS["king_of_coins"] else []
    return found + (["cavallo"] if rules.double_all else [])


def fit(variant: Variant, deals: int, seed: int, speed: Speed) -> Fit:
    """The values that explain so many deals best, after two rounds of play."""
    found = Fit(CLASSIC, 0.0)
    names = kinds_of(variant.rules)
    for turn in range(2):
        rng = Random(f"{seed} {turn}")
        noted = list(samples(variant, names, deals, rng, found.values, speed))
        weights, explained = least_squares(noted)
        kinds = {name: round(weights[i], 3) for i, name in enumerate(names)}
        found = Fit(Values(kinds, float(variant.rules.p_scopa)), explained)
    return found


def samples(
    variant: Variant,
    names: Sequence[str],
    deals: int,
    rng: Random,
    values: Values,
    speed: Speed,
) -> Iterator[Sample]:
    """For each side, at each moment of each deal: counts ahead, and points to come."""
    rules = variant.rules
    play, score = speed.of(trial), speed.of(points.score)
    v, out = speed.ints(values.ints()), speed.room(kernel.BUFFER)
    policy = QUICK if rules.players <= 3 else COUNTING
    order = list(range(kernel.CARDS))
    cards = kernel.CARDS - rules.table
    lefts = [cards - cards * (n + 1) // (MOMENTS + 1) for n in range(MOMENTS)]
    for deal in range(deals):
        rng.shuffle(order)
        opening = begin(rules, deal % rules.players, tuple(order))
        if kernel.redeal(rules, opening):
            continue
        s = speed.ints(opening)
        moments = []
        for left in lefts:
            play(rules, s, v, out, left, policy)
            moments.append(speed.listed(s))
        play(rules, s, v, out, 0, policy)
        score(rules, s)
        end = [int(s[TOTAL + side]) for side in range(rules.sides)]
        for moment, state in enumerate(moments):
            yield from _noted(rules, names, moment, state, end)


def _noted(
    rules: Rules,
    names: Sequence[str],
    moment: int,
    state: Sequence[int],
    end: Sequence[int],
) -> Iterator[Sample]:
    """One moment as each side but the last sees it; the last adds nothing to them.

    Behind the counts there is a column for each moment: who played first in the deal.
    """
    sides = range(rules.sides)
    first = [int(state[FIRST] % rules.sides == side) for side in sides]
    certain = [state[EXTRA + s] + rules.p_scopa * state[SWEEPS + s] for s in sides]
    to_come = [end[s] - certain[s] for s in sides]
    counts = [
        [(state[PILE + s] & KINDS[name]).bit_count() for name in names] for s in sides
    ]
    for side in range(rules.sides - 1):
        ahead = [_ahead([row[i] for row in counts], side) for i in range(len(names))]
        seats = [0.0] * MOMENTS
        seats[moment] = _ahead(first, side)
        yield ahead + seats, _ahead(to_come, side)


def _ahead(numbers: Sequence[int], side: int) -> float:
    """How far a side is ahead of the mean of the others."""
    others = sum(numbers) - numbers[side]
    return numbers[side] - others / (len(numbers) - 1)


def least_squares(noted: Sequence[Sample]) -> tuple[list[float], float]:
    """The weights, without a constant, and the share of the variance they explain."""
    size = len(noted[0][0])
    squares = [[0.0] * size for _ in range(size)]
    products = [0.0] * size
    total = 0.0
    for row, target in noted:
        total += target * target
        for i, x in enumerate(row):
            if x:
                products[i] += x * target
                for j in range(i + 1):
                    squares[i][j] += x * row[j]
    for i in range(size):
        squares[i][i] += RIDGE
        for j in range(i):
            squares[j][i] = squares[i][j]
    weights = solved(squares, products)
    explained = sum(w * p for w, p in zip(weights, products, strict=True))
    return weights, explained / total


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of a system of linear equations, by exact elimination.

    The matrix is positive definite, so no pivot is 0.
    """
    rows = [
        [Fraction(x) for x in (*row, b)] for row, b in zip(matrix, right, strict=True)
    ]
    size = len(rows)
    for i in range(size):
        for k in range(size):
            if k != i and rows[k][i]:
                by = rows[k][i] / rows[i][i]
                rows[k] = [x - by * y for x, y in zip(rows[k], rows[i], strict=True)]
    return [float(rows[i][size] / rows[i][i]) for i in range(size)]


def as_text(found: Fit, made: str) -> str:
    """The file of the values, with how they were made."""
    lines = [
        "# What a captured card is worth, in points: the sum of all lines it fits.",
        f"# {made}",
        f"# It explains {100 * found.explained:.0f} % of the points that were to come.",
        "[points]",
    ]
    lines += [f"{name} = {worth:.3f}" for name, worth in found.values.kinds.items()]
    return "\n".join([*lines, f"scopa = {found.values.scopa:.3f}", ""])


@click.command()
@click.option("--variant", "name", default="scopa", show_default=True)
@click.option("--players", type=int, default=2, show_default=True)
@click.option("--deals", type=click.IntRange(100), default=20_000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--write", is_flag=True, help="Keep them beside the others.")
def main(*, name: str, players: int, deals: int, seed: int, write: bool) -> None:
    """Fit the values of a game and print them."""
    try:
        variant = find_variant(name, players)
    except RulesError as reason:
        raise click.UsageError(str(reason)) from reason
    speed = compiled() if has_compiler() else PLAIN
    found = fit(variant, deals, seed, speed)
    told = f"--variant {name} --players {players} --deals {deals} --seed {seed}"
    text = as_text(found, f"python -m ai.values.fit {told}")
    click.echo(text, nl=False)
    if write:
        path = Path(__file__).with_name(f"{name}-{players}.toml")
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
