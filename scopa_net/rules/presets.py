"""The presets: where each variant that has a name differs from the classic game.

Data only. `variants.py` makes variants of it, and `README.md` names the sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

Changes = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Preset:
    """Where a variant differs from the classic game, and for how many players.

    `about` is half a sentence; `changes` holds for any number of players and
    `changes_for` besides for that number.
    """

    about: str
    players: tuple[int, ...]
    changes: Changes = field(default_factory=dict)
    changes_for: Mapping[int, Changes] = field(default_factory=dict)


_SEVENS = {"redeal_kings": "off", "points": "most-sevens+shoot-out"}
_TEN_CARDS = {
    "hand_size": "10",
    "table_size": "0",
    "refill": "none",
    "redeal_kings": "off",
}
_STARGAMES = {
    "redeal_kings": "off",
    "last_play_scopa": "yes",
    "primiera_missing": "more-suits-first",
}
_ESCOBA = {
    "redeal_kings": "off",
    "capture": "sum-15",
    "dealer_table_bonus": "15",
    "target": "21",
}

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "scopa": Preset("the classic game", (2, 3, 4, 6)),
        "stargames-scopa": Preset("Scopa as StarGames tells it", (2, 4), _STARGAMES),
        "stargames-escoba": Preset(
            "Escoba as StarGames tells it",
            (2, 4),
            {**_STARGAMES, **_ESCOBA, "double_at": "20"},
        ),
        "gamerules-scopa": Preset("Scopa as GameRules tells it", (2, 4)),
        "wikibooks-scopa": Preset(
            "Scopa as Wikibooks tells it: nine cards, one drawn after each play",
            (2, 3),
            {**_SEVENS, "hand_size": "9", "refill": "draw-one-after-own-play"},
        ),
        "wikibooks-scopone": Preset(
            "Scopone as Wikibooks tells it",
            (4,),
            {**_TEN_CARDS, **_SEVENS, "target": "21"},
        ),
        "escoba": Preset(
            "capture by fifteen, as in Spain and South America",
            (2, 3, 4),
            {**_ESCOBA, "double_at": "30"},
        ),
        "scopone-9": Preset(
            "nine cards each and four face up",
            (4,),
            {"hand_size": "9", "refill": "none"},
        ),
        "scopone-10": Preset(
            "all forty cards dealt", (4,), {**_TEN_CARDS, "target": "21"}
        ),
        "scopa-15": Preset("capture by fifteen", (2, 3, 4), {"capture": "sum-15"}),
        "scopa-dassi": Preset(
            "an ace sweeps the table, which is no scopa",
            (2, 4),
            {"ace": "sweeps"},
            {4: _TEN_CARDS},
        ),
        "asso-piglia-tutto": Preset(
            "an ace sweeps the table, which is a scopa",
            (2, 4),
            {"ace": "sweeps", "sweep_is_scopa": "yes"},
            {4: _TEN_CARDS},
        ),
        "cirulla": Preset(
            "Genoa's game: three ways to capture, and hands that are declared",
            (2, 3, 4),
            {
                "redeal_kings": "off",
                "redeal_aces": "2",
                "capture": "equal+sum+15",
                "ace": "sweeps",
                "sweep_is_scopa": "yes",
                "dealer_table_bonus": "15",
                "double_at": "30",
                "napola": "cap-6+napoleone",
                "grande": "5",
                "accusi": "on",
                "wild_seven": "on",
                "target": "51",
            },
        ),
        "napola": Preset(
            "Naples' game: a run of denari pays",
            (2, 3, 4, 6),
            {"napola": "length", "target": "21"},
        ),
        "re-bello": Preset(
            "the re of denari pays too", (2, 3, 4, 6), {"re_bello": "on"}
        ),
        "trentino": Preset(
            "Scopone of Trento: low denari pay, and all three win the match",
            (4,),
            {"hand_size": "9", "refill": "none", "trentino": "on", "target": "21"},
        ),
        "bergamasca": Preset("nine cards each, twice", (2,), {"hand_size": "9"}),
        "ponino": Preset(
            "all four cavalli double the scope", (2, 3, 4, 6), {"ponino": "on"}
        ),
        "a-perdere": Preset(
            "who reaches the target loses", (2, 3, 4, 6), {"goal": "avoid"}
        ),
    }
)
