"""The kernel's state of a deal, as a tuple: begun, acted on, and why not.

Here an action is checked before the kernel carries it out, and here stands what to say
when it is refused.
"""

from __future__ import annotations

from functools import lru_cache

from scopa_net.rules import kernel
from scopa_net.rules.actions import (
    Action,
    Claim,
    Declare,
    Play,
    cards_of,
    code_of,
    set_of,
)
from scopa_net.rules.cards import text_of
from scopa_net.rules.errors import IllegalAction

OVER = "The deal is over."
_OPTIONS_SHOWN = 6


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
        raise IllegalAction(_refusal(rules, supposed, action))
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


def _refusal(rules: kernel.Rules, state: tuple[int, ...], action: Action) -> str:
    """Why the seat to act, which may hold what it shows, may not do this."""
    if isinstance(action, Declare):
        return f"{text_of(action.cards)} cannot be declared {action.kind}."
    for card in action.captured:
        if not state[kernel.TABLE] >> card.index & 1 and action != Play(card, (card,)):
            return f"{card} is not on the table."
    if isinstance(action, Claim):
        if state[kernel.LAID] < 0:
            return "There is no card whose capture could be claimed."
        return f"{text_of(action.captured)} is no capture that was overlooked."
    return _refusal_of_play(rules, state, action)


def _refusal_of_play(rules: kernel.Rules, state: tuple[int, ...], play: Play) -> str:
    place = kernel.HAND + state[kernel.TURN]
    alone = (*state[:place], 1 << play.card.index, *state[place + 1 :])
    codes = [code for code in legal(rules, alone) if code >> kernel.CARDS < 40]
    if code_of(play) in codes:
        return f"{play.card} may not be played: another card of the hand goes first."
    options = [cards_of(code & kernel.ALL) for code in codes if code & kernel.ALL]
    if not options:
        return f"{play.card} takes nothing here: it is laid on the table."
    takes = " or ".join(text_of(option) for option in options[:_OPTIONS_SHOWN])
    if not play.captured:
        return f"{play.card} may not be laid: it takes {takes}."
    equal = all(
        len(option) == 1 and option[0].rank == play.card.rank for option in options
    )
    return f"{play.card} does not take {text_of(play.captured)}: it takes {takes}" + (
        ", for an equal card goes first." if equal else "."
    )
