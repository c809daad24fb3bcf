"""Codes that people read out to each other, and the servers by which codes are met.

A code is `NUMBER-word-word`: the number says in which box of the mailbox server the two
programs leave their first messages, and the words are the password of the key exchange
(SPAKE2) there, of which whoever does not know them has one guess.

Two seats that have met at a table meet again by codes that nobody reads, one for each
slot of 15 seconds by their clocks. With the pair's secret K, which is theirs by
Diffie-Hellman, and the slot's number t:

    (1)  number   = the first 80 bits of H(sc1.meet.number, K, t), in decimal
    (2)  password = H(sc1.meet.word, K, t), its first 16 bytes, in hexadecimal
"""

import re
from dataclasses import dataclass
from typing import Final

from protocol.crypto.hashing import H
from protocol.invite import BadAddress, bracketed, read_place

SLOT_S: Final = 15.0
CODE_CHARACTERS_MAX: Final = 64
URL_CHARACTERS_MAX: Final = 256
_PATIENCE: Final = ((600.0, 1), (3_600.0, 4))
_CODE = re.compile(r"[0-9]{1,9}(-[a-z]{2,24}){2,4}", re.ASCII)
_HYPHENS: Final = "\u2010-\u2015\u2212-"
"""What keyboards and chat programs put in their place, too."""
_URL = re.compile(r"(wss?)://([^/?#@\s]+)(/[\w./~%-]*)?", re.ASCII | re.IGNORECASE)


class BadCode(ValueError):
    """This is no code."""


class BadServer(ValueError):
    """This is no address of such a server."""


@dataclass(frozen=True, slots=True)
class Servers:
    """Who introduces: a mailbox server by its URL, and a relay as `tcp:HOST:PORT`.

    Both see addresses and times. The mailbox sees in which boxes messages are left, and
    the relay how many bytes pass; neither sees what they say.
    """

    mailbox: str
    relay: str

    @property
    def mailbox_place(self) -> str:
        """Where the mailbox is, for people."""
        return self.mailbox.partition("://")[2].partition("/")[0]

    @property
    def relay_place(self) -> str:
        """Where the relay is, for people."""
        return self.relay.partition(":")[2]


PUBLIC: Final = Servers(
    "ws://relay.magic-wormhole.io:4000/v1", "tcp:transit.magic-wormhole.io:4001"
)
"""Those that the makers of magic-wormhole keep for everybody."""


def looks_like_code(text: str) -> bool:
    """Whether somebody who wrote this may have meant a code."""
    return bool(re.match(rf"\s*[0-9]{{1,9}}(\s*[{_HYPHENS}]|\s+)\s*[A-Za-z]", text))


def read_code(text: str) -> str:
    """The code in `text`, in small letters; raises `BadCode` with a sentence.

    Spaces do for hyphens, and so do dashes.
    """
    small = re.sub(rf"[\s{_HYPHENS}]+", "-", text.strip().lower())
    if len(small) > CODE_CHARACTERS_MAX or not _CODE.fullmatch(small):
        raise BadCode(
            "A code is a number and two words with hyphens between them, like "
            "7-hamburger-spindle."
        )
    return small


def read_servers(mailbox: str, relay: str) -> Servers:
    """The servers that two texts name; raises `BadServer` with a sentence."""
    return Servers(read_mailbox(mailbox), read_relay(relay))


def read_mailbox(text: str) -> str:
    """The URL of a mailbox server; without a path, its usual one is meant."""
    found = _URL.fullmatch(text.strip())
    if found is None or len(text) > URL_CHARACTERS_MAX:
        raise BadServer("A mailbox server reads ws://HOST:PORT/v1, or wss:// with TLS.")
    scheme, place, path = found.groups()
    usual_port = "443" if scheme.lower() == "wss" else "80"
    host = _host_and_port(place, usual_port, "mailbox server")
    return f"{scheme.lower()}://{host}{path or '/v1'}"


def read_relay(text: str) -> str:
    """A relay as `tcp:HOST:PORT`; `tcp://HOST:PORT` is the same."""
    small = text.strip().lower()
    if not small.startswith("tcp:") or len(small) > URL_CHARACTERS_MAX:
        raise BadServer("A relay reads tcp:HOST:PORT.")
    place = small.removeprefix("tcp:").removeprefix("//")
    return f"tcp:{_host_and_port(place, None, 'relay')}"


def _host_and_port(place: str, usual_port: str | None, what: str) -> str:
    has_port = re.search(r":[0-9]+$", place) is not None
    if not has_port:
        if usual_port is None:
            raise BadServer(f"The {what} needs a port, like HOST:4001.")
        place = f"{place}:{usual_port}"
    try:
        host, port = read_place(place)
    except BadAddress as bad:
        raise BadServer(f"{place} is no address of a {what}.") from bad
    return f"{bracketed(host)}:{port}"


def slot_at(now_s: float) -> int:
    """The number of the slot at a time in seconds since 1970."""
    return int(now_s // SLOT_S)


def slots_apart(waited_s: float) -> int:
    """Of how many slots one is tried by who has waited so long for the other seat.

    It is the one whose number the answer divides, so that who has waited long and who
    has just come back try the same ones. Servers are others', and nights are long.
    """
    return next((apart for up_to_s, apart in _PATIENCE if waited_s < up_to_s), 16)


def meeting_code(secret: bytes, slot: int) -> str:
    """The code by which a pair with this secret meets again in a slot: (1), (2)."""
    number = int.from_bytes(H("sc1.meet.number", secret, slot)[:10], "big")
    return f"{number}-{H('sc1.meet.word', secret, slot)[:16].hex()}"
