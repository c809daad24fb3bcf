"""The yardstick: what it prefers, and that it does not change."""

from __future__ import annotations

from hashlib import blake2b
from itertools import islice

import pytest

from ai.greedy_bot import GreedyBot
from scopa_net.rules.notation import format_action
from tests.ai.positions import opening, positions, seen_by_mover, variants

PINNED = "6d7194f6c7ba5c1e8aa12307d25635ab"


def choice(table: str, hand: str) -> str:
    return format_action(GreedyBot().choose(opening(table, hand)))


@pytest.mark.parametrize(
    ("table", "hand", "action"),
    [
        ("AC 2C 2B 5S", "KS 7D 3B", "KSxAC2C2B5S"),  # scopa before settebello
        ("2C 5S AD 3D", "4D 7D KS", "7Dx2C5S"),  # settebello before denari
        ("7C QD KS 3B", "7S QC 2B", "QCxQD"),  # denari before sevens
        ("7C 6C KS QS", "7S 6S 2B", "7Sx7C"),  # sevens before sixes
        ("6C AC 3B KS", "6S 4C 2S", "6Sx6C"),  # sixes before assi
        ("AC 2C 5B KS", "AS JS 4C", "ASxAC"),  # assi before cards
        ("2C 3B 4S KS", "5C QS JB", "QSx2C3B4S"),  # more cards
    ],
)
def test_a_capture_is_chosen_by_what_it_brings(
    table: str, hand: str, action: str
) -> None:
    assert choice(table, hand) == action


def test_any_capture_comes_before_laying_a_card() -> None:
    assert choice("2C JS QB KS", "2B 7C 5D") == "2Bx2C"


@pytest.mark.parametrize(
    ("hand", "laid"),
    [
        ("7D 3D 7C", "7C"),
        ("7D 3D 6D", "3D"),
        ("7C 6C 3D", "6C"),
        ("7C 6C AS", "AS"),
        ("AS 2S 6B", "2S"),
        ("5C 4B 2S", "2S"),
    ],
)
def test_without_a_capture_the_least_valuable_card_is_laid(
    hand: str, laid: str
) -> None:
    assert choice("KC KS QC QS", hand) == laid


def test_the_yardstick_has_not_changed() -> None:
    digest = blake2b(digest_size=16)
    bot = GreedyBot()
    for deal in islice(positions(variants()[0], "yardstick"), 1_000):
        action = bot.choose(seen_by_mover(deal))
        digest.update(f"{format_action(action)} ".encode())
    assert digest.hexdigest() == PINNED
