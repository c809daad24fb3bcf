"""Every preset as peers play it: shuffled, opened card by card, replayed, confirmed."""

from dataclasses import replace
from random import Random

import pytest

from protocol.step import Step, Task
from scopa_net.events import (
    Claimed,
    DealScored,
    Dealt,
    Declared,
    Event,
    MatchWon,
    TableTaken,
    TurnCame,
)
from scopa_net.local import Local
from scopa_net.notices import Notice, RoomChanged, Told
from scopa_net.rules import PRESETS, Action, Observation, Play, Variant, find_variant
from scopa_net.seat import Seat
from tests.support.matches import new_table, play
from tests.support.small_group import SMALL


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
    for seed in range(3):
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


def test_a_rematch_draws_places_and_dealer_and_shuffles_anew() -> None:
    """C7, D6: the same players, with nothing new but the coins and the table."""
    variant = find_variant("scopa", 3)
    _, secrets = new_table(variant)
    luck = Random(6)
    openings, places, dealers = set(), set(), set()
    for _ in range(8):
        again = [replace(own, coin=luck.randbytes(32)) for own in secrets]
        nonce, host = luck.randbytes(32), again[0].identity.key
        seats = [
            Seat(SMALL, own, variant, nonce, name=f"p{at}", host=host, number=at)
            for at, own in enumerate(again)
        ]
        play(Local(seats), luck=luck, acts_max=0)
        table = seats[0].table
        assert table is not None
        openings.add(table.deal.table)
        places.add(table.referee.places)
        dealers.add(table.referee.places.index(table.deal.dealer))
    assert len(openings) == 8
    assert len(places) > 2
    assert len(dealers) > 1


def test_an_opening_table_that_pays_is_told_before_the_hands() -> None:
    """S0.20: about one opening table of thirty makes fifteen, another thirty."""
    for seed in range(60):
        variant = find_variant("escoba", 3)
        local, _ = new_table(variant, seed=seed)
        told = play(local, luck=Random(seed), acts_max=0)
        for seat in range(3):
            events = [notice.event for notice in told if notice.seat == seat]
            taken = [event for event in events if isinstance(event, TableTaken)]
            table = local.seats[seat].table
            assert table is not None
            deal = table.deal
            scope = [deal.scope(side) for side in range(3)]
            assert sum(scope) == sum(event.scope for event in taken)
            if taken:
                assert events.index(taken[0]) < events.index(first_dealt(events))
                assert deal.pile(deal.dealer) == taken[0].cards
        if sum(scope):
            return
    raise AssertionError("no opening table paid")


def first_dealt(events: list[Event]) -> Dealt:
    return next(event for event in events if isinstance(event, Dealt))


def in_any_order(local: Local, luck: Random) -> None:
    """Play with tasks and turns done in an order drawn by chance."""
    due: list[Task | int] = []

    def take(step: Step[Notice]) -> None:
        for notice in step.events:
            if isinstance(notice, RoomChanged):
                continue
            assert isinstance(notice, Told)
            table, came = local.seats[notice.seat].table, notice.event
            if table is not None and isinstance(came, TurnCame):
                due.extend([notice.seat] if came.seat == table.place else [])
        due.extend(step.tasks)

    take(local.open())
    for _ in range(20_000):
        if not due:
            return
        one = due.pop(luck.randrange(len(due)))
        if isinstance(one, Task):
            take(local.done(one, one.run()))
            continue
        table = local.seats[one].table
        if table is not None and table.to_act:
            take(local.act(one, said_first(table.observation(), luck)))
    raise AssertionError("the match did not end")


@pytest.mark.parametrize(
    ("name", "players"),
    [("scopa", 3), ("scopa", 6), ("wikibooks-scopa", 3), ("cirulla", 3), ("escoba", 4)],
)
def test_a_match_that_ends_early_is_confirmed_in_whatever_order_tasks_are_done(
    name: str, players: int
) -> None:
    """Shares may still be under way when the deal has been decided."""
    rules = {"end_check": "at-once", "target": "2"}
    for seed in range(3):
        local, _ = new_table(find_variant(name, players, rules), seed=seed)
        in_any_order(local, Random(seed))
        assert local.finished
