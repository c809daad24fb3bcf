"""Why an action is good, in the words of the game."""

from __future__ import annotations

from collections.abc import Iterator

from ai.guards import Look, anchor, last_capture, partner, spariglio, unpaired
from scopa_net.bots import MATCH_CLAIM, Claim, Declare, Play, makes_scopa
from scopa_net.rules.actions import cards_of
from scopa_net.rules.kernel import LEFT, SETTEBELLO, STOCK, TABLE
from scopa_net.rules.points import DENARI, SEVENS

_RANKS = (
    *("assi", "twos", "threes", "fours", "fives"),
    *("sixes", "sevens", "fanti", "cavalli", "re"),
)
_COUNTED = ("no", "one", "two", "three", "four")


def reasons_for(look: Look) -> Iterator[str]:
    """What speaks for an action, and what it leaves behind; sentences."""
    match look.action:
        case Play(_, ()):
            yield from _laid(look)
        case Play():
            yield from _captured(look)
        case Declare(_, kind):
            yield f"Declaring ({kind}) brings points and costs nothing."
        case Claim() if look.action == MATCH_CLAIM:
            yield "The target is reached, so the match is won."
        case Claim():
            yield "The capture was overlooked and may be claimed."
    if isinstance(look.action, Play):
        yield from _left_behind(look)


def _captured(look: Look) -> Iterator[str]:
    if makes_scopa(look.observation.deal, look.action):
        yield "It is a scopa."
    if look.taken & SETTEBELLO:
        yield "It takes the settebello."
    coins = (look.taken & DENARI & ~SETTEBELLO).bit_count()
    if coins:
        yield f"It brings {_number(coins)} of the denari."
    for cards, name in ((SEVENS & ~SETTEBELLO, "seven"), (SEVENS >> 4, "six")):
        if look.taken & cards:
            yield f"A {name} counts for the primiera."
    if not coins and not look.taken & (SEVENS | SEVENS >> 4):
        yield f"It brings {_number(look.taken.bit_count())} cards."
    if last_capture(look):
        yield "Whoever captures last gets what is left on the table."


def _laid(look: Look) -> Iterator[str]:
    if any(isinstance(one, Play) and one.captured for one in _others(look)):
        yield "A capture would give the others more than it takes."
    else:
        yield "No card of the hand can capture."
    if anchor(look):
        rank = _RANKS[cards_of(look.laid)[0].rank - 1]
        if look.unseen & 15 << (look.laid.bit_length() - 1 & ~3):
            yield f"Another of the {rank} stays in the hand to take it back."
        else:
            yield f"Nobody else holds any of the {rank}."
    if partner(look) > 0:
        yield "The partner laid that rank, and an opponent took it."


def _others(look: Look) -> Iterator[object]:
    return (one for one in look.observation.legal_actions if one != look.action)


def _left_behind(look: Look) -> Iterator[str]:
    if partner(look) < 0:
        yield "It takes what the partner has laid."
    table = cards_of(look.after[TABLE])
    if table and look.before[LEFT] > 1:
        total = sum(card.rank for card in table)
        sweepers = look.sweepers.bit_count()
        if sweepers:
            which = "card takes" if sweepers == 1 else "cards take"
            yield f"Only {_number(sweepers)} unseen {which} the whole table."
        else:
            yield f"No unseen card takes the whole table, which counts {total}."
    if spariglio(look) > 0:
        odd = unpaired(look.after)
        yield f"It leaves {_number(odd)} ranks unpaired, which suits this side."
    if look.after[STOCK] == 0 and look.before[LEFT] <= 2 * len(look.observation.held):
        yield "These are the last cards of the deal."


def _number(count: int) -> str:
    return _COUNTED[count] if count < len(_COUNTED) else str(count)
