"""Players who give a match up, or leave for today: real processes on the loopback."""

import os
import subprocess
from collections.abc import Callable

from protocol.audit import audit
from protocol.crypto.group import EDWARDS
from protocol.entry import Kind
from scopa_net.referee import open_match
from tests.end_to_end.peers import HERE, Peer, until


def types(peer: Peer, *lines: str) -> None:
    """A person types lines."""
    assert peer.process is not None
    assert peer.process.stdin is not None
    os.write(peer.process.stdin.fileno(), "".join(f"{one}\n" for one in lines).encode())


def ended(peer: Peer) -> int:
    """How the program of a person has ended."""
    code = peer.end()
    assert peer.process is not None
    assert peer.process.stdin is not None
    peer.process.stdin.close()
    return code


def test_a_match_is_adjourned_gone_on_with_and_given_up(
    seat: Callable[..., Peer],
) -> None:
    # F13: the bot that is left alone goes home, too, and both come back.
    host, guest, watcher = seat("ada"), seat("bob"), seat("cy")
    host.start("host", *HERE, stdin=subprocess.PIPE)
    guest.start("join", host.invites()[0], "--bot", "random")
    watcher.start("join", str(host.told[0]["watch"]), "--watch")
    until(lambda: "dealt" in host.types() and "dealt" in watcher.types())
    types(host, "adjourn", "yes")
    assert (ended(host), guest.end(), watcher.end()) == (0, 0, 0)
    # Nobody sits before it who could wait for tomorrow.
    assert "adjourned" in watcher.types()
    assert watcher.types()[-1] == "left"
    assert watcher.complained.splitlines()[-1:] == ["Nobody plays any more today."]
    assert (host.types()[-1], guest.types()[-2:]) == ("left", ["adjourned", "left"])
    assert (host.kept, guest.kept) == (True, True)
    guest.start("resume", "--bot", "random")
    host.start("resume", stdin=subprocess.PIPE)
    until(lambda: "dealt" in host.types())
    types(host, "resign", "yes")
    assert (guest.end(), ended(host)) == (0, 0)
    for peer in (host, guest):
        (won,) = (one for one in peer.told if one["type"] == "match_won")
        (quitter,) = won["resigned"]
        assert won["winner"] == 1 - quitter
    assert host.record() == guest.record()
    found = audit(host.record(), EDWARDS, open_match)
    assert found.sound
    assert found.finished
    logs = found.judge.record.logs
    kinds = {entry.kind for log in logs for entry in log.entries}
    assert kinds >= {Kind.ADJOURN, Kind.RESUMED, Kind.RESIGN}
    assert Kind.REVEAL not in kinds
