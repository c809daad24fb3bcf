"""Deals of every preset as they were recorded: rules, notation and points stay."""

from pathlib import Path

import pytest

from scopa_net.rules import (
    Claim,
    Declare,
    decided_early,
    format_deal,
    format_match,
    observe,
    parse_deal,
    parse_match,
)
from tests.rules.make_deals import FOLDER, all_recorded, path_of, told
from tests.support.deals import PRESETS

RECORDED = sorted(FOLDER.iterdir())


def test_there_is_a_deal_of_every_preset_for_every_number_of_players() -> None:
    assert set(RECORDED) == {path_of(name) for name in all_recorded()}
    assert len(PRESETS) == 46


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_deal_is_read_and_written_as_it_stands(path: Path) -> None:
    """Notation both ways: the deal, its matches, and the deal with hidden cards."""
    text = path.read_text(encoding="ascii")
    first, deal, _, second, seen = text.split("\n\n")
    assert format_match(parse_match(first)) == f"{first}\n"
    assert format_deal(parse_deal(deal)) == f"{deal}\n"
    assert format_match(parse_match(second)) == f"{second}\n"
    assert format_deal(parse_deal(seen)) == seen
    assert "??" in seen
    assert "??" not in deal


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_deal_comes_to_the_recorded_points(path: Path) -> None:
    text = path.read_text(encoding="ascii")
    first, deal, _, _, seen = text.split("\n\n")
    played = parse_deal(deal)
    assert told(parse_match(first), played) == text
    assert observe(played, played.first) == parse_deal(seen)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_deal_is_whole(path: Path) -> None:
    first, deal, *_ = path.read_text(encoding="ascii").split("\n\n")
    played = parse_deal(deal)
    assert played.turn is None or decided_early(parse_match(first), played)
    assert played.turn is not None or played.over or played.claimant is not None


def test_declarations_and_claims_are_among_what_is_recorded() -> None:
    said = {
        type(action)
        for path in RECORDED
        for action in parse_deal(path.read_text().split("\n\n")[1]).actions
    }
    assert {Declare, Claim} <= said
