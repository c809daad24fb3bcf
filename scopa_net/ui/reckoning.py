"""A deal's score in words: every point with its reason, whose it is, and ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from scopa_net.events import DealScored
from scopa_net.rules import (
    CATEGORIES,
    MAZZO,
    SETTEBELLO,
    Reason,
    SideScore,
    Suit,
    primiera_worth,
)
from scopa_net.rules.cards import RE_BELLO
from scopa_net.ui.company import Company
from scopa_net.ui.decks import Deck
from scopa_net.ui.words import (
    and_list,
    counted,
    goal_words,
    scores_words,
    side_name,
    side_verb,
)

__all__ = ["reasons_lines", "reckoning"]

_TITLES = {
    "cards": "Cards",
    "settebello": "Settebello",
    "primiera": "Primiera",
    "sevens": "Sevens",
    "scope": "Scope",
    "napola": "Napola",
    "re_bello": "Re bello",
    "extra": "Extras",
}
_NAMED = {"settebello", "re_bello"}
_MAJORITIES = {"cards", "coins"}

_Reasons: TypeAlias = Mapping[int, Reason]
"""The reasons of one category, by side."""


def reckoning(event: DealScored, company: Company) -> tuple[str, ...]:
    """What was left, a line for each category that counts, and the scores."""
    lines = [f"Deal {event.deal + 1} is over."]
    if event.leftovers:
        lines.append(_leftovers(event, company))
    if _stopped_early(event, company):
        lines.append("The deal ends here: only points that are certain count.")
    lines += reasons_lines(event.sides, company)
    totals = [side.total for side in event.sides]
    goal = goal_words(company.variant)
    lines.append(f"This deal: {scores_words(totals, company)}.")
    lines.append(f"Match, {goal}: {scores_words(event.scores, company)}.")
    return tuple(lines)


def reasons_lines(sides: Sequence[SideScore], company: Company) -> tuple[str, ...]:
    """A line for each category that counts: what was compared, and who has the points.

    And one for a side that wins the match outright.
    """
    lines = []
    for category in CATEGORIES:
        lines += _category(category, sides, company)
    for side, score in enumerate(sides):
        if score.wins_match:
            wins = side_verb(side, company, "wins", "win")
            trento = company.variant.trentino == "on"
            deck = company.deck
            low = f"{deck.ranks[1]}, 2 and 3 of {deck.coins}"
            cards = low if trento else f"all ten {deck.coins}"
            name = side_name(side, company, begins=True)
            lines.append(f"{name} {wins} the match outright, with {cards}.")
    return tuple(lines)


def _stopped_early(event: DealScored, company: Company) -> bool:
    """Whether cards were still to be played, by rules that allow it."""
    if company.variant.end_check != "at-once" and not company.variant.claims_match:
        return False
    nobodys = event.leftovers if event.leftovers_side is None else ()
    return sum(side.cards for side in event.sides) + len(nobodys) < len(MAZZO)


def _leftovers(event: DealScored, company: Company) -> str:
    names, side = company.deck.names(event.leftovers), event.leftovers_side
    option = company.variant.leftovers
    if option == "nobody":
        return f"By the rules of this match nobody gets what was left: {names}."
    if side is None:
        return f"Nobody captured, so nobody gets what was left: {names}."
    why = "last to capture"
    if option == "dealer":
        why = "the dealer" if len(company.members(side)) == 1 else "the dealer's side"
    return f"What was left goes to {side_name(side, company)}, {why}: {names}."


def _category(category: str, sides: Sequence[SideScore], company: Company) -> list[str]:
    """A line for each kind of reason in the category: `sevens` and `extra` have two."""
    by_side = [
        [reason for reason in side.reasons if reason.category == category]
        for side in sides
    ]
    compared = {
        side: reason
        for side, found in enumerate(by_side)
        for reason in found
        if reason.figures
    }
    lines = []
    if compared:
        if category == "primiera":
            how = _primiera(sides, compared, company)
        else:
            how = _figures(compared, company)
        lines.append(f"{how} {_award(compared, company)}")
    elif category == "scope" and any(by_side):
        lines.append(_scope(sides, by_side, company))
    others = [
        (side, reason)
        for side, found in enumerate(by_side)
        for reason in found
        if not reason.figures and category != "scope"
    ]
    if others:
        lines.append(_held(others, company))
    return [f"{_title(category, company.deck)}: {line}" for line in lines]


def _title(category: str, deck: Deck) -> str:
    """What a category is called; a single card that pays with its name."""
    if category == "coins":
        return deck.coins.capitalize()
    cards = {"settebello": SETTEBELLO, "re_bello": RE_BELLO}
    if category in cards:
        return f"{_TITLES[category]}, the {deck.bare_name(cards[category])}"
    return _TITLES[category]


def _figures(reasons: _Reasons, company: Company) -> str:
    figures = next(iter(reasons.values())).figures
    compared = [
        f"{side_name(side, company)} with "
        + (company.deck.names(reasons[side].cards) or "no cards")
        for side in company.sides
        if reasons[side].shoot_out
    ]
    shoot_out = f"; in the shoot-out {', '.join(compared)}" if compared else ""
    return f"{scores_words(figures, company)}{shoot_out}."


def _primiera(sides: Sequence[SideScore], reasons: _Reasons, company: Company) -> str:
    """Each side's sum with the cards that make it, or what keeps it from having one.

    Each card stands with what it counts here, so that the sum can be followed. The
    number of suits is told where it goes before the sum and differs.
    """
    suits = [side.suits for side in sides]
    variant = company.variant
    suits_first = variant.primiera_missing == "more-suits-first"
    differ = suits_first and len({number for number in suits if number}) > 1
    told = []
    for side in company.sides:
        figure, name = reasons[side].figures[side], side_name(side, company)
        if suits[side] == len(Suit) or (suits_first and suits[side]):
            among = f" in {counted(suits[side], 'suit')}" if differ else ""
            cards = [
                f"{company.deck.bare_name(one)} ({primiera_worth(variant, one)})"
                for one in reasons[side].cards
            ]
            told.append(f"{name} {figure}{among} with {', '.join(cards)}")
        elif suits_first:
            told.append(f"{name} {side_verb(side, company, 'has', 'have')} no cards")
        else:
            lacks = side_verb(side, company, "lacks", "lack")
            told.append(f"{name} {lacks} a suit")
    if differ:
        told.append("more suits go first")
    return f"{'; '.join(told)}."


def _scope(
    sides: Sequence[SideScore], by_side: list[list[Reason]], company: Company
) -> str:
    made = [side.scope for side in sides]
    reasons = {side: found[0] for side, found in enumerate(by_side) if found}
    if not any(made):
        return "nobody made one."
    doubled = [
        f" {company.deck.names(reason.cards)} counts double."
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
            cards = f" with {company.deck.names(reason.cards)}" if named else ""
            why = ", declared" if reason.kind == "declared" else cards
            told.append(f"{points} for {side_name(side, company)}{why}")
    return f"{'; '.join(told) or 'nobody has it'}."


def _award(reasons: _Reasons, company: Company) -> str:
    won = [
        f"{counted(reasons[side].points, 'point')} for {side_name(side, company)}"
        for side in company.sides
        if side in reasons and reasons[side].points
    ]
    if won:
        return f"{', '.join(won)}."
    level = next(iter(reasons.values())).level
    if level and len(company.sides) > 2:
        names = [side_name(side, company) for side in company.sides if side in level]
        return f"A tie of {and_list(names)}: nobody scores."
    if level:
        return "A tie: nobody scores."
    majority = {reason.category for reason in reasons.values()} & _MAJORITIES
    if majority and company.variant.majority == "more-than-half":
        return "Nobody has more than half."
    return "Nobody scores."
