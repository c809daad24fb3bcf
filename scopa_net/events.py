"""What can happen at a table, as one seat is told of it.

A closed union of values, in the game's words and with places for seats: what line mode
says, the screen draws, JSON lines print and bots may hear.
"""

from dataclasses import dataclass
from typing import TypeAlias

from protocol.text import SafeText
from scopa_net.rules import Card, Claim, Declare, Play, SideScore


@dataclass(frozen=True, slots=True)
class DealStarted:
    """Deal number `deal`, counted from 0, is shuffled; `dealer` deals it."""

    deal: int
    dealer: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """A giro is dealt: the tavola and the own hand as they are now."""

    table: tuple[Card, ...]
    hand: tuple[Card, ...]
    tallone: int


@dataclass(frozen=True, slots=True)
class Redealt:
    """The opening table cannot stand; the same dealer deals again."""

    table: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TableTaken:
    """The opening table pays by the rules: `side` gets its cards, and so many scope."""

    side: int
    cards: tuple[Card, ...]
    scope: int


@dataclass(frozen=True, slots=True)
class TurnCame:
    """It is now the turn of `seat`."""

    seat: int


@dataclass(frozen=True, slots=True)
class Played:
    """`seat` played a card; `scopa` if that made a scopa that counts."""

    seat: int
    play: Play
    scopa: bool


@dataclass(frozen=True, slots=True)
class Declared:
    """`seat` showed its hand."""

    seat: int
    declaration: Declare


@dataclass(frozen=True, slots=True)
class Claimed:
    """`seat` took what the one before had overlooked."""

    seat: int
    claim: Claim
    scopa: bool


@dataclass(frozen=True, slots=True)
class VoidProposed:
    """`seat` asks that the running deal is not to count; so it is if all say so."""

    seat: int


@dataclass(frozen=True, slots=True)
class VoidAgreed:
    """`seat` agrees that the running deal is not to count; `missing` owe an answer."""

    seat: int
    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VoidRefused:
    """`seat` wants the deal to count, so it does; it has said so, or has played on."""

    seat: int


@dataclass(frozen=True, slots=True)
class Voided:
    """All have agreed that deal number `deal` does not count; it is dealt again."""

    deal: int


@dataclass(frozen=True, slots=True)
class Adjourned:
    """`seat` has left on purpose, for today; the match is kept."""

    seat: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """`seat` has given the match up. It is not confirmed before all others know it."""

    seat: int


@dataclass(frozen=True, slots=True)
class DealScored:
    """The deal is over: what each side earned, and the match score after it.

    `leftovers` lay on the tavola at the end and went to `leftovers_side`, None if
    nobody got them: the rules give them to nobody, or to the last to capture.
    """

    deal: int
    sides: tuple[SideScore, ...]
    scores: tuple[int, ...]
    leftovers: tuple[Card, ...]
    leftovers_side: int | None


@dataclass(frozen=True, slots=True)
class MatchWon:
    """The match is over: played, its last deal replayed and found right by this seat.

    Or given up by those who sit at the places `resigned`, and all others know it; then
    the deal that was played is not scored. `winner` is a side; None if several sides
    are left, or none, so that nobody has won.
    """

    winner: int | None
    names: tuple[SafeText, ...]
    scores: tuple[int, ...]
    deals: int
    resigned: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Stopped:
    """The match cannot go on.

    `seat` is who is to blame, None if nobody is; `sentence` says what happened, for
    players.
    """

    seat: int | None
    blame: str | None
    sentence: str
    scores: tuple[int, ...]


Event: TypeAlias = (
    DealStarted
    | Dealt
    | Redealt
    | TableTaken
    | TurnCame
    | Played
    | Declared
    | Claimed
    | VoidProposed
    | VoidAgreed
    | VoidRefused
    | Voided
    | Adjourned
    | Resigned
    | DealScored
    | MatchWon
    | Stopped
)
