"""A match whose seats are all in this process."""

import secrets
from collections.abc import Callable, Sequence
from typing import TypeAlias

from protocol.crypto.group import EDWARDS
from protocol.crypto.identity import Identity
from protocol.party import Secrets
from protocol.step import Frame, Row
from scopa_net.app.running import OWN, Chair, Ending, Hear, Person, Running, Shuffling
from scopa_net.app.stage import Stage
from scopa_net.local import Local
from scopa_net.rules import Variant
from scopa_net.seat import Seat
from scopa_net.table import Table

__all__ = ["LocalMatch", "fresh_seats"]

Gather: TypeAlias = Callable[[Variant, Sequence[str]], Sequence[Seat]]


def fresh_seats(variant: Variant, names: Sequence[str]) -> list[Seat]:
    """Seats with fresh identities and secrets, around a table with a fresh nonce."""
    nonce = secrets.token_bytes(32)
    drawn = [
        Secrets(
            Identity(secrets.token_bytes(32)),
            secrets.token_bytes(32),
            secrets.token_bytes(32),
        )
        for _ in names
    ]
    return [
        Seat(
            EDWARDS,
            own,
            variant,
            nonce,
            name=name,
            host=drawn[OWN].identity.key,
            number=number,
        )
        for number, (own, name) in enumerate(zip(drawn, names, strict=True))
    ]


class LocalMatch(Running):
    """A match whose seats are all in this process; the first chair is the own one.

    `hear` is told what the own seat is told, for `shuffling` see `Running`; `person`
    fills the chair without a bot. `gather` makes the seats, in the order of the chairs.
    """

    def __init__(
        self,
        variant: Variant,
        chairs: Sequence[Chair],
        *,
        hear: Hear,
        shuffling: Shuffling,
        person: Person | None = None,
        gather: Gather = fresh_seats,
        stage: Stage | None = None,
    ) -> None:
        super().__init__(
            hear=hear,
            shuffling=shuffling,
            person=person,
            threads=len(chairs),
            stage=stage,
        )
        self.variant = variant
        self._local = Local(gather(variant, [chair.name for chair in chairs]))
        self._driver = self.drive(
            self._local,
            dict(enumerate(chairs)),
            secrets.token_bytes(32),
            keep=_keep_nothing,
            send=_send_nowhere,
        )

    def play(self) -> Ending:
        """Run the match to its end, or until somebody wants to leave."""
        return self.ending(self.run())

    def ending(self, code: int) -> Ending:
        """How it ended, now that the loop has stopped with that code."""
        begun = self.table() is not None
        record = self._local.record() if begun else None
        return Ending(code, record, self.failure)

    def begin(self) -> None:
        """See `Running`."""
        self._driver.start()

    def table(self) -> Table | None:
        """See `Running`."""
        return self._driver.table(OWN)


def _keep_nothing(_rows: tuple[Row, ...]) -> None:
    """An offline match lives as long as its process."""


def _send_nowhere(frames: tuple[Frame, ...]) -> None:
    """The frames of a local table never leave it."""
    assert not frames
