"""What a seat may use."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scopa_net.rules.actions import Declare, Kind, Play
from scopa_net.rules.cards import MAZZO, cards
from scopa_net.rules.deal import (
    UNKNOWN,
    Deal,
    apply,
    learn,
    new_deal,
    observe,
    owner,
)
from scopa_net.rules.errors import RulesError
from scopa_net.rules.match import new_match
from scopa_net.rules.observation import Observation
from scopa_net.rules.variants import find_variant
from tests.support.deals import SCOPA, deals, opened, viewers

LUCK = bytes(range(32))


def seen_by(seat: int | None, deal: Deal) -> Observation:
    return Observation(seat, deal, new_match(deal.variant, deal.dealer))


@given(deals())
def test_an_observation_is_made_from_what_the_seat_may_see(deal: Deal) -> None:
    """H1: an open deal given by mistake is hidden all the same."""
    for seat in viewers(deal):
        assert seen_by(seat, deal).deal == observe(deal, seat)
        assert seen_by(seat, deal) == seen_by(seat, observe(deal, seat))


@given(deals(), st.data())
def test_cards_a_seat_cannot_see_may_change_places_unnoticed(
    deal: Deal, data: st.DataObject
) -> None:
    """I3: what a bot is given does not depend on hidden cards that are still hidden."""
    seat = data.draw(st.sampled_from(range(deal.players)))
    observation = seen_by(seat, deal)
    hidden = [
        at
        for at, index in enumerate(deal.order)
        if observation.deal.order[at] == UNKNOWN and MAZZO[index] in observation.unseen
    ]
    order = list(deal.order)
    for at, other in zip(hidden, data.draw(st.permutations(hidden)), strict=True):
        order[at] = deal.order[other]
    swapped = Deal(deal.variant, deal.first, tuple(order))
    assert (
        observe(swapped, seat).order[: deal.variant.table_size]
        == (observation.deal.order[: deal.variant.table_size])
    )
    if not any(isinstance(action, Declare) for action in deal.actions):
        world = learn(observation.deal, {at: MAZZO[order[at]] for at in range(40)})
        assert seen_by(seat, world) == observation
        assert seen_by(seat, world).legal_actions == observation.legal_actions


@given(deals())
def test_unseen_cards_are_in_hidden_hands_and_the_tallone(deal: Deal) -> None:
    for seat in viewers(deal):
        observation = seen_by(seat, deal)
        hidden = sum(observation.held) - sum(map(len, observation.known_hands))
        assert len(observation.unseen) >= hidden
        where = Counter(observation.unseen)
        for known in (observation.table, *observation.piles, *observation.known_hands):
            where.update(known)
        if deal.opening_known:
            assert where == Counter(MAZZO)
            assert len(observation.unseen) == hidden + deal.tallone


@given(deals())
def test_only_the_seat_to_act_has_legal_actions(deal: Deal) -> None:
    for seat in viewers(deal):
        observation = seen_by(seat, deal)
        assert observation.to_act == (seat is not None and seat == deal.turn)
        assert bool(observation.legal_actions) == observation.to_act
        for action in observation.legal_actions:
            if isinstance(action, Play):
                assert action.card in observation.hand


@given(deals())
@settings(max_examples=30)
def test_the_history_says_who_did_what(deal: Deal) -> None:
    observation = seen_by(None, deal)
    assert observation.history == deal.actions
    assert len(observation.movers) == len(observation.history)
    for mover, action in zip(observation.movers, observation.history, strict=True):
        if isinstance(action, Play):
            at = deal.order.index(action.card.index)
            assert owner(deal.variant, deal.first, at) == mover


def test_an_observation_answers_what_a_player_would_ask() -> None:
    deal = opened("2D 3C KS KB", "5D 7C AB", "6D 7D 7S", play="5Dx2D3C 6D")
    observation = seen_by(0, deal)
    assert observation.hand == cards("AB 7C")
    assert observation.table == cards("6D KS KB")
    assert observation.held == (2, 2)
    assert observation.known_hands == (cards("AB 7C"), ())
    assert observation.piles == (cards("2D 3C 5D"), ())
    assert observation.scope == (0, 0)
    assert observation.scores == (0, 0)
    assert observation.variant == SCOPA
    assert observation.movers == (0, 1)
    assert len(observation.unseen) == 40 - 3 - 3 - 2
    assert observation.legal_actions == (
        Play(cards("AB")[0]),
        Play(cards("7C")[0]),
    )


def test_a_declared_hand_is_known_to_all() -> None:
    deal = opened(
        "KD KC QS JB", "AD 2D 3D", variant=find_variant("cirulla"), play="low:AD2D3D"
    )
    assert seen_by(1, deal).known_hands[0] == cards("AD 2D 3D")
    assert seen_by(1, deal).declared == (3, 0)


@pytest.mark.parametrize("kind", ["low", "three"])
def test_a_declaration_brings_the_points_that_it_says(kind: Kind) -> None:
    deal = opened("KC QS JB 5C", "AD AC AS", variant=find_variant("cirulla"))
    said = Declare(cards("AD AC AS"), kind)
    assert seen_by(0, apply(deal, said)).declared == (said.points, 0)


def test_luck_is_no_part_of_what_is_known() -> None:
    """D19."""
    deal = opened("2D 3C KS KB")
    match = new_match(SCOPA, deal.dealer)
    lucky = Observation(0, deal, match, LUCK)
    assert lucky == Observation(0, deal, match)
    assert hash(lucky) == hash(Observation(0, deal, match))
    assert lucky.luck == LUCK
    assert "luck" not in repr(lucky)


@pytest.mark.parametrize("luck", [b"", bytes(31), bytes(33)])
def test_luck_is_thirty_two_bytes(luck: bytes) -> None:
    with pytest.raises(RulesError, match="32 bytes"):
        Observation(0, new_deal(SCOPA, 0), new_match(SCOPA, 1), luck)


def test_a_deal_belongs_to_a_match_of_its_variant() -> None:
    with pytest.raises(RulesError, match="not of one variant"):
        Observation(0, new_deal(SCOPA, 0), new_match(find_variant("scopa", 3), 1))
