"""News: what seats tell each other of the way to them, beside their entries and notes.

    where   [0, scope, seat, number, port, [host ...]]
    sees    [1, scope, seat, number, [seat ...]]
    watched [2, scope, seat, number, [name ...]]

`scope` is that of the terms. A seat is to be called at `port` of any of the `hosts`,
which are numeric addresses in their one spelling; and it hears `seats` on links of its
own; and those of these `names`, which nobody has proven, follow the match there without
a seat. Of a seat's news of one kind the one with the highest number counts. Whoever
gets news passes them on, so they are signed; nothing depends on them but who calls
whom, and what is said of who is there.
"""

from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address
from typing import Any, Final, NamedTuple, cast

from protocol.codec import (
    Bytes,
    Int,
    ListOf,
    Malformed,
    OneOf,
    Text,
    decode,
    encode,
    fields,
)
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity, verify
from protocol.entry import SCOPE_BYTES, SEATS_MAX
from protocol.faults import Signed
from protocol.hello import WATCHERS_MAX

NEWS_BYTES_MAX: Final = 512
PLACES_MAX: Final = 8
"""So many addresses a seat may name."""

_NUMBER_MAX: Final = 2**32 - 1
_PORT_MAX: Final = 65_535
_ADDRESS_CHARACTERS_MAX: Final = 39
_NAME_BYTES_MAX: Final = 48
_WHERE, _SEES, _WATCHED = range(3)
_SEAT = Int(0, SEATS_MAX - 1)
_HEAD = (Bytes(SCOPE_BYTES), _SEAT, Int(0, _NUMBER_MAX))
_NEWS = OneOf(
    {
        _WHERE: fields(
            Int(_WHERE, _WHERE),
            *_HEAD,
            Int(1, _PORT_MAX),
            ListOf(Text(_ADDRESS_CHARACTERS_MAX), 0, PLACES_MAX),
        ),
        _SEES: fields(Int(_SEES, _SEES), *_HEAD, ListOf(_SEAT, 0, SEATS_MAX - 1)),
        _WATCHED: fields(
            Int(_WATCHED, _WATCHED),
            *_HEAD,
            ListOf(Text(_NAME_BYTES_MAX), 0, WATCHERS_MAX),
        ),
    }
)


class Where(NamedTuple):
    """Where a seat is to be called."""

    scope: bytes
    seat: int
    number: int
    port: int
    hosts: tuple[str, ...]


class Sees(NamedTuple):
    """Whom a seat hears on links of its own, in order."""

    scope: bytes
    seat: int
    number: int
    seats: tuple[int, ...]


class Watched(NamedTuple):
    """Who follows the match by a link to a seat; names as they came."""

    scope: bytes
    seat: int
    number: int
    names: tuple[str, ...]


News = Where | Sees | Watched
_KINDS: Final[dict[type, int]] = {Where: _WHERE, Sees: _SEES, Watched: _WATCHED}


def name_told(name: str) -> str:
    """As much of a watcher's name as news hold."""
    return name.encode()[:_NAME_BYTES_MAX].decode(errors="ignore")


def sign_news(identity: Identity, news: News) -> Signed:
    """News as they travel."""
    encoded = encode((_KINDS[type(news)], *news))
    return Signed(encoded, identity.sign(H("sc1.news", encoded)))


def read_news(signed: Signed) -> News:
    """The news in `signed`, their signature not yet checked; raises `Malformed`."""
    value = decode(signed.encoded, _NEWS, size_max=NEWS_BYTES_MAX)
    kind, *said = cast("tuple[Any, ...]", value)
    if kind == _SEES:
        sees = Sees(*said)
        if list(sees.seats) != sorted({*sees.seats} - {sees.seat}):
            raise Malformed
        return sees
    if kind == _WATCHED:
        return Watched(*said)
    where = Where(*said)
    if len(set(where.hosts)) != len(where.hosts) or not all(map(_plain, where.hosts)):
        raise Malformed
    return where


def is_told_by(signed: Signed, key: bytes) -> bool:
    """Whether the seat of that key signed these news."""
    return verify(key, H("sc1.news", signed.encoded), signed.signature)


def callable_hosts(hosts: Sequence[str], *, loopback: bool) -> tuple[str, ...]:
    """Those of the addresses that somebody told us which may be called at all (X39).

    Nobody is to make us call ourselves, a whole network, or something that only this
    machine's own programs should talk to; `loopback` is for tables that are on it.
    """
    return tuple(host for host in hosts if _is_callable(host, loopback=loopback))


def _is_callable(host: str, *, loopback: bool) -> bool:
    address = ip_address(host)
    if address.is_loopback:
        return loopback
    # An IPv6 address may stand for an IPv4 one, whatever that is.
    stands_for = isinstance(address, IPv6Address) and (
        address.ipv4_mapped or address.sixtofour or address.teredo
    )
    nowhere = host.startswith("0.") or address.is_unspecified or address.is_reserved
    # Without its zone, which is another one on each machine, it is no address.
    unfit = address.is_multicast or address.is_link_local
    return not (stands_for or nowhere or unfit)


def _plain(host: str) -> bool:
    """Whether it is a numeric address, in its one spelling and without a zone."""
    try:
        return str(ip_address(host)) == host and "%" not in host
    except ValueError:
        return False
