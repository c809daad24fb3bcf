"""`python -m tests.end_to_end.behind_a_wall PORTS GATE ...`: scopa from behind a wall.

It calls these ports, and others only once there is a file GATE. Everywhere else it
meets what a machine meets behind a router that lets nothing through, though the machine
that it calls is itself.
"""

import errno
import socket
import sys
from pathlib import Path

from scopa_net.cli import main


class Walled(socket.socket):
    """A socket of a machine from which few others can be reached."""

    def connect_ex(self, address: tuple[str, int], /) -> int:  # type: ignore[override]
        if str(address[1]) in OPEN or GATE.exists():
            return super().connect_ex(address)
        return errno.EHOSTUNREACH


OPEN, GATE = sys.argv.pop(1).split(","), Path(sys.argv.pop(1))
socket.socket = Walled  # type: ignore[misc]
main()
