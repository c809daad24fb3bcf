"""The other seats of a table: how each is called, and how they are told where we are.

At a table of three or more no seat is special: everybody listens from when it is known
who sits there, and calls everybody. Of two seats the one with the smaller key calls at
once and the other a little later, so that mostly one link comes to be. At a table of
two the guest calls the host.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from ipaddress import ip_address
from typing import Any, Final

from twisted.internet.defer import Deferred, fail
from twisted.internet.interfaces import IDelayedCall

from protocol.crypto.identity import Identity
from protocol.hello import GuestHello, Refusal
from protocol.invite import HOSTS_MAX, Invite
from protocol.links import Link, NotListening, NotReached, Why, dial
from protocol.links.budget import Allowance, Budget
from protocol.links.listening import Gallery
from protocol.news import PLACES_MAX, Where, callable_hosts
from protocol.whereabouts import Whereabouts
from scopa_net.app.addresses import own_addresses
from scopa_net.app.contacts import CarryOut, Contacts, Way
from scopa_net.app.meeting import Meeting, place_facts, program

__all__ = ["Called", "FindWay", "Neighbours"]

ADDRESSES_S: Final = 0.3
"""What is found on the LAN may come first."""

LARGER_KEY_S: Final = 3.0
LOOK_AROUND_S: Final = 10.0
"""How often we see whether this machine has other addresses than before."""

KEEPING: Final = Allowance(burst=12, per_s=0.2)
"""So often it is kept where others are, whatever they tell: each time costs a disk."""

UNPROVEN: Final = Allowance(burst=64, per_s=PLACES_MAX / 60)
"""So many calls to addresses at which nobody has proven the key yet (X39)."""

FindWay = Callable[[Meeting, bytes], Way | None]
"""One more way to a key of a meeting, if it is known how."""


class Neighbours:
    """Keeps the ways to the seats of one table, and our own place, up to date.

    `carry_out` is that of `Hears`; `keep` stores facts. `find_ways` are others'
    ways, beside addresses: they are asked once for each key of the table. Whoever may
    watch at the own door is let into the `gallery`.
    """

    def __init__(
        self,
        reactor: Any,
        identity: Identity,
        contacts: Contacts,
        *,
        carry_out: CarryOut,
        keep: Callable[[Mapping[str, bytes]], None],
        addresses: Callable[[], tuple[str, ...]] = own_addresses,
    ) -> None:
        self.find_ways: list[FindWay] = []
        self.gallery: Gallery | None = None
        self._reactor = reactor
        self._identity = identity
        self._contacts = contacts
        self._carry_out = carry_out
        self._keep = keep
        self._addresses = addresses
        self._meeting: Meeting | None = None
        self._keys: tuple[bytes, ...] = ()
        self._whereabouts: Whereabouts | None = None
        self._own: tuple[int, tuple[str, ...]] | None = None
        self._called: dict[bytes, Called] = {}
        self._kept: dict[str, bytes] = {}
        self._keeping = KEEPING.full(reactor.seconds())
        self._timers: dict[str, IDelayedCall] = {}
        self._over = False

    def listen_as(self, meeting: Meeting) -> None:
        """Others reach us at the address of this meeting."""
        self._meeting = meeting
        self._look_around()

    def call_host(self, invite: Invite, nonce: bytes | None) -> None:
        """Call who has invited us, there and wherever it tells us later that it is.

        `nonce` is its table's, if that is known.

        All its addresses are dialed as one, so that it is not entered by two of them.
        """
        hello = GuestHello(program(), invite.ticket, nonce)

        def reach() -> Deferred[Link]:
            place = self._place_of(invite.pin)
            hosts = invite.hosts
            if place is not None and place.port == invite.port:
                hosts = tuple(dict.fromkeys((*place.hosts, *invite.hosts)))
            first, *more = hosts[:HOSTS_MAX]
            called = replace(invite, host=first, others=tuple(more))
            return self._dial(called, hello)

        self._contacts.reach(invite.pin, [Way(reach, patient=False)])

    def seated(
        self, meeting: Meeting, keys: tuple[bytes, ...], whereabouts: Whereabouts
    ) -> None:
        """It is known who sits at the table, or known better where somebody is."""
        if self._over:
            return
        first = self._whereabouts is None
        self._keys, self._whereabouts = keys, whereabouts
        if first:
            # From here on it is ours: a guest's comes to have an address.
            self._meeting = meeting
            self._open_door()
            for key in self._others():
                self._contacts.reach(key, self._ways(key))
            self.heard()
        for key in self._others():
            where = whereabouts.where(keys.index(key))
            if where is None:
                continue
            known = self._called_of(key).where
            self._called_of(key).where = where
            moved = known is not None and known[3:] != where[3:]
            if moved or (known is None and self._identity.key < key):
                self._contacts.hurry(key)
        self._keep_places()

    @property
    def others_are_here(self) -> bool:
        """Whether it is known that more than one other sits here, whatever one says."""
        return len(self._keys) > 2

    def heard(self) -> None:
        """Somebody is heard, or is not: the others, and who watches, want to know."""
        if self._keys:
            answering = self._contacts.answering
            self._carry_out(lambda machine: machine.hears(answering))

    def close(self) -> None:
        """Look no more; what is known is kept."""
        self._over = True
        for timer in self._timers.values():
            if timer.active():
                timer.cancel()

    # -- our own place -------------------------------------------------------

    def _open_door(self) -> None:
        """A guest listens too, where everybody is to have links with everybody."""
        meeting = self._meeting
        assert meeting is not None
        if meeting.hosting or len(self._keys) < 3:
            return
        host, port = meeting.address or (meeting.loopback or "", 0)
        hello = meeting.hello()
        for tried in dict.fromkeys((port, 0)):
            try:
                real = self._contacts.listen(
                    (host, tried), hello, self._admit, gallery=self.gallery
                )
            except NotListening:
                # Others may let us in where we can let in nobody.
                continue
            self._meeting = meeting.at(host, real)
            self._keep(self._meeting.address_facts())
            self._look_around()
            return

    def _admit(self, key: bytes, hello: GuestHello) -> Refusal | None:
        """Whoever sits at the table may come in, and nobody else."""
        assert self._meeting is not None
        if key not in self._others():
            return Refusal.WRONG_TICKET
        return None if hello.nonce == self._meeting.nonce else Refusal.OTHER_TABLE

    def _look_around(self) -> None:
        """Tell the others where we are, if that is new."""
        meeting = self._meeting
        if meeting is None or meeting.address is None or self._over:
            return
        self._after("look around", LOOK_AROUND_S, self._look_around)
        host, port = meeting.address
        found = (host,) if host else self._addresses()
        spelled = dict.fromkeys(str(ip_address(each)) for each in found)
        own = callable_hosts(tuple(spelled), loopback=meeting.loopback is not None)
        place = port, own[:PLACES_MAX]
        if place != self._own:
            moved = self._own is not None
            self._own = place
            self._carry_out(lambda machine: machine.is_at(*place))
            if moved:
                self._contacts.hurry()

    # -- the others ----------------------------------------------------------

    def _others(self) -> tuple[bytes, ...]:
        return tuple(key for key in self._keys if key != self._identity.key)

    def _ways(self, key: bytes) -> list[Way]:
        """Those by which a key is called because it sits at the table."""
        meeting = self._meeting
        assert meeting is not None
        many = len(self._keys) > 2
        later_s = LARGER_KEY_S if many and self._identity.key > key else 0.0
        ways = []
        if many or not meeting.hosting:
            ways.append(Way(lambda: self._call(key), ADDRESSES_S + later_s))
        found = (find(meeting, key) for find in self.find_ways)
        return [*ways, *(way for way in found if way is not None)]

    def _call(self, key: bytes) -> "Deferred[Link]":
        """Call a seat where it says that it is."""
        meeting, place = self._meeting, self._place_of(key)
        assert meeting is not None
        invite = meeting.invite
        # The host's other addresses are called together with those of the invitation.
        same = invite and (invite.pin, invite.port) == (key, place and place.port)
        if place is None or same:
            return fail(NotReached(Why.UNREACHABLE, "It is not known where to call."))
        return self._dial(place, GuestHello(program(), None, meeting.nonce))

    def _place_of(self, key: bytes) -> Invite | None:
        """Where a seat says that it is, as far as it may be called there now."""
        meeting, whereabouts = self._meeting, self._whereabouts
        if meeting is None or whereabouts is None:
            return None
        where = whereabouts.where(self._keys.index(key))
        if where is None:
            return None
        told = callable_hosts(where.hosts, loopback=meeting.loopback is not None)
        hosts = self._called_of(key).allowed(told, self._reactor.seconds())
        return Invite(hosts[0], where.port, key, b"", hosts[1:]) if hosts else None

    def _dial(self, called: Invite, hello: GuestHello) -> "Deferred[Link]":
        answer = dial(self._reactor, called, self._identity, hello)
        return answer.addCallback(self._called_of(called.pin).proven)

    def _called_of(self, key: bytes) -> "Called":
        return self._called.setdefault(key, Called(self._reactor.seconds()))

    # -- what is kept --------------------------------------------------------

    def _keep_places(self) -> None:
        """Keep where the others are, so that we find them whoever else is gone."""
        assert self._whereabouts is not None
        facts = place_facts(self._whereabouts.places)
        budget = self._keeping.less(1, self._reactor.seconds())
        if facts == self._kept:
            return
        if budget.spent:
            self._after("keep", 1 / KEEPING.per_s, self._keep_places)
            return
        self._kept, self._keeping = facts, budget
        self._keep(facts)

    def _after(self, name: str, delay_s: float, call: Callable[[], None]) -> None:
        before = self._timers.get(name)
        if before is not None and before.active():
            before.cancel()
        self._timers[name] = self._reactor.callLater(delay_s, call)


class Called:
    """What has come of calls to one key."""

    def __init__(self, now_s: float) -> None:
        self.where: Where | None = None
        self._budget: Budget = UNPROVEN.full(now_s)
        self._proven: set[str] = set()

    def allowed(self, hosts: tuple[str, ...], now_s: float) -> tuple[str, ...]:
        """Those that may be called now; each that has proven nothing costs."""
        allowed = []
        for host in hosts:
            if host not in self._proven:
                budget = self._budget.less(1, now_s)
                if budget.spent:
                    continue
                self._budget = budget
            allowed.append(host)
        return tuple(allowed)

    def proven(self, link: Link) -> Link:
        """The key was proven there."""
        if len(self._proven) >= PLACES_MAX:
            self._proven.clear()
        self._proven.add(link.address)
        return link
