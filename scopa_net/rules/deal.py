"""A deal: the order of the forty cards and the actions so far.

Any entry of the order may be unknown, so a player's live deal, the public view of a
network table, a spectator's view, a replay and a bot's imagined world are one type. A
deal changes in two ways, each giving a new deal: `apply` an action, or `learn` which
card lies at a position. `observe` only hides entries.

What is legal, captured and dealt is asked of the kernel, by way of `state.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from struct import pack

from scopa_net.rules import kernel
from scopa_net.rules.actions import (
    MATCH_CLAIM,
    Action,
    Claim,
    Play,
    action_of,
    cards_of,
    code_of,
)
from scopa_net.rules.cards import MAZZO, Card, text_of
from scopa_net.rules.errors import IllegalAction, RulesError
from scopa_net.rules.refusals import Named, refusal
from scopa_net.rules.state import (
    OVER,
    acted,
    begin,
    giri,
    known_cards,
    legal,
    supposing,
)
from scopa_net.rules.variants import Variant

UNKNOWN = -1
NOTHING_KNOWN: tuple[int, ...] = (UNKNOWN,) * kernel.CARDS

_NOT_OPEN = "The cards on the table are not open yet."
_DEALT_AGAIN = "The cards have to be dealt again."
_CLAIMED = "The match has been claimed."


class ImpossibleCard(RulesError):
    """That card cannot lie there: it is already known to be elsewhere."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal, as far as it is known.

    `first` is the seat that plays first; `order` holds card indices, -1 where unknown;
    `actions` are all so far. Equal deals have these in common. `state` is what they
    come to in the kernel's layout; whoever builds a deal leaves it out.
    """

    variant: Variant
    first: int
    order: tuple[int, ...] = NOTHING_KNOWN
    actions: tuple[Action, ...] = ()
    state: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.state:
            _check_order(self.order)
            if not 0 <= self.first < self.variant.players:
                raise RulesError(f"There is no seat {self.first} to play first.")
            object.__setattr__(self, "state", _folded(self))

    @property
    def players(self) -> int:
        """How many seats play."""
        return self.variant.rules.players

    @property
    def dealer(self) -> int:
        """The seat that deals: the one before the first to play."""
        return (self.first - 1) % self.players

    def side(self, seat: int) -> int:
        """The side a seat plays for."""
        return seat % self.variant.rules.sides

    @property
    def over(self) -> bool:
        """True when all forty cards have been played or taken."""
        return self.state[kernel.LEFT] == 0

    @property
    def opening_known(self) -> bool:
        """True when every card of the opening table is known."""
        return UNKNOWN not in self.order[: self.variant.rules.table]

    @property
    def redeal_due(self) -> bool:
        """True when the opening table has to be dealt again, by the same dealer."""
        return not self.actions and bool(
            kernel.redeal(self.variant.rules, list(self.state))
        )

    @property
    def claimant(self) -> int | None:
        """The seat that has claimed the match, which ends the deal."""
        last = self.actions[-1] if self.actions else None
        claimed = isinstance(last, Claim) and last == MATCH_CLAIM
        return self.state[kernel.TURN] if claimed else None

    @property
    def turn(self) -> int | None:
        """The seat to act; None after the end, or if the cards are dealt again."""
        if self.over or self.redeal_due or self.claimant is not None:
            return None
        return self.state[kernel.TURN]

    @property
    def plays(self) -> int:
        """How many cards have been played; declarations and claims do not count."""
        return kernel.CARDS - self.variant.rules.table - self.state[kernel.LEFT]

    @property
    def table(self) -> tuple[Card, ...]:
        """The tavola: the cards face up, open to capture."""
        return cards_of(self.state[kernel.TABLE])

    @property
    def tallone(self) -> int:
        """How many cards have not been dealt yet."""
        return self.state[kernel.STOCK]

    def hand(self, seat: int) -> tuple[Card, ...]:
        """The cards known to be in a seat's hand."""
        return cards_of(self.state[kernel.HAND + self._seat(seat)])

    def held(self, seat: int) -> int:
        """How many cards a seat holds, known or not."""
        return kernel.held(self.variant.rules, list(self.state), self._seat(seat))

    def pile(self, side: int) -> tuple[Card, ...]:
        """The cards a side has captured."""
        return cards_of(self.state[kernel.PILE + self._side(side)])

    def scope(self, side: int) -> int:
        """How many scope a side has made, an opening table's included."""
        return self.state[kernel.SWEEPS + self._side(side)]

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.players:
            raise IndexError(f"there is no seat {seat}")
        return seat

    def _side(self, side: int) -> int:
        if not 0 <= side < self.variant.rules.sides:
            raise IndexError(f"there is no side {side}")
        return side


def new_deal(
    variant: Variant, first: int, order: Iterable[int] = NOTHING_KNOWN
) -> Deal:
    """The deal before its first action."""
    return Deal(variant, first, tuple(order))


def legal_actions(deal: Deal) -> tuple[Action, ...]:
    """All that the seat to act may do, by card and then by what it takes.

    Of a hidden hand only what its known cards allow; nothing before the opening table
    is known, nor after the end.
    """
    if deal.turn is None or not deal.opening_known:
        return ()
    listed = tuple(action_of(code) for code in legal(deal.variant.rules, deal.state))
    return (*listed, MATCH_CLAIM) if deal.variant.claims_match and listed else listed


def apply(deal: Deal, action: Action) -> Deal:
    """The deal after an action of the seat to act; IllegalAction if it is refused.

    A hidden hand may play any card not seen elsewhere.
    """
    if deal.turn is None or not deal.opening_known:
        raise IllegalAction(_why_nobody_acts(deal))
    return Deal(
        deal.variant,
        deal.first,
        deal.order,
        (*deal.actions, action),
        _after(deal.variant, deal.state, action),
    )


def learn(deal: Deal, cards: Mapping[int, Card]) -> Deal:
    """The deal in which these positions are known to hold these cards.

    ImpossibleCard if a card is known to lie elsewhere; IllegalAction if an action so
    far turns out to have been illegal.
    """
    order = list(deal.order)
    for position, card in cards.items():
        if not 0 <= position < kernel.CARDS:
            raise RulesError(f"There is no position {position} in the order.")
        if order[position] not in (UNKNOWN, card.index):
            raise ImpossibleCard(f"{card} is not the card known to lie there.")
        order[position] = card.index
    known = tuple(order)
    if known == deal.order:
        return deal
    _check_order(known)
    fresh = {at: known[at] for at in cards if deal.order[at] == UNKNOWN}
    if not _touches_the_past(deal, fresh):
        state = list(deal.state)
        for position in sorted(fresh):
            kernel.learn(deal.variant.rules, state, position, fresh[position])
        return Deal(deal.variant, deal.first, known, deal.actions, tuple(state))
    return Deal(deal.variant, deal.first, known, deal.actions)


def observe(deal: Deal, seat: int | None) -> Deal:
    """The deal as a seat may see it; None is a spectator.

    What stays is the opening table, what was dealt to the seat, and shown cards.
    """
    state = list(deal.state)
    viewer = -1 if seat is None else deal._seat(seat)
    kernel.observe(deal.variant.rules, state, viewer)
    order = tuple(state[kernel.DECK : kernel.DECK + kernel.CARDS])
    return Deal(deal.variant, deal.first, order, deal.actions, tuple(state))


def dealt(before: Deal, action: Action, seat: int | None) -> dict[int, Card]:
    """The positions that an action turns up for a seat, as far as they are known.

    That is what it deals to the seat, and what a declaration shows to all.
    """
    old = observe(before, seat).order
    new = observe(apply(before, action), seat).order
    return {
        at: MAZZO[card]
        for at, card in enumerate(new)
        if card != UNKNOWN and old[at] == UNKNOWN
    }


def owner(variant: Variant, first: int, position: int) -> int:
    """The seat a position of the order is dealt to, or -1 if it lies face up."""
    if not 0 <= position < kernel.CARDS:
        raise RulesError(f"There is no position {position} in the order.")
    return kernel.owner(variant.rules, first, position)


def rounds(variant: Variant) -> tuple[tuple[int, int], ...]:
    """Each round of dealing: where it ends in the order, and after how many plays.

    The opening table and the first hands are the round that needs no play.
    """
    return giri(variant.rules)


def state_digest(deal: Deal) -> bytes:
    """The public state as canonical bytes: equal for all who saw the same deal.

    Hidden cards have no part in it, known or not.
    """
    rules, state = deal.variant.rules, deal.state
    opening = deal.order[: rules.table]
    public = (
        *(deal.first, len(opening), *opening, len(deal.actions)),
        *(code_of(action) for action in deal.actions),
        *state[kernel.TABLE : kernel.HAND],
        *state[kernel.PILE : kernel.DECK],
    )
    return deal.variant.fingerprint + pack(f">{len(public)}q", *public)


def why_not(deal: Deal, action: Action, named: Named = text_of) -> str:
    """Why the seat to act may not do this; `named` gives cards their names."""
    return refusal(deal.variant.rules, deal.state, action, named)


def plays_of(deal: Deal, card: Card) -> tuple[Play, ...]:
    """The legal plays of one card by the seat to act, whose hand may be hidden.

    IllegalAction if nobody is to act or the seat cannot hold the card.
    """
    if deal.turn is None or not deal.opening_known:
        raise IllegalAction(_why_nobody_acts(deal))
    rules = deal.variant.rules
    codes = legal(rules, supposing(rules, deal.state, Play(card)))
    actions = [action_of(code) for code in codes if code >> kernel.CARDS == card.index]
    return tuple(one for one in actions if isinstance(one, Play))


def makes_scopa(deal: Deal, action: Action) -> bool:
    """True if a legal action would make a scopa."""
    side = deal.side(deal.state[kernel.TURN])
    return apply(deal, action).scope(side) > deal.scope(side)


def opening_bonus(deal: Deal) -> tuple[int, int] | None:
    """The side that got the opening table and the scope this brought, if any did."""
    opened = begin(deal.variant.rules, deal.first, deal.order)
    for side in range(deal.variant.rules.sides):
        scope = opened[kernel.SWEEPS + side]
        if scope:
            return side, scope
    return None


def leftovers(deal: Deal) -> tuple[tuple[Card, ...], int | None]:
    """What the deal left on the tavola, and the side that got it, if any did.

    A deal that stopped before its last card leaves nothing.
    """
    if not deal.over:
        return (), None
    kept = replace(deal.variant, leftovers="nobody")
    left = Deal(kept, deal.first, deal.order, deal.actions).table
    side = kernel.heir(deal.variant.rules, list(deal.state))
    return left, side if left and side >= 0 else None


def seen(deal: Deal) -> tuple[Card, ...]:
    """Every card whose place is known: by position, in a hand, played or taken."""
    return cards_of(known_cards(deal.state))


def declared(deal: Deal, side: int) -> int:
    """The points a side has declared."""
    return deal.state[kernel.EXTRA + deal._side(side)]


def _folded(deal: Deal) -> tuple[int, ...]:
    """The state that the order and the actions come to, everything checked."""
    rules = deal.variant.rules
    opening = begin(rules, deal.first, deal.order)
    state = tuple(opening)
    if deal.actions and not deal.opening_known:
        raise IllegalAction(_NOT_OPEN)
    if deal.actions and kernel.redeal(rules, opening):
        raise IllegalAction(_DEALT_AGAIN)
    if MATCH_CLAIM in deal.actions[:-1]:
        raise IllegalAction(_CLAIMED)
    for action in deal.actions:
        state = _after(deal.variant, state, action)
    return state


def _after(variant: Variant, state: tuple[int, ...], action: Action) -> tuple[int, ...]:
    """The state after an action; to claim the match changes nothing in it."""
    if action == MATCH_CLAIM and variant.claims_match and state[kernel.LEFT]:
        return state
    return acted(variant.rules, state, action)


def _touches_the_past(deal: Deal, fresh: Mapping[int, int]) -> bool:
    """True if learning these entries may bear on actions already made.

    That is so for a card already seen, for a hand already played out, for a hand that
    has no room for the card, and where rules look at the rest of the hand.
    """
    if not deal.actions:
        return False
    rules = deal.variant.rules
    if rules.compulsion == 1 or rules.ace_first:
        return True
    if known_cards(deal.state) & sum(1 << card for card in fresh.values()):
        return True
    begun = [end for end, plays in giri(rules) if plays <= deal.plays]
    current = begun[-2] if len(begun) > 1 and not rules.draw else 0
    come: dict[int, int] = {}
    for position in fresh:
        if position >= begun[-1]:
            continue
        seat = kernel.owner(rules, deal.first, position)
        come[seat] = come.get(seat, 0) + 1
        hand = deal.state[kernel.HAND + seat].bit_count()
        if position < current or hand + come[seat] > deal.held(seat):
            return True
    return False


def _check_order(order: tuple[int, ...]) -> None:
    if len(order) != kernel.CARDS:
        raise RulesError("The order of a deal has forty entries.")
    known = [card for card in order if card != UNKNOWN]
    if not all(0 <= card < kernel.CARDS for card in known):
        raise RulesError("An entry of the order is a card or unknown.")
    if len(set(known)) != len(known):
        twice = next(card for card in known if known.count(card) > 1)
        raise ImpossibleCard(f"{MAZZO[twice]} cannot lie at two positions.")


def _why_nobody_acts(deal: Deal) -> str:
    if deal.over:
        return OVER
    if deal.claimant is not None:
        return _CLAIMED
    return _DEALT_AGAIN if deal.redeal_due else _NOT_OPEN
