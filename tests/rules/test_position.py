"""Captures in given positions: the disputed and the worked examples."""

import pytest

from scopa_net.rules.cards import MAZZO, card, cards, text_of
from scopa_net.rules.errors import RulesError
from scopa_net.rules.position import choices
from scopa_net.rules.variants import Variant, find_variant
from tests.support.deals import SCOPA, variant_with

FEWEST = variant_with(sum_choice="fewest")
IN_ESCOBA = find_variant("escoba")
FEWEST_IN_ESCOBA = find_variant("escoba", 2, {"sum_choice": "fewest"})
DASSI = variant_with(ace="sweeps")
PIGLIA_TUTTO = variant_with(ace="sweeps", sweep_is_scopa="yes")


def takes(table: str, played: str, variant: Variant = SCOPA) -> list[str]:
    """What the card takes, each set as text; an empty text is a card laid."""
    found = choices(variant, cards(table), cards(played))
    return sorted(text_of(one.play.captured) for one in found)


@pytest.mark.parametrize(
    ("case", "table", "played", "sets", "variant"),
    [
        ("A1", "AD 3C 4S 5B JD", "QC", "ADJD 4S5B AD3C5B", SCOPA),
        ("A1", "AD 3C 4S 5B JD", "QC", "ADJD 4S5B", FEWEST),
        ("A2", "2D 4C 6S", "6D", "6S", SCOPA),
        ("A4", "2D 4C 5S", "AD", "-", SCOPA),
        ("A4", "2D 4C 5S", "5D", "5S", SCOPA),
        ("A4", "2D 4C 5S", "6D", "2D4C", SCOPA),
        ("A5", "AB AS 2B 2S", "2D", "2B 2S", SCOPA),
        ("A6", "AB AS AC", "2D", "ACAS ACAB ASAB", SCOPA),
        ("A8", "AD 5C 6S", "2D", "-", SCOPA),
        ("A8", "AD 5C 6S", "5S", "5C", SCOPA),
        ("A8", "AD 5C 6S", "7B", "AD6S", SCOPA),
        ("A9", "5D 5C JS 3B", "5S", "5C 5D", SCOPA),
        ("A9", "5D 5C JS 3B", "KD", "5D5C", SCOPA),
        ("A9", "5D 5C JS 3B", "JD", "JS", SCOPA),
        ("S0.15", "2D 3C JS KB", "5D", "2D3C", SCOPA),
        ("S0.15", "2D 3C JS KB", "AD", "-", SCOPA),
        ("S0.16", "2D 3C 5S KB", "5D", "5S", SCOPA),
        ("S0.17", "2D AC JS KB", "AD", "AC", SCOPA),
        ("S2.19", "AD 2C 3S 4B", "5D", "2C3S AD4B", SCOPA),
        ("A13", "AD 2C 3S 4B", "KD", "AD2C3S4B", SCOPA),
        ("B1", "2D 3C JS KB", "5D", "2DJS KB", IN_ESCOBA),
        ("B1", "2D 3C JS KB", "AD", "-", IN_ESCOBA),
        ("S0.10", "2D 3C JS KB", "5D", "KB", FEWEST_IN_ESCOBA),
        ("B2", "AD 3C 4S 7B", "4D", "4S7B AD3C7B", IN_ESCOBA),
        ("B5", "7C", "7D", "-", IN_ESCOBA),
        ("G1", "5D 2C 3S", "AD", "2C3S5D", DASSI),
        ("G3", "AC", "AD", "AC", DASSI),
    ],
)
def test_what_a_card_takes(
    case: str, table: str, played: str, sets: str, variant: Variant
) -> None:
    expected = [] if sets == "-" else sets.split()
    found = [taken for taken in takes(table, played, variant) if taken]
    assert found == sorted(expected), case
    if not expected:
        assert takes(table, played, variant) == [""], case


@pytest.mark.parametrize(
    ("case", "variant", "table", "played", "last", "scopa"),
    [
        ("A14", SCOPA, "6D", "6C", False, True),
        ("S2.16", SCOPA, "2D 4C", "6C", False, True),
        ("A13", SCOPA, "AD 2C 3S 4B", "KD", False, True),
        ("S2.16", SCOPA, "AD AC AS AB 2D 2C", "JD", False, True),
        ("C1", SCOPA, "AC AB AS", "3D", True, False),
        ("S4.12", SCOPA, "6D", "6C", True, False),
        ("S0.26", find_variant("stargames-scopa"), "6D", "6C", True, True),
        ("G1", DASSI, "5D 2C 3S", "AD", False, False),
        ("G1", PIGLIA_TUTTO, "5D 2C 3S", "AD", False, True),
        ("G3", DASSI, "AC", "AD", False, True),
        ("G3", PIGLIA_TUTTO, "AC", "AD", False, True),
        ("G6", PIGLIA_TUTTO, "5D 2C 3S", "AD", True, False),
    ],
)
def test_which_captures_are_a_scopa(
    case: str,
    variant: Variant,
    table: str,
    played: str,
    last: bool,  # noqa: FBT001
    scopa: bool,  # noqa: FBT001
) -> None:
    [one] = choices(variant, cards(table), cards(played), last_play=last)
    assert one.scopa is scopa, case


def test_a_table_above_ten_cannot_be_swept_in_scopa() -> None:
    """S0.41."""
    for table in ("AD KD", "5D 6C", "2D 3C 7S"):
        for played in MAZZO:
            if played not in cards(table):
                found = choices(SCOPA, cards(table), [played])
                assert not any(one.scopa for one in found)


def test_a_table_up_to_four_cannot_be_taken_whole_in_escoba() -> None:
    """S0.40."""
    for table in ("AD", "2D", "AD AC", "AD 3C", "2D 2C", "4D", "AD AC 2S"):
        for played in MAZZO:
            if played not in cards(table):
                found = choices(IN_ESCOBA, cards(table), [played])
                assert not any(one.scopa for one in found)


def test_hand_compulsion_looks_at_the_other_cards() -> None:
    """A8, S0.14."""
    strict = variant_with(compulsion="hand")
    table, hand = cards("AD 5C 6S"), cards("2D 5S 7B")
    assert card("2D") in {one.play.card for one in choices(SCOPA, table, hand)}
    assert card("2D") not in {one.play.card for one in choices(strict, table, hand)}


def test_after_a_sweep_every_card_is_laid() -> None:
    """C11, S4.10."""
    found = choices(SCOPA, [], cards("AD 5C KS"))
    assert [str(one.play.card) for one in found] == ["AD", "5C", "KS"]
    assert all(one.play.captured == () for one in found)


def test_a_card_lies_in_one_place() -> None:
    with pytest.raises(RulesError, match="7D is in the hand and on the table"):
        choices(SCOPA, cards("7D 3C"), cards("7D"))
    with pytest.raises(RulesError, match="needs a card"):
        choices(SCOPA, cards("7D 3C"), [])


def test_the_last_card_of_the_deal_is_one_card() -> None:
    with pytest.raises(RulesError, match="The last card of the deal is one, not 2"):
        choices(SCOPA, (), cards("AD 2D"), last_play=True)
    assert len(choices(SCOPA, (), cards("AD"), last_play=True)) == 1


def test_a_hand_larger_than_any_game_deals_is_refused() -> None:
    with pytest.raises(RulesError, match="at most 10 cards, not 11"):
        choices(SCOPA, (), MAZZO[:11])
    assert len(choices(SCOPA, (), MAZZO[:10])) == 10
