"""Who is told how a match over the network goes."""

from pathlib import Path
from typing import Protocol

from protocol.room import Room
from protocol.text import SafeText
from scopa_net.acquaintances import Introduction
from scopa_net.app.remote import Introducers, NewCode
from scopa_net.app.running import Hear
from scopa_net.rules import Variant
from scopa_net.ui.absence import Waiting

__all__ = ["Audience"]


class Audience(Protocol):
    """Who is told how a match over the network goes."""

    @property
    def hear(self) -> Hear:
        """What the own seat is told."""
        ...

    def shuffling(self, done: int, seats: int) -> None:
        """So many of the seats have shuffled the cards that are waited for."""
        ...

    def listening(
        self,
        match: str,
        port: int,
        invites: tuple[str, ...],
        free: tuple[str, ...],
        codes: tuple[str, ...],
        watch: str,
    ) -> None:
        """The host can be reached, by one invitation of each guest.

        With those that are `free` somebody may come who is not at the table yet, and
        so with each of the codes. By `watch` anybody may follow the match.
        """
        ...

    def codes(self, news: NewCode | Introducers) -> None:
        """There is a new code, or those who introduce are away or back."""
        ...

    def sitting(
        self, match: str, variant: Variant, *, side: int | None, again: bool
    ) -> None:
        """There is a table; `again` if it is gone on with.

        The own player will play for that `side`, if one was chosen.
        """
        ...

    def waiting(self, waiting: Waiting) -> None:
        """Somebody is not there, or all are there again."""
        ...

    def room(self, room: Room, own: bytes) -> None:
        """So many have come to a larger table, of whom one has the `own` key."""
        ...

    def rescued(self, aside: Path) -> None:
        """The saved match was damaged and lies there now; what is left goes on."""
        ...

    def introduced(self, met: tuple[Introduction, ...]) -> None:
        """The others have names and keys; told to a person only."""
        ...

    def chat(self, name: SafeText, text: SafeText) -> None:
        """A player has written this; whoever sits here reads it otherwise."""
        ...

    def watched(self, names: tuple[SafeText, ...]) -> None:
        """These watch the match now, without a seat."""
        ...

    def trouble(self, why: str) -> None:
        """Something does not work, and the match goes on all the same."""
        ...
