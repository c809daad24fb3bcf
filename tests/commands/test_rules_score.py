"""``scopa rules score``: points with their reasons, and what it refuses."""

from random import Random

import pytest

from scopa_net.rules import MAZZO, VARIANTS, find_variant, score_piles
from tests.support.command_line import scopa


def refused(*words: str) -> str:
    """The one sentence with which a command is refused, the same in both forms."""
    plain, as_json = scopa("rules", *words), scopa("rules", *words, "--json")
    assert (plain.code, plain.out, as_json.code) == (2, "", 2)
    said = as_json.answer
    assert said.keys() == {"schema", "type", "code", "message"}
    assert (said["schema"], said["type"], said["code"]) == (1, "error", 2)
    assert plain.err == as_json.err
    assert plain.err.endswith(f"Error: {said['message']}\n")
    message: str = said["message"]
    return message


def test_piles_are_scored_in_the_documented_form() -> None:
    ran = scopa(
        *("rules", "score", "--variant", "scopa", "--json"),
        *("--pile", "7D 7C 6S AB KD", "--pile", "7S 2D 2C KB"),
        *("--scope", "1", "--scope", "0"),
    )
    assert (ran.code, ran.err) == (0, "")
    first = {
        "cards": 5,
        "coins": 2,
        "settebello": True,
        "primiera": 21 + 21 + 18 + 16,
        "suits": 4,
        "sevens": 2,
        "scope": 1,
        "points": {
            "cards": 1,
            "coins": 1,
            "settebello": 1,
            "primiera": 1,
            "scope": 1,
        },
        "total": 5,
    }
    second = {
        "cards": 4,
        "coins": 1,
        "settebello": False,
        "primiera": 21 + 12 + 12 + 10,
        "suits": 4,
        "sevens": 1,
        "scope": 0,
        "points": {},
        "total": 0,
    }
    found = ran.answer
    reasons = [side.pop("reasons") for side in found["sides"]]
    assert [side.pop("wins_match") for side in found["sides"]] == [False, False]
    assert found == {"schema": 1, "type": "score", "sides": [first, second]}
    assert [len(found) for found in reasons] == [5, 5]


def test_every_point_has_its_reason() -> None:
    piles = ("--pile", "7D 7C 6S AB KD", "--pile", "7S 2D 2C KB")
    sides = scopa("rules", "score", "--json", *piles).answer["sides"]
    reasons = [side["reasons"] for side in sides]
    assert [one["category"] for one in reasons[0]] == [
        "cards",
        "coins",
        "settebello",
        "primiera",
        "scope",
    ]
    assert reasons[0][3] == {
        "category": "primiera",
        "points": 1,
        "cards": ["7D", "7C", "6S", "AB"],
        "figures": [76, 55],
        "level": [],
        "shoot_out": False,
        "kind": "",
    }


def test_a_tie_names_who_is_level() -> None:
    three = ("--pile", "2D 3C", "--pile", "3D 2C", "--pile", "4D")
    words = ("rules", "score", "--players", "3", *three)
    sides = scopa(*words, "--json").answer["sides"]
    assert [side["reasons"][0]["level"] for side in sides] == [[0, 1]] * 3
    assert "A tie of side A and side B: nobody scores." in scopa(*words).out


def test_declared_points_count_where_hands_are_declared() -> None:
    words = ("--pile", "JD QD KD", "--pile", "", "--declared", "3", "--declared", "10")
    ran = scopa("rules", "score", "--variant", "cirulla", *words)
    assert (
        "Extras: 5 points for side A with Fante of coins (8), Cavallo of coins "
        "(9), Re of coins (10); 3 points for side A, declared; 10 points for side B, "
        "declared.\n" in ran.out
    )
    assert "it has accusi=off" in refused("score", *words)


@pytest.mark.parametrize("points", ["1", "2", "4", "5", "7", "8", "11", "14", "17"])
def test_points_that_no_hands_come_to_are_not_declared(points: str) -> None:
    words = ("--pile", "7D", "--pile", "", "--declared", points, "--declared", "0")
    told = refused("score", "--variant", "cirulla", *words)
    assert f"No hands bring {points} point" in told
    assert "they bring 3 or 10 each" in told


def test_a_pile_that_wins_the_match_says_so() -> None:
    words = ("--variant", "trentino", "--pile", "AD 2D 3D", "--pile", "7D")
    ran = scopa("rules", "score", *words)
    assert ran.out.endswith(
        "side A wins the match outright, with Asso, 2 and 3 of coins.\n"
    )
    sides = scopa("rules", "score", *words, "--json").answer["sides"]
    assert [side["wins_match"] for side in sides] == [True, False]


def test_people_read_a_score_with_what_it_is_made_of() -> None:
    ran = scopa("rules", "score", "--pile", "7D 6C AS 5B", "--pile", "KC", "--json")
    assert [side["total"] for side in ran.answer["sides"]] == [4, 0]
    ran = scopa("rules", "score", "--pile", "7D 6C AS 5B", "--pile", "KC")
    assert ran.out == (
        "side A  4 points (cards 1, coins 1, settebello 1, primiera 1)\n"
        "        4 cards, 1 denari, the settebello, primiera 70 in 4 suits, 1 seven, "
        "no scope\n"
        "side B  no points\n"
        "        1 card, no denari, no settebello, primiera 10 in 1 suit, no sevens, "
        "no scope\n"
        "\n"
        "Cards: side A 4, side B 1. 1 point for side A.\n"
        "Coins: side A 1, side B 0. 1 point for side A.\n"
        "Settebello, the 7 of coins: 1 point for side A.\n"
        "Primiera: side A 70 with 7 of coins (21), 6 of cups (18), Asso of swords "
        "(16), 5 of clubs (15); side B lacks a suit. 1 point for side A.\n"
        "Scope: nobody made one.\n"
    )


def test_three_alone_have_three_piles_and_two_pairs_have_two() -> None:
    three = ("--pile", "7D", "--pile", "7C", "--pile", "7S")
    ran = scopa("rules", "score", "--players", "3", *three, "--json")
    assert len(ran.answer["sides"]) == 3
    ran = scopa("rules", "score", "--rule", "players=3", *three, "--json")
    assert len(ran.answer["sides"]) == 3
    ran = scopa("rules", "score", "--players", "4", *three[:4], "--json")
    assert len(ran.answer["sides"]) == 2


def test_an_empty_pile_is_a_pile() -> None:
    ran = scopa("rules", "score", "--pile", "", "--pile", "7D", "--json")
    assert [side["total"] for side in ran.answer["sides"]] == [0, 3]


def test_a_source_that_counts_suits_first_is_asked_by_its_name() -> None:
    piles = ("--pile", "7D 7C", "--pile", "2D 2C 2S")
    for variant, winner in (("scopa", None), ("stargames-scopa", 1)):
        ran = scopa("rules", "score", "--variant", variant, *piles, "--json")
        won = ["primiera" in side["points"] for side in ran.answer["sides"]]
        assert won == [side == winner for side in range(2)]


def test_the_command_scores_as_the_rules_do() -> None:
    luck = Random(3)
    for variant in VARIANTS:
        pack = luck.sample(MAZZO, 40)
        piles = [pack[:23], pack[23:]]
        expected = score_piles(find_variant(variant), piles, (2, 1))
        texts = [" ".join(map(str, pile)) for pile in piles]
        ran = scopa(
            *("rules", "score", "--variant", variant, "--json"),
            *("--pile", texts[0], "--pile", texts[1], "--scope", "2", "--scope", "1"),
        )
        found = [(side["points"], side["total"]) for side in ran.answer["sides"]]
        assert found == [(dict(side.points), side.total) for side in expected]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "give --pile 2 times, not 0."),
        (("--pile", "7D"), "give --pile 2 times, not 1."),
        (("--pile", "7D") * 3, "give --pile 2 times, not 3."),
        (("--pile", "7D", "--pile", "6C 7D"), "7D lies in two piles."),
        (("--pile", "7D", "--pile", "6C6C"), "6C is named twice for pile 2."),
        (("--pile", "7D", "--pile", "Z"), "'Z' is not a card"),
        (("--pile", "7D", "--pile", "6C", "--scope", "1"), "once for each pile"),
        (("--pile", "7D", "--pile", "6C", *("--scope", "-1") * 2), "-1 is not in"),
        (("--pile", "7D", "--pile", "6C", *("--scope", "999") * 2), "999 is not in"),
        (("--pile", "7D", "--pile", "6C", "--rule", "napola=7"), "napola is off"),
    ],
)
def test_piles_that_cannot_be_are_refused_with_a_reason(
    words: tuple[str, ...], says: str
) -> None:
    assert says in refused("score", *words)
