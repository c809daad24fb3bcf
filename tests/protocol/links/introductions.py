"""Scenes of programs that meet by codes; `play_introduction.py` plays one."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from autobahn.twisted.websocket import WebSocketServerFactory, WebSocketServerProtocol
from twisted.internet.defer import CancelledError, Deferred, maybeDeferred
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
    """A host's door without a port, and the servers; `other` know no code of theirs."""

    def __init__(
        self, reactor: Any, servers: Servers, other: Servers, limits: Limits
    ) -> None:
        self.reactor = reactor
        self.limits = limits
        self.servers = servers
        self.other = other
        self.links: list[Link] = []
        self.ears: list[Ear] = []
        self.codes: list[str] = []
        self.troubles: list[list[object]] = []
        self.served: list[bool] = []
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
            on_server=lambda wrong: self.served.append(wrong is None),
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


class Closing(Protocol):
    """Hangs up on everybody, and says nothing."""

    def connectionMade(self) -> None:
        assert self.transport is not None
        self.transport.loseConnection()


class Flooding(Protocol):
    """Says much that means nothing."""

    def connectionMade(self) -> None:
        assert self.transport is not None
        self.transport.write(b"\xff" * 1_000_000)


def babbling(said: bytes | None, *, binary: bool = False) -> WebSocketServerFactory:
    """What opens a websocket like a mailbox server, and then says only this."""

    class Babbling(WebSocketServerProtocol):
        def onOpen(self) -> None:
            if said is not None:
                self.sendMessage(said, binary)  # type: ignore[no-untyped-call]

    factory = WebSocketServerFactory()  # type: ignore[no-untyped-call]
    factory.protocol = Babbling
    return factory


async def no_servers(stage: Stage) -> object:
    """Nobody, and others than mailbox servers, and what a host and a guest are told."""
    strange = {
        "web": Factory.forProtocol(Rude),
        "closing": Factory.forProtocol(Closing),
        "flooding": Factory.forProtocol(Flooding),
        "list": babbling(b"[]"),
        "no json": babbling(b"hello"),
        "deep": babbling(b"[" * 100_000),
        "binary": babbling(b"{}", binary=True),
        "no type": babbling(b'{"welcome": {}}'),
        "odd type": babbling(b'{"type": "welcome", "welcome": 7}'),
        "huge": babbling(b" " * 200_000),
        "mute": babbling(None),
    }
    ports = {"nobody": 9}
    for name, factory in strange.items():
        port = stage.reactor.listenTCP(0, factory, interface="127.0.0.1")
        ports[name] = port.getHost().port

    found = {}
    for name, port in ports.items():
        stage.servers = replace(stage.servers, mailbox=f"ws://127.0.0.1:{port}/v1")
        patience_s = 2.0 if name == "mute" else 30.0
        told = accept(
            stage.reactor, stage.servers, "7-adroitness-absurd", within_s=patience_s
        )
        guest = await stage.failure(told)
        host: list[object] = []
        if name != "mute":
            stage.offer()
            await stage.until(lambda: stage.troubles)
            host = stage.troubles.pop()
            stage.troubles = []
        found[name] = {"guest": guest, "host": host}
    return found


async def no_relay(stage: Stage) -> object:
    """Nobody, and others than relays; each is tried for a moment."""
    strange = {
        "rude": Factory.forProtocol(Rude),
        "closing": Factory.forProtocol(Closing),
        "mute": Factory.forProtocol(Protocol),
        "huge": Factory.forProtocol(Flooding),
    }
    places = {"nobody": "127.0.0.1:9"}
    for name, factory in strange.items():
        port = stage.reactor.listenTCP(0, factory, interface="127.0.0.1")
        places[name] = f"127.0.0.1:{port.getHost().port}"
    found = {}
    for number, (name, place) in enumerate(places.items(), 1):
        stage.servers = replace(stage.servers, relay=f"tcp:{place}")
        offer = stage.offer()
        accepted = await stage.accept(await stage.newest_code(number))
        pinned = Pinned(GUEST, lambda _: True)
        inner: Any = Factory.forProtocol(Rude)
        tls = TlsFactory(pinned, inner, stage.reactor, dials=True)
        told = await stage.failure(accepted.introduction.dial(tls, 0.5))
        found[name] = [*told[:2], str(told[2]).replace(place, "HERE")]
        offer.stop()
    return found


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
        self._reactor = reactor
        self.leads_to(server_place)
        self._port = port
        self.open()
        self.place = f"127.0.0.1:{self._port}"

    def leads_to(self, server_place: str) -> None:
        host, _, there = server_place.partition(":")
        self._there = HostnameEndpoint(self._reactor, host, int(there))

    def open(self) -> None:
        self._listening = self._reactor.listenTCP(
            self._port, self, interface="127.0.0.1"
        )
        self._port = self._listening.getHost().port

    def close(self) -> "Deferred[None]":
        return maybeDeferred(self._listening.stopListening)

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
        found[name] = [link.is_open, stage.reactor.seconds() - began < 15]
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


async def behind_a_proxy(stage: Stage) -> Proxy:
    """An offer by a mailbox server that can be cut off, and its first code."""
    proxy = Proxy(stage.reactor, stage.servers.mailbox_place)
    stage.servers = replace(stage.servers, mailbox=f"ws://{proxy.place}/v1")
    stage.offer()
    await stage.newest_code()
    return proxy


async def server_blinks(stage: Stage) -> object:
    """The connection to the mailbox server breaks, and it still knows the code."""
    proxy = await behind_a_proxy(stage)
    proxy.cut()
    await stage.until(lambda: len(proxy.pipes) == 2)
    accepted = await stage.accept(stage.codes[0])
    link = await stage.through(accepted.introduction)
    return [link.is_open, stage.codes[1:], stage.troubles, stage.served]


async def server_forgets(stage: Stage) -> object:
    """Another mailbox server is where the one was that had given the code."""
    proxy = await behind_a_proxy(stage)
    entered = Introduction(stage.reactor, stage.servers)
    entered.enter("987652-adroitness-absurd")
    found = Deferred.fromCoroutine(stage.failure(entered.met(30)))
    await stage.until(lambda: entered._box)
    proxy.leads_to(stage.other.mailbox_place)
    proxy.cut()
    old, new = stage.codes[0], await stage.newest_code(2)
    accepted = await stage.accept(new)
    link = await stage.through(accepted.introduction)
    ((why, sentence, again),) = stage.troubles
    return {
        "host": [why, again, str(sentence).replace(old, "OLD")],
        "open": link.is_open,
        "entered": (await found)[:2],
    }


async def server_is_away(stage: Stage) -> object:
    """Host and guest hear of it, and the code works when the server is back."""
    proxy = await behind_a_proxy(stage)
    guest_hears: list[bool] = []
    waiting = accept(
        stage.reactor,
        stage.servers,
        "987653-adroitness-absurd",
        within_s=12.0,
        on_server=lambda wrong: guest_hears.append(wrong is None),
    )
    await stage.until(lambda: len(proxy.pipes) == 4)
    await stage.sleep(0.5)
    await proxy.close()
    proxy.cut()
    guest = await stage.failure(waiting)
    await stage.until(lambda: stage.served == [False])
    proxy.open()
    await stage.until(lambda: stage.served == [False, True])
    accepted = await stage.accept(stage.codes[0])
    link = await stage.through(accepted.introduction)
    return {
        "guest": [*guest[:2], guest_hears],
        "host": [stage.codes[1:], stage.troubles],
        "open": link.is_open,
    }


async def guess_without_a_word(stage: Stage) -> object:
    """Who tries words and does not say whether they were right has guessed too."""
    stage.offer()
    number, *_ = (await stage.newest_code()).split("-")
    guesser = Introduction(stage.reactor, stage.servers)
    rendezvous = guesser._wormhole._boss._RC
    add = rendezvous.tx_add
    rendezvous.tx_add = lambda phase, body: phase == "pake" and add(phase, body)
    guesser.enter(f"{number}-adroitness-absurd")
    await stage.newest_code(2)
    ((why, _, again),) = stage.troubles
    guesser.close()
    return [why, again]


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
        server_blinks,
        server_forgets,
        server_is_away,
        guess_without_a_word,
    )
}
HASTY = replace(LIMITS, heartbeat_s=0.3, suspect_s=0.6, dead_s=1.2)
