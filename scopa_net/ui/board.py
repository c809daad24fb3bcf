"""What lies open and who holds how many cards, kept up by the events of a deal.

It is the picture of one moment of the story as it is told; the deal itself may be
further on already.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scopa_net.events import (
    Claimed,
    DealScored,
    DealStarted,
    Dealt,
    Event,
    Played,
    Redealt,
    TurnCame,
)
from scopa_net.rules import MAZZO, Card, Observation, Variant

__all__ = ["Board", "after_event", "empty_board", "seen_board"]


@dataclass(frozen=True, slots=True)
class Board:
    """The table, the own hand, and counts by seat and by side.

    `turn` is whose turn it is, None while cards are dealt or counted.
    """

    table: tuple[Card, ...]
    hand: tuple[Card, ...]
    held: tuple[int, ...]
    piles: tuple[tuple[Card, ...], ...]
    scope: tuple[int, ...]
    tallone: int
    turn: int | None


def empty_board(variant: Variant) -> Board:
    """Before anything is dealt."""
    held, scope = (0,) * variant.players, (0,) * variant.sides
    return Board((), (), held, ((),) * variant.sides, scope, len(MAZZO), None)


def seen_board(observation: Observation, before: Board | None = None) -> Board:
    """What the seat sees; cards keep the order in which they lay before."""
    table, hand = observation.table, observation.hand
    if before is not None:
        table, hand = _ordered(table, before.table), _ordered(hand, before.hand)
    return Board(
        table,
        hand,
        observation.held,
        observation.piles,
        observation.scope,
        observation.deal.tallone,
        observation.deal.turn,
    )


def after_event(board: Board, event: Event, variant: Variant, you: int | None) -> Board:
    """The board after something has happened; `you` is the own seat."""
    match event:
        case DealStarted() | Redealt():
            return empty_board(variant)
        case Dealt():
            return _dealt(board, event)
        case TurnCame(seat):
            return replace(board, turn=seat)
        case Played(seat, play, scopa):
            held = _added(board.held, seat, -1)
            hand = board.hand
            if seat == you:
                hand = _without(hand, [play.card])
            taken = play.captured and {play.card, *play.captured}
            laid = board if taken else replace(board, table=(*board.table, play.card))
            left = replace(laid, held=held, hand=hand, turn=None)
            return _taken(left, taken, seat % variant.sides, scopa=scopa)
        case Claimed(seat, claim, scopa):
            return _taken(board, claim.captured, seat % variant.sides, scopa=scopa)
        case DealScored():
            left = replace(board, turn=None, tallone=0, hand=())
            if event.leftovers_side is None:
                return left
            return _taken(left, event.leftovers, event.leftovers_side, scopa=False)
        case _:
            return board


def _dealt(board: Board, event: Dealt) -> Board:
    new = board.tallone - event.tallone - max(len(event.table) - len(board.table), 0)
    each = max(new, 0) // len(board.held)
    return replace(
        board,
        table=_ordered(event.table, board.table),
        hand=_ordered(event.hand, board.hand),
        held=tuple(held + each for held in board.held),
        tallone=event.tallone,
    )


def _taken(board: Board, cards: Iterable[Card], side: int, *, scopa: bool) -> Board:
    """The cards go from the table, or from a hand, to a side's pile."""
    taken = tuple(cards)
    piles = list(board.piles)
    piles[side] = tuple(sorted({*piles[side], *taken}))
    return replace(
        board,
        table=_without(board.table, taken),
        piles=tuple(piles),
        scope=_added(board.scope, side, int(scopa)),
    )


def _added(counts: tuple[int, ...], at: int, number: int) -> tuple[int, ...]:
    return (*counts[:at], counts[at] + number, *counts[at + 1 :])


def _without(cards: tuple[Card, ...], gone: Iterable[Card]) -> tuple[Card, ...]:
    away = set(gone)
    return tuple(card for card in cards if card not in away)


def _ordered(cards: tuple[Card, ...], before: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards, those that lay there before first and in their order."""
    kept = tuple(card for card in before if card in cards)
    return kept + _without(cards, kept)
