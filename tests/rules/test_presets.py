"""Every preset: what its source says, and whole matches of it for every company."""

import random
from collections.abc import Iterator

import pytest

from scopa_net.rules.actions import Action, Claim, Declare
from scopa_net.rules.deal import Deal, apply, legal_actions, new_deal
from scopa_net.rules.kernel import Rules
from scopa_net.rules.match import Match, after_deal, decided_early, new_match
from scopa_net.rules.scoring import certain_score, score_deal
from scopa_net.rules.variants import VARIANTS, Variant, find_variant, flagged

SEATS: dict[str, tuple[int, ...]] = {
    "scopa": (2, 3, 4, 6),
    "stargames-scopa": (2, 4),
    "stargames-escoba": (2, 4),
    "gamerules-scopa": (2, 4),
    "wikibooks-scopa": (2, 3),
    "wikibooks-scopone": (4,),
    "escoba": (2, 3, 4),
    "scopone-9": (4,),
    "scopone-10": (4,),
    "scopa-15": (2, 3, 4),
    "scopa-dassi": (2, 4),
    "asso-piglia-tutto": (2, 4),
    "cirulla": (2, 3, 4),
    "napola": (2, 3, 4, 6),
    "re-bello": (2, 3, 4, 6),
    "trentino": (4,),
    "bergamasca": (2,),
    "ponino": (2, 3, 4, 6),
    "a-perdere": (2, 3, 4, 6),
}
OFFERED = [(name, players) for name, seats in SEATS.items() for players in seats]
every_offered = pytest.mark.parametrize(("name", "players"), OFFERED)

FIFTEEN = {"by_value": 0, "by_fifteen": 1}
LATE = {"redeal_kings": 0, "last_scopa": 1, "more_suits": 1}
SEVENS = {"redeal_kings": 0, "prime": 3}
TEN = {"hand": 10, "table": 0, "redeal_kings": 0}
DENARI = 0x1111111111

# Name, players, target, and the kernel's rules where they are not the classic ones.
VALUES: list[tuple[str, int, int, dict[str, int]]] = [
    ("scopa", 2, 11, {}),
    ("stargames-scopa", 2, 11, LATE),
    ("stargames-escoba", 2, 21, {**LATE, **FIFTEEN, "bonus": 3}),
    ("gamerules-scopa", 2, 11, {}),
    ("wikibooks-scopa", 2, 11, {**SEVENS, "hand": 9, "draw": 1}),
    ("wikibooks-scopa", 3, 11, {**SEVENS, "hand": 9, "draw": 1}),
    ("wikibooks-scopone", 4, 21, {**SEVENS, **TEN}),
    ("escoba", 2, 21, {**FIFTEEN, "redeal_kings": 0, "bonus": 2}),
    ("scopone-9", 4, 11, {"hand": 9}),
    ("scopone-10", 4, 21, TEN),
    ("scopa-15", 3, 11, FIFTEEN),
    ("scopa-dassi", 2, 11, {"ace": 1}),
    ("scopa-dassi", 4, 11, {**TEN, "ace": 1}),
    ("asso-piglia-tutto", 2, 11, {"ace": 1, "ace_scopa": 1}),
    ("asso-piglia-tutto", 4, 11, {**TEN, "ace": 1, "ace_scopa": 1}),
    (
        "cirulla",
        2,
        51,
        {
            "by_fifteen": 1,
            "ace": 1,
            "ace_scopa": 1,
            "redeal_kings": 0,
            "redeal_aces": 2,
            "bonus": 2,
            "wild": 1,
            "declare": 1,
            "run_cap": 6,
            "grande": 5,
            "win_all": DENARI,
        },
    ),
    ("napola", 2, 21, {"run_cap": 10}),
    ("re-bello", 2, 11, {"worth1": 1 << 24 | 1 << 36}),
    (
        "trentino",
        4,
        21,
        {
            "hand": 9,
            "worth1": 1 << 24 | 1,
            "worth2": 1 << 4,
            "worth3": 1 << 8,
            "win_all": 0x111,
        },
    ),
    ("bergamasca", 2, 11, {"hand": 9}),
    ("ponino", 2, 11, {"double_all": 15 << 32}),
    ("a-perdere", 2, 11, {}),
]


def test_the_presets_are_those_of_the_design_for_their_players() -> None:
    assert tuple(SEATS) == VARIANTS
    for name, seats in SEATS.items():
        for players in (2, 3, 4, 6):
            if players in seats:
                assert find_variant(name, players).players == players
            else:
                with pytest.raises(ValueError, match=f"is for .* not {players}"):
                    find_variant(name, players)
        with pytest.raises(ValueError, match="Five cannot play"):
            find_variant(name, 5)


@pytest.mark.parametrize(
    ("name", "players", "target", "changes"),
    VALUES,
    ids=[f"{name}-{players}" for name, players, *_ in VALUES],
)
def test_a_preset_has_the_values_of_its_source(
    name: str, players: int, target: int, changes: dict[str, int]
) -> None:
    """S0.29, S0.21, S2.6, S4.1, S4.5, S4.11, S4.13, S4.19."""
    variant = find_variant(name, players)
    sides = 3 if players == 3 else 2
    expected = flagged(Rules(players=players, sides=sides)._replace(**changes))
    assert variant.rules == expected
    assert variant.target == target
    assert variant.goal == ("avoid" if name == "a-perdere" else "reach")
    assert (variant.tie_at_target, variant.lead_needed) == ("play-on", 1)


def test_all_presets_stand_in_the_table_above() -> None:
    assert {name for name, *_ in VALUES} == set(VARIANTS)


def played_out(
    variant: Variant, rng: random.Random, dealer: int
) -> Iterator[tuple[Match, Deal]]:
    """Each deal of a random match at its end, and the match after it.

    What keeps the turn is done whenever it can be.
    """
    match = new_match(variant, dealer)
    while not match.over:
        deal = new_deal(variant, match.first, rng.sample(range(40), 40))
        while deal.turn is not None:
            legal = legal_actions(deal)
            extras = [one for one in legal if isinstance(one, Declare | Claim)]
            action: Action = rng.choice(extras or legal)
            deal = apply(deal, action)
            if decided_early(match, deal) is not None:
                break
        if deal.redeal_due:
            continue
        early = decided_early(match, deal)
        match = early or after_deal(match, score_deal(deal))
        yield match, deal


@every_offered
def test_a_match_of_every_preset_is_played_to_its_end(name: str, players: int) -> None:
    variant = find_variant(name, players)
    rng = random.Random(f"{name} {players}")
    *_, (match, deal) = played_out(variant, rng, rng.randrange(players))
    assert match.over
    assert deal.over
    assert sum(match.returns) == 0
    if match.decided is None:
        assert max(match.scores) >= variant.target


@every_offered
def test_every_preset_may_be_decided_early(name: str, players: int) -> None:
    """F4: points that nobody can take away count in the middle of a deal."""
    variant = find_variant(name, players, {"end_check": "at-once"})
    rng = random.Random(f"{name} {players} at once")
    *_, (match, deal) = played_out(variant, rng, 0)
    assert match.over
    assert max(match.scores) >= variant.target or match.decided is not None
    if not deal.over:
        certain = [score.total for score in certain_score(deal)]
        assert all(now >= sure for now, sure in zip(match.scores, certain, strict=True))


def test_four_alone_and_six_in_threes_or_alone_play_every_preset_that_has_room() -> (
    None
):
    for name, players in OFFERED:
        for sides in {4: ("4",), 6: ("3", "6")}.get(players, ()):
            variant = find_variant(name, players, {"sides": sides})
            rng = random.Random(f"{name} {players} {sides}")
            *_, (match, _) = played_out(variant, rng, 0)
            assert match.over
            assert len(match.scores) == int(sides)


def test_cirulla_is_declared_and_claims_are_made_in_random_matches() -> None:
    kinds = set()
    for variant in (
        find_variant("cirulla", 2, {"target": "200"}),
        find_variant("escoba", 2, {"compulsion": "none+claim", "target": "60"}),
    ):
        for _, deal in played_out(variant, random.Random(8), 0):
            kinds |= {type(action).__name__ for action in deal.actions}
            kinds |= {a.kind for a in deal.actions if isinstance(a, Declare)}
    assert kinds == {"Play", "Declare", "Claim", "low", "three"}
