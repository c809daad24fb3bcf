"""A match that is claimed: who says to be at the target wins, or loses if it is not."""

import pytest

from scopa_net.referee import Referee
from scopa_net.rules.actions import MATCH_CLAIM, Claim, Play
from scopa_net.rules.cards import card, cards
from scopa_net.rules.deal import (
    Deal,
    apply,
    legal_actions,
    observe,
    state_digest,
)
from scopa_net.rules.errors import IllegalAction
from scopa_net.rules.match import Match, decided_early, may_claim
from scopa_net.rules.notation import format_deal, parse_deal
from scopa_net.rules.scoring import certain_score
from scopa_net.rules.variants import Variant
from scopa_net.statements import read_statement, write_statement
from tests.support.deals import SCOPA, opened, variant_with, viewers

CLAIMED = variant_with(tie_at_target="claim")


def taken(variant: Variant = CLAIMED) -> Deal:
    """Seat 0 has the settebello, and it is its turn again."""
    return opened("7C 2D 3C KB", "7D", "KD", variant=variant, play="7Dx7C KDxKB")


def test_a_match_can_be_claimed_in_ones_turn_where_the_rules_say_so() -> None:
    """F4: by the seat to act, beside all that it may do anyway."""
    assert legal_actions(taken())[-1] == MATCH_CLAIM
    assert legal_actions(taken())[:-1] == legal_actions(taken(SCOPA))
    with pytest.raises(IllegalAction, match="The match is not claimed in this game"):
        apply(taken(SCOPA), MATCH_CLAIM)


@pytest.mark.parametrize(
    ("scores", "right"), [((10, 10), True), ((9, 10), False), ((11, 11), True)]
)
def test_who_claims_rightly_wins_and_who_claims_falsely_loses(
    scores: tuple[int, int],
    right: bool,  # noqa: FBT001
) -> None:
    """F4: ten points and the settebello, which nobody can take away."""
    match = Match(CLAIMED, scores, 4, 0)
    assert may_claim(match, taken(), 0) is right
    assert decided_early(match, taken()) is None
    after = decided_early(match, apply(taken(), MATCH_CLAIM))
    assert after is not None
    assert (after.winner, after.deal_number) == (0 if right else 1, 5)
    assert after.scores == (scores[0] + 1, scores[1])


def test_points_that_can_still_be_lost_are_no_ground_for_a_claim() -> None:
    """Most cards so far, and most denari, are not won before the end."""
    deal = opened("JC 2D 3C KB", "5D", "QD", variant=CLAIMED, play="5Dx2D3C QD")
    assert [side.total for side in certain_score(deal)] == [0, 0]
    assert not may_claim(Match(CLAIMED, (10, 0), 1, 0), deal, 0)


def test_nothing_follows_a_claim() -> None:
    ended = apply(taken(), MATCH_CLAIM)
    assert (ended.turn, ended.claimant, ended.over) == (None, 0, False)
    assert legal_actions(ended) == ()
    for after in (Play(card("2S")), MATCH_CLAIM, Claim(cards("2D"))):
        with pytest.raises(IllegalAction, match="has been claimed"):
            apply(ended, after)
        with pytest.raises(IllegalAction, match="has been claimed"):
            Deal(CLAIMED, 0, ended.order, (*ended.actions, after))


def test_nobody_claims_after_the_last_card() -> None:
    deal = opened("2D 3C 5C KB", variant=CLAIMED)
    while not deal.over:
        deal = apply(deal, legal_actions(deal)[0])
    with pytest.raises(IllegalAction, match="The deal is over"):
        apply(deal, MATCH_CLAIM)


def test_a_claim_is_seen_by_all_and_reads_back() -> None:
    ended = apply(taken(), MATCH_CLAIM)
    assert state_digest(ended) != state_digest(taken())
    for seat in viewers(ended):
        seen = observe(ended, seat)
        assert seen == apply(observe(taken(), seat), MATCH_CLAIM)
        assert parse_deal(format_deal(seen)) == seen
    assert "claim:match" in format_deal(ended)
    assert read_statement(write_statement(MATCH_CLAIM), ()) == MATCH_CLAIM


def test_the_referee_ends_a_match_that_is_claimed() -> None:
    match = Match(CLAIMED, (10, 10), 4, 1)
    game = Referee((0, 1), match, taken(), ())
    assert game.over() is None
    after = game.accept(0, (), write_statement(MATCH_CLAIM))
    assert isinstance(after, Referee)
    assert after.turn() is None
    assert after.match_after.winner == 0
    assert [side.total for side in after.scores] == [1, 0]
