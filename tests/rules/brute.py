"""The whole game once more, by brute force, from the texts of the options.

It shares nothing with the kernel, nor with the ints that are derived for it: a card is
(rank, suit) with suit 0 for denari, sets are frozensets, and captures are found by
trying every combination. Slow, and meant to be read beside the rules.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from scopa_net.rules.variants import Variant

Card = tuple[int, int]
Cards = frozenset[Card]
Move = tuple[str, Card | None, Cards]
"""A play of a card with what it takes; or a claim, or a hand declared low or three."""

NOTHING: Cards = frozenset()
DENARI, COPPE = 0, 1
WILD: Card = (7, COPPE)
PRIMIERA = {7: 21, 6: 18, 1: 16, 5: 15, 4: 14, 3: 13, 2: 12}
SHOOT_OUT = (6, 1, 5, 4, 3, 2, 10, 9, 8)


def total(cards: Cards | Sequence[Card]) -> int:
    return sum(rank for rank, _ in cards)


@dataclass(frozen=True)
class Position:
    """A deal with all cards known; `plays` are counted, `laid` may be claimed."""

    table: Cards
    hands: tuple[Cards, ...]
    piles: tuple[Cards, ...]
    scope: tuple[int, ...]
    declared: tuple[int, ...]
    stock: tuple[Card, ...]
    turn: int
    first: int
    last: int | None = None
    plays: int = 0
    laid: Card | None = None
    shown: Cards = NOTHING

    @property
    def over(self) -> bool:
        return not self.stock and not any(self.hands)


def added(values: tuple[int, ...], at: int, number: int) -> tuple[int, ...]:
    return tuple(v + number * (i == at) for i, v in enumerate(values))


def given(piles: tuple[Cards, ...], side: int, cards: Cards) -> tuple[Cards, ...]:
    return tuple(p | cards if i == side else p for i, p in enumerate(piles))


# -- the deal -------------------------------------------------------------------------


def is_redealt(v: Variant, order: Sequence[Card]) -> bool:
    opening = order[: v.table_size]
    kings = sum(rank == 10 for rank, _ in opening)
    aces = sum(rank == 1 for rank, _ in opening)
    if v.redeal_kings == "3" and kings >= 3:
        return True
    if v.redeal_aces == "off" or opening_scope(v, opening):
        return False
    return aces >= int(v.redeal_aces)


def opening_scope(v: Variant, opening: Sequence[Card]) -> int:
    """The scope that the cards face up bring."""
    if v.dealer_table_bonus == "off":
        return 0
    free = [card for card in opening if v.wild_seven == "on" and card == WILD]
    ranks = [rank for rank, _ in opening if not free or (rank, _) != WILD]
    if free:
        return max(scope_of_ranks(v, [*ranks, rank]) for rank in range(1, 11))
    return scope_of_ranks(v, ranks)


def scope_of_ranks(v: Variant, ranks: list[int]) -> int:
    if sum(ranks) == 15:
        return 1
    if sum(ranks) == 30 and v.double_at == "30":
        return 2
    if sum(ranks) == 20 and v.double_at == "20":
        return 2
    if sum(ranks) == 30 and v.double_at == "two-groups":
        parts = (some for n in (1, 2, 3) for some in combinations(ranks, n))
        return 2 if any(sum(some) == 15 for some in parts) else 0
    return 0


def opening_of(v: Variant, order: Sequence[Card], first: int) -> Position:
    sides = range(v.sides)
    begun = Position(
        table=frozenset(order[: v.table_size]),
        hands=(NOTHING,) * v.players,
        piles=tuple(NOTHING for _ in sides),
        scope=(0,) * v.sides,
        declared=(0,) * v.sides,
        stock=tuple(order[v.table_size :]),
        turn=first,
        first=first,
    )
    begun = dealt(v, begun)
    scope = opening_scope(v, order[: v.table_size])
    if not scope:
        return begun
    dealer = (first - 1) % v.players
    side = (dealer if v.receiver == "dealer" else first) % v.sides
    return replace(
        begun,
        table=NOTHING,
        piles=given(begun.piles, side, begun.table),
        scope=added(begun.scope, side, scope),
        last=side,
    )


def dealt(v: Variant, p: Position) -> Position:
    """New hands for everybody, in a block each from the first player on."""
    hands, stock = list(p.hands), p.stock
    for step in range(v.players):
        seat = (p.first + step) % v.players
        hands[seat], stock = frozenset(stock[: v.hand_size]), stock[v.hand_size :]
    return replace(p, hands=tuple(hands), stock=stock)


# -- what may be done -----------------------------------------------------------------


def subsets(table: Cards, wanted: int) -> set[Cards]:
    return {
        frozenset(some)
        for size in range(1, len(table) + 1)
        for some in combinations(table, size)
        if total(some) == wanted
    }


def sweeps(v: Variant, table: Cards, card: Card, *, lead: bool) -> bool:
    """Whether the card is an ace that takes all that lies there."""
    if v.ace == "1" or card[0] != 1:
        return False
    if v.first_play_restricted == "no-sweep" and lead:
        return False
    return v.ace_on_table == "sweep-all" or all(rank != 1 for rank, _ in table)


def ordinary(v: Variant, table: Cards, card: Card) -> set[Cards]:
    found: set[Cards] = set()
    if v.capture != "sum-15":
        equal = {frozenset([one]) for one in table if one[0] == card[0]}
        first = equal and v.equal_priority == "on"
        found |= equal if first else subsets(table, card[0])
    if v.capture != "equal-then-sum":
        found |= subsets(table, 15 - card[0])
    if v.max_captured == "2":
        found = {some for some in found if len(some) <= 2}
    if v.sum_choice == "fewest" and found:
        fewest = min(len(some) for some in found)
        found = {some for some in found if len(some) == fewest}
    return found


def captures(v: Variant, table: Cards, card: Card, *, lead: bool) -> set[Cards]:
    if not sweeps(v, table, card, lead=lead):
        return ordinary(v, table, card)
    if table:
        return {table}
    return {frozenset([card])} if v.ace_to_empty == "takes-itself" else set()


def moves(v: Variant, p: Position) -> set[Move]:
    """All that the seat to act may do."""
    if p.over:
        return set()
    lead = p.plays == 0
    hand = p.hands[p.turn]
    plays: set[Move] = set()
    for card in hand:
        sets = captures(v, p.table, card, lead=lead)
        plays |= {("play", card, some) for some in sets}
        declined = (
            v.may_decline == "on" and p.table and sweeps(v, p.table, card, lead=lead)
        )
        if not sets or v.compulsion.startswith("none") or declined:
            plays.add(("play", card, NOTHING))
    if v.first_play_restricted == "no-ace-led" and lead:
        others = {move for move in plays if move[1] is not None and move[1][0] != 1}
        plays = others or plays
    if v.compulsion == "hand":
        plays = {move for move in plays if move[2]} or plays
    return plays | set(claims(v, p)) | set(declarations(v, p))


def claims(v: Variant, p: Position) -> Iterator[Move]:
    if v.compulsion == "none+claim" and p.laid is not None:
        there = p.table - {p.laid}
        for some in captures(v, there, p.laid, lead=p.plays == 1):
            yield "claim", None, some | {p.laid}


def declarations(v: Variant, p: Position) -> Iterator[Move]:
    hand = p.hands[p.turn]
    if v.accusi == "off" or len(hand) < v.hand_size or hand & p.shown:
        return
    plain = [card for card in hand if v.wild_seven == "off" or card != WILD]
    wild = len(hand) - len(plain)
    if total(plain) + wild <= 9:
        yield "low", None, hand
    if len({rank for rank, _ in plain}) == 1:
        yield "three", None, hand


# -- what follows ---------------------------------------------------------------------


def is_scopa(v: Variant, card: Card, taken: Cards) -> bool:
    """Whether a capture that emptied the table is one that counts."""
    if v.ace == "1" or card[0] != 1 or v.sweep_is_scopa == "yes":
        return True
    if card in taken:
        return False
    if v.capture != "sum-15" and total(taken) == 1:
        return True
    return v.capture != "equal-then-sum" and total(taken) == 14


def after(v: Variant, p: Position, move: Move) -> Position:
    kind, card, cards = move
    side = p.turn % v.sides
    if kind in ("low", "three"):
        worth = 3 if kind == "low" else 10
        return replace(
            p, declared=added(p.declared, side, worth), shown=p.shown | cards
        )
    if kind == "claim":
        assert p.laid is not None
        table = p.table - cards
        counts = not table and is_scopa(v, p.laid, cards - {p.laid})
        return replace(
            p,
            table=table,
            piles=given(p.piles, side, cards),
            scope=added(p.scope, side, int(counts)),
            last=side,
            laid=None,
        )
    assert card is not None
    hands = tuple(h - {card} if s == p.turn else h for s, h in enumerate(p.hands))
    left = sum(map(len, hands)) + len(p.stock)
    after_ = replace(p, hands=hands, plays=p.plays + 1, laid=None)
    if cards:
        table = p.table - cards
        counts = not table and (left > 0 or v.last_play_scopa == "yes")
        counts = counts and is_scopa(v, card, cards)
        after_ = replace(
            after_,
            table=table,
            piles=given(p.piles, side, cards | {card}),
            scope=added(p.scope, side, int(counts)),
            last=side,
        )
    else:
        laid = card if v.compulsion == "none+claim" and left else None
        after_ = replace(after_, table=p.table | {card}, laid=laid)
    return moved_on(v, after_)


def moved_on(v: Variant, p: Position) -> Position:
    """The next seat's turn, with new cards where they are due, or the end."""
    seat = p.turn
    p = replace(p, turn=(seat + 1) % v.players)
    if p.stock and v.refill == "draw-one-after-own-play":
        card, *stock = p.stock
        hands = tuple(h | {card} if s == seat else h for s, h in enumerate(p.hands))
        return replace(p, hands=hands, stock=tuple(stock))
    if p.stock and v.refill == "draw-one-after-all-played":
        if p.turn != p.first:
            return p
        order = [(p.first + step) % v.players for step in range(v.players)]
        drawn = dict(zip(order, p.stock, strict=False))
        hands = tuple(h | {drawn[s]} for s, h in enumerate(p.hands))
        return replace(p, hands=hands, stock=p.stock[v.players :])
    if p.stock and not any(p.hands):
        return dealt(v, p)
    return left_over(v, p) if p.over else p


def left_over(v: Variant, p: Position) -> Position:
    if v.leftovers == "nobody":
        return p
    side = p.last
    if v.leftovers == "dealer":
        side = (p.first - 1) % v.players % v.sides
    if side is None:
        return p
    return replace(p, table=NOTHING, piles=given(p.piles, side, p.table))


# -- the points -----------------------------------------------------------------------


def points(
    v: Variant, piles: Sequence[Cards], scope: Sequence[int], declared: Sequence[int]
) -> list[dict[str, int]]:
    """What each side earns, by category, without those that bring nothing."""
    found: list[dict[str, int]] = [{} for _ in piles]

    def pay(side: int | None, category: str, number: int) -> None:
        if side is not None and number:
            found[side][category] = found[side].get(category, 0) + number

    counts = [len(pile) for pile in piles]
    coins = [sum(suit == DENARI for _, suit in pile) for pile in piles]
    half = v.majority == "more-than-half"
    pay(alone(counts, 20 if half else 0), "cards", int(v.cards))
    pay(alone(coins, 5 if half else 0), "coins", int(v.coins))
    category = "primiera" if v.points == "primiera" else "sevens"
    pay(fourth_point(v, piles), category, 1)
    for side, pile in enumerate(piles):
        alike = [{suit for rank, suit in pile if rank == r} for r in range(11)]
        pay(side, "settebello", int(v.settebello) * ((7, DENARI) in pile))
        pay(side, "re_bello", int(v.re_bello == "on" and (10, DENARI) in pile))
        pay(side, "sevens", int(v.all_sevens == "on" and len(alike[7]) == 4))
        doubled = v.ponino == "on" and len(alike[9]) == 4
        pay(side, "scope", int(v.scopa) * scope[side] * (2 if doubled else 1))
        pay(side, "napola", napola(v, pile))
        faces = {(8, DENARI), (9, DENARI), (10, DENARI)} <= pile
        pay(side, "extra", 5 if v.grande == "5" and faces else 0)
        low = [rank for rank in (1, 2, 3) if (rank, DENARI) in pile]
        pay(side, "extra", sum(low) if v.trentino == "on" else 0)
        pay(side, "extra", declared[side])
    return found


def wins_outright(v: Variant, pile: Cards) -> bool:
    coins = {rank for rank, suit in pile if suit == DENARI}
    if "napoleone" in v.napola and len(coins) == 10:
        return True
    return v.trentino == "on" and {1, 2, 3} <= coins


def napola(v: Variant, pile: Cards) -> int:
    if v.napola == "off":
        return 0
    run = 0
    while (run + 1, DENARI) in pile:
        run += 1
    if run < 3:
        return 0
    return min(run, 6) if v.napola.startswith("cap-6") else run


def alone(figures: Sequence[int], above: int) -> int | None:
    """The side that has most, more than `above`, and shares that with nobody."""
    best = max(figures)
    if best <= above or list(figures).count(best) > 1:
        return None
    return list(figures).index(best)


def fourth_point(v: Variant, piles: Sequence[Cards]) -> int | None:
    if v.points == "none":
        return None
    if v.points == "primiera":
        return best_primiera(v, piles)
    sevens = [sum(rank == 7 for rank, _ in pile) for pile in piles]
    winner = alone(sevens, 0)
    if winner is None and v.points.endswith("shoot-out") and sevens.count(2) == 2:
        return shoot_out(piles, [side for side, n in enumerate(sevens) if n == 2])
    return winner


def best_primiera(v: Variant, piles: Sequence[Cards]) -> int | None:
    faces = {
        "faces-10": {8: 10, 9: 10, 10: 10},
        "K10-Q9-J8": {8: 8, 9: 9, 10: 10},
        "faces-0": {8: 0, 9: 0, 10: 0},
    }[v.primiera_values]
    values = {**PRIMIERA, **faces}
    entries = []
    for pile in piles:
        best = [
            max(values[rank] for rank, one in pile if one == suit)
            for suit in {suit for _, suit in pile}
        ]
        entries.append((len(best), sum(best)))
    if v.primiera_missing == "needs-all-four":
        running = [entry for entry in entries if entry[0] == 4]
    else:
        running = [entry for entry in entries if entry[0] > 0]
    if not running or entries.count(max(running)) > 1:
        return None
    return entries.index(max(running))


def shoot_out(piles: Sequence[Cards], two: list[int]) -> int | None:
    ranks = []
    for me, you in (two, two[::-1]):
        suits = [suit for rank, suit in piles[you] if rank == 7]
        best = []
        for suit in suits:
            held = [SHOOT_OUT.index(r) for r, s in piles[me] if s == suit and r != 7]
            best.append(-min(held, default=len(SHOOT_OUT)))
        ranks.append(sorted(best, reverse=True))
    if ranks[0] == ranks[1]:
        return None
    return two[ranks.index(max(ranks))]
