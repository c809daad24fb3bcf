"""Sides that can be chosen, and those that cannot."""

import pytest

from scopa_net.app.meeting import OtherRules
from scopa_net.app.wishes import check_side, no_place, not_your_side
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
    assert str(no_place(1)).startswith("All places of side 2 are taken: choose")
    assert "the same data folder" in str(not_your_side())
