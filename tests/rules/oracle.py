"""Legal plays and points computed another way: tuples, sets and itertools.

It shares nothing with the kernel but the options it is asked about. A card is
(rank, suit) with suit 0 for denari, a play is (card, frozenset of captured cards).
"""

from collections.abc import Sequence
from itertools import combinations

from scopa_net.rules.kernel import Rules

Card = tuple[int, int]
Play = tuple[Card, frozenset[Card]]

NOTHING: frozenset[Card] = frozenset()
PRIME = {7: 21, 6: 18, 1: 16, 5: 15, 4: 14, 3: 13, 2: 12}
SHOOT_OUT = (6, 1, 5, 4, 3, 2, 10, 9, 8)


def of_mask(mask: int) -> frozenset[Card]:
    """The cards of a kernel set."""
    return frozenset((i // 4 + 1, i % 4) for i in range(40) if mask >> i & 1)


def of_action(action: int) -> Play:
    """A kernel play as a play of this page."""
    code = action >> 40
    return (code // 4 + 1, code % 4), of_mask(action & ((1 << 40) - 1))


def subsets(table: frozenset[Card], total: int) -> set[frozenset[Card]]:
    return {
        frozenset(some)
        for size in range(1, len(table) + 1)
        for some in combinations(sorted(table), size)
        if sum(rank for rank, _ in some) == total
    }


def takes(r: Rules, table: frozenset[Card], card: Card) -> set[frozenset[Card]]:
    """What an ordinary card may capture."""
    found: set[frozenset[Card]] = set()
    if r.by_value:
        equal = {frozenset([c]) for c in table if c[0] == card[0]}
        found |= equal if equal and r.equal_first else subsets(table, card[0])
    if r.by_fifteen:
        found |= subsets(table, 15 - card[0])
    if r.max_captured:
        found = {some for some in found if len(some) <= r.max_captured}
    if r.fewest and found:
        least = min(map(len, found))
        found = {some for some in found if len(some) == least}
    return found


def plays_of(r: Rules, table: frozenset[Card], card: Card, lead: bool) -> set[Play]:  # noqa: FBT001
    """The plays of one card, before the rules about the whole hand."""
    barred = lead and r.ace_first == 2
    ace_there = any(rank == 1 for rank, _ in table)
    declined = False
    if r.ace and card[0] == 1 and not barred and (r.ace_table or not ace_there):
        if table:
            sets = {table}
            declined = bool(r.ace_decline)
        else:
            sets = {frozenset([card])} if r.ace_empty else set()
    else:
        sets = takes(r, table, card)
    found = {(card, some) for some in sets}
    if not found or r.compulsion in (2, 3) or declined:
        found.add((card, NOTHING))
    return found


def legal(
    r: Rules,
    table: frozenset[Card],
    hand: frozenset[Card],
    lead: bool,  # noqa: FBT001
) -> set[Play]:
    """Every legal play of the hand."""
    cards = hand
    if r.ace_first == 1 and lead and any(rank != 1 for rank, _ in hand):
        cards = frozenset(card for card in hand if card[0] != 1)
    found = {play for card in cards for play in plays_of(r, table, card, lead)}
    if r.compulsion == 1 and any(some for _, some in found):
        found = {(card, some) for card, some in found if some}
    return found


def only_winner(values: Sequence[tuple[int, ...]], bar: tuple[int, ...]) -> int | None:
    """The one with the strictly highest value above the bar."""
    best = max(values)
    if best <= bar or values.count(best) > 1:
        return None
    return values.index(best)


def primiera_of(r: Rules, pile: frozenset[Card]) -> tuple[int, int]:
    """(suits present, sum of the best card of each)."""

    def value(rank: int) -> int:
        return PRIME.get(rank, (10, rank, 0)[r.faces])

    by_suit = [[value(rank) for rank, suit in pile if suit == s] for s in range(4)]
    present = [max(values) for values in by_suit if values]
    return len(present), sum(present)


def shoot_out(piles: list[frozenset[Card]]) -> int | None:
    """The winner when two sides have two sevens each."""
    sevens = [{suit for rank, suit in pile if rank == 7} for pile in piles]
    tied = [side for side, suits in enumerate(sevens) if len(suits) == 2]
    if len(tied) != 2:
        return None
    best = []
    for me, you in (tied, tied[::-1]):
        ranks = []
        for suit in sevens[you]:
            mine = [rank for rank, s in piles[me] if s == suit and rank != 7]
            ranks.append(max((9 - SHOOT_OUT.index(rank) for rank in mine), default=0))
        best.append(tuple(sorted(ranks, reverse=True)))
    winner = only_winner(best, (-1,))
    return None if winner is None else tied[winner]


def prime_point(r: Rules, piles: list[frozenset[Card]]) -> int | None:
    """Who takes the primiera or the sevens."""
    if r.prime == 0:
        return None
    if r.prime >= 2:
        counts = [(sum(rank == 7 for rank, _ in pile),) for pile in piles]
        winner = only_winner(counts, (0,))
        if winner is None and r.prime == 3:
            winner = shoot_out(piles)
        return winner
    readings = [primiera_of(r, pile) for pile in piles]
    if not r.more_suits:
        readings = [reading if reading[0] == 4 else (0, 0) for reading in readings]
    return only_winner(readings, (0, 0))


def totals(
    r: Rules, piles: list[frozenset[Card]], sweeps: list[int], extra: list[int]
) -> list[int]:
    """The points of each side."""
    points = [0] * len(piles)

    def award(winner: int | None, worth: int) -> None:
        if winner is not None:
            points[winner] += worth

    cards = [(len(pile),) for pile in piles]
    coins = [(sum(suit == 0 for _, suit in pile),) for pile in piles]
    award(only_winner(cards, (20 if r.majority else 0,)), r.p_cards)
    award(only_winner(coins, (5 if r.majority else 0,)), r.p_coins)
    award(prime_point(r, piles), 1)
    for side, pile in enumerate(piles):
        for worth, paid in ((r.worth1, 1), (r.worth2, 2), (r.worth3, 3)):
            points[side] += paid * len(pile & of_mask(worth))
        run = next((n for n in range(10) if (n + 1, 0) not in pile), 10)
        points[side] += min(run, r.run_cap) if run >= 3 else 0
        points[side] += r.grande if {(8, 0), (9, 0), (10, 0)} <= pile else 0
        points[side] += r.sevens_bonus if {(7, s) for s in range(4)} <= pile else 0
        doubled = r.double_all and of_mask(r.double_all) <= pile
        points[side] += sweeps[side] * (2 if doubled else 1) * r.p_scopa + extra[side]
    return points
