"""What a seat knows for certain of hands that it does not see."""

from __future__ import annotations

from collections.abc import Sequence

from scopa_net.bots import Deal
from scopa_net.rules import kernel
from scopa_net.rules.actions import code_of
from scopa_net.rules.kernel import Rules
from scopa_net.rules.state import begin, known_cards


def deduced(rules: Rules, state: Sequence[int]) -> list[int]:
    """The state with the last hidden hand filled in.

    When nothing is left to deal and one seat alone has hidden cards, they are all the
    cards that have not been seen.
    """
    known = list(state)
    hidden = [seat for seat in range(rules.players) if hides(rules, known, seat)]
    if known[kernel.STOCK] == 0 and len(hidden) == 1:
        seen = known_cards(tuple(known))
        known[kernel.HAND + hidden[0]] |= kernel.ALL & ~seen
    return known


def hides(rules: Rules, state: list[int], seat: int) -> bool:
    """Whether a seat holds a card that is not known."""
    known = state[kernel.HAND + seat].bit_count()
    return kernel.held(rules, state, seat) > known


def lies_open(rules: Rules, state: list[int]) -> bool:
    """Whether every card that is still to be played is known."""
    return state[kernel.STOCK] == 0 and not any(
        hides(rules, state, seat) for seat in range(rules.players)
    )


def barred(deal: Deal) -> list[int]:
    """For each seat the set of cards that it cannot hold, as the rules are.

    Where a hand that can capture has to, who laid a card held none that could; where no
    asso may be led, who led one held nothing else. It is forgotten when the seat is
    dealt new cards. What a seat merely would have done says nothing here.
    """
    rules = deal.variant.rules
    found = [0] * rules.players
    if rules.compulsion != 1 and rules.ace_first != 1:
        return found
    state = begin(rules, deal.first, deal.order)
    for action in deal.actions:
        seat, code, stock = state[kernel.TURN], code_of(action), state[kernel.STOCK]
        if code >> kernel.CARDS < kernel.CARDS:
            found[seat] |= _ruled_out(rules, state, code)
        kernel.apply(rules, state, code)
        if state[kernel.STOCK] != stock:
            found = _without_new_cards(rules, found, seat)
    return found


def _without_new_cards(rules: Rules, found: list[int], seat: int) -> list[int]:
    """What is left of it when cards have been dealt after a play of the seat."""
    if rules.draw == 1:
        return [0 if one == seat else cards for one, cards in enumerate(found)]
    return [0] * rules.players


def _ruled_out(rules: Rules, state: list[int], code: int) -> int:
    """The cards that the seat to act does not hold if it plays this."""
    lead = int(state[kernel.LEFT] + rules.table == kernel.CARDS)
    card, taken = code >> kernel.CARDS, code & kernel.ALL
    if rules.ace_first == 1 and lead and card < 4:
        return kernel.ALL & ~kernel.ACES
    if rules.compulsion != 1 or taken:
        return 0
    found = 0
    out = [0] * kernel.BUFFER
    for other in range(kernel.CARDS):
        if rules.ace_first == 1 and lead and other < 4:
            continue
        count = kernel.plays_of(rules, state[kernel.TABLE], other, lead, out, 0)
        if any(play & kernel.ALL for play in out[:count]):
            found |= 1 << other
    return found
