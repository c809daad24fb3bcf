"""The network, as far as it can be seen from here."""

from __future__ import annotations

import asyncio
import secrets
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from protocol.codes import PUBLIC, BadServer, read_mailbox, read_relay
from protocol.invite import pin_text
from protocol.links.endings import NoMulticast
from protocol.links.lan import PIN_LETTERS, Announcer, Browser, Find
from scopa_net.app.addresses import own_addresses
from scopa_net.commands.checkup.finding import Finding, State
from scopa_net.commands.refusals import Failure
from scopa_net.commands.settled import settled
from scopa_net.ui.words import and_list, counted

__all__ = ["addresses", "listening", "mailbox", "multicast", "relay"]

ANSWER_S = 2.0
SERVER_S = 4.0
SEEN_S = 2.0
_PORTS = {"ws": 80, "wss": 443}
_FAMILIES = {
    "IPv4": (socket.AF_INET, "0.0.0.0", "127.0.0.1"),
    "IPv6": (socket.AF_INET6, "::", "::1"),
}
"""By its name, how all of this machine is called there, and its loopback."""

_CARRIER = ip_network("100.64.0.0/10")
_FIREWALLS = {
    "win32": "Windows Security, Firewall & network protection, Allow an app: Python",
    "darwin": "System Settings, Network, Firewall, Options: Python",
}
_FIREWALL = "the rules that `sudo ufw status` or `sudo nft list ruleset` shows"


def listening() -> Finding:
    """Whether a port can be listened on and called, by IPv4 and by IPv6."""
    found = {name: _call_own_port(*how) for name, how in _FAMILIES.items()}
    able = [name for name, answered in found.items() if answered]
    where = _FIREWALLS.get(sys.platform, _FIREWALL)
    if able:
        only = "" if len(able) == len(found) else " only"
        return Finding(
            State.OK,
            f"Players can be waited for by {and_list(able)}{only}. Whether a firewall "
            "lets them in shows only when one calls.",
            f"If nobody gets through: {where}.",
        )
    if any(answered is False for answered in found.values()):
        return Finding(
            State.WARN,
            "A port can be listened on, but this machine cannot call itself.",
            f"Look at what blocks even that: {where}; or the loopback is down.",
        )
    return Finding(
        State.FAIL,
        "This machine lets no program listen: no match can be hosted here.",
        f"Look at what forbids it: {where}. To join one is still possible.",
    )


def _call_own_port(
    family: socket.AddressFamily, everywhere: str, here: str
) -> bool | None:
    """Whether a port answers that is opened as a host does; None if it cannot be."""
    try:
        door = socket.create_server((everywhere, 0), family=family)
    except OSError:
        return None
    with door:
        door.settimeout(ANSWER_S)
        try:
            with socket.create_connection((here, door.getsockname()[1]), ANSWER_S):
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


# -- tables on the LAN -----------------------------------------------------------------


def multicast() -> Finding:
    """Whether what is announced on the LAN is seen, at least by this machine."""
    try:
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            seen, others = runner.run(_announced_and_seen())
    except NoMulticast as reason:
        return Finding(State.WARN, str(reason), _WITHOUT_MULTICAST)
    are = "is" if others == 1 else "are"
    tables = f"{counted(others, 'other table')} {are} announced"
    if seen:
        return Finding(
            State.OK, f"What is announced by mDNS on this network is seen; {tables}."
        )
    return Finding(
        State.WARN,
        f"What is announced by mDNS on this network is not seen; {tables}.",
        _WITHOUT_MULTICAST,
    )


_WITHOUT_MULTICAST = (
    "Join by invitation or by HOST:PORT; or let UDP port 5353 through the firewall, "
    "leave a VPN, or use another network: guest Wi-Fi often blocks this."
)


async def _announced_and_seen() -> tuple[bool, int]:
    """Whether an own announcement came back, and how many there are of others."""
    loop = asyncio.get_running_loop()
    seen, others = asyncio.Event(), set[str]()
    key = secrets.token_bytes(32)

    def found(find: Find) -> None:
        if find.pin == pin_text(key)[:PIN_LETTERS]:
            seen.set()
        else:
            others.add(find.name)

    # A port of our own that nobody listens at: who calls there is refused.
    with socket.socket() as nowhere:
        nowhere.bind(("", 0))
        port = nowhere.getsockname()[1]
        browser = Browser(secrets.token_bytes(32), found, others.discard)
        announcer = Announcer(key, port, "", 0)
        try:
            await browser.start().asFuture(loop)
            await announcer.start().asFuture(loop)
            with suppress(TimeoutError):
                await asyncio.wait_for(seen.wait(), SEEN_S)
        finally:
            for each in (announcer, browser):
                await each.close().asFuture(loop)
    return seen.is_set(), len(others)


# -- servers ---------------------------------------------------------------------------


def mailbox(data_dir: Path | None) -> Finding:
    """Whether the mailbox server can be reached, if it may be asked at all."""
    return _server("mailbox", data_dir)


def relay(data_dir: Path | None) -> Finding:
    """Whether the relay can be reached, if it may be asked at all."""
    return _server("relay", data_dir)


def _server(key: str, data_dir: Path | None) -> Finding:
    try:
        named = settled(key, data_dir).value
        agreed = settled("public_servers", data_dir).value is True
        public = PUBLIC.mailbox if key == "mailbox" else PUBLIC.relay
        where = _place(key, str(named) if named else public)
    except Failure as reason:
        return Finding(State.WARN, str(reason))
    except BadServer as reason:
        return Finding(State.FAIL, str(reason), f"scopa config set {key} ...")
    if not named and not agreed:
        return Finding(
            State.UNASKED,
            f"No {key} is settled, and you have not agreed to use those for everybody.",
            "Only codes need one: `scopa host --remote` asks you once, or name your "
            f"own by `scopa config set {key}`.",
        )
    host, port = where
    try:
        with socket.create_connection((host, port), timeout=SERVER_S):
            return Finding(State.OK, f"{host}:{port} takes calls.")
    except OSError as reason:
        why = reason.strerror or "it did not answer in time"
        return Finding(
            State.WARN,
            f"{host}:{port} cannot be reached: {why}. Players do not meet by codes "
            "now; invitations and tables on the LAN need no server.",
            "Try again later, name other servers by `scopa config`, or run your own: "
            "`scopa rendezvous`.",
        )


def _place(key: str, text: str) -> tuple[str, int]:
    """Where a server is called; raises `BadServer`."""
    if key == "mailbox":
        url = urlsplit(read_mailbox(text))
        port = url.port or _PORTS[url.scheme.lower()]
    else:
        url = urlsplit(f"tcp://{read_relay(text).removeprefix('tcp:')}")
        port = url.port or 0
    return url.hostname or "", port
