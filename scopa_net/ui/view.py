"""All that the eye needs of a table at one moment, and what can change it.

A `ViewState` holds no hidden card of another seat, knows no terminal, and is never
changed: the presenter makes the next one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from scopa_net.events import DealScored, Event, MatchWon, Played, Stopped
from scopa_net.leaving import Word
from scopa_net.rules import Action, Card, Claim, Declare, Observation, Play
from scopa_net.ui.board import Board
from scopa_net.ui.company import Company

__all__ = [
    "Along",
    "AskHint",
    "Asked",
    "Back",
    "CallAgain",
    "ChatCame",
    "Command",
    "Confirm",
    "Do",
    "Erase",
    "Heard",
    "Hinted",
    "Input",
    "Intent",
    "Interrupt",
    "Leave",
    "Link",
    "LinkChanged",
    "Message",
    "NextWay",
    "Overlay",
    "Pick",
    "Quit",
    "Refuse",
    "Say",
    "Settled",
    "Show",
    "Showing",
    "Shuffles",
    "Speak",
    "Take",
    "Tone",
    "TypeIn",
    "ViewState",
    "WantHint",
    "Write",
    "WriteTo",
]


class Overlay(Enum):
    """What lies over the table."""

    HELP = auto()
    SCORE = auto()
    MOVES = auto()
    LEAVE = auto()
    RESIGN = auto()
    VOID = auto()
    VOID_ASKED = auto()
    DEAL_OVER = auto()


class Link(Enum):
    """How a seat can be reached."""

    HERE = auto()
    CONNECTED = auto()
    THROUGH = auto()
    SILENT = auto()
    LOST = auto()


class Tone(Enum):
    """How a message is meant."""

    PLAIN = auto()
    TURN = auto()
    WARNING = auto()


@dataclass(frozen=True, slots=True)
class Message:
    """The line that says what is asked, or what was wrong.

    Of `more` as many sentences follow as there is room for.
    """

    tone: Tone
    text: str
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Showing:
    """A play that is still shown on the table as it was before; `serial` counts."""

    played: Played
    table: tuple[Card, ...]
    serial: int


@dataclass(frozen=True, slots=True)
class Shuffles:
    """So many of the seats have shuffled."""

    done: int
    seats: int


@dataclass(frozen=True, slots=True)
class ViewState:
    """The table as it is shown.

    `story` is what has been heard but not shown yet, `moves` the plays of the deal in
    sentences, `ways` what the picked card may do, or what may be said without playing
    one, `way` the one that is previewed.
    `links` are by place, and empty at a table within one process; `by` are the places
    through which those are seen that are not reached themselves, `away_s` for how long
    each has been away, in seconds, and `carry` by which ID a new match could start from
    the score, if there is one. `unanswered` are the places that have to say whether the
    deal is to count, while somebody asks that it does not. `kept` says whether
    the match can be gone on with later, `watches` whether the player has no seat and
    only looks, `chats` whether there is anybody to write to;
    `typed` is what is being written to them, `said` what was written last.
    """

    company: Company | None = None
    board: Board | None = None
    deal: int = 0
    scores: tuple[int, ...] = ()
    asked: Observation | None = None
    picked: int | None = None
    ways: tuple[Action, ...] = ()
    way: int = 0
    message: Message | None = None
    news: str = ""
    moves: tuple[str, ...] = ()
    last: Played | None = None
    showing: Showing | None = None
    shuffling: bool = True
    shuffles: Shuffles | None = None
    overlay: Overlay | None = None
    top: int = 0
    scored: DealScored | None = None
    ended: MatchWon | Stopped | None = None
    links: tuple[Link, ...] = ()
    by: tuple[int | None, ...] = ()
    away_s: tuple[int, ...] = ()
    carry: str = ""
    unanswered: tuple[int, ...] = ()
    hints: bool = False
    kept: bool = False
    watches: bool = False
    chats: bool = False
    typed: str | None = None
    said: tuple[str, ...] = ()
    story: tuple[Heard | Asked, ...] = ()
    serial: int = 0

    @property
    def previewed(self) -> Action | None:
        """What Enter would do."""
        return self.ways[self.way] if self.ways else None

    @property
    def speeches(self) -> tuple[Declare | Claim, ...]:
        """What may be declared or claimed now, without playing a card."""
        legal = self.asked.legal_actions if self.asked is not None else ()
        return tuple(action for action in legal if not isinstance(action, Play))

    @property
    def silent(self) -> tuple[int, ...]:
        """The places that do not answer."""
        gone = {Link.SILENT, Link.LOST}
        return tuple(at for at, link in enumerate(self.links) if link in gone)

    @property
    def is_asked_to_void(self) -> bool:
        """Whether the player is to say if the deal counts."""
        return self.company is not None and self.company.you in self.unanswered

    @property
    def may_call(self) -> bool:
        """Whether there is anybody to be called; who watches calls if nobody is there.

        Else it is for those who play to call each other.
        """
        return bool(self.silent) and (
            not self.watches or len(self.silent) == len(self.links)
        )


# -- what the presenter is told ----------------------------------------------


@dataclass(frozen=True, slots=True)
class Heard:
    """Something has happened at the table; nobody has a place yet without `company`."""

    event: Event
    company: Company | None


@dataclass(frozen=True, slots=True)
class Asked:
    """The own seat is to choose one of the observation's actions."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class Settled:
    """The play with this serial has been shown for long enough."""

    serial: int


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """A seat answers, or does not, or is gone, or is seen through the one at `by`.

    Who does not answer or is gone is so for `away_s` seconds; for `carry` see
    `ViewState`.
    """

    seat: int
    link: Link
    company: Company
    by: int | None = None
    away_s: int = 0
    carry: str = ""


@dataclass(frozen=True, slots=True)
class Hinted:
    """What the adviser would do, and why; None if it has nothing to say."""

    action: Action | None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatCame:
    """Somebody has written something, or it is told why nothing was sent."""

    line: str


@dataclass(frozen=True, slots=True)
class Unsaid:
    """What the player is about to say cannot be said now, and why."""

    why: str


# -- what the player wants ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pick:
    """The card with this number, counted from 1; again: play it."""

    number: int


@dataclass(frozen=True, slots=True)
class Along:
    """Another card, so many further along the hand."""

    by: int


@dataclass(frozen=True, slots=True)
class NextWay:
    """Another capture of the picked card; in a long text, another line."""

    by: int


@dataclass(frozen=True, slots=True)
class Take:
    """The capture at this place in the list, counted from 0."""

    at: int


@dataclass(frozen=True, slots=True)
class Speak:
    """Something is to be declared or claimed."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """Play what is previewed; or go on."""


@dataclass(frozen=True, slots=True)
class Back:
    """Put the card back, or close what lies over the table."""


@dataclass(frozen=True, slots=True)
class Show:
    """Open this, or close it if it is open."""

    overlay: Overlay


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the match; it is asked once."""


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Leave the match; the second time at once."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """No to what is asked."""


@dataclass(frozen=True, slots=True)
class WantHint:
    """A hint is asked for."""


@dataclass(frozen=True, slots=True)
class WriteTo:
    """Something is to be written to the others."""


@dataclass(frozen=True, slots=True)
class CallAgain:
    """Who is away is to be called now: wanted by the player, and then to be done."""


@dataclass(frozen=True, slots=True)
class TypeIn:
    """This follows what has been written."""

    text: str


@dataclass(frozen=True, slots=True)
class Erase:
    """The last character that was written goes."""


Intent: TypeAlias = (
    Pick
    | Along
    | NextWay
    | Take
    | Speak
    | Confirm
    | Back
    | Show
    | Leave
    | Interrupt
    | Refuse
    | WantHint
    | WriteTo
    | CallAgain
    | TypeIn
    | Erase
)
Input: TypeAlias = (
    Heard
    | Asked
    | Settled
    | LinkChanged
    | Shuffles
    | Hinted
    | ChatCame
    | Unsaid
    | Intent
)


# -- what is to be done ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Do:
    """The player has chosen."""

    action: Action


@dataclass(frozen=True, slots=True)
class AskHint:
    """Ask the adviser."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class MaySay:
    """The player is asked whether to say this: if that cannot be now, it is to hear."""

    word: Word


@dataclass(frozen=True, slots=True)
class Say:
    """The player says something besides playing."""

    word: Word


@dataclass(frozen=True, slots=True)
class Quit:
    """The player leaves; `interrupted` if by Ctrl-C."""

    interrupted: bool


@dataclass(frozen=True, slots=True)
class Write:
    """Send this to the others."""

    text: str


Command: TypeAlias = Do | AskHint | MaySay | Say | Quit | Write | CallAgain
