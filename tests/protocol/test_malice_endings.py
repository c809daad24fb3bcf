"""Attacks around the end of a deal: owed seeds, differing proofs, rules shown late.

With the tables and the questions of `tests.protocol.test_malice`.
"""

import pytest

from protocol.audit import audit
from protocol.codec import Value
from protocol.entry import Kind
from protocol.faults import Blame, Reason
from protocol.held import HELD_MAX
from protocol.party import Party
from tests.protocol.test_malice import (
    assert_blamed,
    at_every_table,
    company,
    kinds,
)
from tests.support import chain_liars, liars
from tests.support.malice import Company, Liar, play_in_order
from tests.support.parties import judged
from tests.support.small_group import SMALL
from tests.support.toy_game import PLAY, toy_opening

# -- seeds that are owed ---------------------------------------------------------


@at_every_table
def test_who_keeps_the_seed_of_one_deck_gets_no_card_of_the_next(
    seats: int, at: int
) -> None:
    # F8.
    # Without its seed nobody can tell whether it stacked the deck.
    table = company(liars.WithholdsItsSeed, seats, at, deals=2)
    assert_blamed(table, Reason.OUT_OF_ORDER)


@at_every_table
def test_a_match_is_not_over_while_a_seed_is_owed(seats: int, at: int) -> None:
    # F8, F13.
    opening = toy_opening()
    table = Company(
        opening, liars.WithholdsItsSeed, at=at, seats=seats, positions=3 + 2 * seats
    )
    table.play(play_in_order)
    for party in table.honest:
        assert party.judge.course.match_over
        assert not party.settled
        result = audit(table.record_of(party), SMALL, table.opening)
        assert result.sound
        assert not result.finished


@at_every_table
def test_who_has_revealed_a_deck_says_no_more_about_it(seats: int, at: int) -> None:
    table = company(liars.SaysMoreAfterItsSeed, seats, at, deals=2)
    assert_blamed(table, Reason.OUT_OF_ORDER)


@at_every_table
@pytest.mark.parametrize("seed", range(3))
def test_a_cheat_that_goes_on_never_makes_another_look_guilty(
    seed: int, seats: int, at: int
) -> None:
    table = company(chain_liars.GoesOnAfterACheatAhead, seats, at, deals=2, seed=seed)
    found = {
        one
        for party in table.honest
        for seat in range(seats)
        for one in party.judge.record.signed(seat)
    }
    judges = [party.judge for party in table.honest]
    judges += [judged(table, sorted(found), order) for order in range(10)]
    for judge in judges:
        assert {fault.seat for fault in judge.faults} == {at}
    for party in table.honest:
        result = audit(table.record_of(party), SMALL, table.opening)
        assert {fault.seat for fault in result.faults} == {at}


@at_every_table
def test_the_largest_entry_there_is_can_be_proven_false(seats: int, at: int) -> None:
    assert_blamed(company(liars.FillsAnEntry, seats, at), Reason.MALFORMED)


# -- proofs that differ from seat to seat ----------------------------------------


def reveals_of(party: Party, seat: int) -> int:
    """How many reveals of another seat a party holds as standing."""
    entries = party.judge.record.logs[seat].entries
    return sum(entry.kind == Kind.REVEAL for entry in entries)


def told_apart() -> Company:
    """A table where the liar sends each honest seat its own false entry."""
    table = Company(toy_opening(), chain_liars.Silent, at=0, seats=3, positions=9)
    while table.step():
        pass
    first_bad = table.liar.signed(Kind.ACT, None)
    for number, party in enumerate(table.honest):
        bad = first_bad
        if number:
            bad = table.liar.signed(Kind.ACT, (0,))
        table.take(party.seat, party.receive(bad.signed))
    while table.step():
        pass
    return table


def test_two_false_entries_sent_apart_stop_nobody_from_revealing() -> None:
    table = told_apart()
    first, second = table.honest
    for party, other in ((first, second), (second, first)):
        assert {fault.seat for fault in party.judge.faults} == {0}
        assert reveals_of(party, other.seat) == 1
        assert not party.judge.record.holds(other.seat)


def test_a_rule_that_only_a_later_card_shows_blames_its_owner() -> None:
    # Nobody can tell when it is broken; the act that opens the card tells everybody.
    found = 0
    for seed in range(40):
        opening = toy_opening(lowest_first=True)
        table = Company(opening, Liar, at=0, seats=2, positions=7, seed=seed)
        table.play(highest_first)
        for party in table.parties:
            faults = party.judge.faults
            if not faults:
                continue
            found += 1
            assert kinds(faults) == [(faults[0].seat, Blame.RULE, Reason.AGAINST_RULES)]
            result = audit(table.record_of(party), SMALL, opening)
            assert kinds(result.faults) == kinds(faults)
    assert found > 4


def highest_first(party: Party) -> tuple[tuple[int, ...], Value] | None:
    """Play the highest card that may be played."""
    deck = party.judge.deck
    assert deck is not None
    opened = deck.opened
    held = {at: v for at, v in party.cards().items() if v and at not in opened}
    if not deck.acts:
        held = {at: v for at, v in held.items() if v < deck.game.positions - 1}
    last = {at: 0 for at, v in party.cards().items() if v == 0 and at not in opened}
    at = max(held or last, key=lambda at: (held or last)[at])
    return (at,), PLAY


@at_every_table
def test_a_wrong_plan_for_a_deck_that_is_never_dealt_takes_no_win_away(
    seats: int, at: int
) -> None:
    # The last deal of a match ends it, whatever was said about a deck after it.
    table = Company(
        toy_opening(deals=2, ends_early=True),
        chain_liars.ReadyForAnotherPlanAhead,
        at=at,
        seats=seats,
        positions=3 + 2 * seats,
    )
    table.play(play_in_order)
    assert table.liar.lied
    for party in table.honest:
        assert party.judge.course.match_over
        assert not party.judge.stopped
        assert party.settled
        result = audit(table.record_of(party), SMALL, table.opening)
        assert result.sound
        assert result.finished


def test_a_fork_is_proven_by_its_pair_however_much_else_is_held() -> None:
    table = Company(toy_opening(), chain_liars.Silent, at=0, seats=2, positions=7)
    while table.step():
        pass
    (honest,) = table.honest
    first = table.liar.signed(Kind.VERDICT, (0, bytes(16), ()))
    for more in range(1, 1 + HELD_MAX):
        honest.receive(table.liar.resigned(first, seq=first.seq + more).signed)
    far = first.seq + 2 * HELD_MAX
    pair = [
        table.liar.resigned(first, seq=far, body=(0, bytes(16), blamed)).signed
        for blamed in ((), (1,))
    ]
    for signed in pair:
        honest.receive(signed)
    assert not honest.judge.stopped
    honest.prove(pair)
    assert kinds(honest.judge.faults) == [(0, Blame.FORK, Reason.FORKED)]
