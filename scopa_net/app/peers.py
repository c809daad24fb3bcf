"""The links of the own seat, by number, and whose they are."""

from typing import Protocol

from twisted.internet.defer import Deferred

from protocol.links import End, Link
from protocol.step import Frame

__all__ = ["HearsLinks", "Peers"]


class HearsLinks(Protocol):
    """Who is told what happens on the links."""

    def connected(self, number: int) -> None:
        """A link is open."""
        ...

    def received(self, number: int, data: bytes) -> None:
        """A frame has come."""
        ...

    def disconnected(self, number: int, key: bytes) -> None:
        """A link to this key is no more."""
        ...

    def presence_changed(self) -> None:
        """Somebody has come, gone, fallen silent, or is heard again."""
        ...


class Peers:
    """Every open link has a number of its own, and none is used again."""

    def __init__(self, hears: HearsLinks) -> None:
        self._hears = hears
        self._links: dict[int, Link] = {}
        self._silent: set[int] = set()
        self._numbers = 0
        self._all_gone: Deferred[None] | None = None

    @property
    def linked(self) -> frozenset[bytes]:
        """The keys of all who have a link to here."""
        return frozenset(link.peer_key for link in self._links.values())

    @property
    def answering(self) -> frozenset[bytes]:
        """The keys of those who have been heard of just now."""
        return frozenset(
            link.peer_key
            for number, link in self._links.items()
            if number not in self._silent
        )

    def key_of(self, number: int) -> bytes:
        """Whose link it is; of one that is gone, nobody's."""
        link = self._links.get(number)
        return b"" if link is None else link.peer_key

    def take(self, link: Link) -> int | None:
        """Use a link that has come to be, and answer its number if it still is."""
        if self._all_gone is not None:
            link.abort(End.CLOSED)
            return None
        self._numbers += 1
        number = self._numbers
        self._links[number] = link
        # What we say first must be on its way before what the peer says is answered.
        self._hears.connected(number)
        link.start(_Ear(self, number))
        self._hears.presence_changed()
        return number if number in self._links else None

    def send(self, frames: tuple[Frame, ...]) -> None:
        """Put frames on their links; one for a link that is gone goes nowhere."""
        for frame in frames:
            link = self._links.get(frame.link)
            if link is not None:
                link.send(frame.data)

    def drop(self, number: int) -> None:
        """End a link on which nonsense has come."""
        link = self._links.get(number)
        if link is not None:
            link.close(End.RUBBISH)

    def close(self) -> "Deferred[None]":
        """Say goodbye on every link; fires when all that waited has gone out."""
        gone: Deferred[None] = Deferred()
        self._all_gone = gone
        for link in tuple(self._links.values()):
            link.close()
        self._fire_if_gone()
        return gone

    def heard(self, number: int, data: bytes) -> None:
        """A link's ear has a frame."""
        if self._all_gone is None:
            self._hears.received(number, data)

    def fell_silent(self, number: int, *, silent: bool) -> None:
        """A link's ear hears nothing, or something again."""
        if silent:
            self._silent.add(number)
        else:
            self._silent.discard(number)
        self._hears.presence_changed()

    def gone(self, number: int) -> None:
        """A link is lost."""
        self._silent.discard(number)
        link = self._links.pop(number, None)
        if link is None:
            return
        if self._all_gone is None:
            self._hears.disconnected(number, link.peer_key)
            self._hears.presence_changed()
        self._fire_if_gone()

    def _fire_if_gone(self) -> None:
        if self._all_gone is not None and not self._links and not self._all_gone.called:
            self._all_gone.callback(None)


class _Ear:
    """What one link tells, with the link's number."""

    def __init__(self, peers: Peers, number: int) -> None:
        self._peers = peers
        self._number = number

    def frame(self, data: bytes) -> None:
        """See `Hears`."""
        self._peers.heard(self._number, data)

    def suspect(self, *, silent: bool) -> None:
        """See `Hears`."""
        self._peers.fell_silent(self._number, silent=silent)

    def lost(self, end: End) -> None:
        """See `Hears`."""
        self._peers.gone(self._number)
