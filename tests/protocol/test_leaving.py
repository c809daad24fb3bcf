"""Matches that are left in an orderly way: given up, or only for today."""

from random import Random

import pytest

from protocol.audit import audit
from protocol.entry import Kind
from protocol.faults import LocalProtocolError, Signed
from protocol.judge import Judge
from protocol.log import in_causal_order
from protocol.party import Party
from tests.protocol.test_party import record_of, state_of
from tests.support.malice import play_in_order
from tests.support.parties import Circle, judged
from tests.support.restarts import Mortal
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening

SEATS = (2, 3, 4)
at_every_size = pytest.mark.parametrize("seats", SEATS)


def circle_of(seats: int, seed: int = 0, *, deals: int = 2) -> Circle:
    return Circle(
        toy_opening(deals=deals), seats=seats, positions=3 + 2 * seats, seed=seed
    )


def can_leave(party: Party) -> bool:
    return party.judge.course.start is not None and not party.judge.ended


def come_to_rest(circle: Circle, steps_max: int = 20_000) -> None:
    for _ in range(steps_max):
        if not circle.step():
            return
    raise AssertionError("the table did not come to rest")


def played_until(circle: Circle, happenings: int) -> None:
    """So many deliveries, tasks and acts of a match."""
    for _ in range(happenings):
        if not circle.step() and not any(
            circle._act(party, play_in_order) for party in circle.parties
        ):
            return


def given_up(
    seats: int, seed: int, *quitters: int, deals: int = 2
) -> tuple[Circle, list[int]]:
    """A match that these seats give up at about the same moment, as far as they can."""
    circle = circle_of(seats, seed, deals=deals)
    luck = Random(seed)
    while not all(map(can_leave, circle.parties)):
        circle.step()
    played_until(circle, luck.randrange(20 * seats * seats))
    done = []
    for seat in quitters:
        party = circle.parties[seat]
        if can_leave(party):
            circle.take(seat, party.tell(Kind.RESIGN))
            done.append(seat)
        played_until(circle, luck.randrange(3))
    circle.play(play_in_order)
    return circle, done


def all_signed(circle: Circle) -> list[Signed]:
    return sorted(
        {
            one
            for party in circle.parties
            for seat in range(len(circle.parties))
            for one in party.judge.record.signed(seat)
        }
    )


def ends(judge: Judge) -> tuple[object, ...]:
    course = judge.course
    return course.match_over, course.given_up, course.confirmed, judge.stopped


def entries_of(circle: Circle, kind: Kind) -> list[int]:
    """Whose entries of a kind stand."""
    logs = circle.parties[0].judge.record.logs
    return [e.seat for log in logs for e in log.entries if e.kind == kind]


@at_every_size
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("quitters", [(0,), (1,), (0, 1), (1, 0)])
def test_a_match_that_is_given_up_ends_alike_for_all_in_any_order(
    seats: int, seed: int, quitters: tuple[int, ...]
) -> None:
    # F13.
    circle, done = given_up(seats, seed, *quitters)
    first = circle.parties[0].judge
    assert done
    assert set(first.course.given_up) == (set() if first.course.match_over else {*done})
    for party in circle.parties:
        assert party.judge.faults == []
        assert party.settled
        assert state_of(party.judge) == state_of(first)
    assert len({record_of(party) for party in circle.parties}) == 1
    found = audit(record_of(circle.parties[0]), SMALL, circle.opening)
    assert found.sound
    assert found.finished
    assert ends(found.judge) == ends(first)
    for order in range(3):
        judge = judged(circle, all_signed(circle), order)
        assert ends(judge) == ends(first)


@at_every_size
def test_nothing_is_opened_for_a_match_that_is_given_up(seats: int) -> None:
    circle = circle_of(seats)
    while not can_play(circle):
        circle.step()
    circle.take(0, circle.parties[0].tell(Kind.RESIGN))
    come_to_rest(circle)
    assert entries_of(circle, Kind.REVEAL) == []
    assert sorted(entries_of(circle, Kind.ACCEPT)) == [*range(1, seats)]
    for party in circle.parties:
        deck = party.judge.deck
        assert deck is not None
        hidden = [at for at in range(deck.game.positions) if at not in deck.opened]
        assert len(hidden) == deck.game.positions - 1
        assert party.judge.course.given_up == (0,)
        assert party.settled


def can_play(circle: Circle) -> bool:
    """Whether some cards are held and known."""
    return all(party.cards() for party in circle.parties)


@at_every_size
def test_a_match_that_was_played_to_its_end_is_not_given_up_any_more(
    seats: int,
) -> None:
    # The last card was laid before its player knew; so it counts, for everybody.
    for seed in range(2):
        circle = circle_of(seats, seed, deals=1)
        last, quitter = about_to_end(circle)
        choice = play_in_order(last)
        assert choice is not None
        over = last.act(*choice)
        resigned = quitter.tell(Kind.RESIGN)
        circle.take(quitter.seat, resigned)
        circle.take(last.seat, over)
        circle.play(play_in_order)
        for party in circle.parties:
            assert party.judge.faults == []
            assert party.judge.course.match_over
            assert party.judge.course.given_up == ()
            assert party.settled
        for order in range(3):
            judge = judged(circle, all_signed(circle), order)
            assert ends(judge) == ends(circle.parties[0].judge)


def about_to_end(circle: Circle) -> tuple[Party, Party]:
    """Who has the last card of a match to play, and somebody else."""
    while True:
        come_to_rest(circle)
        (next_,) = (p for p in circle.parties if circle.may_act(p))
        deck = next_.judge.deck
        assert deck is not None
        if len(deck.acts) == deck.game.positions - 2:
            return next_, circle.parties[(next_.seat + 1) % len(circle.parties)]
        assert circle._act(next_, play_in_order)


@at_every_size
def test_who_has_not_heard_of_a_resignation_leaves_it_unconfirmed(seats: int) -> None:
    # F13: a seat that is silent is no reason to lose, and none to be sure.
    circle = circle_of(seats)
    while not can_play(circle):
        circle.step()
    come_to_rest(circle)
    circle.take(0, circle.parties[0].tell(Kind.RESIGN))
    circle.under_way = [one for one in circle.under_way if one[0] != seats - 1]
    while circle.under_way:
        circle.under_way = [one for one in circle.under_way if one[0] != seats - 1]
        circle.step()
    quitter = circle.parties[0]
    assert quitter.judge.course.given_up == (0,)
    assert not quitter.settled
    found = audit(record_of(quitter), SMALL, circle.opening)
    assert found.sound
    assert not found.finished


def test_who_has_resigned_can_do_nothing_more() -> None:
    circle = circle_of(2)
    while not can_play(circle):
        circle.step()
    come_to_rest(circle)
    party = next(p for p in circle.parties if circle.may_act(p))
    circle.take(party.seat, party.tell(Kind.RESIGN))
    choice = play_in_order(party)
    assert choice is not None
    with pytest.raises(LocalProtocolError):
        party.act(*choice)
    with pytest.raises(LocalProtocolError):
        party.tell(Kind.RESIGN)
    with pytest.raises(LocalProtocolError):
        party.tell(Kind.ADJOURN)


def test_nobody_can_give_up_a_match_before_there_is_one() -> None:
    circle = circle_of(2)
    with pytest.raises(LocalProtocolError):
        circle.parties[0].tell(Kind.RESIGN)


# -- adjourned -------------------------------------------------------------------


@at_every_size
def test_who_adjourns_signs_nothing_until_it_plays_again(seats: int) -> None:
    circle = circle_of(seats)
    while not can_play(circle):
        circle.step()
    come_to_rest(circle)
    party = next(p for p in circle.parties if circle.may_act(p))
    circle.take(party.seat, party.tell(Kind.ADJOURN))
    come_to_rest(circle)
    signed = len(party.judge.record.logs[party.seat].entries)
    for one in circle.parties:
        assert one.judge.course.leaving.away == {party.seat}
        assert not one.judge.ended
    circle.play(play_in_order)
    assert len(party.judge.record.logs[party.seat].entries) > signed
    for one in circle.parties:
        assert one.judge.course.leaving.away == frozenset()
        assert one.settled
    assert audit(record_of(party), SMALL, circle.opening).finished


@at_every_size
def test_a_match_that_all_have_adjourned_is_neither_over_nor_opened(
    seats: int,
) -> None:
    # F12: no time and no number of others makes anybody lose.
    circle = circle_of(seats)
    while not can_play(circle):
        circle.step()
    come_to_rest(circle)
    for party in circle.parties:
        circle.take(party.seat, party.tell(Kind.ADJOURN))
    come_to_rest(circle)
    for party in circle.parties:
        assert party.judge.course.leaving.away == set(range(seats))
        assert not party.judge.ended
        assert not party.settled
    assert entries_of(circle, Kind.REVEAL) == []
    found = audit(record_of(circle.parties[0]), SMALL, circle.opening)
    assert found.sound
    assert not found.finished


@at_every_size
@pytest.mark.parametrize("seed", range(2))
def test_a_match_goes_on_when_who_adjourned_comes_back(seats: int, seed: int) -> None:
    circle = Mortal(
        toy_opening(deals=2), seats=seats, positions=3 + 2 * seats, seed=seed
    )
    luck = Random(seed)
    for _ in range(4):
        played_until(circle, luck.randrange(90))
        gone = [p.seat for p in circle.parties if can_leave(p) and luck.random() < 0.5]
        for seat in gone:
            circle.take(seat, circle.parties[seat].tell(Kind.ADJOURN))
        circle.run()
        for party in circle.parties:
            assert party.judge.course.leaving.away >= {*gone}
        for seat in gone:
            circle.open(seat)
        circle.run()
        for party in circle.parties:
            assert not party.judge.course.leaving.away
    circle.play(play_in_order)
    for party in circle.parties:
        assert party.judge.faults == []
        assert party.settled
    assert entries_of(circle, Kind.ADJOURN)
    assert audit(record_of(circle.parties[0]), SMALL, circle.opening).finished


# -- crashes ---------------------------------------------------------------------


@at_every_size
@pytest.mark.parametrize(
    ("word", "after"),
    [
        (Kind.RESIGN, None),
        (Kind.ADJOURN, None),
        (Kind.VOID, None),
        (Kind.VOID, Kind.VOID),
        (Kind.REFUSE, Kind.VOID),
        (Kind.ACCEPT, Kind.RESIGN),
    ],
)
def test_a_word_that_was_stored_and_not_sent_is_sent_after_a_crash(
    word: Kind, after: Kind | None, seats: int
) -> None:
    # F6.
    circle = Mortal(toy_opening(deals=2), seats=seats, positions=3 + 2 * seats)
    while not can_play(circle):
        circle.step()
    circle.run()
    first, other = circle.parties[:2]
    if after is not None:
        circle.take(1, other.tell(after))
        # What it says of itself, in the same step as it hears.
        signed = other.judge.record.logs[1].entries[-1].signed
        circle.under_way.remove((0, signed))
        findings = first.receive(signed)
    if word is not Kind.ACCEPT:
        findings = first.tell(word)
    (entry,) = (e for e in findings.added if (e.seat, e.kind) == (0, word))
    circle.stored[0] = all_of(first)
    circle.open(0)
    circle.run()
    for party in circle.parties:
        assert party.judge.faults == []
        assert entry in party.judge.record.logs[0].entries


def all_of(party: Party) -> list[Signed]:
    """All that a party holds, in an order in which it could have stored it."""
    logs = party.judge.record.logs
    entries = [entry for log in logs for entry in log.entries]
    return [e.signed for e in in_causal_order(entries, len(logs))]
