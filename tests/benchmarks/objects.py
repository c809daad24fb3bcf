"""Scopa, Scopone and Escoba as one would write them first: objects, lists, itertools.

What plain Python on sets of bits is measured against. It makes the choices of
deals.py in the order of the kernel, and comes to the same checksum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

POLICIES = RANDOM, CARD, GREEDY = range(3)
PRIMIERA = {7: 21, 6: 18, 1: 16, 5: 15, 4: 14, 3: 13, 2: 12, 8: 10, 9: 10, 10: 10}
VALUES = {7: 31, 6: 10, 1: 3}
LOW32 = 0xFFFFFFFF
LOW40 = (1 << 40) - 1


@dataclass(frozen=True, slots=True)
class Game:
    """The rules in which the three games differ; two sides."""

    players: int = 2
    hand: int = 3
    table: int = 4
    fifteen: bool = False


GAMES = {
    "scopa": Game(),
    "scopone": Game(players=4, hand=10, table=0),
    "escoba": Game(fifteen=True),
}


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """Rank 1 to 10 and suit, 0 being denari."""

    rank: int
    suit: int
    value: int = field(compare=False)

    @property
    def index(self) -> int:
        return 4 * (self.rank - 1) + self.suit


def value_of(rank: int, suit: int) -> int:
    """What the greedy policy gives for a card, in hundredths of a point."""
    denari = 25 if suit == 0 else 0
    settebello = 95 if (rank, suit) == (7, 0) else 0
    return 8 + denari + settebello + VALUES.get(rank, 0)


MAZZO = [
    Card(rank, suit, value_of(rank, suit)) for rank in range(1, 11) for suit in range(4)
]


@dataclass(frozen=True, slots=True)
class Move:
    """A card and what it takes."""

    card: Card
    taken: tuple[Card, ...] = ()


@dataclass(slots=True)
class Side:
    """What a side has captured."""

    pile: list[Card] = field(default_factory=list)
    scope: int = 0


@dataclass(slots=True)
class Chance:
    """The random generator of `ai/playouts.py`."""

    state: int

    def draw(self) -> int:
        """Thirty-two fresh bits."""
        self.state = 698_769_069 * (self.state & LOW32) + (self.state >> 32)
        return self.state & LOW32

    def shuffle(self, cards: list[Card]) -> None:
        for n in range(len(cards), 1, -1):
            at = self.draw() * n >> 32
            cards[at], cards[n - 1] = cards[n - 1], cards[at]


class Deal:
    """A deal being played."""

    def __init__(self, game: Game, order: Sequence[Card], first: int) -> None:
        self.game = game
        self.table = list(order[: game.table])
        self.stock = list(order[game.table :])
        self.hands: list[list[Card]] = [[] for _ in range(game.players)]
        self.sides = [Side(), Side()]
        self.first = self.turn = first
        self.last: Side | None = None
        self.deal_hands()
        if game.fifteen:
            self.settle_table()

    @property
    def over(self) -> bool:
        return not self.stock and not any(self.hands)

    def side(self, seat: int) -> Side:
        return self.sides[seat % 2]

    def deal_hands(self) -> None:
        for i in range(self.game.players):
            hand, self.stock = (
                self.stock[: self.game.hand],
                self.stock[self.game.hand :],
            )
            self.hands[(self.first + i) % self.game.players] = sorted(hand)

    def settle_table(self) -> None:
        """A table of 15 or 30 is the dealer's."""
        scope = {15: 1, 30: 2}.get(sum(card.rank for card in self.table), 0)
        if scope:
            self.last = self.side(self.first - 1)
            self.last.scope += scope
            self.last.pile += self.table
            self.table = []

    def captures(self, card: Card) -> list[tuple[Card, ...]]:
        """Everything that a card may take, in the order of the cards."""
        target = 15 - card.rank if self.game.fifteen else card.rank
        table = sorted(other for other in self.table if other.rank <= target)
        if not self.game.fifteen:
            equal = [other for other in table if other.rank == target]
            if equal:
                return [(other,) for other in equal]
        return sorted(
            some
            for size in range(1, len(table) + 1)
            for some in combinations(table, size)
            if sum(other.rank for other in some) == target
        )

    def moves_of(self, card: Card) -> list[Move]:
        found = [Move(card, taken) for taken in self.captures(card)]
        return found or [Move(card)]

    def moves(self) -> list[Move]:
        return [move for card in self.hands[self.turn] for move in self.moves_of(card)]

    def merit(self, move: Move) -> int:
        """What a move brings at once; less than nothing if the card is laid."""
        if not move.taken:
            return -move.card.value
        worth = move.card.value + sum(card.value for card in move.taken)
        return worth + 100 if len(move.taken) == len(self.table) else worth

    def chosen(self, chance: Chance, policy: int) -> Move:
        draw = chance.draw()
        if policy == CARD:
            hand = self.hands[self.turn]
            draw *= len(hand)
            moves = self.moves_of(hand[draw >> 32])
            return moves[(draw & LOW32) * len(moves) >> 32]
        moves = self.moves()
        if policy == GREEDY:
            return max(moves, key=self.merit)
        return moves[draw * len(moves) >> 32]

    def play(self, move: Move) -> None:
        self.hands[self.turn].remove(move.card)
        if move.taken:
            side = self.last = self.side(self.turn)
            self.table = [card for card in self.table if card not in move.taken]
            side.pile += (move.card, *move.taken)
            if not self.table and not self.over:
                side.scope += 1
        else:
            self.table.append(move.card)
        self.turn = (self.turn + 1) % self.game.players
        if not any(self.hands):
            if self.stock:
                self.deal_hands()
            elif self.last is not None:
                self.last.pile += self.table
                self.table = []

    def points(self) -> list[int]:
        """The points of each side."""
        piles = [side.pile for side in self.sides]
        totals = [side.scope for side in self.sides]
        for count in (cards, denari, primiera):
            ours, theirs = map(count, piles)
            if ours != theirs:
                totals[0 if ours > theirs else 1] += 1
        for side, pile in enumerate(piles):
            totals[side] += any(card.rank == 7 and card.suit == 0 for card in pile)
        return totals


def cards(pile: list[Card]) -> int:
    return len(pile)


def denari(pile: list[Card]) -> int:
    return sum(card.suit == 0 for card in pile)


def primiera(pile: list[Card]) -> int:
    """The sum of the best card of each suit; 0 if a suit is missing."""
    best: dict[int, int] = {}
    for card in pile:
        best[card.suit] = max(best.get(card.suit, 0), PRIMIERA[card.rank])
    return sum(best.values()) if len(best) == 4 else 0


def deals(game: Game, seed: int, count: int, policy: int) -> int:
    """Play so many deals; the checksum of piles, scope and points."""
    chance = Chance(seed)
    order = list(MAZZO)
    total = 0
    for i in range(count):
        chance.shuffle(order)
        deal = Deal(game, order, i % game.players)
        while not deal.over:
            deal.play(deal.chosen(chance, policy))
        total = total * 1_000_003 & LOW40
        for side, points in zip(deal.sides, deal.points(), strict=True):
            pile = sum(1 << card.index for card in side.pile)
            total = (total * 1_000_003 + pile) & LOW40
            total = (total * 1_000_003 + (side.scope << 8) + points) & LOW40
    return total
