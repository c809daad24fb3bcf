"""Shuffled deals one after the other, in the dialect of the kernel: the work measured.

`kernel.c` and `objects.py` do the same work in their own way, with the same cards and
choices: the checksum of a run is one number that all of them must reach.
"""

from __future__ import annotations

from ai.compiled import File
from ai.playouts import LOW32, legal, spin
from scopa_net.rules.kernel import (
    ACES,
    ALL,
    CARDS,
    CLAIM,
    DECK,
    HAND,
    LEFT,
    PILE,
    SETTEBELLO,
    SWEEPS,
    TABLE,
    TOTAL,
    TURN,
    Ints,
    Rules,
    apply,
    new_deal,
    ordinary,
)
from scopa_net.rules.points import DENARI, SEVENS, score

FILE = File(
    "tests.benchmarks.deals",
    hot=("merit", "best", "any_card", "chosen", "shuffled"),
    asked=("deals",),
)

# How a deal is played.
RANDOM = 0  # any legal action, each as likely
CARD = 1  # any card, then any of its plays
GREEDY = 2  # the best now, without looking ahead

SIXES = 15 << 20
FACTOR = 1_000_003
LOW40 = (1 << 40) - 1


def merit(table: int, a: int) -> int:
    """What an action brings at once, in hundredths of a point; below zero if laid.

    What a card laid would have been worth counts against it. The figures are those
    of the rule bot (ai/values/classic.toml), rounded.
    """
    taken = a & ALL
    code = a >> 40
    if code >= CARDS:
        return 1000 if code > CLAIM else 100
    cards = taken | 1 << code
    worth = 8 * cards.bit_count() + 25 * (cards & DENARI).bit_count()
    worth += 31 * (cards & SEVENS).bit_count() + 10 * (cards & SIXES).bit_count()
    worth += 3 * (cards & ACES).bit_count()
    if cards & SETTEBELLO:
        worth += 95
    if taken == 0:
        return -worth
    return worth + 100 if taken == table else worth


def best(s: Ints, out: Ints, n: int) -> int:
    """The first of the n actions in `out` that brings most at once."""
    table = s[TABLE]
    chosen = out[0]
    if n == 1:
        return chosen
    most = merit(table, chosen)
    for i in range(1, n):
        worth = merit(table, out[i])
        if worth > most:
            most = worth
            chosen = out[i]
    return chosen


def any_card(r: Rules, s: Ints, out: Ints, x: int) -> int:
    """A play of any card of the hand, by one draw: its rest chooses among the plays.

    Not under rare rules.
    """
    hand = s[HAND + s[TURN]]
    draw = (x & LOW32) * hand.bit_count()
    for _ in range(draw >> 32):
        hand &= hand - 1
    n = ordinary(r, s[TABLE], (hand & -hand).bit_length() - 1, 1, out, 0)
    return out[((draw & LOW32) * n) >> 32]


def chosen(r: Rules, s: Ints, out: Ints, x: int, policy: int) -> int:
    """The action that a policy takes; `x` is a fresh state of the generator.

    A hand all of whose cards are known must be to act. Under rare rules, which may
    judge a whole hand, CARD is as RANDOM.
    """
    if policy == CARD and not (r.odd_moves or r.declare):
        return any_card(r, s, out, x)
    n = legal(r, s, out)
    if policy == GREEDY:
        return best(s, out, n)
    return out[((x & LOW32) * n) >> 32]


def playout(r: Rules, s: Ints, out: Ints, x: int, policy: int) -> int:
    """Play the deal to its end; the state of the generator after it.

    Every card must be known. `points.score` then fills the points in.
    """
    while s[LEFT]:
        x = spin(x)
        apply(r, s, chosen(r, s, out, x, policy))
    return x


def shuffled(s: Ints, x: int) -> int:
    """Shuffle the order that stands in the state, drawing from the back."""
    for n in range(CARDS, 1, -1):
        x = spin(x)
        at = DECK + (((x & LOW32) * n) >> 32)
        last = DECK + n - 1
        card = s[last]
        s[last] = s[at]
        s[at] = card
    return x


def deals(r: Rules, s: Ints, out: Ints, x: int, count: int, policy: int) -> int:
    """Play so many deals and score them; the checksum of piles, scope and points."""
    for i in range(CARDS):
        s[DECK + i] = i
    total = 0
    for i in range(count):
        x = shuffled(s, x)
        new_deal(r, s, i % r.players)
        x = playout(r, s, out, x, policy)
        score(r, s)
        total = (total * FACTOR + s[LEFT]) & LOW40
        for side in range(r.sides):
            total = (total * FACTOR + s[PILE + side]) & LOW40
            total = (total * FACTOR + (s[SWEEPS + side] << 8) + s[TOTAL + side]) & LOW40
    return total
