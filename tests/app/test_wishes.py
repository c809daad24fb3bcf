"""Sides that can be chosen, and those that cannot."""

import pytest

from protocol.room import Declined
from scopa_net.app.meeting import OtherRules
from scopa_net.app.wishes import check_side, no_place
from scopa_net.rules import find_variant

TEAMS = find_variant("scopa", 4)


@pytest.mark.parametrize("side", [None, 0, 1])
def test_a_table_of_teams_has_sides(side: int | None) -> None:
    check_side(side, TEAMS)


def test_a_side_that_is_none_is_refused_with_what_to_do() -> None:
    with pytest.raises(OtherRules, match="There is no side 3 at this table: choose"):
        check_side(2, TEAMS)
    with pytest.raises(OtherRules, match="everybody plays alone: choose no side"):
        check_side(0, find_variant("scopa", 3))
    check_side(None, find_variant("scopa", 3))


def test_why_there_is_no_place_is_told_with_what_to_do() -> None:
    full = no_place(Declined.SIDE, 1, carried=False)
    assert str(full).startswith("All places of side 2 are taken: choose")
    assert "table are taken" in str(no_place(Declined.SIDE, None, carried=False))
    assert "the same data folder" in str(no_place(Declined.SIDE, 1, carried=True))
    assert "does not want you" in str(no_place(Declined.PERSON, 1, carried=False))
