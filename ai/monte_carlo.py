"""The bot that imagines: it tries every action in worlds that may be the real one.

The unseen cards are dealt at random, consistent with all that the seat knows; in each
such world every action is tried and played on for a short while by seats that see their
own hands only. What an action came to on average decides. An ending in which every card
is known is solved instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic

from ai.compiled import Speed, fastest
from ai.guards import look_at
from ai.reasons import reasons_for
from ai.trials import BATCH, Trials, Tried
from ai.values import still_open, values_of
from scopa_net.bots import MATCH_CLAIM, Action, Observation, Weighed, may_claim
from scopa_net.rules.notation import format_action

NEAR = 0.03
NEAR_ERRORS = 0.5
"""Points, or standard errors, that count as no difference; the larger of the two."""


@dataclass(frozen=True, slots=True)
class MonteCarloBot:
    """Imagines the hidden cards many times and tries every action in each world.

    `worlds` is how many times; with `ms` it is as often as so many milliseconds allow,
    and then a choice does not follow from the luck alone.
    """

    worlds: int = 100
    ms: int = 0

    def choose(self, observation: Observation) -> Action:
        """What came to most; of near equals what risks fewer scope."""
        deal, seat = observation.deal, observation.seat
        if (
            seat is not None
            and MATCH_CLAIM in observation.legal_actions
            and may_claim(observation.match, deal, deal.side(seat))
        ):
            return MATCH_CLAIM
        return self.consider(observation)[0].action

    def explain(self, observation: Observation, action: Action) -> Iterator[str]:
        """Why it chooses that action, and what it came to beside the next best."""
        yield from reasons_for(look_at(observation, action))
        if action == MATCH_CLAIM:
            return
        found = self.consider(observation)
        mine = next(one for one in found if one.action == action)
        if len(found) == 1:
            return
        if mine.worlds == 0:
            yield f"Every card is known; it ends {mine.mean:+.0f} points ahead."
        else:
            yield (
                f"In {mine.worlds} imagined worlds it came to {mine.mean:+.2f} points "
                f"(+- {mine.error:.2f})."
            )
        other = found[1] if found[0] is mine else found[0]
        gap = other.mean - mine.mean
        yield f"{format_action(other.action)} came to {gap:+.2f} against it."

    def weigh(self, observation: Observation) -> tuple[Weighed, ...]:
        """Every legal action but a claim of the match, what it would choose first."""
        return tuple(
            Weighed(one.action, one.mean, one.behind, one.error, one.behind_error)
            for one in self.consider(observation)
        )

    def get_ready(self, told: Callable[[str], None]) -> None:
        """Begin to compile, if that can be done here and is still to be done."""
        fastest(told)

    def consider(
        self, observation: Observation, speed: Speed | None = None
    ) -> tuple[Tried, ...]:
        """Every action but a claim of the match, what is chosen first.

        At the fastest speed that is ready, if none is given; it changes no figure.
        """
        rules, state = observation.variant.rules, observation.deal.state
        values = still_open(values_of(observation.variant), rules, state)
        actions = [one for one in observation.legal_actions if one != MATCH_CLAIM]
        trials = Trials(observation, actions, values, speed or fastest())
        if not trials.solve():
            began = monotonic()

            def wanted(done: int) -> int:
                if self.ms:
                    return BATCH * (1000 * (monotonic() - began) < self.ms)
                return self.worlds - done

            trials.run(wanted)
        return tuple(sorted(trials.results(), key=_order))


def _order(tried: Tried) -> tuple[int, float, float]:
    """What was dropped comes last; the near equals of the best first, by their risk."""
    near = tried.behind <= max(NEAR, NEAR_ERRORS * tried.behind_error)
    risk = tried.risk if near else 0.0
    return int(not near), risk, tried.behind
