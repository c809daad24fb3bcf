"""Deals played to their end by chance or by simple sense, in the dialect of the kernel.

A policy sees only what the seat to act could know: its hand and the table. Randomness
is a multiply-with-carry generator of 64 bits whose products stay below 2**63, because
compiled ints must not overflow (George Marsaglia's, as in his KISS). It is good enough
for playouts and for nothing else; cards of a match are shuffled by `protocol`.
"""

from __future__ import annotations

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
    STOCK,
    TABLE,
    TURN,
    Ints,
    Rules,
    apply,
    held,
    legal_extras,
    legal_plays,
    ordinary,
)
from scopa_net.rules.points import DENARI, SEVENS

LOW32 = 0xFFFFFFFF
CARRY = 698_769_069
START_MAX = 1 << 60  # a state to start from is 1 to this

# How a playout chooses.
RANDOM = 0  # any legal action, each as likely
CARD = 1  # any card, then any of its plays
GREEDY = 2  # the best now, without looking ahead

SIXES = 15 << 20


def spin(x: int) -> int:
    """The next state of the random generator."""
    return CARRY * (x & LOW32) + (x >> 32)


def below(x: int, n: int) -> int:
    """A number from 0 to n - 1 out of the state, for n up to 2**31."""
    return ((x & LOW32) * n) >> 32


def legal(r: Rules, s: Ints, out: Ints) -> int:
    """Write every legal action of the seat to act; how many."""
    n = legal_plays(r, s, out)
    if r.declare or r.compulsion == 3:
        n = legal_extras(r, s, out, n)
    return n


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


def determinise(r: Rules, s: Ints, out: Ints, x: int) -> int:
    """Deal the cards that an observer has not seen anywhere, each way as likely.

    Hands become full, then every position not yet dealt is known; positions already
    dealt stay as they are, nothing reads them any more. Answers with the state of the
    generator; `out` is written over.
    """
    unseen = ALL & ~s[TABLE]
    for side in range(r.sides):
        unseen &= ~s[PILE + side]
    for seat in range(r.players):
        unseen &= ~s[HAND + seat]
    dealt = CARDS - s[STOCK]
    for i in range(DECK + dealt, DECK + CARDS):
        if s[i] >= 0:
            unseen &= ~(1 << s[i])
    n = 0
    while unseen:
        bit = unseen & -unseen
        unseen ^= bit
        out[n] = bit.bit_length() - 1
        n += 1
    for seat in range(r.players):
        for _ in range(held(r, s, seat) - s[HAND + seat].bit_count()):
            x = spin(x)
            at = below(x, n)
            n -= 1
            s[HAND + seat] |= 1 << out[at]
            out[at] = out[n]
    for i in range(DECK + dealt, DECK + CARDS):
        if s[i] < 0:
            x = spin(x)
            at = below(x, n)
            n -= 1
            s[i] = out[at]
            out[at] = out[n]
    return x
