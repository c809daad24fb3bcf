"""What every imagined deal needs: chance, a world, and all that is legal in it.

In the dialect of the kernel. Randomness is a multiply-with-carry generator of 64 bits
whose products stay below 2**63, because compiled ints must not overflow (George
Marsaglia's, as in his KISS). It is good enough for imagined deals and for nothing else;
cards of a match are shuffled by `protocol`.
"""

from __future__ import annotations

from scopa_net.rules.kernel import (
    ALL,
    CARDS,
    DECK,
    HAND,
    PILE,
    STOCK,
    TABLE,
    Ints,
    Rules,
    held,
    legal_extras,
    legal_plays,
)

LOW32 = 0xFFFFFFFF
CARRY = 698_769_069
START_MAX = 1 << 60  # a state to start from is 1 to this


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
