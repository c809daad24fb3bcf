"""A player before a screen: what is told, which keys are pressed, what is shown."""

from random import Random

from protocol.text import SafeText
from scopa_net.events import (
    Claimed,
    DealScored,
    DealStarted,
    Dealt,
    Declared,
    Event,
    Played,
    TurnCame,
)
from scopa_net.rules import (
    Action,
    Claim,
    Deal,
    Declare,
    Observation,
    Play,
    apply,
    leftovers,
    legal_actions,
    new_deal,
    new_match,
    parse_action,
    score_deal,
)
from scopa_net.rules.variants import Variant
from scopa_net.ui.company import Company
from scopa_net.ui.decks import ITALIAN, Deck
from scopa_net.ui.faces import ASCII, Glyphs
from scopa_net.ui.keys import intent_of
from scopa_net.ui.presenter import reduce
from scopa_net.ui.scenes import draw
from scopa_net.ui.view import Asked, Command, Heard, Input, Settled, ViewState
from tests.support.deals import order_of

NAMES = ("Ana", "Bruno", "Carla", "Dario", "Elena", "Fabio")


class Sitting:
    """The view of seat `you`, moved on by events, questions and keys.

    Without a seat it is of one who watches.
    """

    def __init__(
        self,
        deal: Deal,
        *,
        names: tuple[str, ...] = NAMES,
        you: int | None = 0,
        hints: bool = False,
        deck: Deck = ITALIAN,
    ) -> None:
        self.deal = deal
        self.you = you
        seated = tuple(map(SafeText, names[: deal.players]))
        self.company = Company(seated, deal.variant, you, deck)
        self.match = new_match(deal.variant, deal.dealer)
        self.view = ViewState(hints=hints, watches=you is None)
        self.commands: list[Command] = []

    def give(self, *given: Input) -> "Sitting":
        for one in given:
            self.view, commands = reduce(self.view, one)
            self.commands += commands
        return self

    def hear(self, *events: Event) -> "Sitting":
        return self.give(*(Heard(event, self.company) for event in events))

    def press(self, *keys: str) -> "Sitting":
        for key in keys:
            intent = intent_of(key, self.view)
            if intent is not None:
                self.give(intent)
        return self

    def start(self) -> "Sitting":
        self.hear(DealStarted(self.match.deal_number, self.deal.dealer))
        return self.hear(self.dealt())

    def dealt(self) -> Dealt:
        deal = self.deal
        hand = () if self.you is None else deal.hand(self.you)
        return Dealt(deal.table, hand, deal.tallone)

    def observation(self) -> Observation:
        return Observation(self.you, self.deal, self.match)

    def ask(self) -> "Sitting":
        turn = self.deal.turn
        assert turn is not None
        self.hear(TurnCame(turn))
        return self.give(Asked(self.observation())) if turn == self.you else self

    def play(self, *actions: str | Action) -> "Sitting":
        """Somebody plays; it is told as a table tells it, up to the score."""
        for one in actions:
            action = parse_action(self.deal, one) if isinstance(one, str) else one
            before, self.deal = self.deal, apply(self.deal, action)
            seat = before.turn
            assert seat is not None
            side = before.side(seat)
            scopa = self.deal.scope(side) > before.scope(side)
            match action:
                case Play():
                    self.hear(Played(seat, action, scopa))
                case Declare():
                    self.hear(Declared(seat, action))
                case Claim():
                    self.hear(Claimed(seat, action, scopa))
            if self.deal.over:
                self.hear(self.scored())
            elif self.deal.tallone != before.tallone:
                self.hear(self.dealt())
        return self

    def scored(self) -> DealScored:
        sides = score_deal(self.deal)
        totals = tuple(side.total for side in sides)
        return DealScored(0, sides, totals, *leftovers(self.deal))

    def settle(self) -> "Sitting":
        while self.view.showing is not None:
            self.give(Settled(self.view.showing.serial))
        return self

    def shown(
        self, columns: int = 80, rows: int = 24, glyphs: Glyphs = ASCII
    ) -> tuple[str, ...]:
        return draw(self.view, columns, rows, glyphs).lines()

    def boxed(self, columns: int = 80, rows: int = 24) -> str:
        """The words in the box that lies over the table."""
        parts = (line.split("#") for line in self.shown(columns, rows))
        return " ".join(" ".join(part[1] for part in parts if len(part) == 3).split())

    def text(self, columns: int = 80, rows: int = 24, glyphs: Glyphs = ASCII) -> str:
        lines = (line.rstrip() for line in self.shown(columns, rows, glyphs))
        return "\n".join(lines) + "\n"


def shuffled(variant: Variant, seed: int) -> Deal:
    """A deal that stands."""
    luck = Random(seed)
    order = list(range(40))
    while True:
        luck.shuffle(order)
        deal = new_deal(variant, 0, order)
        if not deal.redeal_due:
            return deal


def dealt_out(variant: Variant, table: str, *hands: str) -> Deal:
    """The deal with this table and these hands, the first seat's first."""
    return new_deal(variant, 0, order_of(variant, table, *hands))


def played_out(sitting: Sitting, seed: int) -> Sitting:
    """The deal played to its end, by chance."""
    luck = Random(seed)
    while not sitting.deal.over:
        sitting.play(luck.choice(legal_actions(sitting.deal)))
    return sitting
