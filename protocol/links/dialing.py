"""Dialing a host: all its addresses, raced, until one proves the invitation's key.

After RFC 8305 (Happy Eyeballs): the next address is tried when the last has failed or
250 ms have passed, IPv6 and IPv4 in turns. What counts is not who answers first but who
first proves the right key, so another machine at one of the addresses does no harm.

What is said then is a `Talk`: a guest's with its hello is here, and of those who have
no invitation in `protocol.links.knocking`.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from twisted.internet import error
from twisted.internet.abstract import isIPAddress, isIPv6Address
from twisted.internet.defer import CancelledError, Deferred, fail
from twisted.internet.interfaces import (
    IAddress,
    IConnector,
    IDelayedCall,
    IHostResolution,
    IResolutionReceiver,
)
from twisted.internet.protocol import ClientFactory
from twisted.python.failure import Failure
from zope.interface import implementer

from protocol.crypto.identity import Identity
from protocol.hello import (
    HOST_HELLO_BYTES_MAX,
    Greeting,
    GuestHello,
    HostHello,
    OtherVersion,
    Refused,
    WatcherHello,
    read_greeting,
    versions_differ,
    write_greeting,
)
from protocol.invite import HOSTS_MAX, Invite, bracketed
from protocol.links.endings import End, NotReached, Why
from protocol.links.link import LIMITS, Limits, Link
from protocol.links.tls import Pinned, TlsFactory, is_tls_failure, peer_key

DEADLINE_S: Final = 10.0
CARRIED_DEADLINE_S: Final = 30.0
STAGGER_S: Final = 0.25
_CARRIED: Final = "the other end of the relay"

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody listens: addresses or names of one machine, and a port."""

    hosts: tuple[str, ...]
    port: int

    def __str__(self) -> str:
        return f"{bracketed(self.hosts[0])}:{self.port}"


class Carrier(Protocol):
    """What leads to one peer without an address of it."""

    def dial(self, factory: TlsFactory) -> "Deferred[None]":
        """Open a stream to the peer and give it to `factory`, or say `NotReached`."""
        ...


class Foreign(Exception):
    """What has come is not what a program of this kind says here."""


class Talk(Protocol[T_co]):
    """What a caller says to who has proven a key, and what it makes of the answers."""

    def accepts(self, key: bytes) -> bool:
        """Whether the owner of this key is to be talked to."""
        ...

    def stranger(self, where: str) -> NotReached:
        """What to say of one at `where` whose key is not accepted."""
        ...

    def first(self, link: Link) -> bytes:
        """What is said first."""
        ...

    def heard(self, link: Link, greeting: Greeting | None) -> T_co | None:
        """What the call has come to, or None if it goes on: then nothing presses.

        Raises `Foreign`.
        """
        ...


def dial(
    reactor: Any,
    invite: Invite,
    identity: Identity,
    hello: GuestHello | WatcherHello,
    *,
    deadline_s: float = DEADLINE_S,
    limits: Limits = LIMITS,
) -> "Deferred[Link]":
    """A link to the host of `invite`, which has let us in; or `NotReached`.

    May be cancelled. The link tells nothing before its `start`.
    """
    if invite.pin == identity.key:
        return fail(
            NotReached(
                Why.OWN_INVITE,
                "This invitation is your own: it is for another player, or for "
                "another data folder.",
            )
        )
    place = Place(invite.hosts, invite.port)
    talk = _Coming(invite.pin, hello)
    return converse(
        reactor, place, identity, talk, deadline_s=deadline_s, limits=limits
    )


def dial_through(
    reactor: Any,
    carrier: Carrier,
    pin: bytes,
    identity: Identity,
    hello: GuestHello | WatcherHello,
    *,
    deadline_s: float = CARRIED_DEADLINE_S,
    limits: Limits = LIMITS,
) -> "Deferred[Link]":
    """A link to who holds the key `pin`, has let us in and is reached by `carrier`.

    Or `NotReached`. May be cancelled.
    """
    talk = _Coming(pin, hello)
    call = _Call(reactor, Place((_CARRIED,), 0), identity, talk, limits)
    call.begin_through(carrier, deadline_s)
    return call.answer


def converse(
    reactor: Any,
    place: Place,
    identity: Identity,
    talk: Talk[T],
    *,
    deadline_s: float = DEADLINE_S,
    limits: Limits = LIMITS,
) -> "Deferred[T]":
    """What `talk` with whoever answers at `place` comes to; or `NotReached`.

    May be cancelled.
    """
    call = _Call(reactor, place, identity, talk, limits)
    call.begin(deadline_s)
    return call.answer


class _Coming:
    """The talk of a guest with an invitation, or one that comes again."""

    def __init__(self, pin: bytes, hello: GuestHello | WatcherHello) -> None:
        self._pin = pin
        self._hello = hello

    def accepts(self, key: bytes) -> bool:
        """See `Talk`."""
        return key == self._pin

    def stranger(self, where: str) -> NotReached:
        """See `Talk`."""
        return NotReached(
            Why.WRONG_PIN,
            f"The program at {where} is not the one that made this invitation: ask the "
            "host for a new one.",
        )

    def first(self, _link: Link) -> bytes:
        """See `Talk`."""
        return write_greeting(self._hello)

    def heard(self, link: Link, greeting: Greeting | None) -> Link:
        """See `Talk`."""
        if not isinstance(greeting, HostHello):
            raise Foreign
        link.open(greeting)
        return link


class _Call(Generic[T]):
    """All attempts to reach one host; ends with one answer."""

    def __init__(
        self,
        reactor: Any,
        place: Place,
        identity: Identity,
        talk: Talk[T],
        limits: Limits,
    ) -> None:
        self.answer: Deferred[T] = Deferred(lambda _: self._end())
        self.reactor = reactor
        self.place = place
        self.identity = identity
        self.talk = talk
        self.limits = limits
        self.over = False
        self.held = False
        """Whether a person on the other side is to decide."""
        self.winner: _Attempt[T] | None = None
        self._addresses: deque[str] = deque()
        self._known = 0
        self._resolving = 0
        self._attempts: list[_Attempt[T]] = []
        self._failures: list[NotReached] = []
        self._timers: dict[str, IDelayedCall] = {}

    def begin(self, deadline_s: float) -> None:
        """Dial whatever is known at once, and ask for the addresses of names."""
        self._after("deadline", deadline_s, lambda: self._too_late(deadline_s))
        for host in self.place.hosts:
            if isIPAddress(host) or isIPv6Address(host):
                self._add((host,))
            else:
                self._resolving += 1
                self.reactor.nameResolver.resolveHostName(
                    _Addresses(self.resolved, host), host, self.place.port
                )
        self._next()

    def begin_through(self, carrier: Carrier, deadline_s: float) -> None:
        """Go the one way there is."""
        self._after("deadline", deadline_s, lambda: self._too_late(deadline_s))
        attempt = _Carried(self, carrier)
        self._attempts.append(attempt)
        attempt.begin()

    def resolved(self, host: str, addresses: Sequence[str]) -> None:
        """A name means these addresses."""
        if self.over:
            return
        self._resolving -= 1
        if not addresses:
            why = Why.UNKNOWN_HOST
            self._failures.append(
                NotReached(why, f"There is no machine that is called {host}.")
            )
        self._add(_in_turns(addresses))
        if "stagger" not in self._timers:
            self._next()

    def won(self, attempt: "_Attempt[T]") -> bool:
        """Whether this attempt, which has proven the key, is the first."""
        if self.over or self.winner is not None:
            return False
        self.winner = attempt
        self._stop("stagger")
        self._addresses.clear()
        for other in tuple(self._attempts):
            if other is not attempt:
                other.give_up()
        return True

    def succeed(self, found: T) -> None:
        """The talk has come to this."""
        self.over = True
        self._stop("deadline")
        self.answer.callback(found)

    def go_on(self) -> None:
        """The talk goes on, and nothing presses."""
        self.held = True
        self._stop("deadline")

    def failed(self, attempt: "_Attempt[T]", why: NotReached) -> None:
        """An attempt has come to nothing."""
        if self.over or attempt not in self._attempts:
            return
        self._attempts.remove(attempt)
        if self.winner is attempt:
            self._fail(why)
        elif self.winner is None:
            self._failures.append(why)
            self._next()

    def _add(self, addresses: Sequence[str]) -> None:
        room = HOSTS_MAX - self._known
        self._addresses += addresses[:room]
        self._known += len(addresses[:room])

    def _next(self) -> None:
        """Dial the next address, if there is one; fail if nothing is left to hope."""
        self._stop("stagger")
        if self.over or self.winner is not None:
            return
        if self._addresses:
            self._after("stagger", STAGGER_S, self._next)
            attempt = _Attempt(self, self._addresses.popleft())
            self._attempts.append(attempt)
            attempt.begin()
        elif not self._attempts and not self._resolving:
            self._fail(max(self._failures, key=NotReached.telling))

    def _too_late(self, deadline_s: float) -> None:
        where = str(self.place) if self.place.port else _CARRIED
        sentence = f"{where} did not answer within {deadline_s:g} seconds."
        self._failures.append(NotReached(Why.TIMED_OUT, sentence))
        self._fail(max(self._failures, key=NotReached.telling))

    def _fail(self, why: NotReached) -> None:
        self._end()
        self.answer.errback(why)

    def _end(self) -> None:
        self.over = True
        self._addresses.clear()
        for name in tuple(self._timers):
            self._stop(name)
        for attempt in tuple(self._attempts):
            attempt.give_up()

    def _after(self, name: str, delay_s: float, call: Any) -> None:
        self._timers[name] = self.reactor.callLater(delay_s, call)

    def _stop(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None and timer.active():
            timer.cancel()


class _Attempt(ClientFactory, Generic[T]):
    """One address of the host; also the Greeter of the link to it."""

    noisy = False

    def __init__(self, call: _Call[T], address: str) -> None:
        self._call = call
        self._where = f"{bracketed(address)}:{call.place.port}"
        self._address = address
        self._pinned = Pinned(call.identity, call.talk.accepts)
        self._connector: IConnector | None = None
        self._link: Link | None = None

    def begin(self) -> None:
        """Connect."""
        reactor = self._call.reactor
        factory = TlsFactory(self._pinned, self, reactor, dials=True)
        self._connector = reactor.connectTCP(
            self._address, self._call.place.port, factory, timeout=DEADLINE_S
        )

    def give_up(self) -> None:
        """Leave no trace."""
        if self._link is not None:
            self._link.abort(End.CLOSED)
        elif self._connector is not None:
            self._connector.stopConnecting()

    # -- a Twisted factory ---------------------------------------------------

    def buildProtocol(self, addr: IAddress | None) -> Link:
        self._link = Link(
            self._call.reactor,
            self,
            peer_key,
            greeting_bytes_max=HOST_HELLO_BYTES_MAX,
            limits=self._call.limits,
        )
        return self._link

    def clientConnectionFailed(self, connector: IConnector, reason: Failure) -> None:
        if reason.check(error.ConnectionRefusedError):
            why = Why.NOBODY_LISTENS
            sentence = f"Nobody listens at {self._where}: is the host still there?"
        elif reason.check(error.TimeoutError, error.TCPTimedOutError):
            why = Why.TIMED_OUT
            sentence = f"{self._where} did not answer."
        else:
            why = Why.UNREACHABLE
            sentence = f"{self._where} cannot be reached from this machine."
        self._failed(why, sentence)

    # -- a Greeter -----------------------------------------------------------

    def secured(self, link: Link) -> None:
        """See `Greeter`: the guest speaks first."""
        talk = self._call.talk
        if talk.accepts(link.peer_key) and self._call.won(self):
            link.greet(talk.first(link))
        else:
            link.abort(End.CLOSED)

    def greeted(self, link: Link, data: bytes) -> None:
        """See `Greeter`."""
        greeting = read_greeting(data)
        match greeting:
            case Refused():
                self._failed(Why.REFUSED, greeting.sentence, greeting)
            case OtherVersion(program, version):
                self._failed(Why.OTHER_VERSION, versions_differ(version, program))
            case _:
                if self._talked(link, greeting):
                    return
                self._foreign()
        link.abort(End.CLOSED)

    def gone(self, link: Link, failure: Failure) -> None:
        """See `Greeter`."""
        if self._pinned.refused:
            self._call.failed(self, self._call.talk.stranger(self._where))
        elif self._call.held:
            self._failed(
                Why.HUNG_UP, f"The program at {self._where} has gone without an answer."
            )
        elif link.end is End.SILENT:
            self._failed(
                Why.TIMED_OUT, f"{self._where} took the call and said nothing."
            )
        elif link.end is End.OVERLONG or is_tls_failure(failure):
            self._foreign()
        else:
            self._failed(
                Why.HUNG_UP,
                f"{self._where} hung up before it said anything: it may be busy; "
                "try again in a moment.",
            )

    def _talked(self, link: Link, greeting: Greeting | None) -> bool:
        try:
            found = self._call.talk.heard(link, greeting)
        except Foreign:
            return False
        if found is None:
            self._call.go_on()
        else:
            self._call.succeed(found)
        return True

    def _foreign(self) -> None:
        self._failed(
            Why.FOREIGN, f"What answers at {self._where} is no program of this kind."
        )

    def _failed(self, why: Why, sentence: str, refused: Refused | None = None) -> None:
        refusal = None if refused is None else refused.refusal
        self._call.failed(self, NotReached(why, sentence, refusal))


class _Carried(_Attempt[T]):
    """The same through what is no address."""

    def __init__(self, call: _Call[T], carrier: Carrier) -> None:
        super().__init__(call, _CARRIED)
        self._where = _CARRIED
        self._carrier = carrier
        self._opening: Deferred[None] | None = None

    def begin(self) -> None:
        """Connect."""
        factory = TlsFactory(self._pinned, self, self._call.reactor, dials=True)
        self._opening = self._carrier.dial(factory)
        self._opening.addErrback(self._not_opened)

    def give_up(self) -> None:
        """Leave no trace."""
        if self._link is not None:
            self._link.abort(End.CLOSED)
        elif self._opening is not None:
            self._opening.cancel()

    def _not_opened(self, failure: Failure) -> None:
        if failure.check(CancelledError) is None:
            failure.trap(NotReached)
            assert isinstance(failure.value, NotReached)
            self._call.failed(self, failure.value)


@implementer(IResolutionReceiver)
class _Addresses:
    """Gathers what a name resolves to."""

    def __init__(
        self, resolved: Callable[[str, Sequence[str]], None], host: str
    ) -> None:
        self._resolved = resolved
        self._host = host
        self._found: list[str] = []

    def resolutionBegan(self, resolution: IHostResolution) -> None:
        """See `IResolutionReceiver`."""

    def addressResolved(self, address: IAddress) -> None:
        self._found.append(str(getattr(address, "host", "")))

    def resolutionComplete(self) -> None:
        self._resolved(self._host, self._found)


def _in_turns(addresses: Sequence[str]) -> list[str]:
    """IPv6 and IPv4 in turns, IPv6 first."""
    unique = list(dict.fromkeys(addresses))
    six = [address for address in unique if ":" in address]
    four = [address for address in unique if ":" not in address]
    both = [each for pair in zip(six, four, strict=False) for each in pair]
    return [*both, *(each for each in unique if each not in both)]
