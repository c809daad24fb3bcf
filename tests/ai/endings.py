"""Open endings by brute force, from the friendly rules alone, to hold the solver to.

python -m tests.ai.endings --positions 3000
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from statistics import median
from time import perf_counter

import click

from ai import solver
from ai.compiled import PLAIN, Speed
from ai.policy import UNIT
from ai.values import CLASSIC
from scopa_net.bots import Deal, Variant, apply, legal_actions, score_deal
from scopa_net.rules import kernel
from scopa_net.rules.variants import find_variant
from tests.ai.positions import shuffled

GAMES = (
    ("scopa", 2, 6),
    ("escoba", 2, 6),
    ("cirulla", 2, 6),
    ("asso-piglia-tutto", 2, 5),
    ("napola", 2, 6),
    ("scopone-9", 4, 6),
    ("trentino", 4, 5),
    ("scopa", 6, 6),
)
"""Each with how many cards are left to play."""


def endings(variant: Variant, cards: int, seed: str) -> Iterator[Deal]:
    """Positions of random play with so many cards left, none of them in the tallone."""
    rng = Random(seed)
    while True:
        deal = shuffled(variant, rng)
        while deal.state[kernel.LEFT] > cards:
            deal = apply(deal, rng.choice(legal_actions(deal)))
        yield deal


def brute_force(deal: Deal, side: int) -> int:
    """What the side wins the deal by when all play as well as can be."""
    if deal.turn is None:
        mine, theirs = (score_deal(deal)[one] for one in (side, 1 - side))
        won = 20 * (mine.wins_match - theirs.wins_match)
        return mine.total - theirs.total + won
    found = [brute_force(apply(deal, one), side) for one in legal_actions(deal)]
    return max(found) if deal.side(deal.turn) == side else min(found)


def solved(deal: Deal, side: int, speed: Speed = PLAIN) -> float:
    """The same by the solver, in points."""
    out, moves = speed.room(kernel.BUFFER), speed.room(kernel.BUFFER)
    state, values = speed.ints(deal.state), speed.ints(CLASSIC.ints())
    solve = speed.of(solver.solve)
    frames = speed.room(solver.FRAMES)
    value = solve(deal.variant.rules, state, values, side, out, moves, frames) / UNIT
    assert speed.listed(state)[: kernel.POINTS] == list(deal.state)[: kernel.POINTS]
    return value


@click.command()
@click.option("--positions", type=click.IntRange(1), default=3000, show_default=True)
def main(positions: int) -> None:
    """Compare the solver with brute force; so many positions of all games together."""
    for name, players, cards in GAMES:
        variant = find_variant(name, players)
        count = -(-positions // len(GAMES))
        took = []
        for deal in islice(endings(variant, cards, "endings"), count):
            began = perf_counter()
            value = solved(deal, 0)
            took.append(1000 * (perf_counter() - began))
            assert value == brute_force(deal, 0)
        click.echo(
            f"{name} for {players}, {cards} cards left: {count} equal; "
            f"solved in {median(took):.2f} ms, {max(took):.1f} at most"
        )


if __name__ == "__main__":
    main()
