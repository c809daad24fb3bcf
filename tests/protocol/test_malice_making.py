"""Liars that know how a deck is made: other keys, points, proofs and seeds.

With the tables and the questions of `tests.protocol.test_malice`.
"""

import pytest

from protocol.crypto.group import EDWARDS, Suite
from protocol.entry import Kind
from protocol.faults import Blame, Reason
from protocol.game import Over
from tests.protocol.test_malice import (
    assert_blamed,
    at_every_table,
    company,
    forked,
    kinds,
)
from tests.protocol.test_shuffle_malice import assert_no_card_seen
from tests.support import chain_liars, liars, making_liars
from tests.support.malice import Company, Liar, play_in_order
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening

# -- proofs ----------------------------------------------------------------------


@at_every_table
@pytest.mark.parametrize("liar", making_liars.FORGERIES)
def test_a_proof_forged_by_who_knows_how_is_refused_before_the_first_card(
    liar: type[Liar], seats: int, at: int
) -> None:
    # X10, F3: a scaled pair among them, with the weights foreseen and not.
    table = company(liar, seats, at)
    assert_blamed(table, Reason.FALSE_PROOF)
    assert_no_card_seen(table)


@at_every_table
def test_a_deck_made_of_another_one_is_refused_before_the_first_card(
    seats: int, at: int
) -> None:
    # X9: what is shuffled first is fixed, and not what its shuffler says.
    table = company(making_liars.ShufflesAnotherInput, seats, at)
    assert_blamed(table, Reason.FALSE_PROOF)
    assert_no_card_seen(table)


@at_every_table
def test_the_proof_of_an_older_deck_proves_no_other(seats: int, at: int) -> None:
    # F2, F19, X22.
    table = company(making_liars.RepeatsItsLastProof, seats, at, deals=2)
    assert_blamed(table, Reason.FALSE_PROOF)
    for party in table.honest:
        first, *others = party.judge.decks
        assert first.game.over() is Over.SCORED
        assert first.verified
        assert all(not deck.share_entries for deck in others)


@at_every_table
def test_a_shuffle_that_moves_nothing_decides_nothing_and_is_found_later(
    seats: int, at: int
) -> None:
    # X11: harmless while one seat is honest; it is not what its seed says.
    table = company(making_liars.ShufflesNothing, seats, at)
    assert_blamed(table, Reason.FALSE_SHUFFLE)
    for party in table.honest:
        assert party.judge.decks[0].game.over() is Over.MATCH


@at_every_table
def test_a_secret_that_everybody_knows_is_found_with_the_seed(
    seats: int, at: int
) -> None:
    # X11: who uses it shows its own cards and no others; the deal is played out.
    table = company(making_liars.ItsSecretIsOne, seats, at)
    assert_blamed(table, Reason.WRONG_SEED)
    for party in table.honest:
        assert party.judge.decks[0].game.over() is Over.MATCH


# -- points ----------------------------------------------------------------------

WHERE = [
    (Kind.KEY, Reason.WRONG_KEY),
    (Kind.SHUFFLE, Reason.WRONG_SHUFFLE),
    (Kind.PROOF, Reason.FALSE_PROOF),
    (Kind.SHARES, Reason.WRONG_SHARE),
    (Kind.ACT, Reason.WRONG_SHARE),
]


@pytest.mark.parametrize(("seats", "at"), [(2, 0), (3, 1), (4, 3)])
@pytest.mark.parametrize("what", SMALL.outsiders)
@pytest.mark.parametrize(("where", "reason"), WHERE)
def test_what_is_no_point_of_the_group_is_blamed_wherever_it_stands(
    where: Kind, reason: Reason, what: str, seats: int, at: int
) -> None:
    # X12, F16.
    assert_blamed(company(making_liars.sending(where, what), seats, at), reason)


@pytest.mark.parametrize("what", EDWARDS.outsiders)
@pytest.mark.parametrize(("where", "reason"), WHERE)
def test_small_and_mixed_points_of_the_real_group_are_blamed(
    where: Kind, reason: Reason, what: str
) -> None:
    # X12, F16.
    table = at_a_table_of(EDWARDS, making_liars.sending(where, what))
    for party in table.honest:
        assert kinds(party.judge.faults) == [(0, Blame.CHEAT, reason)]


def at_a_table_of(suite: Suite, liar: type[Liar]) -> Company:
    table = Company(toy_opening(), liar, seats=2, positions=5, suite=suite)
    table.play(play_in_order)
    assert table.liar.lied
    return table


# -- shares and acts -------------------------------------------------------------


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (liars.SharesNothing, Reason.MALFORMED),
        (liars.SharesItsOwnCardsToo, Reason.MALFORMED),
        (liars.ActsWithoutItsShare, Reason.MALFORMED),
        (liars.ActsWithoutItsProof, Reason.MALFORMED),
        (liars.CallsAnothersCardSpoiled, Reason.NOT_DEALT),
        (liars.CallsAPlayedCardSpoiled, Reason.MALFORMED),
        (liars.SpoilsNothing, Reason.MALFORMED),
    ],
)
def test_shares_of_too_few_or_of_other_cards_are_blamed(
    liar: type[Liar], reason: Reason, seats: int, at: int
) -> None:
    # F23, X13, X15; F22: a card that was shown carries no share.
    assert_blamed(company(liar, seats, at), reason)


# -- two stories about a deck ----------------------------------------------------


@at_every_table
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "liar",
    [
        making_liars.GivesTwoKeys,
        making_liars.MakesTwoDecks,
        making_liars.IsReadyForTwoPlans,
    ],
)
def test_who_answers_one_of_two_stories_about_a_deck_is_not_blamed(
    liar: type[chain_liars.Forker], seed: int, seats: int, at: int
) -> None:
    # F5, X6: the honest answers to one branch look wrong in the other.
    assert_blamed(forked(liar, seats, at, seed), Reason.FORKED, Blame.FORK)
