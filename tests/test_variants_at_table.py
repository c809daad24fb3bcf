"""Every preset as peers play it: shuffled, opened card by card, replayed, confirmed."""

from random import Random

import pytest

from scopa_net.events import Claimed, DealScored, Declared, Event, MatchWon
from scopa_net.rules import PRESETS, Action, Observation, Play, Variant, find_variant
from tests.support.matches import new_table, play


def said_first(seen: Observation, luck: Random) -> Action:
    """A policy: whatever keeps the turn, else whatever is allowed."""
    said = [one for one in seen.legal_actions if not isinstance(one, Play)]
    return luck.choice(said or seen.legal_actions)


def match_of(variant: Variant, seed: int) -> list[Event]:
    """What the first seat was told of a match that all confirmed."""
    local, _ = new_table(variant, seed=seed)
    told = play(local, luck=Random(seed), policy=said_first)
    assert local.finished
    return [notice.event for notice in told if notice.seat == 0]


@pytest.mark.parametrize(
    ("name", "players"),
    [(name, n) for name, preset in PRESETS.items() for n in preset.players],
)
def test_every_preset_is_played_to_a_match_that_all_confirm(
    name: str, players: int
) -> None:
    variant = find_variant(name, players, {"target": "1"})
    events = match_of(variant, seed=len(name) + players)
    *_, scored, won = events
    assert isinstance(scored, DealScored)
    assert isinstance(won, MatchWon)
    assert won.scores == scored.scores


def test_hands_are_declared_and_captures_claimed_at_the_table() -> None:
    heard = match_of(find_variant("cirulla"), seed=3)
    assert any(isinstance(event, Declared) for event in heard)
    claims = {"compulsion": "none+claim"}
    heard = match_of(find_variant("escoba", overrides=claims), seed=3)
    assert any(isinstance(event, Claimed) for event in heard)


@pytest.mark.parametrize("name", ["scopa", "cirulla", "escoba", "a-perdere"])
def test_a_match_may_end_in_the_middle_of_a_deal(name: str) -> None:
    ended_early = 0
    for seed in range(6):
        rules = {"end_check": "at-once", "target": "5"}
        events = match_of(find_variant(name, overrides=rules), seed)
        assert isinstance(events[-1], MatchWon)
        scored = [event for event in events if isinstance(event, DealScored)][-1]
        ended_early += sum(side.cards for side in scored.sides) < 40
    assert ended_early


def test_a_match_is_claimed_at_the_table() -> None:
    claims = {"tie_at_target": "claim"}
    heard = match_of(find_variant("scopa", overrides=claims), seed=3)
    assert any(isinstance(event, Claimed) for event in heard)
    assert isinstance(heard[-1], MatchWon)
