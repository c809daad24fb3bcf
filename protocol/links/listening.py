"""Listening for guests on all addresses of this machine, or on one.

A stranger costs little: 16 connections may wait to be let in, 4 of them from one
address, each for 5 seconds and a kilobyte, whatever it sends or does not send. And
since what TLS answers to the first bytes of a stranger is most of the work, there may
be only so many calls a second. From those who have a seat strangers take nothing: what
comes from where such a one was last counts for that address alone.
"""

import errno
import socket
from collections import Counter
from collections.abc import Callable
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any, Final, Protocol, TypeAlias

from twisted.internet.defer import Deferred, DeferredList, maybeDeferred
from twisted.internet.error import CannotListenError
from twisted.internet.interfaces import IAddress, IListeningPort
from twisted.internet.protocol import Factory
from twisted.python.failure import Failure

from protocol.crypto.identity import Identity
from protocol.faults import LocalProtocolError
from protocol.hello import (
    GUEST_HELLO_BYTES_MAX,
    GuestHello,
    GuestNonce,
    HostHello,
    Knock,
    Look,
    OtherVersion,
    Refusal,
    Refused,
    WatcherHello,
    read_greeting,
    write_greeting,
)
from protocol.links.budget import Allowance, Budget
from protocol.links.endings import End, NotListening
from protocol.links.link import LIMITS, Limits, Link
from protocol.links.porch import Porch, Public
from protocol.links.tls import Pinned, TlsFactory, peer_key

WAITING_MAX: Final = 16
WAITING_OF_ADDRESS_MAX: Final = 4
CALLS: Final = Allowance(burst=128, per_s=32)
CALLS_OF_ADDRESS: Final = Allowance(burst=32, per_s=4)
_FREE_PORT_TRIES: Final = 8

Admit: TypeAlias = Callable[[bytes, GuestHello], Refusal | None]


class Gallery(Protocol):
    """Where those go who only watch."""

    def admit(self, key: bytes, hello: WatcherHello) -> Refusal | None:
        """None if the owner of this key may watch."""
        ...

    def take(self, link: Link) -> None:
        """Somebody watches from now on; see `on_link`."""
        ...


class _Reception(Factory):
    """Makes a link for each connection that there is room for."""

    noisy = False

    def __init__(self, make: Callable[[str], Link | None]) -> None:
        self._make = make

    def buildProtocol(self, addr: IAddress | None) -> Link | None:
        return self._make(str(getattr(addr, "host", "")))


class Listener:
    """A host's door to the network: guests that `admit` lets in become links.

    `admit` is asked about each guest, with the key that it has proven; `on_link` gets
    those let in, and must call `Link.start`. One key has one link: the newest.
    `turned_away` counts connections that came to nothing, by the reason. Without a
    `public` only the invited are heard, and nobody may look, and without a `gallery`
    nobody watches.
    """

    def __init__(
        self,
        reactor: Any,
        identity: Identity,
        hello: HostHello,
        on_link: Callable[[Link], None],
        *,
        admit: Admit,
        public: Public | None = None,
        gallery: Gallery | None = None,
        limits: Limits = LIMITS,
    ) -> None:
        self.turned_away: Counter[str] = Counter()
        self._reactor = reactor
        self._hello = hello
        self._on_link = on_link
        self._admit = admit
        self._gallery = gallery
        self._limits = limits
        self._porch = (
            None
            if public is None
            else Porch(reactor, identity.key, hello.program, public, self._answer)
        )
        self._ports: list[IListeningPort] = []
        self._waiting: dict[Link, str] = {}
        self._calls = CALLS.full(reactor.seconds())
        self._calls_of: dict[str, Budget] = {}
        # Where each key that has a seat came from last.
        self._homes: dict[bytes, str] = {}
        self._links: dict[bytes, Link] = {}
        # Of the keys that were let in: as many as guests, and a few who watch.
        self._budgets: dict[bytes, tuple[Budget, Budget]] = {}
        self.factory = TlsFactory(
            Pinned(identity, lambda key: key != identity.key),
            _Reception(self._arrived),
            reactor,
            dials=False,
        )

    # -- for the program -----------------------------------------------------

    def open(self, host: str = "", port: int = 0) -> None:
        """Listen at a numeric address, or at all; port 0 is any free one.

        Raises `NotListening`, with a sentence, if this machine does not allow it.
        """
        if self._ports:
            raise LocalProtocolError(host, port)
        if host:
            self._ports = [self._listen(host, port)]
        else:
            self._ports = self._listen_everywhere(port)

    @property
    def port(self) -> int:
        """The port that guests are to dial."""
        return int(getattr(self._ports[0].getHost(), "port"))  # noqa: B009 - untyped

    def close(self) -> "Deferred[None]":
        """Let nobody in any more; links that are open stay so."""
        ports, self._ports = self._ports, []
        for link in tuple(self._waiting):
            link.abort(End.CLOSED)
        if self._porch is not None:
            self._porch.close()
        stopped = DeferredList(
            [maybeDeferred(port.stopListening) for port in ports], consumeErrors=True
        )
        return stopped.addCallback(lambda _: None)

    # -- a Greeter of the links that wait ------------------------------------

    def secured(self, link: Link) -> None:
        """See `Greeter`: the guest speaks first."""

    def greeted(self, link: Link, data: bytes) -> None:
        """See `Greeter`."""
        hello = read_greeting(data)
        match hello:
            case GuestHello():
                self._answer(link, hello, self._admit(link.peer_key, hello))
            case WatcherHello():
                self._answer(link, hello, self._may_watch(link, hello))
            case OtherVersion():
                self._refuse(link, Refusal.WRONG_VERSION)
            case Look() | Knock() | GuestNonce():
                if self._porch is None:
                    self._refuse(link, Refusal.INVITED_ONLY)
                elif self._porch.heard(link, hello):
                    # Whoever waits for a person is counted there.
                    self._waiting.pop(link, None)
            case _:
                link.abort(End.RUBBISH)

    def gone(self, link: Link, failure: Failure) -> None:
        """See `Greeter`."""
        if self._porch is not None:
            self._porch.gone(link)
        if self._waiting.pop(link, None) is not None:
            end = "broken" if link.end is None else link.end.name.lower()
            self.turned_away[end] += 1
        if self._links.get(link.peer_key) is link:
            del self._links[link.peer_key]
            self._budgets[link.peer_key] = link.hearing, link.sending

    def _afford(self, link: Link) -> bool:
        """Whether one more link is in its peer's budgets, which then go with it."""
        now = self._reactor.seconds()
        before = self._links.get(link.peer_key, link)
        budgets = before.hearing, before.sending
        if before is link:
            budgets = self._budgets.get(link.peer_key, budgets)
        hearing, sending = (
            budget.less(budget.allowance.link_cost, now) for budget in budgets
        )
        if hearing.spent or sending.spent:
            return False
        link.hearing, link.sending = hearing, sending
        return True

    def _may_watch(self, link: Link, hello: WatcherHello) -> Refusal | None:
        if self._gallery is None:
            return Refusal.WRONG_TICKET
        return self._gallery.admit(link.peer_key, hello)

    def _answer(
        self, link: Link, hello: GuestHello | WatcherHello, refusal: Refusal | None
    ) -> None:
        """Let a guest in unless it is refused, or costs too much."""
        if refusal is None and not self._afford(link):
            refusal = Refusal.BUSY
        if refusal is None:
            self._let_in(link, hello)
        else:
            self._refuse(link, refusal)

    def _let_in(self, link: Link, hello: GuestHello | WatcherHello) -> None:
        self._waiting.pop(link, None)
        before = self._links.get(link.peer_key)
        self._links[link.peer_key] = link
        if isinstance(hello, GuestHello) and not link.relayed:
            self._homes[link.peer_key] = _plain(link.address)
        link.greet(write_greeting(self._hello))
        link.open(hello)
        if before is not None:
            before.abort(End.REPLACED)
        if self._porch is not None:
            self._porch.seat_taken()
        if self._gallery is not None and isinstance(hello, WatcherHello):
            self._gallery.take(link)
        else:
            self._on_link(link)

    def _refuse(self, link: Link, refusal: Refusal) -> None:
        self.turned_away[refusal.name.lower()] += 1
        link.greet(write_greeting(Refused(self._hello.program, refusal)))
        link.close()

    def _arrived(self, host: str) -> Link | None:
        address = _plain(host)
        homes = set(self._homes.values())
        waiting = Counter(self._waiting.values())
        strangers = sum(count for other, count in waiting.items() if other not in homes)
        known = address in homes
        crowded = waiting[address] >= WAITING_OF_ADDRESS_MAX or (
            not known and strangers >= WAITING_MAX
        )
        if crowded or not self._may_call(address, known=known):
            self.turned_away["crowded"] += 1
            return None
        link = Link(
            self._reactor,
            self,
            peer_key,
            greeting_bytes_max=GUEST_HELLO_BYTES_MAX,
            limits=self._limits,
        )
        self._waiting[link] = address
        return link

    def _may_call(self, address: str, *, known: bool) -> bool:
        """Whether one more call is not too much; then it counts."""
        now = self._reactor.seconds()
        before = self._calls_of.get(address) or CALLS_OF_ADDRESS.full(now)
        calls = self._calls.less(0 if known else 1, now)
        calls_of_address = before.less(1, now)
        if calls_of_address.spent or (calls.spent and not known):
            return False
        self._calls = calls
        # Whoever has not called for long is as good as unknown.
        self._calls_of = {
            other: budget
            for other, budget in self._calls_of.items()
            if budget.less(0, now).left < CALLS_OF_ADDRESS.burst
        } | {address: calls_of_address}
        return True

    # -- ports ---------------------------------------------------------------

    def _listen(self, host: str, port: int) -> IListeningPort:
        try:
            return self._bind(host, port)
        except OSError as bad:
            raise NotListening(_sentence(bad, host, port)) from bad

    def _listen_everywhere(self, port: int) -> list[IListeningPort]:
        """Listen on `::`, and on `0.0.0.0` where the former does not mean both."""
        for _ in range(_FREE_PORT_TRIES):
            try:
                six = self._bind("::", port)
            except OSError as bad:
                if bad.errno in {errno.EADDRINUSE, errno.EACCES}:
                    raise NotListening(_sentence(bad, "", port)) from bad
                return [self._listen("0.0.0.0", port)]
            if _takes_both(six):
                return [six]
            real = int(getattr(six.getHost(), "port"))  # noqa: B009 - untyped
            try:
                return [six, self._bind("0.0.0.0", real)]
            except OSError as bad:
                six.stopListening()
                if port != 0 or bad.errno != errno.EADDRINUSE:
                    raise NotListening(_sentence(bad, "", port)) from bad
        raise NotListening("This machine has no port that is free for IPv4 and IPv6.")

    def _bind(self, host: str, port: int) -> IListeningPort:
        """Listen there; raises OSError."""
        try:
            bound: IListeningPort = self._reactor.listenTCP(
                port, self.factory, interface=host
            )
        except CannotListenError as bad:
            if isinstance(bad.socketError, OSError):
                raise bad.socketError from bad
            raise OSError(str(bad.socketError)) from bad
        return bound


def _takes_both(port: IListeningPort) -> bool:
    bound = getattr(port, "socket", None)
    if not isinstance(bound, socket.socket):
        return False
    return not bound.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)


def _plain(host: str) -> str:
    """Where somebody is, in one form.

    IPv4 looks like ::ffff:1.2.3.4 to an IPv6 port; of other IPv6 addresses whoever has
    one has 2^64, so their network counts.
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Network((int(address), 64), strict=False))


def _sentence(bad: OSError, host: str, port: int) -> str:
    match bad.errno:
        case errno.EADDRINUSE:
            return (
                f"Another program on this machine listens on port {port} already: "
                "choose another port, or 0 for any free one."
            )
        case errno.EACCES | errno.EPERM:
            return (
                f"Listening on port {port} is not allowed to this program: "
                "choose a port above 1023."
            )
        case errno.EADDRNOTAVAIL:
            return f"{host} is no address of this machine."
        case _:
            where = host or "all addresses"
            return f"Listening on {where}, port {port}, failed: {bad.strerror}."
