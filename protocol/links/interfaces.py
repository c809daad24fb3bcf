"""The addresses of this machine, and the networks that they are in.

Addresses with a zone (fe80::1%2) are left out: an invitation cannot hold them.
"""

from ipaddress import IPv4Interface, IPv6Interface

import ifaddr

_ON_LINK = 64
"""A single IPv6 address that was given out is in a network all the same."""


def networks() -> tuple[IPv4Interface | IPv6Interface, ...]:
    """Every address, with the network that is reached from it without a router."""
    found: list[IPv4Interface | IPv6Interface] = []
    for adapter in ifaddr.get_adapters():
        for address in adapter.ips:
            if isinstance(address.ip, str):
                found.append(IPv4Interface(f"{address.ip}/{address.network_prefix}"))
                continue
            plain, _, zone = address.ip
            six = IPv6Interface(f"{plain}/{min(address.network_prefix, _ON_LINK)}")
            if not zone and not six.ip.is_link_local:
                found.append(six)
    return tuple(dict.fromkeys(found))


def addresses() -> tuple[str, ...]:
    """Those by which others may reach this machine; none if it is alone."""
    return tuple(
        dict.fromkeys(str(one.ip) for one in networks() if not one.ip.is_loopback)
    )
