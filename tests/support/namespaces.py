"""Machines of a test's own: network namespaces, joined by bridges, behind routers.

Only what a test makes is reached from them; nothing leads out. It takes root and the
programs `ip` and `nft`. Where something is missing the tests that need it are skipped
with that reason, or fail with it where `SCOPA_NAMESPACES=required` says that nothing
may be skipped, as `.ci/run` does.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import pytest

REQUIRED = "SCOPA_NAMESPACES"


def missing() -> str | None:
    """Why no namespaces can be made here; None if they can."""
    if not sys.platform.startswith("linux"):
        return "network namespaces are Linux's"
    if os.geteuid() != 0:
        return "only root makes network namespaces"
    for program, package in (("ip", "iproute2"), ("nft", "nftables")):
        if shutil.which(program) is None:
            return f"there is no program `{program}` (Debian's package {package})"
    name = f"scopa-{os.getpid()}-try"
    tried = subprocess.run(
        ["ip", "netns", "add", name], capture_output=True, text=True, check=False
    )
    if tried.returncode:
        return f"this machine allows no namespaces: {tried.stderr.strip()}"
    _run("ip", "netns", "del", name)
    return None


def _run(*words: str, given: str | None = None) -> str:
    done = subprocess.run(
        words, input=given, capture_output=True, text=True, check=False, timeout=20
    )
    assert done.returncode == 0, f"{' '.join(words)}: {done.stderr}"
    return done.stdout


class Machine:
    """One machine; `word` begins every command that is to run on it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.inside = ("ip", "netns", "exec", name)
        self._interfaces = count()

    def run(self, *words: str, given: str | None = None) -> str:
        """What a command prints there; it must not fail."""
        return _run(*self.inside, *words, given=given)

    def ip(self, *commands: str) -> None:
        """Several commands of `ip` at once."""
        _run("ip", "-netns", self.name, "-batch", "-", given="\n".join(commands))

    def filter(self, rules: str) -> None:
        """More rules, in the language of `nft`."""
        self.run("nft", "-f", "-", given=rules)

    def forward(self) -> None:
        """Be a router."""
        for path in ("ipv4/ip_forward", "ipv6/conf/all/forwarding"):
            self.run("sh", "-c", f"echo 1 > /proc/sys/net/{path}")

    def masquerade(self, outside: str) -> None:
        """Be a home router: who is inside goes out by this interface, and none comes.

        Which port a connection has outside is drawn anew for each.
        """
        self.forward()
        self.filter(
            f"""
            table ip home {{
              chain out {{
                type nat hook postrouting priority srcnat;
                oifname "{outside}" masquerade random
              }}
              chain through {{
                type filter hook forward priority filter; policy drop;
                ct state established,related accept
                oifname "{outside}" accept
              }}
              chain to_me {{
                type filter hook input priority filter; policy accept;
                iifname "{outside}" ct state new drop
              }}
            }}"""
        )

    def next_interface(self) -> str:
        """A name for one more."""
        return f"eth{next(self._interfaces)}"


class Networks:
    """The machines of one test and what joins them."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._wires = count()

    def machine(self, name: str) -> Machine:
        """One more machine, with nothing but its loopback."""
        full = f"scopa-{os.getpid()}-{name}"
        _run("ip", "netns", "add", full)
        self._names.append(full)
        made = Machine(full)
        # Addresses that wait to see whether others have them would cost a second.
        made.run("sh", "-c", "echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad")
        made.ip("link set lo up")
        return made

    def join(self, name: str, members: dict[Machine, tuple[str, ...]]) -> Machine:
        """Put machines on one cable, with these addresses and prefixes; the cable."""
        bridge = self.machine(name)
        bridge.ip("link add name cable type bridge", "link set cable up")
        for machine, addresses in members.items():
            self.plug(bridge, machine, addresses)
        return bridge

    def plug(
        self, bridge: Machine, machine: Machine, addresses: tuple[str, ...]
    ) -> str:
        """Put one more on a cable that there is; its interface."""
        port, inner = f"p{next(self._wires)}", machine.next_interface()
        bridge.ip(
            f"link add name {port} type veth peer name {inner} netns {machine.name}",
            f"link set {port} master cable up",
        )
        machine.ip(
            f"link set {inner} up",
            *(
                f"address add {address} dev {inner}{' nodad' * (':' in address)}"
                for address in addresses
            ),
        )
        return inner

    def close(self) -> None:
        """Nothing is left of them."""
        for name in self._names:
            _run("ip", "netns", "del", name)


@contextmanager
def networks() -> Iterator[Networks]:
    """Networks for one test; skips it, or fails, where there can be none."""
    reason = missing()
    if reason is not None:
        if os.environ.get(REQUIRED) == "required":
            pytest.fail(f"Network namespaces are required here, but {reason}.")
        pytest.skip(f"needs network namespaces, but {reason}")
    made = Networks()
    try:
        yield made
    finally:
        made.close()
