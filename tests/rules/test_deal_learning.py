"""A deal whose cards become known: declared, claimed, learnt, and what is refused."""

import pickle
import random

import pytest
from hypothesis import given

from scopa_net.rules.actions import Claim, Declare, Play
from scopa_net.rules.cards import MAZZO, card, cards
from scopa_net.rules.deal import (
    NOTHING_KNOWN,
    UNKNOWN,
    Deal,
    ImpossibleCard,
    apply,
    dealt,
    declared,
    learn,
    legal_actions,
    new_deal,
    observe,
    seen,
    state_digest,
)
from scopa_net.rules.errors import IllegalAction, RulesError
from scopa_net.rules.variants import find_variant
from tests.support.deals import (
    RULE_SETS,
    SCOPA,
    deals,
    opened,
    played,
)


def same(one: Deal, other: Deal) -> bool:
    """Equal, and with equal states: the state is no second truth."""
    return one == other and one.state == other.state


# Declaring and claiming.


def test_a_declared_hand_is_shown_and_still_held() -> None:
    """Declaring opens positions without playing them."""
    deal = opened("KD KC QS JB", "AD 2D 3D", "7D", variant=find_variant("cirulla"))
    declare = Declare(cards("AD 2D 3D"), "low")
    assert declare in legal_actions(deal)
    after = apply(deal, declare)
    assert (after.turn, after.plays, declared(after, 0)) == (0, 0, 3)
    assert dealt(deal, declare, 1) == dict(zip((4, 5, 6), declare.cards, strict=True))
    assert observe(after, None).hand(0) == declare.cards
    with pytest.raises(IllegalAction, match="declared already"):
        apply(after, declare)


def test_an_observer_may_hear_a_declaration_before_it_knows_the_positions() -> None:
    deal = opened("KD KC QS JB", "AD 2D 3D", "7D", variant=find_variant("cirulla"))
    public = apply(observe(deal, None), Declare(cards("AD 2D 3D"), "low"))
    assert public.hand(0) == cards("AD 2D 3D")
    with pytest.raises(IllegalAction, match="4D is not in that hand"):
        apply(public, Play(card("4D")))
    with pytest.raises(IllegalAction, match="AD is not in that hand"):
        learn(public, {4: card("4D")})


def test_a_hand_that_is_not_low_is_not_declared() -> None:
    deal = opened("KD KC QS JB", "AD 2D KS", variant=find_variant("cirulla"))
    for told in (deal, observe(deal, 1)):
        with pytest.raises(IllegalAction, match="cannot be declared"):
            apply(told, Declare(cards("AD 2D KS"), "low"))
    with pytest.raises(RulesError, match="declared low or three"):
        Declare(cards("AD 2D"), "high")  # type: ignore[arg-type]


def test_an_overlooked_capture_may_be_claimed() -> None:
    deal = opened(
        "2D 3C KD KC", "5D", "7D", variant=RULE_SETS["escoba with claims"], play="5D"
    )
    claim = Claim(cards("5D KD"))
    assert claim in legal_actions(deal)
    after = apply(deal, claim)
    assert (after.turn, after.pile(1), after.plays) == (1, cards("5D KD"), 1)
    with pytest.raises(IllegalAction, match="no capture that was overlooked"):
        apply(deal, Claim(cards("5D 2D 3C")))
    with pytest.raises(IllegalAction, match="AD is not on the table"):
        apply(deal, Claim(cards("AD 5D")))
    with pytest.raises(IllegalAction, match="no card whose capture"):
        apply(after, Claim(cards("2D 3C")))


# Learning.


def test_what_is_known_may_be_told_again() -> None:
    deal = opened("2D 3C 5C KB")
    assert learn(deal, {0: card("2D")}) is deal
    assert learn(deal, {}) is deal


def test_a_position_holds_one_card_and_a_card_lies_once() -> None:
    public = observe(opened("2D 3C 5C KB", "5D"), None)
    with pytest.raises(ImpossibleCard, match="not the card known to lie there"):
        learn(public, {0: card("3D")})
    with pytest.raises(ImpossibleCard, match="2D cannot lie at two positions"):
        learn(public, {4: card("2D")})
    with pytest.raises(ImpossibleCard, match="7D cannot lie at two positions"):
        learn(public, {4: card("7D"), 9: card("7D")})


def test_a_card_another_seat_has_played_was_not_in_this_hand() -> None:
    public = played(observe(opened("2D 3C 5C KB", "5D"), None), "5Dx5C")
    assert learn(public, {6: card("5D")}).pile(0) == cards("5D 5C")
    for at in (7, 20):
        with pytest.raises(IllegalAction, match="5D is not in that hand"):
            learn(public, {at: card("5D")})


def test_a_hand_played_out_held_the_cards_that_were_played() -> None:
    deal = opened("KD KC QS QB", "AD 4D 6D", "2C 7C JC", play="AD 2C 4D JC 6D 7C")
    public = observe(deal, None)
    assert learn(public, {4: card("6D")}).hand(0) == ()
    with pytest.raises(IllegalAction, match="4D is not in that hand"):
        learn(public, {4: card("6D"), 5: card("AD"), 6: card("3S")})
    with pytest.raises(IllegalAction, match="6D is not in that hand"):
        learn(public, {4: card("3S")})
    three = {4: card("AD"), 5: card("4D"), 6: card("3S")}
    with pytest.raises(IllegalAction, match="6D is not in that hand"):
        learn(public, three)


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ((1, 2, 3), "forty entries"),
        ((40, *NOTHING_KNOWN[1:]), "a card or unknown"),
        ((-2, *NOTHING_KNOWN[1:]), "a card or unknown"),
        ((7, 7, *NOTHING_KNOWN[2:]), "two positions"),
    ],
)
def test_an_order_is_forty_different_cards(order: tuple[int, ...], reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        new_deal(SCOPA, 0, order)


@pytest.mark.parametrize("first", [-1, 2])
def test_the_first_seat_is_one_of_them(first: int) -> None:
    with pytest.raises(RulesError, match="no seat"):
        new_deal(SCOPA, first)


def test_seats_and_sides_that_do_not_exist_are_our_own_mistake() -> None:
    deal = new_deal(SCOPA, 0)
    for ask in (deal.hand, deal.held, deal.pile, deal.scope):
        for number in (-1, 2):
            with pytest.raises(IndexError):
                ask(number)
    with pytest.raises(IndexError):
        observe(deal, 2)


@given(deals())
def test_seen_cards_are_those_with_a_known_place(deal: Deal) -> None:
    assert seen(deal) == MAZZO
    public = observe(deal, None)
    known = {*public.table, *(MAZZO[at] for at in public.order if at != UNKNOWN)}
    for side in range(deal.variant.sides):
        known.update(public.pile(side))
    for seat in range(deal.players):
        known.update(public.hand(seat))
    assert seen(public) == tuple(sorted(known))


@given(deals())
def test_a_deal_survives_pickling(deal: Deal) -> None:
    assert same(pickle.loads(pickle.dumps(deal)), deal)


def test_digests_tell_rules_first_seats_and_tables_apart() -> None:
    """H14."""
    one = opened("2D 3C 5C KB", "5D")
    others = [
        opened("2D 3C 5C KB", "5D", variant=find_variant("gamerules-scopa")),
        opened("2D 3C 5C KB", "5D", first=1),
        opened("2D 3C 5C KC", "5D"),
        new_deal(SCOPA, 0),
    ]
    digests = {state_digest(deal) for deal in (one, *others)}
    assert len(digests) == 5


def test_two_of_a_rank_lie_on_two_opening_tables_of_five() -> None:
    """D7: 41.18 % of the tables, so a shuffle that never shows it is biased."""
    rng = random.Random(7)
    orders = (rng.sample(range(40), 40) for _ in range(5_000))
    tables = [new_deal(SCOPA, 0, order).table for order in orders]
    pairs = sum(len({one.rank for one in table}) < 4 for table in tables)
    assert 0.39 < pairs / len(tables) < 0.434
