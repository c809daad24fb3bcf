"""When the own player is ready for a table to start.

At a table of three or more a person at a terminal says so, and may take it back; a
program is ready at once, and so is everybody at a table of two, which starts when the
other has come. Nobody is ready before it is considered who the others are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from twisted.internet.defer import CancelledError, Deferred, maybeDeferred
from twisted.python.failure import Failure

from protocol.room import Room
from scopa_net.app.carrying import CarriedScore
from scopa_net.app.contacts import CarryOut
from scopa_net.app.introductions import Introductions, NotWhoYouKnow
from scopa_net.app.meeting import Meeting
from scopa_net.app.questions import Questions
from scopa_net.rules import Variant
from scopa_net.ui.gathering import NOT_READY, READY, READY_QUESTION
from scopa_net.ui.introductions import turned_away

__all__ = ["Gatherer", "Readiness", "TellsOfRoom"]

_LEAVE = frozenset({"quit", "q"})


class TellsOfRoom(Protocol):
    """Who is told who has come to a larger table; see `Audience`."""

    def room(self, room: Room, own: bytes) -> None:
        """So many have come, of whom one has the `own` key."""
        ...

    def trouble(self, why: str) -> None:
        """Somebody was turned away."""
        ...


@dataclass(frozen=True, slots=True)
class Gatherer:
    """Who comes to a table, and what of the own program it is done with.

    `introductions` are a person's, and `score` is what is kept of a match that is
    carried on; `refuse` hears why the own player would not sit down, and `leave` that
    it goes instead.
    """

    own: bytes
    questions: Questions
    audience: TellsOfRoom
    introductions: Introductions | None
    score: Callable[[Variant], CarriedScore]
    carry_out: CarryOut
    refuse: Callable[[Failure], None]
    leave: Callable[[], None]


class Readiness:
    """Considers who is there, and asks the person, where there is one to be asked."""

    def __init__(self, who: Gatherer) -> None:
        self._who = who
        self._willing = True
        self._asked: Deferred[str | None] | None = None
        self._room: Room | None = None
        self._meeting: Meeting | None = None
        self._considering: Deferred[None] | None = None

    def hesitates(self, variant: Variant) -> bool:
        """Whether there is anything to consider before one sits down."""
        return bool(self._who.introductions or variant.carried)

    def is_asked_for(self, players: int) -> bool:
        """Whether the own player is to say when it is ready."""
        return players > 2 and self._who.questions.answered_by_a_person

    def ask(self) -> None:
        """Ask for as long as there is no table; other questions come in between."""
        self._willing = False
        self._ask(READY_QUESTION)

    def room_changed(self, room: Room, meeting: Meeting) -> None:
        """Somebody has come or gone: it has to be considered anew who is there."""
        if room.seats > 2:
            self._who.audience.room(room.shown(), self._who.own)
        known = self._room is not None and self._room.digest == room.digest
        if known or not self.hesitates(meeting.variant):
            return
        self._room, self._meeting = room, meeting
        if self._who.introductions is not None:
            self._who.introductions.meet(room)
        if self._willing:
            self._consider()

    def give_up(self) -> None:
        """It does not matter any more: the table has started."""
        self._give_up_considering()
        asked, self._asked = self._asked, None
        if asked is not None and not asked.called:
            asked.cancel()

    # -- inside --------------------------------------------------------------

    def _ask(self, *lines: str) -> None:
        self._asked = asked = self._who.questions.ask_line(*lines, patient=True)
        asked.addCallback(self._answered)
        asked.addErrback(lambda failure: failure.trap(CancelledError) and None)

    def _answered(self, line: str | None) -> None:
        self._asked = None
        if line is None or line.strip().lower() in _LEAVE:
            self._who.leave()
        elif line.strip():
            self._ask(READY if self._willing else READY_QUESTION)
        else:
            self._willing = not self._willing
            self._ask(READY if self._willing else NOT_READY)
            if self._willing:
                self._consider()
            else:
                self._give_up_considering()
                self._who.carry_out(lambda machine: machine.agree(None))

    def _consider(self) -> None:
        """Nobody is ready before the player agrees to who the others are."""
        room, meeting = self._room, self._meeting
        if room is None or meeting is None:
            return
        self._give_up_considering()
        self._considering = considering = maybeDeferred(self._asked_all, room, meeting)
        considering.addCallback(self._agree, room.digest)
        considering.addErrback(self._would_not, meeting)

    def _asked_all(self, room: Room, meeting: Meeting) -> "Deferred[None]":
        met = self._who.introductions
        asks = None if met is None or meeting.hosting else self._who.questions
        considered = self._who.score(meeting.variant).consider(room, asks)
        if met is not None:
            considered.addCallback(lambda _: met.consider(room))
        return considered

    def _agree(self, _: None, room: bytes) -> None:
        self._considering = None
        self._who.carry_out(lambda machine: machine.agree(room))

    def _would_not(self, failure: Failure, meeting: Meeting) -> None:
        """A host turns away whom its player does not want; a guest goes."""
        why = failure.value
        if isinstance(why, CancelledError):
            return
        self._considering = None
        if not (meeting.hosting and isinstance(why, NotWhoYouKnow)):
            self._who.refuse(failure)
            return
        key = why.who.key
        self._who.audience.trouble(turned_away(why.who))
        self._who.carry_out(lambda machine: machine.turn_away(key))

    def _give_up_considering(self) -> None:
        considering, self._considering = self._considering, None
        if considering is not None:
            considering.cancel()
