"""Why something cannot be said now: a sentence for every case there is."""

from random import Random

import pytest

from scopa_net.app.unsaid import why_unsaid
from scopa_net.leaving import Word
from scopa_net.local import Local
from scopa_net.rules import find_variant
from scopa_net.table import Table
from scopa_net.ui.lines import NOT_BEGUN
from tests.support.matches import new_table, play, say


def begun(acts: int = 3) -> Local:
    local, _ = new_table(find_variant("scopa", 3, {"target": "1"}), seed=3)
    play(local, luck=Random(3), acts_max=acts)
    return local


def table(local: Local, number: int) -> Table:
    found = local.table(number)
    assert found is not None
    return found


def why(local: Local, number: int, word: Word) -> str:
    return why_unsaid(table(local, number), word, kept=True)


@pytest.mark.parametrize("word", [Word.RESIGN, Word.ADJOURN, Word.CALL_VOID])
def test_what_can_be_said_needs_no_sentence(word: Word) -> None:
    assert why(begun(), 0, word) == ""


@pytest.mark.parametrize("word", Word)
def test_before_the_start_there_is_no_match(word: Word) -> None:
    assert why_unsaid(None, word, kept=True) == NOT_BEGUN


def test_a_match_against_bots_is_not_kept() -> None:
    found = table(begun(), 0)
    assert "quit ends it" in why_unsaid(found, Word.ADJOURN, kept=False)
    assert why_unsaid(found, Word.RESIGN, kept=False) == ""


def test_who_has_asked_or_agreed_waits_for_the_others() -> None:
    local = begun()
    assert "Nobody asks" in why(local, 1, Word.REFUSE_VOID)
    say(local, 0, Word.CALL_VOID)
    say(local, 1, Word.CALL_VOID)
    for number in (0, 1):
        for word in (Word.CALL_VOID, Word.REFUSE_VOID):
            assert "wait until the others" in why(local, number, word)
    assert why(local, 2, Word.REFUSE_VOID) == ""


def test_what_was_refused_can_be_asked_after_the_next_card() -> None:
    local = begun()
    say(local, 0, Word.CALL_VOID)
    say(local, 1, Word.REFUSE_VOID)
    for number in range(3):
        assert "after the next card" in why(local, number, Word.CALL_VOID)


def test_who_has_left_for_today_has_said_so() -> None:
    local = begun()
    say(local, 0, Word.ADJOURN)
    assert "leave for today" in why(local, 0, Word.ADJOURN)


@pytest.mark.parametrize("word", Word)
def test_once_it_is_over_nothing_is_said(word: Word) -> None:
    local = begun()
    say(local, 0, Word.RESIGN)
    assert why(local, 1, word) == "The match is given up already."
    assert why(begun(acts=1000), 0, word) == "The match is over already."
