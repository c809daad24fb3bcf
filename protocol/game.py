"""What dealing needs to know of any card game.

`protocol` deals positions 0..N-1 of a shuffled deck to seats and opens them; what a
value means, who may act and what an act says is the game's own. A `Game` is a frozen,
public-only value: it never holds a hidden card, so every peer holds the same one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol

from protocol.faults import Reason

FACE_UP = -1
"""The owner of a position that everybody sees."""


class ForeignRules(ValueError):
    """These terms are for a game, or by rules, that this program does not know."""


class Over(Enum):
    """Why nothing more is played from this deck."""

    REDEAL = "redeal"
    SCORED = "scored"
    MATCH = "match"


class Round(NamedTuple):
    """Positions up to `end` are dealt once `due` acts have been made."""

    end: int
    due: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """The game's own word, for players, on why an act is not allowed.

    `reason` tells a lie from a move against the rules, which may be a bug.
    """

    sentence: str
    reason: Reason = Reason.AGAINST_RULES


class Game(Protocol):
    """One deck's play, as everybody sees it. Seats are numbered as in the record."""

    @property
    def positions(self) -> int:
        """How many positions the deck has."""

    def owners(self) -> Sequence[int]:
        """The owner, or `FACE_UP`, of every position that has a round so far."""

    def rounds(self) -> Sequence[Round]:
        """The rounds of dealing fixed so far, in order; the first is due at 0."""

    def turn(self) -> int | None:
        """The seat that may act; None when over or while face-up cards are awaited."""

    def opened(self, cards: Mapping[int, int]) -> "Game | Refusal":
        """The same game with the values of these positions known to all.

        Or the rule that an owner broke before, as these cards now show.
        """

    def accept(
        self, seat: int, positions: Sequence[int], statement: object
    ) -> "Game | Refusal":
        """The game after `seat` acts with the opened `positions`, or why it may not."""

    def over(self) -> Over | None:
        """Whether, and how, this deck is finished."""

    def next_deck(self) -> "Game":
        """The game on the next deck, once this one is over and the match is not."""

    def dealt_again(self) -> "Game":
        """The game on the next deck, if this deal does not count: the same deal."""

    def plan(self) -> bytes:
        """For which deal, by which dealer and to whom this deck is first dealt."""

    def next_plan(self) -> bytes | None:
        """The next deck's plan, if it is certain already; None while it is not.

        A deck may be made that is never dealt, because the match ends before.
        """

    def digest(self) -> bytes:
        """Sixteen bytes that two peers share if and only if they see the same game."""
