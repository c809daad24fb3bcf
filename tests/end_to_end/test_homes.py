"""Matches between homes: routers, ways that fail, addresses that change.

Real programs on machines of the test's own, in an internet of documentation's addresses
that leads nowhere. `SCOPA_TEST_HOLES=8,13,40` tries longer times without packets, too.
"""

import os
import time
from collections.abc import Callable

import pytest

from tests.end_to_end.homes import (
    CUT,
    bot,
    end_alike,
    far_apart,
    homes,
    introducers,
    plays,
    sit_down,
    sit_down_by_code,
    two_on_a_cable,
    waits_for,
)
from tests.end_to_end.peers import WAIT_S, Peer, on, until
from tests.support.namespaces import Networks

BACK_S = 10.0 if "SCOPA_TEST_HOLES" in os.environ else WAIT_S
"""A goal, which is held to where it is measured, and no limit elsewhere."""
"""So soon a match goes on once its packets arrive again."""

HOLES_S = [float(each) for each in os.environ.get("SCOPA_TEST_HOLES", "8").split(",")]
"""So long no packet arrives: shorter than a link lives in silence, or longer."""


def test_two_homes_with_the_same_addresses_meet_through_the_relay(
    nets: Networks, peers: tuple[Peer, Peer]
) -> None:
    server, _, places = homes(nets, "ada", "bob")
    machines = [place.machine for place in places]
    host, _ = peers
    with introducers(server) as servers:
        sit_down_by_code(peers, machines, servers, target=2)
        assert "scopa://192.168.1.10" in host.told[0]["invites"][0]
        end_alike(*peers)


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
