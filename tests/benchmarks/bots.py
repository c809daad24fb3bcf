"""How strong the bots are: duplicate deals, points a deal, and matches.

    python -m tests.benchmarks.bots --json                 every pairing with a bar
    python -m tests.benchmarks.bots --bot mc:worlds=30 --bot rules --pairs 1000
    python -m tests.benchmarks.bots --bot rules --bot greedy --matches --pairs 1000

A pair is one deck played twice, the bots having changed sides; with three sides and
more it is one deck in all the seatings that are fair (ai/arena). Decks are those of the
seed, in their order, so more pairs contain the fewer.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean

import click

from ai.compiled import PLAIN, compiled, has_compiler
from ai.monte_carlo import MonteCarloBot
from scopa_net.bots import Bot, Variant
from scopa_net.bots.errors import BotError
from scopa_net.bots.registry import Found, find_bot
from scopa_net.rules.errors import RulesError
from scopa_net.rules.variants import find_variant
from tests.benchmarks.anchors import ANCHORS
from tests.benchmarks.duels import duel, matches, mc_times


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two bots, a game, and what the first has to make of the second.

    `bar` is in points a deal, `share` in percent of matches; None is no bar.
    """

    a: str
    b: str
    variant: str = "scopa"
    players: int = 2
    bar: float | None = None
    share: float | None = None


BARS = (
    Pairing("greedy", "random", share=88),
    Pairing("rules", "random", share=91),
    Pairing("rules", "greedy", bar=0.35),
    Pairing("rules", "greedy", "scopone-9", 4, bar=2.0),
    Pairing("mc:worlds=30", "rules", bar=0.45),
    Pairing("mc:worlds=30", "greedy", bar=0.90),
    Pairing("mc:worlds=30", "greedy", share=72),
    Pairing("mc:worlds=30", "random", share=94),
    Pairing("mc:worlds=100", "rules", bar=0.55),
    Pairing("mc:worlds=30", "rules", "scopone-9", 4, bar=0.8),
    *(
        Pairing(a, b, variant, players, bar=0.0)
        for variant, players in (("escoba", 2), ("scopa", 3), ("scopa", 6))
        for a, b in (("rules", "greedy"), ("mc", "rules"))
    ),
    *(Pairing("mc:worlds=30", anchor, bar=0.0) for anchor in ANCHORS),
)
"""What the bots have to keep, and what is said of them beside it."""


@click.command()
@click.option("--bot", "names", multiple=True, help="Twice; left out: all the bars.")
@click.option("--variant", default="scopa", show_default=True)
@click.option("--players", type=int, default=2, show_default=True)
@click.option("--pairs", type=click.IntRange(2), default=200, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--matches", "whole", is_flag=True, help="Play whole matches.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def main(
    *,
    names: tuple[str, ...],
    variant: str,
    players: int,
    pairs: int,
    seed: int,
    whole: bool,
    as_json: bool,
) -> None:
    """Let bots play duplicate deals."""
    if len(names) not in (0, 2):
        raise click.UsageError("Give --bot twice, or not at all.")
    chosen: tuple[Pairing, ...] = BARS
    if names:
        share = 0.0 if whole else None
        chosen = (Pairing(names[0], names[1], variant, players, share=share),)
    strength: list[dict[str, object]] = []
    won: list[dict[str, object]] = []
    ms_per_move: dict[str, float] = {}
    for pairing in chosen:
        found, rules = _ready(pairing)
        bots = [each.bot for each in found]
        told = _progress(pairing, pairs)
        if pairing.share is not None:
            row = _matches(pairing, bots, rules, pairs, seed, told)
            won.append(row)
        else:
            row = _points(pairing, bots, rules, pairs, seed, told, ms_per_move)
            strength.append(row)
        for each in found:
            each.close()
        if not as_json:
            click.echo(_told(row))
    if not names:
        ms_per_move |= _moves_of_mc(seed)
    if as_json:
        head = {"schema": 1, "type": "result", "seed": seed}
        body = {"strength": strength, "matches": won, "ms_per_move": ms_per_move}
        click.echo(json.dumps({**head, **body}))
    else:
        for who, ms in ms_per_move.items():
            click.echo(f"{who}: {ms} ms a move")


def _moves_of_mc(seed: int) -> dict[str, float]:
    """Mean and longest time of a move of mc with 30 worlds, at each speed there is."""
    found: dict[str, float] = {}
    for name, players, deals in (("scopa", 2, 6), ("scopone-9", 4, 2)):
        variant = find_variant(name, players)
        for speed in [PLAIN, compiled()] if has_compiler() else [PLAIN]:
            took = mc_times(variant, deals, seed, MonteCarloBot(worlds=30), speed)
            who = f"mc:worlds=30, {name} for {players}, {speed.name}"
            found[who] = round(fmean(took), 3)
            found[f"{who}, longest"] = round(max(took), 3)
    return found


def _ready(pairing: Pairing) -> tuple[list[Found], Variant]:
    try:
        bots = [
            Found(name, ANCHORS[name]()) if name in ANCHORS else find_bot(name)
            for name in (pairing.a, pairing.b)
        ]
        rules = find_variant(pairing.variant, pairing.players)
    except (BotError, RulesError) as reason:
        raise click.UsageError(str(reason)) from reason
    return bots, rules


def _points(
    pairing: Pairing,
    bots: list[Bot],
    rules: Variant,
    pairs: int,
    seed: int,
    told: Callable[[int], None],
    ms_per_move: dict[str, float],
) -> dict[str, object]:
    found = duel(bots, rules, pairs, seed, told)
    game = f"{rules.id} for {rules.players}"
    for name, clock in zip((pairing.a, pairing.b), found.clocks, strict=True):
        ms_per_move.setdefault(f"{name}, {game}", round(clock.mean_ms, 3))
    return {
        **_head(pairing, pairs),
        "points_per_deal": round(found.points.mean, 4),
        "ci95": round(found.points.ci95, 4),
        "bar": pairing.bar,
        "wins": found.wins,
        "draws": found.draws,
        "losses": found.losses,
        "decisions": [clock.summary() for clock in found.clocks],
    }


def _matches(
    pairing: Pairing,
    bots: list[Bot],
    rules: Variant,
    pairs: int,
    seed: int,
    told: Callable[[int], None],
) -> dict[str, object]:
    found = matches(bots, rules, pairs, seed, told)
    return {
        **_head(pairing, pairs),
        "percent_of_matches": round(found.mean, 2),
        "ci95": round(found.ci95, 2),
        "bar": pairing.share or None,
    }


def _head(pairing: Pairing, pairs: int) -> dict[str, object]:
    return {
        "variant": pairing.variant,
        "players": pairing.players,
        "a": pairing.a,
        "b": pairing.b,
        "pairs": pairs,
    }


def _told(row: dict[str, object]) -> str:
    who = f"{row['a']} v {row['b']}, {row['variant']} for {row['players']}"
    bar = "" if row["bar"] is None else f", to be at least {row['bar']}"
    if "percent_of_matches" in row:
        figure = f"{row['percent_of_matches']} +- {row['ci95']} % of matches"
    else:
        counts = [int(str(row[key])) for key in ("wins", "draws", "losses")]
        shares = "/".join(f"{100 * count / sum(counts):.1f}" for count in counts)
        figure = (
            f"{row['points_per_deal']:+} +- {row['ci95']} points a deal, "
            f"W/D/L {shares} %, decisions {row['decisions']}"
        )
    return f"{who}, {row['pairs']} pairs: {figure}{bar}"


def _progress(pairing: Pairing, pairs: int) -> Callable[[int], None]:
    def told(done: int) -> None:
        if done % max(1, pairs // 4) == 0:
            click.echo(f"{pairing.a} v {pairing.b}: {done} of {pairs}", err=True)

    return told


if __name__ == "__main__":
    main()
