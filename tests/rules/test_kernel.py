"""The play of a deal: sources' examples, disputed positions, and properties."""

import random
from itertools import combinations, product

import pytest

from scopa_net.rules import kernel as k
from scopa_net.rules.kernel import Rules
from scopa_net.rules.variants import flagged
from tests.rules.boards import (
    CIRULLA,
    CLASSIC,
    DASSI,
    ESCOBA,
    FEWEST,
    PIGLIA_TUTTO,
    SCOPONE_9,
    SCOPONE_10,
    STARGAMES,
    STARGAMES_ESCOBA,
    WIKIBOOKS,
    act,
    dealt,
    finished,
    mask,
    order_of,
    play,
    plays,
    position,
    text,
    word,
)

HAND_LEVEL = flagged(Rules(compulsion=1))
AT_MOST_TWO = flagged(Rules(max_captured=2))
OPTIONAL = flagged(Rules(compulsion=2))
SWEEPS_ALL = flagged(Rules(ace=1, ace_table=1))
DECLINED = flagged(Rules(ace=1, ace_decline=1))
TAKES_ITSELF = flagged(Rules(ace=1, ace_empty=1))

# id, rules, table, hand, every legal play
EXAMPLES = [
    ("S0.9-S0.10", ESCOBA, "2D 3C JS KB", "AD 5C", "AD 5CxKB 5Cx2DJS"),
    ("S0.10-fewest", flagged(ESCOBA._replace(fewest=1)), "2D3CJSKB", "5C", "5CxKB"),
    ("S0.11", ESCOBA, "2D 3C JS KB", "AD", "AD"),
    ("S0.12-S0.15", CLASSIC, "2D 3C JS KB", "AD 5C", "AD 5Cx2D3C"),
    ("S0.13-S0.16", CLASSIC, "2D 3C 5S KB", "AD 5C", "AD 5Cx5S"),
    ("S0.17-laid", CLASSIC, "2D 3C JS KB", "AD", "AD"),
    ("S0.17-takes", CLASSIC, "2D AC JS KB", "AD", "ADxAC"),
    ("S0.3-court", CLASSIC, "AD 7C 2S", "JD QD KD", "JDxAD7C QDx2S7C KDxAD2S7C"),
    ("S2.5", CLASSIC, "2D 6D 4C", "6C 2C", "6Cx6D 2Cx2D"),
    ("S2.12", CLASSIC, "AC 6C 2S", "JB QB KB", "JBx2S6C QBxAC2S6C KB"),
    ("S2.18", CLASSIC, "KD", "7C", "7C"),
    ("S2.19-S0.18-S4.8", CLASSIC, "AD 2C 3S 4B", "5C", "5CxAD4B 5Cx2C3S"),
    ("S2.20-S4.8", CLASSIC, "6D 2C 4S", "6C", "6Cx6D"),
    ("S2.15-S4.7", CLASSIC, "3D 4C", "7C", "7Cx3D4C"),
    ("A1-free", CLASSIC, "AD3D4D5DJD", "QC", "QCxADJD QCx4D5D QCxAD3D5D"),
    ("A1-fewest", FEWEST, "AD3D4D5DJD", "QC", "QCxADJD QCx4D5D"),
    ("A2", CLASSIC, "2D 4D 6D", "6C", "6Cx6D"),
    ("A2-any-set", Rules(equal_first=0), "2D 4D 6D", "6C", "6Cx6D 6Cx2D4D"),
    ("A4", CLASSIC, "2D 4D 5D", "AC 5C 6C", "AC 5Cx5D 6Cx2D4D"),
    ("A5", CLASSIC, "AB AS 2B 2S", "2D", "2Dx2B 2Dx2S"),
    ("A6", CLASSIC, "AB AS AC", "2D", "2DxACAS 2DxACAB 2DxASAB"),
    ("A8-card", CLASSIC, "AD 5C 6S", "2D 5S 7B", "2D 5Sx5C 7BxAD6S"),
    ("A8-S0.14-hand", HAND_LEVEL, "AD 5C 6S", "2D 5S 7B", "5Sx5C 7BxAD6S"),
    ("A8-hand-none", HAND_LEVEL, "KD", "2D 5S", "2D 5S"),
    ("A9", CLASSIC, "5D5CJD3C", "5S KS JS", "5Sx5D 5Sx5C JSxJD KSx5D5C"),
    ("A12", CLASSIC, "AD 2D 3D 4D", "5C", "5CxAD4D 5Cx2D3D"),
    ("A13", CLASSIC, "AD 2D 3D 4D", "KC", "KCxAD2D3D4D"),
    ("A14", CLASSIC, "6D", "6C", "6Cx6D"),
    ("B1", ESCOBA, "2D 3D JD KD", "AC 5C", "AC 5CxKD 5Cx2DJD"),
    ("B2", ESCOBA, "AD 3D 4D 7D", "4C", "4Cx4D7D 4CxAD3D7D"),
    ("B5", ESCOBA, "7D", "7C", "7C"),
    ("C11-S4.10", CLASSIC, "", "AD 5C KS", "AD 5C KS"),
    ("G1-dassi", DASSI, "5D 2D 3D", "AC", "ACx2D3D5D"),
    ("G1-piglia", PIGLIA_TUTTO, "5D 2D 3D", "AC", "ACx2D3D5D"),
    ("G3", DASSI, "AD", "AC", "ACxAD"),
    ("G-ace-there", DASSI, "AD AS 5D", "AC", "ACxAD ACxAS"),
    ("G-ace-sweep-all", SWEEPS_ALL, "AD 5D", "AC", "ACxAD5D"),
    ("G-ace-stays", DASSI, "", "AC", "AC"),
    ("G-ace-itself", TAKES_ITSELF, "", "AC", "ACxAC"),
    ("G-ace-declined", DECLINED, "5D 2D", "AC", "AC ACx2D5D"),
    ("G-ace-not-declined", DECLINED, "AD 5D", "AC", "ACxAD"),
    ("max-two", AT_MOST_TWO, "AD3D4D5DJD", "QC", "QCxADJD QCx4D5D"),
    ("max-two-laid", AT_MOST_TWO, "AD 2D 4D", "7C", "7C"),
    ("max-two-ace", flagged(Rules(ace=1, max_captured=2)), "2D3D4D", "AC", "ACx2D3D4D"),
    ("no-compulsion", OPTIONAL, "2D 3D", "5C", "5C 5Cx2D3D"),
    ("cirulla-three-ways", CIRULLA, "5D 2C 3C KD", "5C", "5Cx5D 5CxKD 5Cx2C3C5D"),
    ("cirulla-sum", CIRULLA, "2C 3C KD", "5C", "5Cx2C3C 5CxKD"),
    ("cirulla-ace", CIRULLA, "2C 3C", "AC", "ACx2C3C"),
    ("cirulla-ace-there", CIRULLA, "AD 4D KD", "AC", "ACxAD ACx4DKD"),
]


def names(listed: list[int]) -> set[str]:
    found = [word(action) for action in listed]
    assert len(found) == len(set(found))
    return set(found)


@pytest.mark.parametrize(
    ("rules", "table", "hand", "expected"),
    [example[1:] for example in EXAMPLES],
    ids=[example[0] for example in EXAMPLES],
)
def test_the_legal_plays_are_those_of_the_source(
    rules: Rules, table: str, hand: str, expected: str
) -> None:
    assert names(plays(rules, position(rules, table, hand))) == set(expected.split())


# Scope.


@pytest.mark.parametrize(
    ("table", "card"),
    [
        ("6D", "6C"),
        ("2D 4D", "6C"),
        ("AD 2D 3D 4D", "KC"),
        ("AD AS AB 2D 2S 3D", "KC"),
    ],
    ids=["1", "2", "4", "6"],
)
def test_emptying_the_table_is_a_scopa_whatever_the_number(
    table: str, card: str
) -> None:
    """S0.19, S2.16, A14, S2.25."""
    s = position(CLASSIC, table, card)
    after = play(CLASSIC, s, f"{card}x{text(mask(table))}")
    assert after[k.SWEEPS] == 1
    assert after[k.TABLE] == 0
    assert text(after[k.PILE]) == text(mask(table) | mask(card))


def test_a_capture_that_leaves_a_card_is_no_scopa() -> None:
    after = play(CLASSIC, position(CLASSIC, "2D 4D 7S", "6C"), "6Cx2D4D")
    assert after[k.SWEEPS] == 0
    assert text(after[k.TABLE]) == "7S"
    assert after[k.LAST] == 0


def test_a_laid_card_stays_and_can_be_captured_from_then_on() -> None:
    """S2.14, S2.18, S0.17."""
    s = play(CLASSIC, position(CLASSIC, "KD", "AC"), "AC")
    s[k.HAND + 1] = mask("AD")
    assert names(plays(CLASSIC, s)) == {"ADxAC"}


@pytest.mark.parametrize(
    ("rules", "scope"), [(CLASSIC, 0), (STARGAMES, 1)], ids=["no", "yes"]
)
def test_the_last_card_of_the_deal_makes_a_scopa_only_by_option(
    rules: Rules, scope: int
) -> None:
    """C1, S4.12, S0.26: the capture itself is made and the deal ends."""
    s = position(rules, "AC AB AS", "3D", left=1)
    s[k.LAST] = 1
    after = play(rules, s, "3DxACASAB")
    assert after[k.SWEEPS] == scope
    assert text(after[k.PILE]) == "ACASAB3D"
    assert after[k.LEFT] == 0


def test_only_the_last_card_of_the_deal_is_excepted_not_of_a_hand() -> None:
    """Rules 1.1-4: the other hands are empty, but the stock is not."""
    s = position(CLASSIC, "AC 2B", "3D", left=7)
    s[k.STOCK] = 6
    assert play(CLASSIC, s, "3DxAC2B")[k.SWEEPS] == 1


@pytest.mark.parametrize(
    ("last_scopa", "scope"), [(1, 1), (0, 0)], ids=["pagat", "ludopoli"]
)
def test_the_dealers_last_card_of_scopone(last_scopa: int, scope: int) -> None:
    """C3."""
    rules = SCOPONE_10._replace(last_scopa=last_scopa)
    s = position(rules, "5D", "", left=1)
    s[k.TURN], s[k.HAND + 3] = 3, mask("5C")
    assert play(rules, s, "5Cx5D")[k.SWEEPS + 1] == scope


@pytest.mark.parametrize(
    ("rules", "table", "action", "scope"),
    [
        (DASSI, "2D 3D 5D", "ACx2D3D5D", 0),
        (PIGLIA_TUTTO, "2D 3D 5D", "ACx2D3D5D", 1),
        (DASSI, "AD", "ACxAD", 1),
        (PIGLIA_TUTTO, "AD", "ACxAD", 1),
        (SWEEPS_ALL, "AD 5D", "ACxAD5D", 0),
        (TAKES_ITSELF, "", "ACxAC", 0),
        (flagged(TAKES_ITSELF._replace(ace_scopa=1)), "", "ACxAC", 1),
        (flagged(CIRULLA._replace(ace_scopa=0)), "AD 3D KD", "ACxAD3DKD", 1),
        (flagged(CIRULLA._replace(ace_scopa=0)), "4D KD", "ACx4DKD", 1),
        (flagged(CIRULLA._replace(ace_scopa=0)), "3D KD", "ACx3DKD", 0),
        (DASSI, "4D KD", "ACx4DKD", 0),
    ],
    ids=[
        "G1-dassi",
        "G1-piglia",
        "G3",
        "G3-piglia",
        "sweep-all",
        "takes-itself",
        "takes-itself-and-counts",
        "fifteen-with-an-asso-there",
        "fifteen",
        "neither-one-nor-fifteen",
        "fourteen-without-fifteens",
    ],
)
def test_a_sweep_by_an_asso_counts_by_option(
    rules: Rules, table: str, action: str, scope: int
) -> None:
    after = play(rules, position(rules, table, "AC"), action)
    assert after[k.SWEEPS] == scope
    assert after[k.TABLE] == 0


def test_only_the_asso_is_judged_by_the_rule_for_assi() -> None:
    assert play(DASSI, position(DASSI, "2C", "2D"), "2Dx2C")[k.SWEEPS] == 1


def test_an_asso_that_sweeps_with_the_last_card_makes_no_scopa() -> None:
    """G6."""
    s = position(PIGLIA_TUTTO, "2D 3D", "AC", left=1)
    after = play(PIGLIA_TUTTO, s, "ACx2D3D")
    assert after[k.SWEEPS] == 0
    assert text(after[k.PILE]) == "AC2D3D"


def test_an_asso_that_takes_itself_is_in_the_pile_and_not_on_the_table() -> None:
    after = play(TAKES_ITSELF, position(TAKES_ITSELF, "", "AC"), "ACxAC")
    assert (after[k.TABLE], text(after[k.PILE]), after[k.LAST]) == (0, "AC", 0)


def test_no_asso_is_led_while_another_card_can_be() -> None:
    """The regola del vile, and the hand that holds nothing else."""
    rules = flagged(SCOPONE_10._replace(ace=1, ace_first=1))
    s = position(rules, "", "AC 5D 7D", left=40)
    assert names(plays(rules, s)) == {"5D", "7D"}
    s = position(rules, "", "AC AD", left=40)
    assert names(plays(rules, s)) == {"AC", "AD"}
    s = position(rules, "", "AC 5D 7D", left=39)
    assert names(plays(rules, s)) == {"AC", "5D", "7D"}


def test_an_asso_sweeps_nothing_with_the_first_play_where_that_is_barred() -> None:
    rules = flagged(Rules(ace=1, ace_first=2))
    assert names(plays(rules, position(rules, "2D 3D", "AC", left=36))) == {"AC"}
    assert names(plays(rules, position(rules, "2D AD", "AC", left=36))) == {"ACxAD"}
    assert names(plays(rules, position(rules, "2D 3D", "AC", left=35))) == {"ACx2D3D"}


# Dealing.


def test_three_cards_each_and_four_face_up() -> None:
    """S0.4, S2.10, S2.13: the seat after the dealer plays first, and is dealt first."""
    s = dealt(CLASSIC, list(range(40)), first=1)
    assert text(s[k.TABLE]) == "ADACASAB"
    assert (text(s[k.HAND + 1]), text(s[k.HAND])) == ("2D2C2S", "2B3D3C")
    assert (s[k.TURN], s[k.STOCK], s[k.LEFT], s[k.LAST]) == (1, 30, 36, -1)


def test_new_hands_come_only_when_all_hands_are_empty_and_none_to_the_table() -> None:
    """S0.5, S2.21, S2.22."""
    s = dealt(CLASSIC, order_of("KD KC QD QC AD 3D 5D AC 3C 5C"))
    for action in ("AD", "ACxAD", "3D", "3Cx3D", "5D"):
        s = play(CLASSIC, s, action)
        assert s[k.STOCK] == 30
    s = play(CLASSIC, s, "5Cx5D")
    assert s[k.STOCK] == 24
    assert [k.held(CLASSIC, s, seat) for seat in (0, 1)] == [3, 3]
    assert text(s[k.TABLE]) == "QDQCKDKC"


@pytest.mark.parametrize(
    ("rules", "batches", "plays_in_all"),
    [
        (CLASSIC, 6, 36),
        (Rules(players=3, sides=3), 4, 36),
        (Rules(players=4), 3, 36),
        (Rules(players=6), 2, 36),
        (SCOPONE_9, 1, 36),
        (SCOPONE_10, 1, 40),
        (Rules(hand=9), 2, 36),
        (WIKIBOOKS, 19, 36),
        (WIKIBOOKS._replace(players=3, sides=3), 10, 36),
    ],
    ids=["2", "3", "4", "6", "scopone-9", "scopone-10", "9-9", "draw-2", "draw-3"],
)
def test_the_deal_has_the_right_number_of_batches_and_plays(
    rules: Rules, batches: int, plays_in_all: int
) -> None:
    """Rules 1.3, deal arithmetic; S0.6, S2.23."""
    s = dealt(rules, list(range(40)))
    stocks, count = [s[k.STOCK]], 0
    while s[k.LEFT]:
        s = act(rules, s, plays(rules, s)[0])
        count += 1
        if s[k.STOCK] != stocks[-1]:
            stocks.append(s[k.STOCK])
    assert (len(stocks), count) == (batches, plays_in_all)
    assert stocks[-1] == 0


def test_a_seat_draws_after_its_own_play_until_the_stock_is_empty() -> None:
    """S4.5, S4.11: nine cards, then fewer."""
    s = dealt(WIKIBOOKS, list(range(40)), first=1)
    assert s[k.STOCK] == 18
    for drawn in range(18):
        seat = s[k.TURN]
        before = s[k.HAND + seat]
        chosen = plays(WIKIBOOKS, s)[0]
        s = act(WIKIBOOKS, s, chosen)
        gained = s[k.HAND + seat] & ~before
        assert gained == 1 << 22 + drawn
        assert k.owner(WIKIBOOKS, 1, 22 + drawn) == seat
        assert s[k.HAND + seat].bit_count() == 9
    assert [k.held(WIKIBOOKS, s, seat) for seat in (0, 1)] == [9, 9]
    s = act(WIKIBOOKS, s, plays(WIKIBOOKS, s)[0])
    assert s[k.HAND + 1].bit_count() == 8


def test_the_first_card_of_a_ten_card_deal_captures_nothing() -> None:
    s = dealt(SCOPONE_10, list(range(40)))
    assert all(action & k.ALL == 0 for action in plays(SCOPONE_10, s))


@pytest.mark.parametrize(
    ("rules", "opening", "again"),
    [
        (CLASSIC, "KD KC KS 5D", 1),
        (CLASSIC, "KD KC KS KB", 1),
        (CLASSIC, "KD KC 5D 6D", 0),
        (STARGAMES, "KD KC KS KB", 0),
        (CIRULLA, "AD AC 5D 7D", 1),
        (CIRULLA, "AD 4D 5D 6D", 0),
        (CIRULLA, "AD AC 6D 7D", 0),
        (CIRULLA._replace(redeal_aces=1), "AD 4D 5D 6D", 1),
        (Rules(redeal_aces=2), "AD AC 6D 7D", 1),
        (Rules(redeal_aces=2), "AD 2D 6D 7D", 0),
        (SCOPONE_10, "KD KC KS KB", 0),
    ],
    ids=[
        "D1",
        "D1-4",
        "D2",
        "S0",
        "aces",
        "one",
        "yield",
        "one-of-1",
        "15",
        "2",
        "none",
    ],
)
def test_an_opening_table_is_dealt_again(
    rules: Rules, opening: str, again: int
) -> None:
    """D1, D2, S2.11; the bonus comes before the assi."""
    assert k.redeal(rules, dealt(rules, order_of(opening))) == again


def test_a_redeal_is_not_called_while_a_card_of_the_table_is_unknown() -> None:
    order = order_of("KD KC KS KB")
    assert k.redeal(CLASSIC, dealt(CLASSIC, [*order[:3], -1, *order[4:]])) == 0


def test_two_in_five_opening_tables_have_an_equal_pair() -> None:
    """D7, rules 1.5: counted over every table."""
    without = sum(
        len({card >> 2 for card in four}) == 4 for four in combinations(range(40), 4)
    )
    assert without == 210 * 256
    rng = random.Random(7)
    pairs = 0
    for _ in range(4_000):
        order = list(range(40))
        rng.shuffle(order)
        table = dealt(CLASSIC, order)[k.TABLE]
        ranks = [table >> 4 * rank & 15 for rank in range(10)]
        pairs += any(suits.bit_count() > 1 for suits in ranks)
    assert abs(pairs / 4_000 - (1 - without / 91_390)) < 0.03


# The dealer's table.

GROUPS = ESCOBA._replace(bonus=4)
WILD = ESCOBA._replace(bonus=2, wild=1)
BONUSES = [
    ("B8-S0.20", STARGAMES_ESCOBA, "2D 3D 4D 6D", 1),
    ("B9-S0.21", STARGAMES_ESCOBA, "2D 3D 5D KD", 2),
    ("B9-else", ESCOBA, "2D 3D 5D KD", 0),
    ("thirty", ESCOBA, "5D 7D JD KD", 2),
    ("thirty-stargames", STARGAMES_ESCOBA, "5D 7D JD KD", 0),
    ("fifteen-only", ESCOBA._replace(bonus=1), "5D 7D JD KD", 0),
    ("groups", GROUPS, "5D 7D JD KD", 2),
    ("not-groups", GROUPS, "6D 6C JD KD", 0),
    ("B12", CLASSIC, "2D 3D 4D 6D", 0),
    ("wild-fifteen", WILD, "2D 3D 4D 7C", 1),
    ("wild-thirty", WILD, "KD QD 4D 7C", 2),
    ("wild-none", WILD, "KD 4D 3D 7C", 0),
    ("wild-groups", GROUPS._replace(wild=1), "KD QD 5D 7C", 2),
]


@pytest.mark.parametrize(
    ("rules", "opening", "scope"),
    [bonus[1:] for bonus in BONUSES],
    ids=[bonus[0] for bonus in BONUSES],
)
def test_the_opening_table_pays_the_dealer(
    rules: Rules, opening: str, scope: int
) -> None:
    """S0.7, S0.22, S0.23: the dealer's side has the cards, the first must lay."""
    s = dealt(rules, order_of(opening), first=0)
    assert s[k.SWEEPS + 1] == scope
    assert s[k.SWEEPS] == 0
    if scope:
        assert s[k.TABLE] == 0
        assert s[k.PILE + 1] == mask(opening)
        assert s[k.LAST] == 1
        assert all(action & k.ALL == 0 for action in plays(rules, s))
    else:
        assert s[k.TABLE] == mask(opening)


def test_the_bonus_follows_the_dealer_from_deal_to_deal() -> None:
    """B11, S0.22."""
    paid = [
        dealt(ESCOBA, order_of("2D 3D 4D 6D"), first)[k.SWEEPS : k.SWEEPS + 2]
        for first in (1, 0, 1)
    ]
    assert paid == [[1, 0], [0, 1], [1, 0]]


def test_the_bonus_may_go_to_the_first_player() -> None:
    rules = ESCOBA._replace(bonus_to=1)
    assert dealt(rules, order_of("2D 3D 4D 6D"), 1)[k.SWEEPS + 1] == 1


def test_the_bonus_waits_for_the_last_card_of_the_table() -> None:
    order = order_of("2D 3D 4D 6D")
    s = dealt(ESCOBA, [-1] * 40)
    for i in (3, 1, 0):
        k.learn(ESCOBA, s, i, order[i])
        assert s[k.SWEEPS + 1] == 0
    k.learn(ESCOBA, s, 2, order[2])
    k.learn(ESCOBA, s, 2, order[2])
    assert (s[k.SWEEPS + 1], s[k.TABLE]) == (1, 0)


def test_thirty_falls_into_two_groups_for_876_of_2492_tables() -> None:
    """Rules 1.1-5, counted over every table."""
    wide = ESCOBA._replace(bonus=2)
    thirties = groups = 0
    for four in combinations(range(40), 4):
        if sum((card >> 2) + 1 for card in four) == 30:
            s = [0] * k.SIZE
            s[k.DECK : k.DECK + 4] = four
            thirties += k.table_bonus(wide, s) == 2
            groups += k.table_bonus(GROUPS, s) == 2
    assert (thirties, groups) == (2_492, 876)


# The end of the deal.


def test_the_last_capturer_gets_the_table_and_no_scopa() -> None:
    """S0.25, S0.26, S2.24."""
    s = position(STARGAMES, "KD 2D", "7C", left=1)
    s[k.LAST] = 1
    after = play(STARGAMES, s, "7C")
    assert text(after[k.PILE + 1]) == "2D7CKD"
    assert after[k.SWEEPS : k.SWEEPS + 2] == [0, 0]
    assert after[k.TABLE] == 0


def test_nobody_gets_the_table_when_nobody_captured() -> None:
    """C5."""
    after = play(CLASSIC, position(CLASSIC, "KD 2D", "7C", left=1), "7C")
    assert after[k.PILE : k.PILE + 2] == [0, 0]
    assert text(after[k.TABLE]) == "2D7CKD"
    assert after[k.DECK : k.DECK + 40] == [-1] * 40


@pytest.mark.parametrize(("leftovers", "side"), [(0, 0), (1, 1), (2, None)])
def test_the_table_left_goes_where_the_option_says(
    leftovers: int, side: int | None
) -> None:
    rules = Rules(leftovers=leftovers)
    s = position(rules, "KD 2D", "7C", left=1)
    s[k.LAST] = 0
    after = play(rules, s, "7C")
    piles = [text(after[k.PILE + i]) for i in (0, 1)]
    assert piles == ["2D7CKD" if i == side else "" for i in (0, 1)]


# Advice of the sources that is also a fact.


def test_a_table_of_four_or_less_cannot_be_swept_by_fifteen() -> None:
    """S0.40."""
    for table in ("4D", "AD 3D", "AD AC 2D", "AD AC AS AB"):
        s = position(ESCOBA, table, "")
        s[k.HAND] = k.ALL & ~mask(table)
        assert all(action & k.ALL != s[k.TABLE] for action in plays(ESCOBA, s))


def test_a_table_above_ten_cannot_be_swept_by_sum() -> None:
    """S0.41."""
    rng = random.Random(41)
    for _ in range(300):
        table = sum(1 << card for card in rng.sample(range(40), rng.randint(2, 6)))
        if sum((i >> 2) + 1 for i in range(40) if table >> i & 1) > 10:
            s = position(CLASSIC, "", "")
            s[k.TABLE], s[k.HAND] = table, k.ALL & ~table
            assert all(action & k.ALL != table for action in plays(CLASSIC, s))


def test_a_card_whose_rank_nobody_else_can_hold_cannot_be_swept_alone() -> None:
    """S0.42, read as: the other three are gone; fifteens need another rank."""
    for suit, rank in product("DCSB", "A234567JQK"):
        alone = f"{rank}{suit}"
        s = position(CLASSIC, alone, "")
        s[k.HAND] = k.ALL & ~mask("".join(rank + other for other in "DCSB"))
        assert all(action & k.ALL == 0 for action in plays(CLASSIC, s))


@pytest.mark.parametrize(
    ("rules", "table", "hand", "count"),
    [
        (CLASSIC, k.ALL & ~(15 << 36), 1 << 39, 1_698),
        (CLASSIC, (1 << 20) - 1, 1 << 39, 1_342),
        (ESCOBA, k.ALL ^ 1, 1, 6_405),
        (ESCOBA, (1 << 20) - 2, 1, 3_249),
        (ESCOBA, k.ALL ^ 7, 7, 6_984),
    ],
)
def test_the_worst_positions_fit_the_buffer(
    rules: Rules, table: int, hand: int, count: int
) -> None:
    s = position(rules, "", "")
    s[k.TABLE], s[k.HAND] = table, hand
    assert len(plays(rules, s)) == count
    assert count < k.BUFFER / 2


def test_a_hidden_hand_has_no_plays_but_its_cards_can_be_judged() -> None:
    s = position(CLASSIC, "2D 3D", "5C")
    k.observe(CLASSIC, s, 1)
    out = [0] * k.BUFFER
    assert k.legal_plays(CLASSIC, s, out) == 0
    assert k.plays_of(CLASSIC, s[k.TABLE], 17, 0, out, 0) == 1
    assert word(out[0]) == "5Cx2D3D"


def test_a_deal_in_which_all_is_laid_ends_without_a_pile() -> None:
    """C5: nobody captures under no compulsion."""
    s = dealt(OPTIONAL, list(range(40)))
    while s[k.LEFT]:
        s = act(OPTIONAL, s, next(a for a in plays(OPTIONAL, s) if a & k.ALL == 0))
    assert s[k.PILE : k.PILE + 6] == [0] * 6
    assert s[k.TABLE] == k.ALL


def test_the_state_is_as_long_as_the_layout_says() -> None:
    assert len(finished(CLASSIC, random.Random(1))) == k.SIZE == 85
