"""How the other seats of a match are reached, and where they reach the own one.

For each key there are *ways*: each is a `Reach`, which gives a link to this key or says
`NotReached`. They are tried side by side, each after its head start, again and again,
until there is a link; then those rest that could bring no better one. So a link by a
better way takes over whenever it comes to be, and nothing is lost between the two: the
log sends what is missing on any link.

Of two links of one pair a direct one is better than one through a relay, and of two
alike the one that the smaller key has opened: both sides think the same of them. The
worse one is closed when the better one is newer, which is then known to live, or has
lived beside it long enough.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from twisted.internet.defer import Deferred, DeferredList
from twisted.internet.interfaces import IDelayedCall

from protocol.crypto.identity import Identity
from protocol.hello import HostHello
from protocol.links import LIMITS, Admit, Caller, End, Link, Listener, NotReached, Reach
from protocol.links.listening import Gallery
from protocol.links.porch import Public
from protocol.links.tls import TlsFactory
from protocol.step import Frame, Step
from scopa_net.app.one_seat import OneSeat
from scopa_net.app.peers import Peers
from scopa_net.notices import Notice

__all__ = ["CarryOut", "CarryOutLinked", "Contacts", "Hears", "Linked", "Way"]

CarryOut: TypeAlias = Callable[[Callable[[OneSeat], Step[Notice]]], None]


class Linked(Protocol):
    """A machine that has links, with a seat or without."""

    def connect(self, link: int) -> Step[Notice]:
        """A link is open."""
        ...

    def receive(self, link: int, data: bytes) -> Step[Notice]:
        """A frame has come in."""
        ...

    def disconnect(self, link: int) -> Step[Notice]:
        """A link is gone."""
        ...


CarryOutLinked: TypeAlias = Callable[[Callable[[Linked], Step[Notice]]], None]

PROVEN_S: Final = LIMITS.dead_s + 1.0
"""A link that is still there after so long beside another one lives."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to a key, tried when others have had `head_start_s`.

    One that is not `patient` ends when the peer says no; one that is `relayed` brings
    links through somebody's server, and rests when there is any other.
    """

    reach: Reach
    head_start_s: float = 0.0
    relayed: bool = False
    patient: bool = True


@dataclass(frozen=True, slots=True)
class Hears:
    """Who is told how it goes with the contacts.

    `carry_out`: the own seat is to be told what has happened on a link.
    `presence_changed`: somebody has come, gone, fallen silent, or is heard again.
    `answered`: somebody that was called has let us in; answers whether its link is to
    be used. `in_vain`: a key was not reached by one of its ways, and whether it is
    tried again.
    """

    carry_out: CarryOutLinked
    presence_changed: Callable[[], None]
    answered: Callable[[Link], bool]
    in_vain: Callable[[bytes, NotReached, bool], None]


class Contacts:
    """The links of the own seat, the ways to others, and the own door to the network.

    Nothing is dialed before `begin`. `jitter` is that of `Caller`.
    """

    def __init__(
        self,
        reactor: Any,
        identity: Identity,
        hears: Hears,
        *,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._reactor = reactor
        self._identity = identity
        self._hears = hears
        self._jitter = jitter
        self._peers = Peers(self)
        self._contacts: dict[bytes, _Contact] = {}
        self._listener: Listener | None = None
        self._begun = False
        self._over = False

    # -- how others reach us -------------------------------------------------

    def listen(
        self,
        address: tuple[str, int],
        hello: HostHello,
        admit: Admit,
        public: Public | None = None,
        gallery: Gallery | None = None,
    ) -> int:
        """Let in whom `admit` lets in; the port. Raises `NotListening`.

        Without a `public` nobody who is not invited is heard; those who watch are none
        of the contacts.
        """
        listener = Listener(
            self._reactor,
            self._identity,
            hello,
            self.take,
            admit=admit,
            public=public,
            gallery=gallery,
        )
        listener.open(*address)
        self._listener = listener
        return listener.port

    @property
    def door(self) -> TlsFactory | None:
        """What takes connections like those to the own port, if we listen."""
        return None if self._listener is None else self._listener.factory

    # -- how we reach others -------------------------------------------------

    def begin(self) -> None:
        """From now on try to reach everybody."""
        self._begun = True
        for contact in self._contacts.values():
            contact.begin()

    def reach(self, key: bytes, ways: Iterable[Way]) -> None:
        """Try these ways to a key too."""
        more = [(way, self._caller(key, way)) for way in ways]
        self._contact(key).go(more, now=self._begun and not self._over)

    def hurry(self, key: bytes | None = None) -> None:
        """Try again now whatever waits, to reach this key or everybody."""
        for each, contact in self._contacts.items():
            if key in {None, each}:
                contact.hurry()

    def close(self) -> "Deferred[None]":
        """Say goodbye on every link; fires when all that waited has gone out."""
        self._over = True
        for contact in self._contacts.values():
            contact.stop()
        waits = [self._peers.close()]
        if self._listener is not None:
            waits.append(self._listener.close())
        gone: Deferred[None] = Deferred()
        DeferredList(waits, consumeErrors=True).addBoth(lambda _: gone.callback(None))
        return gone

    # -- links ---------------------------------------------------------------

    @property
    def linked(self) -> frozenset[bytes]:
        """The keys of all who have a link to here."""
        return self._peers.linked

    @property
    def met(self) -> frozenset[bytes]:
        """The keys of all who have or had a link to here."""
        return frozenset(key for key, each in self._contacts.items() if each.met)

    @property
    def answering(self) -> frozenset[bytes]:
        """The keys of those who have been heard of just now."""
        return self._peers.answering

    def key_of(self, number: int) -> bytes:
        """Whose link it is; of one that is gone, nobody's."""
        return self._peers.key_of(number)

    def take(self, link: Link) -> None:
        """Use a link that has come to be."""
        contact = self._contact(link.peer_key)
        number = self._peers.take(link)
        if number is not None:
            contact.has(number, link)

    def send(self, frames: tuple[Frame, ...]) -> None:
        """Put frames on their links; one for a link that is gone goes nowhere."""
        self._peers.send(frames)

    def drop(self, number: int) -> None:
        """End a link on which nonsense has come."""
        self._peers.drop(number)

    # -- see `HearsLinks` ----------------------------------------------------

    def connected(self, number: int) -> None:
        """See `HearsLinks`."""
        self._hears.carry_out(lambda machine: machine.connect(number))

    def received(self, number: int, data: bytes) -> None:
        """See `HearsLinks`."""
        self._hears.carry_out(lambda machine: machine.receive(number, data))

    def disconnected(self, number: int, key: bytes) -> None:
        """See `HearsLinks`."""
        self._hears.carry_out(lambda machine: machine.disconnect(number))
        if not self._over:
            self._contact(key).lost(number)

    def presence_changed(self) -> None:
        """See `HearsLinks`."""
        self._hears.presence_changed()

    # -- inside --------------------------------------------------------------

    def _contact(self, key: bytes) -> "_Contact":
        if key not in self._contacts:
            self._contacts[key] = _Contact(self._reactor, self._identity.key, key)
        return self._contacts[key]

    def _caller(self, key: bytes, way: Way) -> Caller:
        def reached(link: Link) -> None:
            if self._hears.answered(link):
                self.take(link)
            else:
                link.abort(End.CLOSED)
                caller.lost()

        def in_vain(why: NotReached, delay_s: float | None) -> None:
            self._contact(key).rest()
            self._hears.in_vain(key, why, delay_s is not None)

        caller = Caller(
            self._reactor,
            way.reach,
            jitter=self._jitter,
            on_link=reached,
            on_trouble=in_vain,
            patient=way.patient,
            head_start_s=way.head_start_s,
        )
        return caller


@dataclass(frozen=True, slots=True)
class _Held:
    """An open link: when two are compared, the smaller is the better one."""

    relayed: bool
    by_larger_key: bool
    number: int
    link: Link

    @property
    def worth(self) -> tuple[bool, bool]:
        """Less is better."""
        return self.relayed, self.by_larger_key


class _Contact:
    """One other seat: the links to it, and the ways by which more may come."""

    def __init__(self, reactor: Any, own: bytes, key: bytes) -> None:
        self._ways: list[tuple[Way, Caller]] = []
        self._reactor = reactor
        self._own = own
        self._key = key
        self.met = False
        self._links: dict[int, _Held] = {}
        self._settling: IDelayedCall | None = None

    def begin(self) -> None:
        """Start what could bring a better link than there is."""
        for caller in self._wanted():
            caller.start()

    def hurry(self) -> None:
        """Try again now whatever waits."""
        for caller in self._wanted():
            caller.hurry()

    def go(self, more: list[tuple[Way, Caller]], *, now: bool) -> None:
        """Have these ways too; `now` says that they are to be begun."""
        self._ways += more
        if now:
            wanted = self._wanted()
            for _, caller in more:
                if caller in wanted:
                    caller.start()

    def stop(self) -> None:
        """Try nothing any more; links stay."""
        for _, caller in self._ways:
            caller.stop()
        self._ways = []
        if self._settling is not None and self._settling.active():
            self._settling.cancel()

    def has(self, number: int, link: Link) -> None:
        """There is one more link."""
        self.met = True
        ours = isinstance(link.peer_hello, HostHello)
        larger = ours == (self._own > self._key)
        self._links[number] = _Held(link.relayed, larger, number, link)
        self.rest()
        self._settle()

    def rest(self) -> None:
        """Stop what could bring no better link than there is.

        A better one that is under way already may have been taken by the other side,
        which then gives up a worse one for it.
        """
        if not self._links:
            return
        best = min(held.worth for held in self._links.values())
        wanted = self._wanted()
        for way, caller in self._ways:
            better = (way.relayed, self._own > self._key) < best
            if caller not in wanted and not (caller.dialing and better):
                caller.rest()

    def lost(self, number: int) -> None:
        """A link is no more."""
        self._links.pop(number, None)
        for caller in self._wanted():
            caller.lost()

    def _wanted(self) -> list[Caller]:
        best = min((held.relayed for held in self._links.values()), default=None)
        return [
            caller
            for way, caller in self._ways
            if best is None or (best and not way.relayed)
        ]

    def _settle(self, *, proven: bool = False) -> None:
        """Close links that are worse than another one which is known to live."""
        if len(self._links) < 2:
            return
        best = min(self._links.values(), key=lambda held: (held.worth, -held.number))
        for held in tuple(self._links.values()):
            if held is not best and (proven or held.number < best.number):
                held.link.close(End.REPLACED)
        if len(self._links) > 1 and not (self._settling and self._settling.active()):
            self._settling = self._reactor.callLater(
                PROVEN_S, lambda: self._settle(proven=True)
            )
