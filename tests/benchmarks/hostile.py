"""What strangers who mean harm cost a match that is being played.

    python -m tests.benchmarks.hostile [--connections 200] [--seconds 20] [--json]

Real processes on the loopback: two bots that take 20 ms for a play, first left alone,
then with so many strangers at the host's door at once, each with an address of its own
(Linux gives them), who call again a second after they were dropped:

    silent     says nothing (half-open)
    slow       sends one byte of a TLS hello every half second (slowloris)
    garbage    sends bytes at random
    unfinished says its TLS hello and goes no further
    mute       does all of TLS, then says nothing
    deaf       says something false in TLS, and reads nothing of the answer
    looks      asks what table this is, as everybody may
    knocks     wants to be let in, as everybody may

The delay of a play is from when its own seat is told that it stands until the other is.
`back_s` is how long a guest then takes to come back, from the start of its program.
`kept` counts the connections that the host had not dropped after 30 s.
The strangers share the cores of the machine with both programs. The bars: 100 ms more
at p99, 64 MiB more memory of the host, and every connection dropped within 10 s.
"""

import asyncio
import json
import os
import ssl
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import click
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from protocol.crypto.knock import COMMITMENT_BYTES
from protocol.hello import Knock, Look, program_text, write_greeting
from protocol.links.frames import framed
from protocol.links.tls import certificate
from protocol.text import safe_name
from tests.benchmarks.programs import Program, programs, until

AGAIN_S: Final = 1.0
SLOW_S: Final = 0.5
GIVE_UP_S: Final = 30.0
IN_TLS: Final = {"mute", "deaf", "looks", "knocks"}
BOT = """
from time import sleep

def choose(observation):
    sleep(0.02)
    return observation.legal_actions[0]
"""
Lives: TypeAlias = dict[str, list[float]]
Figures: TypeAlias = dict[str, Any]


def measured(connections: int, seconds: float) -> Figures:
    """The figures of one match, left alone for so long and then not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with programs(folder, "tests.benchmarks.marks", "host", "guest") as both:
            host, guest = both
            port = _sit_down(folder, host, guest)
            calm = time.monotonic()
            with _memory(host) as before:
                time.sleep(seconds)
            start = time.monotonic()
            with _attacked(folder, port, connections) as strangers:
                with _memory(host) as meanwhile:
                    time.sleep(seconds)
                    seen = [guest.stop()]
                end = time.monotonic()
                back_s = _back_s(folder, host, guest)
            seen.append(host.stop())
    lives = strangers.lives
    alone = _delays_ms(seen, calm, start)
    among = _delays_ms(seen, start, end)
    longest = max(life for each in lives.values() for life in each)
    return {
        "connections": connections,
        "calls": {kind: len(each) for kind, each in lives.items()},
        "plays": [len(alone), len(among)],
        "alone_ms": _spread(alone),
        "among_ms": _spread(among),
        "added_p99_ms": round(_spread(among)["p99"] - _spread(alone)["p99"], 1),
        "added_p99_bar_ms": 100,
        "alone_added_mib": _mib(max(before) - before[0]),
        "added_mib": _mib(max(meanwhile) - meanwhile[0]),
        "added_bar_mib": 64,
        "longest_s": {kind: round(max(each), 2) for kind, each in lives.items()},
        "dropped_within_s": round(longest, 2),
        "dropped_bar_s": 10,
        "kept": strangers.kept,
        "looks_answered": strangers.shown,
        "knocks_answered": strangers.refused,
        "back_s": back_s,
    }


def _sit_down(folder: Path, host: Program, guest: Program) -> int:
    """A match that is being played; its host's port."""
    bot = folder / "slow.py"
    bot.write_text(BOT, encoding="utf-8")
    table = ("--rule", "target=999", "--no-lan", "--bot", str(bot))
    host.start("host", "--listen", "127.0.0.1:0", *table)
    until(lambda: host.told("listening"))
    invite = host.told("listening")[0]["invites"][0]
    guest.start("join", invite, "--bot", str(bot))
    until(lambda: len(guest.told("played")) > 36)
    port: int | None = urlsplit(invite).port
    assert port is not None
    return port


def _back_s(folder: Path, host: Program, guest: Program) -> float:
    """How long a guest that has left takes, from its start, until the match goes on."""
    before, start = len(host.told("played")), time.monotonic()
    guest.start("resume", "--bot", str(folder / "slow.py"))
    until(lambda: len(host.told("played")) > before + 1)
    return round(time.monotonic() - start, 1)


@contextmanager
def _memory(program: Program) -> Iterator[list[int]]:
    """The bytes that a program has in memory, again and again while the block lasts."""
    statm = Path(f"/proc/{program.pid}/statm")
    page = os.sysconf("SC_PAGE_SIZE")
    found: list[int] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            found.append(int(statm.read_text().split()[1]) * page)
            done.wait(0.1)

    looker = threading.Thread(target=look, daemon=True)
    looker.start()
    try:
        yield found
    finally:
        done.set()
        looker.join()


# -- the strangers ------------------------------------------------------------------


@contextmanager
def _attacked(folder: Path, port: int, connections: int) -> Iterator["_Strangers"]:
    """So many strangers at that port while the block lasts, and what they saw."""
    strangers = _Strangers(port, _tls(folder))
    thread = threading.Thread(
        target=lambda: asyncio.run(strangers.come(connections)), daemon=True
    )
    thread.start()
    try:
        yield strangers
    finally:
        strangers.enough.set()
        thread.join()


def _tls(folder: Path) -> ssl.SSLContext:
    """TLS with a key that nobody knows."""
    private = Ed25519PrivateKey.generate()
    pem = folder / "stranger.pem"
    key = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    pem.write_bytes(key + certificate(private).public_bytes(Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.load_cert_chain(pem)
    return context


class _Strangers:
    """Each calls, does what its kind does until it is dropped, and calls again."""

    def __init__(self, port: int, tls: ssl.SSLContext) -> None:
        self.enough = threading.Event()
        self.lives: Lives = defaultdict(list)
        self.kept = self.shown = self.refused = 0
        self._port = port
        self._tls = tls
        self._hello = _client_hello(tls)

    async def come(self, connections: int) -> None:
        kinds = (
            self._silent,
            self._slow,
            self._garbage,
            self._unfinished,
            self._mute,
            self._deaf,
            self._looks,
            self._knocks,
        )
        await asyncio.gather(
            *(
                self._call(number, kinds[number % len(kinds)])
                for number in range(connections)
            )
        )

    async def _call(self, number: int, does: Callable[..., Any]) -> None:
        """One stranger, until nobody is to call any more."""
        await asyncio.sleep(AGAIN_S * number / 200)
        kind = does.__name__.strip("_")
        local = f"127.1.{number // 250}.{1 + number % 250}", 0
        secure = self._tls if kind in IN_TLS else None
        while not self.enough.is_set():
            began = time.monotonic()
            with suppress(OSError, EOFError):
                async with asyncio.timeout(GIVE_UP_S) as patience:
                    reader, writer = await asyncio.open_connection(
                        "127.0.0.1", self._port, ssl=secure, local_addr=local
                    )
                    try:
                        await does(reader, writer)
                    finally:
                        writer.transport.abort()
            self.kept += patience.expired()
            self.lives[kind].append(time.monotonic() - began)
            await asyncio.sleep(AGAIN_S)

    # -- what each does; it comes back when the host has dropped it ---------------

    async def _silent(self, reader: asyncio.StreamReader, _: object) -> None:
        await reader.read()

    async def _slow(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        for byte in self._hello:
            writer.write(bytes([byte]))
            with suppress(TimeoutError):
                await asyncio.wait_for(reader.read(), SLOW_S)
                return

    async def _garbage(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        writer.write(os.urandom(65_536))
        await reader.read()

    async def _unfinished(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        writer.write(self._hello)
        await reader.read()

    async def _mute(self, reader: asyncio.StreamReader, _: object) -> None:
        await reader.read()

    async def _deaf(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Reads nothing; that it was dropped shows when it sends."""
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(framed(write_greeting(Look(program_text("deaf"))))[:-1])
        while not writer.transport.is_closing():
            await asyncio.sleep(0.1)
            writer.write(b"\0")

    async def _looks(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        writer.write(framed(write_greeting(Look(program_text("looks")))))
        self.shown += bool(await reader.read())

    async def _knocks(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        bound = os.urandom(COMMITMENT_BYTES)
        knock = Knock(program_text("knocks"), safe_name("Eve"), bound)
        writer.write(framed(write_greeting(knock)))
        self.refused += bool(await reader.read())


def _client_hello(tls: ssl.SSLContext) -> bytes:
    """What a TLS client says first."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    with suppress(ssl.SSLWantReadError):
        tls.wrap_bio(incoming, outgoing).do_handshake()
    return outgoing.read()


# -- what was noted -----------------------------------------------------------------


def _delays_ms(seen: Sequence[dict[str, Any]], start: float, end: float) -> list[float]:
    """How much later the second seat was told of each play between two moments."""
    of_seats = [
        [at for at, name, _ in one["events"] if name == "Played"] for one in seen
    ]
    pairs = zip(*of_seats, strict=False)
    return [1000 * abs(a - b) for a, b in pairs if start <= min(a, b) < end]


def _spread(delays_ms: Sequence[float]) -> Figures:
    ordered = sorted(delays_ms)
    p99 = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    return {
        "p50": round(median(ordered), 1),
        "p99": round(p99, 1),
        "worst": round(ordered[-1], 1),
    }


def _mib(size: int) -> float:
    return round(size / 2**20, 1)


@click.command()
@click.option("--connections", default=200, show_default=True, help="At once.")
@click.option("--seconds", default=20.0, show_default=True, help="Alone; and attacked.")
@click.option("--json", "as_json", is_flag=True)
def main(*, connections: int, seconds: float, as_json: bool) -> None:
    """What strangers who mean harm cost a match that is being played."""
    found = measured(connections, seconds)
    lines = (f"{name:<18}{one}" for name, one in found.items())
    click.echo(json.dumps(found) if as_json else "\n".join(lines))


if __name__ == "__main__":
    main()
