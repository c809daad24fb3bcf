"""A position given by cards and moves is what the seat to act would see."""

from __future__ import annotations

from itertools import islice

import pytest

from scopa_net.bots import MATCH_CLAIM, MAZZO, Variant, cards
from scopa_net.bots.position import position
from scopa_net.rules import RulesError, find_variant, format_action
from tests.ai.positions import positions, seen_by_mover
from tests.support.deals import RULE_SETS, SCOPA


@pytest.mark.parametrize("variant", RULE_SETS.values(), ids=RULE_SETS.keys())
def test_it_is_what_the_seat_sees_in_the_deal_itself(variant: Variant) -> None:
    for deal in islice(positions(variant, "position"), 0, 120, 3):
        if deal.first != 0 or MATCH_CLAIM in deal.actions:
            continue
        seen = seen_by_mover(deal)
        table = tuple(MAZZO[at] for at in deal.order[: variant.table_size])
        moves = [format_action(action) for action in deal.actions]
        found = position(variant, table, seen.hand, moves)
        assert (found.seat, found.hand, found.table) == (
            seen.seat,
            seen.hand,
            seen.table,
        )
        assert found.legal_actions == seen.legal_actions
        assert found.unseen == seen.unseen
        assert (found.piles, found.held) == (seen.piles, seen.held)


@pytest.mark.parametrize(
    ("table", "hand", "played", "sentence"),
    [
        (
            "3C 4S KB",
            "7D",
            "",
            "A deal of scopa begins with 4 cards on the table, not 3",
        ),
        ("3C 4S KB QB", "7D", "", "Who plays now holds 3 cards, not 1."),
        ("KC KS KB QB", "7D 2C 3C", "", "With these cards on the table all are dealt"),
        ("3C 4S KB QB", "7D 2C 3C", "", "3C cannot lie at two positions."),
        (
            "3C 4S KB QB",
            "7D 2C 5C",
            "7Bx3C",
            "7B does not take 3C, which makes 3 and not 7",
        ),
        ("3C 4S KB QB", "7D 2C 5C", "7Dx3C4S", "7D is not in that hand."),
        ("3C 4S KB QB", "7D 2C 5C", "card", "'card' is no"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(
    table: str, hand: str, played: str, sentence: str
) -> None:
    with pytest.raises(RulesError) as refused:
        position(SCOPA, cards(table), cards(hand), played.split())
    assert sentence in str(refused.value)


def test_the_score_of_the_match_may_be_told() -> None:
    seen = position(SCOPA, cards("3C 4S KB QB"), cards("7D 2C 5C"), (), (9, 10))
    assert seen.scores == (9, 10)
    nothing = find_variant("scopone-10")
    assert position(nothing, (), cards("AD 2D 3D 4D 5D 6D 7D JD QD KD")).table == ()
