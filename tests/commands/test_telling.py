"""With which lines a match ends, in every case there is."""

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import product
from typing import Final

import pytest
from twisted.python.failure import Failure

from protocol.text import SafeText
from scopa_net.app.stage import Ending
from scopa_net.commands.telling import Telling, left_words
from scopa_net.events import DealStarted, Event, MatchWon, Resigned, Stopped
from scopa_net.exits import Exit
from scopa_net.rules import find_variant
from scopa_net.ui.company import Company

COMPANY: Final = Company((SafeText("ana"), SafeText("bob")), find_variant("scopa"), 0)
BEGUN: Final = DealStarted(0, 0)
WON: Final = MatchWon(0, COMPANY.names, (11, 3), 4)
GIVEN_UP: Final = Resigned(1)
STOPPED: Final = Stopped(1, "cheat", "bob cheated.", (0, 0))

HEARD: Final[tuple[tuple[Event, ...], ...]] = (
    (),
    (BEGUN,),
    (BEGUN, WON),
    (BEGUN, GIVEN_UP),
    (BEGUN, GIVEN_UP, WON),
    (BEGUN, STOPPED),
)
CODES: Final = (Exit.DONE, Exit.UNPROVEN, Exit.INTERRUPTED, 143)

NO_SEAT: Final = "You have not sat down."
NOBODY_CAME: Final = (
    "Nobody has sat down: the table is gone, and its invitations with it."
)
NOT_BEGUN: Final = "The match had not begun yet."
LEFT: Final = "The match was left before its end."
UNCONFIRMED: Final = "The result is not confirmed: not every player has signed it yet."
KEPT: Final = "It is kept: scopa resume 0123abcd"
NOT_HELD: Final = "Not everybody is known to hold the result."
FOR_THEM: Final = "For them: scopa resume 0123abcd"


def closing(ending: Ending, *heard: Event, hosting: bool = False) -> tuple[str, ...]:
    """What is said at the end, after these events."""
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(StringIO()):
        telling = Telling(has_person=True, plain=True, as_json=False)
        for event in heard:
            telling.hear(event, COMPANY)
        kept, begun = bool(ending.match), bool(heard)
        left = left_words(kept=kept, begun=begun, hosting=hosting)
        if ending.failure is None:
            telling.finish(ending, None, (), again="scopa resume 0123abcd", left=left)
        else:
            with pytest.raises(ZeroDivisionError):
                telling.finish(ending, None, (), again="scopa resume 0123abcd")
    return tuple(out.getvalue().splitlines())


@pytest.mark.parametrize(
    ("heard", "unfinished", "kept", "said"),
    [
        ((), True, False, (NO_SEAT,)),
        ((), True, True, (NOT_BEGUN, KEPT)),
        ((BEGUN,), True, True, (LEFT, KEPT)),
        ((BEGUN, WON), True, True, (UNCONFIRMED, KEPT)),
        ((BEGUN, WON), False, True, (NOT_HELD, FOR_THEM)),
        ((BEGUN, WON), False, False, ()),
        ((BEGUN, GIVEN_UP), True, True, (UNCONFIRMED, KEPT)),
        ((BEGUN, GIVEN_UP, WON), False, True, (NOT_HELD, FOR_THEM)),
        ((BEGUN, STOPPED), False, True, ()),
    ],
)
def test_a_match_ends_with_what_became_of_it(
    heard: tuple[Event, ...],
    unfinished: bool,  # noqa: FBT001
    kept: bool,  # noqa: FBT001
    said: tuple[str, ...],
) -> None:
    match = "0123abcd" if kept else ""
    ending = Ending(Exit.DONE, None, match=match, unfinished=unfinished)
    assert closing(ending, *heard) == said


def test_a_host_reads_whether_anybody_could_still_come() -> None:
    assert closing(Ending(Exit.DONE, None), hosting=True) == (NOBODY_CAME,)
    kept = Ending(Exit.DONE, None, match="0123abcd", unfinished=True)
    assert closing(kept, hosting=True) == (NOT_BEGUN, KEPT)


def test_no_two_closing_lines_contradict_each_other() -> None:
    for heard, code, kept, unfinished, failed in product(
        HEARD, CODES, (True, False), (True, False), (True, False)
    ):
        failure = Failure(ZeroDivisionError()) if failed else None
        match = "0123abcd" if kept else ""
        said = closing(Ending(code, None, failure, match, unfinished), *heard)
        over = WON in heard or STOPPED in heard
        what = (heard, code, kept, unfinished, failed, said)
        # At most one line says how it was left, and one how it goes on.
        assert sum(line in said for line in (NO_SEAT, NOT_BEGUN, LEFT)) <= 1, what
        assert not (KEPT in said and FOR_THEM in said), what
        assert (KEPT in said or FOR_THEM in said) == (kept and STOPPED not in heard)
        if KEPT in said or FOR_THEM in said:
            assert NO_SEAT not in said, what
        if over:
            assert LEFT not in said, what
            assert NOT_BEGUN not in said, what
        if FOR_THEM in said:
            assert UNCONFIRMED not in said, what
