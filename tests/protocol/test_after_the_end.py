"""What is signed when all is played, or shown only then, takes no win away.

With the tables of `tests.protocol.test_malice`. The liar is named all the same, by
every honest seat and by an auditor of its record.
"""

import pytest

from protocol.archive import read_archive, write_archive
from protocol.audit import Harm, audit
from protocol.faults import Blame, Reason, Signed
from protocol.party import Party
from tests.protocol.test_malice import (
    assert_any_order_names,
    assert_kept,
    assert_nobody_blamed,
    company,
    kinds,
)
from tests.support import chain_liars, late_liars, liars
from tests.support.malice import Company, Liar, play_in_order
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening

TABLES = [(2, 1), (3, 0), (4, 3)]
at_every_table = pytest.mark.parametrize(("seats", "at"), TABLES)


def assert_won(
    table: Company, reason: Reason, blame: Blame, *, confirmed: bool = False
) -> None:
    """Every honest seat has won or lost as it would without the lie, and knows it."""
    expected = [(table.liar.seat, blame, reason)]
    for party in table.honest:
        judge = party.judge
        assert judge.course.won
        assert party.settled
        assert not judge.stopped
        assert judge.course.confirmed or not confirmed
        assert kinds(judge.faults) == expected
        assert_kept(table, party)
        result = audit(table.record_of(party), SMALL, table.opening)
        assert (result.sound, result.damage) == (True, None)
        assert kinds(result.late) == expected
        assert result.finished == judge.course.confirmed
    assert_any_order_names(table, blame, reason)


LATE: dict[type[Liar], tuple[Reason, Blame]] = {
    late_liars.ConfirmsTwice: (Reason.TWICE, Blame.CHEAT),
    late_liars.TakesItsResultBack: (Reason.TWICE, Blame.CHEAT),
    late_liars.PlaysOn: (Reason.OUT_OF_ORDER, Blame.CHEAT),
    late_liars.BeginsAnotherDeck: (Reason.OUT_OF_ORDER, Blame.CHEAT),
    late_liars.RevealsADeckThatWasNeverDealt: (Reason.OUT_OF_ORDER, Blame.CHEAT),
    late_liars.ResignsWhenItIsOver: (Reason.OUT_OF_ORDER, Blame.CHEAT),
    late_liars.BreaksItsChainWhenItIsOver: (Reason.BROKEN_CHAIN, Blame.FORK),
    late_liars.ForgetsWhenItIsOver: (Reason.SHRINKING_VIEW, Blame.CHEAT),
    late_liars.ShowsAnotherPlayWhenItIsOver: (Reason.FORKED, Blame.FORK),
}


@at_every_table
@pytest.mark.parametrize("liar", LATE)
def test_what_is_signed_after_the_result_takes_no_win_away(
    liar: type[Liar], seats: int, at: int
) -> None:
    # F8, F13, X28.
    reason, blame = LATE[liar]
    # Who sees two plays before the verdict looks at nothing of that seat any more.
    confirmed = reason is not Reason.FORKED
    assert_won(company(liar, seats, at), reason, blame, confirmed=confirmed)


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason", "blame"),
    [
        (late_liars.DeniesTheResult, Reason.WRONG_VERDICT, Blame.RULE),
        (late_liars.BlamesAnotherInTheEnd, Reason.WRONG_VERDICT, Blame.RULE),
        (late_liars.SharesInsteadOfItsVerdict, Reason.OUT_OF_ORDER, Blame.CHEAT),
    ],
)
def test_who_does_not_confirm_takes_no_win_away(
    liar: type[Liar], reason: Reason, blame: Blame, seats: int, at: int
) -> None:
    # F8, X5, X28: the score that all can calculate counts.
    assert_won(company(liar, seats, at), reason, blame)


@at_every_table
def test_who_shows_a_second_verdict_takes_no_win_away(seats: int, at: int) -> None:
    # X6: where it comes before the first one it is false, and both are a fork.
    table = company(late_liars.ShowsAnotherVerdictWhenItIsOver, seats, at)
    for party in table.honest:
        assert (party.judge.course.won, party.judge.stopped) == (True, False)
        assert {fault.seat for fault in party.judge.faults} == {at}
        result = audit(table.record_of(party), SMALL, table.opening)
        assert (result.sound, {fault.seat for fault in result.late}) == (True, {at})


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (chain_liars.CommitsTwiceAhead, Reason.TWICE),
        (chain_liars.NeedsNoSecretAhead, Reason.WRONG_KEY),
        (chain_liars.ShufflesNoPointsAhead, Reason.WRONG_SHUFFLE),
    ],
)
def test_a_cheat_in_a_deck_that_is_never_dealt_takes_no_win_away(
    liar: type[Liar], reason: Reason, seats: int, at: int
) -> None:
    # F8, F19: the running deal is played out, and it was the last.
    table = Company(
        toy_opening(deals=2, ends_early=True),
        liar,
        at=at,
        seats=seats,
        positions=3 + 2 * seats,
    )
    table.play(play_in_order)
    assert table.liar.lied
    assert_won(table, reason, Blame.CHEAT, confirmed=True)


@at_every_table
@pytest.mark.parametrize(
    "liar", [liars.RevealsAnotherSeed, late_liars.SharesInsteadOfItsSeed]
)
def test_a_match_whose_last_seed_will_never_come_is_not_won(
    liar: type[Liar], seats: int, at: int
) -> None:
    # F8: nobody can tell any more whether its author had stacked the deck.
    table = company(liar, seats, at)
    for party in table.honest:
        assert party.judge.stopped
        assert not party.judge.course.won
        result = audit(table.record_of(party), SMALL, table.opening)
        assert (result.stopped, result.sound, result.late) == (True, False, ())


def test_a_fault_is_told_when_no_seed_can_come_any_more_and_not_before() -> None:
    """Else the loser's rubbish, if it is quick, would stop a match that is won."""
    table = company(late_liars.SharesInsteadOfItsVerdict, 3, 0)
    party, other = table.honest
    judge = Party(SMALL, party._secrets, table.terms, table.nonce, table.opening).judge
    late = other.judge.decks[-1].reveals[other.seat]
    signed = [
        entry.signed
        for log in party.judge.record.logs
        for entry in log.entries
        if entry.id != late.id and not entry.covers(late)
    ]
    for one in (*signed, *party.judge.faults[0].evidence):
        tasks = list(judge.receive(one).tasks)
        while tasks:
            task = tasks.pop()
            tasks += judge.done(task, task.run()).tasks
    assert not judge.stopped
    assert not judge.settled


# -- what is kept back ------------------------------------------------------------


@at_every_table
@pytest.mark.parametrize(
    "liar", [late_liars.KeepsItsLastCard, late_liars.KeepsItsShareOfADrawnCard]
)
def test_who_keeps_a_card_or_a_share_takes_no_finished_deal_away(
    liar: type[Liar], seats: int, at: int
) -> None:
    # X14, X20, F8, F12: silence is no cheat, and undoes nothing.
    table = company(liar, seats, at, deals=2)
    assert_nobody_blamed(table)
    for party in table.honest:
        first, second = party.judge.decks
        assert first.verified
        assert sorted(first.verdicts) == list(range(seats))
        assert second.game.over() is None
        assert not second.reveals
        assert not party.judge.stopped
        result = audit(table.record_of(party), SMALL, table.opening)
        assert (result.sound, result.finished) == (True, False)


# -- the record of such a match ---------------------------------------------------


def test_a_record_with_a_late_lie_is_still_damaged_by_what_is_missing() -> None:
    table = company(late_liars.ConfirmsTwice, 2, 0)
    (party,) = table.honest
    chains = [list(party.judge.record.signed(seat)) for seat in range(2)]
    for seat, chain in enumerate(chains):
        for seq in range(2, len(chain) - 2):
            left = [one for one in chain if one is not chain[seq]]
            both = [left if at == seat else other for at, other in enumerate(chains)]
            result = audit(write_archive(both), SMALL, table.opening)
            assert not result.sound


def test_a_record_with_a_late_lie_holds_nothing_but_what_stands_and_proves_it() -> None:
    table = company(late_liars.ConfirmsTwice, 2, 0)
    (party,) = table.honest
    data = table.record_of(party)
    for again in read_archive(data)[::5]:
        chains = [party.judge.record.signed(seat) for seat in range(2)]
        found = audit(write_archive([*chains, (again,)]), SMALL, table.opening)
        assert found.damage is not None
        assert found.damage.harm is Harm.MISPLACED
        assert not found.sound
    flipped = Signed(again.encoded, bytes(64))
    found = audit(write_archive([*chains, (flipped,)]), SMALL, table.opening)
    assert found.damage is not None
