"""A table of three whose host is killed in the middle: real processes."""

import os
import sys
from collections.abc import Callable

import pytest

from tests.end_to_end.peers import HERE, Peer, until

pytestmark = pytest.mark.skipif(
    os.name != "posix", reason="ends programs by SIGKILL, which only POSIX has"
)


def waits_for(peer: Peer) -> tuple[list[str], list[dict[str, str]]]:
    """Whom a program said last that it waits for, and who is seen through whom."""
    told = [one for one in peer.told if one["type"] == "waiting"]
    return (told[-1]["names"], told[-1]["through"]) if told else ([], [])


def says(peer: Peer, *lines: str) -> bool:
    """Whether one of these is what a person was told last about who is there."""
    told = [each for each in peer.said.splitlines() if "Waiting for" in each]
    return bool(told) and told[-1] in lines


def test_without_their_host_two_guests_stay_linked_and_come_back_to_each_other(
    seat: Callable[..., Peer],
) -> None:
    host, *guests = ada, bruno, cleo = [seat(name) for name in ("ada", "bruno", "cleo")]
    rules = ("--players", "3", "--rule", "target=12")
    host.start("host", "--bot", "rules", "--name", "Ada", *HERE, *rules)
    for guest, invite in zip(guests, host.invites(), strict=True):
        words = ("--bot", "random", "--name", guest.name.capitalize())
        guest.start("join", invite, *words, as_json=guest is bruno)
    until(lambda: "played" in bruno.types())
    host.kill()
    # They see each other, or they would wait for each other too.
    until(lambda: waits_for(bruno) == (["Ada"], []))
    until(lambda: says(cleo, "Waiting for Ada, whom nobody sees."))
    bruno.kill()
    both = "Waiting for Ada and Bruno.", "Waiting for Bruno and Ada."
    until(lambda: says(cleo, *both))
    bruno.start("resume", "--bot", "random")
    until(lambda: waits_for(bruno) == (["Ada"], []))
    until(lambda: says(cleo, "Waiting for Ada, whom nobody sees."))
    ada.start("resume", "--bot", "rules")
    assert [peer.end() for peer in (ada, bruno, cleo)] == [0, 0, 0]
    assert len({peer.record() for peer in (ada, bruno, cleo)}) == 1
    assert {peer.types()[-1] for peer in (ada, bruno)} == {"match_won"}


ANSWERS_FOR_ANOTHER_TABLE = """
import sys
from dataclasses import replace
from scopa_net import cli
from scopa_net.app.meeting import Meeting
hello = Meeting.hello
Meeting.hello = lambda meeting: replace(hello(meeting), nonce=bytes(32))
sys.argv[0] = "scopa"
cli.main()
"""


def test_a_guest_that_answers_for_another_table_ends_nobody_elses_match(
    seat: Callable[..., Peer],
) -> None:
    host, *guests = everybody = [seat(name) for name in ("ada", "bruno", "cleo")]
    host.start("host", "--bot", "rules", *HERE, "--players", "3", "--rule", "target=4")
    liar = (sys.executable, "-c", ANSWERS_FOR_ANOTHER_TABLE)
    for guest, invite in zip(guests, host.invites(), strict=True):
        guest.start("join", invite, "--bot", "random", program=liar)
    until(lambda: all(peer.types()[-1:] == ["match_won"] for peer in everybody))
