"""The addresses by which other machines may reach this one."""

import socket
from typing import Final

from protocol.invite import HOSTS_MAX
from protocol.links.interfaces import addresses

__all__ = ["own_addresses"]

# Nothing is sent there: the system only says from which address it would be.
_FAR: Final = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET6, "2001:db8::1"),
)


def own_addresses() -> tuple[str, ...]:
    """As many as an invitation holds, the loopback if there are none.

    First those by which this machine would call others far away, then those of networks
    that lead nowhere else.
    """
    found = []
    for family, far in _FAR:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((far, 9))
                found.append(str(probe.getsockname()[0]))
        except OSError:
            continue
    leading = [address for address in found if "%" not in address]
    return tuple(dict.fromkeys((*leading, *addresses())))[:HOSTS_MAX] or ("127.0.0.1",)
