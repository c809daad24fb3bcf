"""Tables on the same LAN, found without a server: mDNS and DNS-SD by python-zeroconf.

After Cheshire, Krochmal, "Multicast DNS" (2013, RFC 6762) and "DNS-Based Service
Discovery" (2013, RFC 6763).

What is announced is a hint and nobody's word: where a table may be, which game it may
be, how many seats may be free, and the first letters of its host's key. Anybody on the
LAN can announce anything, so of what is read the names are short, the text is safe, the
addresses are on a network of this machine, and there are 50 tables at most.

Everything here runs on the running asyncio loop, and answers with Deferreds.
"""

import asyncio
import logging
from asyncio import AbstractEventLoop, Task
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, Final, TypeAlias, TypeVar

from twisted.internet.defer import Deferred
from zeroconf import Error, InterfaceChoice, IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from protocol.entry import WIRE_VERSION
from protocol.invite import HOSTS_MAX, pin_text
from protocol.links.budget import Allowance
from protocol.links.dialing import Place
from protocol.links.endings import NoMulticast
from protocol.links.interfaces import addresses, networks
from protocol.text import SafeText, safe_text

SERVICE: Final = "_scopa-p2p._tcp.local."
TABLES_MAX: Final = 50
PIN_LETTERS: Final = 8
"""So much of a key is announced: enough to know one's own, too little to trust."""

FINDS: Final = Allowance(burst=64, per_s=4)
"""How many announcements are looked into."""

LOOK_AGAIN_S: Final = 10.0
"""How soon a change of the own addresses is noticed."""

CLOSE_S: Final = 2.0
_RESOLVE_MS: Final = 1_500
_NAME_MAX: Final = 100
_GAME_CELLS_MAX: Final = 24
_VALUE_BYTES_MAX: Final = 64
_FREE_MAX: Final = 9

# Its warnings about others' packets would be written over the screen.
logging.getLogger("zeroconf").addHandler(logging.NullHandler())
logging.getLogger("zeroconf").propagate = False

T = TypeVar("T")
Interfaces: TypeAlias = InterfaceChoice | Sequence[str]


@dataclass(frozen=True, slots=True)
class Find:
    """A table that somebody has announced, by the `name` of the announcement.

    `version` is that of the wire, 0 if it is none. `pin` is how the host's key begins,
    as an invitation spells it.
    """

    name: str
    place: Place
    pin: str
    version: int
    game: SafeText
    free: int


class Announcer:
    """Tells the LAN of one table, until it is closed.

    `addresses` are asked for again and again; a change of them is announced.
    """

    def __init__(
        self,
        key: bytes,
        port: int,
        game: str,
        free: int,
        *,
        interfaces: Interfaces = InterfaceChoice.All,
    ) -> None:
        self._pin = pin_text(key)[:PIN_LETTERS]
        self._port = port
        self._game = game
        self._free = free
        self._interfaces = interfaces
        self._name = f"{self._pin}-{port}"
        self._server = f"scopa-{self._name}.local."
        self._addresses: tuple[str, ...] = ()
        self._net: AsyncZeroconf | None = None
        self._watching: Task[None] | None = None
        self._closed = False

    def start(self) -> "Deferred[None]":
        """Announce the table; fails with `NoMulticast`."""
        return _deferred(self._start())

    def tell(self, free: int) -> None:
        """So many seats are free now."""
        if free != self._free:
            self._free = free
            if self._net is not None:
                _deferred(self._update()).addErrback(lambda _: None)

    def close(self) -> "Deferred[None]":
        """Take the announcement back; fires soon, whatever the network does."""
        self._closed = True
        if self._watching is not None:
            self._watching.cancel()
        net, self._net = self._net, None
        return _deferred(_close(net))

    async def _start(self) -> None:
        self._addresses = _announced()
        net = _open(self._interfaces)
        try:
            info = self._info()
            # The call answers with what ends when all is announced.
            await (await net.async_register_service(info, allow_name_change=True))
            self._name = info.get_name()
        except (OSError, Error) as reason:
            await _close(net)
            raise NoMulticast(_sentence(reason)) from reason
        if self._closed:
            await _close(net)
            return
        self._net = net
        self._watching = asyncio.ensure_future(self._watch())

    def _info(self) -> AsyncServiceInfo:
        return AsyncServiceInfo(
            SERVICE,
            f"{self._name}.{SERVICE}",
            port=self._port,
            server=self._server,
            parsed_addresses=list(self._addresses),
            properties={
                "v": str(WIRE_VERSION),
                "game": self._game,
                "free": str(self._free),
                "pin": self._pin,
            },
        )

    async def _watch(self) -> None:
        """Announce anew when the addresses of this machine have changed."""
        while True:
            await asyncio.sleep(LOOK_AGAIN_S)
            now = _announced()
            if now == self._addresses or self._net is None:
                continue
            self._addresses = now
            with suppress(OSError, RuntimeError, Error):
                await self._net.async_update_interfaces()
            await self._update()

    async def _update(self) -> None:
        if self._net is not None:
            with suppress(OSError, Error):
                await (await self._net.async_update_service(self._info()))


class Browser:
    """Knows what tables are announced on the LAN; tells of each by `on_find`.

    One that changes is told of again, and `on_gone` has the name of one that is taken
    back. Those whose host's key begins as `own` are left out.
    """

    def __init__(
        self,
        own: bytes,
        on_find: Callable[[Find], None],
        on_gone: Callable[[str], None],
        *,
        interfaces: Interfaces = InterfaceChoice.All,
    ) -> None:
        self.crowded = False
        """Whether there was more than is looked into."""
        self._own = pin_text(own)[:PIN_LETTERS]
        self._on_find = on_find
        self._on_gone = on_gone
        self._interfaces = interfaces
        self._loop: AbstractEventLoop | None = None
        self._net: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._names: set[str] = set()
        self._tasks: set[Task[None]] = set()
        self._budget = FINDS.full(0)

    def start(self) -> "Deferred[None]":
        """Begin to listen and to ask; fails with `NoMulticast`."""
        return _deferred(self._start())

    def close(self) -> "Deferred[None]":
        """Listen no more."""
        for task in self._tasks:
            task.cancel()
        return _deferred(self._close())

    def drop(self, name: str) -> None:
        """Make room for another; this one is told of again when it changes."""
        self._names.discard(name)

    async def _start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._budget = FINDS.full(self._loop.time())
        self._net = _open(self._interfaces)
        self._browser = AsyncServiceBrowser(
            self._net.zeroconf, SERVICE, handlers=[self._changed]
        )

    async def _close(self) -> None:
        net, self._net = self._net, None
        if self._browser is not None:
            await self._browser.async_cancel()
        await _close(net)

    def _changed(
        self,
        zeroconf: Zeroconf,
        service_type: str,
        name: str,
        state_change: ServiceStateChange,
    ) -> None:
        assert self._loop is not None
        if state_change is ServiceStateChange.Removed:
            if name in self._names:
                self._names.discard(name)
                self._on_gone(name)
            return
        budget = self._budget.less(1, self._loop.time())
        full = len(self._names) >= TABLES_MAX and name not in self._names
        if full or budget.spent or len(name) > _NAME_MAX:
            self.crowded = True
            return
        self._budget = budget
        self._names.add(name)
        task = self._loop.create_task(self._resolve(name))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _resolve(self, name: str) -> None:
        """Find out where and what it is."""
        if self._net is None:
            return
        try:
            info = AsyncServiceInfo(SERVICE, name)
            there = await info.async_request(self._net.zeroconf, _RESOLVE_MS)
        except (OSError, Error, ValueError):
            there = False
        find = _read(name, info) if there else None
        if find is None or find.pin == self._own:
            self._names.discard(name)
        elif name in self._names:
            self._on_find(find)


def begins_as(find: Find, key: bytes) -> bool:
    """Whether it may be the table of the host with this key."""
    return find.pin == pin_text(key)[:PIN_LETTERS]


def _announced() -> tuple[str, ...]:
    """Where others are to look; a machine that is alone can still find itself."""
    return addresses()[:HOSTS_MAX] or ("127.0.0.1",)


def _read(name: str, info: AsyncServiceInfo) -> Find | None:
    """What an announcement says, if it can be true."""
    near = networks()
    away = [one for one in near if not one.ip.is_loopback]
    hosts = [
        str(found)
        for found in map(ip_address, info.parsed_addresses())
        if _reachable(found) and any(found in one.network for one in away or near)
    ]
    if not hosts or not info.port:
        return None
    version, free = _number(info, b"v"), _number(info, b"free")
    return Find(
        name,
        Place(tuple(dict.fromkeys(hosts))[:HOSTS_MAX], info.port),
        str(_text(info, b"pin", PIN_LETTERS)),
        version,
        _text(info, b"game", _GAME_CELLS_MAX),
        min(free, _FREE_MAX),
    )


def _reachable(address: IPv4Address | IPv6Address) -> bool:
    return not (
        address.is_unspecified
        or address.is_multicast
        or (address.version == 6 and address.is_link_local)
    )


def _text(info: AsyncServiceInfo, key: bytes, cells_max: int) -> SafeText:
    value = info.properties.get(key) or b""
    text = value[:_VALUE_BYTES_MAX].decode(errors="replace")
    return safe_text(text, cells_max=cells_max)


def _number(info: AsyncServiceInfo, key: bytes) -> int:
    """A small number, or 0 for what is none."""
    value = info.properties.get(key) or b""
    return int(value) if len(value) <= 5 and value.isdigit() else 0


def _open(interfaces: Interfaces) -> AsyncZeroconf:
    """Sockets on these interfaces; of IPv4 alone where there is no IPv6.

    Raises `NoMulticast`.
    """
    version = IPVersion.All if interfaces is InterfaceChoice.All else None
    try:
        return AsyncZeroconf(interfaces=interfaces, ip_version=version)
    except (OSError, RuntimeError):
        try:
            return AsyncZeroconf(interfaces=interfaces, ip_version=IPVersion.V4Only)
        except (OSError, RuntimeError) as reason:
            raise NoMulticast(_sentence(reason)) from reason


async def _close(net: AsyncZeroconf | None) -> None:
    """Say goodbye and let go, as far as that goes in time."""
    if net is not None:
        with suppress(OSError, Error, TimeoutError):
            await asyncio.wait_for(net.async_close(), CLOSE_S)


def _deferred(coroutine: Coroutine[Any, Any, T]) -> "Deferred[T]":
    return Deferred.fromFuture(asyncio.ensure_future(coroutine))


def _sentence(reason: Exception) -> str:
    told = reason.strerror if isinstance(reason, OSError) else str(reason)
    return (
        "This network lets no program find others by itself "
        f"({safe_text(told or type(reason).__name__, cells_max=80)}): "
        "use an invitation or an address instead."
    )
