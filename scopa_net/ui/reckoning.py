"""A deal's score in words: every point with its reason, whose it is, and ties."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from scopa_net.events import DealScored
from scopa_net.rules import CATEGORIES, Reason
from scopa_net.ui.company import Company
from scopa_net.ui.words import (
    card_names,
    counted,
    scores_words,
    side_name,
    side_verb,
)

__all__ = ["reckoning"]

_TITLES = {
    "cards": "Cards",
    "coins": "Coins",
    "settebello": "Settebello, the 7 of coins",
    "primiera": "Primiera",
    "sevens": "Sevens",
    "scope": "Scope",
    "napola": "Napola",
    "re_bello": "Re bello, the Re of coins",
    "extra": "Other points",
}
_NAMED = {"settebello", "re_bello"}

_Reasons: TypeAlias = Mapping[int, Reason]
"""The reasons of one category, by side."""


def reckoning(event: DealScored, company: Company) -> tuple[str, ...]:
    """What was left, a line for each category that counts, and the scores."""
    lines = [f"Deal {event.deal + 1} is over."]
    if event.leftovers:
        lines.append(_leftovers(event, company))
    for category in CATEGORIES:
        lines += _category(category, event, company)
    totals = [side.total for side in event.sides]
    target = company.variant.target
    lines.append(f"This deal: {scores_words(totals, company)}.")
    lines.append(f"Match, to {target}: {scores_words(event.scores, company)}.")
    return tuple(lines)


def _leftovers(event: DealScored, company: Company) -> str:
    names, side = card_names(event.leftovers), event.leftovers_side
    option = company.variant.leftovers
    if option == "nobody":
        return f"By the rules of this match nobody gets what was left: {names}."
    if side is None:
        return f"Nobody captured, so nobody gets what was left: {names}."
    why = "last to capture"
    if option == "dealer":
        why = "the dealer" if len(company.members(side)) == 1 else "the dealer's side"
    return f"What was left goes to {side_name(side, company)}, {why}: {names}."


def _category(category: str, event: DealScored, company: Company) -> list[str]:
    """A line for each kind of reason in the category: `sevens` and `extra` have two."""
    by_side = [
        [reason for reason in side.reasons if reason.category == category]
        for side in event.sides
    ]
    compared = {
        side: reason
        for side, found in enumerate(by_side)
        for reason in found
        if reason.figures
    }
    lines = []
    if compared:
        how = _primiera if category == "primiera" else _figures
        lines.append(f"{how(compared, company)} {_award(compared, company)}")
    elif category == "scope" and any(by_side):
        lines.append(_scope(event, by_side, company))
    others = [
        (side, reason)
        for side, found in enumerate(by_side)
        for reason in found
        if not reason.figures and category != "scope"
    ]
    if others:
        lines.append(_held(others, company))
    return [f"{_TITLES[category]}: {line}" for line in lines]


def _figures(reasons: _Reasons, company: Company) -> str:
    figures = next(iter(reasons.values())).figures
    return f"{scores_words(figures, company)}."


def _primiera(reasons: _Reasons, company: Company) -> str:
    """The sum of each side and the cards that make it; 0 is out of the running."""
    told = []
    for side in company.sides:
        figure, name = reasons[side].figures[side], side_name(side, company)
        if figure:
            told.append(f"{name} {figure} with {card_names(reasons[side].cards)}")
        else:
            lacks = side_verb(side, company, "lacks", "lack")
            told.append(f"{name} {lacks} a suit")
    return f"{'; '.join(told)}."


def _scope(event: DealScored, by_side: list[list[Reason]], company: Company) -> str:
    made = [side.scope for side in event.sides]
    reasons = {side: found[0] for side, found in enumerate(by_side) if found}
    if not any(made):
        return "nobody made one."
    doubled = [
        f" {card_names(reason.cards)} counts double."
        for reason in reasons.values()
        if reason.cards
    ]
    award = _award(reasons, company)
    return f"{scores_words(made, company)}. {award}{''.join(doubled)}"


def _held(found: list[tuple[int, Reason]], company: Company) -> str:
    """Points that a pile has by itself."""
    told = []
    for side, reason in found:
        if reason.points:
            points = counted(reason.points, "point")
            named = bool(reason.cards) and reason.category not in _NAMED
            cards = f" with {card_names(reason.cards)}" if named else ""
            told.append(f"{points} for {side_name(side, company)}{cards}")
    return f"{'; '.join(told) or 'nobody has it'}."


def _award(reasons: _Reasons, company: Company) -> str:
    won = [
        f"{counted(reasons[side].points, 'point')} for {side_name(side, company)}"
        for side in company.sides
        if side in reasons and reasons[side].points
    ]
    if won:
        return f"{', '.join(won)}."
    tied = any(reason.tied for reason in reasons.values())
    return "A tie: nobody scores." if tied else "Nobody scores."
