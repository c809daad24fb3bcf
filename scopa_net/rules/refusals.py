"""Why an action is not allowed: the sentence names the rule that forbids it.

No rule is written here. What a rule forbids is what the kernel would allow without it,
so each rule is taken away in turn until the play becomes legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from scopa_net.rules import kernel
from scopa_net.rules.actions import (
    MATCH_CLAIM,
    Action,
    Claim,
    Declare,
    Play,
    cards_of,
    code_of,
    set_of,
)
from scopa_net.rules.cards import Card, text_of

Named: TypeAlias = Callable[[Iterable[Card]], str]

_OPTIONS_SHOWN = 6
_FIFTEEN = 15

# What is taken away, and what is said if that makes the play legal. The first that does
# is named, so a rule stands before those that matter only where it does not.
_RELAXED: tuple[tuple[Mapping[str, int], str], ...] = (
    ({"equal_first": 0}, "an equal card goes before a sum"),
    ({"ace_table": 1}, "an ace sweeps nothing where another ace lies"),
    ({"ace_first": 0}, "an ace sweeps nothing with the first play of the deal"),
    ({"ace": 0}, "an ace takes all that lies there"),
    ({"fewest": 0}, "of several captures the one of fewest cards is made"),
    ({"max_captured": 0}, "a card takes {most} at most"),
    ({"fewest": 0, "max_captured": 0}, "a card takes {most} at most"),
    ({"equal_first": 0, "fewest": 0}, "an equal card goes before a sum"),
)


def refusal(
    rules: kernel.Rules,
    state: tuple[int, ...],
    action: Action,
    named: Named = text_of,
) -> str:
    """Why the seat to act, which may hold what it shows, may not do this.

    `named` gives cards their names in the sentence.
    """
    if isinstance(action, Declare):
        return _of_declaration(rules, state, action, named)
    if action == MATCH_CLAIM:
        return "The match is not claimed in this game."
    if isinstance(action, Claim) and rules.compulsion != 3:
        return "Captures are not claimed in this game."
    for card in action.captured:
        if not state[kernel.TABLE] >> card.index & 1 and action != Play(card, (card,)):
            return f"{named((card,))} is not on the table."
    if isinstance(action, Claim):
        if state[kernel.LAID] < 0:
            return "There is no card whose capture could be claimed."
        return f"{named(action.captured)} is no capture that was overlooked."
    return _of_play(rules, state, action, named)


def _of_declaration(
    rules: kernel.Rules, state: tuple[int, ...], said: Declare, named: Named
) -> str:
    hand = set_of(said.cards)
    if not rules.declare:
        return "Hands are not declared in this game."
    if len(said.cards) != rules.hand or hand != state[kernel.HAND + state[kernel.TURN]]:
        return "A hand is declared whole, before its first card is played."
    if hand & state[kernel.SHOWN]:
        return "That hand has been declared already."
    why = {"low": "it counts more than nine", "three": "its cards are not of one rank"}
    return f"{named(said.cards)} cannot be declared {said.kind}: {why[said.kind]}."


def _of_play(
    rules: kernel.Rules, state: tuple[int, ...], play: Play, named: Named
) -> str:
    card, name = play.card, named((play.card,))
    codes = _plays_of(rules, state, card)
    if code_of(play) in codes:
        return f"{name} may not be played: {_forbidden_by_the_hand(rules)}."
    options = [cards_of(code & kernel.ALL) for code in codes if code & kernel.ALL]
    takes = ", or ".join(named(option) for option in options[:_OPTIONS_SHOWN])
    if not play.captured:
        return f"{name} may not be laid: it takes {takes}, and what can capture must."
    wanted = named(play.captured)
    for relaxed, rule in _RELAXED:
        if code_of(play) in _plays_of(rules._replace(**relaxed), state, card):
            most = f"{rules.max_captured} cards"
            why = rule.format(most=most)
            if options:
                return f"{name} must take {takes}, not {wanted}: {why}."
            return f"{name} cannot take {wanted}: {why}."
    else_ = f"it takes {takes}" if options else "it takes nothing here and is laid"
    return f"{name} does not take {wanted}, {_sums(rules, play)}: {else_}."


def _plays_of(rules: kernel.Rules, state: tuple[int, ...], card: Card) -> list[int]:
    """The kernel's plays of one card, whatever else the hand holds."""
    table = state[kernel.TABLE]
    lead = int(state[kernel.LEFT] + rules.table == kernel.CARDS)
    out = [0] * min(kernel.BUFFER, (1 << table.bit_count()) + 2)
    count = kernel.odd_plays_of(rules, table, card.index, lead, out, 0)
    return out[:count]


def _forbidden_by_the_hand(rules: kernel.Rules) -> str:
    if rules.compulsion == 1:
        return "another card of the hand can capture, and goes first"
    return "no ace is led while the hand has another card"


def _sums(rules: kernel.Rules, play: Play) -> str:
    """What the wanted cards come to, and what they would have to come to."""
    total = sum(card.rank for card in play.captured)
    with_own = total + play.card.rank
    told = []
    if rules.by_value:
        told.append(f"which makes {total} and not {play.card.rank}")
    if rules.by_fifteen:
        told.append(f"with which it makes {with_own} and not {_FIFTEEN}")
    return " and ".join(told)
