"""``scopa rules``: what it lists, allows, scores and refuses."""

import re
from itertools import product
from random import Random

import pytest

from scopa_net.commands.rules import MEANING
from scopa_net.rules import MAZZO, OPTIONS, VARIANTS, find_variant
from tests.support.command_line import Ran, scopa


def moves(table: str, hand: str, *options: str) -> list[tuple[str, str, bool]]:
    """What the command says as JSON: card, captured cards, scopa."""
    ran = scopa("rules", "moves", "--table", table, "--hand", hand, *options, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert (ran.answer["schema"], ran.answer["type"]) == (1, "moves")
    return [
        (move["card"], " ".join(move["captured"]), move["scopa"])
        for move in ran.answer["moves"]
    ]


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


# -- moves ------------------------------------------------------------------------


def test_moves_are_listed_by_card_with_what_they_take() -> None:
    assert moves("3C 4S 5D", "7D AB") == [
        ("AB", "", False),
        ("7D", "3C 4S", False),
    ]


def test_the_object_has_the_documented_form() -> None:
    words = ("rules", "moves", "--variant", "scopa", "--table", "3c,4s", "--hand", "7d")
    assert scopa(*words, "--json").answer == {
        "schema": 1,
        "type": "moves",
        "moves": [{"card": "7D", "captured": ["3C", "4S"], "scopa": True}],
    }


def test_people_read_moves_as_they_are_written() -> None:
    ran = scopa("rules", "moves", "--table", "3C 4S", "--hand", "7D AB")
    assert ran == Ran(0, "AB  laid\n7Dx3C4S#  takes 3C 4S: scopa\n", "")


def test_an_equal_card_bars_the_sums_and_each_is_a_move() -> None:
    assert moves("7C 7S 3D 4D", "7D") == [("7D", "7C", False), ("7D", "7S", False)]


def test_an_empty_table_takes_any_card() -> None:
    assert moves("", "KD 1C") == [("AC", "", False), ("KD", "", False)]


def test_the_last_card_of_the_deal_makes_no_scopa_unless_the_rules_say_so() -> None:
    last = ("--last-play",)
    for variant, scopa_counts in (("scopa", False), ("stargames-scopa", True)):
        chosen = ("--variant", variant)
        assert moves("3C 4S", "7D", *chosen) == [("7D", "3C 4S", True)]
        assert moves("3C 4S", "7D", *chosen, *last) == [("7D", "3C 4S", scopa_counts)]


def test_rules_given_on_the_line_change_the_moves() -> None:
    table, hand = "AC 2S 3B 4D", "7D"
    free = {taken for _, taken, _ in moves(table, hand)}
    assert free == {"3B 4D", "AC 2S 4D"}
    fewest = moves(table, hand, "--rule", "sum_choice=fewest")
    assert fewest == [("7D", "3B 4D", False)]
    none = moves(table, hand, "--rule", "compulsion=none", "--rule", "max_captured=2")
    assert none == [("7D", "3B 4D", False), ("7D", "", False)]
    fifteen = moves("KD 5C 6S", "5D", "--rule", "capture=sum-15")
    assert fifteen == [("5D", "KD", False)]


def test_any_hand_is_answered_though_all_other_cards_lie_there() -> None:
    luck = Random(7)
    # With high cards in the hand there are most sums on the table.
    packs = [list(reversed(MAZZO)), list(MAZZO), luck.sample(MAZZO, 40)]
    for hand_size, cards in product((1, 4, 7, 10), packs):
        pack = [str(card) for card in cards]
        ran = scopa(
            *("rules", "moves", "--json", "--rule", "capture=equal+sum+15"),
            *("--rule", "equal_priority=off", "--rule", "compulsion=none"),
            *("--hand", "".join(pack[:hand_size])),
            *("--table", "".join(pack[hand_size:])),
        )
        assert ran.code == 0
        assert len(ran.answer["moves"]) >= hand_size


def test_a_play_is_asked_about_and_the_rule_that_forbids_it_is_named() -> None:
    words = ("rules", "moves", "--table", "3C 4S 7C", "--hand", "7D")
    why = "7D must take 7C, not 3C4S: an equal card goes before a sum."
    assert scopa(*words, "--play", "7Dx3C4S").out == f"7Dx3C4S  {why}\n"
    assert scopa(*words, "--play", "7dx4s3c", "--json").answer == {
        "schema": 1,
        "type": "move",
        "move": "7Dx3C4S",
        "allowed": False,
        "reason": why,
    }
    assert scopa(*words, "--play", "7Dx7C").out == "7Dx7C  allowed\n"
    said = scopa(*words, "--play", "6D").out
    assert said == "6D  6D is not in that hand.\n"
    sums = scopa(*words, "--play", "7Dx3C4S", "--rule", "equal_priority=off")
    assert sums.out == "7Dx3C4S  allowed\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--hand", "7D", "--play", "7Z"), "is not a card"),
        (("--hand", "7D", "--play", "low:7D"), "Only the play of a card"),
        (("--hand", "8D"), "'8D' is not a card"),
        (("--hand", "7D", "--table", "3C 4X"), "'4X' is not a card"),
        (("--hand", "7D 7d"), "7D is named twice for the hand."),
        (("--hand", "7D", "--table", "3C,3C"), "3C is named twice for the table."),
        (("--hand", "7D", "--table", "7D"), "7D is in the hand and on the table."),
        (("--hand", ""), "The hand needs a card."),
        (("--hand", "AD2D3D4D5D6D7DJDQDKDAC"), "at most 10 cards, not 11."),
        (("--hand", "7D" * 600), "too long for a list of cards"),
        ((), "Missing option '--hand'."),
        (("--hand", "7D", "--variant", "skopa"), "Did you mean scopa?"),
        (("--hand", "7D", "--variant", "cirula"), "Did you mean cirulla?"),
        (("--hand", "7D", "--rule", "sum_choise=free"), "Did you mean sum_choice?"),
        (("--hand", "7D", "--rule", "sum_choice=some"), "free or fewest, not 'some'"),
        (("--hand", "7D", "--rule", "fewest"), "written key=value, not 'fewest'"),
        (("--hand", "7D", "--rule", "=3"), "written key=value"),
        (("--hand", "7D", *("--rule", "ace=1") * 2), "rule ace is given twice"),
        (("--hand", "7D", "--rule", "may_decline=on"), "only matters with ace=sweeps"),
        (("--hand", "7D", "--players", "5"), "Five cannot play"),
        (("--hand", "7D", "--players", "many"), "'many' is not a valid integer"),
        (("--hand", "7D", "--players", "2", "--rule", "players=3"), "contradicts"),
        (("--hand", "7D", "--tabel", "3C"), "No such option"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(
    words: tuple[str, ...], says: str
) -> None:
    assert says in refused("moves", *words)


def test_what_is_shown_of_bad_input_cannot_move_the_cursor() -> None:
    said = refused("moves", "--hand", "\x1b[2J", "--rule", "a=b")
    assert "\x1b" not in said
    said = refused("moves", "--hand", "7D", "--rule", "\x1b[2J=x")
    assert "\x1b" not in said
    said = refused("moves", "--hand", "7D", "--variant", "\x1b[2J")
    assert "\x1b" not in said


# -- list, show -------------------------------------------------------------------


def test_the_list_names_every_variant_with_players_and_target() -> None:
    found = scopa("rules", "list", "--json").answer
    assert found["type"] == "variants"
    assert [one["id"] for one in found["variants"]] == list(VARIANTS)
    for one in found["variants"]:
        for players in one["players"]:
            assert find_variant(one["id"], players).target == one["target"]
    lines = scopa("rules", "list").out.splitlines()
    assert re.fullmatch(
        "scopa +2, 3, 4 or 6 players, to 11 points: the classic game", lines[0]
    )
    assert [line.split()[0] for line in lines] == list(VARIANTS)


def test_a_variant_is_shown_with_every_option_and_its_fingerprint() -> None:
    words = ("--players", "4", "--rule", "target=21")
    found = scopa("rules", "show", "scopa", *words, "--json").answer
    variant = find_variant("scopa", 4, {"target": "21"})
    assert found["type"] == "variant"
    assert found["fingerprint"] == variant.fingerprint.hex()
    assert (found["id"], found["players"], found["target"]) == ("scopa", 4, 21)
    lines = {f"{name}={value}" for name, value in found["options"].items()}
    assert lines | {"variant=scopa"} == set(variant.lines())


def test_what_differs_from_the_classic_game_has_a_star() -> None:
    ran = scopa("rules", "show", "stargames-scopa")
    text, options = ran.out.split("Options, for --rule KEY=VALUE")
    starred = re.findall(r"^\* (\w+)", options, re.MULTILINE)
    assert starred == ["redeal_kings", "last_play_scopa", "primiera_missing"]
    assert re.findall(r"^\* (.*)", text, re.MULTILINE) == [
        "The cards face up stand, however many are Re.",
        "The last card of the deal can make one too.",
        "More suits go before the sum.",
    ]
    assert "*" not in scopa("rules", "show", "scopa").out


def test_the_rules_are_shown_as_text_too_with_what_departs() -> None:
    found = scopa("rules", "show", "escoba", "--json").answer
    texts = {one["text"]: one["departs"] for one in found["text"]}
    assert texts["The last card of the deal makes none."] is False
    assert any(text.startswith("A card takes cards that make 15") for text in texts)
    out = scopa("rules", "show", "escoba").out
    assert all(text in " ".join(out.split()) for text in texts)


def test_every_option_is_shown_in_words() -> None:
    assert MEANING.keys() == OPTIONS.keys()
    out = scopa("rules", "show", "scopa").out
    assert all(f"  {name} " in out for name in OPTIONS)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "Missing argument 'VARIANT'."),
        (("scop",), "Did you mean scopa?"),
        (("escoba", "--players", "6"), "escoba is for 2, 3 or 4 players, not 6."),
        (("scopa", "--players", "7"), "is for 2, 3, 4 or 6 players, not 7"),
        (("scopa", "--rule", "target=0"), "from 1 to 999"),
        (("scopa", "--rule", "hand_size=10"), "cannot be dealt"),
    ],
)
def test_a_variant_that_cannot_be_is_refused_with_a_reason(
    words: tuple[str, ...], says: str
) -> None:
    assert says in refused("show", *words)
