"""The link of one who watches: to the host, or to another seat when the host is gone.

One link is enough, as every seat passes on what all others sign. While a seat answers,
nobody else is called; when it does not any more, all are called where they say that
they are, and the first that lets us in is followed.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from twisted.internet.defer import Deferred, fail

from protocol.crypto.identity import Identity
from protocol.hello import WatcherHello
from protocol.invite import HOSTS_MAX, Invite
from protocol.links import End, Link, NotReached, Why, dial
from protocol.news import callable_hosts
from protocol.text import SafeText
from protocol.whereabouts import Hearsay
from scopa_net.app.contacts import Contacts, Hears, Way
from scopa_net.app.meeting import Meeting, program
from scopa_net.app.neighbours import Called

__all__ = ["Following"]

HURRY_S: Final = 5.0
"""Who ends our links at once is not called more than once in this time for that."""


class Following:
    """Whom a watcher with this invitation follows; `hears` is told as of contacts.

    `jitter` is that of `Contacts`.
    """

    def __init__(
        self,
        reactor: Any,
        identity: Identity,
        invite: Invite,
        name: SafeText,
        hears: Hears,
        *,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._reactor = reactor
        self._identity = identity
        self._invite = invite
        self._name = name
        self._hears = hears
        self.contacts = Contacts(
            reactor,
            identity,
            replace(
                hears,
                presence_changed=self._presence_changed,
                answered=self._answered,
                in_vain=self._in_vain,
            ),
            jitter=jitter,
        )
        self._link: Link | None = None
        self._hurried_s = -HURRY_S
        self._meeting: Meeting | None = None
        self._keys: tuple[bytes, ...] = ()
        self._hearsay: Hearsay | None = None
        self._called: dict[bytes, Called] = {}

    def begin(self) -> None:
        """Call the host."""
        self.contacts.reach(
            self._invite.pin, [Way(self._call_as_invited, patient=False)]
        )
        self.contacts.begin()

    def seated(
        self, meeting: Meeting, keys: tuple[bytes, ...], hearsay: Hearsay
    ) -> None:
        """It is known who sits at the table: each of them may be called from now on."""
        if self._hearsay is None:
            self._meeting, self._keys, self._hearsay = meeting, keys, hearsay
            for key in keys:
                self.contacts.reach(key, [self._way(key)])

    # -- what `Hears` is told ------------------------------------------------

    def _presence_changed(self) -> None:
        now_s = self._reactor.seconds()
        lost = self._link is not None and not self.contacts.answering
        if lost and now_s >= self._hurried_s + HURRY_S:
            self._hurried_s = now_s
            self.contacts.hurry()
        self._hears.presence_changed()

    def _answered(self, link: Link) -> bool:
        """One is enough; one that has fallen silent is given up for another one."""
        if self.contacts.answering or not self._hears.answered(link):
            return False
        if self._link is not None:
            self._link.abort(End.SILENT)
        self._link = link
        return True

    def _in_vain(self, key: bytes, why: NotReached, again: bool) -> None:  # noqa: FBT001
        """The host's no is the end, unless there are others to be followed."""
        if len(self._keys) < 3:
            self._hears.in_vain(key, why, again)

    # -- inside --------------------------------------------------------------

    def _hello(self) -> WatcherHello:
        known = None if self._meeting is None else self._meeting.nonce
        return WatcherHello(program(), self._name, self._invite.ticket, known)

    def _call_as_invited(self) -> "Deferred[Link]":
        return self._dial(self._invite)

    def _way(self, key: bytes) -> Way:
        return Way(lambda: self._call(key))

    def _call(self, key: bytes) -> "Deferred[Link]":
        """Call a seat where it says that it is."""
        place = self._place_of(key)
        if place is None:
            return fail(NotReached(Why.UNREACHABLE, "It is not known where to call."))
        return self._dial(place)

    def _place_of(self, key: bytes) -> Invite | None:
        meeting, hearsay = self._meeting, self._hearsay
        assert meeting is not None
        assert hearsay is not None
        where = hearsay.where(self._keys.index(key))
        if where is None or self.contacts.answering:
            return None
        invite, now_s = self._invite, self._reactor.seconds()
        told = callable_hosts(where.hosts, loopback=meeting.loopback is not None)
        if (key, where.port) == (invite.pin, invite.port):
            told = tuple(host for host in told if host not in invite.hosts)
        called = self._called.setdefault(key, Called(now_s))
        hosts = called.allowed(told, now_s)[:HOSTS_MAX]
        if not hosts:
            return None
        return Invite(hosts[0], where.port, key, invite.ticket, hosts[1:])

    def _dial(self, place: Invite) -> "Deferred[Link]":
        if self.contacts.answering:
            return fail(NotReached(Why.UNREACHABLE, "Another seat is followed."))
        answer = dial(self._reactor, place, self._identity, self._hello())
        known = self._called.get(place.pin)
        return answer if known is None else answer.addCallback(known.proven)
