"""The own table, as those meet it who have no invitation: announced, shown, asked at.

Only a person at a terminal lets somebody in, and only before the first card, when no
whole screen hides the question.
"""

from collections.abc import Callable
from ipaddress import ip_address
from typing import TYPE_CHECKING

from twisted.internet.defer import Deferred, succeed
from twisted.python.failure import Failure

from protocol.hello import Door, Refusal, Shown, table_text
from protocol.links.endings import NoMulticast
from protocol.links.porch import Knocker
from scopa_net.app.meeting import Meeting, program
from scopa_net.app.questions import Questions
from scopa_net.app.stage import Person

if TYPE_CHECKING:
    from protocol.links.lan import Announcer

__all__ = ["Welcome"]


class Welcome:
    """See `Public`. `keep` stores whom the door has let in, or says why not."""

    def __init__(
        self,
        meeting: Meeting,
        door: Door,
        questions: Questions,
        person: Person | None,
        keep: Callable[[bytes, bytes], Refusal | None],
    ) -> None:
        self._meeting = meeting
        self._door = door
        self._questions = questions
        self._person = person
        self._keep = keep
        self._announcer: Announcer | None = None

    # -- see `Public` --------------------------------------------------------

    def shown(self) -> Shown:
        """See `Public`."""
        variant = self._meeting.variant
        return Shown(
            program(),
            table_text(self._meeting.name),
            variant.players,
            self._door.free,
            asks=self._person is not None and self._person.interactive,
            rules=variant.lines(),
        )

    def knows(self, key: bytes) -> bool:
        """See `Public`."""
        return key in self._door.admitted

    def ask(self, knocker: Knocker) -> "Deferred[bool]":
        """See `Public`."""
        name = knocker.player
        return self._questions.ask(
            f"{name} wants to sit down. {name}'s screen must show: "
            f"{knocker.words.replace('-', ' ')}",
            "Does it? [y/N]",
            withdrawn=f"{name} does not wait any more.",
        )

    def let_in(self, key: bytes, ticket: bytes) -> Refusal | None:
        """See `Public`."""
        refusal = self._door.let_in(key, ticket)
        return self._keep(key, ticket) if refusal is None else refusal

    # -- on the LAN ----------------------------------------------------------

    def announce(self, port: int, on_trouble: Callable[[str], None]) -> None:
        """Tell the LAN of the table, if it is to be told; trouble is a sentence."""
        address = self._meeting.address
        host = "" if address is None else address[0]
        if not self._meeting.announced or (host and ip_address(host).is_loopback):
            return
        from protocol.links.lan import Announcer

        def failed(failure: Failure) -> None:
            failure.trap(NoMulticast)
            self._announcer = None
            on_trouble(str(failure.value))

        meeting = self._meeting
        self._announcer = Announcer(
            meeting.host, port, meeting.variant.id, self._door.free
        )
        self._announcer.start().addErrback(failed)

    def changed(self) -> None:
        """Somebody was let in."""
        if self._announcer is not None:
            self._announcer.tell(self._door.free)

    def close(self) -> "Deferred[None]":
        """Take the announcement back."""
        announcer, self._announcer = self._announcer, None
        return succeed(None) if announcer is None else announcer.close()
