"""The decks: what the same forty cards are called, and which signs they bear.

A matter of the screen alone: peers may look at different decks, and what is typed, kept
and sent is always in notation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scopa_net.rules import Card

__all__ = ["DECKS", "ITALIAN", "Deck", "deck_in"]


@dataclass(frozen=True, slots=True)
class Deck:
    """Names and signs of the cards; suits in the order of the pack, denari first.

    `ranks` names those that no number does, `plurals` are of ace, queen and king;
    `letters` are ranks in one cell, `courts` in five; `signs` are the suits in one
    cell, `plain_signs` those in ASCII.
    """

    ranks: Mapping[int, str]
    letters: Mapping[int, str]
    courts: Mapping[int, str]
    plurals: tuple[str, str, str]
    suits: tuple[str, str, str, str]
    signs: str
    plain_signs: str

    @property
    def coins(self) -> str:
        """What the denari are called."""
        return self.suits[0]

    @property
    def coin(self) -> str:
        """What one of the denari is called."""
        return self.coins.removesuffix("s")

    @property
    def words(self) -> Mapping[str, str]:
        """What fills the blanks in a text about cards."""
        ace, jack, queen, king = (
            self.ranks.get(rank, str(rank)) for rank in (1, 8, 9, 10)
        )
        aces, queens, kings = self.plurals
        named = {"ace": ace, "jack": jack, "queen": queen, "king": king}
        several = {"aces": aces, "queens": queens, "kings": kings}
        first, *others = (rank for rank in (8, 9, 10, 1) if rank in self.ranks)
        values = [f"{self.ranks[first]} is {first}"]
        values += [f"{self.ranks[rank]} {rank}" for rank in others]
        suits = {"coins": self.coins, "cups": self.suits[1]}
        return {**named, **several, **suits, "values": ", ".join(values)}

    def name(self, card: Card) -> str:
        """The card's full name; with its value where the name does not say it."""
        said = self.bare_name(card)
        return f"{said} ({card.rank})" if card.rank in self.ranks else said

    def bare_name(self, card: Card) -> str:
        """The card's full name, without its value."""
        return f"{self.ranks.get(card.rank, card.rank)} of {self.suits[card.suit]}"

    def names(self, cards: Iterable[Card]) -> str:
        """Several cards, with commas between them."""
        return ", ".join(self.name(card) for card in cards)

    def short(self, rank: int) -> str:
        """The rank in one cell."""
        return self.letters.get(rank, str(rank))


_FRENCH = ("diamonds", "hearts", "spades", "clubs")

ITALIAN = Deck(
    ranks={1: "Asso", 8: "Fante", 9: "Cavallo", 10: "Re"},
    letters={8: "F", 9: "C", 10: "R"},
    courts={8: "FANTE", 9: " CAV.", 10: "  RE "},
    plurals=("Assi", "Cavalli", "Re"),
    suits=("coins", "cups", "swords", "clubs"),
    signs="●▼†♣",
    plain_signs="DCSB",
)
FRENCH = Deck(
    ranks={1: "Ace", 8: "Jack", 9: "Queen", 10: "King"},
    letters={1: "A", 8: "J", 9: "Q", 10: "K"},
    courts={8: "JACK ", 9: "QUEEN", 10: "KING "},
    plurals=("Aces", "Queens", "Kings"),
    suits=_FRENCH,
    signs="♦♥♠♣",
    plain_signs="DHSC",
)
ACE_TO_TEN = Deck(
    ranks={1: "Ace"},
    letters={1: "A", 10: "T"},
    courts={8: "EIGHT", 9: "NINE ", 10: " TEN "},
    plurals=("Aces", "nines", "tens"),
    suits=_FRENCH,
    signs="♦♥♠♣",
    plain_signs="DHSC",
)

DECKS: Mapping[str, Deck] = {
    "italian": ITALIAN,
    "french": FRENCH,
    "ace-to-ten": ACE_TO_TEN,
}


def deck_in(environment: Mapping[str, str]) -> Deck:
    """The deck that the variable SCOPA_DECK asks for; Italian if it names none."""
    return DECKS.get(environment.get("SCOPA_DECK", "").lower(), ITALIAN)
