"""A link: one connection to one peer, from the first byte to the last.

    SECURING --handshakeCompleted--> GREETING --open--> OPEN --close--> CLOSING
        GREETING --hold--> HELD --open--> OPEN
        any of them --connectionLost, abort--> LOST

Before OPEN everything is bounded: frames by the greeter's limit, and the whole time by
one deadline that no byte prolongs, until a person is to decide and it is HELD. In OPEN
and HELD both sides send an empty frame every 3 seconds; 6 seconds without a whole frame
make the peer suspect, 12 end the link. What the transport does not take at once waits
here; more than 1 MiB of it closes the link.
Whoever sends more than its budget is read more slowly, whoever makes us send more than
another one gets it more slowly, and nothing is lost.
Nobody waits for a peer to answer a close (twisted#7926): 5 seconds later the connection
is cut off.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Protocol as Interface
from typing import cast

from twisted.internet.error import ConnectionDone
from twisted.internet.interfaces import (
    IDelayedCall,
    IHandshakeListener,
    IPushProducer,
    IReactorTime,
)
from twisted.internet.protocol import Protocol, connectionDone
from twisted.python.failure import Failure
from zope.interface import implementer

from protocol.faults import LocalProtocolError
from protocol.hello import GuestHello, HostHello, WatcherHello
from protocol.links.budget import HEARING, SENDING, Allowance, frame_cost
from protocol.links.endings import End
from protocol.links.frames import (
    FRAME_BYTES_MAX,
    HEARTBEAT,
    FrameTooLong,
    Unframer,
    framed,
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a link bears."""

    hello_s: float = 5.0
    heartbeat_s: float = 3.0
    suspect_s: float = 6.0
    dead_s: float = 12.0
    close_s: float = 5.0
    unsent_bytes_max: int = 1_048_576
    unheard_frames_max: int = 512
    heartbeats_max: int = 64
    """From the peer, between two of ours; a reader of nothing else is kept busy."""

    hearing: Allowance = HEARING
    sending: Allowance = SENDING


LIMITS = Limits()
_ASLEEP_S = 1.0
"""A timer that is this late says that we slept, not that the peer was silent."""


class Hears(Interface):
    """Who is told what happens on a link; nothing is told before `Link.start`.

    Nothing is told while `send`, `close` or `abort` runs, so they may be called from
    anywhere, these methods included. What a method raises breaks the link.
    """

    def frame(self, data: bytes) -> None:
        """The peer has sent this."""
        ...

    def suspect(self, *, silent: bool) -> None:
        """The peer has fallen silent, or is heard again."""
        ...

    def lost(self, end: End) -> None:
        """The link is no more; nothing follows."""
        ...


class Greeter(Interface):
    """What happens on a link until its peer is known."""

    def secured(self, link: "Link") -> None:
        """The connection is encrypted, and `link.peer_key` is proven to be here."""
        ...

    def greeted(self, link: "Link", data: bytes) -> None:
        """A frame has come, and is to be answered."""
        ...

    def gone(self, link: "Link", failure: Failure) -> None:
        """The connection is gone; `link.end` is None unless we ended it."""
        ...


class _Wire(Interface):
    """What a link asks of its transport."""

    def write(self, data: bytes) -> None: ...
    def registerProducer(self, producer: IPushProducer, streaming: bool) -> None: ...  # noqa: FBT001
    def unregisterProducer(self) -> None: ...
    def pauseProducing(self) -> None: ...
    def resumeProducing(self) -> None: ...
    def loseConnection(self) -> None: ...
    def abortConnection(self) -> None: ...
    def getPeer(self) -> object: ...


class _Phase(Enum):
    SECURING = 0
    GREETING = 1
    HELD = 2
    OPEN = 3
    CLOSING = 4
    LOST = 5


_GREETED = frozenset({_Phase.GREETING, _Phase.HELD})
_BEATING = frozenset({_Phase.HELD, _Phase.OPEN})
_READING = _GREETED | _BEATING


@implementer(IHandshakeListener, IPushProducer)
class Link(Protocol):
    """One connection; `peer_key` is proven by TLS, `peer_hello` is what it said.

    `hearing` and `sending` are budgets of the peer, which may be set until `open`.
    """

    peer_hello: GuestHello | HostHello | WatcherHello

    def __init__(
        self,
        clock: IReactorTime,
        greeter: Greeter,
        key_of: Callable[[object], bytes | None],
        *,
        greeting_bytes_max: int,
        limits: Limits = LIMITS,
    ) -> None:
        self.peer_key = b""
        self.end: End | None = None
        self._clock = clock
        self._greeter = greeter
        self._key_of = key_of
        self._limits = limits
        self._phase = _Phase.SECURING
        self.hearing = limits.hearing.full(clock.seconds())
        self.sending = limits.sending.full(clock.seconds())
        self._unframer = Unframer(greeting_bytes_max)
        # What has come and is not cut into frames, and the frames that are being read.
        self._unread: deque[bytes] = deque()
        self._held_back: Iterator[bytes] | None = None
        self._hears: Hears | None = None
        self._early: list[bytes] = []
        self._unsent: deque[bytes] = deque()
        self._unsent_bytes = 0
        self._paused = False
        self._silent = False
        self._heartbeats = 0
        self._heard_s = 0.0
        self._due_s = 0.0
        self._timers: dict[str, IDelayedCall] = {}

    # -- for the program -----------------------------------------------------

    @property
    def address(self) -> str:
        """Where the peer is, for a log."""
        return str(getattr(self._wire.getPeer(), "host", "?"))

    @property
    def relayed(self) -> bool:
        """Whether all that is said goes through somebody's server."""
        return bool(getattr(self._wire.getPeer(), "relayed", False))

    @property
    def is_open(self) -> bool:
        """Whether what is sent can still arrive."""
        return self._phase is _Phase.OPEN

    def start(self, hears: Hears) -> None:
        """Tell `hears` what happens from now on, first what has come already."""
        if self._hears is not None:
            raise LocalProtocolError(hears)
        self._hears = hears
        early, self._early = self._early, []
        for data in early:
            hears.frame(data)
        if self._silent:
            hears.suspect(silent=True)
        if self._phase is _Phase.LOST:
            hears.lost(self.end or End.BROKEN)

    def send(self, data: bytes) -> None:
        """Send a frame, sooner or later; on a link that is closed it goes nowhere."""
        if not 0 < len(data) <= FRAME_BYTES_MAX:
            raise LocalProtocolError(len(data))
        if self._phase is _Phase.OPEN:
            self._write(framed(data))

    def close(self, end: End = End.CLOSED) -> None:
        """Send what waits, then say goodbye; `lost(end)` follows, at the latest soon.

        On a connection whose peer takes in nothing, what waits is given up.
        """
        if self._phase in {_Phase.CLOSING, _Phase.LOST}:
            return
        self._ends(end)
        self._phase = _Phase.CLOSING
        self._stop_timers()
        self._after("abort", self._limits.close_s, self._abort)
        if self._unsent and self.sending.spent:
            self._after("write", self.sending.wait_s, self._write_later)
        if self._held_back is not None:
            # The peer's own goodbye is behind what is not read any more.
            self._let_go_of_unread()
            self._wire.resumeProducing()
        self._release()

    def abort(self, end: End) -> None:
        """Cut the connection off now."""
        if self._phase is _Phase.LOST:
            return
        self._ends(end)
        self._phase = _Phase.CLOSING
        self._stop_timers()
        self._abort()

    # -- for the greeter -----------------------------------------------------

    def greet(self, data: bytes) -> None:
        """Send a hello or a refusal."""
        self._write(framed(data))

    def hold(self) -> None:
        """A person decides now, which takes its time; but silence counts."""
        if self._phase is not _Phase.GREETING:
            raise LocalProtocolError(self._phase)
        self._phase = _Phase.HELD
        self._begin_to_beat()

    def open(self, peer_hello: GuestHello | HostHello | WatcherHello) -> None:
        """The peer is known: frames may be long now, and silence counts."""
        if self._phase not in _GREETED:
            raise LocalProtocolError(self._phase)
        self.peer_hello = peer_hello
        self._phase = _Phase.OPEN
        self._unframer.bytes_max = FRAME_BYTES_MAX
        self._begin_to_beat()

    def _begin_to_beat(self) -> None:
        self._stop_timers()
        self._heard_s = self._clock.seconds()
        self._after("beat", self._limits.heartbeat_s, self._beat)
        self._after("silence", self._limits.suspect_s, self._listen_for_silence)

    # -- from the transport --------------------------------------------------

    def connectionMade(self) -> None:
        self._after("hello", self._limits.hello_s, self._too_late)
        self._wire.registerProducer(self, streaming=True)

    def handshakeCompleted(self) -> None:
        if self._phase is not _Phase.SECURING:
            return
        key = self._key_of(self.transport)
        if key is None:
            self.abort(End.RUBBISH)
            return
        self.peer_key = key
        self._phase = _Phase.GREETING
        self._greeter.secured(self)

    def dataReceived(self, data: bytes) -> None:
        self._unread.append(data)
        if self._held_back is None:
            self._read(self._frames())
            if self._held_back is not None:
                self._wire.pauseProducing()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        was = self._phase
        self._phase = _Phase.LOST
        self._stop_timers()
        self._unsent.clear()
        self._let_go_of_unread()
        if was is _Phase.OPEN:
            self.end = End.LEFT if reason.check(ConnectionDone) else End.BROKEN
        self._greeter.gone(self, reason)
        if self._hears is not None:
            self._hears.lost(self.end or End.BROKEN)

    def pauseProducing(self) -> None:
        self._paused = True

    def resumeProducing(self) -> None:
        self._paused = False
        self._write_on()

    def stopProducing(self) -> None:
        self._unsent.clear()

    @property
    def _wire(self) -> _Wire:
        return cast("_Wire", self.transport)

    # -- inside --------------------------------------------------------------

    def _frames(self) -> Iterator[bytes]:
        while self._unread:
            yield from self._unframer.feed(self._unread.popleft())

    def _read(self, frames: Iterator[bytes]) -> None:
        """Take in what has come, as far as the budget goes."""
        try:
            for frame in frames:
                if self._phase is _Phase.GREETING:
                    self._greeter.greeted(self, frame)
                elif self._phase in _BEATING:
                    self._heard(frame)
                if self._phase not in _READING:
                    self._let_go_of_unread()
                    return
                now = self._clock.seconds()
                self.hearing = self.hearing.less(frame_cost(frame), now)
                if self.hearing.spent:
                    self._held_back = frames
                    self._after("read", self.hearing.wait_s, self._read_on)
                    return
        except FrameTooLong:
            self._let_go_of_unread()
            if self._phase is not _Phase.CLOSING:
                self.abort(End.OVERLONG)

    def _read_on(self) -> None:
        frames, self._held_back = self._held_back, None
        if frames is None:
            return
        read = False
        try:
            self._read(frames)
            read = True
        finally:
            # No transport is here to end a link whose ear has failed.
            if not read:
                self.abort(End.BROKEN)
        if self._held_back is None:
            self._wire.resumeProducing()

    def _let_go_of_unread(self) -> None:
        self._held_back = None
        self._unread.clear()

    def _heard(self, frame: bytes) -> None:
        self._heard_s = self._clock.seconds()
        if self._silent:
            self._set_silent(silent=False)
        if not frame:
            self._heartbeats += 1
            if self._heartbeats > self._limits.heartbeats_max:
                self.abort(End.RUBBISH)
            return
        if self._phase is _Phase.HELD:
            self._greeter.greeted(self, frame)
        elif self._hears is not None:
            self._hears.frame(frame)
        elif len(self._early) < self._limits.unheard_frames_max:
            self._early.append(frame)
        else:
            self.abort(End.OVERLONG)

    def _write(self, data: bytes) -> None:
        if not (self._paused or self.sending.spent):
            self._write_now(data)
            return
        self._unsent.append(data)
        self._unsent_bytes += len(data)
        if self._unsent_bytes > self._limits.unsent_bytes_max:
            # Not cut off at once: a peer that only has much to catch up with gets what
            # waits, and the rest on its next link.
            self.close(End.SLOW)

    def _write_now(self, data: bytes) -> None:
        now = self._clock.seconds()
        self.sending = self.sending.less(frame_cost(data), now)
        if self.sending.spent:
            self._after("write", self.sending.wait_s, self._write_later)
        self._wire.write(data)

    def _write_later(self) -> None:
        self.sending = self.sending.less(0, self._clock.seconds())
        self._write_on()

    def _write_on(self) -> None:
        """Write what waits, as far as transport and budget let us."""
        while self._unsent and not (self._paused or self.sending.spent):
            data = self._unsent.popleft()
            self._unsent_bytes -= len(data)
            self._write_now(data)
        if self._phase is _Phase.CLOSING:
            self._release()

    def _beat(self) -> None:
        self._after("beat", self._limits.heartbeat_s, self._beat)
        self._heartbeats = 0
        # What waits already will tell the peer that we live, when it gets there.
        if not (self._paused or self._unsent):
            self._write(HEARTBEAT)

    def _listen_for_silence(self) -> None:
        limits = self._limits
        now = self._clock.seconds()
        late = now - self._due_s
        if late > _ASLEEP_S:
            self._heard_s += late
        silent_s = now - self._heard_s
        if silent_s >= limits.dead_s:
            self.abort(End.SILENT)
            return
        if silent_s >= limits.suspect_s and not self._silent:
            self._set_silent(silent=True)
        next_s = limits.dead_s if self._silent else limits.suspect_s
        self._after("silence", next_s - silent_s, self._listen_for_silence)

    def _set_silent(self, *, silent: bool) -> None:
        self._silent = silent
        if not silent:
            self._after("silence", self._limits.suspect_s, self._listen_for_silence)
        if self._hears is not None:
            self._hears.suspect(silent=silent)

    def _too_late(self) -> None:
        self.abort(End.SILENT)

    def _release(self) -> None:
        """Say goodbye, if all that waited is on its way."""
        if not self._unsent:
            self._wire.unregisterProducer()
            self._wire.loseConnection()

    def _abort(self) -> None:
        self._unsent.clear()
        self._wire.abortConnection()

    def _ends(self, end: End) -> None:
        if self.end is None:
            self.end = end

    def _after(self, name: str, delay_s: float, call: Callable[[], None]) -> None:
        """Arm a timer; one of a name at a time."""
        self._disarm(name)
        if name == "silence":
            self._due_s = self._clock.seconds() + delay_s
        self._timers[name] = self._clock.callLater(delay_s, call)

    def _disarm(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None and timer.active():
            timer.cancel()

    def _stop_timers(self) -> None:
        for name in tuple(self._timers):
            self._disarm(name)
