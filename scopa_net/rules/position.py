"""A position given by its cards alone: what a hand may do with a table.

It answers "what if" questions, without a deal that led there: rules explained,
puzzles, tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scopa_net.rules import kernel
from scopa_net.rules.actions import Play, cards_of, set_of
from scopa_net.rules.cards import MAZZO, Card
from scopa_net.rules.errors import RulesError
from scopa_net.rules.options import OPTIONS
from scopa_net.rules.refusals import refusal
from scopa_net.rules.variants import Variant

HAND_MAX = max(map(int, OPTIONS["hand_size"]))


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal play, and whether it makes a scopa."""

    play: Play
    scopa: bool


def choices(
    variant: Variant,
    table: Iterable[Card],
    hand: Iterable[Card],
    *,
    last_play: bool = False,
) -> tuple[Choice, ...]:
    """The legal plays of a hand in the middle of a deal, by card.

    With `last_play` the hand is the last card of the whole deal.
    """
    rules = variant.rules
    state = _state(table, hand, last_play=last_play)
    out = [0] * kernel.BUFFER
    count = kernel.legal_plays(rules, state, out)
    found = []
    for code in out[:count]:
        play = Play(MAZZO[code >> kernel.CARDS], cards_of(code & kernel.ALL))
        after = list(state)
        kernel.apply(rules, after, code)
        found.append(Choice(play, after[kernel.SWEEPS] > 0))
    return tuple(found)


def why_forbidden(
    variant: Variant,
    table: Iterable[Card],
    hand: Iterable[Card],
    play: Play,
) -> str | None:
    """The rule that forbids a play in the middle of a deal; None if it is allowed."""
    lying, held = tuple(table), tuple(hand)
    allowed = [choice.play for choice in choices(variant, lying, held)]
    if play in allowed:
        return None
    if play.card not in held:
        return f"{play.card} is not in that hand."
    return refusal(variant.rules, tuple(_state(lying, held, last_play=False)), play)


def _state(
    table: Iterable[Card], hand: Iterable[Card], *, last_play: bool
) -> list[int]:
    """The kernel's state of the position; a position that cannot be is refused."""
    lying, held = set_of(table), set_of(hand)
    if lying & held:
        raise RulesError(
            f"{cards_of(lying & held)[0]} is in the hand and on the table."
        )
    if not held:
        raise RulesError("The hand needs a card.")
    if held.bit_count() > HAND_MAX:
        raise RulesError(
            f"A hand has at most {HAND_MAX} cards, not {held.bit_count()}."
        )
    if last_play and held.bit_count() > 1:
        raise RulesError(
            f"The last card of the deal is one, not {held.bit_count()} cards."
        )
    state = [0] * kernel.SIZE
    state[kernel.TABLE], state[kernel.HAND] = lying, held
    state[kernel.LAST] = state[kernel.LAID] = -1
    state[kernel.LEFT] = 1 if last_play else 2
    return state
