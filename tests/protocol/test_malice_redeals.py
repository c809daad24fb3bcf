"""Who cheats when a deal has to be dealt again is named, and nobody plays that deck.

With the tables and the questions of `tests.protocol.test_malice`.
"""

import pytest

from protocol.faults import Blame, Reason
from protocol.game import Over
from tests.protocol.test_malice import assert_blamed
from tests.support import redeal_liars
from tests.support.malice import Company, Liar, play_in_order
from tests.support.toy_game import toy_opening

TABLES = [(2, 1), (3, 0), (4, 3)]
at_every_table = pytest.mark.parametrize(("seats", "at"), TABLES)


def redealt(liar: type[Liar], seats: int, at: int) -> Company:
    """A table whose first deck has to be dealt again."""
    positions = 3 + 2 * seats
    for seed in range(20):
        table = Company(
            toy_opening(redeals=positions // 2),
            liar,
            at=at,
            seats=seats,
            positions=positions,
            seed=seed,
        )
        table.play(play_in_order)
        first = table.honest[0].judge.decks[0]
        if first.game.over() is Over.REDEAL:
            assert table.liar.lied
            return table
    raise AssertionError("no seed makes a redeal")


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason", "blame"),
    [
        (
            redeal_liars.PlaysADealThatIsDealtAgain,
            Reason.OUT_OF_TURN,
            Blame.RULE,
        ),
        (redeal_liars.DealsTheSameDeckAgain, Reason.TWICE, Blame.CHEAT),
        (redeal_liars.SkipsADeckAtARedeal, Reason.OUT_OF_ORDER, Blame.CHEAT),
        (redeal_liars.SharesTheSpentDeckAgain, Reason.TWICE, Blame.CHEAT),
        (redeal_liars.TakesTheSeedOfTheSpentDeck, Reason.WRONG_KEY, Blame.CHEAT),
    ],
)
def test_who_cheats_at_a_redeal_is_blamed(
    liar: type[Liar], reason: Reason, blame: Blame, seats: int, at: int
) -> None:
    # F1, F2, F8: a deck is used once, and the next is the lowest that is not spent.
    table = redealt(liar, seats, at)
    assert_blamed(table, reason, blame)
    for party in table.honest:
        assert all(not deck.acts for deck in party.judge.decks)
        assert [deck.number for deck in party.judge.decks] == [0]


@at_every_table
def test_after_a_redeal_the_next_deck_is_played_to_the_end(seats: int, at: int) -> None:
    # F1.
    table = redealt(Honest, seats, at)
    for party in table.honest:
        first, *_, last = party.judge.decks
        assert not first.acts
        assert first.verified
        assert last.game.over() is Over.MATCH
        assert party.settled


class Honest(Liar):
    """Sits where the liars sit."""

    lied = True
    goes_on = True
