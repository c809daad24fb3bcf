"""Positions for bots to choose in: seeded random play, every seat's turn."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from random import Random

from scopa_net.bots import (
    Deal,
    Match,
    Observation,
    Variant,
    apply,
    cards,
    legal_actions,
)
from scopa_net.rules.deal import new_deal
from scopa_net.rules.variants import find_variant

TABLES = (
    *(("scopa", players) for players in (2, 3, 4, 6)),
    *(("stargames-scopa", players) for players in (2, 4)),
    *(("gamerules-scopa", players) for players in (2, 4)),
)


def variants() -> tuple[Variant, ...]:
    return tuple(find_variant(name, players) for name, players in TABLES)


def shuffled(variant: Variant, rng: Random) -> Deal:
    """A deal that is played as it lies."""
    order = list(range(40))
    while True:
        rng.shuffle(order)
        deal = new_deal(variant, rng.randrange(variant.players), order)
        if not deal.redeal_due:
            return deal


def positions(variant: Variant, seed: str) -> Iterator[Deal]:
    """Every position of endless random deals, all cards known."""
    rng = Random(seed)
    while True:
        deal = shuffled(variant, rng)
        while not deal.over:
            yield deal
            deal = apply(deal, rng.choice(legal_actions(deal)))


def seen_by_mover(deal: Deal, luck: bytes = bytes(32)) -> Observation:
    match = Match(deal.variant, (0,) * deal.variant.sides, 0, deal.dealer)
    return Observation(deal.turn, deal, match, luck)


def luck(number: int) -> bytes:
    return blake2b(str(number).encode(), digest_size=32).digest()


def reshuffled(deal: Deal, seat: int, rng: Random) -> Deal:
    """The same deal with the cards permuted that the seat has not seen."""
    observed = Observation(
        seat, deal, Match(deal.variant, (0,) * deal.variant.sides, 0, deal.dealer)
    )
    played = {action.card.index for action in deal.actions if hasattr(action, "card")}
    order = list(deal.order)
    hidden = [
        position
        for position, entry in enumerate(observed.deal.order)
        if entry < 0 and order[position] not in played
    ]
    values = [order[position] for position in hidden]
    rng.shuffle(values)
    for position, value in zip(hidden, values, strict=True):
        order[position] = value
    return Deal(deal.variant, deal.first, tuple(order), deal.actions)


def opening(table: str, hand: str, players: int = 2) -> Observation:
    """Seat 0 leads with this hand to these four cards; the other cards are unseen."""
    known = [one.index for one in (*cards(table), *cards(hand))]
    order = (*known, *(-1 for _ in range(40 - len(known))))
    return seen_by_mover(new_deal(find_variant("scopa", players), 0, order))
