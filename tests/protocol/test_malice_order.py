"""Entries signed too early, too late, twice, or of no kind that there is.

With the tables and the questions of `tests.protocol.test_malice`.
"""

import pytest

from protocol.entry import Kind
from protocol.faults import Reason, Signed
from protocol.game import Over
from protocol.judge import Findings
from tests.protocol.test_malice import (
    assert_blamed,
    assert_nobody_blamed,
    at_every_table,
    company,
)
from tests.protocol.test_shuffle_malice import assert_no_card_seen
from tests.support import chain_liars, hasty_liars, liars, second_liars
from tests.support.malice import Company, Liar, play_in_order
from tests.support.toy_game import toy_opening

# -- too early, or too late ------------------------------------------------------


@at_every_table
@pytest.mark.parametrize(
    "liar",
    [
        hasty_liars.OpensItsCoinEarly,
        hasty_liars.GivesItsKeyBeforeItCommits,
        hasty_liars.ShufflesBeforeItsKey,
        hasty_liars.IsReadyBeforeItsKey,
        hasty_liars.IsNeverReady,
        hasty_liars.PlaysBeforeTheTableLies,
        hasty_liars.CallsAFinishedDealSpoiled,
        hasty_liars.SignsItsVerdictEarly,
        hasty_liars.SignsAVerdictOnNoDeck,
    ],
)
def test_what_is_signed_before_what_it_depends_on_is_blamed(
    liar: type[Liar], seats: int, at: int
) -> None:
    # F4, F17: no share before all are ready; F10: no coin before all have signed.
    assert_blamed(company(liar, seats, at), Reason.OUT_OF_ORDER)


@pytest.mark.parametrize(("seats", "at"), [(2, 0), (2, 1), (3, 1), (3, 2), (4, 3)])
@pytest.mark.parametrize(
    "liar",
    [
        hasty_liars.GivesItsKeyLookingBack,
        hasty_liars.SharesLookingBack,
        hasty_liars.SignsItsVerdictLookingBack,
    ],
)
def test_who_says_that_it_has_not_seen_what_it_needs_is_blamed(
    liar: type[Liar], seats: int, at: int
) -> None:
    # F5: it is judged in the view that it names, not in what others hold.
    assert_blamed(company(liar, seats, at), Reason.OUT_OF_ORDER)


@pytest.mark.parametrize(("seats", "at"), [(2, 1), (3, 1), (3, 2), (4, 3)])
def test_a_shuffle_before_the_one_that_it_shuffles_is_blamed(
    seats: int, at: int
) -> None:
    table = company(hasty_liars.ShufflesBeforeItsTurn, seats, at)
    assert_blamed(table, Reason.OUT_OF_ORDER)


@at_every_table
def test_no_share_of_the_next_deck_is_given_while_a_deal_is_played(
    seats: int, at: int
) -> None:
    # F18, X15.
    table = company(hasty_liars.SharesTheNextDeckEarly, seats, at, deals=2)
    assert_blamed(table, Reason.OUT_OF_ORDER)
    for party in table.honest:
        assert len(party.judge.decks) == 1


@at_every_table
def test_a_deck_that_nobody_knows_the_need_of_is_not_begun(seats: int, at: int) -> None:
    # F1: the next deck is the lowest that is not spent; F19: the deal is played out.
    table = company(hasty_liars.CommitsAheadBeforeTheTableLies, seats, at, deals=2)
    assert_blamed(table, Reason.OUT_OF_ORDER)
    for party in table.honest:
        assert party.judge.decks[0].game.over() is Over.SCORED


@pytest.mark.parametrize(("seats", "at"), [(2, 0), (3, 0)])
def test_a_key_of_a_deck_that_nobody_has_committed_to_is_blamed(
    seats: int, at: int
) -> None:
    # F1, F19.
    table = company(hasty_liars.GivesAKeyOfADeckNotBegun, seats, at, deals=2)
    assert_blamed(table, Reason.OUT_OF_ORDER)


@at_every_table
def test_a_reveal_that_cites_a_proof_when_the_deal_is_over_is_blamed(
    seats: int, at: int
) -> None:
    # F9.
    table = company(hasty_liars.CitesAProofAfterTheEnd, seats, at)
    assert_blamed(table, Reason.MALFORMED)


# -- twice -----------------------------------------------------------------------


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (second_liars.SignsTheTermsTwice, Reason.OUT_OF_ORDER),
        (second_liars.OpensItsCoinTwice, Reason.OUT_OF_ORDER),
        (second_liars.GivesItsKeyTwice, Reason.TWICE),
        (second_liars.ShufflesTwice, Reason.TWICE),
        (second_liars.IsReadyTwice, Reason.TWICE),
        (second_liars.RevealsTwice, Reason.TWICE),
    ],
)
def test_a_second_entry_where_there_is_one_is_blamed(
    liar: type[Liar], reason: Reason, seats: int, at: int
) -> None:
    # F1, F2: one commitment, key, shuffle, proof and reveal a deck.
    assert_blamed(company(liar, seats, at), reason)


@pytest.mark.parametrize(
    ("seats", "at", "seed"), [(2, 0, 0), (2, 1, 0), (3, 0, 1), (3, 2, 0), (4, 3, 0)]
)
def test_a_second_verdict_is_blamed_and_takes_no_result_back(
    seats: int, at: int, seed: int
) -> None:
    # F8, X5.
    table = company(second_liars.SignsItsVerdictTwice, seats, at, seed=seed)
    assert_blamed(table, Reason.TWICE)
    for party in table.honest:
        assert party.judge.course.match_over
        assert party.judge.course.verified
        assert party.judge.record.signed(party.seat)[-1:] != ()


@at_every_table
def test_two_good_signatures_of_one_entry_are_one_entry(seats: int, at: int) -> None:
    # F15, X22.
    table = TwoSignatures(
        toy_opening(),
        second_liars.SignsAllTwice,
        at=at,
        seats=seats,
        positions=3 + 2 * seats,
    )
    table.play(play_in_order)
    assert table.liar.lied
    assert_nobody_blamed(table)
    ids = set()
    for party in table.honest:
        assert party.settled
        logs = party.judge.record.logs
        ids.add(tuple(entry.id for log in logs for entry in log.entries))
    assert len(ids) == 1


class TwoSignatures(Company):
    """What the liar signs reaches some of the others under another signature."""

    def send(self, author: int, signed: Signed) -> None:
        super().send(author, signed)
        liar = self.parties[author]
        if isinstance(liar, second_liars.SignsAllTwice):
            other = liar.other(signed)
            self.under_way += [(party.seat, other) for party in self.honest]


# -- kinds that are none ---------------------------------------------------------


@at_every_table
def test_no_deal_is_ended_by_a_kind_that_this_version_does_not_have(
    seats: int, at: int
) -> None:
    # F8, X29: so nobody can say either that another has run out of time.
    liar = second_liars.SignsAnUnknownKind
    assert_blamed(company(liar, seats, at), Reason.MALFORMED)


# -- numbers ---------------------------------------------------------------------


@at_every_table
@pytest.mark.parametrize(
    "liar", [chain_liars.SkipsANumber, chain_liars.NumbersItFarAhead]
)
def test_a_gap_in_a_chain_is_awaited_and_blames_nobody(
    liar: type[Liar], seats: int, at: int
) -> None:
    # X23.
    table = company(liar, seats, at)
    assert_nobody_blamed(table)
    for party in table.honest:
        assert not party.judge.stopped
        assert party.judge.record.waiting()


# -- the coin --------------------------------------------------------------------


@at_every_table
def test_who_keeps_its_coin_decides_nothing(seats: int, at: int) -> None:
    # F10: no table, no places, no card; nobody is blamed for silence.
    table = company(hasty_liars.KeepsItsCoin, seats, at)
    assert_nobody_blamed(table)
    assert_no_card_seen(table)
    for party in table.honest:
        assert party.judge.record.table_id is None
        assert party.judge.course.start is None


@at_every_table
def test_a_copied_coin_does_not_open(seats: int, at: int) -> None:
    # X18, F10: the commitment names its author's key.
    assert_blamed(company(liars.CopiesACoin, seats, at), Reason.WRONG_COIN)


# -- several together ------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "at", "too"), [(3, 0, (1,)), (3, 2, (0,)), (4, 3, (1,)), (4, 0, (1, 2))]
)
def test_several_who_are_ready_for_another_deal_see_no_card_of_anybody(
    seats: int, at: int, too: tuple[int, ...]
) -> None:
    # X16, F17: whose cards they are is in what all must have said alike.
    table = ring(chain_liars.ReadyForAnotherPlan, seats, at, too)
    assert_nobody_blamed(table)
    for party in table.honest:
        assert party.judge.stopped
        assert all(not deck.share_entries for deck in party.judge.decks)


@pytest.mark.parametrize(
    ("seats", "at", "too"), [(3, 0, (1,)), (3, 2, (0,)), (4, 3, (1,)), (4, 0, (1, 2))]
)
def test_several_who_share_more_than_they_owe_lack_the_share_of_the_owner(
    seats: int, at: int, too: tuple[int, ...]
) -> None:
    # X15, X16.
    table = ring(liars.SharesItsOwnCardsToo, seats, at, too)
    for party in table.honest:
        blamed = {fault.seat for fault in party.judge.faults}
        assert at in blamed
        assert blamed <= {at, *too}
        assert {fault.reason for fault in party.judge.faults} == {Reason.MALFORMED}
        deck = party.judge.deck
        assert deck is not None
        for position in deck.owned_by(party.seat):
            assert party.seat not in deck.shares_of(position)


def ring(liar: type[Liar], seats: int, at: int, too: tuple[int, ...]) -> Company:
    table = Company(
        toy_opening(),
        type("InARing", (InARing, liar), {}),
        at=at,
        at_too=too,
        seats=seats,
        positions=3 + 2 * seats,
    )
    table.play(play_in_order)
    for seat in (at, *too):
        liar_there = table.parties[seat]
        assert isinstance(liar_there, Liar)
        assert liar_there.lied
    return table


class InARing(Liar):
    """Does not mind what its friends do."""

    def _owed(self) -> Findings | None:
        self.judge.faults.clear()
        self.judge.course._differing = None
        return super()._owed()


@at_every_table
@pytest.mark.parametrize(
    "liar",
    [
        liars.RevealsEarly,
        liars.RevealsEarlyOverRubbish,
        liars.RevealsEarlyOverAnHonestEntry,
    ],
)
def test_nobody_reveals_because_another_does(
    liar: type[Liar], seats: int, at: int
) -> None:
    # F9, X15: an early "please reveal" shows its author's seed alone, or none.
    table = company(liar, seats, at)
    for party in table.honest:
        revealed = [
            entry
            for log in party.judge.record.logs
            for entry in log.entries
            if entry.kind == Kind.REVEAL
        ]
        blamed = bool(party.judge.faults)
        assert blamed == (liar is liars.RevealsEarly)
        # A proven cheat ends the deal, and only then are seeds due.
        assert bool(revealed) == blamed
