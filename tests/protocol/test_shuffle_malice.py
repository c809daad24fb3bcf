"""A cheating shuffle is refused before the first card, and its seat is named.

With the tables and the questions of `tests.protocol.test_malice`. What the replay finds
when the proofs are believed is tested there.
"""

import pytest

from protocol.audit import audit
from protocol.crypto.shuffle import replay, secret_key
from protocol.entry import Kind
from protocol.faults import Reason
from protocol.game import Over
from protocol.shuffling import Shuffling
from tests.protocol.test_malice import (
    assert_blamed,
    assert_nobody_blamed,
    at_every_table,
    company,
)
from tests.support import liars, proof_liars
from tests.support.malice import Company, Liar, Shuffler, ahead, play_in_order
from tests.support.parties import Circle
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening

FALSE_SHUFFLES = (*liars.FALSE_SHUFFLES, proof_liars.ProvesTheDeckItShouldHaveMade)


def assert_no_card_seen(table: Company) -> None:
    """No share and no seed was given by anybody, so nobody has seen a card."""
    for party in table.honest:
        kinds = {e.kind for log in party.judge.record.logs for e in log.entries}
        assert not kinds & {Kind.SHARES, Kind.ACT, Kind.REVEAL}
        assert set(party.cards().values()) == set()


# -- false shuffles --------------------------------------------------------------


@at_every_table
@pytest.mark.parametrize("liar", FALSE_SHUFFLES)
def test_a_false_shuffle_is_refused_before_the_first_card(
    liar: type[Shuffler], seats: int, at: int
) -> None:
    # X10, F3.
    table = company(liar, seats, at)
    assert_blamed(table, Reason.FALSE_PROOF)
    assert_no_card_seen(table)


@at_every_table
@pytest.mark.parametrize("liar", FALSE_SHUFFLES)
def test_a_false_shuffle_ahead_ends_the_match_after_the_running_deal(
    liar: type[Shuffler], seats: int, at: int
) -> None:
    # F19.
    table = company(ahead(liar), seats, at, deals=2)
    assert_blamed(table, Reason.FALSE_PROOF)
    for party in table.honest:
        first, *others = party.judge.decks
        assert first.game.over() is Over.SCORED
        assert first.verified
        assert sorted(first.verdicts) == list(range(seats))
        assert all(not deck.share_entries for deck in others)


# -- false proofs ----------------------------------------------------------------


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (proof_liars.FlipsABitOfItsProof, Reason.FALSE_PROOF),
        (proof_liars.ProvesWithNoPoints, Reason.FALSE_PROOF),
        (proof_liars.CopiesAProof, Reason.FALSE_PROOF),
        (proof_liars.ShortensItsProof, Reason.MALFORMED),
        (proof_liars.LengthensItsProof, Reason.MALFORMED),
        (proof_liars.ProvesNoShuffle, Reason.MALFORMED),
        (proof_liars.ProvesAnothersShuffle, Reason.MALFORMED),
        (proof_liars.ProvesBeforeItShuffles, Reason.OUT_OF_ORDER),
        (proof_liars.ProvesADeckThatIsNotDue, Reason.OUT_OF_ORDER),
    ],
)
def test_a_proof_that_is_none_is_blamed_before_the_first_card(
    liar: type[Liar], reason: Reason, seats: int, at: int
) -> None:
    # X10, X12.
    table = company(liar, seats, at)
    assert_blamed(table, reason)
    assert_no_card_seen(table)


@at_every_table
@pytest.mark.parametrize(
    "liar", [proof_liars.ProvesTwice, proof_liars.ProvesASecondTimeInTheDeal]
)
def test_a_second_proof_is_blamed(liar: type[Liar], seats: int, at: int) -> None:
    assert_blamed(company(liar, seats, at), Reason.TWICE)


@at_every_table
def test_shares_before_every_proof_stands_are_blamed(seats: int, at: int) -> None:
    table = company(proof_liars.SharesAnUnprovenDeck, seats, at)
    assert_blamed(table, Reason.OUT_OF_ORDER)
    for party in table.honest:
        assert not party.judge.decks


@at_every_table
@pytest.mark.parametrize("deals", [1, 2])
def test_a_seat_that_never_proves_its_shuffle_is_silent_and_gets_no_card(
    deals: int, seats: int, at: int
) -> None:
    table = company(proof_liars.KeepsItsProof, seats, at, deals=deals)
    assert_nobody_blamed(table)
    assert_no_card_seen(table)
    assert not any(party.judge.stopped for party in table.honest)


@at_every_table
def test_without_a_proof_the_next_deck_is_not_dealt_and_the_finished_deal_stands(
    seats: int, at: int
) -> None:
    table = company(proof_liars.KeepsItsProofAhead, seats, at, deals=2)
    assert_nobody_blamed(table)
    for party in table.honest:
        (first,) = party.judge.decks
        assert first.game.over() is Over.SCORED
        assert first.verified
        assert not party.judge.stopped


@at_every_table
def test_a_false_proof_between_two_deals_takes_back_no_finished_deal(
    seats: int, at: int
) -> None:
    table = company(proof_liars.ProvesFalselyBetweenDeals, seats, at, deals=2)
    assert_blamed(table, Reason.FALSE_PROOF)
    for party in table.honest:
        (first,) = party.judge.decks
        assert first.game.over() is Over.SCORED
        assert first.verified


# -- the two nets ----------------------------------------------------------------


@at_every_table
def test_another_shuffle_than_that_of_the_seed_shows_no_card_and_is_found_later(
    seats: int, at: int
) -> None:
    # It is a shuffle, so its proof holds; which one was chosen tells its seat nothing.
    table = company(proof_liars.ShufflesWithAnotherSeed, seats, at)
    assert_blamed(table, Reason.FALSE_SHUFFLE)
    for party in table.honest:
        assert party.judge.decks[0].game.over() is Over.MATCH


def replay_agrees(table: Circle, made: Shuffling, seat: int) -> bool:
    """Whether the seeds give what the seat has posted."""
    seeds = [party._seed(made.number) for party in table.parties]
    secrets = [
        secret_key(SMALL, context, seed)
        for context, seed in zip(made.contexts, seeds, strict=True)
    ]
    before, context = made.input_deck(seat), made.contexts[seat]
    due = replay(SMALL, made.joint, before, context, seeds[seat], sum(secrets))
    return due == made.stages[seat]


@at_every_table
@pytest.mark.parametrize("liar", [Liar, *FALSE_SHUFFLES])
def test_the_proof_of_a_program_holds_if_and_only_if_the_replay_agrees(
    liar: type[Liar], seats: int, at: int
) -> None:
    table = Company(toy_opening(), liar, at=at, seats=seats, positions=3 + 2 * seats)
    table.play(play_in_order)
    for party in table.honest:
        (made,) = party.judge.course.shufflings
        for seat in range(len(made.stages)):
            refused = [f for f in party.judge.faults if f.seat == seat]
            accepted = made.proof_entries[seat] is not None
            assert not (refused and accepted)
            if refused or accepted:
                assert accepted == replay_agrees(table, made, seat)
        lied = bool(party.judge.faults)
        assert lied == (liar is not Liar)
        assert audit(table.record_of(party), SMALL, table.opening).sound != lied
