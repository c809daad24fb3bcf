"""What a seat's machine tells its program, besides what it wishes for in a `Step`."""

from dataclasses import dataclass
from typing import TypeAlias

from protocol.faults import Signed
from protocol.room import Declined, Room
from scopa_net.events import Event


@dataclass(frozen=True, slots=True)
class Told:
    """An event, and the local number of the seat that is told of it."""

    seat: int
    event: Event


@dataclass(frozen=True, slots=True)
class LinkFailed:
    """A link carried what no honest peer sends; nobody's signature proves whose."""

    seat: int
    link: int
    reason: str


@dataclass(frozen=True, slots=True)
class OtherTerms:
    """The host proposes other rules than it had told, as sorted `key=value` lines."""

    seat: int
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WhereaboutsKnown:
    """It is known now who sits here, or known better where somebody is.

    Only a seat that was told of its own whereabouts tells of them.
    """

    seat: int


@dataclass(frozen=True, slots=True)
class ChatHeard:
    """A message has come on a link, and nothing of it is checked yet."""

    seat: int
    link: int
    signed: Signed


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """Somebody has come to the waiting room, has gone, or is ready.

    Its names are as they came; see `Room.shown`.
    """

    seat: int
    room: Room


@dataclass(frozen=True, slots=True)
class NoPlace:
    """The host has no place for the own player."""

    seat: int
    why: Declined


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The own player sits at that table already, by secrets that are not here."""

    seat: int


Notice: TypeAlias = (
    Told
    | LinkFailed
    | OtherTerms
    | WhereaboutsKnown
    | ChatHeard
    | RoomChanged
    | NoPlace
    | Forgotten
)
