"""Matches between homes: routers, ways that fail, addresses that change.

Real programs on machines of the test's own, in an internet of documentation's addresses
that leads nowhere. `SCOPA_TEST_HOLES=8,13,40` tries longer times without packets, too.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.end_to_end.peers import ROOT, Peer, on, until
from tests.support.namespaces import Machine, Networks

BACK_S = 10.0
"""So soon a match goes on once its packets arrive again."""

HOLES_S = [float(each) for each in os.environ.get("SCOPA_TEST_HOLES", "8").split(",")]
"""So long no packet arrives: shorter than a link lives in silence, or longer."""

CUT = """
table inet cut {
  chain arriving { type filter hook input priority filter; policy drop; }
}"""


def home(nets: Networks, name: str, internet: Machine, address: str) -> Machine:
    """A machine behind a router of its own, in the network that every home has."""
    router, machine = nets.machine(f"{name}-router"), nets.machine(name)
    outside = nets.plug(internet, router, (f"{address}/24",))
    inside: dict[Machine, tuple[str, ...]] = {
        router: ("192.168.1.1/24",),
        machine: ("192.168.1.10/24",),
    }
    nets.join(f"{name}-lan", inside)
    router.masquerade(outside)
    machine.ip("route add default via 192.168.1.1")
    return machine


@contextmanager
def introducers(machine: Machine, address: str) -> Iterator[tuple[str, ...]]:
    """The options that name the two servers there."""
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


def test_two_homes_with_the_same_addresses_meet_through_the_relay(
    nets: Networks, peers: tuple[Peer, Peer]
) -> None:
    server = nets.machine("server")
    internet = nets.join("internet", {server: ("198.51.100.1/24",)})
    homes = [
        home(nets, name, internet, f"198.51.100.{number}")
        for name, number in (("ada", 2), ("bob", 3))
    ]
    host, guest = peers
    with introducers(server, "198.51.100.1") as servers:
        words = ("--remote", *servers, "--rule", "target=2")
        host.start("host", *bot(host), *words, program=on(homes[0]))
        until(lambda: "listening" in host.types())
        (code,) = host.told[0]["codes"]
        assert "scopa://192.168.1.10" in host.told[0]["invites"][0]
        guest.start("join", code, *bot(guest), *servers, program=on(homes[1]))
        end_alike(host, guest)


@pytest.mark.parametrize("hole_s", HOLES_S)
def test_a_match_goes_on_soon_after_all_packets_were_lost_for_a_while(
    nets: Networks, peers: tuple[Peer, Peer], hole_s: float
) -> None:
    machines = two_on_a_cable(nets)
    host, guest = peers
    sit_down(peers, machines, target=11)
    until(lambda: plays(guest))
    for machine in machines:
        machine.filter(CUT)
    end_s = time.monotonic() + hole_s
    until(lambda: (waits_for(host), waits_for(guest)) == (["bob"], ["ada"]))
    time.sleep(max(0.0, end_s - time.monotonic()))
    for machine in machines:
        machine.filter("delete table inet cut")
    before = plays(guest)
    until(lambda: plays(guest) > before, BACK_S)
    end_alike(host, guest)


def test_a_guest_whose_address_changes_goes_on(
    nets: Networks, peers: tuple[Peer, Peer]
) -> None:
    _, theirs = machines = two_on_a_cable(nets)
    host, guest = peers
    sit_down(peers, machines, target=11)
    until(lambda: plays(guest))
    theirs.ip("address del 10.7.0.2/24 dev eth0", "address add 10.7.0.77/24 dev eth0")
    end_alike(host, guest)


def test_machines_that_have_only_ipv6_play(
    nets: Networks, peers: tuple[Peer, Peer]
) -> None:
    ours, theirs = machines = nets.machine("ours"), nets.machine("theirs")
    nets.join("cable", {ours: ("2001:db8::1/64",), theirs: ("2001:db8::2/64",)})
    host, guest = peers
    sit_down(peers, machines, target=2)
    assert host.invites()[0].startswith("scopa://[2001:db8::1]:")
    end_alike(host, guest)


def test_a_match_over_a_long_and_lossy_way_comes_to_its_end(
    nets: Networks, peers: tuple[Peer, Peer]
) -> None:
    with far_apart(nets, ms=60, percent=5) as machines:
        sit_down(peers, machines, target=1)
        end_alike(*peers)


def test_two_guests_stay_linked_while_their_host_has_no_network(
    nets: Networks, seat: Callable[..., Peer]
) -> None:
    machines = [nets.machine(name) for name in ("a", "b", "c")]
    addresses = ("10.7.0.1/24",), ("10.7.0.2/24",), ("10.7.0.3/24",)
    nets.join("cable", dict(zip(machines, addresses, strict=True)))
    host, *guests = everybody = [seat(name) for name in ("ada", "bob", "cleo")]
    rules = ("--players", "3", "--rule", "target=11", "--no-lan")
    host.start("host", *bot(host), *rules, program=on(machines[0]))
    for guest, invite, machine in zip(
        guests, host.invites(), machines[1:], strict=True
    ):
        guest.start("join", invite, *bot(guest), program=on(machine))
    until(lambda: all(plays(one) for one in everybody))
    machines[0].ip("address del 10.7.0.1/24 dev eth0")
    until(lambda: [waits_for(guest) for guest in guests] == [["ada"]] * 2)
    until(lambda: sorted(waits_for(host)) == ["bob", "cleo"])
    machines[0].ip("address add 10.7.0.77/24 dev eth0")
    end_alike(*everybody)
