"""A host's side of a match: its door, those who watch, its bots, what it tells."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from protocol.crypto.identity import Identity
from protocol.hello import GuestHello, Refusal
from protocol.store import StoreProblem
from scopa_net.app.addresses import own_addresses
from scopa_net.app.audience import Audience
from scopa_net.app.contacts import Contacts
from scopa_net.app.filling import Filling, seat_for
from scopa_net.app.gallery import Gallery
from scopa_net.app.keeping import Keeping
from scopa_net.app.meeting import Meeting, watch_ticket
from scopa_net.app.questions import Questions
from scopa_net.app.remote import Remote
from scopa_net.app.stage import Person
from scopa_net.app.welcome import Welcome
from scopa_net.table import Table

__all__ = ["Host", "Hosting"]


@dataclass(frozen=True, slots=True)
class Host:
    """Who hosts, and what of the own program it is done with.

    `table` gives None before there is one; `fail` hears what ends the match.
    """

    reactor: Any
    identity: Identity
    person: Person | None
    questions: Questions
    audience: Audience
    contacts: Contacts
    remote: Remote
    keeping: Keeping
    gallery: Gallery
    table: Callable[[], Table | None]
    fail: Callable[[Failure], None]


class Hosting:
    """The table of the own program, from when it listens.

    `meeting` is how its players meet, and changes when somebody is let in.
    """

    def __init__(self, host: Host, meeting: Meeting) -> None:
        self.meeting = meeting
        self._host = host
        self._ticket = watch_ticket(host.identity, meeting.nonce)
        self._door = meeting.door(self._ticket)
        host.gallery.door = self._door
        self._welcome = Welcome(
            meeting, self._door, host.questions, host.person, self._keep_admitted
        )
        self._came: set[bytes] = set()
        self._filling = Filling(host.reactor, host.audience.trouble)

    def listen(self) -> None:
        """Open the door, if there is an address; raises `NotListening`."""
        assert self.meeting.address is not None
        port = self._host.contacts.listen(
            self.meeting.address,
            self.meeting.hello(),
            self._admit,
            self._welcome,
            self._host.gallery,
        )
        self.meeting = self.meeting.listening_at(port)

    def tell_where(self, codes: tuple[str, ...]) -> None:
        """Say where the table is, and have the own bots come to it."""
        meeting, host = self.meeting, self._host
        assert meeting.address is not None
        _, port = meeting.address
        invites = meeting.invites(own_addresses)
        free = meeting.still_free(invites)
        watch = meeting.watch_invite(self._ticket, own_addresses)
        match = host.keeping.match
        host.audience.listening(match, port, invites, free, codes, watch)
        self._welcome.announce(port, host.audience.trouble)
        bots = zip(meeting.bots, meeting.bot_invites(own_addresses), strict=True)
        self._filling.start(
            [
                seat_for(bot, invite, host.keeping.bot_folder(number))
                for number, (bot, invite) in enumerate(bots, 1)
            ]
        )

    def opened(self) -> None:
        """What was kept is known: who was let in before may not come again.

        It may by its ticket, unless a person had let it in without one.
        """
        tickets = self.meeting.tickets
        self._came |= {key for key, used in self.meeting.admitted if used in tickets}
        self._let_go_of_absent()

    def presence_changed(self) -> None:
        """Somebody has come or gone; one link may just follow another."""
        self._host.reactor.callLater(0, self._let_go_of_absent)

    def close(self) -> "tuple[Deferred[None], ...]":
        """Say goodbye, and end the own bots."""
        return self._welcome.close(), self._filling.close()

    # -- who comes -----------------------------------------------------------

    def _admit(self, key: bytes, hello: GuestHello) -> Refusal | None:
        """Who is let in is kept first: a ticket serves once, whatever happens."""
        known = key in self._door.admitted
        refusal = self._door.admit(key, hello)
        if refusal is not None or known:
            return refusal
        return self._keep_admitted(key, hello.ticket or b"")

    def _keep_admitted(self, key: bytes, ticket: bytes) -> Refusal | None:
        refusal = self._keep(self.meeting.admitting(key, ticket))
        if refusal is None:
            self._host.remote.admitted(self.meeting)
        return refusal

    def _let_go_of_absent(self) -> None:
        """Before the start whoever goes leaves its place, to whoever has a ticket."""
        linked = self._host.contacts.linked
        self._came |= linked
        if self._host.table() is not None:
            return
        for key in self._came.intersection(self._door.admitted) - linked:
            self._door.let_go(key)
            self._keep(self.meeting.letting_go(key))
            self._host.remote.given_back(self.meeting)

    def _keep(self, meeting: Meeting) -> Refusal | None:
        self.meeting = meeting
        self._welcome.changed()
        try:
            self._host.keeping.note(self.meeting.admission_facts())
        except StoreProblem:
            self._host.fail(Failure())
            return Refusal.BUSY
        return None
