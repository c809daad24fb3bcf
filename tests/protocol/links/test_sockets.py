"""The same over real sockets: each scene of `scenario.py` in a process of its own."""

import json
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]


def play(name: str) -> Any:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.protocol.links.scenario", name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert run.stderr == ""
    return json.loads(run.stdout)


@cache
def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as trial:
            trial.bind(("::1", 0))
    except OSError:
        return False
    return True


def test_two_peers_talk_and_part() -> None:
    assert play("conversation") == {
        "same": True,
        "port": True,
        "keys": [True, True],
        "ends": ["CLOSED", "LEFT"],
        "address": "127.0.0.1",
    }


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_a_host_on_all_addresses_is_reached_by_both_kinds() -> None:
    assert play("every_address") == {"127.0.0.1": True, "::1": True, "localhost": True}


def test_a_taken_port_is_said_to_be_taken() -> None:
    came = play("taken_port")
    assert came["links"] == 1
    assert [code for _, code in came["said"]] == [3, 3]
    assert all("choose another port" in said for said, _ in came["said"])


def test_a_port_where_nobody_listens_is_said_to_be_empty() -> None:
    why, code, sentence = play("nobody_listens")
    assert (why, code) == ("nobody-listens", 3)
    assert "Nobody listens at" in sentence


def test_pin_and_ticket_are_checked_and_a_player_comes_in_again() -> None:
    came = play("refusals")
    assert came["pin"][:2] == ["wrong-pin", 4]
    assert came["ticket"][:2] == ["refused", 4]
    assert came["used"][:2] == ["refused", 4]
    assert came["again"] is True
    assert came["first"] == "REPLACED"


def test_other_programs_at_the_address_are_told_apart() -> None:
    assert play("foreign_hosts") == [["foreign", 4], ["hung-up", 3]]


def test_a_hundred_idle_connections_disturb_nobody() -> None:
    assert play("crowd") == {"open": True, "away": 96}


def test_rubbish_disturbs_nobody() -> None:
    assert play("rubbish") == {"open": True, "away": 3}


def test_a_peer_that_never_reads_is_dropped() -> None:
    assert play("never_reads") == {"end": "SLOW", "bounded": True}


def test_a_peer_that_answers_no_goodbye_is_cut_off() -> None:
    assert play("unanswered_goodbye") == {"end": "CLOSED", "in_time": True}


def test_a_peer_that_stands_still_is_noticed() -> None:
    assert play("silence") == {"end": "SILENT", "silences": [True]}
