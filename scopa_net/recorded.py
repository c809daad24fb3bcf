"""A match told again from its record, when all cards have been revealed.

It is told as to one who only watched. Beside every play stands the choice that it was:
what the seat knew at that moment, with its own hand and nobody else's.
"""

from collections.abc import Iterator
from typing import cast

from protocol.audit import Audit
from protocol.crypto.hashing import H
from protocol.deck import Deck
from protocol.judge import Judge
from protocol.party import Party
from scopa_net.events import Claimed, Dealt, Declared, Event, Played
from scopa_net.referee import Referee
from scopa_net.review import Choice
from scopa_net.rules import MAZZO, Observation, learn
from scopa_net.rules.deal import UNKNOWN
from scopa_net.table import Table

__all__ = ["choice_before", "told_again"]


def told_again(found: Audit) -> Iterator[tuple[Event, Choice | None]]:
    """All that has happened, in its order; with every action, the choice."""
    chosen = _choices(found)
    for event in _RecordedTable(found).news():
        acted = isinstance(event, Played | Declared | Claimed)
        yield event, next(chosen) if acted else None


def _choices(found: Audit) -> Iterator[Choice]:
    for deck in found.judge.decks:
        for act in range(len(deck.acts)):
            yield choice_before(found, deck, act)


def choice_before(found: Audit, deck: Deck, act: int) -> Choice:
    """The choice before an act: the public deal of that moment, and the own cards.

    Nothing else of what is known now comes near it.
    """
    before, after = cast("tuple[Referee, Referee]", deck.games[act : act + 2])
    seat, order = deck.acts[act].seat, _revealed(deck)
    own = {
        at: MAZZO[order[at]]
        for at, owner in enumerate(before.owners())
        if owner == seat and order[at] != UNKNOWN
    }
    deal, place = learn(before.deal, own), before.places[seat]
    table = found.judge.course.table_id
    assert table is not None, "cards have been played"
    luck = H("sc1.review", table, deck.number, act)
    return Choice(
        Observation(place, deal, before.match, luck),
        after.deal.actions[-1],
        known=len(deal.hand(place)) == deal.held(place),
    )


def _revealed(deck: Deck) -> tuple[int, ...]:
    """The order of the deck as far as it is known now."""
    if deck.replayed is not None:
        return deck.replayed.order
    return cast("Referee", deck.game).deal.order


class _Reader:
    """What a table needs of a party that reads what others have signed."""

    seat = None
    acting = asking = away = False

    def __init__(self, judge: Judge) -> None:
        self.judge = judge


class _RecordedTable(Table):
    """A table at which all has been played, told from its first deck on."""

    def __init__(self, found: Audit) -> None:
        self._tell_of(cast("Party", _Reader(found.judge)), found.terms)

    def _adjourned(self) -> None:
        """Who left for a day is not told: they are back, or the record ends."""

    def _dealt(self, deck: Deck, game: Referee) -> Dealt | None:
        """A giro that was due, as one saw it who has no hand."""
        telling = self._telling
        if telling.giri >= len(game.rounds()) or not game.deal.opening_known:
            return None
        telling.giri += 1
        return Dealt(game.deal.table, (), game.deal.tallone)
