"""What cards are worth and what a seat does with that, in the dialect of the kernel.

Worths are whole numbers, `UNIT` to a point of the deal, in a flat sequence `v` that
`Values.ints` lays out. Nothing here looks at cards that the seat to act cannot know.
"""

from __future__ import annotations

from ai.playouts import legal
from scopa_net.rules.kernel import (
    ALL,
    CARDS,
    CLAIM,
    EXTRA,
    HAND,
    LEFT,
    LOW,
    PILE,
    STOCK,
    SWEEPS,
    TABLE,
    TOTAL,
    TURN,
    WON,
    Ints,
    Rules,
    held,
    plays_of,
)
from scopa_net.rules.points import score

UNIT = 10_000
ONE = 1 << 20  # a chance of one
WORST = -1000 * UNIT  # less than any deal can bring
KEEP = 35  # in hundredths: how much the worth of a card that is laid counts
REPLY = 90  # and of what the next seat can be expected to take

# Layout of the values.
SIGN = 0  # 1, or -1 where points are to be avoided
SCOPA = 1  # of a scopa
KINDS = 2  # how many kinds of cards follow: a set and its worth a card, each
KIND = 3  # the first of them

# How a seat plays in a trial.
QUICK = 0  # by what an action brings now
COUNTING = 1  # less what the next seat can be expected to take


def worth(v: Ints, cards: int) -> int:
    """What captured cards are worth."""
    total = 0
    for i in range(KIND, KIND + 2 * v[KINDS], 2):
        total += v[i + 1] * (cards & v[i]).bit_count()
    return total


def gain(v: Ints, table: int, last: int, a: int) -> int:
    """What an action brings at once; what a card that is laid is worth, below zero.

    `last` is 1 when a scopa would not count.
    """
    code = a >> 40
    taken = a & ALL
    if code > CLAIM:
        return v[SIGN] * UNIT * (3 if code == LOW else 10)
    if taken == 0:
        return -worth(v, 1 << code)
    total = worth(v, taken | 1 << code if code < CARDS else taken)
    if taken == table and last == 0:
        total += v[SCOPA]
    return total


def quick(r: Rules, s: Ints, v: Ints, out: Ints) -> int:
    """The legal action that brings most at once."""
    n = legal(r, s, out)
    chosen = out[0]
    if n == 1:
        return chosen
    table = s[TABLE]
    last = 1 if s[LEFT] == 1 and r.last_scopa == 0 else 0
    most = gain(v, table, last, chosen)
    for i in range(1, n):
        brings = gain(v, table, last, out[i])
        if brings > most:
            most = brings
            chosen = out[i]
    return chosen


def answer(
    r: Rules, v: Ints, table: int, card: int, last: int, out: Ints, n: int
) -> int:
    """The most that a card can bring to whoever plays it next; 0 if it takes nothing.

    `out` is written over from `n` on.
    """
    most = 0
    for i in range(n, plays_of(r, table, card, 0, out, n)):
        if out[i] & ALL:
            most = max(most, gain(v, table, last, out[i]))
    return most


def expected(
    r: Rules, v: Ints, table: int, unseen: int, hand: int, last: int, out: Ints, n: int
) -> int:
    """What the best of `hand` cards can be expected to bring on this table.

    They are any of the unseen ones, each as likely: with the ranks sorted by what they
    bring, the i-th counts by the chance that it is held and no better one is.
    """
    if table == 0:
        return 0
    ranks = n
    rest = unseen
    while rest:
        low = (rest & -rest).bit_length() - 1
        alike = rest & (15 << (low & ~3))
        rest ^= alike
        brings = answer(r, v, table, low, last, out, n)
        if brings > 0:
            at = n
            n += 1
            while at > ranks and out[at - 1] >> 4 < brings:
                out[at] = out[at - 1]
                at -= 1
            out[at] = brings << 4 | alike.bit_count()
    total = 0
    cards = unseen.bit_count()
    none = ONE
    for i in range(ranks, n):
        before = none
        for _ in range(out[i] & 15):
            none = none * (cards - hand) // cards if cards > hand else 0
            cards -= 1
        total += (out[i] >> 4) * (before - none)
    return total // ONE


def counting(r: Rules, s: Ints, v: Ints, out: Ints) -> int:
    """The legal action that brings most, less what the next seat can then take."""
    n = legal(r, s, out)
    if n == 1:
        return out[0]
    seat = s[TURN]
    table = s[TABLE]
    unseen = ALL & ~table & ~s[HAND + seat]
    for side in range(r.sides):
        unseen &= ~s[PILE + side]
    hand = held(r, s, (seat + 1) % r.players)
    if hand == 0:
        hand = min(r.hand, s[STOCK])
    last = 1 if s[LEFT] == 1 and r.last_scopa == 0 else 0
    next_last = 1 if s[LEFT] == 2 and r.last_scopa == 0 else 0
    # What brings most at once is looked at first: what brings less than that is left
    # with cannot be better, as an answer never brings less than nothing.
    first = 0
    for i in range(n):
        brings = gain(v, table, last, out[i])
        if out[i] & ALL == 0:
            brings = brings * KEEP // 100
        out[n + i] = brings
        if brings > out[n + first]:
            first = i
    chosen = out[first]
    most = WORST
    for k in range(n):
        i = first if k == 0 else k - 1 if k <= first else k
        brings = out[n + i]
        if brings <= most:
            continue
        a = out[i]
        if a >> 40 < CARDS and hand:
            taken = a & ALL
            after = table & ~taken if taken else table | 1 << (a >> 40)
            answers = expected(r, v, after, unseen, hand, next_last, out, 2 * n)
            brings -= answers * REPLY // 100
        if brings > most:
            most = brings
            chosen = a
    return chosen


def standing(r: Rules, s: Ints, v: Ints, side: int) -> int:
    """How a side stands against the mean of the others: exact when the deal is over."""
    mine = 0
    all_sides = 0
    if s[LEFT] == 0:
        score(r, s)
        for one in range(r.sides):
            points = v[SIGN] * UNIT * s[TOTAL + one]
            if s[WON] == one + 1:
                points += 20 * UNIT
            all_sides += points
            if one == side:
                mine = points
    else:
        for one in range(r.sides):
            points = v[SCOPA] * s[SWEEPS + one] + worth(v, s[PILE + one])
            points += v[SIGN] * UNIT * s[EXTRA + one]
            all_sides += points
            if one == side:
                mine = points
    return (r.sides * mine - all_sides) // (r.sides - 1)
