"""Computers on one fake network, each with addresses of its own."""

from dataclasses import dataclass
from typing import Any

from twisted.internet import error
from twisted.internet.address import IPv4Address

from protocol.links import Link
from tests.protocol.links.network import Connector, Net, Wire


class Lan(Net):
    """Computers by address, and the cables between them."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__(seed)
        self.listening: dict[tuple[str, int], Any] = {}
        self.blocked: set[frozenset[str]] = set()
        self.relays: dict[str, tuple[str, int]] = {}
        """Addresses at which a relay leads to somebody."""
        self._callers: dict[int, str] = {}
        self.dialed_by: list[Wire] = []
        """The ends of all connections at which they were made."""
        self._ports = 5_000

    def free_port(self) -> int:
        self._ports += 1
        return self._ports

    def call(
        self, caller: str, host: str, port: int, factory: Any, timeout: float
    ) -> Connector:
        there = self.listening.get((host, port), error.ConnectionRefusedError())
        if host in self.relays:
            there = self.listening[self.relays[host]]
        if frozenset((caller, host)) in self.blocked:
            there = error.TimeoutError()
        self.machines[host] = there
        self._callers[id(factory)] = caller
        return self.connectTCP(host, port, factory, timeout)

    def join(
        self,
        dials: Any,
        listens: Any,
        host: str = "10.0.0.9",
        caller: str = "10.0.0.1",
    ) -> Wire:
        near = super().join(dials, listens, host, self._callers.pop(id(dials), caller))
        near.relayed = near.other.relayed = host in self.relays
        self.dialed_by.append(near)
        return near

    def between(self, one: str, other: str) -> list[Wire]:
        """Every end of every connection of two computers."""
        ends = {one, other}
        return [
            wire
            for wire in self.wires
            if not wire.lost and {wire.host, wire.other.host} == ends
        ]

    def cut(self, one: str, other: str) -> None:
        """From now on nothing passes between them, and nobody is told."""
        self.blocked.add(frozenset((one, other)))
        for wire in self.between(one, other):
            wire.cut = True

    def mend(self, one: str, other: str) -> None:
        """What is sent from now on, on new connections, passes again."""
        self.blocked.discard(frozenset((one, other)))

    def break_links(self, one: str, other: str) -> None:
        """All connections of the two end, and both are told."""
        for wire in self.between(one, other):
            wire.lose(error.ConnectionLost())


class Computer:
    """What one program takes for the reactor."""

    def __init__(self, lan: Lan, address: str) -> None:
        self.lan = lan
        self.address = address
        self.seconds = lan.seconds
        self.callLater = lan.callLater
        self.nameResolver = lan

    def connectTCP(
        self, host: str, port: int, factory: Any, timeout: float = 30
    ) -> Connector:
        return self.lan.call(self.address, host, port, factory, timeout)

    def listenTCP(self, port: int, factory: Any, interface: str = "") -> "Port":
        number = port or self.lan.free_port()
        self.lan.listening[self.address, number] = factory
        return Port(self, number)


@dataclass
class Port:
    """A port that is listened at."""

    computer: Computer
    number: int

    def getHost(self) -> IPv4Address:
        return IPv4Address("TCP", self.computer.address, self.number)

    def stopListening(self) -> None:
        places = self.computer.lan.listening
        places.pop((self.computer.address, self.number), None)


def is_open(wire: Wire) -> bool:
    """Whether the two have greeted each other on it, and none has left."""
    link = getattr(wire.protocol, "wrappedProtocol", wire.protocol)
    return isinstance(link, Link) and link.is_open
