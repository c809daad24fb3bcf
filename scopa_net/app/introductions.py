"""Who sits down with the own player: told, asked about, and remembered.

It is for a person; `scopa_net.acquaintances` says why a bot neither asks nor remembers.
"""

import time
from collections.abc import Callable, Mapping, Sequence

from twisted.internet.defer import Deferred, succeed

from protocol.room import Room
from protocol.roster import Terms
from protocol.text import SafeText
from scopa_net.acquaintances import (
    Introduction,
    Standing,
    introduce,
    known_after,
)
from scopa_net.app.questions import Questions
from scopa_net.home import Home
from scopa_net.table import Table
from scopa_net.ui.introductions import refusal, stranger_question

__all__ = ["Introductions", "NotWhoYouKnow"]


class NotWhoYouKnow(Exception):
    """A known name has come with another key, and the player did not want that."""

    def __init__(self, who: Introduction) -> None:
        super().__init__(refusal(who))
        self.who = who


class Introductions:
    """The others at one table, of whom `own` is not one; `tell` hears who they are."""

    def __init__(
        self,
        home: Home,
        own: bytes,
        questions: Questions,
        tell: Callable[[tuple[Introduction, ...]], None],
    ) -> None:
        self._home = home
        self._own = own
        self._questions = questions
        self._tell = tell
        self._known = home.known()
        self._told: dict[bytes, Introduction] = {}
        self._accepted: set[bytes] = set()
        self._remembered = False

    @property
    def unknown(self) -> Mapping[bytes, str]:
        """The keys at the table that were never met, and their words."""
        strange = {Standing.NEW, Standing.OTHER_KEY}
        told = self._told.values()
        return {one.key: one.words for one in told if one.standing in strange}

    def words_at(self, table: Table) -> tuple[str, ...]:
        """By place, the words of who was never met; of others none."""
        keys, places = table.party.judge.course.terms.keys, table.referee.places
        by_place = (keys[places.index(at)] for at in range(len(places)))
        unknown = self.unknown
        return tuple(unknown.get(key, "") for key in by_place)

    def meet(self, room: Room) -> None:
        """Tell who is there; of nobody twice."""
        new = tuple(one for one in self._met(room) if self._told.get(one.key) != one)
        if new:
            self._told |= {one.key: one for one in new}
            self._tell(new)

    def consider(self, room: Room) -> "Deferred[None]":
        """Fires when the player would sit down with them; fails with `NotWhoYouKnow`.

        Nobody is asked about who was accepted before.
        """
        return self._ask(
            [
                one
                for one in self._met(room)
                if one.standing is Standing.OTHER_KEY and one.key not in self._accepted
            ]
        )

    def remember(self, terms: Terms) -> None:
        """They have all signed that they sit here: remember them.

        Whoever has the name of somebody known is remembered only if just accepted. It
        is done once: it waits for the disk.
        """
        if self._remembered:
            return
        self._remembered = True
        self._known = self._home.known()
        met = [
            one
            for one in self._met(terms.room)
            if one.standing is not Standing.OTHER_KEY or one.key in self._accepted
        ]
        now_s = int(time.time())
        self._home.know(known_after(self._known, met, now_s))

    # -- inside --------------------------------------------------------------

    def _met(self, room: Room) -> tuple[Introduction, ...]:
        shown = room.shown()
        players = [
            (one.name, SafeText(told.name), one.key)
            for one, told in zip(room.players, shown.players, strict=True)
            if one.key != self._own
        ]
        return introduce(self._known, players)

    def _ask(self, strange: Sequence[Introduction]) -> "Deferred[None]":
        if not strange:
            return succeed(None)
        first, *rest = strange

        def answered(yes: bool) -> "Deferred[None]":  # noqa: FBT001 - an answer
            if not yes:
                raise NotWhoYouKnow(first)
            self._accepted.add(first.key)
            return self._ask(rest)

        return self._questions.ask(*stranger_question(first)).addCallback(answered)
