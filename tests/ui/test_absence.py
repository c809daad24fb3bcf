"""What people and programs are told of who is not there."""

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


def test_programs_are_told_names_counts_and_ways() -> None:
    assert waiting_object(Waiting(("Cleo",), 1, through=(("Ada", "Bruno"),))) == {
        "schema": 1,
        "type": "waiting",
        "names": ["Cleo"],
        "more": 1,
        "through": [{"name": "Ada", "by": "Bruno"}],
    }
