"""One seat with the face of a machine, from its first opening to the last goodbye."""

import secrets
from collections.abc import Callable
from typing import Final

from protocol.crypto.identity import Identity
from protocol.faults import LocalProtocolError, Signed
from protocol.step import SecretRow, Step, Task
from protocol.store import StoreDamaged
from scopa_net.events import DealStarted
from scopa_net.leaving import Word
from scopa_net.notices import Notice, Told
from scopa_net.rules import Action
from scopa_net.seat import Seat
from scopa_net.table import Table

__all__ = ["SECRETS", "OneSeat", "drawn_secrets"]

SECRETS: Final = frozenset({"identity", "master", "coin", "luck"})
"""The names of what a seat must not lose."""


def drawn_secrets(identity: Identity) -> tuple[SecretRow, ...]:
    """A seat's secrets: kept before anything that depends on them is sent."""
    return (
        SecretRow("identity", identity.seed),
        *(
            SecretRow(name, secrets.token_bytes(32))
            for name in sorted(SECRETS - {"identity"})
        ),
    )


class OneSeat:
    """A seat whose links have numbers; `key_of` says whose each of them is.

    After a restart `entries` are those that were stored before, `again` is a fresh
    nonce, and `news` say where others were then. `let_go` is set when the others have
    had time enough to hear of the end.
    """

    def __init__(
        self,
        seat: Seat,
        entries: tuple[Signed, ...],
        again: bytes | None = None,
        *,
        news: tuple[Signed, ...] = (),
        key_of: Callable[[int], bytes],
        waits_for: Callable[[], frozenset[bytes]],
    ) -> None:
        self.seat = seat
        self.let_go = False
        self._entries = entries
        self._again = again
        self._news = news
        self._key_of = key_of
        self._waits_for = waits_for
        self._asked = False
        self._holding: set[bytes] = set()

    # -- a Machine -----------------------------------------------------------

    def open(self) -> Step[Notice]:
        """See `Machine`."""
        opened = self.seat.open()
        if self._again is None:
            return opened
        try:
            recalled = self.seat.recall(self._entries, self._again, self._news)
        except LocalProtocolError as reason:
            raise StoreDamaged(
                "This saved match is damaged: its entries do not fit together."
            ) from reason
        events = _since_the_deal(recalled.events)
        return self._then(
            opened + Step(recalled.store, recalled.send, events, recalled.tasks)
        )

    def done(self, task: Task, result: object) -> Step[Notice]:
        """See `Machine`."""
        return self._then(self.seat.done(task, result))

    def act(self, _number: int, action: Action) -> Step[Notice]:
        """See `Machine`."""
        return self._then(self.seat.act(action))

    def agree(self, room: bytes | None) -> Step[Notice]:
        """See `Gathering`."""
        return self._then(self.seat.agree(room))

    def turn_away(self, key: bytes) -> Step[Notice]:
        """See `Gathering`."""
        return self.seat.turn_away(key)

    def say(self, _number: int, word: Word) -> Step[Notice]:
        """See `Machine`."""
        return self._then(self.seat.say(word))

    def table(self, _number: int) -> Table | None:
        """See `Machine`."""
        return self.seat.table

    @property
    def finished(self) -> bool:
        """Whether all is over, and the others hold all of it or had time enough."""
        table = self.seat.table
        if table is None or not table.finished:
            return False
        return self.let_go or self.held_by_all

    @property
    def held_by_all(self) -> bool:
        """Whether all that have links to here are known to hold all that is here."""
        return self._waits_for() <= self._holding

    # -- links ---------------------------------------------------------------

    def connect(self, link: int) -> Step[Notice]:
        """See `Seat`."""
        return self._then(self.seat.connect(link, self._key_of(link)))

    def receive(self, link: int, data: bytes) -> Step[Notice]:
        """See `Seat`."""
        return self._then(self.seat.receive(link, data))

    def disconnect(self, link: int) -> Step[Notice]:
        """See `Seat`."""
        return self._then(self.seat.disconnect(link))

    def is_at(self, port: int, hosts: tuple[str, ...]) -> Step[Notice]:
        """See `Seat`."""
        return self._then(self.seat.is_at(port, hosts))

    def hears(self, keys: frozenset[bytes]) -> Step[Notice]:
        """See `Seat`."""
        return self._then(self.seat.hears(keys))

    def watched(self, names: tuple[str, ...]) -> Step[Notice]:
        """See `Seat`."""
        return self._then(self.seat.watched(names))

    def pass_on(self, chat: Signed, came_on: int | None) -> Step[Notice]:
        """See `Seat`."""
        return self.seat.pass_on(chat, came_on)

    def _then(self, step: Step[Notice]) -> Step[Notice]:
        """Once all is over, find out who else holds all of it.

        Everybody asks once, and saying what one asks for is part of asking: so all hear
        of each other, whoever is the last.
        """
        table = self.seat.table
        if table is None or not table.finished:
            return step
        if not self._asked:
            self._asked = True
            step += self.seat.asking
        self._holding |= {self._key_of(link) for link in self.seat.holders}
        return step


def _since_the_deal(notices: tuple[Notice, ...]) -> tuple[Notice, ...]:
    """What is told after a restart: the deal that was being played, from its start."""
    starts = [
        at
        for at, notice in enumerate(notices)
        if isinstance(notice, Told) and isinstance(notice.event, DealStarted)
    ]
    return notices[starts[-1] :] if starts else notices
