"""Every action of an observation, tried in the same imagined worlds or solved.

The figures are exact sums of whole numbers, so the same luck gives the same figures at
either speed and on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

from ai import search, solver
from ai.compiled import Speed
from ai.knowledge import barred, deduced, lies_open
from ai.policy import COUNTING, QUICK, UNIT
from ai.values import Values
from scopa_net.bots import Action, Observation
from scopa_net.rules import kernel
from scopa_net.rules.actions import code_of
from scopa_net.rules.kernel import LEFT, Rules

BATCH = 8
"""Worlds between two looks at the clock, and at actions that lose."""

ENOUGH = 16
"""Worlds before any action is dropped."""

HOPELESS = 2.5
"""Standard errors that an action has to be behind the best to be dropped."""

DROPPED = -1

HORIZON = 8
"""Cards that are played in a trial, at most."""

ENDING = 8
"""Cards left, of which a trial plays every one."""

SOLVED = 8
"""Cards left, of which an open ending is solved; plain, that takes milliseconds."""


@dataclass(frozen=True, slots=True)
class Tried:
    """An action and what it came to, in points of the deal for the side that acts.

    `mean` is over `worlds`; `behind` is how much less that is than the best came to,
    which was tried in the same worlds. Both have a standard error. `risk` is how many
    scope the others made of it on average. What was solved has no worlds and no error;
    what was dropped early has fewer worlds than the best.
    """

    action: Action
    mean: float
    error: float
    behind: float
    behind_error: float
    worlds: int
    risk: float


class Trials:
    """The actions of one observation. `values` say what captured cards are worth."""

    def __init__(
        self,
        observation: Observation,
        actions: Sequence[Action],
        values: Values,
        speed: Speed,
    ) -> None:
        self._observation = observation
        self._actions = actions
        self._speed = speed
        self._rules = observation.variant.rules
        self._state = deduced(self._rules, observation.deal.state)
        self._v = speed.ints(values.ints())
        self._out = speed.room(kernel.BUFFER)
        self._sums = [0] * search.sums_room(len(actions))
        self._worlds = [0] * len(actions)
        self._behind = [(0.0, 0.0)] * len(actions)

    def solve(self) -> bool:
        """Solve the ending; False if not all cards lie open, or it is too long."""
        rules, speed = self._rules, self._speed
        if self._state[LEFT] > SOLVED or not lies_open(rules, self._state):
            return False
        solve, apply = speed.of(solver.solve), speed.of(kernel.apply)
        moves, frames = speed.room(kernel.BUFFER), speed.room(solver.FRAMES)
        side = self._state[kernel.TURN] % rules.sides
        for i, action in enumerate(self._actions):
            w = speed.ints(self._state)
            apply(rules, w, code_of(action))
            self._sums[i] = solve(rules, w, self._v, side, self._out, moves, frames)
        best = max(self._sums[: len(self._actions)])
        self._behind = [(best - self._sums[i], 0.0) for i in range(len(self._actions))]
        return True

    def run(self, wanted: Callable[[int], int]) -> None:
        """Try the actions while `wanted`, told of the worlds so far, asks for some.

        An action that loses for certain is dropped on the way, and when one is left
        nothing more is tried.
        """
        rules, speed, n = self._rules, self._speed, len(self._actions)
        batch = speed.of(search.batch)
        until, policy = plan(rules, self._state)
        s, sums = speed.ints(self._state), speed.ints(self._sums)
        world, w = speed.room(kernel.SIZE), speed.room(kernel.SIZE)
        cannot = speed.ints(barred(self._observation.deal))
        codes = [code_of(action) for action in self._actions]
        x = 1 + int.from_bytes(self._observation.luck[:7], "big")
        done = 0
        while n - codes.count(DROPPED) > 1 and (count := min(BATCH, wanted(done))) > 0:
            x = batch(
                *(rules, s, cannot, self._v, world, w, self._out, speed.ints(codes)),
                *(n, x, count, until, policy, sums),
            )
            done += count
            self._sums = speed.listed(sums)
            self._look(codes, done)

    def results(self) -> tuple[Tried, ...]:
        """What each action came to, in their order."""
        return tuple(map(self._tried, range(len(self._actions))))

    def _look(self, codes: list[int], done: int) -> None:
        """Read the sums of what was tried up to now, and drop what loses."""
        live = [i for i, code in enumerate(codes) if code != DROPPED]
        best = max(live, key=lambda i: self._sums[i])
        for i in live:
            self._worlds[i] = done
            behind = (self._sums[best] - self._sums[i]) / done
            squares = self._product(i, i) + self._product(best, best)
            squares -= 2 * self._product(i, best)
            error = _error(squares / done - behind * behind, done)
            self._behind[i] = behind, error
            if done >= ENOUGH and behind > HOPELESS * error:
                codes[i] = DROPPED

    def _product(self, i: int, j: int) -> int:
        """The sum over all worlds of what two actions came to, multiplied."""
        n = len(self._actions)
        return self._sums[2 * n + max(i, j) * n + min(i, j)]

    def _tried(self, i: int) -> Tried:
        worlds = self._worlds[i]
        mean = self._sums[i] / max(1, worlds)
        behind, behind_error = self._behind[i]
        error = risk = 0.0
        if worlds:
            error = _error(self._product(i, i) / worlds - mean * mean, worlds)
            risk = self._sums[len(self._actions) + i] / worlds
        return Tried(
            self._actions[i],
            *(mean / UNIT, error / UNIT, behind / UNIT, behind_error / UNIT),
            worlds,
            risk,
        )


def plan(rules: Rules, state: Sequence[int]) -> tuple[int, int]:
    """How far a trial goes, as cards left to be played, and how its seats play.

    To the first card of the next hand where hands are short; a few plies where they are
    long; to the end if that is near. Two and three seats play by what they see, more of
    them count cards, which is slower: measured, see ai/README.md.
    """
    left, stock = state[LEFT], state[kernel.STOCK]
    policy = QUICK if rules.players <= 3 else COUNTING
    if left <= ENDING:
        return 0, policy
    until = max(0, left - HORIZON)
    if stock and not rules.draw:
        until = max(until, stock - 1)
    return until, policy


def _error(variance: float, count: int) -> float:
    """The standard error of a mean."""
    return sqrt(max(0.0, variance) / max(1, count - 1))
