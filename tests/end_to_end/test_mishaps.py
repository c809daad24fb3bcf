"""What happens to networks in the middle of a match, and to its servers.

Each takes up to a minute, so they happen only where `SCOPA_TEST_MISHAPS=yes`; with
`pytest -s` it is told how soon the match went on. Nobody does anything about what
happens: the programs find each other again.
"""

import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from tests.end_to_end.homes import (
    CUT,
    Home,
    bot,
    end_alike,
    homes,
    introducers,
    plays,
    sit_down_by_code,
    two_on_a_cable,
    waits_for,
)
from tests.end_to_end.peers import Peer, on, until
from tests.support.namespaces import Machine, Networks

pytestmark = pytest.mark.skipif(
    not os.environ.get("SCOPA_TEST_MISHAPS"),
    reason="takes minutes; SCOPA_TEST_MISHAPS=yes has it",
)

HOLE_S = 20.0
"""Longer than a link lives in silence."""

BACK_S = 30.0
"""So soon it goes on once there is a way; a silent link lives for 12 of them."""

WALL = """
table inet wall {
  chain arriving {
    type filter hook input priority filter; policy drop;
    ct state established,related accept
    icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept
    iifname "lo" accept
  }
}"""
"""Who did not ask is not let through."""


@dataclass(frozen=True)
class World:
    """Two homes and a server; `stack` ends what runs there."""

    nets: Networks
    server: Machine
    internet: Machine
    host: Home
    guest: Home
    stack: ExitStack


def _moves(world: World, home: Home) -> None:
    """To a network where it has another address, as has the router."""
    router = world.nets.machine("bar-router")
    outside = world.nets.plug(world.internet, router, ("198.51.100.9/24",))
    cable = world.nets.join("bar", {router: ("172.16.0.1/24",)})
    router.masquerade(outside)
    home.machine.ip("link del eth0")
    time.sleep(3)
    world.nets.plug(cable, home.machine, ("172.16.0.10/24",))
    home.machine.ip("route add default via 172.16.0.1")


def the_guest_moves(world: World) -> None:
    """Out of the house."""
    _moves(world, world.guest)


def the_host_moves(world: World) -> None:
    """Out of the house."""
    _moves(world, world.host)


def the_guest_moves_in_with_the_host(world: World) -> None:
    """They need no relay any more."""
    world.guest.machine.ip("link del eth0")
    time.sleep(3)
    world.host.live(world.guest.machine, "192.168.1.11")


def the_guests_router_gets_another_address(world: World) -> None:
    """As many do every night; it forgets all connections."""
    world.guest.router.ip(
        "address del 198.51.100.3/24 dev eth0", "address add 198.51.100.30/24 dev eth0"
    )


def the_hosts_router_gets_another_address(world: World) -> None:
    """As many do every night; it forgets all connections."""
    world.host.router.ip(
        "address del 198.51.100.2/24 dev eth0", "address add 198.51.100.20/24 dev eth0"
    )


def the_guests_router_is_started_again(world: World) -> None:
    """It forgets all connections, and is away for a while."""
    router = world.guest.router
    router.ip("link set eth0 down", "address flush dev eth0")
    time.sleep(4)
    router.ip("link set eth0 up", "address add 198.51.100.3/24 dev eth0")


def _loses_all_packets(machine: Machine) -> None:
    machine.filter(CUT)
    time.sleep(HOLE_S)
    machine.filter("delete table inet cut")


def the_guest_has_a_black_hole(world: World) -> None:
    """Nothing arrives for a while."""
    _loses_all_packets(world.guest.machine)


def the_servers_have_a_black_hole(world: World) -> None:
    """Nothing arrives there for a while."""
    _loses_all_packets(world.server)


def the_servers_are_started_again(world: World) -> None:
    """They forget everything."""
    world.stack.close()
    time.sleep(HOLE_S)
    world.stack.enter_context(introducers(world.server))


MISHAPS = (
    the_guest_moves,
    the_host_moves,
    the_guest_moves_in_with_the_host,
    the_guests_router_gets_another_address,
    the_hosts_router_gets_another_address,
    the_guests_router_is_started_again,
    the_guest_has_a_black_hole,
    the_servers_have_a_black_hole,
    the_servers_are_started_again,
)


@pytest.mark.parametrize("happens", MISHAPS, ids=lambda each: each.__name__)
def test_a_match_through_the_relay_goes_on_when(
    happens: Callable[[World], None],
    nets: Networks,
    peers: tuple[Peer, Peer],
) -> None:
    server, internet, (host, guest) = homes(nets, "ada", "bob")
    with ExitStack() as stack:
        servers = stack.enter_context(introducers(server))
        sit_down_by_code(peers, [host.machine, guest.machine], servers, target=21)
        until(lambda: all(plays(one) > 4 for one in peers))
        happens(World(nets, server, internet, host, guest, stack))
        before, start = plays(peers[1]), time.monotonic()
        until(lambda: plays(peers[1]) > before + 2, BACK_S)
        took_s = time.monotonic() - start
        sys.stdout.write(f"{happens.__name__}: on after {took_s:.1f} s\n")
        end_alike(*peers)


def test_of_three_homes_two_stay_linked_while_the_host_is_away_and_moves(
    nets: Networks, seat: Callable[..., Peer]
) -> None:
    server, _, places = homes(nets, "ada", "bob", "cleo")
    host, *guests = everybody = [seat(name) for name in ("ada", "bob", "cleo")]
    away = places[0]
    with introducers(server) as servers:
        machines = [place.machine for place in places]
        sit_down_by_code(everybody, machines, servers, target=11)
        until(lambda: all(plays(one) > 4 for one in everybody))
        away.machine.filter(CUT)
        until(lambda: [waits_for(guest) for guest in guests] == [["ada"]] * 2)
        until(lambda: sorted(waits_for(host)) == ["bob", "cleo"])
        away.router.ip(
            "address del 198.51.100.2/24 dev eth0",
            "address add 198.51.100.20/24 dev eth0",
        )
        away.machine.filter("delete table inet cut")
        end_alike(*everybody)


def test_a_host_whose_address_changes_on_a_lan_is_found_again(
    nets: Networks, peers: tuple[Peer, Peer]
) -> None:
    ours, theirs = two_on_a_cable(nets)
    host, guest = peers
    host.start("host", *bot(host), "--rule", "target=11", program=on(ours))
    (invite,) = host.invites()
    guest.start("join", invite, *bot(guest), program=on(theirs))
    until(lambda: plays(guest))
    ours.ip("address del 10.7.0.1/24 dev eth0", "address add 10.7.0.77/24 dev eth0")
    end_alike(host, guest)


def test_machines_that_have_only_ipv6_and_cannot_call_each_other_meet_by_a_code(
    nets: Networks, peers: tuple[Peer, Peer]
) -> None:
    server, ours, theirs = map(nets.machine, ("server", "ours", "theirs"))
    addresses = ("2001:db8::1/64",), ("2001:db8::2/64",), ("2001:db8::3/64",)
    nets.join("internet", dict(zip((server, ours, theirs), addresses, strict=True)))
    for machine in (ours, theirs):
        machine.filter(WALL)
    with introducers(server, "[2001:db8::1]") as servers:
        sit_down_by_code(peers, (ours, theirs), servers, target=2)
        end_alike(*peers)
