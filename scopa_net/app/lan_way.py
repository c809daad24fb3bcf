"""A way back to a host on the own LAN, wherever there it is by now.

Only its key is known for sure: its address may be another one since it was lost. So it
is searched for among those who announce a table, and called where its key begins as
announced; what is proven there decides.
"""

from ipaddress import ip_address
from typing import Any, Final

from twisted.internet import defer
from twisted.internet.defer import Deferred, DeferredQueue

from protocol.crypto.identity import Identity
from protocol.hello import GuestHello
from protocol.invite import Invite
from protocol.links import Link, NotReached, Why, dial
from protocol.links.endings import NoMulticast
from scopa_net.app.contacts import Way
from scopa_net.app.meeting import Meeting, program

__all__ = ["lan_way"]

SEARCH_S: Final = 6.0
DIALS_MAX: Final = 4
_NOT_HERE: Final = "It is not announced on this network."


def lan_way(
    reactor: Any, identity: Identity, meeting: Meeting, key: bytes
) -> Way | None:
    """The way to this key, if it is a host's that was met at an address of a LAN."""
    invite = meeting.invite
    if invite is None or invite.pin != key or not any(map(_is_local, invite.hosts)):
        return None
    hello = GuestHello(program(), None, meeting.nonce)

    def reach() -> Deferred[Link]:
        return Deferred.fromCoroutine(_search(reactor, identity, invite, hello))

    return Way(reach)


async def _search(
    reactor: Any, identity: Identity, invite: Invite, hello: GuestHello
) -> Link:
    # Only now: most matches never come to it.
    from protocol.links.lan import Browser, Find, begins_as

    finds: DeferredQueue[Find] = DeferredQueue()
    browser = Browser(identity.key, finds.put, lambda _: None)
    until_s = reactor.seconds() + SEARCH_S
    told = NotReached(Why.NOBODY_THERE, _NOT_HERE)
    dialed: set[object] = set()
    try:
        await browser.start()
        while len(dialed) < DIALS_MAX:
            left_s = max(0.0, until_s - reactor.seconds())
            find = await finds.get().addTimeout(left_s, reactor)
            if find.place in dialed or not begins_as(find, invite.pin):
                continue
            dialed.add(find.place)
            host, *others = find.place.hosts
            port, pin = find.place.port, invite.pin
            called = Invite(host, port, pin, invite.ticket, tuple(others))
            try:
                return await dial(reactor, called, identity, hello)
            except NotReached as reason:
                told = reason
    except NoMulticast as reason:
        told = NotReached(Why.UNREACHABLE, str(reason))
    except defer.TimeoutError:
        pass
    finally:
        browser.close()
    raise told


def _is_local(host: str) -> bool:
    """Whether an address is one of those that are given out on LANs."""
    try:
        address = ip_address(host)
    except ValueError:
        return host.endswith(".local")
    return address.is_private and not address.is_loopback
