"""The play of a deal, for every variant, as functions on one flat sequence of ints.

The same file is imported plainly by the game and loaded through numba for playouts,
so it keeps to a dialect: ints, one flat sequence, 40-bit sets of cards, no objects,
no recursion, nothing beyond 63 bits. Every constant it uses stands in this file, and a
function stands below those it calls, so the file compiles from top to bottom.

Card c is 4 * (rank - 1) + suit, denari 0: the four cards of a rank are one nibble and
a lower bit is never a higher rank. An action is code << 40 | set of cards: code 0..39
plays that card and the set is what it captures (empty: it is laid; the card itself: an
asso takes itself); CLAIM, LOW and THREE keep the turn.

A state may hold unknown cards (-1 in the order). A hand is then the set of its known
cards, and `held` says how many there are. Nothing here checks that an action is legal.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Ints: TypeAlias = list[int]

# Layout of a state.
TABLE = 0  # set of cards face up, open to capture
STOCK = 1  # cards not yet dealt; the next position dealt is 40 - STOCK
TURN = 2  # seat to act
LAST = 3  # side that captured last, or -1
LEFT = 4  # cards not yet played: those in hands and in the stock
FIRST = 5  # seat that plays first; the dealer is the seat before it
LAID = 6  # card that may be claimed, or -1 (only where claims are allowed)
SHOWN = 7  # set of cards shown by declarations, in this whole deal
SWEEPS = 8  # + side
HAND = 14  # + seat: set of the known cards
PILE = 20  # + side: set
EXTRA = 26  # + side: points declared
DECK = 32  # + position: card, or -1 where unknown
POINTS = 72  # + side: what pile and declarations earn, without the scope
TOTAL = 78  # + side: all the points of the deal
WON = 84  # side + 1 that wins the match outright, or 0
SIZE = 85

CARDS = 40
ALL = (1 << 40) - 1
CLAIM = 40  # the set holds the laid card and what it should have captured
LOW = 41  # the hand shown counts nine or less: 3 points
THREE = 42  # the hand shown is three of a rank: 10 points
BUFFER = 16_384  # ints that hold the legal actions of any position
WILD = 1 << 25  # seven of coppe
SETTEBELLO = 1 << 24
ACES = 15
# By a rank from 0 to 14: its cards; the cards that count at most half of it.
RANK = (0, *(15 << 4 * i for i in range(10)), 0, 0, 0, 0)
HALF = tuple((1 << 4 * (i >> 1)) - 1 for i in range(15))


class Rules(NamedTuple):
    """One variant as the kernel sees it: ints only, the classic game by default."""

    players: int = 2
    sides: int = 2  # the side of a seat is seat % sides
    hand: int = 3
    table: int = 4
    draw: int = (
        0  # 0 hands when all are empty, 1 a card after each own play, 2 after all
    )
    by_value: int = 1
    by_fifteen: int = 0
    equal_first: int = 1  # a card of equal rank bars the sums (never the fifteens)
    fewest: int = 0
    max_captured: int = 0  # 0 no limit
    compulsion: int = 0  # 0 card, 1 hand, 2 none, 3 none and the next seat may claim
    ace: int = 0  # 1 an asso sweeps
    ace_table: int = 0  # an asso lies there: 0 ordinary capture, 1 sweep all
    ace_scopa: int = 0
    ace_empty: int = 0  # on an empty table it 0 stays, 1 takes itself
    ace_first: int = 0  # first play of the deal: 1 no asso, 2 an asso does not sweep
    ace_decline: int = 0
    last_scopa: int = 0  # the last card of the deal may make a scopa
    leftovers: int = 0  # to 0 the last capturer, 1 the dealer, 2 nobody
    bonus: int = 0  # 1: table of 15; also two for 2: 30, 3: 20, 4: two groups of 15
    bonus_to: int = 0  # 0 dealer, 1 first player
    wild: int = 0
    declare: int = 0
    redeal_kings: int = 3
    redeal_aces: int = 0
    p_cards: int = 1
    p_coins: int = 1
    p_scopa: int = 1
    prime: int = 1  # 0 none, 1 primiera, 2 most sevens, 3 most sevens and shoot-out
    more_suits: int = 0
    faces: int = 0  # 0 ten each, 1 re 10 cavallo 9 fante 8, 2 nothing
    majority: int = 0  # 0 strictly most, 1 more than half
    worth1: int = SETTEBELLO  # cards that pay one point each; two; three
    worth2: int = 0
    worth3: int = 0
    run_cap: int = 0
    grande: int = 0
    sevens_bonus: int = 0
    double_all: int = 0  # a pile with all of these doubles its scope
    win_all: int = 0  # a pile with all of these wins the match
    odd_moves: int = 0  # derived: fewest, max_captured, ace or compulsion is set
    odd_score: int = 0  # derived: any rare point is set


def captures(table: int, target: int, code: int, out: Ints, n: int) -> int:
    """Append `code` with each set of table cards that sums to `target`; the new n.

    The sets come in lexicographic order of their cards. `chosen` is the stack: the
    lowest card that may still have a companion is taken, the last one is read off.
    """
    chosen = 0
    rest = table
    need = target
    while True:
        low = rest & HALF[need]
        if low:
            bit = low & -low
            chosen |= bit
            need -= (bit.bit_length() + 3) >> 2
            rest = table & -(bit << 1)
            continue
        last = rest & RANK[need]
        while last:
            bit = last & -last
            last ^= bit
            out[n] = code | chosen | bit
            n += 1
        if chosen == 0:
            return n
        top = chosen.bit_length()
        chosen ^= 1 << (top - 1)
        need += (top + 3) >> 2
        rest = table & -(1 << top)


def ordinary(r: Rules, table: int, c: int, lay: int, out: Ints, n: int) -> int:
    """Append the captures of card `c` by rank, by sum and by fifteen; the new n.

    If there are none and `lay` is 1, the card is laid.
    """
    start = n
    code = c << 40
    rank = (c >> 2) + 1
    if r.by_value:
        equal = table & RANK[rank]
        if equal and r.equal_first:
            while equal:
                bit = equal & -equal
                equal ^= bit
                out[n] = code | bit
                n += 1
        else:
            n = captures(table, rank, code, out, n)
    if r.by_fifteen:
        n = captures(table, 15 - rank, code, out, n)
    if n == start and lay:
        out[n] = code
        n += 1
    return n


def narrowed(r: Rules, out: Ints, start: int, n: int) -> int:
    """Keep the captures from `start` on that `max_captured` and `fewest` allow."""
    most = r.max_captured if r.max_captured else CARDS
    if r.fewest:
        for i in range(start, n):
            most = min(most, (out[i] & ALL).bit_count())
    kept = start
    for i in range(start, n):
        if (out[i] & ALL).bit_count() <= most:
            out[kept] = out[i]
            kept += 1
    return kept


def odd_plays_of(r: Rules, table: int, c: int, lead: int, out: Ints, n: int) -> int:
    """Append the plays of one card under the rare rules that judge a card alone.

    An asso that sweeps has no other capture; `max_captured` does not bind it.
    """
    start = n
    code = c << 40
    sweeps = r.ace and c < 4 and not (lead and r.ace_first == 2)
    if sweeps and (table & ACES == 0 or r.ace_table):
        if table:
            out[n] = code | table
            n += 1
            if r.ace_decline:
                out[n] = code
                return n + 1
        elif r.ace_empty:
            out[n] = code | (1 << c)
            n += 1
    else:
        n = ordinary(r, table, c, 0, out, n)
        n = narrowed(r, out, start, n)
    if n == start or r.compulsion >= 2:
        out[n] = code
        n += 1
    return n


def plays_of(r: Rules, table: int, c: int, lead: int, out: Ints, n: int) -> int:
    """Append the plays of card `c`, whatever else the hand holds; the new n.

    `lead` is 1 at the first play of the deal.
    """
    if r.odd_moves:
        return odd_plays_of(r, table, c, lead, out, n)
    return ordinary(r, table, c, 1, out, n)


def hand_rules(r: Rules, lead: int, out: Ints, n: int) -> int:
    """Drop the plays that another card of the same hand forbids; the new n."""
    if r.ace_first == 1 and lead:
        kept = 0
        for i in range(n):
            if out[i] >> 40 >= 4:
                out[kept] = out[i]
                kept += 1
        if kept:
            n = kept
    if r.compulsion == 1:
        kept = 0
        for i in range(n):
            if out[i] & ALL:
                out[kept] = out[i]
                kept += 1
        if kept:
            n = kept
    return n


def legal_plays(r: Rules, s: Ints, out: Ints) -> int:
    """Write the plays of the seat to act, by card and then by set; how many.

    Only known cards are played: a hidden hand has none.
    """
    table = s[TABLE]
    hand = s[HAND + s[TURN]]
    n = 0
    if r.odd_moves:
        lead = 1 if s[LEFT] + r.table == CARDS else 0
        while hand:
            bit = hand & -hand
            hand ^= bit
            n = odd_plays_of(r, table, bit.bit_length() - 1, lead, out, n)
        if r.compulsion == 1 or r.ace_first == 1:
            n = hand_rules(r, lead, out, n)
        return n
    while hand:
        bit = hand & -hand
        hand ^= bit
        n = ordinary(r, table, bit.bit_length() - 1, 1, out, n)
    return n


def held(r: Rules, s: Ints, seat: int) -> int:
    """How many cards the seat holds, known or not."""
    behind = (seat - s[TURN]) % r.players
    return (s[LEFT] - s[STOCK] - behind + r.players - 1) // r.players


def low_hand(r: Rules, hand: int) -> int:
    """1 if the hand counts nine or less; a wild card counts one."""
    total = 0
    while hand:
        bit = hand & -hand
        hand ^= bit
        total += 1 if r.wild and bit == WILD else (bit.bit_length() + 3) >> 2
    return 1 if total <= 9 else 0


def three_alike(r: Rules, hand: int) -> int:
    """1 if all cards of the hand have one rank; a wild card has any."""
    if r.wild:
        hand &= ~WILD
    lowest = ((hand & -hand).bit_length() - 1) & ~3
    return 1 if hand & ~(15 << lowest) == 0 else 0


def legal_extras(r: Rules, s: Ints, out: Ints, n: int) -> int:
    """Append claims and declarations of the seat to act; the new n.

    Only needed where the rules know either (`declare`, or compulsion 3).
    """
    laid = s[LAID]
    if laid >= 0:
        bit = 1 << laid
        lead = 1 if s[LEFT] + 1 + r.table == CARDS else 0
        start = n
        end = odd_plays_of(r, s[TABLE] & ~bit, laid, lead, out, n)
        for i in range(start, end):
            if out[i] & ALL:
                out[n] = CLAIM << 40 | bit | (out[i] & ALL)
                n += 1
    if r.declare:
        seat = s[TURN]
        hand = s[HAND + seat]
        whole = hand.bit_count() == r.hand and held(r, s, seat) == r.hand
        if whole and hand & s[SHOWN] == 0:
            if low_hand(r, hand):
                out[n] = LOW << 40 | hand
                n += 1
            if three_alike(r, hand):
                out[n] = THREE << 40 | hand
                n += 1
    return n


def ace_scores(r: Rules, code: int, taken: int) -> int:
    """1 if an asso that emptied the table with `taken` makes a scopa.

    A sweep that any card of rank one would have made counts in all variants.
    """
    if r.ace_scopa:
        return 1
    if taken & (1 << code):
        return 0
    total = 0
    while taken:
        bit = taken & -taken
        taken ^= bit
        total += (bit.bit_length() + 3) >> 2
    if r.by_value and total == 1:
        return 1
    return 1 if r.by_fifteen and total == 14 else 0


def apply_extra(r: Rules, s: Ints, code: int, cards: int) -> None:
    """Carry out a claim or a declaration; the seat keeps the turn."""
    seat = s[TURN]
    side = seat % r.sides
    if code == CLAIM:
        laid = s[LAID]
        s[TABLE] &= ~cards
        s[PILE + side] |= cards
        s[LAST] = side
        s[LAID] = -1
        if s[TABLE] == 0 and (
            not r.ace or laid >= 4 or ace_scores(r, laid, cards & ~(1 << laid))
        ):
            s[SWEEPS + side] += 1
        return
    s[SHOWN] |= cards
    s[HAND + seat] |= cards
    s[EXTRA + side] += 3 if code == LOW else 10


def draw_one(s: Ints, seat: int) -> None:
    """Deal the next card of the stock to the seat."""
    card = s[DECK + CARDS - s[STOCK]]
    if card >= 0:
        s[HAND + seat] |= 1 << card
    s[STOCK] -= 1


def deal_hands(r: Rules, s: Ints) -> None:
    """Deal every seat a hand, a block each from the first player on."""
    at = DECK + CARDS - s[STOCK]
    seat = s[FIRST]
    for _ in range(r.players):
        hand = 0
        for i in range(at, at + r.hand):
            card = s[i]
            if card >= 0:
                hand |= 1 << card
        s[HAND + seat] = hand
        at += r.hand
        seat += 1
        if seat == r.players:
            seat = 0
    s[STOCK] -= r.players * r.hand


def heir(r: Rules, s: Ints) -> int:
    """The side that gets the cards left on the table, or -1 for nobody."""
    if r.leftovers == 0:
        return s[LAST]
    return (s[FIRST] - 1) % r.players % r.sides if r.leftovers == 1 else -1


def finish(r: Rules, s: Ints) -> None:
    """Give the cards left on the table to whoever the rules name."""
    side = heir(r, s)
    if side >= 0:
        s[PILE + side] |= s[TABLE]
        s[TABLE] = 0


def apply(r: Rules, s: Ints, a: int) -> None:
    """Carry out an action: capture or lay, deal what is due, end the deal."""
    code = a >> 40
    taken = a & ALL
    if code >= CARDS:
        apply_extra(r, s, code, taken)
        return
    seat = s[TURN]
    bit = 1 << code
    left = s[LEFT] - 1
    s[LEFT] = left
    s[HAND + seat] &= ~bit
    if taken:
        side = seat % r.sides
        table = s[TABLE] & ~taken
        s[TABLE] = table
        s[PILE + side] |= taken | bit
        s[LAST] = side
        if (
            table == 0
            and (left or r.last_scopa)
            and (not r.ace or code >= 4 or ace_scores(r, code, taken))
        ):
            s[SWEEPS + side] += 1
    else:
        s[TABLE] |= bit
    if r.compulsion == 3:
        s[LAID] = -1 if taken or left == 0 else code
    seat += 1
    s[TURN] = seat if seat < r.players else 0
    stock = s[STOCK]
    if stock:
        if r.draw == 1:
            draw_one(s, seat - 1)
        elif r.draw == 2:
            if s[TURN] == s[FIRST]:
                for i in range(r.players):
                    draw_one(s, (s[FIRST] + i) % r.players)
        elif left == stock:
            deal_hands(r, s)
    elif left == 0:
        finish(r, s)


def in_two_groups(ranks: int) -> int:
    """1 if four ranks, one a nibble, fall into two groups of fifteen."""
    for group in range(1, 15):
        total = 0
        for i in range(4):
            if group >> i & 1:
                total += ranks >> (4 * i) & 15
        if total == 15:
            return 1
    return 0


def worth_of_table(r: Rules, ranks: int) -> int:
    """The scope that an opening table of these four ranks brings."""
    total = 0
    for i in range(4):
        total += ranks >> (4 * i) & 15
    if total == 15:
        return 1
    if total == 20 and r.bonus == 3:
        return 2
    if total == 30 and r.bonus == 2:
        return 2
    if total == 30 and r.bonus == 4 and in_two_groups(ranks):
        return 2
    return 0


def table_bonus(r: Rules, s: Ints) -> int:
    """The scope the opening table brings: 0, 1 or 2; 0 while a card is unknown.

    A wild card has the rank that brings most.
    """
    if r.bonus == 0 or r.table != 4:
        return 0
    ranks = 0
    wild = -1
    for i in range(4):
        card = s[DECK + i]
        if card < 0:
            return 0
        if r.wild and 1 << card == WILD:
            wild = i
        else:
            ranks |= ((card >> 2) + 1) << (4 * i)
    if wild < 0:
        return worth_of_table(r, ranks)
    best = 0
    for rank in range(1, 11):
        best = max(best, worth_of_table(r, ranks | rank << (4 * wild)))
    return best


def settle_table(r: Rules, s: Ints) -> None:
    """Give the opening table away if it brings scope."""
    scope = table_bonus(r, s)
    if scope:
        seat = s[FIRST] if r.bonus_to else (s[FIRST] - 1) % r.players
        side = seat % r.sides
        s[SWEEPS + side] += scope
        s[PILE + side] |= s[TABLE]
        s[TABLE] = 0
        s[LAST] = side


def new_deal(r: Rules, s: Ints, first: int) -> None:
    """Begin the deal of the order that stands in `s`; everything else is reset."""
    for i in range(DECK):
        s[i] = 0
    for i in range(POINTS, SIZE):
        s[i] = 0
    s[TURN] = first
    s[FIRST] = first
    s[LAST] = -1
    s[LAID] = -1
    s[LEFT] = CARDS - r.table
    s[STOCK] = CARDS - r.table
    table = 0
    for i in range(DECK, DECK + r.table):
        if s[i] >= 0:
            table |= 1 << s[i]
    s[TABLE] = table
    deal_hands(r, s)
    if r.bonus:
        settle_table(r, s)


def redeal(r: Rules, s: Ints) -> int:
    """1 if the opening table must be dealt again; 0 while a card of it is unknown.

    Assi yield to the table bonus.
    """
    kings = 0
    aces = 0
    for i in range(DECK, DECK + r.table):
        card = s[i]
        if card < 0:
            return 0
        if card >= 36:
            kings += 1
        if card < 4:
            aces += 1
    if r.redeal_kings and kings >= r.redeal_kings:
        return 1
    if r.redeal_aces and aces >= r.redeal_aces and table_bonus(r, s) == 0:
        return 1
    return 0


def owner(r: Rules, first: int, position: int) -> int:
    """The seat a position of the order is dealt to, or -1 if it goes to the table."""
    i = position - r.table
    if i < 0:
        return -1
    batch = r.players * r.hand
    if r.draw and i >= batch:
        return (first + i - batch) % r.players
    return (first + i // r.hand) % r.players


def learn(r: Rules, s: Ints, position: int, card: int) -> None:
    """Put a card in the order; where it was dealt it now lies in the open state."""
    if s[DECK + position] == card:
        return
    s[DECK + position] = card
    if position >= CARDS - s[STOCK]:
        return
    bit = 1 << card
    for side in range(r.sides):
        if s[PILE + side] & bit:
            return
    if s[TABLE] & bit:
        return
    seat = owner(r, s[FIRST], position)
    if seat >= 0:
        s[HAND + seat] |= bit
        return
    s[TABLE] |= bit
    if r.bonus and s[LEFT] + r.table == CARDS:
        settle_table(r, s)


def observe(r: Rules, s: Ints, seat: int) -> None:
    """Hide what the seat may not see; -1 is a spectator.

    What stays is the opening table, what was dealt to the seat, and shown cards.
    """
    shown = s[SHOWN]
    dealt = CARDS - s[STOCK]
    for i in range(r.table, CARDS):
        card = s[DECK + i]
        if card < 0 or shown >> card & 1:
            continue
        if i >= dealt or seat < 0 or owner(r, s[FIRST], i) != seat:
            s[DECK + i] = -1
    for other in range(r.players):
        if other != seat:
            s[HAND + other] &= shown
