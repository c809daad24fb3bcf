"""What follows for certain from what has been seen."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from ai.knowledge import barred, deduced, lies_open
from ai.search import world_of
from scopa_net.bots import Deal, Play, apply, card, cards, legal_actions
from scopa_net.rules import kernel
from scopa_net.rules.actions import cards_of, set_of
from scopa_net.rules.deal import new_deal, observe
from scopa_net.rules.variants import find_variant
from tests.ai.positions import positions
from tests.support.deals import variant_with


def begun(deal_of: str, **options: str) -> Deal:
    """Two seats with these open cards: four on the table, three each."""
    known = [one.index for one in cards(deal_of)]
    return new_deal(variant_with(2, **options), 0, (*known, *[-1] * (40 - len(known))))


def test_the_last_hidden_hand_is_what_has_not_been_seen() -> None:
    for deal in islice(positions(find_variant("scopa"), "last"), 200):
        assert deal.turn is not None
        seen = observe(deal, deal.turn)
        found = deduced(deal.variant.rules, seen.state)
        assert lies_open(deal.variant.rules, found) == (deal.tallone == 0)
        if deal.tallone == 0:
            assert found[: kernel.DECK] == list(deal.state)[: kernel.DECK]


def test_who_lays_a_card_where_a_hand_must_capture_holds_none_that_could() -> None:
    deal = begun("3C 4S KC QC KS 6D 6B", compulsion="hand")
    deal = apply(deal, Play(card("KS"), cards("KC")))
    deal = apply(deal, Play(card("AB")))
    could = cards_of(barred(deal)[1])
    assert {one.rank for one in could} == {3, 4, 7, 9}
    assert len(could) == 16
    assert barred(deal)[0] == 0


def test_what_a_seat_cannot_hold_is_forgotten_with_its_hand() -> None:
    deal = begun("3C 4S KC QC KS 6D 6B AB AS 2S", compulsion="hand")
    for text in ("KSxKC", "AB", "6D", "AS", "6B"):
        taken = cards(text[3:])
        deal = apply(deal, Play(card(text[:2]), taken)) if taken else laid(deal, text)
    assert barred(deal)[1] != 0
    deal = laid(deal, "2S")
    assert barred(deal) == [0, 0]


def laid(deal: Deal, text: str) -> Deal:
    """The card played as it has to be, taking what it can."""
    found = [
        one
        for one in legal_actions(deal)
        if isinstance(one, Play) and one.card == card(text)
    ]
    return apply(deal, found[0] if found else Play(card(text)))


def test_nothing_is_known_of_hands_where_nobody_has_to_capture() -> None:
    deal = begun("3C 4S KC QC KS 6D 6B")
    deal = apply(apply(deal, Play(card("KS"), cards("KC"))), Play(card("AB")))
    assert barred(deal) == [0, 0]


@pytest.mark.parametrize("game", [("scopa", 3), ("scopone-9", 4), ("bergamasca", 2)])
def test_a_world_fits_what_the_seat_knows(game: tuple[str, int]) -> None:
    variant = find_variant(*game)
    rules = variant.rules
    rng = Random("worlds")
    world, out = [0] * kernel.SIZE, [0] * kernel.BUFFER
    for deal in islice(positions(variant, "worlds"), 0, 120, 3):
        assert deal.turn is not None
        state = list(observe(deal, deal.turn).state)
        x = rng.randrange(1, 1 << 60)
        world_of(rules, state, [0] * rules.players, world, out, x)
        assert world[kernel.HAND + deal.turn] == state[kernel.HAND + deal.turn]
        everywhere = world[kernel.TABLE]
        count = everywhere.bit_count()
        for seat in range(rules.players):
            assert lies_open(rules, world) or world[kernel.STOCK]
            everywhere |= world[kernel.HAND + seat]
            count += kernel.held(rules, world, seat)
        for side in range(rules.sides):
            everywhere |= world[kernel.PILE + side]
            count += world[kernel.PILE + side].bit_count()
        stock = world[kernel.DECK + 40 - world[kernel.STOCK] : kernel.DECK + 40]
        everywhere |= sum(1 << one for one in stock)
        assert (everywhere, count + len(stock)) == (kernel.ALL, 40)


def test_no_world_gives_a_seat_what_it_cannot_hold() -> None:
    deal = begun("3C 4S KC QC KS 6D 6B")
    state = list(deal.state)
    low = set_of(cards("AC 2C 5C 6C 7C AS 2S 5S 6S 7S"))
    world, out = [0] * kernel.SIZE, [0] * kernel.BUFFER
    for x in range(1, 60):
        world_of(deal.variant.rules, state, [0, low], world, out, x << 30)
        assert world[kernel.HAND + 1] & low == 0
