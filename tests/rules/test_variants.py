"""Variants as data: presets, overrides, lines, fingerprints, and what is refused."""

import hashlib
import random
from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from scopa_net.rules import kernel as k
from scopa_net.rules.errors import (
    IncompatibleOptions,
    RulesError,
    UnknownOption,
    UnknownVariant,
)
from scopa_net.rules.kernel import Rules
from scopa_net.rules.options import OPTIONS
from scopa_net.rules.presets import PRESETS
from scopa_net.rules.variants import (
    VARIANTS,
    Variant,
    changes,
    find_variant,
    flagged,
    variant_of_lines,
)

OFFERED = [
    (name, int(players))
    for name in VARIANTS
    for players in OPTIONS["players"]
    if int(players) in PRESETS[name].players
]

every_offered = pytest.mark.parametrize(("name", "players"), OFFERED)

# One override at a time, each with what it needs beside it.
ACE = {"ace": "sweeps"}
FIFTEEN = {"capture": "sum-15"}
BONUS = FIFTEEN | {"dealer_table_bonus": "15"}
OVERRIDES: list[Mapping[str, str]] = [
    {"hand_size": "9"},
    {"hand_size": "9", "refill": "draw-one-after-own-play"},
    {"hand_size": "9", "refill": "draw-one-after-all-played"},
    {"redeal_kings": "off"},
    {"redeal_aces": "2"},
    {"redeal_aces": "1"},
    FIFTEEN,
    {"capture": "equal+sum+15"},
    {"equal_priority": "off"},
    {"sum_choice": "fewest"},
    {"max_captured": "2"},
    {"compulsion": "hand"},
    {"compulsion": "none"},
    {"compulsion": "none+claim"},
    ACE,
    ACE | {"ace_on_table": "sweep-all"},
    ACE | {"sweep_is_scopa": "yes"},
    ACE | {"ace_to_empty": "takes-itself"},
    ACE | {"first_play_restricted": "no-ace-led"},
    ACE | {"first_play_restricted": "no-sweep"},
    ACE | {"may_decline": "on"},
    {"last_play_scopa": "yes"},
    {"leftovers": "dealer"},
    {"leftovers": "nobody"},
    BONUS,
    BONUS | {"double_at": "30"},
    BONUS | {"double_at": "20"},
    BONUS | {"double_at": "two-groups"},
    BONUS | {"receiver": "first-player"},
    BONUS | {"wild_seven": "on"},
    {"cards": "0"},
    {"coins": "0"},
    {"settebello": "0"},
    {"scopa": "0"},
    {"points": "most-sevens"},
    {"points": "most-sevens+shoot-out"},
    {"points": "none"},
    {"majority": "more-than-half"},
    {"primiera_values": "K10-Q9-J8"},
    {"primiera_values": "faces-0"},
    {"primiera_missing": "more-suits-first"},
    {"napola": "length"},
    {"napola": "cap-6"},
    {"napola": "napoleone"},
    {"napola": "cap-6+napoleone"},
    {"accusi": "on"},
    {"accusi": "on", "wild_seven": "on"},
    {"trentino": "on"},
    {"grande": "5"},
    {"re_bello": "on"},
    {"all_sevens": "on"},
    {"ponino": "on"},
    {"target": "21"},
    {"target": "3"},
    {"lead_needed": "2"},
    {"tie_at_target": "count-in-order"},
    {"tie_at_target": "claim"},
    {"goal": "avoid"},
    {"end_check": "at-once"},
    {"direction": "clockwise"},
]


def id_of(overrides: Mapping[str, str]) -> str:
    return ",".join(f"{name}={value}" for name, value in overrides.items())


def test_the_classic_game_has_the_values_of_the_sources() -> None:
    """Rules 1.3; S2.2, S2.10, S2.11, S2.15, S2.19, S2.20, S2.32."""
    v = find_variant("scopa")
    assert v.rules == Rules()
    assert (v.players, v.sides, v.hand_size, v.table_size) == (2, 2, 3, 4)
    assert (v.refill, v.redeal_kings, v.target) == ("when-empty", "3", 11)
    assert (v.capture, v.sum_choice, v.compulsion) == ("equal-then-sum", "free", "card")
    assert (v.last_play_scopa, v.points) == ("no", "primiera")
    assert (v.primiera_missing, v.tie_at_target) == ("needs-all-four", "play-on")


def test_stargames_counts_a_last_scopa_and_ranks_by_suits_and_redeals_nothing() -> None:
    """S0.26, S0.27, S0.35; kings are not mentioned."""
    v = find_variant("stargames-scopa")
    assert v.rules == Rules(redeal_kings=0, last_scopa=1, more_suits=1)
    assert (v.target, v.tie_at_target, v.dealer_table_bonus) == (11, "play-on", "off")


def test_gamerules_is_the_classic_game_where_its_source_is_silent() -> None:
    """S2.11, S2.24, S2.32."""
    v = find_variant("gamerules-scopa")
    assert v.rules == Rules()
    assert v.target == 11
    assert v.fingerprint != find_variant("scopa").fingerprint


@pytest.mark.parametrize(("players", "sides"), [(2, 2), (3, 3), (4, 2), (6, 2)])
def test_four_and_six_play_as_two_sides(players: int, sides: int) -> None:
    """S0.36, S0.37, S2.7."""
    v = find_variant("scopa", players)
    assert (v.players, v.sides, v.rules.sides) == (players, sides, sides)


@pytest.mark.parametrize(
    ("players", "sides"), [(4, "4"), (4, "2"), (6, "2"), (6, "3"), (6, "6")]
)
def test_sides_can_be_chosen(players: int, sides: str) -> None:
    v = find_variant("scopa", players, {"sides": sides})
    assert v.rules.sides == int(sides)


@every_offered
def test_a_variant_comes_back_from_its_lines(name: str, players: int) -> None:
    v = find_variant(name, players)
    assert variant_of_lines(v.lines()) == v
    assert list(v.lines()) == sorted(v.lines())
    assert f"variant={name}" in v.lines()
    assert len(v.lines()) == len(OPTIONS) + 1


@pytest.mark.parametrize("overrides", OVERRIDES, ids=map(id_of, OVERRIDES))
def test_an_option_changes_the_rules_and_the_fingerprint(
    overrides: Mapping[str, str],
) -> None:
    classic = find_variant("scopa")
    v = find_variant("scopa", 2, overrides)
    assert all(str(getattr(v, name)) == value for name, value in overrides.items())
    assert v.fingerprint != classic.fingerprint
    assert variant_of_lines(v.lines()) == v
    match_only = {"target", "lead_needed", "tie_at_target", "direction"}
    match_only |= {"goal", "end_check"}
    assert (v.rules == classic.rules) == (set(overrides) <= match_only)
    assert v.rules == flagged(v.rules)


@pytest.mark.parametrize("overrides", OVERRIDES, ids=map(id_of, OVERRIDES))
def test_a_deal_can_be_played_under_every_option(overrides: Mapping[str, str]) -> None:
    rules = find_variant("scopa", 2, overrides).rules
    rng = random.Random(id_of(overrides))
    order = list(range(40))
    rng.shuffle(order)
    s = [0] * k.SIZE
    s[k.DECK : k.DECK + 40] = order
    k.new_deal(rules, s, 1)
    out = [0] * k.BUFFER
    for _ in range(40 - rules.table):
        k.apply(rules, s, rng.choice(out[: k.legal_plays(rules, s, out)]))
    assert (s[k.LEFT], s[k.STOCK]) == (0, 0)


def test_all_variants_that_differ_have_different_fingerprints() -> None:
    variants = [find_variant(*offered) for offered in OFFERED]
    variants += [find_variant("scopa", 2, overrides) for overrides in OVERRIDES]
    assert len({v.fingerprint for v in variants}) == len(variants)


def test_the_fingerprint_is_the_hash_of_the_sorted_lines() -> None:
    v = find_variant("scopa")
    text = "\n".join(sorted(v.lines())).encode()
    assert v.fingerprint == hashlib.blake2b(text, digest_size=32).digest()
    assert v.fingerprint.hex()[:8] in repr(v)


def test_the_order_of_overrides_does_not_matter() -> None:
    one = find_variant("scopa", 2, {"target": "21", "napola": "length"})
    two = find_variant("scopa", 2, {"napola": "length", "target": "21"})
    assert one == two
    assert hash(one) == hash(two)


def test_the_classic_value_of_every_option_may_be_asked_for() -> None:
    classic = {name: values[0] for name, values in OPTIONS.items() if values}
    assert find_variant("scopa", 2, classic) == find_variant("scopa")


def test_trentino_napoleone_and_the_cirulla_are_ints_of_the_kernel() -> None:
    v = find_variant("scopa")
    trentino = replace(v, trentino="on").rules
    assert (trentino.worth1, trentino.worth2, trentino.worth3, trentino.win_all) == (
        1 << 24 | 1,
        1 << 4,
        1 << 8,
        0x111,
    )
    for napola, cap in (("napoleone", 10), ("cap-6+napoleone", 6)):
        napoleone = replace(v, napola=napola).rules
        assert (napoleone.run_cap, napoleone.win_all) == (cap, 0x1111111111)
    cirulla = replace(v, accusi="on", wild_seven="on", grande="5").rules
    assert (cirulla.declare, cirulla.wild, cirulla.grande) == (1, 1, 5)
    assert replace(v, compulsion="none+claim").rules.compulsion == 3


# What is refused, and the sentence.

REFUSED: list[tuple[type[RulesError], str, int, Mapping[str, str], str]] = [
    (IncompatibleOptions, "scopa", 5, {}, "36 cards"),
    (IncompatibleOptions, "scopa", 7, {}, "2, 3, 4 or 6 players, not 7"),
    # S0.38: the text does not mention three.
    (IncompatibleOptions, "stargames-scopa", 3, {}, "2 or 4 players, not 3"),
    (IncompatibleOptions, "gamerules-scopa", 6, {}, "2 or 4 players, not 6"),
    (IncompatibleOptions, "scopa", 2, ACE | FIFTEEN, "no card takes by rank"),
    (IncompatibleOptions, "scopa", 2, {"may_decline": "on"}, "ace=sweeps"),
    (IncompatibleOptions, "scopa", 2, {"sweep_is_scopa": "yes"}, "ace=sweeps"),
    (IncompatibleOptions, "scopa", 2, {"double_at": "30"}, "dealer_table_bonus"),
    (IncompatibleOptions, "scopa", 2, {"receiver": "first-player"}, "dealer_table"),
    (IncompatibleOptions, "scopa", 2, {"dealer_table_bonus": "15"}, "by fifteen"),
    (IncompatibleOptions, "scopa", 2, {"wild_seven": "on"}, "accusi or dealer_table"),
    (IncompatibleOptions, "scopa", 4, {"sides": "3"}, "4 players do not make 3"),
    (IncompatibleOptions, "scopa", 3, {"sides": "2"}, "3 players do not make 2"),
    (IncompatibleOptions, "scopa", 2, {"refill": "none"}, "36 cards cannot be dealt"),
    (IncompatibleOptions, "scopa", 3, {"hand_size": "9"}, "36 cards cannot be dealt"),
    (IncompatibleOptions, "scopa", 2, {"table_size": "0"}, "40 cards cannot be dealt"),
    (
        IncompatibleOptions,
        "scopa",
        2,
        {"hand_size": "10", "table_size": "0"},
        "four players",
    ),
    (
        IncompatibleOptions,
        "scopa",
        6,
        {"hand_size": "9", "refill": "draw-one-after-own-play"},
        "36 cards cannot be dealt",
    ),
    (
        IncompatibleOptions,
        "scopa",
        4,
        BONUS | {"hand_size": "10", "table_size": "0"},
        "four cards face up",
    ),
    (
        IncompatibleOptions,
        "scopa",
        2,
        ACE | {"may_decline": "on", "compulsion": "hand"},
        "both free and forced",
    ),
    (IncompatibleOptions, "scopa", 3, {"tie_at_target": "claim"}, "for two sides"),
    (
        IncompatibleOptions,
        "scopa",
        2,
        {"tie_at_target": "claim", "end_check": "at-once"},
        "nothing is left to claim",
    ),
    (
        IncompatibleOptions,
        "a-perdere",
        2,
        {"tie_at_target": "claim"},
        "at the target first",
    ),
    *(
        (
            IncompatibleOptions,
            "scopa",
            2,
            {"tie_at_target": tie, "lead_needed": "2"},
            "no lead is asked for",
        )
        for tie in ("count-in-order", "claim")
    ),
    (IncompatibleOptions, "scopone-9", 4, {"accusi": "on"}, "whole hands of three"),
    (IncompatibleOptions, "scopone-10", 4, {"redeal_aces": "2"}, "four cards face up"),
    (IncompatibleOptions, "cirulla", 2, {"goal": "avoid"}, "win the match outright"),
    (IncompatibleOptions, "trentino", 4, {"goal": "avoid"}, "win the match outright"),
    (
        IncompatibleOptions,
        "a-perdere",
        2,
        {"tie_at_target": "count-in-order"},
        "at the target first",
    ),
    (UnknownOption, "scopa", 2, {"sum_choise": "free"}, "Did you mean sum_choice"),
    (UnknownOption, "scopa", 2, {"xyzzy": "1"}, "no option 'xyzzy'"),
    (UnknownOption, "scopa", 2, {"sum_choice": "most"}, "free or fewest, not 'most'"),
    (UnknownOption, "scopa", 2, {"deck": "french"}, "display"),
    (UnknownOption, "scopa", 2, {"variant": "escoba"}, "by its name"),
    (UnknownOption, "scopa", 2, {"players": "3"}, "contradicts"),
    (UnknownOption, "scopa", 2, {"players": "5"}, "2, 3, 4 or 6, not '5'"),
    *(
        (UnknownOption, "scopa", 2, {"target": target}, "from 1 to 999")
        for target in ("0", "-1", "1000", "011", "eleven", "", "1.5", "\u0661")
    ),
    (UnknownVariant, "scoppa", 2, {}, "Did you mean scopa"),
    (UnknownVariant, "Scopa", 2, {}, "Did you mean scopa"),
    (
        UnknownVariant,
        "briscola",
        2,
        {},
        "scopa, stargames.* and a-perdere",
    ),
]


@pytest.mark.parametrize(
    ("error", "name", "players", "overrides", "sentence"),
    REFUSED,
    ids=[f"{case[1]}-{case[2]}-{id_of(case[3])}" for case in REFUSED],
)
def test_what_cannot_be_played_is_refused_with_the_reason(
    error: type[RulesError],
    name: str,
    players: int,
    overrides: Mapping[str, str],
    sentence: str,
) -> None:
    """G7, S0.38, S2.2 among others."""
    with pytest.raises(error, match=sentence):
        find_variant(name, players, overrides)


def test_a_variant_says_how_it_differs_from_the_preset_of_its_name() -> None:
    for name, players in OFFERED:
        assert changes(find_variant(name, players)) == ()
    changed = find_variant("cirulla", 3, {"target": "21", "accusi": "off"})
    assert changes(changed) == ("accusi=off", "target=21")


def lines_of(variant: Variant, *, without: str = "", plus: str = "") -> list[str]:
    lines = [line for line in variant.lines() if not line.startswith(without or "-")]
    return sorted([*lines, plus]) if plus else lines


@pytest.mark.parametrize(
    ("without", "plus", "sentence"),
    [
        ("ace=", "", "do not say ace"),
        ("", "mystery=1", "no option 'mystery'"),
        ("", "ace=1", "not one line"),
        ("", "nonsense", "not one line"),
        ("ace=", "ace=2", "ace is 1 or sweeps"),
        ("target=", "target=011", "from 1 to 999"),
        ("players=", "players=x", "players is"),
        ("wild_seven=", "wild_seven=on", "only matters"),
        ("sides=", "sides=3", "equal sides"),
        ("variant=", "variant=briscola", "no variant"),
        ("variant=", "", "no variant"),
    ],
)
def test_lines_that_are_no_variant_are_refused(
    without: str, plus: str, sentence: str
) -> None:
    lines = lines_of(find_variant("scopa"), without=without, plus=plus)
    with pytest.raises(RulesError, match=sentence):
        variant_of_lines(lines)


FOREIGN = "\x1b[2J\u202e\u00e9" + "x" * 1_000


def test_a_refusal_repeats_little_of_a_foreign_text_and_nothing_unprintable() -> None:
    lines = lines_of(find_variant("scopa"))
    refused: list[Callable[[], Variant]] = [
        lambda: find_variant(FOREIGN),
        lambda: find_variant("scopa", 2, {FOREIGN: "1"}),
        lambda: find_variant("scopa", 2, {"ace": FOREIGN}),
        lambda: find_variant("scopa", 2, {"target": FOREIGN}),
        lambda: variant_of_lines([*lines, FOREIGN]),
        lambda: variant_of_lines([f"variant={FOREIGN}"]),
    ]
    for refuse in refused:
        with pytest.raises(RulesError) as refusal:
            refuse()
        said = str(refusal.value)
        assert r"'\x1b[2J\u202e\xe9xxxxx" in said
        assert said.isascii()
        assert said.isprintable()
        assert len(said) < 400


def test_lines_out_of_order_are_refused() -> None:
    with pytest.raises(UnknownOption, match="sorted"):
        variant_of_lines(find_variant("scopa").lines()[::-1])


def test_lines_for_players_the_variant_is_not_for_are_refused() -> None:
    three = find_variant("scopa", 3)
    lines = lines_of(three, without="variant=", plus="variant=stargames-scopa")
    with pytest.raises(IncompatibleOptions, match="2 or 4 players, not 3"):
        variant_of_lines(lines)
