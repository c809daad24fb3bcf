"""The forty cards and their text: rank first, then the suit, as in ``7D``.

Ranks are ``A 2 3 4 5 6 7 J Q K`` for asso, two to seven, fante, cavallo and re;
suits are ``D C S B`` for denari, coppe, spade and bastoni. Text is read whatever
its case, and ``1`` is read as an asso.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum

from scopa_net.rules.errors import SHOWN_MAX, RulesError, quoted

RANKS = "A234567JQK"
SUITS = "DCSB"
_SEPARATORS = re.compile(r"[\s,]+")
_CARD = re.compile(r"([A1-7JQKajqk])([DCSBdcsb])")
_TEXT_MAX = 1_000


class InvalidCard(RulesError):
    """That text is not a card."""


class Suit(IntEnum):
    """A suit, in the order of the pack."""

    DENARI = 0
    COPPE = 1
    SPADE = 2
    BASTONI = 3


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card: its rank from 1 (asso) to 10 (re), and its suit."""

    rank: int
    suit: Suit
    index: int = field(init=False, repr=False, compare=False)
    """The card's place in the pack, 0 to 39: lower ranks first, then denari."""

    def __post_init__(self) -> None:
        if not 1 <= self.rank <= len(RANKS):
            raise InvalidCard(f"No card has rank {self.rank}: ranks go from 1 to 10.")
        object.__setattr__(self, "suit", Suit(self.suit))
        place = len(SUITS) * (self.rank - 1) + self.suit
        object.__setattr__(self, "index", place)

    def __str__(self) -> str:
        return RANKS[self.rank - 1] + SUITS[self.suit]

    def __repr__(self) -> str:
        return f"card('{self}')"


MAZZO: tuple[Card, ...] = tuple(
    Card(rank, suit) for rank in range(1, len(RANKS) + 1) for suit in Suit
)
"""The forty cards by index."""

SETTEBELLO: Card = MAZZO[24]
"""The seven of denari."""

RE_BELLO: Card = MAZZO[36]
"""The re of denari."""


def card(text: str) -> Card:
    """The card that a text such as ``7D`` names."""
    found = _CARD.fullmatch(text.strip()[: SHOWN_MAX + 1])
    if found is None:
        raise _not_a_card(text)
    return _card_of(found)


def cards(text: str) -> tuple[Card, ...]:
    """The cards that a text names, in its order.

    Spaces and commas between cards are optional: ``7D 3C, 4S`` is ``7D3C4S``.
    """
    if len(text) > _TEXT_MAX:
        raise InvalidCard("That is too long for a list of cards.")
    found: list[Card] = []
    for word in _SEPARATORS.split(text):
        place = 0
        while place < len(word):
            one = _CARD.match(word, place)
            if one is None:
                raise _not_a_card(word[place:])
            found.append(_card_of(one))
            place = one.end()
    return tuple(found)


def text_of(several: Iterable[Card]) -> str:
    """The cards as one text with nothing between them, lowest index first."""
    return "".join(str(one) for one in sorted(several))


def _card_of(found: re.Match[str]) -> Card:
    rank, suit = found[1].upper(), found[2].upper()
    return MAZZO[
        len(SUITS) * (0 if rank == "1" else RANKS.index(rank)) + SUITS.index(suit)
    ]


def _not_a_card(text: str) -> InvalidCard:
    return InvalidCard(
        f"{quoted(text)} is not a card: write the rank (A 2 3 4 5 6 7 J Q K), "
        "then the suit (D C S B), as in 7D."
    )
