"""Worlds whose players leave: they adjourn and come back, call deals void, resign.

Everything else befalls them too. What they want is drawn apart from that, so that the
seeds of a `World` stay what they are.
"""

from functools import partial
from random import Random

from scopa_net.leaving import Word
from scopa_net.seat import Seat
from scopa_net.table import Table
from tests.simulation.world import World

DECKS_MAX = 5
ADJOURNED_MAX = 3


class LeavingWorld(World):
    """A match that may be given up, and in which deals may be void."""

    def __init__(
        self, seed: int, *, seats: int | None = None, real_group: bool = False
    ) -> None:
        super().__init__(seed, seats=seats, real_group=real_group)
        self._mind = Random(f"leaving {seed}")
        self.said: list[Word] = []
        self._resigns = self._mind.choice((0.0, 0.0, 0.002, 0.01))
        self._adjourns = self._mind.choice((0.0, 0.005))
        self._voids = self._mind.choice((0.0, 0.01, 0.03))
        self._agrees = self._mind.choice((0.5, 0.8, 1.0))
        # Which proposals a life of a seat has thought about already.
        self._thought: set[tuple[int, int, int, int]] = set()

    def _ask_player(self, number: int) -> None:
        super()._ask_player(number)
        place = self.places[number]
        table = place.seat.table if place.seat else None
        if table is None or not table.seated or table.party.asking:
            return
        self._think_of_void(number, table)
        for word, often in (
            (Word.RESIGN, self._resigns),
            (Word.ADJOURN, self._adjourns),
            (Word.CALL_VOID, self._voids),
        ):
            if self._mind.random() < often and self._may(word, table):
                self._later(0.0, partial(self._say, number, place.lives, word))

    def _may(self, word: Word, table: Table) -> bool:
        """Players do not want everything without end."""
        if not table.can_say(word):
            return False
        if word is Word.ADJOURN:
            return self.said.count(word) < ADJOURNED_MAX
        return word is not Word.CALL_VOID or len(table.party.judge.decks) < DECKS_MAX

    def _think_of_void(self, number: int, table: Table) -> None:
        deck = table.party.judge.deck
        if deck is None or not table.can_say(Word.REFUSE_VOID):
            return
        life = self.places[number].lives
        asked = (number, life, deck.number, len(deck.acts))
        if asked in self._thought:
            return
        self._thought.add(asked)
        agrees = self._mind.random() < self._agrees
        word = Word.CALL_VOID if agrees else Word.REFUSE_VOID
        think_s = self._mind.random() * self.setting.think_s
        self._later(think_s, partial(self._say, number, life, word))

    def _say(self, number: int, life: int, word: Word) -> None:
        """Say it, if it is still the same program and it can still be said."""
        place = self.places[number]
        table = place.seat.table if place.seat else None
        if table is None or place.lives != life or not table.can_say(word):
            return
        self.said.append(word)
        self._drive(number, partial(Seat.say, word=word))
        if word is Word.ADJOURN:
            gone_s = self._mind.expovariate(1.0)
            self._later(gone_s, partial(self._close, number, life))

    def _close(self, number: int, life: int) -> None:
        """Who has adjourned has closed its program, and opens it again some time."""
        place = self.places[number]
        if place.seat is not None and place.lives == life:
            self._kill(number)

    def _choose(self, number: int, life: int, asked: tuple[int, int]) -> None:
        """A turn may pass without its play now; it may also come once more."""
        place = self.places[number]
        table = place.seat.table if place.seat else None
        deck = table.party.judge.deck if table is not None else None
        if table is None or deck is None or place.lives != life:
            return
        if (deck.number, len(deck.acts)) != asked or not table.to_act:
            place.chosen = (-1, -1)
            return
        super()._choose(number, life, asked)
