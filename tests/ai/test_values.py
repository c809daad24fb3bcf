"""Values are fitted by a command, kept as data, and found by the game."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from random import Random

import pytest

from ai.compiled import PLAIN
from ai.values import CLASSIC, KINDS, Values, values_of
from ai.values.fit import as_text, fit, kinds_of, least_squares
from scopa_net.bots import Variant, cards
from scopa_net.rules.actions import set_of
from scopa_net.rules.presets import PRESETS
from scopa_net.rules.variants import find_variant

KEPT = sorted(
    one.name.removesuffix(".toml")
    for one in files("ai.values").iterdir()
    if one.name.endswith(".toml")
)


def game(name: str) -> Variant:
    """The game that values are named after, as in scopone-9-4."""
    variant, _, players = name.rpartition("-")
    return find_variant(variant, int(players))


@pytest.mark.parametrize("name", KEPT)
def test_kept_values_are_those_of_a_game_and_say_how_they_were_made(name: str) -> None:
    text = files("ai.values").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    variant = game(name)
    command = f"python -m ai.values.fit --variant {variant.id}"
    assert f"{command} --players {variant.players} --deals " in text
    points = tomllib.loads(text)["points"]
    assert [*points] == [*kinds_of(variant.rules), "scopa"]
    assert values_of(variant).kinds == {kind: points[kind] for kind in [*points][:-1]}


def test_the_classic_games_and_every_game_that_scores_otherwise_have_their_own() -> (
    None
):
    scored = {"escoba", "scopone-9", "scopone-10", "cirulla", "napola", "trentino"}
    for name in {"scopa", "re-bello", "ponino", *scored}:
        for players in PRESETS[name].players:
            assert f"{name}-{players}" in KEPT


def test_a_game_without_values_of_its_own_takes_those_of_scopa() -> None:
    assert values_of(find_variant("gamerules-scopa", 4)) == values_of(
        find_variant("scopa", 4)
    )
    avoid = values_of(find_variant("a-perdere", 2))
    assert avoid.of(set_of(cards("7D 2C"))) == -CLASSIC.of(set_of(cards("7D 2C")))
    assert avoid.scopa == -CLASSIC.scopa


def test_least_squares_find_the_weights_that_were_put_in() -> None:
    rng = Random("squares")
    rows = [
        [rng.choice((-2, -1, 0, 1, 2)) * 1.0 for _ in range(4)] for _ in range(4000)
    ]
    weights = (0.1, 0.9, -0.3, 0.0)
    noted = [
        (row, sum(w * x for w, x in zip(weights, row, strict=True)) + rng.gauss(0, 0.5))
        for row in rows
    ]
    found, explained = least_squares(noted)
    assert found == pytest.approx(weights, abs=0.03)
    assert 0.8 < explained < 0.95


def test_a_fit_finds_that_the_settebello_is_worth_most_and_a_plain_card_little() -> (
    None
):
    found = fit(find_variant("scopa"), 200, 1, PLAIN)
    worth = {text: found.values.of(set_of(cards(text))) for text in ("7D", "2D", "KS")}
    assert worth["7D"] > 2 * worth["2D"] > 0
    assert worth["2D"] > worth["KS"]
    assert found.values.scopa == 1
    read = tomllib.loads(as_text(found, "python -m ai.values.fit"))["points"]
    assert read == {**found.values.kinds, "scopa": 1}


def test_values_for_the_dialect_are_the_same_in_whole_numbers() -> None:
    kinds = {"card": 0.08, "coin": 0.0, "settebello": 0.95}
    assert Values(kinds, 1.0).ints() == [
        *(1, 10_000, 2),
        *(KINDS["card"], 800, KINDS["settebello"], 9_500),
    ]
    assert Values(kinds, 1.0).turned_round().ints()[:2] == [-1, -10_000]
