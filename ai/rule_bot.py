"""The bot that counts cards: gain now, less what the others can be expected to take.

One ply deep. For every action it asks the kernel what each unseen card could capture
afterwards, and how likely the next seats are to hold those cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, inf

from ai.guards import GUARDS, look_at
from ai.reasons import reasons_for
from ai.values import Values, still_open, values_of
from scopa_net.bots import (
    MATCH_CLAIM,
    Action,
    Observation,
    Play,
    Weighed,
    may_claim,
)
from scopa_net.rules import kernel
from scopa_net.rules.actions import code_of, set_of
from scopa_net.rules.kernel import Rules
from scopa_net.rules.notation import format_action

NEAR = 0.05
"""Points that are next to nothing: what players watch then decides."""

FARTHER = 0.6
"""How much less each seat after the next one counts."""

PARTNER = 0.5
"""How much of what a partner can take counts for us."""


@dataclass(frozen=True, slots=True)
class Counted:
    """An action and why: all in points of the deal, for the side that acts.

    `score` is `gain` less `kept` (what laying a good card costs) and `reply` (what
    the others can be expected to take, less what a partner can).
    """

    action: Action
    gain: float
    kept: float
    reply: float

    @property
    def score(self) -> float:
        """What decides; rounded, so that equal actions are equal."""
        return round(self.gain - self.kept - self.reply, 9)


@dataclass(frozen=True, slots=True)
class RuleBot:
    """Counts cards: what it gains now, less what the others may take next."""

    reply: float = 0.9
    keep: float = 0.35

    def choose(self, observation: Observation) -> Action:
        """The action that weighs most."""
        return self.consider(observation)[0].action

    def explain(self, observation: Observation, action: Action) -> Iterator[str]:
        """Why it chooses that action: what it brings, what it leaves, the figures."""
        found = self.consider(observation)
        mine = next(one for one in found if one.action == action)
        yield from reasons_for(look_at(observation, action))
        if isinstance(action, Play) and len(found) > 1:
            yield (
                f"It brings {mine.gain - mine.kept:+.2f} points, and the others can be "
                f"expected to take {mine.reply:.2f} before the next turn."
            )
            other = found[1] if found[0] is mine else found[0]
            if isinstance(other.action, Play):
                yield (
                    f"{format_action(other.action)} weighs {other.score:+.2f}, "
                    f"this {mine.score:+.2f}."
                )

    def weigh(self, observation: Observation) -> tuple[Weighed, ...]:
        """Every legal action but a claim of the match, what it would choose first."""
        found = [
            counted
            for counted in self.consider(observation)
            if counted.action != MATCH_CLAIM
        ]
        most = max(counted.score for counted in found)
        return tuple(
            Weighed(counted.action, counted.score, most - counted.score)
            for counted in found
        )

    def consider(self, observation: Observation) -> tuple[Counted, ...]:
        """Every legal action, the best first.

        What keeps the turn comes before any play. Plays that weigh nearly as much as
        the best are told apart by the guards, then by what they weigh, then the one
        that takes more cards, then a card of a rank held more often, then the first.
        """
        rules, state = observation.variant.rules, list(observation.deal.state)
        values = still_open(values_of(observation.variant), rules, state)
        ranks = [card.rank for card in observation.hand]
        unseen = set_of(observation.unseen)

        def merit(counted: Counted) -> tuple[bool, float, int, int]:
            match counted.action:
                case Play(card, captured):
                    alike = ranks.count(card.rank)
                    return False, counted.score, len(captured), alike
                case _:
                    return True, counted.score, 0, 0

        found = [
            self._counted(rules, values, state, unseen, action)
            for action in observation.legal_actions
            if action != MATCH_CLAIM
        ]
        deal, seat = observation.deal, observation.seat
        if MATCH_CLAIM in observation.legal_actions and seat is not None:
            won = may_claim(observation.match, deal, deal.side(seat))
            found += [Counted(MATCH_CLAIM, inf, 0.0, 0.0)] if won else []
        found.sort(key=merit, reverse=True)
        if observation.variant.goal == "reach":
            found = _guarded(observation, found)
        return tuple(found)

    def _counted(
        self,
        rules: Rules,
        values: Values,
        before: list[int],
        unseen: int,
        action: Action,
    ) -> Counted:
        after = before.copy()
        kernel.apply(rules, after, code_of(action))
        seat = before[kernel.TURN]
        laid = after[kernel.TABLE] & ~before[kernel.TABLE]
        return Counted(
            action,
            gain=change(rules, values, before, after, seat % rules.sides),
            kept=self.keep * values.of(laid),
            reply=self.reply * answers(rules, values, after, unseen, seat),
        )


def _guarded(observation: Observation, found: list[Counted]) -> list[Counted]:
    """The same with the plays that are nearly the best in the order of the guards."""
    best = found[0]
    if not isinstance(best.action, Play):
        return found
    near = [one for one in found if one.score >= best.score - NEAR]
    if len(near) == 1:
        return found

    def guards(counted: Counted) -> tuple[int, ...]:
        look = look_at(observation, counted.action)
        return tuple(guard(look) for guard in GUARDS)

    near.sort(key=guards, reverse=True)
    return near + found[len(near) :]


def change(
    rules: Rules, values: Values, before: Sequence[int], after: Sequence[int], side: int
) -> float:
    """What happened between two states is worth to a side, less the others' mean."""
    total = 0.0
    for one in range(rules.sides):
        fresh = after[kernel.PILE + one] & ~before[kernel.PILE + one]
        points = values.of(fresh) + float(
            after[kernel.EXTRA + one] - before[kernel.EXTRA + one]
        )
        scope = after[kernel.SWEEPS + one] - before[kernel.SWEEPS + one]
        points += values.scopa * scope
        total += points if one == side else -points / (rules.sides - 1)
    return total


def answers(
    rules: Rules, values: Values, state: list[int], unseen: int, seat: int
) -> float:
    """What the others can be expected to take before the seat acts again.

    Nearer seats count more, and what a partner takes counts against it.
    """
    total = 0.0
    if state[kernel.LEFT] == 0:
        return total
    weight = 1.0
    for distance in range(1, rules.players):
        other = (seat + distance) % rules.players
        best = best_answer(rules, values, state, unseen, other)
        ours = other % rules.sides == seat % rules.sides
        total += -best * weight * PARTNER if ours else best * weight
        weight *= FARTHER
    return total


def best_answer(
    rules: Rules, values: Values, state: list[int], unseen: int, seat: int
) -> float:
    """The best that a seat can do with the cards it may hold, on average.

    The unseen cards are equally likely to be in its hand; with them sorted, the best
    one held is the i-th with the chance that it is held and no better one is.
    """
    known = state[kernel.HAND + seat]
    hidden = kernel.held(rules, state, seat) - known.bit_count()
    if hidden <= 0 and not known:
        return 0.0
    mine = worths(rules, values, state, known, seat)
    drawn = worths(rules, values, state, unseen, seat) if hidden > 0 else []
    floor = max(mine) if mine else min(drawn)
    better = sorted((worth for worth in drawn if worth > floor), reverse=True)
    total = floor * comb(len(drawn) - len(better), hidden)
    for place, worth in enumerate(better):
        total += worth * comb(len(drawn) - place - 1, hidden - 1)
    return total / comb(len(drawn), hidden)


def worths(
    rules: Rules, values: Values, state: list[int], cards: int, seat: int
) -> list[float]:
    """What each of the cards is worth to the seat if played now."""
    out = [0] * kernel.BUFFER
    side = seat % rules.sides
    table = state[kernel.TABLE]
    last = state[kernel.LEFT] == 1
    found = []
    while cards:
        bit = cards & -cards
        cards ^= bit
        best = None
        for i in range(kernel.plays_of(rules, table, bit.bit_length() - 1, 0, out, 0)):
            taken = out[i] & kernel.ALL
            if last or (taken and not table & ~taken):
                after = state.copy()
                after[kernel.TURN] = seat
                kernel.apply(rules, after, out[i])
                worth = change(rules, values, state, after, side)
            else:
                worth = values.of(taken | bit) if taken else 0.0
            best = worth if best is None else max(best, worth)
        found.append(best or 0.0)
    return found
