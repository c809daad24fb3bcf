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
    Declared,
    Event,
    Played,
    Redealt,
    TableTaken,
    TurnCame,
    Voided,
)
from scopa_net.rules import MAZZO, Card, Observation, Variant

__all__ = ["Board", "after_event", "empty_board", "seen_board"]


@dataclass(frozen=True, slots=True)
class Board:
    """The table, the own hand, and counts by seat and by side.

    `turn` is whose turn it is, None while cards are dealt or counted; `shown` are the
    hands that lie open, by seat, and `declared` the points for hands, by side.
    """

    table: tuple[Card, ...]
    hand: tuple[Card, ...]
    held: tuple[int, ...]
    piles: tuple[tuple[Card, ...], ...]
    scope: tuple[int, ...]
    tallone: int
    turn: int | None
    shown: tuple[tuple[Card, ...], ...] = ()
    declared: tuple[int, ...] = ()


def empty_board(variant: Variant) -> Board:
    """Before anything is dealt."""
    held, scope = (0,) * variant.players, (0,) * variant.sides
    piles, shown = ((),) * variant.sides, ((),) * variant.players
    return Board((), (), held, piles, scope, len(MAZZO), None, shown, scope)


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
        tuple(
            () if seat == observation.seat else known
            for seat, known in enumerate(observation.known_hands)
        ),
        observation.declared,
    )


def after_event(board: Board, event: Event, variant: Variant, you: int | None) -> Board:
    """The board after something has happened; `you` is the own seat."""
    match event:
        case DealStarted() | Redealt() | Voided():
            return empty_board(variant)
        case Dealt():
            return _dealt(board, event, variant)
        case TurnCame(seat):
            return replace(board, turn=seat)
        case Played():
            return _played(board, event, variant, you)
        case Declared(seat, said):
            side = seat % variant.sides
            paid = replace(board, declared=_added(board.declared, side, said.points))
            if seat == you:
                return paid
            return replace(paid, shown=_showing(board, seat, said.cards))
        case TableTaken() | Claimed() | DealScored():
            return _collected(board, event, variant)
        case _:
            return board


def _collected(
    board: Board, event: TableTaken | Claimed | DealScored, variant: Variant
) -> Board:
    """The board when a side has got cards without playing one."""
    match event:
        case TableTaken(side, cards, scope):
            paid = replace(board, scope=_added(board.scope, side, scope - 1))
            return _taken(paid, cards, side, scopa=True)
        case Claimed(seat, claim, scopa):
            return _taken(board, claim.captured, seat % variant.sides, scopa=scopa)
        case DealScored():
            left = replace(board, turn=None, tallone=0, hand=())
            if event.leftovers_side is None:
                return left
            return _taken(left, event.leftovers, event.leftovers_side, scopa=False)


def _played(board: Board, event: Played, variant: Variant, you: int | None) -> Board:
    seat, play = event.seat, event.play
    hand = _without(board.hand, [play.card]) if seat == you else board.hand
    taken = play.captured and {play.card, *play.captured}
    table = board.table if taken else (*board.table, play.card)
    left = replace(
        board,
        table=table,
        hand=hand,
        held=_added(board.held, seat, -1),
        turn=None,
        shown=_showing(board, seat, _without(board.shown[seat], [play.card])),
    )
    return _taken(left, taken, seat % variant.sides, scopa=event.scopa)


def _dealt(board: Board, event: Dealt, variant: Variant) -> Board:
    new = board.tallone - event.tallone
    if board.tallone == len(MAZZO):
        new -= variant.table_size
    held = list(board.held)
    for _ in range(new):
        # Who draws has just played, and holds fewer than the others.
        held[held.index(min(held))] += 1
    return replace(
        board,
        table=_ordered(event.table, board.table),
        hand=_ordered(event.hand, board.hand),
        held=tuple(held),
        tallone=event.tallone,
    )


def _showing(
    board: Board, seat: int, cards: tuple[Card, ...]
) -> tuple[tuple[Card, ...], ...]:
    return (*board.shown[:seat], cards, *board.shown[seat + 1 :])


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
