"""How strong a bot is: duplicate pairs of deals, in points a deal.

    python -m tests.benchmarks.bots --bot rules --bot greedy --pairs 1000 --seed 1

A pair is one deck played twice, the bots having changed sides. The unit is the pair:
its two deals share their luck, so the interval is narrower than that of single deals.
The figures depend on the seed alone, the times on the machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from math import sqrt
from random import Random
from statistics import fmean, quantiles, stdev
from time import perf_counter, process_time

import click

from scopa_net.bots import Bot, Deal, Match, Observation, Variant, apply, score_deal
from scopa_net.bots.errors import BotError
from scopa_net.bots.registry import find_bot
from scopa_net.rules.deal import new_deal
from scopa_net.rules.errors import RulesError
from scopa_net.rules.variants import find_variant

CONFIDENT = 1.96
"""Standard errors that hold 95 of 100 results."""


@dataclass(slots=True)
class Clock:
    """The processor time that each decision of a bot took."""

    seconds: list[float] = field(default_factory=list)

    def summary(self) -> dict[str, float]:
        """Mean, 99th percentile and longest, in milliseconds."""
        ms = [1000 * one for one in self.seconds]
        return {
            "mean_ms": round(fmean(ms), 3),
            "p99_ms": round(quantiles(ms, n=100)[98], 3),
            "max_ms": round(max(ms), 3),
        }


def opening(variant: Variant, rng: Random, first: int) -> Deal:
    """A shuffled deal that need not be dealt again."""
    order = list(range(40))
    while True:
        rng.shuffle(order)
        deal = new_deal(variant, first, order)
        if not deal.redeal_due:
            return deal


def luck(*parts: object) -> bytes:
    return blake2b(repr(parts).encode(), digest_size=32).digest()


def play(
    deal: Deal, bots: Sequence[Bot], seed: object, clocks: Sequence[Clock] = ()
) -> Deal:
    """The deal played out; the bot of side s is `bots[s]`."""
    match = Match(deal.variant, (0,) * deal.variant.sides, 0, deal.dealer)
    while (seat := deal.turn) is not None:
        side = deal.side(seat)
        chance = luck(seed, len(deal.actions))
        seen = Observation(seat, deal, match, chance)
        began = process_time()
        action = bots[side].choose(seen)
        if clocks:
            clocks[side].seconds.append(process_time() - began)
        deal = apply(deal, action)
    return deal


def difference(deal: Deal) -> int:
    """What side 0 won the deal by."""
    mine, theirs = (score.total for score in score_deal(deal))
    return mine - theirs


def duel(
    bots: Sequence[Bot],
    variant: Variant,
    pairs: int,
    seed: int,
    told: Callable[[int], None] = lambda _: None,
) -> dict[str, object]:
    """Play the pairs; the result for the first bot."""
    clocks = (Clock(), Clock())
    won: list[tuple[int, int]] = []
    began = perf_counter()
    for pair in range(pairs):
        rng = Random(f"{seed} {pair}")
        deal = opening(variant, rng, pair % variant.players)
        one = play(deal, bots, (seed, pair, 0), clocks)
        two = play(deal, bots[::-1], (seed, pair, 1), clocks[::-1])
        won.append((difference(one), -difference(two)))
        told(pair + 1)
    took = perf_counter() - began
    means = [fmean(pair) for pair in won]
    deals = [points for pair in won for points in pair]
    return {
        "schema": 1,
        "type": "result",
        "variant": variant.id,
        "players": variant.players,
        "seed": seed,
        "pairs": pairs,
        "points_per_deal": round(fmean(means), 4),
        "ci95": round(CONFIDENT * stdev(means) / sqrt(pairs), 4),
        "wins": sum(points > 0 for points in deals),
        "draws": sum(points == 0 for points in deals),
        "losses": sum(points < 0 for points in deals),
        "deals_per_s": round(2 * pairs / took, 1),
        "decisions": [clock.summary() for clock in clocks],
    }


@click.command()
@click.option("--bot", "names", multiple=True, default=("rules", "greedy"))
@click.option("--variant", default="scopa", show_default=True)
@click.option("--players", type=int, default=2, show_default=True)
@click.option("--pairs", type=click.IntRange(2), default=1000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def main(
    *,
    names: tuple[str, ...],
    variant: str,
    players: int,
    pairs: int,
    seed: int,
    as_json: bool,
) -> None:
    """Let two bots play duplicate pairs of deals."""
    if len(names) != 2:
        raise click.UsageError("Give --bot twice.")
    try:
        bots = [find_bot(name).bot for name in names]
        rules = find_variant(variant, players)
    except (BotError, RulesError) as reason:
        raise click.UsageError(str(reason)) from reason
    if rules.sides != 2:
        raise click.UsageError("Pairs are for games of two sides.")
    result = {"bots": list(names), **duel(bots, rules, pairs, seed, _progress(pairs))}
    if as_json:
        click.echo(json.dumps(result))
        return
    deals = 2 * pairs
    shares = "/".join(
        f"{100 * int(str(result[key])) / deals:.1f}"
        for key in ("wins", "draws", "losses")
    )
    click.echo(
        f"{names[0]} v {names[1]}, {variant} for {players}, {pairs} pairs, seed {seed}"
    )
    click.echo(
        f"{result['points_per_deal']:+} points a deal, +- {result['ci95']} (95 %); "
        f"W/D/L {shares} %; {result['deals_per_s']} deals a second"
    )
    click.echo(f"a decision takes {result['decisions']}")


def _progress(pairs: int) -> Callable[[int], None]:
    def told(done: int) -> None:
        if done % max(1, pairs // 10) == 0:
            click.echo(f"{done} of {pairs} pairs", err=True)

    return told


if __name__ == "__main__":
    main()
