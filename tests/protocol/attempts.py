"""Attacks by name, each answered by what it came to, for `test_switches.py`.

`SharesNothing 3 1` seats that liar of the catalogue as seat 1 of three; a third number
says how many deals. The others are of what no seat signs, or of what is read before
there is a table.
"""

from tests.protocol.attempts_at_table import AT_TABLE
from tests.protocol.attempts_by_strangers import BY_STRANGERS
from tests.protocol.attempts_in_the_room import IN_THE_ROOM
from tests.protocol.attempts_on_bytes import ON_BYTES
from tests.protocol.attempts_to_come_back import TO_COME_BACK
from tests.protocol.attempts_with_news import WITH_NEWS
from tests.protocol.outcomes import LIARS, Outcome, lied

OTHERS = BY_STRANGERS | AT_TABLE | TO_COME_BACK | ON_BYTES | WITH_NEWS | IN_THE_ROOM


def attempt(name: str) -> Outcome:
    """What an attack came to."""
    what, *numbers = name.split()
    if what in LIARS:
        return lied(LIARS[what], *map(int, numbers))
    return OTHERS[name]()
