"""A stream inside something else, made to look like a connection to TLS and links.

What carries it (a subchannel of magic-wormhole) lacks what TLS asks of a transport: it
cannot be aborted, it complains about what comes after a close, and it breaks down when
whoever reads it fails.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from twisted.internet.defer import maybeDeferred
from twisted.internet.error import ConnectionAborted, ConnectionDone, ConnectionLost
from twisted.internet.interfaces import IAddress, IPushProducer, ITransport
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.protocols.tls import TLSMemoryBIOProtocol
from twisted.python.failure import Failure
from zope.interface import implementer

from protocol.links.tls import TlsFactory

STREAMS_MAX: Final = 8
"""So many may be opened, one after another; who opens more is up to no good."""


@implementer(IAddress)
@dataclass(frozen=True, slots=True)
class Relayed:
    """Where the peer is of whom only a relay knows where it is."""

    host: str = "through the relay"
    relayed: bool = True


class Streams(Factory):
    """Gives one stream at a time to `factory`.

    `on_over` is called when one has ended; `cut` is to end what carries it.
    """

    noisy = False

    def __init__(
        self,
        reactor: Any,
        factory: TlsFactory,
        *,
        on_over: Callable[[], None],
        cut: Callable[[], None],
    ) -> None:
        self.reactor = reactor
        self.on_over = on_over
        self.cut = cut
        self._wrapped = factory
        self._stream: _Stream | None = None
        self._opened = 0

    @property
    def open(self) -> bool:
        """Whether there is a stream now."""
        return self._stream is not None and not self._stream.over

    def lose(self) -> None:
        """What carries the stream is no more."""
        if self._stream is not None:
            self._stream.lost(Failure(ConnectionLost()))

    def buildProtocol(self, addr: IAddress | None) -> "_Stream":
        self._opened += 1
        if self._opened > STREAMS_MAX:
            self.cut()
        if self.open or self._opened > STREAMS_MAX:
            return _Stream(self, None)
        self._stream = _Stream(self, self._wrapped.buildProtocol(Relayed()))
        return self._stream


@implementer(ITransport)
class _Stream(Protocol):
    """The protocol of a stream, and the transport of the TLS that it carries."""

    def __init__(self, streams: Streams, tls: TLSMemoryBIOProtocol | None) -> None:
        self.over = tls is None
        self._streams = streams
        self._tls = tls
        self._closing = False
        self._has_producer = False

    # -- from what carries it ------------------------------------------------

    def connectionMade(self) -> None:
        if self._tls is None:
            self._inner.loseConnection()
        else:
            self._guard(self._tls.makeConnection, self)

    def dataReceived(self, data: bytes) -> None:
        if not self.over and self._tls is not None:
            self._guard(self._tls.dataReceived, data)

    def connectionLost(self, reason: Any = connectionDone) -> None:
        # It comes as a bare exception.
        lost = reason if isinstance(reason, Failure) else Failure(ConnectionDone())
        self.lost(lost)

    def lost(self, reason: Failure) -> None:
        """The stream has ended; told once."""
        if self.over or self._tls is None:
            return
        self.over = True
        self._guard(self._tls.connectionLost, reason)
        self._streams.on_over()

    def _guard(self, call: Callable[..., None], *args: object) -> None:
        """What fails ends the stream: it may not reach what carries it."""
        maybeDeferred(call, *args).addErrback(self._failed)

    def _failed(self, failure: Failure) -> None:
        self.lost(failure)

    # -- a transport ---------------------------------------------------------

    @property
    def _inner(self) -> Any:
        return self.transport

    def write(self, data: bytes) -> None:
        if not (self.over or self._closing):
            self._inner.write(data)

    def writeSequence(self, data: Any) -> None:
        self.write(b"".join(data))

    def loseConnection(self) -> None:
        if not (self.over or self._closing):
            self._closing = True
            self._inner.loseConnection()

    def abortConnection(self) -> None:
        """Cut off also what carries it: a peer that says nothing says nothing there."""
        if not self.over:
            self._closing = True
            self._streams.reactor.callLater(0, self._abort)

    def _abort(self) -> None:
        self.lost(Failure(ConnectionAborted()))
        self._streams.cut()

    def getPeer(self) -> Relayed:
        return Relayed()

    def getHost(self) -> Relayed:
        return Relayed()

    def registerProducer(
        self,
        producer: IPushProducer,
        streaming: bool,  # noqa: FBT001 - Twisted's
    ) -> None:
        if self.over:
            producer.stopProducing()
            return
        self._has_producer = True
        self._inner.registerProducer(producer, streaming)

    def unregisterProducer(self) -> None:
        if self._has_producer and not self.over:
            self._has_producer = False
            self._inner.unregisterProducer()

    def pauseProducing(self) -> None:
        if not self.over:
            self._inner.pauseProducing()

    def resumeProducing(self) -> None:
        if not self.over:
            self._inner.resumeProducing()

    def stopProducing(self) -> None:
        if not self.over:
            self._inner.stopProducing()
