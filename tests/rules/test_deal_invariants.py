"""What holds for every deal, action and seat under every rule set."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scopa_net.rules.actions import Action, Declare, Play
from scopa_net.rules.cards import MAZZO, Card
from scopa_net.rules.deal import (
    UNKNOWN,
    Deal,
    apply,
    dealt,
    learn,
    legal_actions,
    new_deal,
    observe,
    owner,
    state_digest,
)
from scopa_net.rules.scoring import score_deal
from scopa_net.rules.variants import Variant
from tests.support.deals import (
    RULE_SETS,
    deals,
    running_deals,
    viewers,
)


def same(one: Deal, other: Deal) -> bool:
    """Equal, and with equal states: the state is no second truth."""
    return one == other and one.state == other.state


def refolded(deal: Deal) -> Deal:
    return Deal(deal.variant, deal.first, deal.order, deal.actions)


@given(running_deals())
@settings(max_examples=200)
def test_observing_and_acting_commute(running: tuple[Deal, Action]) -> None:
    deal, action = running
    for seat in viewers(deal):
        seen_after = observe(apply(deal, action), seat)
        told = learn(apply(observe(deal, seat), action), dealt(deal, action, seat))
        assert same(seen_after, told)


@pytest.mark.parametrize("variant", RULE_SETS.values(), ids=RULE_SETS.keys())
def test_they_commute_along_whole_deals_with_whatever_can_be_said(
    variant: Variant,
) -> None:
    """Declarations and claims are made whenever they can be."""
    rng = random.Random(variant.fingerprint)
    for first in range(3):
        order = rng.sample(range(40), 40)
        deal = new_deal(variant, first % variant.players, order)
        while deal.turn is not None:
            legal = legal_actions(deal)
            said = [one for one in legal if not isinstance(one, Play)]
            action = rng.choice(said or legal)
            after = apply(deal, action)
            for seat in viewers(deal):
                told = apply(observe(deal, seat), action)
                told = learn(told, dealt(deal, action, seat))
                assert same(told, observe(after, seat))
            deal = after


@given(deals())
def test_a_deal_is_a_function_of_its_order_and_actions(deal: Deal) -> None:
    assert same(refolded(deal), deal)
    for seat in viewers(deal):
        hidden = observe(deal, seat)
        assert same(refolded(hidden), hidden)


@given(deals(), st.data())
def test_learning_in_any_order_and_any_portions_gives_the_same_deal(
    deal: Deal, data: st.DataObject
) -> None:
    hidden = observe(deal, data.draw(st.sampled_from(viewers(deal))))
    unknown = [at for at in range(40) if hidden.order[at] == UNKNOWN]
    told = hidden
    for at in data.draw(st.permutations(unknown)):
        told = learn(told, {at: MAZZO[deal.order[at]]})
        assert told.state == refolded(told).state
    assert same(told, deal)
    assert same(learn(hidden, {at: MAZZO[deal.order[at]] for at in unknown}), deal)


@given(deals(finished=True), st.data())
@settings(max_examples=20)
def test_a_table_may_learn_a_card_before_it_is_played_or_after_or_never(
    deal: Deal, data: st.DataObject
) -> None:
    """As peers do: opening table first, then each card when its time has come."""
    count = deal.variant.table_size
    public = new_deal(deal.variant, deal.first)
    public = learn(public, {at: MAZZO[deal.order[at]] for at in range(count)})
    late: dict[int, Card] = {}
    for action in deal.actions:
        if isinstance(action, Play):
            at = deal.order.index(action.card.index)
            when = data.draw(st.sampled_from(["before", "after", "never"]))
            if when == "before":
                public = learn(public, {at: action.card})
            elif when == "after":
                late[at] = action.card
        public = apply(public, action)
    public = learn(public, late)
    assert state_digest(public) == state_digest(deal)
    assert public.over
    assert [public.pile(side) for side in range(deal.variant.sides)] == [
        deal.pile(side) for side in range(deal.variant.sides)
    ]
    everything = {at: MAZZO[deal.order[at]] for at in range(40)}
    assert same(learn(public, everything), deal)


@given(deals())
def test_the_forty_cards_are_always_somewhere_once(deal: Deal) -> None:
    """H15 and S0.1: table, hands, piles and tallone."""
    where = Counter(deal.table)
    for seat in range(deal.players):
        where.update(deal.hand(seat))
        assert deal.held(seat) == len(deal.hand(seat))
    for side in range(deal.variant.sides):
        where.update(deal.pile(side))
    undealt = deal.order[40 - deal.tallone :]
    where.update(MAZZO[index] for index in undealt)
    assert where == Counter(MAZZO)


@given(deals(), st.data())
def test_a_seat_sees_nothing_but_the_table_its_own_cards_and_shown_ones(
    deal: Deal, data: st.DataObject
) -> None:
    """H1, I3: hidden cards may lie anywhere without a trace in what a seat sees."""
    seat = data.draw(st.sampled_from(viewers(deal)))
    observed = observe(deal, seat)
    shown = {
        card
        for action in deal.actions
        if isinstance(action, Declare)
        for card in action.cards
    }
    for at, index in enumerate(observed.order):
        holder = owner(deal.variant, deal.first, at)
        mine = at < 40 - deal.tallone and holder in (-1, seat)
        if mine or (MAZZO[deal.order[at]] in shown):
            assert index == deal.order[at]
        else:
            assert index == UNKNOWN
    if seat is None:
        return
    for other in range(deal.players):
        assert observed.held(other) == deal.held(other)
        if other != seat:
            assert set(observed.hand(other)) <= shown
    assert observed.hand(seat) == deal.hand(seat)
    if deal.turn == seat:
        assert legal_actions(observed) == legal_actions(deal)


@given(deals())
def test_observing_twice_is_observing_once(deal: Deal) -> None:
    for seat in viewers(deal):
        assert same(observe(observe(deal, seat), seat), observe(deal, seat))


@given(deals())
def test_every_peer_has_the_same_public_digest(deal: Deal) -> None:
    digests = {state_digest(observe(deal, seat)) for seat in viewers(deal)}
    assert digests == {state_digest(deal)}


@given(running_deals())
def test_an_action_changes_the_public_digest(running: tuple[Deal, Action]) -> None:
    deal, action = running
    assert state_digest(apply(deal, action)) != state_digest(deal)


@given(running_deals())
def test_a_hidden_hand_may_do_whatever_the_open_hand_may(
    running: tuple[Deal, Action],
) -> None:
    deal, action = running
    for seat in viewers(deal):
        if seat != deal.turn:
            assert apply(observe(deal, seat), action).actions[-1] == action


@given(deals(finished=True))
@settings(max_examples=30)
def test_every_deal_ends_after_all_cards_are_played(deal: Deal) -> None:
    """S0.24, S2.23: every hand keeps a legal action to the end."""
    assert deal.over
    assert deal.turn is None
    assert deal.plays == 40 - deal.variant.table_size
    assert legal_actions(deal) == ()
    assert deal.tallone == 0
    assert [deal.held(seat) for seat in range(deal.players)] == [0] * deal.players


@given(deals(finished=True))
@settings(max_examples=60)
def test_what_is_compared_is_won_by_one_side_at_most_and_points_are_bounded(
    deal: Deal,
) -> None:
    scores = score_deal(deal)
    for category in ("cards", "coins", "primiera", "settebello", "re_bello"):
        assert sum(score.points.get(category, 0) for score in scores) <= 1
    declared_ = sum(isinstance(action, Declare) for action in deal.actions)
    most = 4 + 1 + 1 + 10 + 6 + 5 + 10 * declared_ + 2 * sum(s.scope for s in scores)
    assert sum(score.total for score in scores) <= most
