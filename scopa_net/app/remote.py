"""Codes: how the seats of a match meet over the internet, and meet again.

What knows of servers is loaded only where there are any.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final, Protocol

from twisted.internet.defer import Deferred, succeed
from twisted.python.failure import Failure

from protocol.codes import Servers
from protocol.crypto.agreement import shared_secret
from protocol.crypto.identity import Identity
from protocol.hello import GuestHello, HostHello
from protocol.invite import Invite, read_invite
from protocol.links import Link, NotReached, Why
from protocol.links.dialing import dial_through
from protocol.links.tls import TlsFactory
from protocol.news import callable_hosts
from scopa_net.app.addresses import own_addresses
from scopa_net.app.contacts import Contacts, Way
from scopa_net.app.meeting import Meeting, program

if TYPE_CHECKING:
    from protocol.links.introducing import Accepted, Offer, Pair
    from protocol.links.wormhole import Introduction

__all__ = ["Introducers", "NewCode", "Remote", "TellsOfCodes"]

HEAD_START_S: Final = 2.0
"""So long the addresses that are known have, before a server is asked."""

GOODBYE_S: Final = 1.0
FIRST: Final = "There is a code for who is still to come."
SERVED_NOBODY: Final = "The last code has served nobody, and counts no more."
NOT_AGREED: Final = (
    "This table's players find each other again by servers for everybody, which you "
    "have not agreed to use: you are found only at your addresses. `scopa config set "
    "public_servers yes` agrees."
)
BACK: Final = "The mailbox server {} is back."
AWAY: Final = (
    "The mailbox server {} cannot be reached: codes do not work until it is back."
)


@dataclass(frozen=True, slots=True)
class NewCode:
    """A code that comes later than the first ones, and why.

    None if there is none in the place of another.
    """

    code: str | None
    why: str


@dataclass(frozen=True, slots=True)
class Introducers:
    """Whether the servers that introduce are there, after this has changed."""

    there: bool
    why: str


def _hosts(servers: Servers) -> tuple[str, ...]:
    places = servers.mailbox_place, servers.relay_place
    return tuple(place.rpartition(":")[0].strip("[]") for place in places)


def _may_be_called(host: str, *, loopback: bool) -> bool:
    """Whether somebody else may have us call there (X39)."""
    try:
        return bool(callable_hosts((str(ip_address(host)),), loopback=loopback))
    except ValueError:
        return host != "localhost" or loopback


class TellsOfCodes(Protocol):
    """Who is told how it goes with codes."""

    def codes(self, news: NewCode | Introducers) -> None:
        """This is new."""
        ...


class Remote:
    """What one seat does with the servers of its match, if `use` has named any."""

    def __init__(
        self, reactor: Any, identity: Identity, contacts: Contacts, tells: TellsOfCodes
    ) -> None:
        self.servers: Servers | None = None
        self._reactor = reactor
        self._identity = identity
        self._contacts = contacts
        self._tells = tells
        self._sought: set[bytes] = set()
        self._pairs: dict[bytes, Pair] = {}
        self._nonce = b""
        self._offers: dict[bytes, Offer] = {}
        self._codes: dict[bytes, str] = {}
        self._troubles: dict[bytes, str] = {}
        self._away = False
        self._offered: Deferred[tuple[str, ...]] | None = None
        self._entered = ""
        self._accepting: Deferred[Accepted] | None = None
        self._accepted: Accepted | None = None
        self._dialing_first = False

    def use(self, servers: Servers | None) -> None:
        """Meet by these servers too."""
        self.servers = servers

    # -- a host --------------------------------------------------------------

    def codes_for(
        self, meeting: Meeting, *, later: bool
    ) -> "Deferred[tuple[str, ...]]":
        """A code for each guest who is still to come, when all are there.

        Or `NotReached`. Those that come `later` are told of by themselves. Codes that
        serve nobody are followed by others until the guest is let in.
        """
        if self.servers is None:
            return succeed(())
        from protocol.links.introducing import Offer

        offered: Deferred[tuple[str, ...]] = Deferred()
        self._offered = None if later else offered
        door = self._contacts.door
        assert door is not None, "a host listens"
        for text in meeting.invites(own_addresses):
            ticket = read_invite(text).ticket
            if ticket in meeting.tickets_free:
                self._offers[ticket] = Offer(
                    self._reactor,
                    self.servers,
                    text,
                    door,
                    on_code=self._has_code(ticket),
                    on_trouble=self._in_trouble(ticket),
                    on_server=self._at_server,
                )
        for each in tuple(self._offers.values()):
            each.start()
        self._offer_all()
        return succeed(()) if later else offered

    def admitted(self, meeting: Meeting) -> None:
        """Somebody was let in: a code less, a seat more to meet again."""
        for ticket in self._offers.keys() - meeting.tickets_free:
            self._offers.pop(ticket).stop()
            self._codes.pop(ticket, None)
        self._away &= bool(self._offers)
        self._offer_all()
        self.seek(meeting)

    def given_back(self, meeting: Meeting) -> None:
        """A place is free again; once all were taken, no codes were left."""
        if not self._offers:
            self.codes_for(meeting, later=True)

    # -- a guest -------------------------------------------------------------

    def enter(self, code: str) -> None:
        """Use this code, once `begin` is called; raises `BadCode` if none is so."""
        from protocol.links.introducing import check_words

        check_words(code)
        self._entered = code

    def begin(self, told: Callable[[Invite], None]) -> "Deferred[None]":
        """Tell the invitation of the host whose code was entered; or `NotReached`."""
        if not self._entered or self.servers is None:
            return succeed(None)
        from protocol.links.introducing import accept

        self._accepting = accept(
            self._reactor, self.servers, self._entered, on_server=self._at_server
        )

        def accepted(found: "Accepted") -> None:
            self._accepted = found
            told(found.invite)

        return self._accepting.addCallback(accepted)

    def follow(self, invite: Invite) -> None:
        """Go to the host also through the relay, if nothing better works."""
        hello = GuestHello(program(), invite.ticket, None)
        self._contacts.reach(invite.pin, (self._calling(invite.pin, hello),))

    @property
    def undecided(self) -> bool:
        """Whether it is not known yet if a code that was entered leads to the host."""
        return self._accepted is not None or self._dialing_first

    def reached(self, link: Link) -> None:
        """Somebody has let us in: if not by the relay, the relay is not needed."""
        hello = link.peer_hello
        if isinstance(hello, HostHello) and not self._nonce:
            # By the table's nonce we can meet again from now on, terms or not.
            self._nonce = hello.nonce
        if not link.relayed:
            self._let_go()

    def told(
        self,
        meeting: Meeting,
        servers: Servers | None,
        agrees: Callable[[Servers], bool],
    ) -> Meeting:
        """With those that the host names, if there are no others yet and we may.

        They may be on this machine only if the table is.
        """
        if servers is not None and self.servers is None:
            local = meeting.loopback is not None
            if all(_may_be_called(host, loopback=local) for host in _hosts(servers)):
                if agrees(servers):
                    self.use(servers)
                else:
                    self._tells.codes(Introducers(there=False, why=NOT_AGREED))
        return replace(meeting, servers=self.servers)

    # -- everybody -----------------------------------------------------------

    def seek(self, meeting: Meeting) -> None:
        """Meet those again whom we know, whenever there is no link to them."""
        known = [key for key, _ in meeting.admitted]
        for key in known if meeting.hosting else (meeting.host,):
            way = self.way(meeting, key)
            if way is not None:
                self._contacts.reach(key, (way,))

    def way(self, meeting: Meeting, key: bytes) -> Way | None:
        """The way by which a seat is met again; None if it has been asked for before.

        The host waits for everybody, and of two others the larger key for the smaller.
        """
        self._nonce = meeting.nonce
        own, door = self._identity.key, self._contacts.door
        if self.servers is None or key in self._sought or key == own:
            return None
        if key == meeting.host or (own < key and not meeting.hosting):
            invite = meeting.invite
            # Before the start a host lets go of who is away, and wants it again.
            ticket = invite.ticket if invite and invite.pin == key else None
            return self._calling(key, GuestHello(program(), ticket, meeting.nonce))
        return None if door is None else self._waiting(key, door)

    def close(self) -> "Deferred[None]":
        """Give up all codes; fires soon, however slow a server is."""
        gone: Deferred[None] = Deferred()
        used = bool(self._offers or self._accepted)
        for offer in self._offers.values():
            offer.stop()
        if self._accepting is not None:
            self._accepting.addErrback(lambda _: None).cancel()
        self._let_go()
        self._reactor.callLater(GOODBYE_S if used else 0.0, gone.callback, None)
        return gone

    # -- inside --------------------------------------------------------------

    def _calling(self, key: bytes, hello: GuestHello) -> Way:
        """Call a seat that waits."""

        def through(introduction: "Introduction") -> "Deferred[Link]":
            return dial_through(self._reactor, introduction, key, self._identity, hello)

        def reach() -> "Deferred[Link]":
            found = self._accepted
            if found is None or found.invite.pin != key:
                return self._pair(key).call(through)
            self._accepted, self._dialing_first = None, True
            return through(found.introduction).addBoth(self._dialed_first)

        self._sought.add(key)
        return Way(reach, HEAD_START_S, relayed=True)

    def _waiting(self, key: bytes, door: TlsFactory) -> Way:
        """Be there for a seat that calls."""

        def reach() -> "Deferred[Link]":
            return self._pair(key).wait(door)

        self._sought.add(key)
        return Way(reach, HEAD_START_S, relayed=True)

    def _pair(self, key: bytes) -> "Pair":
        from protocol.links.introducing import Pair

        assert self.servers is not None
        if key not in self._pairs:
            secret = shared_secret(self._identity, key, self._nonce)
            self._pairs[key] = Pair(self._reactor, self.servers, secret, time.time)
        return self._pairs[key]

    def _let_go(self) -> None:
        if self._accepted is not None:
            self._accepted.introduction.close()
            self._accepted = None

    def _dialed_first(self, result: Link | Failure) -> Link | Failure:
        self._dialing_first = False
        return result

    def _at_server(self, wrong: NotReached | None) -> None:
        """Many codes may be waited for at one server, and it is told once."""
        away = wrong is not None
        if self._away is not away and self.servers is not None:
            self._away = away
            why = (AWAY if away else BACK).format(self.servers.mailbox_place)
            self._tells.codes(Introducers(not away, why))

    def _has_code(self, ticket: bytes) -> Callable[[str], None]:
        def has(code: str) -> None:
            usual = SERVED_NOBODY if ticket in self._codes else FIRST
            self._codes[ticket] = code
            why = self._troubles.pop(ticket, usual)
            if self._offered is None:
                self._tells.codes(NewCode(code, why))
            else:
                self._offer_all()

        return has

    def _offer_all(self) -> None:
        """Tell the codes once there is one for each offer."""
        if self._offered is None or self._codes.keys() != self._offers.keys():
            return
        offered, self._offered = self._offered, None
        offered.callback(tuple(self._codes[ticket] for ticket in self._offers))

    def _in_trouble(self, ticket: bytes) -> Callable[[NotReached, bool], None]:
        def in_trouble(why: NotReached, again: bool) -> None:  # noqa: FBT001
            if self._offered is not None:
                offered, self._offered = self._offered, None
                offered.errback(why)
            elif again:
                if why.why in {Why.LOST_CODE, Why.WRONG_CODE}:
                    self._troubles[ticket] = why.sentence
            else:
                self._offers.pop(ticket, None)
                self._tells.codes(NewCode(None, why.sentence))

        return in_trouble
