"""The options of a variant: every house rule by its name, and its values as text.

The first value is the classic game. `target` is any number up to `TARGET_MAX`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType

from scopa_net.rules.errors import UnknownOption, quoted

TARGET_MAX = 999

OPTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "players": ("2", "3", "4", "6"),
        "sides": ("2", "3", "4", "6"),
        "hand_size": ("3", "9", "10"),
        "table_size": ("4", "0"),
        "refill": (
            "when-empty",
            "draw-one-after-own-play",
            "draw-one-after-all-played",
            "none",
        ),
        "redeal_kings": ("3", "off"),
        "redeal_aces": ("off", "2", "1"),
        "capture": ("equal-then-sum", "sum-15", "equal+sum+15"),
        "equal_priority": ("on", "off"),
        "sum_choice": ("free", "fewest"),
        "max_captured": ("none", "2"),
        "compulsion": ("card", "hand", "none", "none+claim"),
        "ace": ("1", "sweeps"),
        "ace_on_table": ("take-one", "sweep-all"),
        "sweep_is_scopa": ("no", "yes"),
        "ace_to_empty": ("stays", "takes-itself"),
        "first_play_restricted": ("off", "no-ace-led", "no-sweep"),
        "may_decline": ("off", "on"),
        "last_play_scopa": ("no", "yes"),
        "leftovers": ("last-capturer", "dealer", "nobody"),
        "dealer_table_bonus": ("off", "15"),
        "double_at": ("none", "30", "20", "two-groups"),
        "receiver": ("dealer", "first-player"),
        "cards": ("1", "0"),
        "coins": ("1", "0"),
        "settebello": ("1", "0"),
        "scopa": ("1", "0"),
        "points": ("primiera", "most-sevens", "most-sevens+shoot-out", "none"),
        "majority": ("strictly-most", "more-than-half"),
        "primiera_values": ("faces-10", "K10-Q9-J8", "faces-0"),
        "primiera_missing": ("needs-all-four", "more-suits-first"),
        "napola": ("off", "length", "cap-6", "napoleone", "cap-6+napoleone"),
        "grande": ("off", "5"),
        "re_bello": ("off", "on"),
        "trentino": ("off", "on"),
        "all_sevens": ("off", "on"),
        "ponino": ("off", "on"),
        "accusi": ("off", "on"),
        "wild_seven": ("off", "on"),
        "target": (),
        "lead_needed": ("1", "2"),
        "tie_at_target": ("play-on", "count-in-order", "claim"),
        "goal": ("reach", "avoid"),
        "end_check": ("end-of-hand", "at-once"),
        "direction": ("counter-clockwise", "clockwise"),
    }
)

NUMBERS = frozenset(
    ("players", "sides", "hand_size", "table_size", "target", "lead_needed")
)

_NO_OPTIONS = {
    "deck": "the deck's faces are a matter of display, not a rule",
    "no_capture_at_all": "if nobody captures, the table is nobody's in every variant",
    "dealer_rotation": "the deal passes to the next seat in every variant",
    "carried": "a score is carried by `scopa host --carry`, from a match that is kept",
    "carried_from": "a score is carried by `scopa host --carry`",
    "variant": "the variant is chosen by its name, not as an option",
}


def check_value(name: str, value: str) -> None:
    """Refuse an option or a value that does not exist."""
    if name in _NO_OPTIONS:
        raise UnknownOption(f"{name} is no option: {_NO_OPTIONS[name]}.")
    if name not in OPTIONS:
        close = get_close_matches(name.lower(), OPTIONS, n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise UnknownOption(f"There is no option {quoted(name)}.{hint}")
    if name == "target":
        plain = value.isascii() and value.isdecimal() and not value.startswith("0")
        if not plain or len(value) > 3 or int(value) > TARGET_MAX:
            raise UnknownOption(
                f"target is a number from 1 to {TARGET_MAX}, not {quoted(value)}."
            )
    elif value not in OPTIONS[name]:
        raise UnknownOption(
            f"{name} is {listed(OPTIONS[name], 'or')}, not {quoted(value)}."
        )


def listed(words: Iterable[str], conjunction: str) -> str:
    """Words as a list in a sentence."""
    *most, last = words
    return f"{', '.join(most)} {conjunction} {last}" if most else last
