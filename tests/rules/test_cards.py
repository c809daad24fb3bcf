"""Cards and their text."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopa_net.rules.cards import (
    MAZZO,
    SETTEBELLO,
    Card,
    InvalidCard,
    Suit,
    card,
    cards,
    text_of,
)
from scopa_net.rules.errors import RulesError


def test_there_are_forty_cards_in_four_suits_of_ten() -> None:
    """S0.1, S2.8, S4.2."""
    assert len(set(MAZZO)) == 40
    for suit in Suit:
        assert [one.rank for one in MAZZO if one.suit is suit] == list(range(1, 11))


def test_the_index_of_a_card_is_its_place_in_the_pack() -> None:
    assert [one.index for one in MAZZO] == list(range(40))
    assert card("AD").index == 0
    assert card("AB").index == 3
    assert card("KB").index == 39


def test_cards_sort_by_index() -> None:
    assert sorted(MAZZO, key=str) != list(MAZZO)
    assert sorted(sorted(MAZZO, key=str)) == list(MAZZO)


def test_the_settebello_is_the_seven_of_denari() -> None:
    assert Card(7, Suit.DENARI) == SETTEBELLO
    assert str(SETTEBELLO) == "7D"
    assert repr(SETTEBELLO) == "card('7D')"


@pytest.mark.parametrize(
    ("text", "rank"),
    [("A", 1), ("2", 2), ("7", 7), ("J", 8), ("Q", 9), ("K", 10), ("1", 1)],
)
def test_a_rank_is_read_as_its_value(text: str, rank: int) -> None:
    """S0.3, S2.12, S4.3."""
    assert card(text + "D") == Card(rank, Suit.DENARI)


@pytest.mark.parametrize(
    ("text", "suit"),
    [("D", Suit.DENARI), ("C", Suit.COPPE), ("S", Suit.SPADE), ("B", Suit.BASTONI)],
)
def test_a_suit_is_read_from_its_letter(text: str, suit: Suit) -> None:
    assert card("5" + text) == Card(5, suit)


@given(st.sampled_from(MAZZO))
def test_every_card_reads_back_from_its_text_in_any_case(one: Card) -> None:
    assert card(str(one)) == one
    assert card(f" {str(one).lower()} ") == one


@given(st.lists(st.sampled_from(MAZZO), max_size=40), st.sampled_from(["", " ", ", "]))
def test_lists_of_cards_read_back_however_they_are_separated(
    several: list[Card], separator: str
) -> None:
    text = separator.join(str(one) for one in several)
    assert cards(text) == tuple(several)


def test_cards_are_written_together_lowest_first() -> None:
    assert text_of(cards("7D 3C, 4S")) == "3C4S7D"


@pytest.mark.parametrize(
    "text",
    ["", "7", "D", "8D", "0D", "10D", "7X", "D9", "7DD", "7D3C", "\u0667D", "7d\n3"],
)
def test_other_text_is_not_a_card(text: str) -> None:
    with pytest.raises(InvalidCard, match="is not a card"):
        card(text)


@pytest.mark.parametrize("text", ["7D 3", "7D;3C", "7D 3C x", "7D3C4", "10D"])
def test_a_list_with_anything_else_in_it_is_refused(text: str) -> None:
    with pytest.raises(InvalidCard, match="is not a card"):
        cards(text)


def test_a_refusal_repeats_little_of_a_long_text_and_nothing_unprintable() -> None:
    with pytest.raises(InvalidCard) as refused:
        card("\x1b]0;" + "x" * 10_000)
    assert len(str(refused.value)) < 200
    assert str(refused.value).isprintable()
    with pytest.raises(InvalidCard, match="too long"):
        cards("7D" * 10_000)


@pytest.mark.parametrize("rank", [0, 11, -1])
def test_no_card_has_another_rank(rank: int) -> None:
    with pytest.raises(InvalidCard, match="ranks go from 1 to 10"):
        Card(rank, Suit.DENARI)


def test_a_refused_card_is_an_error_of_the_rules() -> None:
    assert issubclass(InvalidCard, RulesError)
    assert issubclass(RulesError, ValueError)


def test_a_card_survives_pickling() -> None:
    assert pickle.loads(pickle.dumps(SETTEBELLO)) == SETTEBELLO
