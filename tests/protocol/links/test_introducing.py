"""Meeting by codes, over servers of our own: all scenes at once, in one process."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.end_to_end.peers import ROOT, SCOPA

QUIET = (sys.executable, "-W", "error", "-m")
Play = Callable[[str], Any]


@contextmanager
def servers() -> Iterator[list[str]]:
    """Where a mailbox and a relay are."""
    words = [*SCOPA, "rendezvous", "--listen", "127.0.0.1:0", "--json"]
    with subprocess.Popen(
        words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        where = json.loads(process.stdout.readline())
        try:
            yield [where["mailbox"], where["relay"]]
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def play() -> Play:
    program = "tests.protocol.links.play_introduction"
    with servers() as usual, servers() as other:
        run = subprocess.run(
            [*QUIET, program, *usual, *other],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )
    assert run.stderr == "", "nothing of what they log reaches a terminal"
    came: dict[str, Any] = json.loads(run.stdout)
    return came.__getitem__


def test_a_host_and_a_guest_meet_by_a_code_and_talk_through_the_relay(
    play: Play,
) -> None:
    came = play("conversation")
    assert came.pop("took") < 60
    assert came == {
        "same": True,
        "invited": True,
        "keys": [True, True],
        "relayed": [True, True],
        "ends": ["CLOSED", "LEFT"],
    }


def test_wrong_words_use_a_code_up_and_a_new_one_follows(play: Play) -> None:
    # X36.
    came = play("wrong_words")
    assert came["guest"][:2] == ["wrong-code", 4]
    assert "ask the host for a new one" in came["guest"][2]
    ((why, sentence, again),) = came["host"]
    assert (why, again) == ("wrong-code", True)
    assert "Somebody used a wrong code" in sentence
    assert came["new"]
    assert came["open"]


def test_who_guesses_has_three_guesses(play: Play) -> None:
    # X36.
    came = play("guessing")
    assert came["codes"] == 3
    why, sentence, again = came["last"]
    assert (why, again) == ("wrong-code", False)
    assert "An invitation cannot be guessed" in sentence


def test_of_codes_that_lead_nowhere_it_is_said_why(play: Play) -> None:
    came = play("useless_codes")
    assert 'the word "abzurd" there; perhaps it is "absurd"' in came["misheard"]
    assert came["crowded"][:2] == ["used-code", 4]
    assert "used this code already" in came["crowded"][2]
    assert came["nobody"][:2] == ["nobody-there", 3]
    assert "Is the host's program running" in came["nobody"][2]


def test_a_mailbox_that_is_not_there_or_is_none_is_said_to_be_so(play: Play) -> None:
    came = play("no_servers")
    away, closing, mute = (came.pop(name) for name in ("nobody", "closing", "mute"))
    for told in (away, closing, mute):
        assert told["guest"][:2] == ["no-server", 3]
        assert "--mailbox and --relay name other servers" in told["guest"][2]
    assert "cannot be reached. Are you online?" in away["guest"][2]
    for told in (closing, mute):
        assert "does not answer" in told["guest"][2]
    assert away["host"][0] == closing["host"][0] == "no-server"
    for name, told in came.items():
        assert told["guest"][:2] == ["foreign", 4], name
        assert "is no mailbox server: --mailbox names another one" in told["guest"][2]
        assert told["host"][0] == "foreign", name


def test_a_relay_that_is_not_there_or_is_none_is_said_to_be_so(play: Play) -> None:
    came = play("no_relay")
    assert len(came) == 5
    for name, (why, code, sentence) in came.items():
        assert (why, code) == ("no-server", 3), name
        assert "no connection came about through the relay HERE" in sentence, name


def test_a_connection_that_is_cut_is_mended_and_the_link_notices_nothing(
    play: Play,
) -> None:
    came = play("cut_connection")
    assert came["same"]
    assert came["silences"] == []


def test_when_everything_is_swallowed_both_sides_end_the_link(play: Play) -> None:
    came = play("swallowed")
    assert came == {"ends": ["SILENT", "SILENT"], "streaming": False, "codes": []}


def test_a_peer_that_is_killed_is_not_waited_for_until_it_is_silent(
    play: Play,
) -> None:
    came = play("gone_without_a_word")
    assert came["end"] == "BROKEN"
    assert came["after"] < 11.5


def test_a_rude_peer_or_relay_takes_little_and_breaks_only_its_own_link(
    play: Play,
) -> None:
    came = play("rude_peers")
    assert came["talked"], "streams that nobody asked for disturb nobody"
    assert came["end"] == "BROKEN", "a reader that fails ends its link"
    assert came["buffered"] < 160_000


def test_two_seats_meet_again_though_clocks_differ_or_one_waits_long(
    play: Play,
) -> None:
    soon = [True, True]
    cases = {"same": soon, "behind": soon, "ahead": soon, "long": soon}
    assert play("again") == cases


def test_seats_that_wait_for_servers_meet_soon_after_these_are_back(play: Play) -> None:
    assert play("late_servers") == ["no-server", True]


def test_a_code_outlives_a_connection_to_the_mailbox_server(play: Play) -> None:
    is_open, new_codes, troubles, served = play("server_blinks")
    assert is_open
    assert (new_codes, troubles, served) == ([], [], [])


def test_a_mailbox_server_that_was_started_again_gives_a_new_code(play: Play) -> None:
    came = play("server_forgets")
    said = "The old code OLD does not work any more; this is the new one."
    assert came["host"] == ["lost-code", True, said]
    assert came["entered"] == ["lost-code", 3]
    assert came["open"]


def test_a_mailbox_server_that_is_away_is_said_to_be_so_and_to_be_back(
    play: Play,
) -> None:
    came = play("server_is_away")
    assert came == {
        "guest": ["no-server", 3, [False]],
        "host": [[], []],
        "open": True,
    }


def test_a_guess_whose_outcome_is_kept_secret_counts(play: Play) -> None:
    assert play("guess_without_a_word") == ["wrong-code", True]
