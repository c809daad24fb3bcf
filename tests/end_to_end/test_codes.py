"""`scopa host --remote` and `scopa join CODE` as real programs, over own servers."""

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from protocol.codes import read_servers
from tests.end_to_end.peers import HERE, ROOT, SCOPA, Peer, until


@dataclass(frozen=True)
class Introducers:
    """Where the servers are, and a program that reaches nothing else."""

    mailbox: str
    relay: str
    process: "subprocess.Popen[str]"

    @property
    def options(self) -> tuple[str, ...]:
        return "--mailbox", self.mailbox, "--relay", self.relay

    def walled(self, gate: Path) -> list[str]:
        """Once there is a file `gate`, it reaches everything."""
        servers = read_servers(self.mailbox, self.relay)
        places = servers.mailbox_place, servers.relay_place
        ports = ",".join(place.rpartition(":")[2] for place in places)
        program = "tests.end_to_end.behind_a_wall"
        return [sys.executable, "-m", program, ports, str(gate)]


@contextmanager
def introducers(port: int = 0) -> Iterator[Introducers]:
    listen = ("--listen", f"127.0.0.1:{port}")
    words = [*SCOPA, "rendezvous", *listen, "--json"]
    with subprocess.Popen(
        words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        found = json.loads(process.stdout.readline())
        try:
            yield Introducers(found["mailbox"], found["relay"], process)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def servers() -> Iterator[Introducers]:
    with introducers() as found:
        yield found


def host_match(host: Peer, servers: Introducers, *words: str) -> list[str]:
    """Its codes."""
    options = ("--remote", "--no-lan", *HERE, *servers.options)
    host.start("host", "--bot", "rules", *options, *words)
    until(lambda: "listening" in host.types())
    return [str(code) for code in host.told[0]["codes"]]


def plays(peer: Peer) -> int:
    return peer.types().count("played")


def last_wait(peer: Peer) -> dict[str, Any] | None:
    """Whom it misses, as it told last."""
    told = [one for one in peer.told if one["type"] == "waiting"]
    return told[-1] if told else None


def connected_to(port: int) -> bool:
    """Whether a program of this machine has a connection to that port."""
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, _, there, state, *_ = line.split()
        if state == "01" and int(there.rpartition(":")[2], 16) == port:
            return True
    return False


def test_a_code_leads_to_a_match(
    peers: tuple[Peer, Peer], seat: Callable[..., Peer], servers: Introducers
) -> None:
    host, guest = peers
    (code,) = host_match(host, servers, "--rule", "target=1")
    misheard = seat("cleo")
    misheard.start("join", f"{code[:-1]}q", "--bot", "random", *servers.options)
    guest.start("join", *code.upper().split("-"), "--bot", "random", *servers.options)
    assert (guest.end(), host.end()) == (0, 0)
    assert host.record() == guest.record()
    assert (host.complained, guest.complained) == ("", "")
    assert misheard.end() == 2
    assert "No code has the word" in misheard.complained


def test_who_reaches_only_the_servers_plays_and_is_killed_and_plays_on(
    peers: tuple[Peer, Peer], servers: Introducers, tmp_path: Path
) -> None:
    host, guest = peers
    walled = servers.walled(tmp_path / "never")
    (code,) = host_match(host, servers, "--rule", "target=11")
    guest.start("join", code, "--bot", "random", *servers.options, program=walled)
    until(lambda: plays(guest) > 20)
    guest.kill()
    guest.start("resume", "--bot", "random", program=walled)
    assert (guest.end(), host.end()) == (0, 0)
    assert host.record() == guest.record()
    assert (host.complained, guest.complained) == ("", "")


def test_who_came_by_an_invitation_comes_back_by_the_servers_of_its_table(
    peers: tuple[Peer, Peer], servers: Introducers, tmp_path: Path
) -> None:
    host, guest = peers
    host_match(host, servers, "--rule", "target=11")
    guest.start("join", host.invites()[0], "--bot", "random")
    until(lambda: plays(guest) > 20)
    guest.kill()
    walled = servers.walled(tmp_path / "never")
    guest.start("resume", "--bot", "random", program=walled)
    assert (guest.end(), host.end()) == (0, 0)
    assert host.record() == guest.record()
    assert (host.complained, guest.complained) == ("", "")


def test_guests_who_reach_only_the_servers_are_not_lost_with_their_host(
    seat: Callable[..., Peer], servers: Introducers, tmp_path: Path
) -> None:
    host, *guests = map(seat, ("ada", "bob", "cleo"))
    walled = servers.walled(tmp_path / "never")
    codes = host_match(host, servers, "--players", "3", "--rule", "target=999")
    for guest, code in zip(guests, codes, strict=True):
        guest.start("join", code, "--bot", "random", *servers.options, program=walled)
    until(lambda: all(plays(guest) for guest in guests))
    host.kill()

    def miss_only_the_host() -> bool:
        told = [one for one in map(last_wait, guests) if one is not None]
        return [one["names"] for one in told] == [["rules (bot)"], ["rules (bot)"]]

    until(miss_only_the_host)
    for guest in guests:
        guest.stop()
        assert guest.end() == 143


@pytest.mark.skipif(sys.platform != "linux", reason="connections are read from /proc")
def test_a_direct_link_takes_over_so_that_the_servers_are_not_needed(
    peers: tuple[Peer, Peer], tmp_path: Path
) -> None:
    host, guest = peers
    gate = tmp_path / "gate"
    with introducers() as own:
        (code,) = host_match(host, own, "--rule", "target=999")
        guest.start(
            "join", code, "--bot", "random", *own.options, program=own.walled(gate)
        )
        until(lambda: plays(guest) > 5)
        gate.touch()
        port = host.told[0]["port"]
        until(lambda: connected_to(port))
    # Without a relay its link would be given up now.
    until(lambda: own.process.poll() is not None)
    before = plays(guest)
    until(lambda: plays(guest) > before + 200)
    assert "waiting" not in guest.types()[guest.types().index("played") :]
    for peer in peers:
        peer.stop()
    assert [peer.end() for peer in peers] == [143, 143]


def two_free_ports() -> int:
    """The first of two that follow each other."""
    for _ in range(50):
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port: int = first.getsockname()[1]
            with suppress(OSError, OverflowError):
                second.bind(("127.0.0.1", port + 1))
                return port
    raise AssertionError("no two ports are free")


def test_a_host_is_told_when_its_servers_go_and_forget_its_codes(
    seat: Callable[..., Peer],
) -> None:
    host, *guests = map(seat, ("ada", "bob", "cleo"))
    port = two_free_ports()

    def told(kind: str) -> list[dict[str, Any]]:
        return [one for one in host.told if one["type"] == kind]

    with introducers(port) as first:
        old = host_match(host, first, "--players", "3", "--rule", "target=1")
    until(lambda: told("servers"))
    with introducers(port) as again:
        until(lambda: len(told("code")) == 2)
        for guest, code in zip(guests, told("code"), strict=True):
            guest.start("join", code["code"], "--bot", "random", *again.options)
        assert [peer.end() for peer in (host, *guests)] == [0, 0, 0]
    assert [one["there"] for one in told("servers")] == [False, True]
    place = f"The mailbox server 127.0.0.1:{port}"
    assert told("servers")[0]["why"].startswith(f"{place} cannot be reached: codes")
    new = "does not work any more; this is the new one."
    assert {one["why"] for one in told("code")} == {
        f"The old code {code} {new}" for code in old
    }


def test_a_host_whose_servers_are_away_says_so_and_keeps_nothing(
    peers: tuple[Peer, Peer],
) -> None:
    host, _ = peers
    away = ("--mailbox", "ws://127.0.0.1:9", "--relay", "tcp:127.0.0.1:9")
    host.start("host", "--bot", "rules", "--remote", "--no-lan", *HERE, *away)
    assert host.end() == 3
    assert "The mailbox server 127.0.0.1:9 cannot be reached" in host.complained
    assert not host.kept


def test_without_a_person_nobody_is_asked_about_servers(
    peers: tuple[Peer, Peer],
) -> None:
    host, guest = peers
    host.start("host", "--bot", "rules", "--remote")
    guest.start("join", "7-adroitness-absurd", "--bot", "random")
    assert (host.end(), guest.end()) == (2, 2)
    assert host.told[-1]["code"] == 2
    assert "--mailbox URL" in guest.complained
