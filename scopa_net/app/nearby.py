"""The tables on the LAN, each looked at before anybody is told of it.

An announcement is anybody's word, and one of a program that has died stays for more
than an hour. So each is called at the address it names: what is shown is what answered
there. Who has not answered twice is forgotten until it announces itself anew.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.interfaces import IDelayedCall
from twisted.python.failure import Failure

from protocol.crypto.identity import Identity
from protocol.entry import WIRE_VERSION
from protocol.hello import Refusal
from protocol.links import NotReached, Why
from protocol.links.dialing import Place
from protocol.links.knocking import Seen, look
from protocol.links.lan import Browser, Find
from scopa_net.app.meeting import program
from scopa_net.rules import RulesError, Variant, variant_of_lines

__all__ = ["Nearby", "TableNearby"]

TRIES: Final = 2
TRY_AGAIN_S: Final = 0.3
LOOK_S: Final = 1.5


@dataclass(frozen=True, slots=True)
class TableNearby:
    """A table that has answered; `variant` is None if its game is not known here."""

    place: Place
    seen: Seen
    variant: Variant | None

    @property
    def open_to_all(self) -> bool:
        """Whether one may knock there."""
        return self.seen.shown.asks and self.seen.shown.free > 0


class Nearby:
    """Finds tables until it is closed; `own` is a key whose tables are left out.

    `on_table` is told of each that is new or has changed.
    """

    def __init__(
        self,
        reactor: Any,
        own: bytes,
        on_table: Callable[[TableNearby], None] = lambda _: None,
    ) -> None:
        self._reactor = reactor
        self._own = own
        self._on_table = on_table
        # Whom one looks at learns a key that is nobody's.
        self._identity = Identity(secrets.token_bytes(32))
        self._browser = Browser(own, self.hear_of, self._gone)
        self._tables: dict[str, TableNearby] = {}
        self._looks: dict[str, Deferred[None]] = {}
        self._again: dict[str, IDelayedCall] = {}
        self._called: dict[tuple[str, int], str] = {}
        self._foreign: set[str] = set()

    @property
    def tables(self) -> tuple[TableNearby, ...]:
        """Those where one may knock first, then by name; each once."""
        found = {
            (each.seen.key, each.place.port): each for each in self._tables.values()
        }
        return tuple(sorted(found.values(), key=_order))

    @property
    def other_versions(self) -> int:
        """How many tables speak another version."""
        return len(self._foreign)

    @property
    def crowded(self) -> bool:
        """Whether there are more than are looked at."""
        return self._browser.crowded

    def start(self) -> "Deferred[None]":
        """Begin; fails with `NoMulticast`."""
        return self._browser.start()

    def close(self) -> "Deferred[None]":
        """Look no further."""
        for name in tuple(self._looks):
            self._looks.pop(name).cancel()
        for timer in self._again.values():
            if timer.active():
                timer.cancel()
        return self._browser.close()

    def hear_of(self, find: Find) -> None:
        """Somebody has announced this: look at it."""
        if find.name in self._looks:
            return
        if find.version not in {0, WIRE_VERSION}:
            self._foreign.add(find.name)
            return
        self._look(find, TRIES)

    # -- inside --------------------------------------------------------------

    def _look(self, find: Find, tries: int) -> None:
        """Call where nobody else's announcement has made us call already."""
        self._again.pop(find.name, None)
        port = find.place.port
        hosts = tuple(
            host
            for host in find.place.hosts
            if self._called.setdefault((host, port), find.name) == find.name
        )
        if not hosts:
            self._browser.drop(find.name)
            return
        place = Place(hosts, port)
        call = look(self._reactor, place, self._identity, program(), deadline_s=LOOK_S)
        self._looks[find.name] = call.addCallbacks(
            lambda seen: self._seen(find, place, seen),
            lambda failure: self._not_seen(find, tries - 1, failure),
        )

    def _seen(self, find: Find, place: Place, seen: Seen) -> None:
        self._looks.pop(find.name, None)
        if seen.key == self._own:
            return
        try:
            variant = variant_of_lines(seen.shown.rules)
        except RulesError:
            variant = None
        self._tables[find.name] = table = TableNearby(place, seen, variant)
        self._on_table(table)

    def _not_seen(self, find: Find, tries: int, failure: Failure) -> None:
        self._looks.pop(find.name, None)
        if failure.check(CancelledError):
            return
        failure.trap(NotReached)
        reason = failure.value
        assert isinstance(reason, NotReached)
        if reason.refusal is Refusal.WRONG_VERSION or reason.why is Why.OTHER_VERSION:
            self._foreign.add(find.name)
            return
        if tries and reason.passing:
            self._again[find.name] = self._reactor.callLater(
                TRY_AGAIN_S, self._look, find, tries
            )
            return
        self._gone(find.name)
        self._browser.drop(find.name)

    def _gone(self, name: str) -> None:
        self._tables.pop(name, None)
        self._foreign.discard(name)
        self._called = {
            where: other for where, other in self._called.items() if other != name
        }


def _order(table: TableNearby) -> tuple[bool, str, str]:
    return not table.open_to_all, table.seen.shown.table, str(table.place)
