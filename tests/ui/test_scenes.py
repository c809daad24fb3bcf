"""What is on the screen: golden text, and what holds for every state and size."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth

from protocol.text import safe_name
from scopa_net.events import MatchWon, Stopped
from scopa_net.rules import MAZZO, Carried, find_variant, legal_actions
from scopa_net.ui.faces import ASCII, GLYPHS, Glyphs
from scopa_net.ui.scenes import COLUMNS_MIN, ROWS_MIN
from scopa_net.ui.view import (
    ChatCame,
    Link,
    LinkChanged,
    Overlay,
    Show,
    Shuffles,
    ViewState,
)
from tests.support.deals import SCOPONE_10, variant_with
from tests.ui.make_screens import FOLDER, SCREENS, asked
from tests.ui.sitting import NAMES, Sitting, dealt_out, played_out, shuffled

SIZES = [(80, 24), (COLUMNS_MIN, ROWS_MIN), (104, 30), (120, 36), (200, 60), (50, 12)]
WIDE = ("漢字" * 4, "Žiga Ωmega", "e\u0301" * 16, "👍🏽👍🏽", "🇮🇹🇮🇹", "क्षत्रिय")


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_is_as_it_was_reviewed(name: str) -> None:
    assert SCREENS[name]() == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def assert_exact(sitting: Sitting, size: tuple[int, int], glyphs: Glyphs) -> None:
    columns, rows = size
    lines = sitting.shown(columns, rows, glyphs)
    assert len(lines) == rows
    assert {wcswidth(line) for line in lines} == {columns}
    if glyphs.ascii_only:
        assert all(line.isascii() for line in lines)


def states(sitting: Sitting, luck: Random) -> list[str]:
    """Keys that bring up each state that can be reached from here."""
    ways = [str(number) for number in range(1, len(sitting.deal.hand(0)) + 1)]
    return [*ways, "down", "?", "s", "l", "q", "escape", luck.choice(["h", "left"])]


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("wide", [False, True])
def test_every_line_is_exactly_as_wide_as_the_screen(players: int, wide: bool) -> None:  # noqa: FBT001
    luck = Random(players)
    names = tuple(map(safe_name, WIDE)) if wide else NAMES
    variant = find_variant("scopa", players)
    looks = list(product(SIZES, GLYPHS.values()))
    sitting = Sitting(shuffled(variant, players), names=names, hints=True).start()
    while not sitting.deal.over:
        sitting.ask()
        for key in states(sitting, luck):
            sitting.press(key)
            assert_exact(sitting, *luck.choice(looks))
            if key in {"?", "s", "l", "q"}:
                sitting.press("escape")
        sitting.play(luck.choice(legal_actions(sitting.deal)))
        assert_exact(sitting, *luck.choice(looks))
    sitting.settle()
    for look in looks:
        assert_exact(sitting, *look)
    sitting.give(LinkChanged(1, Link.THROUGH, sitting.company, players - 1))
    for look in looks:
        assert_exact(sitting, *look)
    sitting.give(LinkChanged(1, Link.LOST, sitting.company))
    stopped = Stopped(1, "seat", f"{names[1]} lied about a card.", (1,) * variant.sides)
    sitting.hear(stopped)
    for look in looks:
        assert_exact(sitting, *look)


def test_it_is_shown_through_whom_a_seat_is_seen_and_whom_nobody_sees() -> None:
    sitting = Sitting(shuffled(find_variant("scopa", 3), 1), names=NAMES).start()
    company = sitting.company
    first, second = company.names[1:]
    sitting.give(LinkChanged(1, Link.THROUGH, company, 2))
    assert f"{first} is seen only through {second}" in sitting.text()
    sitting.give(LinkChanged(1, Link.LOST, company))
    assert f"Nobody sees {first}." in sitting.text()
    # Who hears nobody does not know whether they see each other.
    sitting.give(LinkChanged(2, Link.LOST, company))
    assert "Nobody sees" not in sitting.text()
    sitting.give(LinkChanged(1, Link.CONNECTED, company))
    sitting.give(LinkChanged(2, Link.CONNECTED, company))
    assert "seen only" not in sitting.text()


def test_the_key_of_who_is_new_stands_beside_the_name_in_the_first_round() -> None:
    sitting = Sitting(shuffled(find_variant("scopa"), 1))
    words = ("", "bafod-gihut-lakol-nusij")
    sitting.company = replace(sitting.company, words=words)
    assert f"new, key {words[1]}" in sitting.start().text()
    first = sitting.view
    for later in ({"deal": 1}, {"moves": ("Ana played.", "Bruno played.")}):
        sitting.view = replace(first, **later)
        assert words[1] not in sitting.text()
    sitting.view = replace(first, moves=("Bruno played.",))
    assert words[1] in sitting.text()


@given(
    st.text(max_size=30), st.text(max_size=30), st.sampled_from(list(GLYPHS.values()))
)
@settings(deadline=None)
def test_no_name_moves_the_screen(one: str, other: str, glyphs: Glyphs) -> None:
    names = (safe_name(one), safe_name(other))
    sitting = Sitting(shuffled(find_variant("scopa"), 1), names=names).start().ask()
    assert_exact(sitting, (80, 24), glyphs)
    assert_exact(played_out(sitting, 1).settle(), (80, 24), glyphs)


def test_fourteen_cards_on_the_table_fit() -> None:
    sitting = asked()
    board = sitting.view.board
    assert board is not None
    fourteen = tuple(one for one in MAZZO if one not in board.hand)[:14]
    sitting.view = replace(sitting.view, board=replace(board, table=fourteen))
    text = sitting.text()
    assert "TABLE 14 cards" in text
    assert text.count("'---'") == 14
    assert_exact(sitting, (80, 24), ASCII)


def test_a_hand_of_ten_cards_has_ten_numbers() -> None:
    ten = Sitting(shuffled(variant_with(4, **SCOPONE_10), 3)).start().ask()
    assert "1 2 3 4 5 6 7 8 9 0" in " ".join(ten.text().split())
    for size in SIZES:
        assert_exact(ten, size, ASCII)


def test_a_small_screen_says_what_it_needs() -> None:
    lines = asked().shown(50, 12)
    assert lines[0].rstrip() == "The table needs 60x20; this is 50x12."
    assert "It is your turn." in " ".join(" ".join(lines).split())


def test_a_kept_match_is_gone_on_with_as_every_size_of_screen_says() -> None:
    kept = asked()
    kept.view = replace(kept.view, kept=True)
    assert "For small screens: scopa resume --plain" in kept.text(50, 12)
    kept.press("q")
    for columns, rows in SIZES[:-1]:
        assert " scopa resume " in kept.text(columns, rows)


def test_before_anybody_sits_there_is_a_screen() -> None:
    sitting = asked()
    sitting.view = ViewState()
    assert "The cards are being shuffled by all seats." in sitting.text()
    assert_exact(sitting, (80, 24), ASCII)


def test_the_score_that_a_match_carries_stands_at_the_top() -> None:
    carried = Carried((4, 7), "0a" * 16, "0b" * 16)
    variant = replace(find_variant("scopa"), carried=carried)
    sitting = Sitting(shuffled(variant, 1), you=1).start()
    first, *_ = sitting.text().splitlines()
    assert "You 7 - 4 Ana  of 11, carries 7 - 4" in first
    assert_exact(sitting, (60, 20), ASCII)


def test_who_waits_for_cards_sees_how_far_the_shuffling_is() -> None:
    waiting = Sitting(shuffled(find_variant("scopa"), 1))
    waiting.give(Shuffles(1, 2))
    assert "Shuffling: 1 of 2 seats." in waiting.text()
    assert "Shuffling" not in waiting.start().ask().text()


def test_the_table_says_how_many_cards_everybody_holds_and_has_taken() -> None:
    text = asked().play("7Dx3S4D").settle().text()
    assert "Bruno        // // //" in text
    assert "3 cards" in text
    assert "2 coins" in text
    assert "30 left to deal" in text
    assert "no settebello" not in text


@pytest.mark.parametrize("size", SIZES[:-1])
def test_help_and_what_to_do_are_whole_at_every_size(size: tuple[int, int]) -> None:
    sitting = asked()
    assert "pick a card by its number or the arrow keys." in sitting.text(*size)
    sitting.press("?")
    pages = sitting.text(*size)
    sitting.press(*["down"] * 40)
    pages += sitting.text(*size)
    for line in (
        "cards that add up to it",
        "best primiera       1",
        "the same number:",
    ):
        assert line in pages


def test_help_shows_the_keys_and_the_rules() -> None:
    text = asked().press("?").text()
    assert "pick that card" in text
    assert "settebello" in text
    assert "D coins   C cups" in text


def test_plays_are_listed_with_the_newest_first() -> None:
    text = asked().play("4Cx4D", "6D").settle().press("l").text()
    assert text.index("Bruno laid 6 of coins") < text.index("You played 4 of cups")


def test_a_long_play_is_told_with_short_names() -> None:
    deal = dealt_out(find_variant("scopa"), "AC 2C 3C 4C", "KB 7D 5D", "6D 6C 6S")
    sitting = Sitting(deal).start().ask().press("3")
    assert "RB takes 1C 2C 3C 4C. Enter plays." in sitting.text(60, 20)
    sitting.play("KBxAC2C3C4C")
    assert "You played RB and took 1C 2C 3C 4C. Scopa!" in sitting.text(60, 20)


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
@pytest.mark.parametrize("seed", range(4))
def test_who_has_won_is_seen_however_long_the_score(
    seed: int, size: tuple[int, int]
) -> None:
    deal = shuffled(find_variant("cirulla"), seed)
    sitting = played_out(Sitting(deal).start(), seed).settle()
    sitting.hear(MatchWon(0, sitting.company.names, (51, 3), 4))
    assert "You win the match after 4 deals" in sitting.text(*size)


def test_who_leads_is_told_when_the_match_is_won() -> None:
    sitting = asked()
    sitting.hear(MatchWon(0, sitting.company.names, (11, 3), 4))
    assert "You win the match after 4 deals: you 11, Bruno 3." in sitting.text()


def test_an_overlay_can_be_read_to_its_end_by_scrolling() -> None:
    sitting = played_out(Sitting(shuffled(find_variant("scopa"), 2)).start(), 2)
    sitting.settle().press("enter").give(Show(Overlay.MOVES))
    first = sitting.view.moves[0].split(" ")[0]
    assert "more" in sitting.text()
    sitting.press(*["down"] * 60)
    assert "more" in sitting.text()
    last_line = [line for line in sitting.text().splitlines() if first in line]
    assert last_line


def test_it_is_shown_for_how_long_somebody_has_been_away() -> None:
    sitting = Sitting(shuffled(find_variant("scopa"), 1), names=NAMES).start()
    name = sitting.company.names[1]
    sitting.give(LinkChanged(1, Link.LOST, sitting.company, away_s=45))
    assert sitting.text().count("is away 0:45") == 2
    sitting.give(LinkChanged(1, Link.LOST, sitting.company, away_s=3605))
    assert f"{name} is away 1:00:05" in sitting.text()
    sitting.give(LinkChanged(1, Link.CONNECTED, sitting.company))
    assert "is away" not in sitting.text()


@pytest.mark.parametrize("look", [(80, 24), (60, 20)])
def test_after_a_minute_the_box_says_what_can_be_done(look: tuple[int, int]) -> None:
    sitting = Sitting(shuffled(find_variant("scopa"), 1), you=1).start().ask()
    sitting.give(ChatCame("Bruno says: " + "where is she? " * 8))
    lost = LinkChanged(0, Link.LOST, sitting.company, away_s=59, carry="1a2b3c4d")
    assert "carry" not in sitting.give(lost).text(*look)
    for carry in ("1a2b3c4d", ""):
        sitting.give(replace(lost, away_s=60, carry=carry))
        text = sitting.boxed(*look)
        for told in (
            "You can wait, or save and leave: the others are told",
            "scopa resume",
            "ask that this deal does not count: that takes the yes of Ana, too",
            "r call again now",
            "q save and leave, or more",
        ):
            assert told in text
        assert ("scopa host --carry 1a2b3c4d" in text) == bool(carry)


def test_what_is_written_while_somebody_is_away_is_not_hidden_by_the_box() -> None:
    sitting = Sitting(shuffled(find_variant("scopa"), 1), names=NAMES).start()
    while sitting.view.asked is not None:
        sitting.play(legal_actions(sitting.deal)[0])
        sitting.settle()
    sitting.give(LinkChanged(1, Link.LOST, sitting.company))
    sitting.give(ChatCame("Ada says: where is she?"))
    for look in ((80, 24), (60, 20)):
        assert "Ada says: where is she?" in sitting.text(*look)
