"""A mailbox server and a relay of one's own: who has them needs nobody else's.

They are those of the magic-wormhole project, from the extra `rendezvous`; importing
this without it raises `ModuleNotFoundError`. They log nothing, list no boxes to
anybody, and keep what is in the boxes in memory or in one file.
"""

import errno
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from twisted.application.internet import TimerService
from twisted.application.service import MultiService
from twisted.internet.defer import Deferred, DeferredList, maybeDeferred
from twisted.internet.error import CannotListenError
from twisted.internet.interfaces import IListeningPort
from twisted.internet.protocol import ServerFactory
from wormhole_mailbox_server.database import DBError, create_or_upgrade_channel_db
from wormhole_mailbox_server.server import make_server
from wormhole_mailbox_server.web import make_web_server
from wormhole_transit_relay.transit_server import Transit, TransitConnection
from wormhole_transit_relay.usage import create_usage_tracker

from protocol.links.endings import NotListening

BOX_LIFE_S: Final = 660.0
"""So long a box stays that nobody looks into."""

CLEAN_EACH_S: Final = 300.0
MESSAGE_BYTES_MAX: Final = 65_536
FILE: Final = "mailbox.sqlite"
_IN_MEMORY: Final = ":memory:"
_PORT_MAX: Final = 65_535


class _Relayed(TransitConnection):  # type: ignore[misc]
    """A connection through which little is said, and at once."""

    def connectionMade(self) -> None:
        self.transport.setTcpNoDelay(True)
        super().connectionMade()


class Rendezvous:
    """Both servers; `folder` is where the boxes are kept, None for memory."""

    def __init__(self, reactor: Any, folder: Path | None) -> None:
        self._reactor = reactor
        self._folder = folder
        self._services = MultiService()
        self._ports: list[IListeningPort] = []
        self.mailbox_port = 0
        self.relay_port = 0

    def open(self, host: str, port: int) -> None:
        """Listen at a numeric address, or at all; raises `NotListening`.

        The mailbox listens on `port`, the relay on the next one; 0 is any two.
        """
        mailbox, relay = self._mailbox(), self._relay()
        self.mailbox_port = self._listen(host, port, mailbox)
        self.relay_port = self._listen(host, port and port + 1, relay)
        self._services.startService()

    def close(self) -> "Deferred[None]":
        """Let nobody in any more, and end what is under way."""
        stopped = [maybeDeferred(self._services.stopService)]
        stopped += [maybeDeferred(port.stopListening) for port in self._ports]
        done = DeferredList(stopped, consumeErrors=True)
        return done.addCallback(lambda _: None)

    def _mailbox(self) -> Any:
        place = _IN_MEMORY if self._folder is None else str(self._folder / FILE)
        try:
            if self._folder is not None:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            boxes = create_or_upgrade_channel_db(place)
        except (DBError, OSError) as bad:
            raise NotListening(
                f"The folder {self._folder} cannot hold a mailbox: {bad}."
            ) from bad
        server = make_server(boxes, allow_list=False, blur_usage=3_600)

        def clean() -> None:
            now_s = time.time()
            server.prune_all_apps(now_s, now_s - BOX_LIFE_S)

        server.setServiceParent(self._services)
        TimerService(CLEAN_EACH_S, clean).setServiceParent(self._services)
        limits = [
            ("maxFramePayloadSize", MESSAGE_BYTES_MAX),
            ("maxMessagePayloadSize", MESSAGE_BYTES_MAX),
        ]
        return make_web_server(server, False, limits)  # noqa: FBT003 - theirs

    def _relay(self) -> Any:
        usage = create_usage_tracker(blur_usage=None, log_file=None, usage_db=None)
        factory: Any = ServerFactory()
        factory.noisy = False
        factory.protocol = _Relayed
        factory.log_requests = False
        factory.transit = Transit(usage, self._reactor.seconds)
        return factory

    def _listen(self, host: str, port: int, factory: Any) -> int:
        """Listen there, and answer the port."""
        if port > _PORT_MAX:
            raise NotListening("The relay needs the next port: choose a lower one.")
        if host:
            return self._bind(host, port, factory)
        try:
            port = self._bind("::", port, factory)
        except NotListening:
            return self._bind("0.0.0.0", port, factory)
        # Where `::` means both kinds of address this port is taken already.
        with suppress(NotListening):
            self._bind("0.0.0.0", port, factory)
        return port

    def _bind(self, host: str, port: int, factory: Any) -> int:
        try:
            bound = self._reactor.listenTCP(port, factory, interface=host)
        except CannotListenError as bad:
            raise NotListening(_sentence(bad.socketError, host, port)) from bad
        self._ports.append(bound)
        return int(bound.getHost().port)


def _sentence(bad: object, host: str, port: int) -> str:
    if isinstance(bad, OSError) and bad.errno == errno.EADDRINUSE:
        return (
            f"Another program on this machine listens on port {port} already: choose "
            "another port, or 0 for any free ones."
        )
    if isinstance(bad, OSError) and bad.errno in {errno.EACCES, errno.EPERM}:
        return (
            f"Listening on port {port} is not allowed to this program: choose a port "
            "above 1023."
        )
    return f"This machine does not let a program listen at {host}, port {port}."
