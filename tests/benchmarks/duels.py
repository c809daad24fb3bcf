"""Two bots at the same decks: duplicate deals, and matches to the target.

The unit is the deck: all its seatings share their luck, so the interval is narrower
than that of single deals. Figures depend on the seed alone, times on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random
from statistics import fmean, quantiles
from time import process_time

from ai.arena import Interval, advantage, interval, seatings
from ai.compiled import Speed
from ai.monte_carlo import MonteCarloBot
from scopa_net.bots import Bot, Deal, Match, Observation, Variant, apply, score_deal
from scopa_net.rules.deal import new_deal
from scopa_net.rules.match import after_deal, new_match

Told = Callable[[int], None]


@dataclass(slots=True)
class Clock:
    """The processor time that each decision of a bot took."""

    seconds: list[float] = field(default_factory=list)

    @property
    def mean_ms(self) -> float:
        """Milliseconds a decision, those without a choice included."""
        return 1000 * fmean(self.seconds)

    def summary(self) -> dict[str, float]:
        """Mean, 99th percentile and longest, in milliseconds."""
        return {
            "mean_ms": round(self.mean_ms, 3),
            "p99_ms": round(1000 * quantiles(self.seconds, n=100)[98], 3),
            "max_ms": round(1000 * max(self.seconds), 3),
        }


@dataclass(frozen=True, slots=True)
class Duel:
    """What bot 0 made of the decks: points a deal more than bot 1, and the deals."""

    points: Interval
    wins: int
    draws: int
    losses: int
    clocks: tuple[Clock, Clock]


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
    deal: Deal,
    bots: Sequence[Bot],
    seed: object,
    clocks: Sequence[Clock] = (),
    match: Match | None = None,
) -> Deal:
    """The deal played out; the bot of side s is `bots[s]`."""
    if match is None:
        match = Match(deal.variant, (0,) * deal.variant.sides, 0, deal.dealer)
    while (seat := deal.turn) is not None:
        side = deal.side(seat)
        seen = Observation(seat, deal, match, luck(seed, len(deal.actions)))
        began = process_time()
        action = bots[side].choose(seen)
        if clocks:
            clocks[side].seconds.append(process_time() - began)
        deal = apply(deal, action)
    return deal


def totals(deal: Deal) -> list[int]:
    """The points of each side; turned round where points are to be avoided."""
    sign = -1 if deal.variant.goal == "avoid" else 1
    return [sign * score.total for score in score_deal(deal)]


def duel(
    bots: Sequence[Bot],
    variant: Variant,
    pairs: int,
    seed: int,
    told: Told = lambda _: None,
) -> Duel:
    """Play so many decks in all seatings; what bot 0 made of them."""
    clocks = (Clock(), Clock())
    deals: list[float] = []
    units: list[float] = []
    for pair in range(pairs):
        rng = Random(f"{seed} {pair}")
        deal = opening(variant, rng, pair % variant.players)
        won = []
        for number, seating in enumerate(seatings(variant.sides)):
            seated = [bots[bot] for bot in seating]
            timed = [clocks[bot] for bot in seating]
            over = play(deal, seated, (seed, pair, number), timed)
            won.append(advantage(seating, totals(over)))
        deals += won
        units.append(fmean(won))
        told(pair + 1)
    return Duel(
        interval(units),
        sum(points > 0 for points in deals),
        sum(points == 0 for points in deals),
        sum(points < 0 for points in deals),
        clocks,
    )


def matches(
    bots: Sequence[Bot],
    variant: Variant,
    pairs: int,
    seed: int,
    told: Told = lambda _: None,
) -> Interval:
    """The share of matches that bot 0 wins, in percent; games of two sides.

    Both matches of a pair have the same decks in the same sequence.
    """
    units: list[float] = []
    for pair in range(pairs):
        won = []
        for number, seating in enumerate(seatings(variant.sides)):
            seated = [bots[bot] for bot in seating]
            winner = _match(seated, variant, (seed, pair, number))
            won.append(100.0 * (seating[winner] == 0))
        units.append(fmean(won))
        told(pair + 1)
    return interval(units)


def _match(bots: Sequence[Bot], variant: Variant, seed: tuple[int, int, int]) -> int:
    """The side that wins a match; its decks are those of the pair."""
    rng = Random(f"match {seed[:2]}")
    match = new_match(variant, seed[1] % variant.players)
    while match.winner is None:
        deal = opening(variant, rng, match.first)
        over = play(deal, bots, (seed, match.deal_number), match=match)
        match = after_deal(match, score_deal(over))
    return match.winner


def mc_times(
    variant: Variant, deals: int, seed: int, bot: MonteCarloBot, speed: Speed
) -> list[float]:
    """The processor time, in milliseconds, of every choice of a bot with itself."""
    took = []
    for number in range(deals):
        deal = opening(variant, Random(f"{seed} {number}"), number % variant.players)
        match = Match(variant, (0,) * variant.sides, 0, deal.dealer)
        while (seat := deal.turn) is not None:
            chance = luck(seed, number, len(deal.actions))
            seen = Observation(seat, deal, match, chance)
            began = process_time()
            found = bot.consider(seen, speed)
            took.append(1000 * (process_time() - began))
            deal = apply(deal, found[0].action)
    return took
