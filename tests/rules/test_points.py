"""The points of a deal: sources' examples, disputed cases, and another reckoning."""

import random
from itertools import product

import pytest

from scopa_net.rules import kernel as k
from scopa_net.rules import points as p
from scopa_net.rules.kernel import Ints, Rules
from scopa_net.rules.variants import flagged
from tests.rules import oracle
from tests.rules.boards import (
    CIRULLA,
    CLASSIC,
    RULE_SETS,
    STARGAMES,
    TRENTINO,
    WIKIBOOKS,
    finished,
    mask,
)

every_rule_set = pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)

NAPOLA = flagged(Rules(run_cap=10, win_all=p.DENARI))
PONINO = flagged(Rules(double_all=15 << 32))
THREE = Rules(players=3, sides=3)


def scored(rules: Rules, *piles: str, scope: tuple[int, ...] = ()) -> Ints:
    """The state after scoring these piles; they need not add up to forty."""
    s = [0] * k.SIZE
    for side, pile in enumerate(piles):
        s[k.PILE + side] = mask(pile)
    s[k.SWEEPS : k.SWEEPS + len(scope)] = scope
    p.score(rules, s)
    return s


def totals(rules: Rules, *piles: str, scope: tuple[int, ...] = ()) -> list[int]:
    return scored(rules, *piles, scope=scope)[k.TOTAL : k.TOTAL + len(piles)]


def only(rules: Rules, *names: str) -> Rules:
    """The rules with just these points left."""
    off = {"p_cards": 0, "p_coins": 0, "p_scopa": 0, "worth1": 0, "prime": 0}
    for name in names:
        del off[name]
    return flagged(rules._replace(**off))


# The prime.


@pytest.mark.parametrize(
    ("pile", "value", "suits"),
    [
        ("7C 7D 6B 5S", 75, 4),
        ("7B 7D 6S AC", 76, 4),
        ("7S 5B 5D KC", 61, 4),
        ("7D 7C 7S 5B", 78, 4),
        ("7D 7C 7S 7B", 84, 4),
        ("KD QC JS KB", 40, 4),
        ("2D 3C 4S 5B", 54, 4),
        ("7B 7S 7C", 63, 3),
        ("JC JS JB KD", 40, 4),
        ("7D 6D AD 5D 4D", 21, 1),
        ("", 0, 0),
    ],
    ids=[
        "S2.30-E1",
        "E2-a",
        "E2-b",
        "E4",
        "most",
        "least",
        "low",
        "E5-a",
        "E5-b",
        "1",
        "0",
    ],
)
def test_the_primiera_is_the_best_card_of_each_suit(
    pile: str, value: int, suits: int
) -> None:
    assert p.primiera(CLASSIC, mask(pile)) == value
    assert p.suits(mask(pile)) == suits


def test_the_primiera_runs_from_40_to_84() -> None:
    """Rules 1.5, over the best cards of four suits."""
    values = {
        p.primiera(
            CLASSIC, sum(1 << 4 * (rank - 1) + i for i, rank in enumerate(ranks))
        )
        for ranks in product(range(1, 11), repeat=4)
    }
    assert (min(values), max(values)) == (40, 84)


@pytest.mark.parametrize(("faces", "value"), [(0, 40), (1, 37), (2, 0)])
def test_the_court_cards_have_regional_values(faces: int, value: int) -> None:
    assert p.primiera(Rules(faces=faces), mask("KD KC QS JB")) == value


@pytest.mark.parametrize(
    ("rules", "piles", "expected"),
    [
        (CLASSIC, ("7B 7S 7C", "JC JS JB KD"), [0, 1]),
        (STARGAMES, ("7B 7S 7C", "JC JS JB KD"), [0, 1]),
        (CLASSIC, ("7B 7S 7C", "6C 6S"), [0, 0]),
        (STARGAMES, ("7B 7S", "2C 2S 2B"), [0, 1]),
        (STARGAMES, ("7B 7S 7C", "6C 6S 6D"), [1, 0]),
        (STARGAMES, ("7B 7S", "7C 7D"), [0, 0]),
        (CLASSIC, ("7B 7S 6C AD", "7C 7D 6S AB"), [0, 0]),
        (CLASSIC, ("7B 7S 7C 7D", "KD KC KS KB"), [1, 0]),
        (CLASSIC, ("", ""), [0, 0]),
        (Rules(faces=2), ("KD KC KS KB", ""), [1, 0]),
    ],
    ids=[
        "E5",
        "S0.35",
        "nobody-has-four",
        "S0.35-more-suits",
        "S0.35-equal-number",
        "S0.35-equal",
        "S2.31-S0.34",
        "S0.33",
        "no-cards",
        "four-suits-worth-nothing",
    ],
)
def test_the_primiera_point(
    rules: Rules, piles: tuple[str, ...], expected: list[int]
) -> None:
    assert totals(only(rules, "prime"), *piles) == expected


@pytest.mark.parametrize(
    ("piles", "expected"),
    [
        (("7D 7C 7S", "7B AD"), [1, 0]),
        (("7D 7C 7S KD", "7B 6S"), [1, 0]),
        (("7D 7C 6S 5B", "7S 7B 6D 5C"), [0, 0]),
        (("7D 7C 6S 2B", "7S 7B AD 5C"), [1, 0]),
        (("7D 7C 6S", "7S 7B AD 5C"), [1, 0]),
        (("7D 7C 5S 4B", "7S 7B 5D"), [1, 0]),
        (("7D 7C", "7S 7B JD"), [0, 1]),
        (("7D 7C 6D 6C KS QB", "7S 7B JD JC"), [1, 0]),
        (("7D 7C KS", "7S 7B 2D"), [0, 1]),
    ],
    ids=[
        "S4.13-most-sevens",
        "E13",
        "E11-S4.16",
        "S4.15-best-first",
        "S4.15-missing-second",
        "S4.15-second-card",
        "S4.15-missing-below-all",
        "S4.15-only-their-suits",
        "S4.15-order",
    ],
)
def test_the_sevens_and_the_shoot_out(
    piles: tuple[str, ...], expected: list[int]
) -> None:
    assert totals(only(WIKIBOOKS, "prime"), *piles) == expected


def test_the_shoot_out_ranks_6_a_5_4_3_2_k_q_j() -> None:
    """S4.15."""
    ranks = [p.shoot_rank(mask(card + "D"), 0) for card in "6A5432KQJ"]
    assert ranks == [9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert p.shoot_rank(mask("6C"), 0) == 0


def test_without_a_shoot_out_equal_sevens_are_nobodys() -> None:
    assert totals(only(Rules(prime=2), "prime"), "7D 7C 6S 2B", "7S 7B") == [0, 0]


def test_the_shoot_out_of_three_sides_is_between_the_two_with_sevens() -> None:
    rules = only(THREE._replace(prime=3), "prime")
    assert totals(rules, "7D 7C 4S", "6D 6C 6S 6B", "7S 7B 5D") == [0, 0, 1]


# Cards, denari, settebello.


@pytest.mark.parametrize(
    ("rules", "piles", "expected"),
    [
        (CLASSIC, ("2D 3D", "4C"), [1, 0]),
        (CLASSIC, ("2D 3D", "4C 5C"), [0, 0]),
        (THREE, ("AD 2D", "AC 2C", "AS"), [0, 0, 0]),
        (THREE._replace(majority=1), ("AD 2D", "AC", "AS"), [0, 0, 0]),
    ],
    ids=["S0.30-S2.26", "S0.30-equal-S4.14", "E8", "more-than-half"],
)
def test_the_point_for_cards(
    rules: Rules, piles: tuple[str, ...], expected: list[int]
) -> None:
    assert totals(only(rules, "p_cards"), *piles) == expected


@pytest.mark.parametrize(
    ("rules", "piles", "expected"),
    [
        (CLASSIC, ("2D 3D", "4D 5C 6C"), [1, 0]),
        (CLASSIC, ("2D 3C", "4D 5C 6C"), [0, 0]),
        (CLASSIC, ("2C", "4C 5C 6C"), [0, 0]),
        (CLASSIC._replace(majority=1), ("AD2D3D4D5D", "6D"), [0, 0]),
        (CLASSIC._replace(majority=1), ("AD2D3D4D5D6D", "7D"), [1, 0]),
    ],
    ids=["S0.31-S2.27", "S0.31-equal", "S0.31-none", "half", "more-than-half"],
)
def test_the_point_for_denari(
    rules: Rules, piles: tuple[str, ...], expected: list[int]
) -> None:
    assert totals(only(rules, "p_coins"), *piles) == expected


def test_more_than_half_is_21_cards() -> None:
    rules = only(THREE._replace(majority=1), "p_cards")
    s = [0] * k.SIZE
    for count, point in ((20, 0), (21, 1)):
        s[k.PILE] = (1 << count) - 1
        p.score(rules, s)
        assert s[k.TOTAL] == point


def test_the_settebello_is_a_point() -> None:
    """S0.32, S2.28."""
    assert totals(only(CLASSIC, "worth1"), "7D", "7C 7S 7B") == [1, 0]
    assert (p.settebello(mask("7D")), p.settebello(mask("7C"))) == (1, 0)


def test_twenty_cards_five_denari_and_equal_primiera_pay_nobody() -> None:
    """E7, S0.34, S2.26, S2.27, S2.31."""
    one = "AD2D3D4D5D AC2C3C4C5C 6S7S JS QS KS 6B7BJBQBKB"
    rest = k.ALL & ~mask(one)
    s = [0] * k.SIZE
    s[k.PILE], s[k.PILE + 1] = mask(one), rest
    p.score(CLASSIC, s)
    assert (mask(one).bit_count(), p.coins(mask(one)), p.coins(rest)) == (20, 5, 5)
    assert p.cards_winner(CLASSIC, s) == p.coins_winner(CLASSIC, s) == -1
    assert p.prime_reading(CLASSIC, mask(one)) == p.prime_reading(CLASSIC, rest)
    assert p.prime_winner(CLASSIC, s) == -1
    assert s[k.TOTAL : k.TOTAL + 2] == [0, 1]


def test_nobody_scores_in_a_deal_without_captures() -> None:
    """C5."""
    for rules in RULE_SETS.values():
        assert totals(rules, "", "") == [0, 0]


def test_each_scopa_is_a_point() -> None:
    """S0.19, S2.25, S4.13."""
    assert totals(only(CLASSIC, "p_scopa"), "", "", scope=(3, 1)) == [3, 1]


# Rare points.


@pytest.mark.parametrize(
    ("rules", "pile", "points"),
    [
        (NAPOLA, "AD 2D 3D 4D 5D JD", 5),
        (NAPOLA, "AD 3D 4D 5D JD", 0),
        (NAPOLA, "AD 2D", 0),
        (NAPOLA, "AD 2D 3D", 3),
        (NAPOLA, "AD2D3D4D5D6D7DJDQDKD", 10),
        (CIRULLA, "AD2D3D4D5D6D7DJDQD", 6),
        (CLASSIC, "AD 2D 3D", 0),
    ],
    ids=["E15", "E15-no-two", "two", "three", "E15-all", "piccola-cap", "off"],
)
def test_the_run_of_denari(rules: Rules, pile: str, points: int) -> None:
    assert p.napola(rules, mask(pile)) == points


def test_all_ten_denari_win_the_match() -> None:
    """E15."""
    assert scored(NAPOLA, "4C", "AD2D3D4D5D6D7DJDQDKD")[k.WON] == 2
    assert scored(NAPOLA, "4C", "AD2D3D4D5D6D7DJDQD")[k.WON] == 0


def test_the_re_of_denari_is_a_point_wherever_it_came_from() -> None:
    """E19: it came with the leftovers."""
    rules = only(CLASSIC)._replace(worth1=1 << 36)
    assert totals(rules, "KC", "KD") == [0, 1]
    s = [0] * k.SIZE
    s[k.LAST], s[k.TABLE] = 1, mask("KD")
    k.finish(rules, s)
    p.score(rules, s)
    assert s[k.TOTAL : k.TOTAL + 2] == [0, 1]


def test_all_four_sevens_pay_once_more() -> None:
    """E17."""
    rules = flagged(Rules(prime=2, sevens_bonus=1, p_cards=0, p_coins=0, worth1=0))
    assert totals(rules, "7D 7C 7S 7B", "6D") == [2, 0]
    assert totals(rules, "7D 7C 7S", "7B") == [1, 0]


def test_the_trentino_pays_low_denari_and_all_three_win() -> None:
    s = scored(TRENTINO, "AD 3D", "2D 7D")
    assert [p.worth(TRENTINO, s[k.PILE + side]) for side in (0, 1)] == [4, 3]
    assert s[k.WON] == 0
    assert scored(TRENTINO, "AD 2D 3D", "7D")[k.WON] == 1


def test_the_grande_pays_five() -> None:
    assert p.grande(CIRULLA, mask("JD QD KD")) == 5
    assert p.grande(CIRULLA, mask("JD QD KC")) == 0


def test_four_cavalli_double_the_scope() -> None:
    rules = flagged(only(PONINO, "p_scopa")._replace(double_all=15 << 32))
    assert totals(rules, "QD QC QS QB", "KD", scope=(2, 3)) == [4, 3]
    assert totals(rules, "QD QC QS", "QB", scope=(2, 3)) == [2, 3]


def test_points_declared_are_counted() -> None:
    s = [0] * k.SIZE
    s[k.EXTRA : k.EXTRA + 2] = [3, 10]
    s[k.SWEEPS] = 1
    p.score(CIRULLA, s)
    assert s[k.POINTS : k.POINTS + 2] == [3, 10]
    assert s[k.TOTAL : k.TOTAL + 2] == [4, 10]


# Any deal.


@every_rule_set
def test_the_points_are_those_of_the_oracle_after_a_deal(rules: Rules) -> None:
    rng = random.Random(20)
    for _ in range(12):
        assert_like_the_oracle(rules, finished(rules, rng))


@every_rule_set
def test_the_points_are_those_of_the_oracle_for_any_piles(rules: Rules) -> None:
    rng = random.Random(21)
    for prime, more_suits in product(range(4), range(2)):
        tried = flagged(rules._replace(prime=prime, more_suits=more_suits))
        for _ in range(15):
            s = [0] * k.SIZE
            for card in rng.sample(range(40), rng.choice((0, 6, 12, 24, 40))):
                s[k.PILE + rng.randrange(rules.sides)] |= 1 << card
            for side in range(rules.sides):
                s[k.SWEEPS + side] = rng.randrange(4)
            assert_like_the_oracle(tried, s)


def test_the_shoot_out_is_that_of_the_oracle() -> None:
    rng = random.Random(22)
    for _ in range(2_000):
        two = rng.sample(range(24, 28), 4)
        s = [0] * k.SIZE
        for card in [i for i in range(40) if not 24 <= i < 28]:
            side = rng.randrange(4)
            if side < 2:
                s[k.PILE + side] |= 1 << card
        for i, card in enumerate(two):
            s[k.PILE + i % 2] |= 1 << card
        assert_like_the_oracle(WIKIBOOKS, s)


def assert_like_the_oracle(rules: Rules, s: Ints) -> None:
    p.score(rules, s)
    sides = range(rules.sides)
    expected = oracle.totals(
        rules,
        [oracle.of_mask(s[k.PILE + side]) for side in sides],
        [s[k.SWEEPS + side] for side in sides],
        [s[k.EXTRA + side] for side in sides],
    )
    assert s[k.TOTAL : k.TOTAL + rules.sides] == expected
    for side in sides:
        scope = p.scope(rules, s[k.PILE + side], s[k.SWEEPS + side])
        assert s[k.POINTS + side] + scope == s[k.TOTAL + side]


def test_the_four_points_are_at_most_four_a_deal() -> None:
    """Rules 1.5."""
    rng = random.Random(23)
    for name in ("classic", "three", "six-as-three", "stargames"):
        rules = RULE_SETS[name]
        for _ in range(20):
            s = finished(rules, rng)
            p.score(rules, s)
            assert sum(s[k.POINTS : k.POINTS + 6]) <= 4
