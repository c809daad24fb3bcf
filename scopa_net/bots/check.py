"""The conformity suite: what any bot promises, tried on the bot itself.

It plays no match; it asks for choices in seeded positions, the same in every run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from scopa_net.bots.bot import Answer
from scopa_net.bots.errors import BotError, InvalidBotOption, UnknownBot
from scopa_net.bots.plugin import Plugin
from scopa_net.bots.process import resident_bytes
from scopa_net.bots.registry import Found
from scopa_net.rules.cards import MAZZO
from scopa_net.rules.deal import UNKNOWN, Deal, apply, legal_actions, new_deal, observe
from scopa_net.rules.match import new_match
from scopa_net.rules.notation import format_action
from scopa_net.rules.observation import LUCK_BYTES, Observation
from scopa_net.rules.presets import PRESETS
from scopa_net.rules.variants import Variant, find_variant

__all__ = ["CHECKS", "Finding", "every_game", "examine"]

AGAIN: Final = 40
"""So many positions are asked about again."""

GROWTH_MOVES: Final = 200
GROWTH_BYTES_MAX: Final = 16 << 20

CHECKS: Final = (
    "starts",
    "legal",
    "in time",
    "same again",
    "hidden cards",
    "memory",
    "odd lines",
    "new start",
    "quiet",
    "ends",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a check was passed; None if it does not apply. `detail` says how."""

    check: str
    passed: bool | None
    detail: str


@dataclass(frozen=True, slots=True)
class _Asked:
    """A position with all cards open, its luck, and what was chosen in it."""

    deal: Deal
    luck: bytes
    action: str

    @property
    def seen(self) -> Observation:
        """What the seat to act sees of it."""
        return seen_by_mover(self.deal, self.luck)


def every_game() -> tuple[Variant, ...]:
    """All variants, each for every number of players it is for."""
    return tuple(
        find_variant(id_, players)
        for id_, preset in PRESETS.items()
        for players in preset.players
    )


def examine(
    find: Callable[[], Found], games: Sequence[Variant], positions: int
) -> Iterator[Finding]:
    """Start a bot and try it in so many positions of each game; then end it.

    UnknownBot or InvalidBotOption if there is no such bot to start.
    """
    began = time.monotonic()
    try:
        found = find()
    except (UnknownBot, InvalidBotOption):
        raise
    except BotError as reason:
        yield Finding("starts", passed=False, detail=str(reason))
        return
    took = time.monotonic() - began
    yield Finding("starts", passed=True, detail=f"{found.name}, in {took:.1f} s")
    try:
        yield from _Suite(found).examine(games, positions)
    finally:
        found.close()


class _Suite:
    """All checks of one bot that runs, in their order."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._plugin = found.bot if isinstance(found.bot, Plugin) else None
        self._asked: list[_Asked] = []
        self._slowest_s = 0.0

    def examine(self, games: Sequence[Variant], positions: int) -> Iterator[Finding]:
        legal = self._legal(games, positions)
        yield legal
        if not legal.passed:
            yield from (
                Finding(check, passed=None, detail="not tried") for check in CHECKS[2:]
            )
            return
        yield self._in_time()
        yield self._same("same again", lambda one: one.seen, "positions asked twice")
        yield self._hidden()
        yield self._memory()
        if self._plugin is None:
            yield from (
                Finding(check, passed=None, detail="it plays in this program")
                for check in CHECKS[6:]
            )
            return
        yield self._odd_lines(self._plugin)
        yield self._new_start(self._plugin)
        yield _quiet(self._plugin)
        yield _ends(self._plugin)

    def _legal(self, games: Sequence[Variant], positions: int) -> Finding:
        for game in games:
            for number, deal in enumerate(_positions(game, positions)):
                luck = Random(f"luck {number}").randbytes(LUCK_BYTES)
                answer = self._answer(seen_by_mover(deal, luck))
                if answer.trouble is not None:
                    where = f"{game.id} for {game.players}"
                    detail = f"in {where} it {answer.trouble.what}"
                    return Finding("legal", passed=False, detail=detail)
                self._asked.append(_Asked(deal, luck, format_action(answer.action)))
        many = f"{len(self._asked)} positions of {len(games)} games"
        return Finding("legal", passed=True, detail=many)

    def _answer(self, seen: Observation) -> Answer:
        began = time.monotonic()
        answer = self._found.answer(seen)
        self._slowest_s = max(self._slowest_s, time.monotonic() - began)
        if answer.trouble is None and answer.action not in seen.legal_actions:
            raise AssertionError(f"{self._found.name} chose {answer.action}")
        return answer

    def _in_time(self) -> Finding:
        """How close it came to its limit; too late would not have been legal."""
        slowest = f"slowest {1000 * self._slowest_s:.1f} ms"
        if self._plugin is None:
            return Finding("in time", passed=True, detail=slowest)
        most = self._plugin.limits.move_s
        memory = self._plugin.limits.memory_bytes >> 20
        limited = f"{memory} MiB of memory" if memory else "no limit of memory here"
        detail = f"{slowest} of {1000 * most:.0f} ms; {limited}"
        return Finding("in time", passed=self._slowest_s < most, detail=detail)

    def _same(
        self, check: str, again: Callable[[_Asked], Observation], what: str
    ) -> Finding:
        """Whether it chooses the same when the observation ought to be the same."""
        sample = self._sample()
        for one in sample:
            answer = self._answer(again(one))
            chosen = format_action(answer.action)
            if answer.trouble is not None:
                return Finding(check, passed=False, detail=f"it {answer.trouble.what}")
            if chosen != one.action:
                game = one.deal.variant
                detail = (
                    f"in {game.id} for {game.players} first {one.action}, then {chosen}"
                )
                return Finding(check, passed=False, detail=detail)
        return Finding(check, passed=True, detail=f"{len(sample)} {what}")

    def _hidden(self) -> Finding:
        rng = Random("hidden")
        return self._same(
            "hidden cards",
            lambda one: seen_by_mover(_reshuffled(one.deal, rng), one.luck),
            "positions, with the cards moved that it cannot see",
        )

    def _memory(self) -> Finding:
        before = self._memory_bytes()
        if before is None:
            return Finding("memory", passed=None, detail="it is not told here")
        for number in range(GROWTH_MOVES):
            self._answer(self._asked[number % len(self._asked)].seen)
        after = self._memory_bytes()
        grown = 0 if after is None else max(0, after - before)
        detail = f"{grown / (1 << 20):.1f} MiB more after {GROWTH_MOVES} moves"
        return Finding("memory", passed=grown <= GROWTH_BYTES_MAX, detail=detail)

    def _memory_bytes(self) -> int | None:
        if self._plugin is None:
            return resident_bytes("self")
        process = self._plugin.process
        return None if process is None else process.memory_bytes

    def _odd_lines(self, plugin: Plugin) -> Finding:
        plugin.stop()
        plugin.tell({"type": "surprise", "id": 0, "new": {"unknown": [1]}})
        plugin.also = {"surprise": {"unknown": [1]}}
        return self._same(
            "odd lines", lambda one: one.seen, "moves after a stop and unknown fields"
        )

    def _new_start(self, plugin: Plugin) -> Finding:
        plugin.restart()
        return self._same(
            "new start", lambda one: one.seen, "moves of a new process in mid-deal"
        )

    def _sample(self) -> Sequence[_Asked]:
        step = max(1, len(self._asked) // AGAIN)
        return self._asked[::step][:AGAIN]


def _quiet(plugin: Plugin) -> Finding:
    noise = plugin.noise
    detail = f"{noise} lines that are no JSON" if noise else "only JSON"
    return Finding("quiet", passed=noise == 0, detail=f"{detail} on stdout")


def _ends(plugin: Plugin) -> Finding:
    ended = plugin.close()
    how = "by itself" if ended else "only by force: its input had ended"
    return Finding("ends", passed=ended, detail=how)


def _positions(game: Variant, count: int) -> Iterator[Deal]:
    """So many positions of random deals, with all cards open."""
    rng = Random(f"{game.id} {game.players}")
    left = count
    while left:
        deal = _dealt(game, rng)
        passed: list[Deal] = []
        while deal.turn is not None:
            passed.append(deal)
            deal = apply(deal, rng.choice(legal_actions(deal)))
        chosen = rng.sample(passed, min(left, len(passed)))
        left -= len(chosen)
        yield from chosen


def _dealt(game: Variant, rng: Random) -> Deal:
    order = list(range(len(MAZZO)))
    while True:
        rng.shuffle(order)
        deal = new_deal(game, rng.randrange(game.players), order)
        if not deal.redeal_due:
            return deal


def seen_by_mover(deal: Deal, luck: bytes) -> Observation:
    return Observation(deal.turn, deal, new_match(deal.variant, deal.dealer), luck)


def _reshuffled(deal: Deal, rng: Random) -> Deal:
    """The deal with the cards permuted that the seat to act has not seen."""
    known = observe(deal, deal.turn).order
    played = {action.card.index for action in deal.actions if hasattr(action, "card")}
    hidden = [
        at
        for at, card in enumerate(known)
        if card == UNKNOWN and deal.order[at] not in played
    ]
    moved = [deal.order[at] for at in hidden]
    rng.shuffle(moved)
    order = list(deal.order)
    for at, card in zip(hidden, moved, strict=True):
        order[at] = card
    return Deal(deal.variant, deal.first, tuple(order), deal.actions)
