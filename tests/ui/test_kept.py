from dataclasses import replace

from protocol.text import SafeText
from scopa_net.summary import Summary
from scopa_net.ui.kept import kept_lines, standing_line

THREE = Summary(
    variant=SafeText("scopa"),
    target=11,
    names=(SafeText("Ada"), SafeText("Bob"), SafeText("Cleo")),
    seated=True,
    scores=(4, 7, 2),
    deals=3,
    turn=1,
    winner=None,
    confirmed=True,
    stopped=False,
)
GIVEN_UP = replace(THREE, turn=None, resigned=(2,))
TEAMS = replace(THREE, names=(*THREE.names, SafeText("Dan")), scores=(4, 7))
CARRY = "its score can be carried on: scopa host --carry, with its ID"


def lines(summary: Summary, own: int | None, new: str | None = None) -> list[str]:
    return list(kept_lines(summary, own, new))


def test_whose_match_it_is_is_called_you_and_comes_first_with_its_team() -> None:
    assert lines(THREE, 1) == [
        "scopa to 11: you 7, Ada 4, Cleo 2 after 3 deals",
        "you to play",
    ]
    assert lines(THREE, None)[1] == "Bob to play"
    assert lines(TEAMS, 2)[0] == (
        "scopa to 11: you and Ada 4, Bob and Dan 7 after 3 deals"
    )
    assert lines(replace(TEAMS, turn=None, winner=1), 3)[1] == "won by you and Bob"


def test_a_match_that_was_given_up_says_if_the_others_can_go_on() -> None:
    won_by_nobody = "given up by Cleo, won by nobody"
    assert lines(GIVEN_UP, 0)[1:] == [won_by_nobody, CARRY]
    assert lines(GIVEN_UP, 2)[1:] == ["given up by you, won by nobody", CARRY]
    assert lines(GIVEN_UP, 0, "0a")[1:] == ["carried on in 0a", won_by_nobody]
    for summary in (replace(GIVEN_UP, winner=0), replace(GIVEN_UP, deals=0)):
        assert CARRY not in lines(summary, 0)
    assert CARRY not in lines(GIVEN_UP, None)


def test_of_a_match_that_goes_on_the_score_is_told() -> None:
    assert standing_line(THREE, 0) == "It stands at you 4, Bob 7, Cleo 2 after 3 deals."
    for summary in (None, replace(THREE, seated=False)):
        assert standing_line(summary, 0) == "It has not begun yet."
