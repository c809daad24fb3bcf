"""What the choices of a match were worth, as a bot weighs them that sees no more."""

from collections.abc import Sequence
from dataclasses import dataclass

from scopa_net.bots.bot import Weighed, Weighs, explained
from scopa_net.rules import Action, Observation

__all__ = ["Choice", "Reviewed", "costliest", "lost_by", "reviewed"]

COSTLIEST = 3


@dataclass(frozen=True, slots=True)
class Choice:
    """What a seat chose, and all that it could know then.

    `known` is False if its hand of that moment has not been revealed.
    """

    observation: Observation
    action: Action
    known: bool


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A choice, what it was worth, and everything that could have been chosen.

    `weighed` has the bot's own choice first, with its `reasons`.
    """

    observation: Observation
    seat: int
    chosen: Weighed
    weighed: tuple[Weighed, ...]
    reasons: tuple[str, ...]

    @property
    def deal(self) -> int:
        """The number of the deal, from 0."""
        return self.observation.match.deal_number

    @property
    def move(self) -> int:
        """How many actions of the deal were before it."""
        return len(self.observation.history)

    @property
    def best(self) -> Action:
        """What the bot would have done."""
        return self.weighed[0].action


def reviewed(choice: Choice, bot: Weighs) -> Reviewed | None:
    """The choice weighed; None if there was none, or the hand is not known."""
    seen, seat = choice.observation, choice.observation.seat
    if seat is None or not choice.known or len(seen.legal_actions) < 2:
        return None
    weighed = tuple(bot.weigh(seen))
    chosen = next((one for one in weighed if one.action == choice.action), None)
    if chosen is None or len(weighed) < 2:
        return None
    best = weighed[0].action
    reasons = explained(bot, seen, best)
    return Reviewed(seen, seat, chosen, weighed, reasons)


def costliest(found: Sequence[Reviewed], count: int = COSTLIEST) -> list[Reviewed]:
    """The choices that have lost most, the worst first; none that lost nothing."""
    lost = [
        one for one in found if one.chosen.loss > 0 and one.chosen != one.weighed[0]
    ]
    return sorted(lost, key=lambda one: -one.chosen.loss)[:count]


def lost_by(seat: int, found: Sequence[Reviewed]) -> float:
    """What the choices of a seat have lost in all."""
    return sum(one.chosen.loss for one in found if one.seat == seat)
