"""Attacks around leaving: on a match that was given up, and by calling a deal void.

With the tables and the questions of `tests.protocol.test_malice`.
"""

import pytest

from protocol.audit import audit
from protocol.entry import Kind
from protocol.faults import Blame, Reason
from protocol.judge import Findings
from protocol.party import Party
from tests.protocol.test_leaving import come_to_rest
from tests.protocol.test_malice import assert_any_order_names, assert_blamed, kinds
from tests.support import chain_liars, hasty_liars, leaving_liars
from tests.support.malice import Company, Liar, play_in_order
from tests.support.parties import Choose
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening

at_every_size = pytest.mark.parametrize(("seats", "at"), [(2, 1), (3, 0), (4, 3)])


def left(liar: type[Liar], seats: int, at: int, deals: int = 1) -> Company:
    kind = leaving_liars.table_of(liar)
    table = kind(
        toy_opening(deals=deals), liar, at=at, seats=seats, positions=1 + 2 * seats + 2
    )
    table.play(play_in_order)
    assert table.liar.lied, "the attack was not made"
    return table


# -- given up --------------------------------------------------------------------


@at_every_size
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (leaving_liars.PlaysOnWhenAnotherHasResigned, Reason.GIVEN_UP),
        (leaving_liars.ResignsWhenAnotherHas, Reason.GIVEN_UP),
        (leaving_liars.AdjournsWhenAnotherHasResigned, Reason.GIVEN_UP),
        (leaving_liars.ResignsAfterTheEnd, Reason.OUT_OF_ORDER),
        (leaving_liars.ResignsWithABody, Reason.MALFORMED),
        (leaving_liars.AcceptsNothing, Reason.OUT_OF_ORDER),
        (leaving_liars.AcceptsTwice, Reason.TWICE),
    ],
)
def test_after_a_resignation_nothing_is_signed_but_what_ends_the_match(
    liar: type[Liar], reason: Reason, seats: int, at: int
) -> None:
    # F8.
    assert_blamed(left(liar, seats, at), reason)


@at_every_size
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (leaving_liars.PlaysOnAfterResigning, Reason.GIVEN_UP),
        (leaving_liars.ResignsTwice, Reason.GIVEN_UP),
        (leaving_liars.CommitsAfterResigning, Reason.GIVEN_UP),
        (leaving_liars.RevealsAfterResigning, Reason.EARLY_REVEAL),
        (leaving_liars.AcceptsItsOwnResignation, Reason.OUT_OF_ORDER),
    ],
)
def test_who_has_resigned_cannot_undo_it_by_a_lie(
    liar: type[Liar], reason: Reason, seats: int, at: int
) -> None:
    # F8: it is named, and the end stands.
    table = left(liar, seats, at)
    expected = [(at, Blame.CHEAT, reason)]
    for party in table.honest:
        assert kinds(party.judge.faults) == expected
        assert not party.judge.stopped
        assert party.judge.course.given_up == (at,)
        assert party.settled
        result = audit(table.record_of(party), SMALL, table.opening)
        assert kinds(result.late) == expected
        assert result.sound
        assert result.finished


@at_every_size
def test_a_resignation_that_is_taken_back_is_a_fork(seats: int, at: int) -> None:
    # X6.
    table = left(leaving_liars.TakesItsResignationBack, seats, at)
    for party in table.honest:
        (fault,) = party.judge.faults
        assert (fault.seat, fault.blame) == (at, Blame.FORK)
    assert_any_order_names(table, Blame.FORK, Reason.FORKED)


class ResignsAtLast(Company):
    """The liar gives the match up as soon as it has lied."""

    def _act(self, party: Party, choose: Choose) -> bool:
        if self.liar.lied and self.liar.can(Kind.RESIGN):
            self.take(self._at, self.liar.tell(Kind.RESIGN))
            return True
        return super()._act(party, choose)


@at_every_size
@pytest.mark.parametrize(
    "liar", [chain_liars.ShufflesNoPointsAhead, chain_liars.GoesOnAfterACheatAhead]
)
def test_a_resignation_hides_no_cheat_in_a_deck_made_ahead(
    liar: type[Liar], seats: int, at: int
) -> None:
    # F19: it would have counted after the running deal, which is not played on.
    table = ResignsAtLast(
        toy_opening(deals=2), liar, at=at, seats=seats, positions=3 + 2 * seats
    )
    table.play(play_in_order)
    assert table.liar.lied
    for party in table.honest:
        assert {fault.seat for fault in party.judge.faults} == {at}
        assert party.judge.stopped
        result = audit(table.record_of(party), SMALL, table.opening)
        assert {fault.seat for fault in result.faults} == {at}


# -- adjourned -------------------------------------------------------------------


@at_every_size
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (leaving_liars.AdjournsTwice, Reason.TWICE),
        (leaving_liars.AdjournsAfterTheEnd, Reason.OUT_OF_ORDER),
    ],
)
def test_a_seat_adjourns_once_and_before_the_end(
    liar: type[Liar], reason: Reason, seats: int, at: int
) -> None:
    # X30: pauses without end would fill every record.
    assert_blamed(left(liar, seats, at), reason)


# -- called void -----------------------------------------------------------------


@at_every_size
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (leaving_liars.CallsAnEarlierStateVoid, Reason.VOIDED),
        (leaving_liars.CallsALaterStateVoid, Reason.VOIDED),
        (leaving_liars.CallsVoidAndPlaysOn, Reason.VOIDED),
        (leaving_liars.PlaysOnAVoidDeal, Reason.VOIDED),
        (leaving_liars.RefusesAnotherProposal, Reason.VOIDED),
        (leaving_liars.CallsAFinishedDealVoid, Reason.OUT_OF_ORDER),
        (leaving_liars.CallsADealVoidBeforeItLies, Reason.OUT_OF_ORDER),
        (leaving_liars.RefusesWhatNobodyAsks, Reason.OUT_OF_ORDER),
        (leaving_liars.CallsVoidTwice, Reason.TWICE),
        (leaving_liars.CallsVoidAndRefuses, Reason.TWICE),
        (leaving_liars.RefusesTwice, Reason.TWICE),
        (leaving_liars.AgreesAfterRefusing, Reason.TWICE),
        (leaving_liars.RevealsAfterCallingVoid, Reason.EARLY_REVEAL),
    ],
)
def test_a_void_undoes_nothing_that_was_played_and_is_answered_once(
    liar: type[Liar], reason: Reason, seats: int, at: int
) -> None:
    # F7.
    assert_blamed(left(liar, seats, at), reason)


@pytest.mark.parametrize(("seats", "at"), [(3, 0), (4, 3)])
@pytest.mark.parametrize(
    "liar", [leaving_liars.AgreesToWhatIsRefused, leaving_liars.RefusesWhatIsRefused]
)
def test_a_void_that_one_has_refused_is_dead_for_good(
    liar: type[Liar], seats: int, at: int
) -> None:
    # F7.
    assert_blamed(left(liar, seats, at), Reason.OUT_OF_ORDER)


@at_every_size
def test_a_void_names_the_state_that_everybody_sees(seats: int, at: int) -> None:
    # F7.
    table = left(leaving_liars.CallsAnotherStateVoid, seats, at)
    assert_blamed(table, Reason.WRONG_STATE, Blame.RULE)


@at_every_size
def test_after_a_void_nobody_deals_by_what_was_said_of_the_next_deal(
    seats: int, at: int
) -> None:
    # F17.
    table = left(leaving_liars.IsNotReadyAgain, seats, at, deals=2)
    assert_blamed(table, Reason.OUT_OF_ORDER)


# -- silent ----------------------------------------------------------------------


class PlaysNoCard(Liar):
    """Has seen its hand, and says nothing more."""

    def _owed(self) -> Findings | None:
        self.lied |= self.playing
        return super()._owed()


class KeepsItsVerdict(Liar):
    """Does not sign how the match has ended."""

    goes_on = True

    def _owed_verdict(self) -> None:
        self.lied |= any(deck.replayed for deck in self.judge.decks)

    def _owed_acceptance(self) -> None:
        self.lied = True


@at_every_size
@pytest.mark.parametrize(
    "liar", [chain_liars.Silent, PlaysNoCard, hasty_liars.KeepsItsCoin]
)
def test_who_is_silent_loses_nothing_and_keeps_nobody(
    liar: type[Liar], seats: int, at: int
) -> None:
    # X14, X19, X20, F12: no clock makes anybody lose. The others can go home for today,
    # or give the match up themselves; nobody can have it scored without that seat.
    table = Company(toy_opening(), liar, at=at, seats=seats, positions=3 + 2 * seats)
    table.play(play_in_order)
    for party in table.honest:
        assert party.judge.faults == []
        assert not party.judge.ended
        result = audit(table.record_of(party), SMALL, table.opening)
        assert result.sound
        assert not result.finished
    begun = [party for party in table.honest if party.can(Kind.ADJOURN)]
    assert bool(begun) == (liar is not hasty_liars.KeepsItsCoin)
    for party in begun:
        table.take(party.seat, party.tell(Kind.ADJOURN))
    come_to_rest(table)
    away = {party.seat for party in begun}
    for party in begun:
        assert party.judge.course.leaving.away == away
        assert not party.judge.ended
        assert [deck.reveals for deck in party.judge.decks] == [{}]


@at_every_size
@pytest.mark.parametrize("word", [None, Kind.RESIGN])
def test_a_result_stands_without_the_word_of_who_has_lost(
    word: Kind | None, seats: int, at: int
) -> None:
    # X28, F13: it is not confirmed, and says who has not signed.
    kind = Company if word is None else leaving_liars.GivenUp
    table = kind(
        toy_opening(), KeepsItsVerdict, at=at, seats=seats, positions=3 + 2 * seats
    )
    table.play(play_in_order)
    assert table.liar.lied
    for party in table.honest:
        assert party.judge.faults == []
        assert party.judge.course.ended
        assert party.judge.course.unsigned == (at,)
        assert not party.settled
        result = audit(table.record_of(party), SMALL, table.opening)
        assert result.sound
        assert not result.finished
