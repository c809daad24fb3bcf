"""Scenes of programs that meet by codes; `play_introduction.py` plays one."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from autobahn.twisted.websocket import WebSocketServerFactory, WebSocketServerProtocol
from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.endpoints import HostnameEndpoint, connectProtocol
from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.internet.task import deferLater
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from wormhole._dilation.connection import Disconnect

from protocol.codes import BadCode, Servers
from protocol.hello import Door
from protocol.invite import Invite
from protocol.links import LIMITS, Limits, Link, Listener, NotReached, wormhole
from protocol.links.dialing import dial_through
from protocol.links.introducing import Offer, Pair, accept, check_words
from protocol.links.tls import Pinned, TlsFactory
from protocol.links.wormhole import Introduction
from tests.protocol.links.party import (
    GUEST,
    GUEST_HELLO,
    HOST,
    HOST_HELLO,
    NONCE,
    TICKET,
)
from tests.protocol.links.scenario import Ear

NOWHERE = Invite("127.0.0.1", 9, HOST.key, TICKET)


class Stage:
    """A host's door without a port, and the servers."""

    def __init__(self, reactor: Any, servers: Servers, limits: Limits) -> None:
        self.reactor = reactor
        self.limits = limits
        self.servers = servers
        self.links: list[Link] = []
        self.ears: list[Ear] = []
        self.codes: list[str] = []
        self.troubles: list[list[object]] = []
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

    async def until(self, holds: Callable[[], object]) -> None:
        while not holds():
            await self.sleep(0.01)

    def offer(self) -> Any:
        def trouble(why: NotReached, again: bool) -> None:
            self.troubles.append([why.why.value, why.sentence, again])

        offer = Offer(
            self.reactor,
            self.servers,
            str(NOWHERE),
            self.listener.factory,
            on_code=self.codes.append,
            on_trouble=trouble,
        )
        offer.start()
        return offer

    async def newest_code(self, number: int = 1) -> str:
        await self.until(lambda: len(self.codes) >= number)
        return self.codes[-1]

    def accept(self, code: str) -> "Deferred[Any]":
        return accept(self.reactor, self.servers, code)

    def through(self, introduction: Any) -> "Deferred[Link]":
        return dial_through(
            self.reactor,
            introduction,
            HOST.key,
            GUEST,
            GUEST_HELLO,
            limits=self.limits,
        )

    async def failure(self, answer: "Deferred[Any]") -> list[object]:
        try:
            await answer
        except NotReached as bad:
            return [bad.why.value, bad.exit_code, bad.sentence]
        return ["reached"]

    async def talk(self, guest: Link, ear: Ear) -> bool:
        """Whether sixty frames each way come whole and in order."""
        frames = [bytes((i,)) * (i * 500 + 1) for i in range(60)]
        here, there = self.ears[-1].frames, ear.frames
        before_here, before_there = len(here), len(there)
        for frame in frames:
            guest.send(frame)
            self.links[-1].send(frame)
        await self.until(lambda: len(here) == before_here + 60)
        await self.until(lambda: len(there) == before_there + 60)
        return here[before_here:] == there[before_there:] == frames


async def conversation(stage: Stage) -> object:
    began = stage.reactor.seconds()
    stage.offer()
    accepted = await stage.accept(await stage.newest_code())
    guest = await stage.through(accepted.introduction)
    took_s = stage.reactor.seconds() - began
    ear = Ear()
    guest.start(ear)
    same = await stage.talk(guest, ear)
    relayed = [guest.relayed, stage.links[0].relayed]
    guest.close()
    return {
        "same": same,
        "took": took_s,
        "invited": accepted.invite == NOWHERE,
        "keys": [guest.peer_key == HOST.key, stage.links[0].peer_key == GUEST.key],
        "relayed": relayed,
        "ends": [(await ear.ended).name, (await stage.ears[0].ended).name],
    }


async def wrong_words(stage: Stage) -> object:
    stage.offer()
    code = await stage.newest_code()
    number, _, words = code.partition("-")
    other = "adroitness-absurd" if words != "adroitness-absurd" else "adviser-acme"
    guest = await stage.failure(stage.accept(f"{number}-{other}"))
    accepted = await stage.accept(await stage.newest_code(2))
    link = await stage.through(accepted.introduction)
    return {
        "guest": guest,
        "host": stage.troubles,
        "new": stage.codes[0] != stage.codes[1],
        "open": link.is_open,
    }


async def guessing(stage: Stage) -> object:
    stage.offer()
    for tried in range(1, 4):
        number, *_ = (await stage.newest_code(tried)).split("-")
        await stage.failure(stage.accept(f"{number}-adroitness-absurd"))
        await stage.until(lambda: len(stage.troubles) == tried)  # noqa: B023
    await stage.sleep(0.5)
    return {"codes": len(stage.codes), "last": stage.troubles[-1]}


async def useless_codes(stage: Stage) -> object:
    try:
        check_words("7-adroitness-abzurd")
        misheard = ""
    except BadCode as bad:
        misheard = str(bad)
    check_words("7-adroitness-absurd")
    reactor, servers = stage.reactor, stage.servers
    killed = Introduction(reactor, servers)
    code = await killed.allocate()
    # A program that is killed says no goodbye, so its place stays taken.
    killed._cut()
    waiting = stage.accept(code)
    await stage.sleep(0.3)
    third = stage.accept(code)
    crowded = await stage.failure(third)
    waiting.addErrback(lambda failure: failure.trap(CancelledError))
    waiting.cancel()
    return {
        "misheard": misheard,
        "crowded": crowded,
        "nobody": await stage.failure(
            accept(reactor, servers, "987654-adroitness-absurd", within_s=0.3)
        ),
    }


class Rude(Protocol):
    """Answers a websocket's first words with its own."""

    def dataReceived(self, data: bytes) -> None:
        assert self.transport is not None
        self.transport.write(b"HTTP/1.1 200 OK\r\n\r\nhello")
        self.transport.loseConnection()


class Babbling(WebSocketServerProtocol):
    """A mailbox server that says what none says."""

    def onOpen(self) -> None:
        self.sendMessage(b"[]")  # type: ignore[no-untyped-call]


async def no_servers(stage: Stage) -> object:
    empty = Servers("ws://127.0.0.1:9/v1", stage.servers.relay)
    port = stage.reactor.listenTCP(0, Factory.forProtocol(Rude), interface="127.0.0.1")
    rude = replace(empty, mailbox=f"ws://127.0.0.1:{port.getHost().port}/v1")
    babble = WebSocketServerFactory()  # type: ignore[no-untyped-call]
    babble.protocol = Babbling
    port = stage.reactor.listenTCP(0, babble, interface="127.0.0.1")
    babbling = replace(empty, mailbox=f"ws://127.0.0.1:{port.getHost().port}/v1")
    found = {}
    for name, stage.servers in (("empty", empty), ("rude", rude)):
        found[name] = await stage.failure(stage.accept("7-adroitness-absurd"))
    told = accept(stage.reactor, babbling, "7-adroitness-absurd", within_s=1)
    found["babbling"] = await stage.failure(told)
    stage.servers = rude
    stage.offer()
    await stage.until(lambda: stage.troubles)
    return {**found, "host": stage.troubles[0]}


async def no_relay(stage: Stage) -> object:
    stage.servers = replace(stage.servers, relay="tcp:127.0.0.1:9")
    stage.offer()
    accepted = await stage.accept(await stage.newest_code())
    factory = TlsFactory(
        Pinned(GUEST, lambda _: True),
        Factory.forProtocol(Rude),
        stage.reactor,
        dials=True,
    )
    return await stage.failure(accepted.introduction.dial(factory, 0.5))


class Pipe(Protocol):
    """One end of a connection that a proxy carries on."""

    other: "Pipe | None" = None

    def __init__(self, proxy: "Proxy") -> None:
        self.proxy = proxy
        self.early: list[bytes] = []

    def connectionMade(self) -> None:
        self.proxy.pipes.append(self)

    def dataReceived(self, data: bytes) -> None:
        if self.proxy.stalled:
            return
        if self.other is None or self.other.transport is None:
            self.early.append(data)
        else:
            self.other.transport.write(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        if self.other is not None and self.other.transport and not self.proxy.stalled:
            self.other.transport.loseConnection()


class Proxy(Factory):
    """Stands before a server, and may cut it off or swallow what is said."""

    def __init__(self, reactor: Any, server_place: str, port: int = 0) -> None:
        self.stalled = False
        self.pipes: list[Pipe] = []
        host, _, there = server_place.partition(":")
        self._there = HostnameEndpoint(reactor, host, int(there))
        listening = reactor.listenTCP(port, self, interface="127.0.0.1")
        self.place = f"127.0.0.1:{listening.getHost().port}"

    def buildProtocol(self, addr: IAddress | None) -> Pipe:
        near, far = Pipe(self), Pipe(self)
        near.other, far.other = far, near

        def connected(_: object) -> None:
            assert far.transport is not None
            far.transport.write(b"".join(near.early))

        connectProtocol(self._there, far).addCallback(connected)
        return near

    def cut(self) -> None:
        pipes, self.pipes = self.pipes, []
        for pipe in pipes:
            transport: Any = pipe.transport
            transport.abortConnection()


async def through_a_proxy(stage: Stage) -> tuple[Proxy, Any, Link, Ear]:
    proxy = Proxy(stage.reactor, stage.servers.relay_place)
    stage.servers = replace(stage.servers, relay=f"tcp:{proxy.place}")
    offer = stage.offer()
    accepted = await stage.accept(await stage.newest_code())
    guest = await stage.through(accepted.introduction)
    ear = Ear()
    guest.start(ear)
    offer.stop()
    return proxy, accepted.introduction, guest, ear


async def cut_connection(stage: Stage) -> object:
    proxy, _, guest, ear = await through_a_proxy(stage)
    before = await stage.talk(guest, ear)
    proxy.cut()
    began = stage.reactor.seconds()
    after = await stage.talk(guest, ear)
    return {
        "same": before and after,
        "gap": stage.reactor.seconds() - began,
        "silences": ear.silences,
    }


async def swallowed(stage: Stage) -> object:
    proxy, introduction, _, ear = await through_a_proxy(stage)
    proxy.stalled = True
    ends = [(await ear.ended).name, (await stage.ears[0].ended).name]
    return {"ends": ends, "streaming": introduction.streaming, "codes": stage.codes[1:]}


async def gone_without_a_word(stage: Stage) -> object:
    """A program that is killed closes its connections, and says nothing more."""
    proxy, introduction, *_ = await through_a_proxy(stage)
    introduction.drop()
    proxy.cut()
    began = stage.reactor.seconds()
    end = await stage.ears[0].ended
    return {"end": end.name, "after": stage.reactor.seconds() - began}


async def rude_peers(stage: Stage) -> object:
    """A reader that fails, streams that nobody asked for, and frames without end."""
    _, introduction, guest, ear = await through_a_proxy(stage)
    dilated: Any = introduction._dilated
    other = dilated.connector_for("something else")
    closed: Deferred[None] = Deferred()
    uninvited = Protocol()
    uninvited.connectionLost = lambda reason=None: closed.callback(None)  # type: ignore[method-assign]
    connectProtocol(other, uninvited)
    second = Protocol()
    refused: Deferred[None] = Deferred()
    second.connectionLost = lambda reason=None: refused.callback(None)  # type: ignore[method-assign]
    connectProtocol(dilated.connector_for(wormhole.STREAM), second)
    await closed
    await refused
    talked = await stage.talk(guest, ear)
    framer: Any = wormhole._BoundedFramer(StringTransport(), b"out", b"in")
    framer.connectionMade()
    with suppress(Disconnect):
        for _ in range(40):
            list(framer.add_and_parse(b"in" + bytes((127,)) * 16_384))
    stage.ears[0].frame = fails  # type: ignore[method-assign]
    guest.send(b"x")
    end = await stage.ears[0].ended
    return {"talked": talked, "end": end.name, "buffered": len(framer._buffer)}


def fails(data: bytes) -> None:
    raise ValueError(data)


async def again(stage: Stage) -> object:
    """Two seats whose clocks differ by almost a slot, or of which one waits long."""
    now_s = 15.0 * 1_600 + 1.0
    clocks = {
        "same": [now_s],
        "behind": [now_s - 14.0],
        "ahead": [now_s + 14.0],
        "long": [now_s - 7_200.0, now_s],
    }
    found = {}
    for name, times in clocks.items():

        def clock(times: list[float] = times) -> float:
            return times.pop(0) if times[1:] else times[0]

        secret = b"s" * 32 + name.encode()
        here = Pair(stage.reactor, stage.servers, secret, clock)
        there = Pair(stage.reactor, stage.servers, secret, lambda: now_s)
        began = stage.reactor.seconds()
        waiting = here.wait(stage.listener.factory)
        link = await there.call(stage.through)
        waiting.addErrback(lambda failure: failure.trap(CancelledError))
        waiting.cancel()
        ear = Ear()
        link.start(ear)
        found[name] = [link.is_open, stage.reactor.seconds() - began < 5]
        link.close()
        await ear.ended
    return found


async def late_servers(stage: Stage) -> object:
    """One waits, and the mailbox server comes to be before its slot is over."""
    port = stage.reactor.listenTCP(0, Factory.forProtocol(Rude), interface="127.0.0.1")
    number = port.getHost().port
    await port.stopListening()
    late = replace(stage.servers, mailbox=f"ws://127.0.0.1:{number}/v1")
    pairs = [Pair(stage.reactor, late, b"l" * 32, lambda: 15.0 * 1_600) for _ in "ab"]
    waiting = pairs[0].wait(stage.listener.factory)
    early = await stage.failure(pairs[1].call(stage.through))
    await stage.sleep(1.0)
    Proxy(stage.reactor, stage.servers.mailbox_place, number)
    link = await pairs[1].call(stage.through)
    waiting.addErrback(lambda failure: failure.trap(CancelledError))
    waiting.cancel()
    ear = Ear()
    link.start(ear)
    found = [early[0], link.is_open]
    link.close()
    await ear.ended
    return found


SCENES: dict[str, Callable[[Stage], Awaitable[object]]] = {
    scene.__name__: scene
    for scene in (
        conversation,
        wrong_words,
        guessing,
        useless_codes,
        no_servers,
        no_relay,
        cut_connection,
        swallowed,
        gone_without_a_word,
        rude_peers,
        again,
        late_servers,
    )
}
HASTY = replace(LIMITS, heartbeat_s=0.3, suspect_s=0.6, dead_s=1.2)
