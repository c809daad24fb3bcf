"""A proof that holds somewhere is refused everywhere else.

With the tables and the questions of `tests.protocol.test_malice`. Every liar here knows
its secrets; what it proves is true, and is not what it is asked.
"""

from typing import Any

import pytest

from protocol.crypto.group import EDWARDS
from protocol.entry import Kind
from protocol.faults import Blame, Reason
from protocol.game import Over
from tests.protocol.test_malice import assert_blamed, company, kinds
from tests.protocol.test_malice_making import at_a_table_of
from tests.protocol.test_shuffle_malice import assert_no_card_seen
from tests.support import transplant_liars
from tests.support.malice import Liar
from tests.support.transplant_liars import (
    CONTEXTS,
    STATEMENT,
    ProvesItsKeyElsewhere,
    ProvesItsShuffleElsewhere,
    adding_the_order,
    sharing_elsewhere,
)

TABLES = [(2, 1), (3, 1), (4, 3)]
at_every_table = pytest.mark.parametrize(("seats", "at"), TABLES)


def elsewhere(liar: Any, where: Any) -> type[Liar]:
    name = f"{liar.__name__}{where.__name__}"
    return type(name, (liar,), {"where": where})


@at_every_table
@pytest.mark.parametrize("where", CONTEXTS)
def test_a_key_that_is_proven_elsewhere_is_refused(
    where: Any, seats: int, at: int
) -> None:
    # X21, F2, F14.
    liar = elsewhere(ProvesItsKeyElsewhere, where)
    assert_blamed(company(liar, seats, at), Reason.WRONG_KEY)


@at_every_table
@pytest.mark.parametrize("where", CONTEXTS)
def test_a_shuffle_that_is_proven_elsewhere_is_refused_before_the_first_card(
    where: Any, seats: int, at: int
) -> None:
    # X21, F2, F3.
    table = company(elsewhere(ProvesItsShuffleElsewhere, where), seats, at)
    assert_blamed(table, Reason.FALSE_PROOF)
    assert_no_card_seen(table)


@at_every_table
@pytest.mark.parametrize(
    "liar",
    [
        transplant_liars.MasksWithItsOwnKey,
        transplant_liars.ShufflesTheFirstDeckAgain,
        transplant_liars.ShufflesTwiceInOne,
        transplant_liars.ProvesAllButOne,
    ],
)
def test_a_shuffle_of_another_deck_or_of_a_part_is_refused_before_the_first_card(
    liar: type[Liar], seats: int, at: int
) -> None:
    # X9, X10.
    table = company(liar, seats, at)
    assert_blamed(table, Reason.FALSE_PROOF)
    assert_no_card_seen(table)


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (transplant_liars.RepeatsItsLastKey, Reason.WRONG_KEY),
        (transplant_liars.RepeatsItsLastShuffle, Reason.FALSE_PROOF),
        (transplant_liars.ShufflesTheLastDeckAgain, Reason.FALSE_PROOF),
    ],
)
def test_what_was_good_for_the_last_deck_is_not_for_the_next(
    liar: type[Liar], reason: Reason, seats: int, at: int
) -> None:
    # F2, F19, X22.
    table = company(liar, seats, at, deals=2)
    assert_blamed(table, reason)
    for party in table.honest:
        first, *others = party.judge.decks
        assert first.game.over() is Over.SCORED
        assert first.verified
        assert all(not deck.share_entries for deck in others)


@pytest.mark.parametrize(("seats", "at"), [(2, 1), (3, 1)])
@pytest.mark.parametrize("changed", STATEMENT)
@pytest.mark.parametrize("kind", [Kind.SHARES, Kind.ACT])
def test_shares_that_are_proven_elsewhere_are_refused(
    kind: Kind, changed: str, seats: int, at: int
) -> None:
    # X13, X21, F5, F14, F17: each field of what is proven counts.
    liar = sharing_elsewhere(kind, changed)
    assert_blamed(company(liar, seats, at), Reason.WRONG_SHARE)


PROVEN = [
    (Kind.KEY, Reason.WRONG_KEY),
    (Kind.PROOF, Reason.FALSE_PROOF),
    (Kind.SHARES, Reason.WRONG_SHARE),
    (Kind.ACT, Reason.WRONG_SHARE),
]


@pytest.mark.parametrize(("seats", "at"), [(2, 1), (3, 1)])
@pytest.mark.parametrize(("where", "reason"), PROVEN)
def test_a_number_beyond_the_order_is_refused_in_every_proof(
    where: Kind, reason: Reason, seats: int, at: int
) -> None:
    # F15, F16: nothing has two encodings.
    assert_blamed(company(adding_the_order(where), seats, at), reason)


@pytest.mark.parametrize(("where", "reason"), PROVEN)
def test_a_number_beyond_the_order_of_the_real_group_is_refused(
    where: Kind, reason: Reason
) -> None:
    # F15, F16.
    table = at_a_table_of(EDWARDS, adding_the_order(where))
    for party in table.honest:
        assert kinds(party.judge.faults) == [(0, Blame.CHEAT, reason)]
