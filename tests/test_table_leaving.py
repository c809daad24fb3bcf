"""What the seats of a table are told when somebody leaves or calls a deal void."""

from itertools import pairwise
from random import Random

import pytest

from protocol.audit import audit
from protocol.step import Step
from scopa_net.events import (
    Adjourned,
    DealScored,
    DealStarted,
    Event,
    MatchWon,
    Played,
    Resigned,
    Stopped,
    TurnCame,
    VoidAgreed,
    Voided,
    VoidProposed,
    VoidRefused,
)
from scopa_net.leaving import Word, winner_without
from scopa_net.local import Local
from scopa_net.notices import Told
from scopa_net.referee import open_match
from scopa_net.rules import IllegalAction, find_variant
from scopa_net.summary import summarize
from scopa_net.table import Table
from tests.support.matches import go_on, new_table, play, say
from tests.support.small_group import SMALL

SEATS = (2, 3, 4)
at_every_size = pytest.mark.parametrize("players", SEATS)


def begun(players: int, acts: int = 3, target: int = 1) -> Local:
    variant = find_variant("scopa", players, {"target": str(target)})
    local, _ = new_table(variant, seed=players)
    play(local, luck=Random(players), acts_max=acts)
    return local


def table(local: Local, number: int) -> Table:
    found = local.table(number)
    assert found is not None
    return found


def heard(told: list[Told], number: int) -> list[Event]:
    return [one.event for one in told if one.seat == number]


def number_at(local: Local, place: int) -> int:
    """The local seat that sits there."""
    return next(at for at in range(len(local.seats)) if table(local, at).place == place)


@at_every_size
def test_a_resignation_ends_the_match_for_everybody(players: int) -> None:
    # F13.
    local = begun(players)
    quitter = table(local, 1).place
    told = say(local, 1, Word.RESIGN)
    winner = None if players == 3 else 1 - quitter % 2
    names = table(local, 0).names
    scores = (0,) * (3 if players == 3 else 2)
    for number in range(players):
        resigned, won = heard(told, number)
        assert resigned == Resigned(quitter)
        assert won == MatchWon(winner, names, scores, 0, (quitter,))
        assert not table(local, number).to_act
        assert not table(local, number).can_say(Word.ADJOURN)
    assert local.finished
    found = audit(local.record(), SMALL, open_match)
    assert found.sound
    assert found.finished
    summary = summarize(table(local, 0).party.judge.course)
    assert (summary.winner, summary.resigned) == (winner, (quitter,))
    assert summary.confirmed
    assert summary.turn is None


def test_finished_deals_keep_their_score() -> None:
    local = begun(2, acts=40, target=11)
    before = table(local, 0).match
    assert before.deal_number == 1
    (_, won) = heard(say(local, 0, Word.RESIGN), 0)
    assert isinstance(won, MatchWon)
    assert (won.scores, won.deals) == (before.scores, 1)
    assert any(won.scores)
    assert local.finished


@pytest.mark.parametrize(
    ("places", "sides", "winner"),
    [
        ((0,), 2, 1),
        ((1, 3), 2, 0),
        ((0, 1), 2, None),
        ((2,), 3, None),
        ((0, 2), 3, 1),
    ],
)
def test_the_only_side_that_is_left_has_won(
    places: tuple[int, ...], sides: int, winner: int | None
) -> None:
    assert winner_without(places, sides) == winner


@at_every_size
def test_others_are_told_who_leaves_for_today_and_nothing_is_over(
    players: int,
) -> None:
    local = begun(players)
    place = table(local, 1).place
    told = say(local, 1, Word.ADJOURN)
    for number in range(players):
        assert heard(told, number) == [Adjourned(place)]
    assert not local.finished
    assert not table(local, 1).can_say(Word.ADJOURN)
    assert table(local, 1).can_say(Word.RESIGN)


@at_every_size
def test_a_deal_that_all_call_void_is_told_and_dealt_again(players: int) -> None:
    # F7.
    local = begun(players)
    dealer = table(local, 0).deal.dealer
    asker = table(local, 1).place
    told = say(local, 1, Word.CALL_VOID)
    for number in range(players):
        assert heard(told, number) == [VoidProposed(asker)]
        assert table(local, number).can_say(Word.REFUSE_VOID) == (number != 1)
    assert not table(local, 1).to_act
    more: list[Told] = []
    for number in range(players):
        if number != 1:
            more += say(local, number, Word.CALL_VOID)
    order = [table(local, at).place for at in range(players)]
    places = [order[1], *(place for at, place in enumerate(order) if at != 1)]
    for number in range(players):
        *agreed, voided, started, _ = heard(more, number)[: players + 1]
        assert agreed == [
            VoidAgreed(places[at], tuple(sorted(places[at + 1 :])))
            for at in range(1, players - 1)
        ]
        assert voided == Voided(0)
        assert started == DealStarted(0, dealer)
    rest = go_on(local, Step(), luck=Random(1))
    for number in range(players):
        scored = [one for one in heard(rest, number) if isinstance(one, DealScored)]
        assert [one.deal for one in scored] == [*range(len(scored))]
        assert isinstance(heard(rest, number)[-1], MatchWon)
    assert local.finished
    found = audit(local.record(), SMALL, open_match)
    assert found.sound
    assert [deck.void for deck in found.judge.decks] == [
        True,
        *[False] * (len(found.judge.decks) - 1),
    ]


@at_every_size
def test_who_refuses_is_told_and_who_asked_plays_on(players: int) -> None:
    # F7.
    local = begun(players)
    turn = next(at for at in range(players) if table(local, at).to_act)
    other = (turn + 1) % players
    say(local, turn, Word.CALL_VOID)
    assert not table(local, turn).to_act
    told = say(local, other, Word.REFUSE_VOID)
    refused = VoidRefused(table(local, other).place)
    assert all(refused in heard(told, number) for number in range(players))
    assert heard(told, turn)[-1] == TurnCame(table(local, turn).place)
    assert table(local, turn).to_act
    with pytest.raises(IllegalAction):
        table(local, turn).say(Word.CALL_VOID)


@at_every_size
def test_who_plays_on_is_told_to_have_refused(players: int) -> None:
    local = begun(players)
    turn = next(at for at in range(players) if table(local, at).to_act)
    say(local, (turn + 1) % players, Word.CALL_VOID)
    told = go_on(local, Step(), luck=Random(1), acts_max=1)
    for number in range(players):
        events = [one for one in heard(told, number) if not isinstance(one, TurnCame)]
        assert events[0] == VoidRefused(table(local, turn).place)
        assert isinstance(events[1], Played)


def test_nothing_is_said_before_there_is_a_table() -> None:
    local, _ = new_table(find_variant("scopa", 2, {"target": "1"}), seed=1)
    play(local, luck=Random(1), acts_max=0)
    assert table(local, 0).can_say(Word.RESIGN)
    assert not table(local, 0).can_say(Word.REFUSE_VOID)
    go_on(local, Step(), luck=Random(1))
    assert not any(table(local, 0).can_say(word) for word in Word)


def test_no_event_is_told_twice() -> None:
    local = begun(2)
    told = say(local, 0, Word.CALL_VOID)
    told += say(local, 1, Word.REFUSE_VOID)
    told += say(local, 0, Word.ADJOURN)
    told += say(local, 1, Word.RESIGN)
    for number in range(2):
        events = heard(told, number)
        assert all(one != other for one, other in pairwise(events))
        assert not any(isinstance(one, Stopped) for one in events)
        assert isinstance(events[-1], Resigned | MatchWon)
