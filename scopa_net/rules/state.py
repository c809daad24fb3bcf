"""The kernel's state of a deal, as a tuple: begun, acted on, and why not.

Here an action is checked before the kernel carries it out; `refusals.py` says why it is
refused.
"""

from __future__ import annotations

from functools import lru_cache

from scopa_net.rules import kernel
from scopa_net.rules.actions import (
    Action,
    Claim,
    Play,
    cards_of,
    code_of,
    set_of,
)
from scopa_net.rules.errors import IllegalAction
from scopa_net.rules.refusals import refusal

OVER = "The deal is over."


def begin(rules: kernel.Rules, first: int, order: tuple[int, ...]) -> list[int]:
    """The state before the first action, -1 for unknown entries of the order."""
    state = [0] * kernel.SIZE
    state[kernel.DECK : kernel.DECK + kernel.CARDS] = order
    kernel.new_deal(rules, state, first)
    return state


def acted(
    rules: kernel.Rules, state: tuple[int, ...], action: Action
) -> tuple[int, ...]:
    """The state after an action of the seat to act; IllegalAction if it is refused."""
    if state[kernel.LEFT] == 0:
        raise IllegalAction(OVER)
    code = code_of(action)
    supposed = supposing(rules, state, action)
    if code not in legal(rules, supposed):
        raise IllegalAction(refusal(rules, supposed, action))
    after = list(supposed)
    kernel.apply(rules, after, code)
    return tuple(after)


def supposing(
    rules: kernel.Rules, state: tuple[int, ...], action: Action
) -> tuple[int, ...]:
    """The state in which the seat to act holds what it shows, if that can be."""
    if isinstance(action, Claim):
        return state
    shown = set_of((action.card,) if isinstance(action, Play) else action.cards)
    place = kernel.HAND + state[kernel.TURN]
    hidden = shown & ~state[place]
    if not hidden:
        return state
    elsewhere = cards_of(hidden & known_cards(state))
    if elsewhere:
        raise IllegalAction(f"{elsewhere[0]} is not in that hand.")
    hand = state[place] | hidden
    if hand.bit_count() > kernel.held(rules, list(state), state[kernel.TURN]):
        raise IllegalAction(f"{cards_of(hidden)[0]} is not in that hand.")
    return (*state[:place], hand, *state[place + 1 :])


def legal(rules: kernel.Rules, state: tuple[int, ...]) -> list[int]:
    """The kernel's legal actions of the seat to act."""
    given = list(state)
    hand = given[kernel.HAND + given[kernel.TURN]].bit_count()
    sets = (1 << given[kernel.TABLE].bit_count()) + 2
    out = [0] * min(kernel.BUFFER, (hand + 1) * sets + 2)
    count = kernel.legal_plays(rules, given, out)
    if rules.declare or given[kernel.LAID] >= 0:
        count = kernel.legal_extras(rules, given, out, count)
    return out[:count]


def known_cards(state: tuple[int, ...]) -> int:
    """The set of the cards whose place is known."""
    known = state[kernel.TABLE]
    for place in (*range(kernel.HAND, kernel.PILE), *range(kernel.PILE, kernel.EXTRA)):
        known |= state[place]
    for card in state[kernel.DECK : kernel.DECK + kernel.CARDS]:
        if card >= 0:
            known |= 1 << card
    return known


@lru_cache(maxsize=256)
def giri(rules: kernel.Rules) -> tuple[tuple[int, int], ...]:
    """Where each giro ends in the order, and after how many plays it is dealt.

    Found by playing one open deal through, so that the kernel alone deals.
    """
    state = begin(rules, 0, tuple(range(kernel.CARDS)))
    found: list[tuple[int, int]] = []
    plays = 0
    while True:
        end = kernel.CARDS - state[kernel.STOCK]
        if not found or found[-1][0] != end:
            found.append((end, plays))
        if state[kernel.LEFT] == 0:
            return tuple(found)
        kernel.apply(rules, state, legal(rules, tuple(state))[0])
        plays += 1
