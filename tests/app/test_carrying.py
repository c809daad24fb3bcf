"""The score that a new match carries on, held against the old match that is kept."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from twisted.python.failure import Failure

from protocol.crypto.group import EDWARDS
from protocol.crypto.identity import Identity
from protocol.roster import Join, Terms, gather_terms
from protocol.text import SafeText
from scopa_net.app.carrying import CarriedScore, NotCarried, carried_variant
from scopa_net.app.meeting import OtherRules
from scopa_net.app.questions import Questions
from scopa_net.home import Home
from scopa_net.rules import Carried, Variant, find_variant
from scopa_net.summary import Standing, Summary

ADA, BOB, CLEO, DAN = (Identity(bytes((at,)) * 32).key for at in range(1, 5))
NAMES = {ADA: "Ada", BOB: "Bob", CLEO: "Cleo", DAN: "Dan"}
PLAIN = find_variant("scopa", 3)
TABLE, MARK = "0a" * 16, "0b" * 16
STANDING = Standing(
    PLAIN.lines(), TABLE, MARK, (ADA.hex(), BOB.hex(), CLEO.hex()), blamed=False
)
OLD = Summary(
    variant=SafeText("scopa"),
    target=11,
    names=(SafeText("Ada"), SafeText("Bob"), SafeText("Cleo")),
    seated=True,
    scores=(4, 7, 2),
    deals=3,
    turn=1,
    winner=None,
    confirmed=False,
    stopped=False,
    standing=STANDING,
)
TRUE = Carried((4, 7, 2), TABLE, MARK)


def keeps(home: Home, summary: Summary | None) -> str:
    """A home that keeps this match, unfinished; its ID."""
    match, store = home.begin({"nonce": bytes(32)})
    store.close()
    if summary is not None:
        home.note(match, summary)
    return match


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "data")


def carrying(carried: Carried) -> Variant:
    return replace(PLAIN, carried=carried)


def terms(**sides: int | None) -> Terms:
    """What these players would sign, by name and the side that they wish for."""
    keys = {name.lower(): key for key, name in NAMES.items()}
    joins = [
        Join(bytes(32), keys[name], NAMES[keys[name]], side, bytes(32))
        for name, side in sides.items()
    ]
    return gather_terms("scopa", 40, EDWARDS.name, (), joins)


# -- who carries it on ----------------------------------------------------------------


def test_a_kept_match_is_carried_on_from_its_last_score(home: Home) -> None:
    match = keeps(home, OLD)
    assert carried_variant(home, match, BOB) == carrying(TRUE)
    assert CarriedScore(home, BOB, carrying(TRUE)).side() == 1
    sides = CarriedScore(home, BOB, carrying(TRUE)).sides()
    assert sides == {ADA: 0, BOB: 1, CLEO: 2}
    assert CarriedScore(home, BOB, PLAIN).sides() == {}


@pytest.mark.parametrize(
    ("summary", "why"),
    [
        (None, "Nobody was seated"),
        (replace(OLD, standing=None), "Nobody was seated"),
        (replace(OLD, winner=1, scores=(4, 11, 2)), "That match is won"),
        (replace(OLD, winner=1, resigned=(0, 2)), "won, as Ada and Cleo gave it up: "),
        (replace(OLD, deals=0, scores=(0, 0, 0)), "No deal of that match"),
        (replace(OLD, standing=replace(STANDING, blamed=True)), "proven to have"),
        (replace(OLD, standing=replace(STANDING, keys=("00" * 32,))), "not a match of"),
        (replace(OLD, standing=replace(STANDING, rules=("x=1",))), "cannot be carried"),
        (replace(OLD, scores=(4, 17, 2)), "cannot be carried on: A match is won"),
    ],
)
def test_what_has_no_score_to_go_on_from_is_refused(
    summary: Summary | None, why: str, home: Home
) -> None:
    match = keeps(home, summary)
    with pytest.raises(NotCarried, match=why):
        carried_variant(home, match, BOB)


def test_a_stopped_match_is_carried_on_if_nobody_is_to_blame(home: Home) -> None:
    match = keeps(home, replace(OLD, stopped=True))
    assert carried_variant(home, match, BOB).carried == TRUE


@pytest.mark.parametrize("who", [ADA, BOB, CLEO])
def test_a_match_that_was_given_up_and_that_nobody_has_won_is_carried_on(
    who: bytes, home: Home
) -> None:
    # One of three must not end the match of two others; it may sit down again.
    match = keeps(home, replace(OLD, turn=None, resigned=(2,)))
    assert carried_variant(home, match, who) == carrying(TRUE)
    score = CarriedScore(home, who, carrying(TRUE))
    assert score.consider(terms(ada=0, bob=1, dan=None).room, None).called
    assert score.consider(terms(ada=0, bob=1, cleo=2).room, None).called


# -- who is told of it ----------------------------------------------------------------


def other_points(true: Carried) -> Carried:
    return replace(true, scores=(5, 7, 2))


def points_of_other_sides(true: Carried) -> Carried:
    return replace(true, scores=(7, 4, 2))


def an_older_score(true: Carried) -> Carried:
    return replace(true, scores=(3, 3, 2), mark="0c" * 16)


def other_deals(true: Carried) -> Carried:
    return replace(true, mark="0c" * 16)


LIES = (other_points, points_of_other_sides, an_older_score, other_deals)


@pytest.mark.parametrize("lie", LIES)
def test_a_host_that_carries_a_false_score_is_left(
    lie: Callable[[Carried], Carried], home: Home
) -> None:
    keeps(home, OLD)
    score = CarriedScore(home, BOB, carrying(lie(TRUE)))
    with pytest.raises(OtherRules, match="The host carries on"):
        score.side()
    with pytest.raises(OtherRules, match="The host carries on"):
        score.consider(terms(ada=0, bob=1, dan=None).room, None)


def test_a_score_in_spite_of_a_proven_cheat_is_refused(home: Home) -> None:
    keeps(home, replace(OLD, standing=replace(STANDING, blamed=True)))
    with pytest.raises(OtherRules, match="proven to have cheated"):
        CarriedScore(home, BOB, carrying(TRUE)).side()


def test_a_match_that_is_won_is_not_played_on(home: Home) -> None:
    # Who has given it up to the only other side could else have it back.
    keeps(home, replace(OLD, winner=1, resigned=(0, 2)))
    with pytest.raises(OtherRules, match="of a match that is won, as it is kept"):
        CarriedScore(home, BOB, carrying(TRUE)).side()


def test_of_two_copies_the_one_that_goes_farther_counts(home: Home) -> None:
    older = replace(OLD, scores=(1, 1, 1), deals=1)
    for summary in (older, OLD, replace(older, deals=2)):
        keeps(home, summary)
    assert CarriedScore(home, BOB, carrying(TRUE)).side() == 1


def test_who_has_not_kept_the_old_match_takes_the_score_as_told(home: Home) -> None:
    keeps(home, replace(OLD, standing=replace(STANDING, table="0d" * 16)))
    score = CarriedScore(home, DAN, carrying(other_points(TRUE)))
    assert score.side() is None
    assert score.consider(terms(ada=0, bob=1, dan=None).room, None).called


@pytest.mark.parametrize(
    "sides",
    [
        {"ada": 1, "bob": 1, "dan": None},
        {"ada": None, "bob": 1, "dan": None},
        {"ada": 0, "bob": 1, "dan": 0},
        {"ada": 0, "bob": 1, "dan": 1},
    ],
)
def test_nobody_gets_the_points_of_another(
    sides: dict[str, int | None], home: Home
) -> None:
    keeps(home, OLD)
    score = CarriedScore(home, BOB, carrying(TRUE))
    with pytest.raises(OtherRules, match="Nothing was signed"):
        score.consider(terms(**sides).room, None)


@pytest.mark.parametrize("newcomers_side", [None, 2])
def test_a_newcomer_takes_the_side_of_who_is_gone(
    newcomers_side: int | None, home: Home
) -> None:
    keeps(home, OLD)
    score = CarriedScore(home, BOB, carrying(TRUE))
    assert score.consider(terms(ada=0, bob=1, dan=newcomers_side).room, None).called


# -- who is asked ---------------------------------------------------------------------


def test_without_a_clear_yes_nobody_sits_down(home: Home) -> None:
    keeps(home, OLD)
    refused: list[Failure] = []
    score = CarriedScore(home, BOB, carrying(TRUE))
    asked = score.consider(terms(ada=0, bob=1, dan=None).room, Questions(None, None))
    asked.addErrback(refused.append)
    assert refused[0].check(OtherRules)


def test_a_match_that_carries_nothing_asks_nothing(home: Home) -> None:
    score = CarriedScore(home, BOB, PLAIN)
    assert score.side() is None
    assert score.consider(terms(ada=0, bob=0).room, Questions(None, None)).called


@pytest.mark.parametrize(
    ("there", "whose"),
    [
        ({"ada": 0, "bob": 1, "dan": None}, "with Cleo, who is not in it; Dan plays"),
        ({"dan": None, "bob": 1}, "with Ada and Cleo, who are not in it"),
        ({"ada": 0, "bob": 1, "cleo": 2}, "with Ada and Cleo: is that right"),
    ],
)
def test_the_question_says_whose_match_and_who_is_gone(
    there: dict[str, int | None], whose: str, home: Home
) -> None:
    keeps(home, OLD)
    told, asked = CarriedScore(home, BOB, carrying(TRUE)).question(terms(**there).room)
    assert told == "The old match stands at Ada 4, Bob 7, Cleo 2."
    assert asked.startswith("This match goes on from 4 - 7 - 2 of the match with ")
    assert whose in asked


def test_who_does_not_hold_the_old_match_is_told_so(home: Home) -> None:
    score = CarriedScore(home, DAN, carrying(TRUE))
    (asked,) = score.question(terms(ada=0, bob=1, dan=None).room)
    assert "a match that is not kept here" in asked
