"""The points of a deal, in the dialect of the kernel.

`score` fills POINTS, TOTAL and WON of a finished state. The smaller functions answer
for one pile or one point, so that reasons can be given without a second reading of the
rules. A winner is a side, or -1 for nobody; piles need not add up to forty cards.
"""

from __future__ import annotations

from scopa_net.rules.kernel import (
    ALL,
    EXTRA,
    PILE,
    POINTS,
    SETTEBELLO,
    SWEEPS,
    TOTAL,
    WON,
    Ints,
    Rules,
)

DENARI = 0x1111111111
SEVENS = 15 << 24
GRANDE = 0x111 << 28  # fante, cavallo and re of denari

# Ranks from the best down, as the shift of their nibble, and what they are worth.
PRIME_SHIFTS = (24, 20, 0, 16, 12, 8, 4)
PRIME_WORTHS = (21, 18, 16, 15, 14, 13, 12)
# The order of the shoot-out: 6 A 5 4 3 2 K Q J.
SHOOT_SHIFTS = (20, 0, 16, 12, 8, 4, 36, 32, 28)


def coins(pile: int) -> int:
    """How many denari the pile holds."""
    return (pile & DENARI).bit_count()


def sevens(pile: int) -> int:
    """How many sevens the pile holds."""
    return (pile & SEVENS).bit_count()


def settebello(pile: int) -> int:
    """1 if the pile holds the seven of denari."""
    return 1 if pile & SETTEBELLO else 0


def suits(pile: int) -> int:
    """How many suits the pile holds."""
    present = pile | pile >> 20
    present |= present >> 8 | present >> 16
    return ((present | present >> 4) & 15).bit_count()


def primiera(r: Rules, pile: int) -> int:
    """The best card of each suit the pile has, summed, however few the suits."""
    need = 15
    total = 0
    for i in range(7):
        got = pile >> PRIME_SHIFTS[i] & need
        if got:
            total += got.bit_count() * PRIME_WORTHS[i]
            need ^= got
            if need == 0:
                return total
    if r.faces == 2:
        return total
    for rank in range(10, 7, -1):
        got = pile >> ((rank - 1) << 2) & need
        total += got.bit_count() * (rank if r.faces else 10)
        need ^= got
    return total


def prime_reading(r: Rules, pile: int) -> int:
    """What the prime compares: the higher wins, and 0 is out of the running.

    For the primiera the number of suits comes first (times 128, then the total): a
    pile that lacks a suit is out of it, or only behind every pile with more suits.
    """
    if r.prime != 1:
        return sevens(pile) if r.prime else 0
    present = suits(pile)
    if present < 4 and r.more_suits == 0:
        return 0
    return present << 7 | primiera(r, pile)


def shoot_rank(pile: int, suit: int) -> int:
    """The place of the pile's best card of a suit in the shoot-out; 0 without one."""
    for i in range(9):
        if pile >> (SHOOT_SHIFTS[i] + suit) & 1:
            return 9 - i
    return 0


def shoot_out(pile: int, theirs: int) -> int:
    """The pile's best cards in the suits of the other side's sevens, best card first.

    `theirs` is the other side's pile; only its sevens matter.
    """
    high = 0
    low = 0
    for suit in range(4):
        if theirs >> (24 + suit) & 1:
            rank = shoot_rank(pile, suit)
            low = max(low, min(rank, high))
            high = max(high, rank)
    return high << 4 | low


def shoot_out_winner(r: Rules, s: Ints) -> int:
    """Who wins the shoot-out of two sides with two sevens each; nobody if of more."""
    one = -1
    two = -1
    for side in range(r.sides):
        if sevens(s[PILE + side]) == 2:
            if one >= 0:
                return -1
            one = two
            two = side
    if one < 0:
        return -1
    first = shoot_out(s[PILE + one], s[PILE + two])
    second = shoot_out(s[PILE + two], s[PILE + one])
    if first == second:
        return -1
    return one if first > second else two


def majority_winner(r: Rules, s: Ints, among: int, half: int) -> int:
    """Who has most of the cards in `among`, of which `half` is half."""
    best = half if r.majority else 0
    winner = -1
    for side in range(r.sides):
        count = (s[PILE + side] & among).bit_count()
        if count > best:
            best = count
            winner = side
        elif count == best:
            winner = -1
    return winner


def cards_winner(r: Rules, s: Ints) -> int:
    """Who has most cards."""
    return majority_winner(r, s, ALL, 20)


def coins_winner(r: Rules, s: Ints) -> int:
    """Who has most denari."""
    return majority_winner(r, s, DENARI, 5)


def prime_winner(r: Rules, s: Ints) -> int:
    """Who wins the primiera, or the sevens where they stand in its place."""
    best = 0
    winner = -1
    for side in range(r.sides):
        reading = prime_reading(r, s[PILE + side])
        if reading > best:
            best = reading
            winner = side
        elif reading == best:
            winner = -1
    if winner < 0 and best == 2 and r.prime == 3:
        return shoot_out_winner(r, s)
    return winner


def napola(r: Rules, pile: int) -> int:
    """The points of the run A 2 3 ... of denari, from three cards on."""
    run = 0
    while run < r.run_cap and pile >> (run << 2) & 1:
        run += 1
    return run if run >= 3 else 0


def worth(r: Rules, pile: int) -> int:
    """What single cards pay: the settebello and whatever else the rules name."""
    return (
        (pile & r.worth1).bit_count()
        + 2 * (pile & r.worth2).bit_count()
        + 3 * (pile & r.worth3).bit_count()
    )


def grande(r: Rules, pile: int) -> int:
    """The points for fante, cavallo and re of denari together."""
    return r.grande if pile & GRANDE == GRANDE else 0


def all_sevens(r: Rules, pile: int) -> int:
    """The points for all four sevens in one pile."""
    return r.sevens_bonus if pile & SEVENS == SEVENS else 0


def scope(r: Rules, pile: int, sweeps: int) -> int:
    """The points for the side's scope."""
    if r.double_all and pile & r.double_all == r.double_all:
        sweeps *= 2
    return sweeps * r.p_scopa


def odd_score(r: Rules, s: Ints) -> None:
    """Add the rare points and the totals."""
    s[WON] = 0
    for side in range(r.sides):
        pile = s[PILE + side]
        rare = worth(r, pile) - (pile & r.worth1).bit_count()
        rare += napola(r, pile) + grande(r, pile) + all_sevens(r, pile)
        points = s[POINTS + side] + rare + s[EXTRA + side]
        s[POINTS + side] = points
        s[TOTAL + side] = points + scope(r, pile, s[SWEEPS + side])
        if r.win_all and pile & r.win_all == r.win_all:
            s[WON] = side + 1


def score(r: Rules, s: Ints) -> None:
    """Write the points of each side, and the side that wins the match outright."""
    for side in range(r.sides):
        s[POINTS + side] = (s[PILE + side] & r.worth1).bit_count()
    winner = cards_winner(r, s)
    if winner >= 0:
        s[POINTS + winner] += r.p_cards
    winner = coins_winner(r, s)
    if winner >= 0:
        s[POINTS + winner] += r.p_coins
    if r.prime:
        winner = prime_winner(r, s)
        if winner >= 0:
            s[POINTS + winner] += 1
    if r.odd_score:
        odd_score(r, s)
        return
    for side in range(r.sides):
        s[TOTAL + side] = s[POINTS + side] + s[SWEEPS + side] * r.p_scopa


def fear(r: Rules, s: Ints, side: int) -> None:
    """Give every other side all the cards that nobody has yet.

    What `side` then still scores, nobody can take from it. Those cards lie in several
    piles afterwards, so such a state is for `score` only.
    """
    rest = ALL
    for other in range(r.sides):
        rest &= ~s[PILE + other]
    for other in range(r.sides):
        if other != side:
            s[PILE + other] |= rest
