"""Variants: the presets, what they are to the kernel, what cannot be played together.

The kernel's ints are derived here and nowhere else. Two peers agree on the rules when
their sorted `key=value` lines are equal, which is what the fingerprint stands for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from scopa_net.rules.cards import RE_BELLO
from scopa_net.rules.carried import CARRIED, CARRIED_FROM, Carried, read_carried
from scopa_net.rules.errors import (
    IncompatibleOptions,
    UnknownOption,
    UnknownVariant,
    quoted,
)
from scopa_net.rules.kernel import SETTEBELLO, Rules
from scopa_net.rules.options import NUMBERS, OPTIONS, check_value, listed
from scopa_net.rules.points import DENARI
from scopa_net.rules.presets import PRESETS, Preset

ASSO_DUE_TRE = 0x111  # the three lowest denari
CAVALLI = 15 << 32  # all four

_ACE = ("ace", ("sweeps",), "only matters with ace=sweeps")
_BONUS = ("dealer_table_bonus", ("15",), "only matters with dealer_table_bonus=15")
_NEEDS: Mapping[str, tuple[str, tuple[str, ...], str]] = {
    "ace_on_table": _ACE,
    "sweep_is_scopa": _ACE,
    "ace_to_empty": _ACE,
    "first_play_restricted": _ACE,
    "may_decline": _ACE,
    "double_at": _BONUS,
    "receiver": _BONUS,
    "dealer_table_bonus": (
        "capture",
        ("sum-15", "equal+sum+15"),
        "belongs to games that capture by fifteen",
    ),
}


@dataclass(frozen=True, slots=True, repr=False)
class Variant:
    """One way to play, complete: every option by its name. Impossible ones raise.

    `players`, `sides`, `hand_size`, `table_size`, `target` and `lead_needed` are
    numbers, all other options the text of their value. `carried` is no option but a
    score that the match starts from.
    """

    id: str
    players: int
    sides: int
    hand_size: int
    table_size: int
    refill: str
    redeal_kings: str
    redeal_aces: str
    capture: str
    equal_priority: str
    sum_choice: str
    max_captured: str
    compulsion: str
    ace: str
    ace_on_table: str
    sweep_is_scopa: str
    ace_to_empty: str
    first_play_restricted: str
    may_decline: str
    last_play_scopa: str
    leftovers: str
    dealer_table_bonus: str
    double_at: str
    receiver: str
    cards: str
    coins: str
    settebello: str
    scopa: str
    points: str
    majority: str
    primiera_values: str
    primiera_missing: str
    napola: str
    grande: str
    re_bello: str
    trentino: str
    all_sevens: str
    ponino: str
    accusi: str
    wild_seven: str
    target: int
    lead_needed: int
    tie_at_target: str
    goal: str
    end_check: str
    direction: str
    carried: Carried | None = None
    rules: Rules = field(init=False, compare=False)
    fingerprint: bytes = field(init=False, compare=False)

    def __post_init__(self) -> None:
        for name in OPTIONS:
            check_value(name, str(getattr(self, name)))
        _check_together(self)
        _check_carried(self)
        rules = flagged(Rules(**_play_rules(self), **_point_rules(self)))
        object.__setattr__(self, "rules", rules)
        text = "\n".join(self.lines()).encode()
        digest = hashlib.blake2b(text, digest_size=32).digest()
        object.__setattr__(self, "fingerprint", digest)

    def __repr__(self) -> str:
        short = self.fingerprint.hex()[:8]
        return f"<Variant {self.id} for {self.players}, {short}>"

    @property
    def claims_match(self) -> bool:
        """True if a seat may say in its turn that its side has reached the target."""
        return self.tie_at_target == "claim"

    def lines(self) -> tuple[str, ...]:
        """The rules as sorted `key=value` lines, the id under the key `variant`."""
        values = [f"{name}={getattr(self, name)}" for name in OPTIONS]
        carried = self.carried.lines() if self.carried else ()
        return tuple(sorted([f"variant={self.id}", *values, *carried]))

    @property
    def start(self) -> tuple[int, ...]:
        """The points of each side before the first deal."""
        return self.carried.scores if self.carried else (0,) * self.sides

    def won_by(self, scores: Sequence[int]) -> int | None:
        """The side that has won with these scores; None while the match goes on."""
        if max(scores) < self.target:
            return None
        best, second = sorted(scores, reverse=self.goal != "avoid")[:2]
        if abs(best - second) < self.lead_needed:
            return None
        return scores.index(best)


VARIANTS: tuple[str, ...] = tuple(PRESETS)

_SIDES = {2: "2", 3: "3", 4: "2", 6: "2"}


def find_variant(
    id: str,  # noqa: A002
    players: int | None = None,
    overrides: Mapping[str, str] = MappingProxyType({}),
) -> Variant:
    """The variant of that name for so many players, with options changed.

    If nobody says how many, the fewest it is for. Four and six play as two sides unless
    `sides` says otherwise.
    """
    preset = _preset(id)
    if players is None:
        players = preset.players[0]
    _check_players(id, preset, players)
    values = {name: choices[0] for name, choices in OPTIONS.items() if choices}
    values |= {"target": "11", "sides": _SIDES[players], **preset.changes}
    values |= preset.changes_for.get(players, {})
    for name, value in overrides.items():
        check_value(name, value)
        if name == "players" and value != str(players):
            raise UnknownOption(
                f"players={value} contradicts the {players} players asked for."
            )
        values[name] = value
    values["players"] = str(players)
    return _variant(id, values)


def variant_of_lines(lines: Sequence[str]) -> Variant:
    """The variant that has exactly these lines; the inverse of `Variant.lines`."""
    values: dict[str, str] = {}
    for line in lines:
        name, equals, value = line.partition("=")
        if not equals or name in values:
            raise UnknownOption(f"{quoted(line)} is not one line of rules, key=value.")
        values[name] = value
    id_ = values.pop("variant", "")
    carried = read_carried(values.pop(CARRIED, None), values.pop(CARRIED_FROM, None))
    preset = _preset(id_)
    missing = [name for name in OPTIONS if name not in values]
    if missing:
        raise UnknownOption(f"The rules do not say {listed(missing, 'and')}.")
    for name, value in values.items():
        check_value(name, value)
    _check_players(id_, preset, int(values["players"]))
    variant = replace(_variant(id_, values), carried=carried)
    if variant.lines() != tuple(lines):
        raise UnknownOption("The lines of the rules are not in their sorted form.")
    return variant


def changes(variant: Variant) -> tuple[str, ...]:
    """The `key=value` lines in which it is not the preset of its name.

    A score that it starts from is not among them.
    """
    named = set(find_variant(variant.id, variant.players).lines())
    own = replace(variant, carried=None).lines()
    return tuple(line for line in own if line not in named)


def flagged(rules: Rules) -> Rules:
    """The rules with the kernel's derived flags `odd_moves` and `odd_score` set."""
    r = rules
    moves = r.fewest or r.max_captured or r.ace or r.compulsion
    points = r.worth2 or r.worth3 or r.run_cap or r.grande or r.sevens_bonus
    points = points or r.double_all or r.win_all or r.declare
    return r._replace(odd_moves=int(moves > 0), odd_score=int(points > 0))


def _place(variant: Variant, name: str) -> int:
    """Which of the option's values the variant has; 0 is the classic one."""
    return OPTIONS[name].index(getattr(variant, name))


def _number(variant: Variant, name: str) -> int:
    """The option's value where it is a number, 0 where it is off."""
    value: str = getattr(variant, name)
    return 0 if value in ("off", "none") else int(value)


def _play_rules(variant: Variant) -> dict[str, int]:
    """What the kernel needs to deal, capture and declare."""
    bonus = {"none": 1, "30": 2, "20": 3, "two-groups": 4}[variant.double_at]
    return {
        "players": variant.players,
        "sides": variant.sides,
        "hand": variant.hand_size,
        "table": variant.table_size,
        "draw": (0, 1, 2, 0)[_place(variant, "refill")],
        "by_value": int(variant.capture != "sum-15"),
        "by_fifteen": int(variant.capture != "equal-then-sum"),
        "equal_first": int(variant.equal_priority == "on"),
        "fewest": _place(variant, "sum_choice"),
        "max_captured": _number(variant, "max_captured"),
        "compulsion": _place(variant, "compulsion"),
        "ace": _place(variant, "ace"),
        "ace_table": _place(variant, "ace_on_table"),
        "ace_scopa": _place(variant, "sweep_is_scopa"),
        "ace_empty": _place(variant, "ace_to_empty"),
        "ace_first": _place(variant, "first_play_restricted"),
        "ace_decline": _place(variant, "may_decline"),
        "last_scopa": _place(variant, "last_play_scopa"),
        "leftovers": _place(variant, "leftovers"),
        "bonus": bonus if variant.dealer_table_bonus == "15" else 0,
        "bonus_to": _place(variant, "receiver"),
        "wild": _place(variant, "wild_seven"),
        "declare": _place(variant, "accusi"),
        "redeal_kings": _number(variant, "redeal_kings"),
        "redeal_aces": _number(variant, "redeal_aces"),
    }


def _point_rules(variant: Variant) -> dict[str, int]:
    """What the kernel needs to score."""
    trentino = _place(variant, "trentino")
    single = _number(variant, "settebello") * SETTEBELLO
    single |= _place(variant, "re_bello") << RE_BELLO.index
    win_all = DENARI if "napoleone" in variant.napola else 0
    if trentino:  # who has all denari has the lowest three
        win_all = ASSO_DUE_TRE
    return {
        "p_cards": _number(variant, "cards"),
        "p_coins": _number(variant, "coins"),
        "p_scopa": _number(variant, "scopa"),
        "prime": (1, 2, 3, 0)[_place(variant, "points")],
        "more_suits": _place(variant, "primiera_missing"),
        "faces": _place(variant, "primiera_values"),
        "majority": _place(variant, "majority"),
        "worth1": single | trentino,
        "worth2": trentino << 4,
        "worth3": trentino << 8,
        "run_cap": (0, 10, 6, 10, 6)[_place(variant, "napola")],
        "grande": _number(variant, "grande"),
        "sevens_bonus": _place(variant, "all_sevens"),
        "double_all": _place(variant, "ponino") * CAVALLI,
        "win_all": win_all,
    }


def _variant(id_: str, values: Mapping[str, str]) -> Variant:
    """A variant from the text of every option."""
    typed: dict[str, Any] = {
        name: int(value) if name in NUMBERS else value for name, value in values.items()
    }
    return Variant(id=id_, **typed)


def _preset(id_: str) -> Preset:
    """The preset of that name, or a sentence about those that exist."""
    if id_ in PRESETS:
        return PRESETS[id_]
    playable = f"Playable are {listed(VARIANTS, 'and')}."
    close = get_close_matches(id_.lower(), VARIANTS, n=1)
    hint = f"Did you mean {close[0]}? " if close else ""
    raise UnknownVariant(f"There is no variant {quoted(id_)}. {hint}{playable}")


def _check_players(id_: str, preset: Preset, players: int) -> None:
    """Refuse a number of players the variant is not for."""
    if players == 5:
        raise IncompatibleOptions(
            "Five cannot play: 36 cards do not make whole hands of three for five."
        )
    if players not in preset.players:
        numbers = listed([str(n) for n in preset.players], "or")
        raise IncompatibleOptions(f"{id_} is for {numbers} players, not {players}.")


def _check_together(v: Variant) -> None:
    """Refuse options that contradict each other or the number of cards."""
    for name, (other, wanted, reason) in _NEEDS.items():
        if getattr(v, name) != OPTIONS[name][0] and getattr(v, other) not in wanted:
            raise IncompatibleOptions(f"{name}={getattr(v, name)} {reason}.")
    if v.players % v.sides:
        raise IncompatibleOptions(
            f"{v.players} players do not make {v.sides} equal sides."
        )
    if v.ace == "sweeps" and v.capture == "sum-15":
        raise IncompatibleOptions(
            "ace=sweeps does not go with capture=sum-15, where no card takes by rank."
        )
    if v.may_decline == "on" and v.compulsion == "hand":
        raise IncompatibleOptions(
            "may_decline=on does not go with compulsion=hand: a sweep would be both "
            "free and forced."
        )
    if v.dealer_table_bonus == "15" and v.table_size == 0:
        raise IncompatibleOptions("dealer_table_bonus=15 needs four cards face up.")
    if v.wild_seven == "on" and v.accusi == "off" and v.dealer_table_bonus == "off":
        raise IncompatibleOptions(
            "wild_seven=on only matters with accusi or dealer_table_bonus."
        )
    if v.redeal_aces != "off" and v.table_size == 0:
        raise IncompatibleOptions("redeal_aces needs four cards face up.")
    if v.accusi == "on" and (v.hand_size != 3 or v.refill != "when-empty"):
        raise IncompatibleOptions("accusi=on needs whole hands of three.")
    _check_ends(v)
    _check_dealing(v)


def _check_carried(v: Variant) -> None:
    """Refuse a score from which nothing is left to play."""
    if v.carried is None:
        return
    scores = v.carried.scores
    if len(scores) != v.sides:
        raise IncompatibleOptions(
            f"{len(scores)} scores are carried, and there are {v.sides} sides."
        )
    if v.won_by(scores) is not None:
        told = listed(map(str, scores), "and")
        raise IncompatibleOptions(f"A match is won that stands at {told}.")


def _check_ends(v: Variant) -> None:
    """Refuse ends of the match that contradict each other."""
    if v.claims_match and v.sides != 2:
        raise IncompatibleOptions(
            "tie_at_target=claim is for two sides: who claims falsely loses to the "
            "other."
        )
    if v.claims_match and v.end_check == "at-once":
        raise IncompatibleOptions(
            "tie_at_target=claim does not go with end_check=at-once, where nothing is "
            "left to claim."
        )
    if v.tie_at_target != "play-on" and v.lead_needed != 1:
        raise IncompatibleOptions(
            f"lead_needed={v.lead_needed} does not go with "
            f"tie_at_target={v.tie_at_target}, where who is at the target first wins "
            "and no lead is asked for."
        )
    if v.goal == "reach":
        return
    if v.trentino == "on" or "napoleone" in v.napola:
        raise IncompatibleOptions(
            "goal=avoid does not go with cards that win the match outright."
        )
    if v.tie_at_target != "play-on":
        raise IncompatibleOptions(
            f"goal=avoid does not go with tie_at_target={v.tie_at_target}, where it "
            "is good to be at the target first."
        )


def _check_dealing(v: Variant) -> None:
    """Refuse a deal that does not come out even."""
    if v.hand_size == 10 and v.table_size == 0 and v.players != 4:
        raise IncompatibleOptions(
            "ten cards each and none face up is for four players."
        )
    stock = 40 - v.table_size
    batch = v.players * v.hand_size
    if v.refill == "when-empty":
        even = stock % batch == 0
    elif v.refill == "none":
        even = stock == batch
    else:
        even = stock >= batch and (stock - batch) % v.players == 0
    if not even:
        raise IncompatibleOptions(
            f"{stock} cards cannot be dealt to {v.players} players "
            f"by {v.hand_size} with refill={v.refill}."
        )
