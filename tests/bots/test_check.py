"""The conformity suite passes who keeps what a bot promises, and finds who does not."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from scopa_net.bots import Action, Deal, Observation, check
from scopa_net.bots.check import CHECKS, Finding, every_game, examine
from scopa_net.bots.errors import InvalidBotOption, UnknownBot
from scopa_net.bots.plugin import Limits
from scopa_net.bots.registry import Found, find_bot
from scopa_net.rules.variants import find_variant
from tests.bots.test_plugin import ROGUE

TWO = (find_variant("scopa", 2), find_variant("scopone-9"))
OF_A_PROCESS = ("odd lines", "new start", "quiet", "ends")
SOON = Limits(move_s=1.0)


def rogue(how: str, *words: str) -> Callable[[], Found]:
    command = shlex.join([sys.executable, "-I", "-S", ROGUE, how, *words])
    return partial(find_bot, f"cmd:{command}", SOON)


def found(find: Callable[[], Found]) -> dict[str, Finding]:
    findings = list(examine(find, TWO, 25))
    assert [one.check for one in findings] == list(CHECKS[: len(findings)])
    return {one.check: one for one in findings}


def failed(find: Callable[[], Found]) -> set[str]:
    return {name for name, one in found(find).items() if one.passed is False}


def test_a_good_process_passes_every_check() -> None:
    findings = found(rogue("well"))
    assert {one.passed for one in findings.values()} == {True}
    assert findings["legal"].detail == "50 positions of 2 games"


@pytest.mark.parametrize("name", ["random", "greedy", "rules"])
def test_our_own_bots_pass_what_is_asked_of_them(name: str) -> None:
    findings = found(partial(find_bot, name))
    for check_name, one in findings.items():
        assert one.passed is (None if check_name in OF_A_PROCESS else True)


@pytest.mark.parametrize(
    ("how", "checks"),
    [
        ("exits", {"starts"}),
        ("illegal", {"legal"}),
        ("moody", {"same again", "hidden cards", "odd lines", "new start"}),
        ("leaky", {"memory"}),
        ("fussy", {"odd lines"}),
        ("forgetful", {"new start"}),
        ("noisy", {"quiet"}),
        ("stays", {"ends"}),
    ],
)
def test_each_check_finds_who_breaks_it(
    how: str, checks: set[str], tmp_path: Path
) -> None:
    where = tmp_path / "starts"
    assert failed(rogue(how, str(where))) == checks


class Peeking:
    """Chooses by cards that it cannot see, if somebody lets it."""

    def __init__(self) -> None:
        self.open: Deal | None = None

    def choose(self, observation: Observation) -> Action:
        assert self.open is not None
        legal = observation.legal_actions
        return legal[sum(self.open.order[-9:]) % len(legal)]


def test_who_knows_hidden_cards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = Peeking()

    def leaking(deal: Deal, luck: bytes) -> Observation:
        bot.open = deal
        return seen(deal, luck)

    seen = check.seen_by_mover
    monkeypatch.setattr(check, "seen_by_mover", leaking)
    assert failed(lambda: Found("peeking", bot)) == {"hidden cards"}


def test_every_game_is_tried_for_every_number_of_players() -> None:
    games = {(game.id, game.players) for game in every_game()}
    assert {("scopa", 6), ("scopone-9", 4), ("cirulla", 2)} <= games
    assert len(games) == len(every_game()) > 40


def test_what_is_not_there_cannot_be_tried() -> None:
    with pytest.raises(UnknownBot):
        list(examine(partial(find_bot, "nobody"), TWO, 1))
    with pytest.raises(InvalidBotOption):
        list(examine(partial(find_bot, "rules:x=1"), TWO, 1))
