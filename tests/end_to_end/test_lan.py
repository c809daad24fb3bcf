"""Playing on a LAN with nobody's help: real programs on machines of the test's own."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.end_to_end.peers import ROOT, SCOPA, WAIT_S, Peer, on, until
from tests.end_to_end.test_screen import ENTER, Seat
from tests.end_to_end.test_screen import seat as on_terminal
from tests.support.namespaces import Machine, Networks

WORDS = re.compile(r"(?:[bdfghjklmnprstvz][aiou]){2}[bdfghjklmnprstvz]")
NOBODY_THERE = """
import asyncio
from protocol.links.lan import Announcer

async def announce():
    announcer = Announcer(b"n" * 32, 9, "scopa", 1)
    await announcer.start().asFuture(asyncio.get_running_loop())
    print("announced", flush=True)
    await asyncio.sleep(60)

asyncio.run(announce())
"""


def lan(machine: Machine, folder: Path, *words: str) -> list[dict[str, Any]]:
    """The tables that `scopa lan` finds there."""
    done = subprocess.run(
        [*on(machine), "lan", "--json", "--data-dir", str(folder / "looks"), *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=WAIT_S,
    )
    found = json.loads(done.stdout)
    assert (found["type"], done.stderr) == ("lan", "")
    tables: list[dict[str, Any]] = found["tables"]
    return tables


def words_in(text: str) -> list[str]:
    """The four words that are to be compared."""
    shown = text.partition("screen must show:")[2]
    return WORDS.findall(shown)[:4]


def test_three_hosts_on_one_cable_are_found_and_nobody_else(
    nets: Networks, seat: Callable[..., Peer], tmp_path: Path
) -> None:
    """One has only IPv6; one is announced and not there; one wants to be unknown."""
    machines = [nets.machine(name) for name in ("a", "b", "c")]
    looks = nets.machine("looks")
    addresses = (("10.7.0.1/24",), ("fd07::2/64",), ("10.7.0.3/24", "fd07::3/64"))
    cable = dict(zip(machines, addresses, strict=True))
    nets.join("cable", {**cable, looks: ("10.7.0.9/24", "fd07::9/64")})
    variants = ("scopa", "escoba", "scopone-9")
    hosts = [seat(name) for name in ("ada", "bob", "cleo")]
    for host, machine, variant in zip(hosts, machines, variants, strict=True):
        words = ("--bot", "rules", "--name", host.name, "--variant", variant)
        host.start("host", *words, program=on(machine))
    hidden = seat("dan")
    hidden.start("host", "--bot", "rules", "--no-lan", program=on(machines[0]))
    with subprocess.Popen(
        [*looks.inside, sys.executable, "-c", NOBODY_THERE],
        cwd=ROOT,
        stdout=subprocess.PIPE,
    ) as ghost:
        assert ghost.stdout is not None
        assert ghost.stdout.readline() == b"announced\n"
        until(lambda: all("listening" in each.types() for each in (*hosts, hidden)))
        tables: list[dict[str, Any]] = []

        def found() -> bool:
            tables[:] = lan(looks, tmp_path)
            return len(tables) >= len(hosts)

        until(found)
        ghost.kill()
    assert [table["table"] for table in tables] == ["ada", "bob", "cleo"]
    assert [table["variant"] for table in tables] == list(variants)
    assert [(table["players"], table["free"]) for table in tables] == [
        (2, 1),
        (2, 1),
        (4, 3),
    ]
    for table, host, place in zip(tables, hosts, addresses, strict=True):
        plain, port = [each.partition("/")[0] for each in place], host.told[0]["port"]
        typed = [f"[{one}]:{port}" if ":" in one else f"{one}:{port}" for one in plain]
        assert table["addresses"] == typed
        assert 0 <= table["ping_ms"] < 1_000 * WAIT_S
        asked = host.told[0]["asks"], table["asks"]
        assert asked == (False, False), "a bot lets nobody in"
    knocks = seat("eve")
    knocks.start("join", tables[0]["address"], "--bot", "random", program=on(looks))
    assert knocks.end() == 4
    assert "ask the host for an invitation" in knocks.told[-1]["message"]


def test_a_table_is_found_knocked_at_and_gone_on_with(
    nets: Networks, seat: Callable[..., Peer], tmp_path: Path
) -> None:
    ours, theirs = nets.machine("ours"), nets.machine("theirs")
    nets.join("cable", {ours: ("10.7.0.1/24",), theirs: ("10.7.0.2/24",)})
    homes = [{"SCOPA_DATA_DIR": str(tmp_path / name)} for name in ("ada", "bea")]
    with on_terminal(
        "host", "--name", "Ada", environment=homes[0], program=on(ours)
    ) as host:
        host.wait_for("Waiting for 1 more player.")
        until(lambda: lan(theirs, tmp_path, "--seconds", "0.5"))
        with on_terminal(
            "join", "--name", "Bea", environment=homes[1], program=on(theirs)
        ) as guest:
            guest.wait_for("Knock at this table? [y/N]")
            guest.press("y", ENTER)
            at_guest = guest.wait_for("Do they agree? [y/N]")
            at_host = host.wait_for("Does it? [y/N]")
            assert "Bea wants to sit down" in at_host
            assert words_in(at_host) == words_in(at_guest)
            assert len(words_in(at_host)) == 4
            for one in (host, guest):
                one.press("y", ENTER)
            for one in (host, guest):
                one.wait_for("TABLE")
        # Killed, and gone on with: its key is its ticket now.
        back = Peer(tmp_path, "bea")
        back.start("resume", "--bot", "random", program=on(theirs))
        until(lambda: "deal_started" in back.types())
        assert back.told[-1]["type"] != "error"
        back.kill()


def refused(one: Seat) -> str:
    code = one.ended()
    assert code == 4
    return " ".join(one.look().split())


def test_one_no_of_either_person_is_enough(nets: Networks, tmp_path: Path) -> None:
    ours, theirs = nets.machine("ours"), nets.machine("theirs")
    nets.join("cable", {ours: ("10.7.0.1/24",), theirs: ("10.7.0.2/24",)})
    homes = [{"SCOPA_DATA_DIR": str(tmp_path / name)} for name in ("ada", "eve")]
    words = ("host", "--plain", "--listen", "4000", "--no-lan")
    with on_terminal(*words, environment=homes[0], program=on(ours)) as host:
        host.wait_for("Waiting for 1 more player.")
        knock = ("join", "10.7.0.1:4000")
        with on_terminal(*knock, environment=homes[1], program=on(theirs)) as guest:
            guest.wait_for("Do they agree? [y/N]")
            guest.press(ENTER)
            assert "you have not sat down" in refused(guest)
        host.wait_for("does not wait any more.")
        with on_terminal(*knock, environment=homes[1], program=on(theirs)) as guest:
            host.wait_for(lambda text: text.count("Does it? [y/N]") == 2)
            host.press("y", ENTER)
            host.wait_for("Everybody is there.")
            guest.press(ENTER)
            assert "you have not sat down" in refused(guest)
        host.wait_for(lambda text: text.count("Waiting for 1 more player.") == 2)
        with on_terminal(*knock, environment=homes[1], program=on(theirs)) as guest:
            host.wait_for(lambda text: text.count("Does it? [y/N]") == 3)
            host.press(ENTER)
            assert "Error: The host's player did not let you in." in refused(guest)
            # It has its own line, although a question waits for an answer.
            assert "> Error" not in guest.look()


def test_a_program_that_knocks_has_to_say_that_the_words_agree(
    seat: Callable[..., Peer], tmp_path: Path
) -> None:
    home = {"SCOPA_DATA_DIR": str(tmp_path / "ada")}
    words = ("host", "--plain", "--listen", "127.0.0.1:0", "--no-lan")
    with on_terminal(*words, environment=home, program=SCOPA) as host:
        shown = host.wait_for("Waiting for 1 more player.")
        found = re.search(r"scopa://(127\.0\.0\.1:[0-9]+)/", shown)
        assert found is not None
        knock = ("join", found[1], "--bot", "random")
        silent = seat("bob")
        silent.start(*knock)
        assert silent.end() == 4
        assert silent.types() == ["knocking", "error"]
        assert "has said that the words agree" in silent.told[-1]["message"]
        host.wait_for("does not wait any more.")
        says = seat("cleo")
        says.start(*knock, stdin=subprocess.PIPE)
        host.wait_for(lambda text: text.count("Does it? [y/N]") == 2)
        host.press("y", ENTER)
        assert says.process is not None
        assert says.process.stdin is not None
        assert says.types() == ["knocking"]
        says.process.stdin.write(b"yes\n")
        says.process.stdin.flush()
        until(lambda: "deal_started" in says.types())
        says.process.stdin.close()


def test_a_host_with_another_address_is_found_again(
    nets: Networks, peers: tuple[Peer, Peer]
) -> None:
    ours, theirs = nets.machine("ours"), nets.machine("theirs")
    nets.join("cable", {ours: ("10.7.0.1/24",), theirs: ("10.7.0.2/24",)})
    host, guest = peers
    # Nobody plays for the host, so the match is not over before its end is wanted.
    words = ("--rule", "target=1")
    host.start("host", *words, program=on(ours), stdin=subprocess.PIPE)
    (invite,) = host.invites()
    assert invite.startswith("scopa://10.7.0.1:")
    guest.start("join", invite, "--bot", "random", program=on(theirs))
    until(lambda: "deal_started" in guest.types())
    host.kill()
    assert host.process is not None
    assert host.process.stdin is not None
    host.process.stdin.close()
    until(lambda: guest.told[-1]["type"] == "waiting")
    ours.ip("address del 10.7.0.1/24 dev eth0", "address add 10.7.0.77/24 dev eth0")
    host.start("resume", "--bot", "rules", program=on(ours))
    assert (host.end(), guest.end()) == (0, 0)
    assert host.told[-1]["type"] == guest.told[-1]["type"] == "match_won"
