"""What people and programs are told of who is not there."""

from dataclasses import replace

import pytest

from scopa_net.ui.absence import Waiting, waiting_lines
from scopa_net.ui.json_lines import waiting_object


@pytest.mark.parametrize(
    ("waiting", "lines"),
    [
        (Waiting(), ["Everybody is there."]),
        (Waiting(more=2), ["Waiting for 2 more players."]),
        (Waiting(("the host",)), ["Waiting for the host."]),
        (Waiting(("Ada", "Bruno")), ["Waiting for Ada and Bruno."]),
        (Waiting(("Ada",), unseen=True), ["Waiting for Ada, whom nobody sees."]),
        (
            Waiting(("Ada",), played=True, unseen=True),
            ["All is played. The result counts once it is confirmed: waiting for Ada."],
        ),
        (
            Waiting(("Ada",), unseen=True, lasting=True),
            [
                "Ada has been away for a minute. You can wait, or leave: the match is "
                "kept, and scopa resume goes on with it later."
            ],
        ),
        (Waiting(through=(("Ada", "Bruno"),)), ["Ada is seen only through Bruno."]),
        (
            Waiting(("Cleo",), through=(("Ada", "Bruno"),), unseen=True),
            ["Ada is seen only through Bruno.", "Waiting for Cleo, whom nobody sees."],
        ),
    ],
)
def test_a_line_says_who_is_waited_for_and_who_is_seen_through_whom(
    waiting: Waiting, lines: list[str]
) -> None:
    assert list(waiting_lines(waiting)) == lines


def test_who_can_type_is_told_all_that_can_be_done_after_a_minute() -> None:
    gone = Waiting(("Ada", "Cy"), lasting=True, carry="1a2b3c4d")
    text, carry = waiting_lines(gone, types=True)
    assert text.startswith("Ada and Cy have been away for a minute. You can wait.")
    for command in ("adjourn", "scopa resume", "void", "resign"):
        assert command in text
    assert "takes the yes of Ada and Cy, too" in text
    assert carry == (
        "If Ada and Cy will not come back, leave: scopa host --carry 1a2b3c4d starts "
        "a new match from this score."
    )
    assert len(waiting_lines(Waiting(("Ada",), lasting=True), types=True)) == 1
    assert "adjourn" not in "".join(waiting_lines(gone))


def test_when_all_is_played_there_is_nothing_to_call_void() -> None:
    (text,) = waiting_lines(Waiting(("Ada",), played=True, lasting=True), types=True)
    assert text == (
        "Ada has been away for a minute. You can wait, or leave: the match is kept, "
        "and scopa resume goes on with it later."
    )


def test_programs_are_told_names_counts_ways_and_what_else_there_is() -> None:
    through = (("Ada", "Bruno"),)
    first = {
        "schema": 1,
        "type": "waiting",
        "names": ["Cleo"],
        "more": 1,
        "through": [{"name": "Ada", "by": "Bruno"}],
        "played": False,
        "lasting": False,
        "carry": None,
    }
    waiting = Waiting(("Cleo",), 1, through=through)
    assert waiting_object(waiting) == first
    later = replace(waiting, played=True, lasting=True, carry="1a2b3c4d")
    more = {"played": True, "lasting": True, "carry": "1a2b3c4d"}
    assert waiting_object(later) == first | more
