"""What the player may play or say now, as it is offered and asked for."""

from __future__ import annotations

from string import ascii_lowercase

from scopa_net.rules import (
    MATCH_CLAIM,
    SETTEBELLO,
    Action,
    Card,
    Claim,
    Declare,
    Observation,
    Play,
    Suit,
)
from scopa_net.ui.decks import Deck
from scopa_net.ui.words import and_list, speech

__all__ = [
    "SPEECHES",
    "label",
    "plays_of",
    "sayable",
    "speech_lines",
    "way_words",
]


def plays_of(asked: Observation, card: Card) -> tuple[Play, ...]:
    """What the card may do, the captures with the most to gain first."""
    plays = [
        action
        for action in asked.legal_actions
        if isinstance(action, Play) and action.card == card
    ]
    return tuple(sorted(plays, key=_promise, reverse=True))


def _promise(play: Play) -> tuple[bool, int, int]:
    coins = sum(card.suit is Suit.DENARI for card in play.captured)
    return SETTEBELLO in play.captured, coins, len(play.captured)


def way_words(action: Action, deck: Deck) -> str:
    """What is taken, or said, in a list of what may be."""
    if not isinstance(action, Play):
        return speech(action, deck)
    if not action.captured:
        return "nothing, and stay on the table"
    return and_list([deck.name(card) for card in action.captured])


SPEECHES = {
    "low": "declare",
    "three": "declare",
    "claim": "claim",
    "match": "claim",
}
"""The words that say something without playing a card, and what that is called."""


def sayable(asked: Observation, word: str) -> tuple[Action, ...]:
    """What may be said with one of those words."""
    return tuple(
        action
        for action in asked.legal_actions
        if not isinstance(action, Play) and _word_for(action) == word
    )


def _word_for(action: Declare | Claim) -> str:
    if isinstance(action, Declare):
        return action.kind
    return "claim" if action.captured else "match"


def speech_lines(asked: Observation, deck: Deck) -> list[str]:
    """What may be said before a card is played, a match to be claimed left out."""
    words = {
        _word_for(action): speech(action, deck)
        for action in asked.legal_actions
        if not isinstance(action, Play) and action != MATCH_CLAIM
    }
    if "claim" in words:
        words["claim"] = "claim what was overlooked"
    return [f"You can {text}: type {word}." for word, text in words.items()]


def label(at: int) -> str:
    """The letter of an offer; a number where letters do not reach."""
    return ascii_lowercase[at] if at < len(ascii_lowercase) else str(at + 1)
