"""Opponents after what others have published, written anew from their descriptions.

They are for classic Scopa of two and stand in no list of bots.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random

from ai.playouts import START_MAX, determinise, legal
from scopa_net.bots import SETTEBELLO, Action, Bot, Card, Observation, Play, Suit
from scopa_net.rules import kernel, points
from scopa_net.rules.actions import code_of
from scopa_net.rules.kernel import LEFT, PILE, SWEEPS, TOTAL, TURN, Rules
from scopa_net.rules.points import DENARI


class OnePly:
    """The weights of a Scopa for the ZX Spectrum (tonygillett136/scopa-spectrum).

    The best play at once, less 20 for a table of ten or less and 2 for each rank that
    lies there; its author could not improve on it without looking ahead.
    """

    def choose(self, observation: Observation) -> Action:
        """The play with the best sum of weights."""
        plays = [one for one in observation.legal_actions if isinstance(one, Play)]
        return max(plays, key=lambda play: self._worth(observation, play))

    def _worth(self, observation: Observation, play: Play) -> int:
        table = [one for one in observation.table if one not in play.captured]
        if not play.captured:
            total = -_by_rank(play.card, 12, 6, 0) - 4 * _is_coin(play.card)
            total -= 28 * (play.card == SETTEBELLO)
            total += 3 * (play.card.rank >= 8)
            return total + _safety([*table, play.card])
        total = 0
        for one in (play.card, *play.captured):
            total += 2 + 5 * _is_coin(one) + 35 * (one == SETTEBELLO)
            total += _by_rank(one, 15, 8, 6)
        return total + (_safety(table) if table else 50)


def _by_rank(card: Card, seven: int, six: int, ace: int) -> int:
    return {7: seven, 6: six, 1: ace}.get(card.rank, 0)


def _is_coin(card: Card) -> int:
    return int(card.suit is Suit.DENARI)


def _safety(table: list[Card]) -> int:
    ranks = [one.rank for one in table]
    return -20 * (sum(ranks) <= 10) - 2 * len(set(ranks))


class Exposure:
    """The one-ply bot of Tartaluca21/scopa-engine, with its uniform weights.

    What a play captures, less a quarter for each set of cards on the table that sums to
    ten or less.
    """

    def choose(self, observation: Observation) -> Action:
        """The play with the best sum."""
        plays = [one for one in observation.legal_actions if isinstance(one, Play)]
        return max(plays, key=lambda play: self._worth(observation, play))

    def _worth(self, observation: Observation, play: Play) -> float:
        table = [one for one in observation.table if one not in play.captured]
        if not play.captured:
            return -0.25 * _exposed([*table, play.card])
        cards = sum(1 << one.index for one in play.captured)
        return _pile(Rules(), cards) + (not table) - 0.25 * _exposed(table)


def _exposed(table: list[Card]) -> int:
    ranks = [one.rank for one in table if one.rank <= 10]
    return sum(
        sum(chosen) <= 10
        for size in range(1, len(ranks) + 1)
        for chosen in combinations(ranks, size)
    )


def _pile(rules: Rules, pile: int) -> int:
    """A pile by uniform weights: cards, denari, settebello and primiera."""
    worth = pile.bit_count() + (pile & DENARI).bit_count()
    return worth + bool(pile & kernel.SETTEBELLO) + points.primiera(rules, pile)


class OpenHands:
    """The strongest published setting of that engine: 12 worlds, alpha-beta of 5 plies.

    Every world is played with open hands, to a leaf of uniform weights.
    """

    def __init__(self, worlds: int = 12, depth: int = 5) -> None:
        self.worlds = worlds
        self.depth = depth

    def choose(self, observation: Observation) -> Action:
        """The action with the best mean over the worlds."""
        actions = observation.legal_actions
        rules = observation.variant.rules
        rng = Random(observation.luck)
        sums = [0.0] * len(actions)
        for _ in range(self.worlds if len(actions) > 1 else 0):
            world = list(observation.deal.state)
            determinise(rules, world, [0] * kernel.BUFFER, rng.randint(1, START_MAX))
            for number, action in enumerate(actions):
                child = world.copy()
                kernel.apply(rules, child, code_of(action))
                sums[number] -= self._value(rules, child, self.depth - 1, -9e9, 9e9)
        return actions[max(range(len(actions)), key=sums.__getitem__)]

    def _value(
        self, rules: Rules, s: list[int], depth: int, alpha: float, beta: float
    ) -> float:
        """What the position is worth to the seat to act."""
        mine = s[TURN] % 2
        if s[LEFT] == 0:
            points.score(rules, s)
            return s[TOTAL + mine] - s[TOTAL + 1 - mine]
        if depth == 0:
            own, other = (
                _pile(rules, s[PILE + side]) + s[SWEEPS + side]
                for side in (mine, 1 - mine)
            )
            return own - other
        out = [0] * 600
        best = -9e9
        for number in range(legal(rules, s, out)):
            child = s.copy()
            kernel.apply(rules, child, out[number])
            value = -self._value(rules, child, depth - 1, -beta, -alpha)
            best = max(best, value)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best


ANCHORS: dict[str, Callable[[], Bot]] = {
    "anchor-one-ply": OnePly,
    "anchor-exposure": Exposure,
    "anchor-open-hands": OpenHands,
}
"""By the names that the benchmark of bots knows them by."""
