"""`python -m tests.support.slow_way DELAY_MS LOST_PERCENT`: a long and lossy way.

Two network interfaces, `near` and `far`: what is sent into one comes out of the other
that much later, give or take a quarter, if it is not lost. They may be moved to other
machines while it runs. It takes root and Linux; not every kernel has `tc netem`.
"""

import fcntl
import heapq
import os
import random
import select
import struct
import sys
import time
from contextlib import suppress
from typing import Final

_TUNSETIFF: Final = 0x400454CA
_IFF_TUN: Final = 0x0001
_IFF_NO_PI: Final = 0x1000
_PACKET_MAX: Final = 65536


def _interface(name: str) -> int:
    """A file that reads what is sent into a new interface, and writes what arrives."""
    file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    flags = _IFF_TUN | _IFF_NO_PI
    fcntl.ioctl(file, _TUNSETIFF, struct.pack("16sH14x", name.encode(), flags))
    return file


def _carry(delay_s: float, lost: float) -> None:
    near, far = ends = _interface("near"), _interface("far")
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    chance = random.Random(7)
    on_their_way: list[tuple[float, int, bytes]] = []
    while True:
        patience_s = on_their_way[0][0] - time.monotonic() if on_their_way else None
        wait_s = None if patience_s is None else max(0.0, patience_s)
        for end in select.select(ends, [], [], wait_s)[0]:
            packet = os.read(end, _PACKET_MAX)
            if chance.random() >= lost:
                due_s = time.monotonic() + delay_s * chance.uniform(0.75, 1.25)
                heapq.heappush(on_their_way, (due_s, near + far - end, packet))
        while on_their_way and on_their_way[0][0] <= time.monotonic():
            _, end, packet = heapq.heappop(on_their_way)
            # An interface that is not up, or not yet, takes nothing.
            with suppress(OSError):
                os.write(end, packet)


if __name__ == "__main__":
    _carry(float(sys.argv[1]) / 1000, float(sys.argv[2]) / 100)
