"""The rules of a variant as text that players read, made of its options.

A sentence stands for one or more options. It departs from the classic game where one of
them does; what a variant lacks is told only where the classic game has it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from scopa_net.rules import MAZZO, Variant, find_variant
from scopa_net.ui.decks import ITALIAN, Deck
from scopa_net.ui.words import counted

__all__ = ["Sentence", "rulebook"]

CLASSIC = "scopa"

_Told: TypeAlias = tuple[str, str]
"""The options that a sentence stands for, and it, if any, with blanks for words."""

_NUMBERS = {2: "two", 3: "three", 4: "four", 6: "six", 9: "nine", 10: "ten"}


@dataclass(frozen=True, slots=True)
class Sentence:
    """One rule in words under its title; whether it departs from the classic game."""

    title: str
    text: str
    departs: bool


def rulebook(variant: Variant, deck: Deck = ITALIAN) -> tuple[Sentence, ...]:
    """Every rule of the variant in words, in the order of play."""
    words = deck.words
    classic = find_variant(CLASSIC, variant.players)
    found = []
    for title, entries in _CHAPTERS:
        for entry in entries:
            options, text = _told(variant, entry)
            departs = any(
                getattr(variant, name) != getattr(classic, name)
                for name in options.split()
            )
            if text:
                found.append(Sentence(title, text.format(**words), departs))
    return tuple(found)


def _told(variant: Variant, entry: str | Callable[[Variant], _Told]) -> _Told:
    if not isinstance(entry, str):
        return entry(variant)
    if entry in _MOOT and _MOOT[entry](variant):
        return entry, ""
    return entry, _TEXTS[entry].get(str(getattr(variant, entry)), "")


# -- sentences for one option ---------------------------------------------------------

_RANKS = "{values}."
_PRIMIERA = "In the primiera 7 is 21, 6 18, {ace} 16, 5 15, 4 14, 3 13, 2 12"

_TEXTS: Mapping[str, Mapping[str, str]] = {
    "redeal_kings": {
        "3": "If three or four of the cards face up are {kings}, the same dealer deals "
        "again.",
        "off": "The cards face up stand, however many are {kings}.",
    },
    "direction": {
        "clockwise": "Play goes clockwise; the player after the dealer begins, and "
        "deals the next time.",
        "counter-clockwise": "Play goes counter-clockwise; the player after the dealer "
        "begins, and deals the next time.",
    },
    "capture": {
        "equal-then-sum": "A card takes a card of its rank, or cards that add up to "
        f"it. {_RANKS}",
        "sum-15": f"A card takes cards that make 15 together with it. {_RANKS}",
        "equal+sum+15": "A card takes a card of its rank, or cards that add up to it, "
        f"or cards that make 15 together with it. {_RANKS}",
    },
    "sum_choice": {
        "free": "If there are several ways the player chooses one, and never two.",
        "fewest": "Of several ways one with the fewest cards has to be taken.",
    },
    "max_captured": {"2": "A card takes two cards at most."},
    "compulsion": {
        "card": "A card that can take has to, but another may be played instead. A "
        "card that takes nothing is laid on the table.",
        "hand": "Whoever holds a card that can take has to take.",
        "none": "Nobody has to take: any card may be laid on the table.",
        "none+claim": "Nobody has to take, but the next player may claim what was "
        "overlooked, before playing.",
    },
    "ace": {"sweeps": "An {ace} takes all that lies on the table."},
    "ace_on_table": {
        "take-one": "Where another {ace} lies, it takes as any card.",
        "sweep-all": "It does so also where another {ace} lies.",
    },
    "ace_to_empty": {
        "stays": "On an empty table it stays.",
        "takes-itself": "On an empty table it takes itself.",
    },
    "first_play_restricted": {
        "no-ace-led": "No {ace} is played first in a deal while the hand has another "
        "card.",
        "no-sweep": "An {ace} that is played first in a deal takes as any card.",
    },
    "may_decline": {"on": "It may be laid instead."},
    "scopa": {
        "1": "Whoever takes all that lies on the table makes a scopa, which is a "
        "point.",
        "0": "Whoever takes all that lies on the table makes a scopa, but it pays "
        "nothing.",
    },
    "sweep_is_scopa": {
        "no": "An {ace} that sweeps makes none, unless it could take the same as any "
        "other card, such as a lone {ace}.",
        "yes": "An {ace} that sweeps makes one too.",
    },
    "last_play_scopa": {
        "no": "The last card of the deal makes none.",
        "yes": "The last card of the deal can make one too.",
    },
    "leftovers": {
        "last-capturer": "What lies there at the end goes to whoever took last; that "
        "is no scopa.",
        "dealer": "What lies there at the end goes to the dealer; that is no scopa.",
        "nobody": "What lies there at the end is nobody's.",
    },
    "ponino": {"on": "For whoever has all four {queens} each scopa counts double."},
    "accusi": {
        "on": "Whoever holds three cards may show them before playing one, for points: "
        "nine or less together are 3 points, three of one rank are 10."
    },
    "wild_seven": {"on": "For that the 7 of {cups} counts one, or is of any rank."},
    "settebello": {
        "1": "One point for the settebello, the 7 of {coins}.",
        "0": "No point for the settebello, the 7 of {coins}.",
    },
    "points": {
        "primiera": "One point for the best primiera: the best card of each suit, "
        "added up.",
        "most-sevens": "One point for most sevens.",
        "most-sevens+shoot-out": "One point for most sevens. If two sides have two "
        "each, the better cards in the suits of the other's sevens win it, in the "
        "order 6 {ace} 5 4 3 2 {king} {queen} {jack}.",
        "none": "No point for the primiera.",
    },
    "primiera_values": {
        "faces-10": f"{_PRIMIERA}, the others 10.",
        "K10-Q9-J8": f"{_PRIMIERA}, {{king}} 10, {{queen}} 9, {{jack}} 8.",
        "faces-0": f"{_PRIMIERA}, the others nothing.",
    },
    "primiera_missing": {
        "needs-all-four": "Whoever lacks a suit has no primiera.",
        "more-suits-first": "More suits go before the sum.",
    },
    "all_sevens": {"on": "One more point for all four sevens."},
    "grande": {"5": "Five points for {jack}, {queen} and {king} of {coins}."},
    "re_bello": {"on": "One point for the {king} of {coins}."},
    "trentino": {
        "on": "One point for the {ace} of {coins}, two for the 2, three for the 3. All "
        "three win the match."
    },
    "lead_needed": {
        "2": "The best score has to be two points from the next; else another deal is "
        "played."
    },
    "tie_at_target": {
        "play-on": "If it is level, another deal is played.",
        "count-in-order": "If two are there after one deal, its points are counted in "
        "the order cards, {coins}, settebello, primiera, scope and the others, and "
        "whoever is there first wins.",
        "claim": "Whoever is to play may claim the match: a side that has the points "
        "for certain wins, one that has not loses. If it is level, another deal is "
        "played.",
    },
}

_MOOT: Mapping[str, Callable[[Variant], bool]] = {
    "redeal_kings": lambda v: v.table_size == 0,
    "ace_on_table": lambda v: v.ace != "sweeps",
    "ace_to_empty": lambda v: v.ace != "sweeps",
    "sweep_is_scopa": lambda v: v.ace != "sweeps",
    "wild_seven": lambda v: v.accusi == "off",
    "primiera_values": lambda v: v.points != "primiera",
    "primiera_missing": lambda v: v.points != "primiera",
}
"""When an option has no bearing."""


# -- sentences for several ------------------------------------------------------------


def _company(v: Variant) -> _Told:
    each = v.players // v.sides
    who = f"{_NUMBERS[v.players].capitalize()} play"
    if each == 1:
        return "players sides", f"{who}, everybody alone."
    together = "partners sit across and" if each == 2 else "the players of a side"
    sides = f"{_NUMBERS[v.sides]} sides of {_NUMBERS[each]}"
    text = f"{who} as {sides}; {together} count their cards together."
    return "players sides", text


def _hands(v: Variant) -> _Told:
    hand = f"Everybody gets {_NUMBERS[v.hand_size]} cards"
    if v.table_size:
        text = f"{hand}, and {_NUMBERS[v.table_size]} lie face up on the table."
    else:
        text = f"{hand}, and none lies face up."
    return "hand_size table_size", text


def _refill(v: Variant) -> _Told:
    if v.table_size + v.players * v.hand_size == len(MAZZO) or v.refill == "none":
        text = "All cards are dealt at once."
    elif v.refill == "when-empty":
        text = (
            "When all hands are empty, everybody gets as many again until no cards are "
            "left; the table gets none."
        )
    elif v.refill == "draw-one-after-own-play":
        text = "Whoever has played a card draws one, until no cards are left."
    else:
        text = "When all have played a card each draws one, until no cards are left."
    return "refill", text


def _equal_priority(v: Variant) -> _Told:
    if v.capture == "sum-15":
        return "equal_priority", ""
    if v.equal_priority == "off":
        text = "A sum may be taken although a card of the same rank lies there."
    elif v.capture == "equal+sum+15":
        text = "A card of the same rank goes before a sum, not a fifteen."
    else:
        text = "A card of the same rank goes before a sum."
    return "equal_priority", text


def _redeal_aces(v: Variant) -> _Told:
    many = {
        "off": "",
        "1": "any of the cards face up is an {ace}",
        "2": "two or more of the cards face up are {aces}",
    }[v.redeal_aces]
    unless = ", unless they bring a scopa" if v.dealer_table_bonus == "15" else ""
    return "redeal_aces", f"If {many}, all are dealt again{unless}." if many else ""


def _table_bonus(v: Variant) -> _Told:
    options = "dealer_table_bonus double_at receiver wild_seven"
    if v.dealer_table_bonus == "off":
        return options, ""
    who = "the dealer" if v.receiver == "dealer" else "the player who begins"
    double = {
        "none": "",
        "30": ", or 30, which is two scope",
        "20": ", or 20, which is two scope",
        "two-groups": ", or two groups of 15, which is two scope",
    }[v.double_at]
    wild = "; the 7 of {cups} counts what helps most" if v.wild_seven == "on" else ""
    text = f"If the cards face up make 15, which is a scopa{double}, they go to {who}"
    return options, f"{text}{wild}."


def _cards(v: Variant) -> _Told:
    return "cards majority", _majority(v, v.cards, "cards")


def _coins(v: Variant) -> _Told:
    return "coins majority", _majority(v, v.coins, "{coins}")


def _majority(v: Variant, points: str, what: str) -> str:
    if points == "0":
        return f"No point for most {what}."
    if v.majority == "more-than-half":
        return f"One point for more than half of the {what}."
    return f"One point for most {what}; nobody has it if the best are level."


def _napola(v: Variant) -> _Told:
    if v.napola == "off":
        return "napola", ""
    to = ", but not beyond the 6" if v.napola.startswith("cap-6") else ""
    won = " All ten {coins} win the match." if "napoleone" in v.napola else ""
    run = "A run of {coins} from the {ace} up, of three cards or more"
    return "napola", f"{run}, is a point for each of its cards{to}.{won}"


def _ending(v: Variant) -> _Told:
    points = f"{counted(v.target, 'point')} or more"
    when = {
        "end-of-hand": f"when a deal is over and a side has {points}",
        "at-once": f"as soon as a side has {points} for certain",
    }[v.end_check]
    best = "lowest" if v.goal == "avoid" else "highest"
    text = f"The match ends {when}: the {best} score wins."
    return "target goal end_check", text


_CHAPTERS: tuple[tuple[str, tuple[str | Callable[[Variant], _Told], ...]], ...] = (
    (
        "The deal",
        (
            _company,
            _hands,
            _refill,
            "redeal_kings",
            _redeal_aces,
            _table_bonus,
            "direction",
        ),
    ),
    (
        "Taking",
        (
            "capture",
            _equal_priority,
            "sum_choice",
            "max_captured",
            "compulsion",
            "ace",
            "ace_on_table",
            "ace_to_empty",
            "first_play_restricted",
            "may_decline",
        ),
    ),
    (
        "Scope",
        ("scopa", "sweep_is_scopa", "last_play_scopa", "leftovers", "ponino"),
    ),
    ("Declaring", ("accusi", "wild_seven")),
    (
        "Points",
        (
            _cards,
            _coins,
            "settebello",
            "points",
            "primiera_values",
            "primiera_missing",
            "all_sevens",
            _napola,
            "grande",
            "re_bello",
            "trentino",
        ),
    ),
    ("The match", (_ending, "lead_needed", "tie_at_target")),
)
