"""Going to a table without an invitation: a look at it, or a knock at its door.

Who listens there is whoever answers: a look is believed by nobody, and what is gone on
with after a knock is a table whose host has read the same four words.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from twisted.internet.defer import Deferred

from protocol.crypto.identity import Identity
from protocol.crypto.knock import NONCE_BYTES, Exchange, commitment
from protocol.hello import (
    Greeting,
    GuestNonce,
    HostHello,
    HostNonce,
    Knock,
    Look,
    Shown,
    write_greeting,
)
from protocol.links.dialing import DEADLINE_S, Foreign, Place, converse
from protocol.links.endings import End, NotReached, Why
from protocol.links.link import Link
from protocol.text import SafeText


@dataclass(frozen=True, slots=True)
class Seen:
    """A table that was looked at: its host's key, and how long an answer took."""

    key: bytes
    shown: Shown
    ping_s: float


@dataclass(frozen=True, slots=True)
class LetIn:
    """A link on which a person has let us in."""

    link: Link
    exchange: Exchange


def look(
    reactor: Any,
    place: Place,
    identity: Identity,
    program: SafeText,
    *,
    deadline_s: float = DEADLINE_S,
) -> "Deferred[Seen]":
    """What is to be seen at `place`, or `NotReached`; may be cancelled.

    The table learns the key of `identity`, which may be one that is made for it.
    """
    talk = _Looking(reactor.seconds, identity.key, Look(program))
    return converse(reactor, place, identity, talk, deadline_s=deadline_s)


def knock(
    reactor: Any,
    place: Place,
    identity: Identity,
    player: SafeText,
    program: SafeText,
    on_words: Callable[[Exchange], None],
) -> "Deferred[LetIn]":
    """A link to whoever listens at `place`, when a person there has said yes.

    `on_words` is told what both people are to read. Fails with `NotReached`; may be
    cancelled, which is how one leaves.
    """
    nonce = secrets.token_bytes(NONCE_BYTES)
    talk = _Knocking(identity.key, player, program, nonce, on_words)
    return converse(reactor, place, identity, talk)


class _Looking:
    """The talk of somebody who only looks."""

    def __init__(self, seconds: Callable[[], float], own: bytes, said: Look) -> None:
        self._seconds = seconds
        self._own = own
        self._said = said
        self._since_s = 0.0

    def accepts(self, key: bytes) -> bool:
        """See `Talk`."""
        return key != self._own

    def stranger(self, where: str) -> NotReached:
        """See `Talk`."""
        return _own_table(where)

    def first(self, _link: Link) -> bytes:
        """See `Talk`."""
        self._since_s = self._seconds()
        return write_greeting(self._said)

    def heard(self, link: Link, greeting: Greeting | None) -> Seen:
        """See `Talk`."""
        if not isinstance(greeting, Shown):
            raise Foreign
        link.abort(End.CLOSED)
        return Seen(link.peer_key, greeting, self._seconds() - self._since_s)


class _Knocking:
    """The talk of somebody who knocks and waits."""

    def __init__(
        self,
        own: bytes,
        player: SafeText,
        program: SafeText,
        nonce: bytes,
        on_words: Callable[[Exchange], None],
    ) -> None:
        self._own = own
        self._player = player
        self._program = program
        self._nonce = nonce
        self._on_words = on_words
        self._exchange: Exchange | None = None

    def accepts(self, key: bytes) -> bool:
        """See `Talk`."""
        return key != self._own

    def stranger(self, where: str) -> NotReached:
        """See `Talk`."""
        return _own_table(where)

    def first(self, link: Link) -> bytes:
        """See `Talk`."""
        hidden = commitment(link.peer_key, self._own, self._nonce)
        return write_greeting(Knock(self._program, self._player, hidden))

    def heard(self, link: Link, greeting: Greeting | None) -> LetIn | None:
        """See `Talk`."""
        match greeting:
            case HostNonce(_, nonce) if self._exchange is None:
                exchange = Exchange(link.peer_key, self._own, nonce, self._nonce)
                self._exchange = exchange
                link.greet(write_greeting(GuestNonce(self._program, self._nonce)))
                link.hold()
                self._on_words(exchange)
                return None
            case HostHello() if self._exchange is not None:
                link.open(greeting)
                return LetIn(link, self._exchange)
        raise Foreign


def _own_table(where: str) -> NotReached:
    return NotReached(
        Why.OWN_INVITE,
        f"The table at {where} is your own: another player needs another data folder.",
    )
