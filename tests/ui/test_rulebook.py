"""The rules of every variant in words, made of its options."""

import pytest

from scopa_net.rules import PRESETS, Variant, find_variant
from scopa_net.ui.rulebook import rulebook
from tests.rules.test_variants import OVERRIDES, id_of
from tests.support.deals import PRESETS as VARIANTS


def texts(variant: Variant) -> list[str]:
    return [sentence.text for sentence in rulebook(variant)]


def departures(name: str, players: int | None = None) -> list[str]:
    told = rulebook(find_variant(name, players))
    return [sentence.text for sentence in told if sentence.departs]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
def test_a_rulebook_is_whole_sentences_under_titles(variant: Variant) -> None:
    for sentence in rulebook(variant):
        assert sentence.text[0].isupper()
        assert sentence.text.endswith(".")
        assert "  " not in sentence.text
        assert ".." not in sentence.text
        assert "_" not in sentence.text
    titles = list(dict.fromkeys(sentence.title for sentence in rulebook(variant)))
    declared = ["Declaring"] if variant.accusi == "on" else []
    expected = ["The deal", "Taking", "Scope", *declared, "Points", "The match"]
    assert titles == expected


@pytest.mark.parametrize("overrides", OVERRIDES, ids=map(id_of, OVERRIDES))
def test_every_option_changes_what_is_told(overrides: dict[str, str]) -> None:
    needs = {"ace": "sweeps", "dealer_table_bonus": "15", "capture": "sum-15"}
    changed = find_variant("scopa", 2, overrides)
    base = {name: value for name, value in overrides.items() if name in needs}
    if base != overrides:
        without = find_variant("scopa", 2, base)
        assert texts(changed) != texts(without)
    assert texts(changed) != texts(find_variant("scopa"))
    assert any(sentence.departs for sentence in rulebook(changed))


def test_the_classic_game_departs_from_nothing() -> None:
    for players in (2, 3, 4, 6):
        assert departures("scopa", players) == []


def test_what_departs_is_told_of_every_preset() -> None:
    silent = {name for name in PRESETS if not departures(name)}
    assert silent == {"scopa", "gamerules-scopa"}


def test_the_departures_of_the_wikibooks_game() -> None:
    assert departures("wikibooks-scopa") == [
        "Everybody gets nine cards, and four lie face up on the table.",
        "Whoever has played a card draws one, until no cards are left.",
        "The cards face up stand, however many are Re.",
        "One point for most sevens. If two sides have two each, the better cards in "
        "the suits of the other's sevens win it, in the order 6 Asso 5 4 3 2 Re "
        "Cavallo Fante.",
    ]


def test_a_game_to_lose_says_so() -> None:
    assert departures("a-perdere") == [
        "The match ends when a deal is over and a side has 11 points or more: the "
        "lowest score wins."
    ]


@pytest.mark.parametrize(
    ("name", "overrides", "told"),
    [
        # Two sides below the best may well be level.
        ("scopa", {}, "One point for most cards; nobody has it if the best are level."),
        (
            "scopa",
            {"majority": "more-than-half"},
            "One point for more than half of the cards.",
        ),
        ("cirulla", {}, "A card of the same rank goes before a sum, not a fifteen."),
        (
            "scopa",
            {"redeal_aces": "1"},
            "If any of the cards face up is an Asso, all are dealt again.",
        ),
        (
            "cirulla",
            {},
            "If two or more of the cards face up are Assi, all are dealt again, unless "
            "they bring a scopa.",
        ),
        (
            "napola",
            {},
            "A run of coins from the Asso up, of three cards or more, is a point for "
            "each of its cards.",
        ),
        (
            "a-perdere",
            {"end_check": "at-once"},
            "The match ends as soon as a side has 11 points or more for certain: the "
            "lowest score wins.",
        ),
        (
            "a-perdere",
            {"lead_needed": "2"},
            "The best score has to be two points from the next; else another deal is "
            "played.",
        ),
        (
            "scopa-dassi",
            {},
            "An Asso that sweeps makes none, unless it could take the same as any "
            "other card, such as a lone Asso.",
        ),
    ],
)
def test_what_is_told_is_true(name: str, overrides: dict[str, str], told: str) -> None:
    assert told in texts(find_variant(name, None, overrides))
