"""Two programs that know the same code: an encrypted channel, and a stream in it.

All that is known here of magic-wormhole is in this module, and much of it is about what
its version 0.24.0, which is the one we need, does not do by itself:

- Every step has a deadline; `close` is not waited for; `drop` cuts off what hangs.
- It is told not to listen: who can be called directly is called by our own addresses,
  so its connection always goes through the relay, and needs no rule of a firewall.
- It goes through the mailbox whenever the connection breaks, and only one side sees
  that the other is gone: a break that is not mended in a few seconds ends all.
- What others may send without limit, frames and streams, has a limit here.
- An error in what reads a stream must not reach it: it would lose the frame.
- When its mailbox server comes back it goes on as before, though a server that was
  started again may have forgotten the code; and it would wait long to look.
- What it logs or prints does not reach a terminal.
"""

import json
import sys
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import autobahn
import wormhole
from twisted.application.internet import ClientService, backoffPolicy
from twisted.internet import defer
from twisted.internet.defer import CancelledError, Deferred, maybeDeferred
from twisted.internet.interfaces import IDelayedCall, ITCPTransport
from twisted.logger import (
    ILogObserver,
    LogEvent,
    LogLevel,
    eventAsText,
    globalLogBeginner,
)
from twisted.python.failure import Failure
from wormhole import _rendezvous, errors
from wormhole._dilation import connection
from wormhole._dilation.subchannel import SubchannelDemultiplex
from wormhole._status import Connected, ConnectedPeer
from wormhole._wordlist import even_words_lowercase, odd_words_lowercase
from zope.interface import provider

from protocol.codes import Servers
from protocol.links.endings import NotReached, Why
from protocol.links.streams import Streams
from protocol.links.tls import TlsFactory
from protocol.text import safe_text

APPLICATION: Final = "scopa-net/1"
STREAM: Final = "scopa-net"
CODE_WORDS: Final = 2
CODE_S: Final = 15.0
MEET_S: Final = 15.0
HEAR_S: Final = 10.0
DIAL_S: Final = 20.0
CLOSE_S: Final = 5.0
MEND_S: Final = 3.0
PING_S: Final = 3.0
MAILBOX_PING_S: Final = 15.0
"""So often the mailbox server is asked whether it is there, and so long it may take."""

MAILBOX_AGAIN_S: Final = 15.0
"""At most so long after an attempt to reach a server that was lost comes the next."""

AWAY_S: Final = 2.0
"""Nothing is said of a mailbox server that is back before."""

FRAME_BYTES_MAX: Final = 131_072
_SAID_CELLS_MAX: Final = 80
_OURS: Final = str(Path(__file__).parents[2])
_THEIRS: Final = tuple(
    str(Path(str(one.__file__)).parent) for one in (wormhole, autobahn)
)


class Introduction:
    """The meeting of two programs by a code, for as long as they need it.

    First `allocate` or `enter`, then `met`, and then the rest in any order. Whatever
    goes wrong is a `NotReached`. `on_over` is called once, when a stream that there was
    is no more, or nothing can come of this any more. `on_server` is told what is wrong
    when the mailbox server is lost, and None when it is back and knows the code; only
    until `met`.
    """

    def __init__(
        self,
        reactor: Any,
        servers: Servers,
        on_over: Callable[[], None] = lambda: None,
        on_server: Callable[[NotReached | None], None] = lambda _: None,
    ) -> None:
        _keep_quiet()
        self._reactor = reactor
        self._servers = servers
        self._on_over = on_over
        self._on_server = on_server
        self._over = False
        self._met = False
        self._connected = False
        self._lost: IDelayedCall | None = None
        self._away = False
        self._mending: IDelayedCall | None = None
        self._watched: Any = None
        self._streams: list[Streams] = []
        self._wormhole: Any = wormhole.create(
            APPLICATION, servers.mailbox, reactor, dilation=True
        )
        self._dilated = self._wormhole.dilate(
            transit_relay_location=servers.relay,
            no_listen=True,
            ping_interval=PING_S,
            on_status_update=self._status,
        )
        expected = _inner(self._dilated, "_manager", "_subprotocol_factories")
        if isinstance(expected, SubchannelDemultiplex):
            expected._expected = frozenset({STREAM})

    def allocate(self) -> "Deferred[str]":
        """A new code."""
        self._wormhole.allocate_code(CODE_WORDS)
        return self._within(CODE_S, self._wormhole.get_code(), self._no_mailbox)

    def enter(self, code: str) -> None:
        """Use a code that `read_code` or `meeting_code` has answered."""
        self._wormhole.set_code(code)

    def met(self, within_s: float | None) -> "Deferred[None]":
        """Somebody with the same code is there; None waits as long as it takes.

        But not for who has come and does not prove that it knows the code.
        """
        if within_s is not None:
            there = self._within(within_s, self._wormhole.get_versions(), self._nobody)
            return there.addCallback(self._is_met)
        come = self._within(None, self._wormhole.get_unverified_key(), self._nobody)
        come.addCallback(
            lambda _: self._within(HEAR_S, self._wormhole.get_versions(), _silent)
        )
        return come.addCallback(self._is_met)

    def say(self, text: str) -> None:
        """Tell the other side, and nobody else, once it is there."""
        if not self._over:
            self._wormhole.send_message(text.encode())

    def hear(self) -> "Deferred[str]":
        """What the other side says next."""
        said = self._within(HEAR_S, self._wormhole.get_message(), _silent)
        return said.addCallback(lambda data: data.decode("utf-8", "replace"))

    def listen(self, factory: TlsFactory) -> None:
        """Give the stream that the other side opens to `factory`."""
        endpoint = self._dilated.listener_for(STREAM)
        streams = self._streams_of(factory)
        endpoint.listen(streams).addErrback(lambda _: None)

    def dial(self, factory: TlsFactory, within_s: float = DIAL_S) -> "Deferred[None]":
        """Open a stream to the other side, which listens, and give it to `factory`."""
        endpoint = self._dilated.connector_for(STREAM)
        opened = endpoint.connect(self._streams_of(factory))
        return self._within(within_s, opened, self._no_relay).addCallback(
            lambda _: None
        )

    @property
    def streaming(self) -> bool:
        """Whether there is a stream."""
        return any(streams.open for streams in self._streams)

    def close(self) -> "Deferred[None]":
        """Say goodbye to the servers; fires soon, and nobody needs to wait for it."""
        self._end()
        closed: Deferred[None] = Deferred()
        closing = self._wormhole.close().addTimeout(CLOSE_S, self._reactor)
        closing.addErrback(lambda _: None).addCallback(lambda _: self._cut())
        closing.addCallback(lambda _: closed.callback(None))
        return closed

    def drop(self) -> None:
        """Cut everything off now: what hangs would hang for minutes."""
        if not self._over:
            self._cut_relay()
            self.close()

    # -- inside --------------------------------------------------------------

    def _streams_of(self, factory: TlsFactory) -> Streams:
        streams = Streams(
            self._reactor, factory, on_over=self._stream_over, cut=self.drop
        )
        self._streams.append(streams)
        return streams

    def _stream_over(self) -> None:
        if not self._over:
            self.close()

    def _end(self) -> None:
        if self._over:
            return
        self._over = True
        for timer in (self._mending, self._lost):
            if timer is not None and timer.active():
                timer.cancel()
        for streams in self._streams:
            streams.lose()
        self._on_over()

    def _cut(self) -> None:
        """Whatever is still open, or would be opened again."""
        self._cut_relay()
        connector = _inner(self._wormhole, "_boss", "_RC", "_connector")
        if connector is not None:
            maybeDeferred(connector.stopService).addErrback(lambda _: None)
        _abort(_inner(self._wormhole, "_boss", "_RC", "_ws", "transport"))

    def _cut_relay(self) -> None:
        _abort(_inner(self._dilated, "_manager", "_connection", "transport"))

    def _is_met(self, _: object) -> None:
        self._met = True

    def _status(self, status: Any) -> None:
        self._mailbox_status(status.mailbox.mailbox_connection)
        if isinstance(status.peer_connection, ConnectedPeer) and not self._over:
            # The connection is the manager's only after it has told of it.
            self._reactor.callLater(0, self._watch)

    # -- while the mailbox server is away --------------------------------------

    def _mailbox_status(self, status: Any) -> None:
        if self._over or self._met:
            return
        if isinstance(status, Connected):
            if self._connected:
                # It speaks only after it has told of it.
                self._reactor.callLater(0, self._back)
            self._connected = True
        elif self._connected and self._lost is None:
            self._lost = self._reactor.callLater(AWAY_S, self._tell_lost)

    def _tell_lost(self) -> None:
        if not self._met:
            self._away = True
            self._on_server(self._no_mailbox())

    def _back(self) -> None:
        """A server that was started again may not know the code any more."""
        if self._lost is not None and self._lost.active():
            self._lost.cancel()
        self._lost = None
        rendezvous = _inner(self._wormhole, "_boss", "_RC")
        if self._over or self._met or rendezvous._ws is None:
            return
        if self._box is None or _inner(self._wormhole, "_key") is not None:
            # It is only now asked for the code, or somebody is there already.
            self._there()
            return
        # What lies in our box, our own message too, it sends before the answer.
        remembered = False
        unsent = bool(_inner(self._wormhole, "_boss", "_M", "_pending_outbound"))
        hear_message = type(rendezvous)._response_handle_message

        def message(said: dict[str, Any]) -> None:
            nonlocal remembered
            remembered |= said.get("side") == rendezvous._side
            hear_message(rendezvous, said)

        def answered(_: dict[str, Any]) -> None:
            if remembered and not unsent:
                self._there()
            else:
                self._forgotten()

        rendezvous._response_handle_message = message
        rendezvous._response_handle_pong = answered
        rendezvous._tx("ping", ping=0)

    def _forgotten(self) -> None:
        lost = NotReached(
            Why.LOST_CODE,
            f"The mailbox server {self._servers.mailbox_place} does not know this code "
            "any more: ask the host for the new one.",
        )
        _inner(self._wormhole, "_boss").error(lost)

    def _there(self) -> None:
        if self._away:
            self._away = False
            self._on_server(None)

    @property
    def _box(self) -> str | None:
        """The box in which the code leads, if the server has told it."""
        found: str | None = _inner(self._wormhole, "_boss", "_M", "_mailbox")
        return found

    # -- the connection through the relay ----------------------------------------

    def _watch(self) -> None:
        found = _inner(self._dilated, "_manager", "_connection")
        if found is None or found is self._watched or self._over:
            return
        self._watched = found
        if self._mending is not None and self._mending.active():
            self._mending.cancel()
        _hurry(found.transport)
        found.when_disconnected().addCallback(lambda _: self._broken(found))

    def _broken(self, watched: Any) -> None:
        if watched is self._watched and not self._over:
            self._mending = self._reactor.callLater(MEND_S, self.drop)

    def _within(
        self, seconds: float | None, answer: Any, too_late: Callable[[], NotReached]
    ) -> "Deferred[Any]":
        if seconds is not None:
            answer.addTimeout(seconds, self._reactor)
        return answer.addErrback(self._explain, too_late)  # type: ignore[no-any-return]

    def _explain(self, failure: Failure, too_late: Callable[[], NotReached]) -> Failure:
        """The same as a `NotReached`; what is given up here stays that."""
        reason = failure.value
        match reason:
            case defer.TimeoutError():
                why = too_late()
            case CancelledError() | NotReached():
                return failure
            case errors.WrongPasswordError():
                why = NotReached(
                    Why.WRONG_CODE,
                    "The words of this code are not the right ones. Each code can be "
                    "tried once: ask the host for a new one.",
                )
            case errors.WelcomeError():
                why = self._turned_away(reason)
            case errors.ServerError() if "crowded" in str(reason):
                why = NotReached(
                    Why.USED_CODE,
                    "Somebody has used this code already: ask the host for a new one.",
                )
            case errors.ServerError():
                why = self._turned_away(reason)
            case errors.ServerConnectionError():
                # It is a text if somebody took the call, and no error.
                why = self._no_mailbox(silent=isinstance(reason.reason, str))
            case _NoMailbox():
                why = self._foreign()
            case errors.WormholeError() | errors.WormholeClosed():
                why = _silent()
            case _:
                why = self._foreign()
        return Failure(why)

    def _foreign(self) -> NotReached:
        return NotReached(
            Why.FOREIGN,
            f"What answers at {self._servers.mailbox_place} is no mailbox server: "
            "--mailbox names another one.",
        )

    def _no_mailbox(self, *, silent: bool = False) -> NotReached:
        silent |= _inner(self._wormhole, "_boss", "_RC", "_ws") is not None
        what = "does not answer." if silent else "cannot be reached. Are you online?"
        return NotReached(
            Why.NO_SERVER,
            f"The mailbox server {self._servers.mailbox_place} {what} --mailbox and "
            "--relay name other servers, and an invitation or a table on the own "
            "network need none.",
        )

    def _nobody(self) -> NotReached:
        if self._box is None or _inner(self._wormhole, "_boss", "_RC", "_ws") is None:
            return self._no_mailbox()
        return NotReached(
            Why.NOBODY_THERE,
            "Nobody answers to this code. Is the host's program running, and is it the "
            "newest code? Each serves one player, once. Both must use the same "
            "servers.",
        )

    def _no_relay(self) -> NotReached:
        return NotReached(
            Why.NO_SERVER,
            "The other program is there, but neither can call the other, and no "
            f"connection came about through the relay {self._servers.relay_place}.",
        )

    def _turned_away(self, reason: Exception) -> NotReached:
        said = safe_text(str(reason), cells_max=_SAID_CELLS_MAX)
        return NotReached(
            Why.NO_SERVER,
            f"The mailbox server {self._servers.mailbox_place} turned us away: {said}",
        )


def unknown_word(code: str) -> str | None:
    """The first word of a code that none of ours has, if there is one."""
    _, *words = code.split("-")
    lists = odd_words_lowercase, even_words_lowercase
    for at, word in enumerate(words):
        if word not in lists[at % 2]:
            return word
    return None


def nearest_word(code: str, word: str) -> str | None:
    """What a word of a code was meant to be, if one of ours is like it."""
    at = code.split("-").index(word) - 1
    lists = odd_words_lowercase, even_words_lowercase
    # Sorted, so that of two that are as near it is the same one each time.
    return next(iter(get_close_matches(word, sorted(lists[at % 2]), n=1)), None)


def _silent() -> NotReached:
    return NotReached(
        Why.HUNG_UP,
        "The other program was there, and then said nothing more: try a new code.",
    )


def _inner(outer: Any, *names: str) -> Any:
    """What is inside, by names that are not promised; None if it is not there."""
    for name in names:
        outer = getattr(outer, name, None)
    return outer


def _hurry(transport: Any) -> None:
    """Plays are small, and are waited for: the system is not to gather them."""
    if ITCPTransport.providedBy(transport):
        transport.setTcpNoDelay(True)


def _abort(transport: Any) -> None:
    abort = getattr(transport, "abortConnection", None)
    if abort is not None:
        abort()


# -- its limits, and its voice ---------------------------------------------------------


class _NoMailbox(Exception):
    """What answers does not say what a mailbox server says."""


class _Strict(_rendezvous.WSClient):  # type: ignore[misc]
    """What a mailbox server may say; whoever says something else is none."""

    def dataReceived(self, data: bytes) -> None:
        greeting = self.state == self.STATE_CONNECTING
        if greeting and len(self.data) + len(data) > FRAME_BYTES_MAX:
            # It would all be kept until there is an end of it, or five seconds pass.
            self._RC._B.error(_NoMailbox())
            self.transport.abortConnection()
        else:
            super().dataReceived(data)

    def onMessage(self, payload: bytes, *binary: Any) -> None:
        if any(binary) or not _is_message(payload):
            self._RC._B.error(_NoMailbox())
        else:
            super().onMessage(payload, *binary)

    def onClose(self, *how: Any) -> None:
        if self.failedByMe:
            self._RC._B.error(_NoMailbox())
        super().onClose(*how)

    def failHandshake(self, reason: str) -> None:
        self._RC._B.error(_NoMailbox())
        super().failHandshake(reason)


def _is_message(payload: bytes) -> bool:
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and isinstance(found.get("type"), str)


class _BoundedMailbox(_rendezvous.WSFactory):  # type: ignore[misc]
    """A mailbox server may not send messages of any size, nor be silent for long."""

    protocol = _Strict

    def setProtocolOptions(self, **_: Any) -> None:
        super().setProtocolOptions(
            maxFramePayloadSize=FRAME_BYTES_MAX,
            maxMessagePayloadSize=FRAME_BYTES_MAX,
            autoPingInterval=MAILBOX_PING_S,
            autoPingTimeout=MAILBOX_PING_S,
        )


class _BoundedFramer(connection._Framer):  # type: ignore[misc]
    """Nor may a relay, or what is behind it, announce frames of any size."""

    def add_and_parse(self, data: bytes) -> Any:
        """See `IFramer`."""
        yield from super().add_and_parse(data)
        if len(self._buffer) > FRAME_BYTES_MAX:
            raise connection.Disconnect


vars(_rendezvous)["WSFactory"] = _BoundedMailbox
_again = backoffPolicy(maxDelay=MAILBOX_AGAIN_S)
vars(_rendezvous)["internet"] = SimpleNamespace(
    ClientService=partial(ClientService, retryPolicy=_again)
)
vars(_rendezvous)["print"] = lambda *_, **__: None
vars(connection)["_Framer"] = _BoundedFramer


@cache
def _keep_quiet() -> None:
    """Have Twisted log as before, only what is critical, but nothing of theirs."""
    globalLogBeginner.beginLoggingTo(
        [_tell_what_is_ours], discardBuffer=True, redirectStandardIO=False
    )


@provider(ILogObserver)
def _tell_what_is_ours(event: LogEvent) -> None:
    if event.get("log_level") is not LogLevel.critical or _is_theirs(event):
        return
    if sys.stderr is not None:
        sys.stderr.write(f"{eventAsText(event)}\n")


def _is_theirs(event: LogEvent) -> bool:
    failure = event.get("log_failure")
    if failure is None:
        # "Unhandled error in Deferred" has no error, which follows by itself.
        follows = bool(event.get("isError"))
        return follows or not str(event.get("log_namespace")).startswith("twisted")
    for _, file, *_ in reversed(failure.frames):
        # Theirs may lie in ours: in an environment beside the sources.
        if file.startswith(_THEIRS):
            return True
        if file.startswith(_OURS):
            return False
    return type(failure.value).__module__.startswith(("wormhole", "autobahn"))
