"""A network in memory under the real TLS: seeded, on a clock that tests turn.

A `Net` stands for the reactor of everybody. What is written waits in its wire, as in a
socket's buffer, until the net carries it over in pieces of random size.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from twisted.internet import error
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IDelayedCall, IPushProducer, ITransport
from twisted.internet.protocol import Protocol
from twisted.internet.task import Clock
from twisted.python.failure import Failure
from zope.interface import implementer

from protocol.links import End, Link

BUFFER_BYTES = 65_536
STEP_S = 0.05


@dataclass(frozen=True)
class Relay:
    """Where a wire leads that passes through somebody's server."""

    host: str
    relayed: bool = True


@implementer(ITransport)
class Wire:
    """One end of a connection, as the protocol on it sees its transport."""

    def __init__(self, net: "Net", host: str) -> None:
        self.net = net
        self.host = host
        self.other: Wire = self
        self.protocol: Any = None
        self.out = bytearray()
        self.stalled = False
        """The other end reads nothing."""
        self.reads = True
        """Whether this end reads, as the protocol on it wants."""
        self.cut = False
        """What is sent goes nowhere, and nobody is told."""
        self.slow = 0
        """If not 0, so many bytes are carried over at a time."""
        self.relayed = False
        """Whether it leads through somebody's server."""
        self.closing = False
        self.lost = False
        self._producer: IPushProducer | None = None
        self._paused = False

    def write(self, data: bytes) -> None:
        if self.lost or self.closing:
            return
        self.out += data
        if self._producer is not None and len(self.out) > BUFFER_BYTES:
            self._paused = True
            self._producer.pauseProducing()

    def writeSequence(self, pieces: Any) -> None:
        self.write(b"".join(pieces))

    def loseConnection(self) -> None:
        self.closing = True

    def abortConnection(self) -> None:
        self.out.clear()
        self.net.callLater(0, self.lose, error.ConnectionAborted())
        if not self.cut:
            self.net.callLater(0, self.other.lose, error.ConnectionLost())

    def registerProducer(self, producer: IPushProducer, streaming: bool) -> None:
        self._producer = producer

    def unregisterProducer(self) -> None:
        self._producer = None

    def pauseProducing(self) -> None:
        self.reads = False

    def resumeProducing(self) -> None:
        self.reads = True

    def getPeer(self) -> Any:
        return Relay(self.host) if self.relayed else IPv4Address("TCP", self.host, 1)

    def getHost(self) -> IPv4Address:
        return IPv4Address("TCP", "127.0.0.1", 2)

    def lose(self, why: Exception) -> None:
        if not self.lost:
            self.lost = True
            self.protocol.connectionLost(Failure(why))

    def carry(self, rng: Random) -> bool:
        """Take some bytes over; whether anything has moved."""
        if self.lost:
            return False
        if self.cut:
            self.out.clear()
        if self.out and not self.stalled and self.other.reads:
            size = self.slow or rng.randint(1, rng.choice((3, 300, 30_000)))
            data = bytes(self.out[:size])
            del self.out[:size]
            if not self.other.lost:
                self.other.protocol.dataReceived(data)
            if not self.out and self._paused and self._producer is not None:
                self._paused = False
                self._producer.resumeProducing()
            return not self.slow
        if self.closing and not self.out and not self.cut:
            self.lose(error.ConnectionDone())
            self.other.lose(error.ConnectionDone())
            return True
        return False


@dataclass
class Connector:
    """A connection that is being made."""

    net: "Net"
    factory: Any
    made: bool = False
    over: bool = False
    timer: IDelayedCall | None = None

    def stopConnecting(self) -> None:
        if self.made or self.over:
            raise error.NotConnectingError
        self.fail(error.UserError())

    def fail(self, why: Exception) -> None:
        if not self.over and not self.made:
            self.over = True
            if self.timer is not None and self.timer.active():
                self.timer.cancel()
            self.factory.clientConnectionFailed(self, Failure(why))


class Net(Clock):
    """Machines by address: a factory that answers, or the error of who dials them."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__()
        self.rng = Random(seed)
        self.machines: dict[str, Any] = {}
        self.names: dict[str, list[str]] = {}
        self.wires: list[Wire] = []
        self.stalled = False
        """Whether new connections stand still."""
        self.dialed: list[tuple[float, str]] = []
        self.nameResolver = self

    def connectTCP(
        self, host: str, port: int, factory: Any, timeout: float = 30
    ) -> Connector:
        connector = Connector(self, factory)
        self.dialed.append((round(self.seconds(), 3), host))
        there = self.machines.get(host, error.TimeoutError())
        if isinstance(there, error.TimeoutError):
            connector.timer = self.callLater(timeout, connector.fail, there)
        elif isinstance(there, Exception):
            self.callLater(0.01, connector.fail, there)
        else:
            self.callLater(0.01, self._connect, connector, there, host)
        return connector

    def resolveHostName(self, receiver: Any, name: str, port: int) -> None:
        def answer() -> None:
            receiver.resolutionBegan(None)
            for host in self.names.get(name, []):
                kind = IPv6Address if ":" in host else IPv4Address
                receiver.addressResolved(kind("TCP", host, port))
            receiver.resolutionComplete()

        self.callLater(0.01, answer)

    def _connect(self, connector: Connector, there: Any, host: str) -> None:
        if connector.over:
            return
        connector.made = True
        self.join(connector.factory, there, host)

    def join(
        self,
        dials: Any,
        listens: Any,
        host: str = "10.0.0.9",
        caller: str = "10.0.0.1",
    ) -> Wire:
        """Connect two factories; the wire on which the dialing one writes."""
        near, far = Wire(self, host), Wire(self, caller)
        near.other, far.other = far, near
        near.protocol = dials.buildProtocol(IPv4Address("TCP", host, 1))
        far.protocol = listens.buildProtocol(IPv4Address("TCP", caller, 1))
        if far.protocol is None:
            far.protocol = Protocol()
            far.closing = True
        near.stalled = far.stalled = self.stalled
        self.wires += [near, far]
        far.protocol.makeConnection(far)
        near.protocol.makeConnection(near)
        return near

    def settle(self) -> None:
        """Carry everything over that is on its way, in no time."""
        for _ in range(100_000):
            self.advance(0)
            moved = [wire.carry(self.rng) for wire in list(self.wires)]
            if not any(moved):
                return
        raise AssertionError("the wires never come to rest")

    def run(self, seconds: float) -> None:
        """Let time pass in small steps."""
        until = self.seconds() + seconds
        self.settle()
        while self.seconds() < until - 1e-9:
            self.advance(min(STEP_S, until - self.seconds()))
            self.settle()


@dataclass
class Ear:
    """Remembers what it is told."""

    clock: Clock
    frames: list[bytes] = field(default_factory=list)
    told: list[tuple[float, object]] = field(default_factory=list)
    on_frame: Callable[[bytes], None] | None = None

    def frame(self, data: bytes) -> None:
        self.frames.append(data)
        if self.on_frame is not None:
            self.on_frame(data)

    def suspect(self, *, silent: bool) -> None:
        self.told.append((self._now(), "silent" if silent else "heard"))

    def lost(self, end: End) -> None:
        self.told.append((self._now(), end))

    def _now(self) -> float:
        return round(self.clock.seconds(), 1)

    @property
    def endings(self) -> list[object]:
        return [what for _, what in self.told if isinstance(what, End)]


def hear(net: Net, link: Link) -> Ear:
    """Start a link; who hears it."""
    ear = Ear(net)
    link.start(ear)
    return ear
