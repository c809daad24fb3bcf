"""Those who watch the own table, and what they are sent: what is public, no more.

At the host's they come by a ticket of their own; at every other seat whoever knows the
table's nonce may go on there, when the host is gone. Their links are none of a seat:
what they send reaches no seat, and they are sent entries, what proves a fault, news,
and what players write. A mesh of their own keeps what each of them lacks.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall

from protocol.faults import LinkFault, Signed
from protocol.hello import Door, Refusal, WatcherHello
from protocol.links import Link
from protocol.mesh import Mesh
from protocol.text import SafeText
from protocol.whereabouts import Hearsay
from scopa_net.app.peers import Peers
from scopa_net.table import Table

__all__ = ["Gallery"]

GRACE_S: Final = 1.0
"""Who comes again within so long has not been away."""


class Shown(Protocol):
    """A match as far as it can be seen from a seat; None before there are terms."""

    @property
    def whereabouts(self) -> Hearsay | None:
        """Who sees whom."""
        ...

    def table(self) -> Table | None:
        """The table."""
        ...


class Gallery:
    """See `protocol.links.listening.Gallery`.

    `shown` is the match that is watched here; `tell` is called with the names of all
    who watch, when these are others than before. `door` is a host's.
    """

    def __init__(
        self,
        reactor: Any,
        shown: Shown,
        tell: Callable[[tuple[SafeText, ...]], None],
    ) -> None:
        self.door: Door | None = None
        self._reactor = reactor
        self._shown = shown
        self._tell = tell
        self._peers = Peers(self)
        self._mesh = Mesh()
        self._holding = False
        self._proofs = 0
        self._coming: WatcherHello | None = None
        self._names: dict[int, SafeText] = {}
        self._told: tuple[SafeText, ...] = ()
        self._timers: dict[str, IDelayedCall] = {}
        self._over = False

    # -- see `Gallery` -------------------------------------------------------

    def admit(self, key: bytes, hello: WatcherHello) -> Refusal | None:
        """See `Gallery`."""
        table = self._shown.table()
        if self.door is None and table is not None:
            # Nobody gives out tickets here; those who sit at the table do not watch.
            record = table.party.judge.record
            seated = dict.fromkeys(record.keys)
            self.door = Door(record.nonce, (), places=0, admitted=seated)
        if self.door is None:
            return Refusal.WRONG_TICKET
        return self.door.admit_watcher(key, hello)

    def take(self, link: Link) -> None:
        """See `Gallery`."""
        assert isinstance(link.peer_hello, WatcherHello)
        self._coming = link.peer_hello
        self._peers.take(link)

    # -- the match -----------------------------------------------------------

    def changed(self) -> None:
        """There may be more to be seen; it is sent after what the seats are sent."""
        if self._names:
            self._soon("send", 0.0, self._send)

    def pass_on(self, chat: Signed) -> None:
        """A player has written this."""
        self._peers.send(self._mesh.pass_on(chat, None))

    def close(self) -> "Deferred[None]":
        """Send what is left, and say goodbye; fires when it has gone out."""
        if self._names:
            self._send()
        self._over = True
        for timer in self._timers.values():
            if timer.active():
                timer.cancel()
        return self._peers.close()

    # -- see `HearsLinks` ----------------------------------------------------

    def connected(self, number: int) -> None:
        """See `HearsLinks`."""
        hello = self._coming
        assert hello is not None
        self._names[number] = hello.player
        frames = self._mesh.connect(number)
        if hello.nonce is None:
            self._mesh.owe_all(number)
        self._peers.send(frames)
        self.changed()
        self._soon("tell", GRACE_S, self._tell_names)

    def received(self, number: int, data: bytes) -> None:
        """What it holds, or wants again, is heard; anything else is not."""
        if isinstance(self._mesh.receive(number, data), LinkFault):
            self._peers.drop(number)
        else:
            self.changed()

    def disconnected(self, number: int, key: bytes) -> None:
        """See `HearsLinks`."""
        self._mesh.disconnect(number)
        self._names.pop(number, None)
        self._soon("tell", GRACE_S, self._tell_names)

    def presence_changed(self) -> None:
        """Nobody waits for who watches."""

    # -- inside --------------------------------------------------------------

    def _send(self) -> None:
        table = self._shown.table()
        if table is None:
            return
        judge = table.party.judge
        if not self._holding:
            self._holding = True
            self._peers.send(
                self._mesh.hold(judge.record, None, self._shown.whereabouts)
            )
        self._mesh.remember(judge.faults[self._proofs :])
        self._proofs = len(judge.faults)
        self._peers.send(self._mesh.spread())

    def _tell_names(self) -> None:
        names = tuple(sorted(self._names.values()))
        if names != self._told:
            self._told = names
            self._tell(names)

    def _soon(self, name: str, delay_s: float, call: Callable[[], None]) -> None:
        before = self._timers.get(name)
        if not self._over and (before is None or not before.active()):
            self._timers[name] = self._reactor.callLater(delay_s, call)
