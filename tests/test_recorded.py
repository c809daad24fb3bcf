"""A match told again: the same events, and with each play what its seat knew then."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from protocol.archive import write_archive
from protocol.audit import Audit, audit
from scopa_net.events import (
    DealScored,
    DealStarted,
    Event,
    MatchWon,
    Played,
    Resigned,
    Voided,
)
from scopa_net.recorded import choice_before, told_again
from scopa_net.referee import open_match
from scopa_net.review import Choice
from scopa_net.rules import Action, Observation, find_variant
from scopa_net.rules.deal import UNKNOWN
from tests.support import matches
from tests.support.matches import any_action
from tests.support.small_group import SMALL


def judged(record: bytes) -> Audit:
    found = audit(record, SMALL, open_match)
    assert found.sound
    return found


def choices(found: Audit) -> list[Choice]:
    return [choice for _, choice in told_again(found) if choice is not None]


def of_types(events: Sequence[Event], *types: type[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, types)]


@pytest.mark.parametrize(("variant", "players"), [("scopa", 2), ("cirulla", 4)])
def test_each_choice_is_seen_as_the_seat_saw_it_when_it_chose(
    variant: str, players: int
) -> None:
    seen: list[tuple[Observation, Action]] = []

    def noting(observation: Observation, luck: Random) -> Action:
        action = any_action(observation, luck)
        seen.append((observation, action))
        return action

    local, _ = matches.new_table(find_variant(variant, players, {"target": "1"}))
    matches.play(local, luck=Random(3), policy=noting)
    found = choices(judged(write_archive(local.seats[0].chains())))
    assert [(one.observation, one.action) for one in found] == seen
    assert all(one.known for one in found)


def test_what_the_others_hold_and_what_comes_changes_nothing() -> None:
    found = judged(matches.played().record)
    before, luck = choices(found), Random(5)
    deck = found.judge.decks[0]
    assert deck.replayed is not None
    order = deck.replayed.order
    for act, choice in enumerate(before[: len(deck.acts)]):
        known = choice.observation.deal.order
        hidden = [at for at, card in enumerate(known) if card == UNKNOWN]
        moved = list(order)
        for at, to in zip(hidden, luck.sample(hidden, len(hidden)), strict=True):
            moved[at] = order[to]
        deck.replayed = replace(deck.replayed, order=tuple(moved))
        assert choice_before(found, deck, act) == choice
        deck.replayed = replace(deck.replayed, order=order)


def test_all_that_was_told_of_a_match_is_told_again() -> None:
    match = matches.played(target=3)
    told = [event for event, _ in told_again(judged(match.record))]
    kinds = (DealStarted, Played, DealScored, MatchWon)
    assert of_types(told, *kinds) == of_types(match.events, *kinds)


def test_a_deal_that_does_not_count_and_who_gave_up_are_told() -> None:
    told = [event for event, _ in told_again(judged(matches.left().record))]
    assert [type(event) for event in of_types(told, Voided, Resigned, MatchWon)] == [
        Voided,
        Resigned,
        MatchWon,
    ]


def test_a_hand_that_was_never_revealed_is_not_known() -> None:
    found = choices(judged(matches.played(acts_max=3).record))
    assert [one.known for one in found] == [False, False, False]
