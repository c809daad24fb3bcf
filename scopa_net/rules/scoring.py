"""What a deal was worth: each side's points by category, and the reason for each.

The points are those of `points.py`; here they get names, cards and figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from scopa_net.rules import kernel, points
from scopa_net.rules.actions import cards_of, set_of
from scopa_net.rules.cards import MAZZO, RE_BELLO, SETTEBELLO, Card, Suit
from scopa_net.rules.deal import Deal
from scopa_net.rules.errors import RulesError
from scopa_net.rules.variants import Variant

CATEGORIES: tuple[str, ...] = (
    "cards",
    "coins",
    "settebello",
    "primiera",
    "sevens",
    "scope",
    "napola",
    "re_bello",
    "extra",
)
"""The names of points, in the order in which they are counted."""

Kind: TypeAlias = Literal["", "cards", "grande", "declared"]
"""What an extra point is for: cards that pay, the grande, or a declaration."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a side has, or has not, the points of one category.

    `cards` are the side's cards that count for it. Where sides are compared, `figures`
    are what is compared, by side, and `level` are the sides of which none won because
    they share the best place. Where the number of suits goes before the primiera, it is
    in the `SideScore`. A `shoot_out` between level sevens compared the cards named
    here. `kind` tells apart what is counted as `extra`.
    """

    category: str
    points: int
    cards: tuple[Card, ...] = ()
    figures: tuple[int, ...] = ()
    level: tuple[int, ...] = ()
    shoot_out: bool = False
    kind: Kind = ""

    @property
    def tied(self) -> bool:
        """True if nobody won because the best in the running were level."""
        return bool(self.level)


@dataclass(frozen=True, slots=True)
class SideScore:
    """One side's deal: what its pile holds, and its points by category.

    `primiera` sums the suits present; `points` decides, and names no category that
    brought nothing. `wins_match` is true if the pile wins the match outright.
    """

    cards: int
    coins: int
    settebello: bool
    primiera: int
    suits: int
    sevens: int
    scope: int
    points: Mapping[str, int] = field(hash=False)
    total: int
    reasons: tuple[Reason, ...] = ()
    wins_match: bool = False


def score_deal(deal: Deal) -> tuple[SideScore, ...]:
    """The score of each side; of a running deal, if it ended as the piles are now."""
    return _scored(deal.variant, list(deal.state))


def certain_score(deal: Deal) -> tuple[SideScore, ...]:
    """What each side has earned that no card to come can take from it.

    Piles and figures are as they are now.
    """
    rules, scores = deal.variant.rules, score_deal(deal)
    if deal.over:
        return scores
    found = []
    for side, now in enumerate(scores):
        feared = list(deal.state)
        points.fear(rules, feared, side)
        sure = _scored(deal.variant, feared)[side]
        reasons = tuple(
            replace(shown, points=kept.points, level=())
            for shown, kept in zip(now.reasons, sure.reasons, strict=True)
        )
        found.append(
            replace(now, points=sure.points, total=sure.total, reasons=reasons)
        )
    return tuple(found)


def score_piles(
    variant: Variant,
    piles: Sequence[Iterable[Card]],
    scope: Sequence[int] = (),
    declared: Sequence[int] = (),
) -> tuple[SideScore, ...]:
    """The score of each side from its pile, scope and declared points.

    Piles need not add up to forty cards; scope and declared points left out are 0.
    """
    sides = variant.rules.sides
    if len(piles) != sides:
        raise RulesError(f"{sides} sides score, so give {sides} piles.")
    state = [0] * kernel.SIZE
    for start, counts, what in (
        (kernel.SWEEPS, scope, "scope"),
        (kernel.EXTRA, declared, "declared points"),
    ):
        if len(counts) > sides or any(count < 0 for count in counts):
            raise RulesError(f"Give the {what} of {sides} sides, 0 or more each.")
        state[start : start + len(counts)] = counts
    taken = 0
    for side, pile in enumerate(piles):
        mine = set_of(pile)
        if taken & mine:
            raise RulesError(f"{cards_of(taken & mine)[0]} lies in two piles.")
        taken |= mine
        state[kernel.PILE + side] = mine
    return _scored(variant, state)


def primiera_worth(variant: Variant, card: Card) -> int:
    """What the card counts in the primiera, if it is the best of its suit."""
    return points.primiera(variant.rules, 1 << card.index)


def _scored(variant: Variant, state: list[int]) -> tuple[SideScore, ...]:
    rules = variant.rules
    points.score(rules, state)
    return tuple(_side_score(rules, state, side) for side in range(rules.sides))


def _side_score(rules: kernel.Rules, state: list[int], side: int) -> SideScore:
    pile = state[kernel.PILE + side]
    reasons = _reasons(rules, state, side)
    earned = {reason.category: 0 for reason in reasons}
    for reason in reasons:
        earned[reason.category] += reason.points
    return SideScore(
        cards=pile.bit_count(),
        coins=points.coins(pile),
        settebello=bool(points.settebello(pile)),
        primiera=points.primiera(rules, pile),
        suits=points.suits(pile),
        sevens=points.sevens(pile),
        scope=state[kernel.SWEEPS + side],
        points={name: n for name, n in earned.items() if n},
        total=state[kernel.TOTAL + side],
        reasons=reasons,
        wins_match=state[kernel.WON] == side + 1,
    )


def _reasons(rules: kernel.Rules, state: list[int], side: int) -> tuple[Reason, ...]:
    """The side's reasons, in the order of the categories."""
    pile = state[kernel.PILE + side]
    found = [*_majorities(rules, state, side), *_worths(rules, pile)]
    sweeps = state[kernel.SWEEPS + side]
    scope = points.scope(rules, pile, sweeps)
    if rules.p_scopa:
        doubling = pile & rules.double_all if scope > sweeps * rules.p_scopa else 0
        found.append(Reason("scope", scope, cards_of(doubling)))
    run = points.napola(rules, pile)
    if rules.run_cap:
        found.append(Reason("napola", run, MAZZO[: 4 * run : 4]))
    four = points.all_sevens(rules, pile)
    if four:
        found.append(Reason("sevens", four, cards_of(points.SEVENS)))
    grande = points.grande(rules, pile)
    if grande:
        cards = cards_of(points.GRANDE)
        found.append(Reason("extra", grande, cards, kind="grande"))
    said = state[kernel.EXTRA + side]
    if said:
        found.append(Reason("extra", said, kind="declared"))
    return tuple(sorted(found, key=lambda one: CATEGORIES.index(one.category)))


def _majorities(rules: kernel.Rules, state: list[int], side: int) -> list[Reason]:
    """Cards, denari and the prime: the points that one side at most can win."""
    piles = state[kernel.PILE : kernel.PILE + rules.sides]
    mine = piles[side]
    found = []
    if rules.p_cards:
        won = rules.p_cards if points.cards_winner(rules, state) == side else 0
        counts = tuple(pile.bit_count() for pile in piles)
        level = _level(points.cards_winner(rules, state), counts)
        found.append(Reason("cards", won, (), counts, level))
    if rules.p_coins:
        won = rules.p_coins if points.coins_winner(rules, state) == side else 0
        counts = tuple(points.coins(pile) for pile in piles)
        level = _level(points.coins_winner(rules, state), counts)
        held = cards_of(mine & points.DENARI)
        found.append(Reason("coins", won, held, counts, level))
    if rules.prime:
        found.append(_prime(rules, state, side))
    return found


def _prime(rules: kernel.Rules, state: list[int], side: int) -> Reason:
    """The primiera, or the sevens that stand in its place."""
    piles = state[kernel.PILE : kernel.PILE + rules.sides]
    mine = piles[side]
    winner = points.prime_winner(rules, state)
    readings = tuple(points.prime_reading(rules, pile) for pile in piles)
    level = _level(winner, readings)
    won = int(winner == side)
    if rules.prime == 1:
        best = _best_cards(mine, Suit, lambda pile, _: points.primiera(rules, pile))
        figures = tuple(
            points.primiera(rules, pile) if reading else 0
            for pile, reading in zip(piles, readings, strict=True)
        )
        return Reason("primiera", won, best, figures, level)
    cards = cards_of(mine & points.SEVENS)
    two_each = readings.count(2) == 2 == max(readings) == readings[side]
    shoot_out = two_each and rules.prime == 3
    if shoot_out:
        other = next(n for n, two in enumerate(readings) if two == 2 and n != side)
        suits = [one.suit for one in cards_of(piles[other] & points.SEVENS)]
        cards = _best_cards(mine, suits, points.shoot_rank)
    return Reason("sevens", won, cards, readings, level, shoot_out)


def _level(winner: int, figures: Sequence[int]) -> tuple[int, ...]:
    """The sides that are level at the best, if that is more than nothing."""
    best = max(figures)
    level = tuple(side for side, figure in enumerate(figures) if figure == best)
    return level if winner < 0 and best > 0 and len(level) > 1 else ()


def _best_cards(
    pile: int, suits: Iterable[Suit], value: Callable[[int, int], int]
) -> tuple[Card, ...]:
    """The pile's card of highest value in each of the suits that it has."""
    found = []
    for suit in suits:
        held = [one for one in cards_of(pile) if one.suit == suit]
        if held:
            found.append(max(held, key=lambda one: value(1 << one.index, one.suit)))
    return tuple(found)


def _worths(rules: kernel.Rules, pile: int) -> list[Reason]:
    """The cards that pay by themselves: settebello, re bello and any others."""
    found = []
    for category, card in (("settebello", SETTEBELLO), ("re_bello", RE_BELLO)):
        bit = 1 << card.index
        if points.worth(rules, bit):
            won = points.worth(rules, pile & bit)
            found.append(Reason(category, won, cards_of(pile & bit)))
        pile &= ~bit
    rest = points.worth(rules, pile)
    if rest:
        paying = tuple(
            one for one in cards_of(pile) if points.worth(rules, 1 << one.index)
        )
        found.append(Reason("extra", rest, paying, kind="cards"))
    return found
