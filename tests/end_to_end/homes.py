"""Homes of a test's own: routers, an internet that leads nowhere, matches there."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.end_to_end.peers import ROOT, Peer, on, until
from tests.support.namespaces import Machine, Networks

CUT = """
table inet cut {
  chain arriving { type filter hook input priority filter; policy drop; }
}"""
"""No packet comes in any more."""

SERVER = "198.51.100.1"
"""Where the servers are that introduce people."""


class Home:
    """A machine behind a router of its own, in the network that every home has."""

    def __init__(
        self, nets: Networks, name: str, internet: Machine, address: str
    ) -> None:
        self.router, self.machine = nets.machine(f"{name}-router"), nets.machine(name)
        outside = nets.plug(internet, self.router, (f"{address}/24",))
        self.router.masquerade(outside)
        self.cable = nets.join(f"{name}-lan", {self.router: ("192.168.1.1/24",)})
        self._nets = nets
        self.live(self.machine, "192.168.1.10")

    def live(self, machine: Machine, address: str) -> None:
        """Have this machine, which has no network, at the own cable."""
        self._nets.plug(self.cable, machine, (f"{address}/24",))
        machine.ip("route add default via 192.168.1.1")


def homes(nets: Networks, *names: str) -> tuple[Machine, Machine, list[Home]]:
    """The server's machine, the internet's cable, and homes at it, of which each has
    the same addresses inside; outside they end in 2, 3 and so on."""
    server = nets.machine("server")
    internet = nets.join("internet", {server: (f"{SERVER}/24",)})
    places = [
        Home(nets, name, internet, f"198.51.100.{number}")
        for number, name in enumerate(names, 2)
    ]
    return server, internet, places


@contextmanager
def introducers(machine: Machine, address: str = SERVER) -> Iterator[tuple[str, ...]]:
    """The options that name the two servers there; they end with the block."""
    words = [*on(machine), "rendezvous", "--listen", f"{address}:4000", "--json"]
    with subprocess.Popen(
        words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            found = json.loads(process.stdout.readline())
            yield "--mailbox", found["mailbox"], "--relay", found["relay"]
        finally:
            process.kill()


def two_on_a_cable(nets: Networks) -> tuple[Machine, Machine]:
    ours, theirs = nets.machine("ours"), nets.machine("theirs")
    nets.join("cable", {ours: ("10.7.0.1/24",), theirs: ("10.7.0.2/24",)})
    return ours, theirs


@contextmanager
def far_apart(nets: Networks, ms: int, percent: int) -> Iterator[tuple[Machine, ...]]:
    """Two machines; what one sends arrives that late at the other, or is lost."""
    way, ours, theirs = map(nets.machine, ("way", "ours", "theirs"))
    words = [*way.inside, sys.executable, "-m", "tests.support.slow_way"]
    with subprocess.Popen(
        [*words, str(ms), str(percent)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as carrier:
        assert carrier.stdout is not None
        try:
            assert carrier.stdout.readline() == "ready\n"
            for end, machine, number in (("near", ours, 1), ("far", theirs, 2)):
                way.ip(f"link set {end} netns {machine.name}")
                up = f"link set {end} up", f"address add 10.7.0.{number}/24 dev {end}"
                machine.ip(*up, f"route add default dev {end}")
            yield ours, theirs
        finally:
            carrier.kill()


def bot(peer: Peer) -> tuple[str, ...]:
    """Nobody is asked, and it has its own name at the table."""
    return "--bot", "greedy", "--name", peer.name


def sit_down(
    peers: tuple[Peer, Peer], machines: tuple[Machine, ...], target: int
) -> None:
    """Begin a match of two bots by an invitation, without a search on the LAN."""
    host, guest = peers
    rules = ("--rule", f"target={target}", "--no-lan")
    host.start("host", *bot(host), *rules, program=on(machines[0]))
    (invite,) = host.invites()
    guest.start("join", invite, *bot(guest), program=on(machines[1]))


def sit_down_by_code(
    peers: Sequence[Peer],
    machines: Sequence[Machine],
    servers: tuple[str, ...],
    target: int,
) -> None:
    """Begin a match of bots, each guest of which has a code."""
    host, *guests = peers
    rules = ("--rule", f"target={target}", "--players", str(len(peers)))
    host.start(
        "host", *bot(host), "--remote", *servers, *rules, program=on(machines[0])
    )
    until(lambda: "listening" in host.types())
    codes = host.told[0]["codes"]
    for guest, code, machine in zip(guests, codes, machines[1:], strict=True):
        guest.start("join", code, *bot(guest), *servers, program=on(machine))


def plays(peer: Peer) -> int:
    return peer.types().count("played")


def waits_for(peer: Peer) -> list[str]:
    """Whom it waits for, as it told last."""
    told = [one for one in peer.told if one["type"] == "waiting"]
    return told[-1]["names"] if told else []


def end_alike(*peers: Peer) -> None:
    """All come to the end of the same match, and none has anything to complain of."""
    assert [peer.end() for peer in peers] == [0] * len(peers)
    assert {peer.types()[-1] for peer in peers} == {"match_won"}
    assert len({peer.record() for peer in peers}) == 1
    assert {peer.complained for peer in peers} == {""}
