"""Cards, seats, sides and counts in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scopa_net.rules import (
    Action,
    Card,
    Carried,
    Claim,
    Declare,
    Play,
    Variant,
    changes,
)
from scopa_net.rules.actions import Kind
from scopa_net.ui.company import Company
from scopa_net.ui.decks import Deck

__all__ = [
    "action_words",
    "advice",
    "and_list",
    "carried_score",
    "changed_rules",
    "counted",
    "deed",
    "goal_words",
    "hand_line",
    "new_words",
    "scores_words",
    "seat_name",
    "seat_verb",
    "shuffled_words",
    "side_name",
    "side_verb",
    "speech",
    "table_line",
]

_DECLARED: Mapping[Kind, str] = {
    "low": "nine or less",
    "three": "three of one rank",
}


def and_list(words: Sequence[str]) -> str:
    """One, two and three."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def counted(number: int, one: str, several: str | None = None) -> str:
    """The number with its noun: no cards, 1 card, 2 cards."""
    noun = one if number == 1 else several or f"{one}s"
    return f"{number or 'no'} {noun}"


def shuffled_words(done: int, seats: int) -> str:
    """How far the shuffling of the cards is that are waited for."""
    return f"Shuffling: {done} of {counted(seats, 'seat')}."


def new_words(name: str, words: str) -> str:
    """That somebody is not known, and by which key to know them."""
    return f"{name} is new to you, with the key {words}."


def table_line(table: Sequence[Card], deck: Deck) -> str:
    """The cards on the table."""
    if not table:
        return "Table: no cards."
    return f"Table, {counted(len(table), 'card')}: {deck.names(table)}."


def hand_line(hand: Sequence[Card], deck: Deck) -> str:
    """The own cards, each after the number to type for it."""
    if not hand:
        return "Your hand: no cards."
    numbered = [f"{at}, {deck.name(card)}" for at, card in enumerate(hand, 1)]
    return f"Your hand: {'; '.join(numbered)}."


def seat_name(seat: int, company: Company, *, begins: bool = False) -> str:
    """What a seat is called, at the beginning of a sentence or within it."""
    if seat != company.you:
        return company.names[seat]
    return "You" if begins else "you"


def seat_verb(seat: int, company: Company, one: str, several: str) -> str:
    """The form of a verb after a seat: Bruno plays, you play."""
    return several if seat == company.you else one


def side_name(side: int, company: Company, *, begins: bool = False) -> str:
    """A side by its members, the reader first."""
    first, *others = company.members(side)
    names = [seat_name(first, company, begins=begins)]
    return and_list(names + [seat_name(at, company) for at in others])


def side_verb(side: int, company: Company, one: str, several: str) -> str:
    """The form of a verb after a side: Bruno wins, you and Carla win."""
    first, *others = company.members(side)
    return several if others else seat_verb(first, company, one, several)


def changed_rules(variant: Variant) -> tuple[str, ...]:
    """Sentences on what is not as the game's name says, if anything is."""
    lines = [line for line in changes(variant) if not line.startswith("target=")]
    told = (f"Rules of this match: {', '.join(lines)}.",) if lines else ()
    if variant.carried is None:
        return told
    score = carried_score(variant.carried)
    return (*told, f"It carries on from {score} of an older match.")


def carried_score(carried: Carried) -> str:
    """The points from which a match starts, by side."""
    return " - ".join(map(str, carried.scores))


def goal_words(variant: Variant) -> str:
    """What a match is played for."""
    avoid = variant.goal == "avoid"
    return f"lost at {variant.target}" if avoid else f"to {variant.target}"


def scores_words(scores: Sequence[int], company: Company) -> str:
    """Every side with its figure, the reader's first."""
    return ", ".join(
        f"{side_name(side, company)} {scores[side]}" for side in company.sides
    )


def action_words(who: str, action: Action, deck: Deck, *, scopa: bool) -> str:
    """The sentence that tells what somebody did."""
    match action:
        case Play(card, ()):
            text = f"{who} laid {deck.name(card)} on the table."
        case Play(card, captured):
            text = f"{who} played {deck.name(card)} and took {deck.names(captured)}."
        case Declare(cards):
            text = f"{who} declared {_hand(action)} and showed {deck.names(cards)}."
        case Claim(()):
            text = f"{who} claimed the match."
        case Claim(captured):
            text = f"{who} claimed what was overlooked: {deck.names(captured)}."
    return f"{text} Scopa!" if scopa else text


def speech(action: Declare | Claim, deck: Deck) -> str:
    """What it is that somebody may say."""
    match action:
        case Declare():
            return f"declare {_hand(action)}"
        case Claim(()):
            return "claim the match"
        case Claim(captured):
            return f"claim {deck.names(captured)}"


def _hand(said: Declare) -> str:
    """What a hand is declared to be, and what that brings."""
    return f"{_DECLARED[said.kind]} for {counted(said.points, 'point')}"


def advice(action: Action, deck: Deck) -> str:
    """The sentence that advises an action."""
    return f"Hint: {deed(action, deck)}."


def deed(action: Action, deck: Deck) -> str:
    """What it is that somebody may do."""
    match action:
        case Play(card, ()):
            return f"lay {deck.name(card)} on the table"
        case Play(card, captured):
            return f"play {deck.name(card)} and take {deck.names(captured)}"
        case Declare() | Claim():
            return speech(action, deck)
