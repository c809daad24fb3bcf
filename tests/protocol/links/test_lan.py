"""What is announced on a LAN, and what of it is believed."""

import subprocess
import sys
from collections.abc import Iterator
from ipaddress import ip_interface
from pathlib import Path
from typing import Any

import pytest
from zeroconf.asyncio import AsyncServiceInfo

from protocol.links import lan
from protocol.links.lan import SERVICE, Find
from protocol.text import SafeText
from tests.support.namespaces import Machine, networks

ROOT = Path(__file__).resolve().parent.parent.parent.parent
OWN = "192.168.1.5/24"
NAME = f"aaaaaaaa-4000.{SERVICE}"
FAIR: dict[str | bytes, str | bytes | None] = {
    "v": "2",
    "game": "scopa",
    "free": "1",
    "pin": "aaaaaaaa",
}


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on one LAN, with both kinds of address."""
    own = (OWN, "127.0.0.1/8", "fd07::5/64", "::1/64")
    found = tuple(map(ip_interface, own))
    monkeypatch.setattr(lan, "networks", lambda: found)


def read(
    *addresses: str,
    port: int = 4000,
    properties: dict[Any, Any] | None = None,
) -> Find | None:
    info = AsyncServiceInfo(
        SERVICE,
        NAME,
        port=port,
        server="somebody.local.",
        parsed_addresses=list(addresses or ("192.168.1.9",)),
        properties=FAIR if properties is None else properties,
    )
    return lan._read(NAME, info)


@pytest.mark.usefixtures("at_home")
def test_a_fair_announcement_is_read_as_it_was_meant() -> None:
    find = read("192.168.1.9", "fd07::9")
    assert find is not None
    assert find.place.hosts == ("192.168.1.9", "fd07::9")
    assert (find.place.port, find.pin, find.version) == (4000, "aaaaaaaa", 2)
    assert (find.game, find.free) == ("scopa", 1)


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8",
        "10.0.0.1",
        "127.0.0.1",
        "0.0.0.0",
        "224.0.0.251",
        "255.255.255.255",
        "::1",
        "fe80::1",
        "2001:db8::1",
    ],
)
def test_nobody_makes_us_call_where_a_lan_does_not_reach(address: str) -> None:
    # X38, X39.
    assert read(address) is None
    mixed = read(address, "192.168.1.9")
    assert mixed is not None
    assert mixed.place.hosts == ("192.168.1.9",)


@pytest.mark.usefixtures("at_home")
def test_ten_thousand_addresses_are_eight() -> None:
    # X39.
    many = [f"192.168.1.{at}" for at in range(2, 250)]
    find = read(*many)
    assert find is not None
    assert len(find.place.hosts) == 8


@pytest.mark.usefixtures("at_home")
def test_what_is_no_place_is_left_out() -> None:
    assert read(port=0) is None


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(
    "value",
    [
        b"",
        None,
        b"\xff\xfe" * 100,
        b"\x1b]0;owned\x07",
        b"-1",
        b"9" * 240,
        "٣".encode(),
    ],
    ids=repr,
)
def test_hostile_text_does_no_harm(value: bytes | None) -> None:
    # X34, X38.
    find = read(properties={"v": value, "game": value, "free": value, "pin": value})
    assert find is not None
    assert isinstance(find.game, SafeText)
    assert find.game.isprintable()
    assert len(find.game) <= 24
    assert 0 <= find.free <= 9
    assert find.version == 0
    assert len(find.pin) <= 8


def test_where_nothing_can_be_sent_one_sentence_says_so() -> None:
    code = (
        "import asyncio\n"
        "from protocol.links.lan import *\n"
        "async def main():\n"
        "    loop = asyncio.get_running_loop()\n"
        "    nowhere = {'interfaces': ['192.0.2.1']}\n"
        "    for one in (Announcer(b'a' * 32, 9, 'scopa', 1, **nowhere),\n"
        "                Browser(b'a' * 32, print, print, **nowhere)):\n"
        "        try:\n"
        "            await one.start().asFuture(loop)\n"
        "        except NoMulticast as reason:\n"
        "            print(reason)\n"
        "        await one.close().asFuture(loop)\n"
        "asyncio.run(main())\n"
    )
    first, second = output_of(sys.executable, "-c", code).splitlines()
    assert first == second
    assert first.startswith("This network lets no program find others by itself (")
    assert first.endswith("): use an invitation or an address instead.")


# -- on a network of the test's own ----------------------------------------------

FLOOD = """
import asyncio, sys
from zeroconf import Zeroconf
from zeroconf._dns import DNSPointer, DNSService, DNSText, DNSAddress
from zeroconf._protocol.outgoing import DNSOutgoing
from zeroconf.const import _FLAGS_QR_RESPONSE, _FLAGS_AA
from protocol.links.lan import SERVICE

zeroconf = Zeroconf()
for at in range(0, 2_000, 20):
    out = DNSOutgoing(_FLAGS_QR_RESPONSE | _FLAGS_AA)
    for number in range(at, at + 20):
        name = f"{number:08}-{'x' * 40}.{SERVICE}"
        out.add_answer_at_time(DNSPointer(SERVICE, 12, 1, 4500, name), 0)
        out.add_answer_at_time(DNSService(name, 33, 1, 120, 0, 0, 9, "no.local."), 0)
        out.add_answer_at_time(DNSText(name, 16, 1, 4500, b"\\x03v=2"), 0)
    out.add_additional_answer(DNSAddress("no.local.", 1, 1, 120, bytes((10, 7, 0, 9))))
    zeroconf.send(out)
zeroconf.close()
"""
BROWSE = """
import asyncio
from protocol.links.lan import Browser

async def main():
    loop = asyncio.get_running_loop()
    found, gone = set(), []
    browser = Browser(b"o" * 32, lambda find: found.add(find.name), gone.append)
    await browser.start().asFuture(loop)
    print("listening", flush=True)
    await asyncio.sleep(3)
    print(len(found), browser.crowded)
    await browser.close().asFuture(loop)

asyncio.run(main())
"""


@pytest.fixture
def two_machines() -> Iterator[tuple[Machine, Machine]]:
    with networks() as nets:
        one, other = nets.machine("one"), nets.machine("other")
        nets.join("cable", {one: ("10.7.0.1/24",), other: ("10.7.0.9/24",)})
        yield one, other


def output_of(*words: str) -> str:
    done = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_of_thousands_of_tables_fifty_are_looked_into(
    two_machines: tuple[Machine, Machine],
) -> None:
    # X38.
    one, other = two_machines
    with subprocess.Popen(
        [*one.inside, sys.executable, "-c", BROWSE], cwd=ROOT, stdout=subprocess.PIPE
    ) as browser:
        assert browser.stdout is not None
        assert browser.stdout.readline() == b"listening\n"
        output_of(*other.inside, sys.executable, "-c", FLOOD)
        found, crowded = browser.stdout.read().decode().split()
        assert browser.wait(10) == 0
    assert 0 < int(found) <= lan.TABLES_MAX
    assert crowded == "True"
