"""An invitation: where a host listens, the key it must prove, and a ticket to it.

    scopa://HOST[,HOST...]:PORT/PIN/TICKET

Several hosts are addresses of one machine; IPv6 stands in brackets. PIN is the host's
Ed25519 key, TICKET is 16 random bytes that admit one player once: both in base32, in
small letters, without padding. Only characters that survive shells and chat programs;
letters of either case are read, and white space where a line was broken; nothing else
that is not written.
"""

import base64
import binascii
import re
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final

from protocol.crypto.identity import KEY_BYTES, valid_key

SCHEME: Final = "scopa://"
TICKET_BYTES: Final = 16
HOSTS_MAX: Final = 8
INVITE_CHARACTERS_MAX: Final = 2_048
_PORT_MAX: Final = 65_535
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)", re.ASCII)
_NAME_CHARACTERS_MAX: Final = 253


class BadInvite(ValueError):
    """This is no invitation."""


class BadAddress(ValueError):
    """This is no address of a machine."""


@dataclass(frozen=True, slots=True)
class Invite:
    """Where to go, whom to find there, and what to show; `others` are more addresses.

    The ticket admits one player, so an invitation is as good as a seat at the table.
    """

    host: str
    port: int
    pin: bytes
    ticket: bytes
    others: tuple[str, ...] = ()

    @property
    def hosts(self) -> tuple[str, ...]:
        """Every address of the host, the likeliest first."""
        return (self.host, *self.others)

    def __str__(self) -> str:
        hosts = ",".join(bracketed(host) for host in self.hosts)
        return (
            f"{SCHEME}{hosts}:{self.port}/{pin_text(self.pin)}/{_base32(self.ticket)}"
        )

    def __repr__(self) -> str:
        # A ticket in a log would be a seat for whoever reads the log.
        return f"Invite({', '.join(self.hosts)}, {self.port})"


def read_invite(text: str) -> Invite:
    """The invitation in `text`; raises `BadInvite` with a sentence about what is wrong.

    White space, in it too, and letters of either case do no harm.
    """
    small = "".join(text.split()).lower()
    if not small.startswith(SCHEME):
        raise BadInvite(f"An invitation begins with {SCHEME} - this does not.")
    if len(small) > INVITE_CHARACTERS_MAX:
        raise BadInvite("This is too long to be an invitation.")
    parts = small.removeprefix(SCHEME).split("/")
    if len(parts) != 3:
        raise BadInvite(
            f"An invitation reads {SCHEME}HOST:PORT/PIN/TICKET; "
            "a part of this one is missing or too much. Copy it again, whole."
        )
    places, pin_text, ticket_text = parts
    pin = _bytes_of(pin_text, KEY_BYTES, "key of the host")
    if not valid_key(pin):
        raise BadInvite(_damaged("key of the host"))
    ticket = _bytes_of(ticket_text, TICKET_BYTES, "ticket")
    before, colon, port_text = places.rpartition(":")
    try:
        if not colon:
            raise BadAddress("The invitation names no port.")
        port = _port(port_text)
        hosts = tuple(_host(host) for host in before.split(","))
    except BadAddress as bad:
        raise BadInvite(str(bad)) from bad
    if port == 0:
        raise BadInvite("Nobody can listen on port 0.")
    if len(hosts) > HOSTS_MAX or len(set(hosts)) != len(hosts):
        raise BadInvite(
            f"An invitation names at most {HOSTS_MAX} addresses, each once."
        )
    return Invite(hosts[0], port, pin, ticket, hosts[1:])


def read_address(text: str) -> tuple[str, int]:
    """Where to listen: `HOST:PORT`, `[IPV6]:PORT`, `:PORT` or `PORT`.

    The host is a numeric address of this machine, or "" for all of them; port 0 is any
    free one. Raises `BadAddress` with a sentence.
    """
    host, colon, port = text.strip().lower().rpartition(":")
    if not colon or host == "":
        return "", _port(port)
    if host == "localhost":
        return "127.0.0.1", _port(port)
    plain = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    try:
        address = ip_address(plain)
    except ValueError:
        raise BadAddress(
            "Listening needs a numeric address of this machine, like 192.168.1.5:4000 "
            "or [::1]:4000, or only a port for all of its addresses."
        ) from None
    if (address.version == 6) != (plain != host):
        raise BadAddress("An IPv6 address stands in brackets, like [::1]:4000.")
    if address.is_unspecified:
        # 0.0.0.0 and :: are how other programs say "all".
        return "", _port(port)
    return str(address), _port(port)


def read_place(text: str) -> tuple[str, int]:
    """Somebody else's machine and port: `HOST:PORT`; raises `BadAddress`."""
    host, colon, port_text = text.strip().lower().rpartition(":")
    if not colon or not port_text.isdecimal():
        raise BadAddress(
            "An address of a machine reads HOST:PORT, like 192.168.1.5:4000 or "
            "[2001:db8::1]:4000."
        )
    port = _port(port_text)
    if port == 0:
        raise BadAddress("Nobody can listen on port 0.")
    return _host(host), port


def pin_text(key: bytes) -> str:
    """A key as invitations spell it."""
    return _base32(key)


def bracketed(host: str) -> str:
    """A host as it stands before a colon and a port."""
    return f"[{host}]" if ":" in host else host


def _port(text: str) -> int:
    plain = text.isascii() and text.isdigit() and len(text) <= 5
    if not plain or (text != "0" and text.startswith("0")) or int(text) > _PORT_MAX:
        raise BadAddress(f"A port is a number from 0 to {_PORT_MAX}.")
    return int(text)


def _host(text: str) -> str:
    """A host as the system is asked for it; raises `BadAddress`."""
    inner = text[1:-1] if text.startswith("[") and text.endswith("]") else None
    try:
        address = ip_address(text if inner is None else inner)
    except ValueError:
        if inner is not None:
            raise BadAddress("What stands in brackets is no IPv6 address.") from None
        return _name(text)
    if (address.version == 6) != (inner is not None):
        raise BadAddress("An IPv6 address stands in brackets, like [2001:db8::1].")
    zoned = isinstance(address, IPv6Address) and address.scope_id is not None
    if address.is_unspecified or address.is_multicast or zoned:
        raise BadAddress("This is an address that nobody can reach.")
    return str(address)


def _name(text: str) -> str:
    labels = text.split(".")
    named = all(_LABEL.fullmatch(label) for label in labels)
    # A name whose last label is a number is an address that somebody misspelled.
    if not named or labels[-1].isdigit() or len(text) > _NAME_CHARACTERS_MAX:
        raise BadAddress("This names no machine.")
    return text


def _base32(data: bytes) -> str:
    return base64.b32encode(data).decode("ascii").rstrip("=").lower()


def _bytes_of(text: str, size: int, what: str) -> bytes:
    padded = text.upper() + "=" * (-len(text) % 8)
    try:
        data = base64.b32decode(padded)
    except (binascii.Error, ValueError):
        raise BadInvite(_damaged(what)) from None
    # The last letter carries bits of nothing; only one of its spellings is written.
    if len(data) != size or _base32(data) != text:
        raise BadInvite(_damaged(what))
    return data


def _damaged(what: str) -> str:
    return f"The {what} in this invitation is damaged. Copy it again, whole."
