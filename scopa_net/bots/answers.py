"""What a bot's own code answers with, looked at before it is believed."""

from __future__ import annotations

from typing import TypeGuard

from protocol.text import LINE_CELLS_MAX, safe_text
from scopa_net.rules.actions import Action, Claim, Declare, Play
from scopa_net.rules.cards import Card, Suit

__all__ = ["is_action", "kind_of"]


def is_action(answer: object) -> TypeGuard[Action]:
    """Whether it is an action in every part; a bot may answer with anything.

    Types are compared exactly: a class of the bot's own could say that it equals all.
    """
    match answer:
        case Play(card, captured) if type(answer) is Play:
            return _is_card(card) and _are_cards(captured)
        case Declare(cards, kind) if type(answer) is Declare:
            return type(kind) is str and _are_cards(cards)
        case Claim(captured) if type(answer) is Claim:
            return _are_cards(captured)
    return False


def kind_of(answer: object) -> str:
    """The type of what a bot answered with."""
    name = safe_text(type(answer).__name__, cells_max=LINE_CELLS_MAX)
    if type(answer) in {Play, Declare, Claim}:
        return f"a {name} of something else than cards"
    return f"an object of type {name}"


def _are_cards(parts: object) -> bool:
    return type(parts) is tuple and all(map(_is_card, parts))


def _is_card(part: object) -> bool:
    return type(part) is Card and type(part.rank) is int and type(part.suit) is Suit
