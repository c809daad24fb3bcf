"""Scenes on real sockets of this machine, each in a process of its own.

`python -m tests.protocol.links.scenario NAME` plays one and prints what came of it as
JSON. A process, because a reactor can be started only once.
"""

import asyncio
import json
import socket
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from twisted.internet.asyncioreactor import AsyncioSelectorReactor
from twisted.internet.defer import Deferred
from twisted.internet.main import installReactor
from twisted.internet.task import deferLater

from protocol.crypto.identity import Identity
from protocol.hello import Door, GuestHello
from protocol.invite import Invite
from protocol.links import (
    LIMITS,
    End,
    Limits,
    Link,
    Listener,
    NotListening,
    NotReached,
    dial,
)
from tests.protocol.links.party import (
    GUEST,
    GUEST_HELLO,
    HOST,
    HOST_HELLO,
    NONCE,
    OTHER,
    PROGRAM,
    TICKET,
)

PATIENCE_S = 30.0


class Ear:
    """Remembers what it is told, and can be waited for."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.silences: list[bool] = []
        self.ended: Deferred[End] = Deferred()

    def frame(self, data: bytes) -> None:
        self.frames.append(data)

    def suspect(self, *, silent: bool) -> None:
        self.silences.append(silent)

    def lost(self, end: End) -> None:
        self.ended.callback(end)


class Stage:
    """A host on this machine, and ways to reach it."""

    def __init__(self, reactor: Any, limits: Limits = LIMITS) -> None:
        self.reactor = reactor
        self.links: list[Link] = []
        self.ears: list[Ear] = []
        door = Door(NONCE, [TICKET], places=1)
        self.listener = Listener(
            reactor, HOST, HOST_HELLO, self._came, admit=door.admit, limits=limits
        )

    def _came(self, link: Link) -> None:
        self.links.append(link)
        self.ears.append(Ear())
        link.start(self.ears[-1])

    async def sleep(self, seconds: float) -> None:
        await deferLater(self.reactor, seconds, lambda: None)

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            await self.sleep(0.01)

    def call(
        self,
        *hosts: str,
        port: int | None = None,
        who: Identity = GUEST,
        pin: bytes = HOST.key,
        hello: GuestHello = GUEST_HELLO,
    ) -> "Deferred[Link]":
        there = self.listener.port if port is None else port
        first, *others = hosts or ("127.0.0.1",)
        where = Invite(first, there, pin, TICKET, tuple(others))
        return dial(self.reactor, where, who, hello)

    async def failure(self, answer: "Deferred[Link]") -> list[object]:
        try:
            await answer
        except NotReached as bad:
            return [bad.why.value, bad.exit_code, bad.sentence]
        return ["reached"]


async def conversation(stage: Stage) -> object:
    stage.listener.open("127.0.0.1", 0)
    guest = await stage.call()
    ear = Ear()
    guest.start(ear)
    frames = [bytes((i,)) * (i * 500 + 1) for i in range(60)]
    for frame in frames:
        guest.send(frame)
        stage.links[0].send(frame)
    await stage.until(lambda: len(ear.frames) == len(stage.ears[0].frames) == 60)
    guest.close()
    return {
        "same": ear.frames == frames == stage.ears[0].frames,
        "port": stage.listener.port > 0,
        "keys": [guest.peer_key == HOST.key, stage.links[0].peer_key == GUEST.key],
        "ends": [(await ear.ended).name, (await stage.ears[0].ended).name],
        "address": stage.links[0].address,
    }


async def every_address(stage: Stage) -> object:
    stage.listener.open("", 0)
    reached = {}
    for host in ("127.0.0.1", "::1", "localhost"):
        link = await stage.call(host)
        link.start(Ear())
        reached[host] = link.is_open
    return reached


async def taken_port(stage: Stage) -> object:
    stage.listener.open("127.0.0.1", 0)
    said = []
    for where in ("127.0.0.1", ""):
        other = Stage(stage.reactor)
        try:
            other.listener.open(where, stage.listener.port)
        except NotListening as bad:
            said.append([str(bad), bad.exit_code])
    await stage.call()
    return {"said": said, "links": len(stage.links)}


async def nobody_listens(stage: Stage) -> object:
    stage.listener.open("127.0.0.1", 0)
    port = stage.listener.port
    await stage.listener.close()
    return await stage.failure(stage.call("127.0.0.1", "::1", port=port))


async def refusals(stage: Stage) -> object:
    stage.listener.open("127.0.0.1", 0)
    wrong = GuestHello(PROGRAM, b"x" * 16, None)
    told = {
        "pin": await stage.failure(stage.call(pin=OTHER.key)),
        "ticket": await stage.failure(stage.call(hello=wrong)),
    }
    link = await stage.call()
    told["used"] = await stage.failure(stage.call(who=OTHER))
    again = GuestHello(PROGRAM, None, NONCE)
    newer = await stage.call(hello=again)
    await stage.until(lambda: not link.is_open)
    return {**told, "again": newer.is_open, "first": (await stage.ears[0].ended).name}


async def foreign_hosts(stage: Stage) -> object:
    """What a guest makes of a web server, and of one that says nothing."""
    told = []
    for answer in (b"HTTP/1.1 400 Bad Request\r\n\r\n", b""):

        async def serve(
            reader: asyncio.StreamReader,
            writer: asyncio.StreamWriter,
            answer: bytes = answer,
        ) -> None:
            await reader.read(100)
            writer.write(answer)
            writer.close()

        loop = asyncio.get_event_loop()
        starting = asyncio.start_server(serve, "127.0.0.1", 0)
        server = await Deferred.fromFuture(loop.create_task(starting))
        port = server.sockets[0].getsockname()[1]
        told.append((await stage.failure(stage.call(port=port)))[:2])
        server.close()
    return told


async def crowd(stage: Stage) -> object:
    """A hundred connections that do nothing, and a match that does not notice."""
    stage.listener.open("127.0.0.1", 0)
    guest = await stage.call()
    guest.start(Ear())
    crowd = []
    for _ in range(100):
        one = socket.socket()
        one.setblocking(False)  # noqa: FBT003 - its own
        one.connect_ex(("127.0.0.1", stage.listener.port))
        crowd.append(one)
    await stage.until(lambda: stage.listener.turned_away["crowded"] >= 96)
    guest.send(b"undisturbed")
    await stage.until(lambda: stage.ears[0].frames == [b"undisturbed"])
    await stage.until(lambda: stage.listener.turned_away["silent"] == 4)
    for one in crowd:
        one.close()
    return {"open": guest.is_open, "away": stage.listener.turned_away["crowded"]}


async def rubbish(stage: Stage) -> object:
    stage.listener.open("127.0.0.1", 0)
    guest = await stage.call()
    guest.start(Ear())
    for data in (b"GET / HTTP/1.1\r\n\r\n", b"\x00" * 20_000, b"\x16\x03\x01"):
        with socket.create_connection(("127.0.0.1", stage.listener.port)) as one:
            one.sendall(data)
            await stage.sleep(0.1)
    guest.send(b"undisturbed")
    await stage.until(lambda: stage.ears[0].frames == [b"undisturbed"])
    return {"open": guest.is_open, "away": sum(stage.listener.turned_away.values())}


async def never_reads(stage: Stage) -> object:
    stage.listener.open("127.0.0.1", 0)
    guest = await stage.call()
    guest.start(Ear())
    transport: Any = guest.transport
    transport.pauseProducing()
    host = stage.links[0]
    sent = 0
    while host.is_open:
        host.send(b"x" * 65_536)
        sent += 1
        await stage.sleep(0)
    return {"end": (await stage.ears[0].ended).name, "bounded": sent < 500}


async def unanswered_goodbye(stage: Stage) -> object:
    """twisted#7926: a peer that answers no TLS goodbye would hold us for ever."""
    stage.listener.open("127.0.0.1", 0)
    guest = await stage.call()
    guest.start(Ear())
    transport: Any = guest.transport
    transport.pauseProducing()
    stage.links[0].close()
    began = stage.reactor.seconds()
    end = await stage.ears[0].ended
    return {"end": end.name, "in_time": stage.reactor.seconds() - began < 8}


async def silence(stage: Stage) -> object:
    """A peer whose program stands still."""
    stage.listener.open("127.0.0.1", 0)
    guest = await stage.call()
    ear = Ear()
    guest.start(ear)
    transport: Any = guest.transport
    transport.stopReading()
    guest._stop_timers()
    end = await stage.ears[0].ended
    guest.abort(End.CLOSED)
    await ear.ended
    return {"end": end.name, "silences": stage.ears[0].silences}


QUICK = Limits(close_s=0.5)
HASTY = Limits(heartbeat_s=0.3, suspect_s=0.6, dead_s=1.2)
SCENES: dict[str, tuple[Callable[[Stage], Awaitable[object]], Limits]] = {
    scene.__name__: (scene, limits)
    for scene, limits in (
        (conversation, LIMITS),
        (every_address, LIMITS),
        (taken_port, LIMITS),
        (nobody_listens, LIMITS),
        (refusals, LIMITS),
        (foreign_hosts, LIMITS),
        (crowd, LIMITS),
        (rubbish, LIMITS),
        (never_reads, QUICK),
        (unanswered_goodbye, QUICK),
        (silence, HASTY),
    )
}


def main(name: str) -> None:
    loop = asyncio.SelectorEventLoop()
    asyncio.set_event_loop(loop)
    reactor = AsyncioSelectorReactor(loop)
    installReactor(reactor)
    scene, limits = SCENES[name]

    def played() -> None:
        playing: Deferred[object] = Deferred.fromCoroutine(
            scene(Stage(reactor, limits))  # type: ignore[arg-type]
        )
        playing.addTimeout(PATIENCE_S, reactor)
        playing.addCallback(lambda came: print(json.dumps(came)))  # noqa: T201
        playing.addErrback(lambda failure: failure.printTraceback(sys.stderr))
        playing.addBoth(lambda _: reactor.stop())

    reactor.callWhenRunning(played)
    reactor.run()


if __name__ == "__main__":
    main(sys.argv[1])
