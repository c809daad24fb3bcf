"""A match may start from the score of an older one."""

from dataclasses import replace

import pytest

from scopa_net.rules import (
    Carried,
    IncompatibleOptions,
    UnknownOption,
    Variant,
    changes,
    find_variant,
    new_match,
    variant_of_lines,
)
from scopa_net.rules.carried import read_carried

TABLE, MARK = "0a" * 16, "0b" * 16
ORIGIN = f"{TABLE}-{MARK}"


def carrying(
    *scores: int, players: int | None = None, **rules: str
) -> tuple[Variant, Variant]:
    """The game without a carried score, and with this one."""
    plain = find_variant("scopa", players, rules)
    return plain, replace(plain, carried=Carried(scores, TABLE, MARK))


def test_a_match_starts_from_the_score_that_it_carries() -> None:
    plain, carried = carrying(4, 7)
    assert new_match(plain, 1).scores == (0, 0)
    match = new_match(carried, 1)
    assert (match.scores, match.deal_number, match.dealer) == ((4, 7), 0, 1)
    assert not match.over


def test_a_carried_score_is_two_more_lines_of_the_rules() -> None:
    plain, carried = carrying(4, 7)
    more = set(carried.lines()) - set(plain.lines())
    assert more == {"carried=4,7", f"carried_from={ORIGIN}"}
    assert carried.fingerprint != plain.fingerprint
    assert variant_of_lines(carried.lines()) == carried
    assert variant_of_lines(plain.lines()).carried is None


def test_a_carried_score_changes_no_rule_of_the_game() -> None:
    plain, carried = carrying(4, 7, target="21")
    assert changes(carried) == changes(plain) == ("target=21",)
    assert carried.rules == plain.rules


@pytest.mark.parametrize("scores", [(11, 7), (3, 12), (13, 11)])
def test_a_score_that_has_won_is_not_carried(scores: tuple[int, ...]) -> None:
    with pytest.raises(IncompatibleOptions, match="A match is won that stands at"):
        carrying(*scores)


def test_level_sides_at_the_target_carry_their_score() -> None:
    _, carried = carrying(12, 12)
    assert not new_match(carried, 0).over
    with pytest.raises(IncompatibleOptions):
        carrying(12, 13)
    _, led = carrying(12, 13, lead_needed="2")
    assert not new_match(led, 0).over


def test_every_side_has_a_carried_score() -> None:
    with pytest.raises(IncompatibleOptions, match=r"2 scores are carried, .* 3 sides"):
        carrying(4, 7, players=3)
    _, three = carrying(4, 7, 0, players=3)
    assert new_match(three, 0).scores == (4, 7, 0)


@pytest.mark.parametrize(
    ("scores", "origin"),
    [
        ("4,7", None),
        (None, ORIGIN),
        ("4", ORIGIN),
        ("4,-7", ORIGIN),
        ("04,7", ORIGIN),
        ("4, 7", ORIGIN),
        ("4,7\n", ORIGIN),
        ("4,10000", ORIGIN),
        ("\u0664,7", ORIGIN),
        ("1,1,1,1,1,1,1", ORIGIN),
        ("none", ORIGIN),
        ("4,7", "none"),
        ("4,7", TABLE),
        ("4,7", ORIGIN.upper()),
        ("4,7", ORIGIN + "0"),
    ],
)
def test_lines_that_carry_no_score_are_refused(
    scores: str | None, origin: str | None
) -> None:
    with pytest.raises(UnknownOption):
        read_carried(scores, origin)


def test_nobody_chooses_a_score_as_a_rule() -> None:
    with pytest.raises(UnknownOption, match="scopa host --carry"):
        find_variant("scopa", 2, {"carried": "4,7"})
