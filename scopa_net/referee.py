"""The Referee: a match of Scopa as the protocol's `Game`.

The only place where the protocol's words become the game's: a position is an entry of
the deck order, a value is a `Card`, a seat of the record is a place at the table. Which
seat has which place, and who deals first, follow from the joint coin, once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from protocol.crypto.hashing import H
from protocol.faults import Reason
from protocol.game import FACE_UP, ForeignRules, Over, Refusal, Round
from protocol.roster import Terms, draw
from scopa_net.rules import (
    MAZZO,
    Card,
    Deal,
    IllegalAction,
    Match,
    Play,
    RulesError,
    SideScore,
    Variant,
    after_deal,
    apply,
    certain_score,
    decided_early,
    learn,
    new_deal,
    new_match,
    owner,
    rounds,
    score_deal,
    state_digest,
    variant_of_lines,
)
from scopa_net.statements import read_statement

GAME = "scopa"


@dataclass(frozen=True)
class Referee:
    """One deck's play of a match; `places[seat]` is the place of the record's seat."""

    places: tuple[int, ...]
    match: Match
    deal: Deal
    _owners: tuple[int, ...] = field(compare=False, repr=False)

    @property
    def positions(self) -> int:
        """The forty cards."""
        return len(MAZZO)

    @property
    def variant(self) -> Variant:
        """The rules that are played."""
        return self.match.variant

    def owners(self) -> Sequence[int]:
        """See `Game`; the dealing order is the variant's."""
        return self._dealt_to

    @cached_property
    def _dealt_to(self) -> tuple[int, ...]:
        return self._owners[: self._rounds[-1].end]

    def rounds(self) -> Sequence[Round]:
        """See `Game`: the rounds that the plays so far have made due."""
        return self._rounds

    @cached_property
    def _rounds(self) -> tuple[Round, ...]:
        due = {0: 0}
        for act, action in enumerate(self.deal.actions):
            if isinstance(action, Play):
                due[len(due)] = act + 1
        # Who has won at once is dealt no more cards.
        last = max(0, len(self.deal.actions) - (self._early is not None))
        return tuple(
            Round(end, due[plays])
            for end, plays in rounds(self.variant)
            if plays in due and due[plays] <= last
        )

    def turn(self) -> int | None:
        """See `Game`."""
        return self._turn

    @cached_property
    def _turn(self) -> int | None:
        if not self.deal.opening_known or self.deal.turn is None:
            return None
        return None if self._early else self.places.index(self.deal.turn)

    def opened(self, cards: Mapping[int, int]) -> "Referee | Refusal":
        """See `Game`; under some rules a card of a hand shows that a play was wrong."""
        known = {position: MAZZO[value] for position, value in cards.items()}
        try:
            return self._with(learn(self.deal, known))
        except IllegalAction as shown:
            return Refusal(str(shown))

    def accept(
        self, seat: int, positions: Sequence[int], statement: object
    ) -> "Referee | Refusal":
        """See `Game`; the opened cards are in the order already."""
        if seat != self.turn():
            return Refusal("It is another seat's turn.")
        cards = tuple(MAZZO[self.deal.order[position]] for position in positions)
        action = read_statement(statement, cards)
        if action is None:
            return Refusal("That is no action of this game.", Reason.MALFORMED)
        try:
            return self._with(apply(self.deal, action))
        except IllegalAction as refused:
            if isinstance(action, Play) and action.card in played_cards(self.deal):
                said = "That card has been played already."
                return Refusal(said, Reason.PLAYED_TWICE)
            return Refusal(str(refused))

    def _with(self, deal: Deal) -> "Referee":
        return Referee(self.places, self.match, deal, self._owners)

    def over(self) -> Over | None:
        """See `Game`."""
        return self._over

    @cached_property
    def _over(self) -> Over | None:
        if not self.deal.opening_known:
            return None
        if self.deal.redeal_due:
            return Over.REDEAL
        if not self.deal.over and self._early is None:
            return None
        return Over.MATCH if self.match_after.over else Over.SCORED

    @cached_property
    def _early(self) -> Match | None:
        """The match as it is decided in the middle of the deal, if it is."""
        return decided_early(self.match, self.deal)

    @cached_property
    def scores(self) -> tuple[SideScore, ...]:
        """What the deal earns each side, once it is over."""
        reckon = score_deal if self._early is None else certain_score
        return reckon(self.deal)

    @cached_property
    def match_after(self) -> Match:
        """The match with this deal counted, once it is over."""
        return self._early or after_deal(self.match, self.scores)

    def next_deck(self) -> "Referee":
        """See `Game`; a redeal is the same deal with the same dealer."""
        if self.over() is Over.REDEAL:
            return self.dealt_again()
        return _dealt_anew(self.places, self.match_after)

    def dealt_again(self) -> "Referee":
        """See `Game`: by the same dealer, at the same score."""
        return _dealt_anew(self.places, self.match)

    def plan(self) -> bytes:
        """See `Game`."""
        return _plan(
            self.places, self.variant, self.match.deal_number, self.deal.dealer
        )

    def next_plan(self) -> bytes | None:
        """See `Game`: certain once the opening table stands."""
        return self._next_plan

    @cached_property
    def _next_plan(self) -> bytes | None:
        if not self.deal.opening_known or self.deal.redeal_due:
            return None
        following = self.match.deal_number + 1
        return _plan(self.places, self.variant, following, self.match.first)

    def digest(self) -> bytes:
        """See `Game`."""
        return self._digest

    @cached_property
    def _digest(self) -> bytes:
        match = self.match
        return H(
            "sc1.state",
            bytes(self.places),
            *match.scores,
            match.deal_number,
            match.dealer,
            state_digest(self.deal),
        )[:16]


def open_match(terms: Terms, table: bytes) -> Referee:
    """The first game of a match: places and first dealer drawn by the joint coin.

    Raises `ForeignRules` for terms that this program cannot play.
    """
    try:
        variant = variant_of_lines(terms.rules)
    except RulesError as unknown:
        raise ForeignRules(str(unknown)) from unknown
    expected = (GAME, len(MAZZO), variant.players)
    if (terms.game, terms.positions, terms.seats) != expected:
        raise ForeignRules("these terms are not for a table of Scopa")
    places = draw_places(table, variant.sides, terms.sides)
    dealer = draw(table, "dealer", variant.players)[0]
    return _dealt_anew(places, new_match(variant, dealer))


def are_as_told(terms: Terms, variant: Variant, suite: str) -> bool:
    """Whether terms are those of a host that has told of this game and this suite.

    So nobody sits down, or watches, by others than it was told of before it came.
    """
    if (terms.rules, terms.suite) != (variant.lines(), suite):
        return False
    try:
        open_match(terms, bytes(16))
    except ForeignRules:
        return False
    return True


def draw_places(
    table: bytes, sides: int, wishes: Sequence[int | None]
) -> tuple[int, ...]:
    """The place of every seat, drawn among those of the side it wished for.

    Who finds none left there is seated among what is free.
    """
    order = draw(table, "places", len(wishes))
    free = list(range(len(wishes)))
    places = [-1] * len(wishes)
    for wished in (True, False):
        for seat in order:
            wish = wishes[seat]
            if places[seat] >= 0 or (wished and wish is None):
                continue
            fitting = [p for p in free if not wished or p % sides == wish]
            if fitting:
                places[seat] = fitting[0]
                free.remove(fitting[0])
    return tuple(places)


def played_cards(deal: Deal) -> set[Card]:
    """The cards that have been played so far."""
    return {action.card for action in deal.actions if isinstance(action, Play)}


def _dealt_anew(places: tuple[int, ...], match: Match) -> Referee:
    owners = _owners(places, match.variant, match.first)
    return Referee(places, match, new_deal(match.variant, match.first), owners)


@lru_cache(maxsize=64)
def _plan(
    places: tuple[int, ...], variant: Variant, deal_number: int, dealer: int
) -> bytes:
    first = (dealer + 1) % variant.players
    end = rounds(variant)[0][0]
    owners = _owners(places, variant, first)[:end]
    seats = bytes(seat + 1 for seat in owners)
    return H("sc1.deal", deal_number, places.index(dealer), seats)


@lru_cache(maxsize=64)
def _owners(places: tuple[int, ...], variant: Variant, first: int) -> tuple[int, ...]:
    """The seat of the record that owns each position, or `FACE_UP`."""
    dealt = (owner(variant, first, position) for position in range(len(MAZZO)))
    return tuple(FACE_UP if place < 0 else places.index(place) for place in dealt)
