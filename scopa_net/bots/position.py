"""A position given by its cards and by what was played, as a seat sees it."""

from __future__ import annotations

from collections.abc import Sequence

from scopa_net.rules.actions import Play
from scopa_net.rules.cards import MAZZO, Card
from scopa_net.rules.deal import UNKNOWN, Deal, apply, learn, new_deal, owner
from scopa_net.rules.errors import RulesError
from scopa_net.rules.match import Match
from scopa_net.rules.notation import parse_action
from scopa_net.rules.observation import Observation, movers
from scopa_net.rules.variants import Variant

__all__ = ["position"]

FIRST = 0
"""The seat that plays first; the others follow."""


def position(
    variant: Variant,
    table: Sequence[Card],
    hand: Sequence[Card],
    played: Sequence[str] = (),
    scores: Sequence[int] | None = None,
) -> Observation:
    """What the seat to act sees, which holds `hand`.

    `table` are the cards face up when the deal began, and `played` all actions since,
    in notation. RulesError if there is no such position.
    """
    if len(table) != variant.table_size:
        raise RulesError(
            f"A deal of {variant.id} begins with {variant.table_size} cards on the "
            f"table, not {len(table)}: name those, and then what was played since."
        )
    deal = new_deal(variant, FIRST)
    deal = learn(deal, dict(enumerate(table)))
    if deal.redeal_due:
        raise RulesError("With these cards on the table all are dealt again.")
    for text in played:
        deal = apply(deal, parse_action(deal, text))
    seat = deal.turn
    if seat is None:
        raise RulesError("After that nobody is to play.")
    if len(hand) != deal.held(seat):
        raise RulesError(
            f"Who plays now holds {deal.held(seat)} cards, not {len(hand)}."
        )
    whole = Deal(variant, FIRST, _order(deal, seat, table, hand), deal.actions)
    score = variant.start if scores is None else tuple(scores)
    match = Match(variant, score, 0, deal.dealer)
    return Observation(seat, whole, match)


def _order(
    deal: Deal, seat: int, table: Sequence[Card], hand: Sequence[Card]
) -> tuple[int, ...]:
    """The order as the seat knows it: dealt its own cards as it has played them."""
    own = [
        action.card
        for mover, action in zip(movers(deal), deal.actions, strict=True)
        if mover == seat and isinstance(action, Play)
    ]
    order = [*table, *[None] * (len(MAZZO) - len(table))]
    places = (
        place
        for place in range(len(table), len(MAZZO))
        if owner(deal.variant, FIRST, place) == seat
    )
    for place, card in zip(places, (*own, *hand), strict=False):
        order[place] = card
    return tuple(UNKNOWN if card is None else card.index for card in order)
