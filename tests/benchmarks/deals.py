"""Shuffled deals one after the other, in the dialect of the kernel: the work measured.

`kernel.c` and `objects.py` do the same work in their own way, with the same cards and
choices: the checksum of a run is one number that all of them must reach.
"""

from __future__ import annotations

from ai.playouts import LOW32, playout, spin
from scopa_net.rules.kernel import (
    CARDS,
    DECK,
    LEFT,
    PILE,
    SWEEPS,
    TOTAL,
    Ints,
    Rules,
    new_deal,
)
from scopa_net.rules.points import score

FACTOR = 1_000_003
LOW40 = (1 << 40) - 1


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
