"""A host's porch: who has no invitation may look from there, and knock.

    knock --our nonce--> NAMED --its nonce--> ASKED --a person's yes--> let in

A person is disturbed little: at most 4 knocks wait for an answer, each for 3 minutes,
and only so many are taken at all; a key that was turned away is not asked about again
for 30 seconds, however often it knocks meanwhile: a no may have been a slip, or said to
words that nobody had compared yet. Whoever does not keep to the order, or shows another
nonce than it was bound to, is cut off.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeAlias

from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.interfaces import IDelayedCall
from twisted.python.failure import Failure

from protocol.crypto.knock import NONCE_BYTES, Exchange, commitment
from protocol.hello import (
    GuestHello,
    GuestNonce,
    HostNonce,
    Knock,
    Look,
    Refusal,
    Shown,
    write_greeting,
)
from protocol.links.budget import Allowance
from protocol.links.endings import End
from protocol.links.link import Link
from protocol.text import SafeText

KNOCKS_MAX: Final = 4
DECIDE_S: Final = 180.0
TURNED_AWAY_S: Final = 30.0
KNOCKS: Final = Allowance(burst=8, per_s=1 / 30)


@dataclass(frozen=True, slots=True)
class Knocker:
    """Who asks to be let in, and the four words that must be on its screen."""

    player: SafeText
    key: bytes
    words: str


class Public(Protocol):
    """What those may have who have no invitation."""

    def shown(self) -> Shown:
        """What everybody may know."""
        ...

    def knows(self, key: bytes) -> bool:
        """Whether this key has a seat already, which it need not ask for."""
        ...

    def ask(self, knocker: Knocker) -> "Deferred[bool]":
        """What a person says to it; cancelled when it does not matter any more.

        Asked only while `shown` says that somebody can be, and that a seat is free.
        """
        ...

    def let_in(self, key: bytes, ticket: bytes) -> Refusal | None:
        """The person has said yes: None if there is still a place, which is taken."""
        ...


Answer: TypeAlias = Callable[[Link, GuestHello, Refusal | None], None]


@dataclass(slots=True)
class _Waiting:
    """One who has knocked."""

    knock: Knock
    nonce: bytes
    ticket: bytes = b""
    question: "Deferred[bool] | None" = field(default=None)
    deadline: IDelayedCall | None = None


class Porch:
    """Hears those without an invitation; `answer` lets a link in or refuses it."""

    def __init__(
        self,
        reactor: Any,
        key: bytes,
        program: SafeText,
        public: Public,
        answer: Answer,
        *,
        nonce: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._reactor = reactor
        self._key = key
        self._program = program
        self._public = public
        self._answer = answer
        self._nonce = nonce
        self._waiting: dict[Link, _Waiting] = {}
        self._turned_away: dict[bytes, float] = {}
        self._knocks = KNOCKS.full(reactor.seconds())

    def heard(self, link: Link, greeting: Look | Knock | GuestNonce) -> bool:
        """What somebody has said; whether it now waits for a person."""
        match greeting:
            case Look():
                link.greet(write_greeting(self._public.shown()))
                link.close()
            case Knock() if link not in self._waiting:
                refusal = self._refusal(link.peer_key)
                if refusal is None:
                    self._name(link, greeting)
                else:
                    self._end(link, refusal)
            case GuestNonce(_, nonce) if self._is_bound(link, nonce):
                return self._ask(link, nonce)
            case _:
                link.abort(End.RUBBISH)
        return False

    def seat_taken(self) -> None:
        """Somebody was let in; if no seat is left nobody needs to be asked."""
        if not self._public.shown().free:
            for link in tuple(self._waiting):
                self._forget(link)
                self._end(link, Refusal.TABLE_FULL)

    def gone(self, link: Link) -> None:
        """The link is no more, and nobody needs to decide."""
        self._forget(link)

    def close(self) -> None:
        """Nobody is let in any more."""
        for link in tuple(self._waiting):
            link.abort(End.CLOSED)

    # -- inside --------------------------------------------------------------

    def _refusal(self, key: bytes) -> Refusal | None:
        """Why nobody is asked about a knock; if it may be asked about, it counts."""
        shown = self._public.shown()
        now = self._reactor.seconds()
        self._turned_away = {
            other: until for other, until in self._turned_away.items() if until > now
        }
        if self._public.knows(key):
            return Refusal.SEATED
        if not shown.asks:
            return Refusal.INVITED_ONLY
        if not shown.free:
            return Refusal.TABLE_FULL
        if key in self._turned_away:
            return Refusal.NOT_YET
        knocks = self._knocks.less(1, now)
        if len(self._waiting) >= KNOCKS_MAX or knocks.spent:
            return Refusal.BUSY
        self._knocks = knocks
        return None

    def _name(self, link: Link, knock: Knock) -> None:
        waiting = _Waiting(knock, self._nonce(NONCE_BYTES))
        self._waiting[link] = waiting
        link.greet(write_greeting(HostNonce(self._program, waiting.nonce)))

    def _is_bound(self, link: Link, nonce: bytes) -> bool:
        """Whether this is the nonce that a knock has hidden, shown in its time."""
        waiting = self._waiting.get(link)
        if waiting is None or waiting.question is not None:
            return False
        hidden = commitment(self._key, link.peer_key, nonce)
        return hidden == waiting.knock.commitment

    def _ask(self, link: Link, nonce: bytes) -> bool:
        waiting = self._waiting[link]
        exchange = Exchange(self._key, link.peer_key, waiting.nonce, nonce)
        knocker = Knocker(waiting.knock.player, link.peer_key, exchange.words)
        waiting.ticket = exchange.ticket
        waiting.deadline = self._reactor.callLater(DECIDE_S, self._too_late, link)
        link.hold()
        waiting.question = question = self._public.ask(knocker)
        question.addCallbacks(
            lambda yes: self._decided(link, yes=yes),
            lambda failure: _without_answer(failure),
        )
        return True

    def _decided(self, link: Link, *, yes: bool) -> None:
        waiting = self._forget(link)
        if waiting is None:
            return
        if yes:
            refusal = self._public.let_in(link.peer_key, waiting.ticket)
        else:
            refusal = Refusal.NOT_WANTED
            now = self._reactor.seconds()
            self._turned_away[link.peer_key] = now + TURNED_AWAY_S
        self._end(link, refusal)

    def _too_late(self, link: Link) -> None:
        self._forget(link)
        self._end(link, Refusal.NO_ANSWER)

    def _end(self, link: Link, refusal: Refusal | None) -> None:
        self._answer(link, GuestHello(self._program, None, None), refusal)

    def _forget(self, link: Link) -> _Waiting | None:
        waiting = self._waiting.pop(link, None)
        if waiting is None:
            return None
        if waiting.deadline is not None and waiting.deadline.active():
            waiting.deadline.cancel()
        if waiting.question is not None:
            waiting.question.cancel()
        return waiting


def _without_answer(failure: Failure) -> None:
    """The question was withdrawn."""
    failure.trap(CancelledError)
