"""The network, as far as it can be seen from here."""

from __future__ import annotations

import socket
import sys
from collections.abc import Sequence
from ipaddress import ip_address, ip_network

from scopa_net.app.addresses import own_addresses
from scopa_net.commands.checkup.finding import Finding, State
from scopa_net.ui.words import and_list

__all__ = ["addresses", "answers", "listening"]

ANSWER_S = 2.0
_FAMILIES = (
    ("IPv4", socket.AF_INET, "0.0.0.0", "127.0.0.1"),
    ("IPv6", socket.AF_INET6, "::", "::1"),
)
_CARRIER = ip_network("100.64.0.0/10")
_FIREWALLS = {
    "win32": "Windows Security, Firewall & network protection, Allow an app: Python",
    "darwin": "System Settings, Network, Firewall, Options: Python",
}
_FIREWALL = "the rules that `sudo ufw status` or `sudo nft list ruleset` shows"


def listening() -> Finding:
    """Whether a port can be listened on and called, by IPv4 and by IPv6."""
    able = [
        name for name, family, all_, here in _FAMILIES if answers(family, all_, here)
    ]
    where = _FIREWALLS.get(sys.platform, _FIREWALL)
    if not able:
        return Finding(
            State.FAIL,
            "This machine lets no program listen: no match can be hosted here.",
            f"Look at what forbids it: {where}. To join one is still possible.",
        )
    only = "" if len(able) == len(_FAMILIES) else " only"
    return Finding(
        State.OK,
        f"Players can be waited for by {and_list(able)}{only}. Whether a firewall lets "
        "them in shows only when one calls.",
        f"If nobody gets through: {where}.",
    )


def answers(family: socket.AddressFamily, everywhere: str, here: str) -> bool:
    """Whether a port can be listened on, as a host does, and then answers."""
    try:
        with socket.create_server((everywhere, 0), family=family) as door:
            door.settimeout(ANSWER_S)
            port = door.getsockname()[1]
            with socket.create_connection((here, port), timeout=ANSWER_S):
                door.accept()[0].close()
    except OSError:
        return False
    return True


def addresses(own: Sequence[str] | None = None) -> Finding:
    """By which addresses others may reach this machine, and from where."""
    told = [(text, _reach(text)) for text in (own_addresses() if own is None else own)]
    if all(reach == _HERE for _, reach in told):
        return Finding(
            State.WARN,
            "There is no network: only matches on this machine are possible.",
            "Connect to a network, also to play on a LAN.",
        )
    return Finding(
        State.OK, f"{'; '.join(f'{text}, {reach}' for text, reach in told)}."
    )


_HERE = "on this machine only"


def _reach(text: str) -> str:
    """From where an address can be reached."""
    address = ip_address(text)
    if address.is_loopback:
        return _HERE
    if address.version == 4 and address in _CARRIER:
        return "within your provider's or a private network"
    if address.is_link_local:
        return "from the same cable or Wi-Fi"
    if address.is_private:
        return "within your own network"
    return "from the internet, if nothing is in between"
