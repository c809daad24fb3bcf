"""Deals by seats that trust nobody agree with the pure rules on every card.

A thousand are `python -m tests.simulation --deals 1000`.
"""

from tests.simulation.deals import TABLES, agreeing_deals

DEALS = 300


def test_random_deals_by_in_memory_seats_agree_with_the_rules() -> None:
    played = list(agreeing_deals(DEALS))
    assert sum(played) >= DEALS
    assert len(played) >= len(TABLES)
