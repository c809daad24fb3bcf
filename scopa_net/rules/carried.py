"""The score that a match starts from, if it carries on an older one.

That is so when a seat was given up for good: the others play a new match with the old
score. It stands in the rule lines, so every player signs it with the terms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scopa_net.rules.errors import UnknownOption, quoted

CARRIED = "carried"
CARRIED_FROM = "carried_from"

_SCORES = re.compile(r"(0|[1-9][0-9]{0,3})(,(0|[1-9][0-9]{0,3})){1,5}", re.ASCII)
_ORIGIN = re.compile(r"([0-9a-f]{32})-([0-9a-f]{32})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Carried:
    """Points by side, and where they are from.

    `table` names the old match, `mark` its record up to the last deal that is counted.
    Both are 32 hexadecimal digits; these rules only hand them on.
    """

    scores: tuple[int, ...]
    table: str
    mark: str

    def lines(self) -> tuple[str, str]:
        """Its two `key=value` lines."""
        scores = ",".join(map(str, self.scores))
        return f"{CARRIED}={scores}", f"{CARRIED_FROM}={self.table}-{self.mark}"


def read_carried(scores: str | None, origin: str | None) -> Carried | None:
    """What the values of both lines say; None where neither is there."""
    if scores is None and origin is None:
        return None
    if scores is None or origin is None:
        raise UnknownOption(
            f"{CARRIED} and {CARRIED_FROM} belong together: a score, and the match it "
            "is from."
        )
    if _SCORES.fullmatch(scores) is None:
        raise UnknownOption(
            f"{CARRIED} is the points of each side, as in 4,7, not {quoted(scores)}."
        )
    found = _ORIGIN.fullmatch(origin)
    if found is None:
        raise UnknownOption(f"{quoted(origin)} is not where a score is from.")
    return Carried(tuple(map(int, scores.split(","))), *found.groups())
