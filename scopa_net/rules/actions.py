"""What a seat may do: play a card, declare a hand, claim a capture or the match.

Also the two ways between these types and the kernel's numbers and sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias, assert_never

from scopa_net.rules import kernel
from scopa_net.rules.cards import MAZZO, Card
from scopa_net.rules.errors import InvalidAction

Kind: TypeAlias = Literal["low", "three"]
KINDS: Mapping[Kind, int] = {"low": kernel.LOW, "three": kernel.THREE}


def _ascending(cards: Iterable[Card]) -> tuple[Card, ...]:
    ordered = tuple(sorted(cards))
    for before, after in pairwise(ordered):
        if before == after:
            raise InvalidAction(f"{after} is named twice.")
    return ordered


@dataclass(frozen=True, slots=True)
class Play:
    """A card of the hand is played; it takes `captured`, or is laid if that is empty.

    The captured cards may be given in any order; they are kept by index. An asso that
    takes itself names itself.
    """

    card: Card
    captured: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "captured", _ascending(self.captured))


@dataclass(frozen=True, slots=True)
class Declare:
    """The whole hand is shown, without playing it: `low` or `three` of a rank."""

    cards: tuple[Card, ...]
    kind: Kind

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidAction(f"A hand is declared {' or '.join(KINDS)}.")
        object.__setattr__(self, "cards", _ascending(self.cards))

    @property
    def points(self) -> int:
        """What it brings."""
        return 3 if self.kind == "low" else 10


@dataclass(frozen=True, slots=True)
class Claim:
    """A capture that the seat before overlooked is taken, its laid card included.

    Without cards it is the match that is claimed: `MATCH_CLAIM`.
    """

    captured: tuple[Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "captured", _ascending(self.captured))


Action: TypeAlias = Play | Declare | Claim

MATCH_CLAIM = Claim(())
"""The own side is said to have reached the target: it wins, or loses if it has not."""


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of one of the kernel's sets, by index."""
    found = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        found.append(MAZZO[bit.bit_length() - 1])
    return tuple(found)


def set_of(cards: Iterable[Card]) -> int:
    """The kernel's set of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card.index
    return mask


def code_of(action: Action) -> int:
    """The action as the kernel's number."""
    match action:
        case Play(card, captured):
            return card.index << kernel.CARDS | set_of(captured)
        case Declare(cards, kind):
            return KINDS[kind] << kernel.CARDS | set_of(cards)
        case Claim(captured):
            return kernel.CLAIM << kernel.CARDS | set_of(captured)
        case _:
            assert_never(action)


def action_of(code: int) -> Action:
    """The action that the kernel's number stands for."""
    cards = cards_of(code & kernel.ALL)
    match code >> kernel.CARDS:
        case kernel.CLAIM:
            return Claim(cards)
        case kernel.LOW:
            return Declare(cards, "low")
        case kernel.THREE:
            return Declare(cards, "three")
        case index:
            return Play(MAZZO[index], cards)
