"""Every attack is made by a peer that lies, refused by all others, and proven.

In each test every honest seat must name the liar with the right reason and nobody else,
keep its own record whole, and write a record that proves the same to an auditor.
"""

from typing import Any

import pytest

from protocol.audit import audit
from protocol.faults import Blame, Reason, Signed
from protocol.game import Over
from protocol.party import Party
from tests.support import chain_liars, liars
from tests.support.malice import (
    Company,
    Liar,
    declare_first,
    play_in_order,
)
from tests.support.parties import Choose, judged
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening

TABLES = [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2), (4, 3)]
at_every_table = pytest.mark.parametrize(("seats", "at"), TABLES)


def company(
    liar: type[Liar],
    seats: int,
    at: int,
    *,
    choose: Choose = play_in_order,
    deals: int = 1,
    seed: int = 0,
) -> Company:
    table = Company(
        toy_opening(deals=deals),
        liar,
        at=at,
        seats=seats,
        positions=1 + 2 * seats + 2,
        seed=seed,
    )
    table.play(choose)
    assert table.liar.lied, "the attack was not made"
    return table


def kinds(faults: Any) -> list[tuple[int, Blame, Reason]]:
    return [(fault.seat, fault.blame, fault.reason) for fault in faults]


def assert_blamed(table: Company, reason: Reason, blame: Blame = Blame.CHEAT) -> None:
    expected = [(table.liar.seat, blame, reason)]
    for party in table.honest:
        assert kinds(party.judge.faults) == expected
        # What is proven when all is played takes no win away; see `test_after_the_end`.
        assert party.judge.stopped != party.judge.course.won
        assert_kept(table, party)
        result = audit(table.record_of(party), SMALL, table.opening)
        assert kinds(result.faults) == expected
        assert result.damage is None
        assert result.sound == party.judge.course.won
    assert_any_order_names(table, blame, reason)


def assert_any_order_names(table: Company, blame: Blame, reason: Reason) -> None:
    """Whatever order all the entries come in, a judge finds the same.

    Of two stories the one that comes second is the false one, and may show as a chain
    that does not follow.
    """
    reasons = {reason, Reason.BROKEN_CHAIN} if blame is Blame.FORK else {reason}
    found = {
        one
        for party in table.honest
        for seat in range(len(table.parties))
        for one in party.judge.record.signed(seat)
    }
    for seed in range(3):
        judge = judged(table, sorted(found), seed)
        assert {(f.seat, f.blame) for f in judge.faults} == {(table.liar.seat, blame)}
        assert {f.reason for f in judge.faults} <= reasons


def assert_kept(table: Company, party: Party) -> None:
    """An honest seat keeps all that it has signed, and no honest chain is closed."""
    record = party.judge.record
    assert record.signed(party.seat) == tuple(table.signed_by[party.seat])
    for other in table.honest:
        assert not record.logs[other.seat].closed


def assert_nobody_blamed(table: Company) -> None:
    for party in table.honest:
        assert party.judge.faults == []
        assert audit(table.record_of(party), SMALL, table.opening).faults == ()


# -- acts ------------------------------------------------------------------------


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason", "blame"),
    [
        (liars.BreaksARule, Reason.AGAINST_RULES, Blame.RULE),
        (liars.PlaysOutOfTurn, Reason.OUT_OF_TURN, Blame.RULE),
        (liars.PlaysAnothersCard, Reason.NOT_DEALT, Blame.CHEAT),
        (liars.PlaysAnUndealtCard, Reason.NOT_DEALT, Blame.CHEAT),
        (liars.NamesAPositionTwice, Reason.MALFORMED, Blame.CHEAT),
        (liars.SpoilsAnActsShare, Reason.WRONG_SHARE, Blame.CHEAT),
        (liars.ActsOnAnotherTable, Reason.WRONG_STATE, Blame.RULE),
    ],
)
def test_a_false_act_is_blamed(
    liar: type[Liar], reason: Reason, blame: Blame, seats: int, at: int
) -> None:
    # X1, X3, X4, X13.
    assert_blamed(company(liar, seats, at), reason, blame)


@at_every_table
def test_a_card_opened_twice_is_blamed(seats: int, at: int) -> None:
    # X2.
    assert_blamed(company(liars.PlaysTwice, seats, at), Reason.PLAYED_TWICE)


@at_every_table
def test_a_shown_card_played_twice_breaks_the_rules(seats: int, at: int) -> None:
    # X2, F22.
    table = company(liars.PlaysAShownCardTwice, seats, at)
    assert_blamed(table, Reason.AGAINST_RULES, Blame.RULE)


# Who owes a share when it is its turn follows from the draw of the places.
@pytest.mark.parametrize(
    ("seats", "at", "seed"), [(2, 0, 0), (2, 1, 0), (3, 0, 0), (3, 2, 1)]
)
def test_acting_before_the_shares_that_are_owed_is_blamed(
    seats: int, at: int, seed: int
) -> None:
    # F4.
    table = company(liars.ActsBeforeSharing, seats, at, seed=seed)
    assert_blamed(table, Reason.OUT_OF_ORDER)


# -- shares ----------------------------------------------------------------------


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (liars.SpoilsAShare, Reason.WRONG_SHARE),
        (liars.SwapsTwoShares, Reason.WRONG_SHARE),
        (liars.SharesNoPoint, Reason.WRONG_SHARE),
        (liars.SharesWithoutAProof, Reason.WRONG_SHARE),
        (liars.LeavesAShareOut, Reason.MALFORMED),
        (liars.SharesAheadOfTime, Reason.OUT_OF_ORDER),
        (liars.SharesTwice, Reason.TWICE),
    ],
)
def test_a_false_share_is_blamed(
    liar: type[Liar], reason: Reason, seats: int, at: int
) -> None:
    # X12, X13, X15, F4, F21.
    assert_blamed(company(liar, seats, at), reason)


# -- the coin and the making of a deck -----------------------------------------------


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (liars.OpensAnotherCoin, Reason.WRONG_COIN),
        (liars.CommitsTwice, Reason.TWICE),
        (liars.CommitsToADeckThatIsNotDue, Reason.OUT_OF_ORDER),
        (liars.NeedsNoSecret, Reason.WRONG_KEY),
        (liars.CopiesAKey, Reason.WRONG_KEY),
        (liars.GivesNoPoint, Reason.WRONG_KEY),
        (liars.ProvesItsKeyWithNothing, Reason.WRONG_KEY),
        (liars.ShufflesAnotherStage, Reason.MALFORMED),
        (liars.ShufflesNoPoints, Reason.WRONG_SHUFFLE),
        (liars.ShufflesAnotherDeck, Reason.MALFORMED),
        (liars.ReadyTooSoon, Reason.OUT_OF_ORDER),
    ],
)
def test_a_false_step_in_making_a_deck_is_blamed(
    liar: type[Liar], reason: Reason, seats: int, at: int
) -> None:
    # X11, X12, X17, F1, F10.
    assert_blamed(company(liar, seats, at), reason)


@at_every_table
def test_a_rogue_key_is_blamed(seats: int, at: int) -> None:
    # X11.
    assert_blamed(company(liars.CancelsAnother, seats, at), Reason.WRONG_KEY)


# -- shuffles --------------------------------------------------------------------


@pytest.mark.usefixtures("false_proofs_pass")
@at_every_table
@pytest.mark.parametrize("choose", [play_in_order, declare_first])
@pytest.mark.parametrize("liar", liars.FALSE_SHUFFLES)
def test_a_false_shuffle_is_found_by_the_replay(
    liar: type[Liar], choose: Choose, seats: int, at: int
) -> None:
    table = company(liar, seats, at, choose=choose)
    assert_blamed(table, Reason.FALSE_SHUFFLE)
    for party in table.honest:
        assert len(party.judge.decks[0].reveals) == seats


@pytest.mark.usefixtures("false_proofs_pass")
@pytest.mark.parametrize(("seats", "at"), [(2, 0), (3, 0), (3, 2), (4, 3)])
@pytest.mark.parametrize("seed", range(6))
def test_a_false_shuffle_found_while_the_next_deal_runs_blames_no_other(
    seed: int, seats: int, at: int
) -> None:
    # Whoever replays first reveals the running deck too, with the proof.
    table = company(liars.SwapsTwoPairs, seats, at, deals=2, seed=seed)
    assert_blamed(table, Reason.FALSE_SHUFFLE)


@at_every_table
def test_a_false_alarm_is_blamed(seats: int, at: int) -> None:
    assert_blamed(company(liars.CallsAGoodCardSpoiled, seats, at), Reason.FALSE_ALARM)


@at_every_table
def test_an_alarm_with_a_wrong_share_is_blamed(seats: int, at: int) -> None:
    assert_blamed(
        company(liars.ShowsSpoiledWithAWrongShare, seats, at), Reason.WRONG_SHARE
    )


# -- reveals and verdicts ------------------------------------------------------------


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason", "blame"),
    [
        (liars.RevealsEarly, Reason.EARLY_REVEAL, Blame.CHEAT),
        (liars.RevealsAnotherSeed, Reason.WRONG_SEED, Blame.CHEAT),
        (liars.CopiesACommitment, Reason.WRONG_SEED, Blame.CHEAT),
        (liars.SignsAnotherVerdict, Reason.WRONG_VERDICT, Blame.RULE),
        (liars.AccusesAnother, Reason.WRONG_VERDICT, Blame.RULE),
    ],
)
def test_a_false_ending_is_blamed(
    liar: type[Liar], reason: Reason, blame: Blame, seats: int, at: int
) -> None:
    # X5, X17, X18, X27, F9.
    assert_blamed(company(liar, seats, at), reason, blame)


@at_every_table
@pytest.mark.parametrize(
    "liar", [liars.RevealsEarlyOverRubbish, liars.RevealsEarlyOverAnHonestEntry]
)
def test_a_reveal_that_cites_what_proves_nothing_waits_and_blames_nobody(
    liar: type[Liar], seats: int, at: int
) -> None:
    # X27, F9.
    # What is cited may prove a fault to its author that shows here later.
    table = company(liar, seats, at)
    assert_nobody_blamed(table)
    for party in table.honest:
        assert party.judge.record.holds(at)


# -- chains ----------------------------------------------------------------------


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason", "blame"),
    [
        (chain_liars.BreaksItsChain, Reason.BROKEN_CHAIN, Blame.FORK),
        (chain_liars.ForgetsWhatItSaw, Reason.SHRINKING_VIEW, Blame.CHEAT),
        (chain_liars.MiscountsItself, Reason.SHRINKING_VIEW, Blame.CHEAT),
    ],
)
def test_a_false_chain_is_blamed(
    liar: type[Liar], reason: Reason, blame: Blame, seats: int, at: int
) -> None:
    # X23.
    assert_blamed(company(liar, seats, at), reason, blame)


@at_every_table
@pytest.mark.parametrize(
    "liar", [chain_liars.NamesOtherHeads, chain_liars.NamesWhatIsNotThere]
)
def test_a_view_that_nobody_holds_is_awaited_and_blames_nobody(
    liar: type[Liar], seats: int, at: int
) -> None:
    # F5.
    table = company(liar, seats, at)
    assert_nobody_blamed(table)
    for party in table.honest:
        assert party.judge.record.holds(at)
        if liar is chain_liars.NamesOtherHeads:
            assert [e.seat for e in party.judge.record.disputed()] == [at]


def forked(
    liar: type[chain_liars.Forker], seats: int, at: int, seed: int
) -> chain_liars.ForkedCompany:
    table = chain_liars.ForkedCompany(
        toy_opening(), liar, at=at, seats=seats, positions=3 + 2 * seats, seed=seed
    )
    table.play(play_in_order)
    assert table.liar.lied
    return table


@at_every_table
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "liar", [chain_liars.CommitsToTwoSeeds, chain_liars.PlaysTwoCards]
)
def test_two_entries_with_one_number_are_found_wherever_the_chains_meet(
    liar: type[chain_liars.Forker], seed: int, seats: int, at: int
) -> None:
    # X6.
    assert_blamed(forked(liar, seats, at, seed), Reason.FORKED, Blame.FORK)


@at_every_table
@pytest.mark.parametrize("seed", range(3))
def test_a_fork_with_a_false_branch_blames_the_same_seat(
    seed: int, seats: int, at: int
) -> None:
    table = forked(chain_liars.PlaysOneCardAgainstTheRules, seats, at, seed)
    for party in table.honest:
        assert party.judge.stopped
        assert {fault.seat for fault in party.judge.faults} == {at}
        result = audit(table.record_of(party), SMALL, table.opening)
        assert {fault.seat for fault in result.faults} == {at}
        assert result.damage is None


# -- a deck prepared ahead -----------------------------------------------------------


@at_every_table
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (chain_liars.CommitsTwiceAhead, Reason.TWICE),
        (chain_liars.CommitsTwiceToAFinishedDeck, Reason.TWICE),
        (chain_liars.NeedsNoSecretAhead, Reason.WRONG_KEY),
        (chain_liars.ShufflesNoPointsAhead, Reason.WRONG_SHUFFLE),
    ],
)
def test_a_cheat_in_a_deck_prepared_ahead_ends_the_match_after_the_running_deal(
    liar: type[Liar], reason: Reason, seed: int, seats: int, at: int
) -> None:
    # F19.
    table = company(liar, seats, at, deals=2, seed=seed)
    assert_blamed(table, reason)
    for party in table.honest:
        first, *others = party.judge.decks
        assert first.game.over() is Over.SCORED
        assert first.replayed is not None
        assert sorted(first.verdicts) == list(range(seats))
        assert all(not deck.acts for deck in others)


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason", "blame"),
    [
        (chain_liars.CheatsInTheSecondDeal, Reason.NOT_DEALT, Blame.CHEAT),
        (chain_liars.ForksAnOldEntry, Reason.FORKED, Blame.FORK),
    ],
)
def test_a_cheat_takes_back_no_finished_deal(
    liar: type[Liar], reason: Reason, blame: Blame, seats: int, at: int
) -> None:
    # F8.
    table = company(liar, seats, at, deals=2)
    assert_blamed(table, reason, blame)
    for party in table.honest:
        result = audit(table.record_of(party), SMALL, table.opening)
        for judge in (party.judge, result.judge):
            assert judge.decks[0].game.over() is Over.SCORED
            assert blame is Blame.FORK or judge.decks[0].verified


# -- what proves nothing ---------------------------------------------------------------


@at_every_table
def test_seats_that_differ_on_the_plan_stop_and_blame_nobody(
    seats: int, at: int
) -> None:
    # F17.
    table = company(chain_liars.ReadyForAnotherPlan, seats, at)
    assert_nobody_blamed(table)
    for party in table.honest:
        assert party.judge.stopped
        assert all(not deck.share_entries for deck in party.judge.decks)


@at_every_table
def test_a_differing_plan_for_the_next_deck_lets_the_running_deal_end(
    seats: int, at: int
) -> None:
    table = company(chain_liars.ReadyForAnotherPlanAhead, seats, at, deals=2)
    assert_nobody_blamed(table)
    for party in table.honest:
        first, *others = party.judge.decks
        assert party.judge.stopped
        assert first.game.over() is Over.SCORED
        assert party.judge.decks[0].verified
        assert all(not deck.share_entries for deck in others)


@at_every_table
def test_silence_blames_nobody(seats: int, at: int) -> None:
    # F12.
    table = company(chain_liars.Silent, seats, at)
    assert_nobody_blamed(table)
    assert not any(party.judge.stopped for party in table.honest)


@at_every_table
def test_an_entry_of_another_match_is_the_links_fault_alone(
    seats: int, at: int
) -> None:
    # X21.
    here, there = (
        company(chain_liars.Silent, seats, at),
        company(chain_liars.Silent, seats, at, seed=1),
    )
    foreign = [e.signed for log in there.liar.judge.record.logs for e in log.entries]
    for party in here.honest:
        before = party.judge.record.counts()
        for signed in foreign:
            assert party.receive(signed).link_fault is not None
        assert party.judge.record.counts() == before
    assert_nobody_blamed(here)


def test_a_flipped_bit_is_the_links_fault_alone() -> None:
    table = company(chain_liars.Silent, 2, 0)
    (party,) = table.honest
    signed = table.liar.judge.record.logs[0].entries[-1].signed
    for at in range(0, len(signed.encoded), 7):
        flipped = bytearray(signed.encoded)
        flipped[at] ^= 4
        findings = party.receive(Signed(bytes(flipped), signed.signature))
        assert findings.link_fault is not None
        assert findings.faults == ()
    assert_nobody_blamed(table)


def test_an_accusation_without_proof_says_nothing() -> None:
    # X27.
    table = company(chain_liars.Silent, 3, 0)
    honest, other = table.honest
    entry = honest.judge.record.logs[honest.seat].entries[-1]
    for signed in (entry.signed, Signed(entry.signed.encoded, bytes(64))):
        assert other.receive(signed).faults == ()
    assert_nobody_blamed(table)
