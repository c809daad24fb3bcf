"""Somebody who watches two bots, from the middle of their match to its end."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.end_to_end.peers import HERE, ROOT, SCOPA, Peer, until

OWN = {"schema", "seat", "hand"}
TOLD = {"deal_started", "dealt", "redealt", "played", "deal_scored", "match_won"}


def look_in(watcher: Peer, watch: str) -> None:
    """Watch, and leave before the end."""
    watcher.start("join", watch, "--watch", "--name", "Eva")
    until(lambda: "dealt" in watcher.types())
    watcher.stop()
    assert watcher.end() == 143
    left = "You do not watch any more; the match goes on without you."
    assert watcher.complained.splitlines()[-1:] == [left]


def test_who_comes_in_the_middle_sees_all_but_hands_and_its_record_audits(
    peers: tuple[Peer, Peer], seat: Callable[..., Peer], tmp_path: Path
) -> None:
    host, guest = peers
    watcher, other = seat("watcher"), seat("other")
    host.start("host", "--bot", "rules", *HERE, "--rule", "target=1")
    (invite,) = host.invites()
    # It plays its first card, and if it has to choose, the first way to play that.
    guest.start("join", invite, "--name", "Bob", stdin=subprocess.PIPE)
    assert guest.process is not None
    keys = guest.process.stdin
    assert keys is not None
    keys.write(b"1\na\n" * 3)
    keys.flush()
    until(lambda: host.types().count("played") >= 5)
    watch = str(host.told[0]["watch"])
    other.start("join", watch, "--name", "Eva", "--bot", "rules")
    assert other.end() == 4
    assert "join with --watch" in other.complained
    other.start("join", invite, "--watch", "--name", "Eva")
    assert other.end() == 4
    record = tmp_path / "seen.scopa"
    watcher.start("join", watch, "--watch", "--name", "Cy", "--record", str(record))
    until(lambda: "watched" in guest.types() and "watched" in host.types())
    look_in(other, watch)
    assert [one["names"] for one in guest.told if one["type"] == "watched"][:1] == [
        ["Cy"]
    ]
    keys.write(b"1\na\n" * 100)
    keys.flush()
    assert (host.end(), guest.end(), watcher.end()) == (0, 0, 0)
    keys.close()
    # All is over, and nobody is there any more.
    other.start("join", watch, "--watch", "--name", "Eva")
    assert other.end() == 3
    assert record.read_bytes() == host.record()
    seen = [one for one in watcher.told if one["type"] in TOLD]
    assert all(not one.get("hand") for one in seen)
    assert seen[0]["seat"] is None

    def public(peer: Peer) -> list[dict[str, object]]:
        # When cards are dealt, a watcher who catches up sees no more of an old deal.
        return [
            {key: value for key, value in one.items() if key not in OWN}
            for one in peer.told
            if one["type"] in TOLD - {"dealt"}
        ]

    assert public(watcher) == public(host)
    assert audited(record) == 0


A_GUEST_CHEATS = """
from scopa_net import cli
from scopa_net.seat import (Seat)
from tests.support.liars import BreaksARule

class Cheat(BreaksARule):
    goes_on = True

def act(seat, action, honest=Seat.act):
    seat.table.party.__class__ = Cheat
    return honest(seat, action)

Seat.act = act
cli.main()
"""


def test_who_watches_a_cheat_ends_with_five_and_holds_what_proves_it(
    peers: tuple[Peer, Peer], seat: Callable[..., Peer], tmp_path: Path
) -> None:
    host, guest = peers
    watcher = seat("watcher")
    host.start("host", "--bot", "rules", *HERE, "--name", "Ada")
    (invite,) = host.invites()
    record = tmp_path / "seen.scopa"
    watch = str(host.told[0]["watch"])
    watcher.start("join", watch, "--watch", "--name", "Cy", "--record", str(record))
    until(lambda: "watched" in host.types())
    cheats = (sys.executable, "-c", A_GUEST_CHEATS)
    guest.start("join", invite, "--name", "Bob", "--bot", "greedy", program=cheats)
    assert (watcher.end(), host.end()) == (5, 5)
    stopped = watcher.told[-1]
    assert (stopped["type"], stopped["blame"]) == ("stopped", "cheat")
    assert stopped["message"].startswith("Bob ")
    assert audited(record) == 5


def audited(record: Path) -> int:
    audit = [*SCOPA, "audit", str(record)]
    done = subprocess.run(audit, cwd=ROOT, capture_output=True, check=False)
    return done.returncode


def waits_for(peer: Peer) -> list[str]:
    told = [one["names"] for one in peer.told if one["type"] == "waiting"]
    return sorted(told[-1]) if told else []


def test_without_the_host_who_watches_follows_the_others_and_then_waits_for_all(
    seat: Callable[..., Peer], tmp_path: Path
) -> None:
    host, *guests = [seat(name) for name in ("ada", "bruno", "cleo")]
    watcher = seat("watcher")
    rules = ("--players", "3", "--rule", "target=12")
    host.start("host", "--bot", "rules", "--name", "Ada", *HERE, *rules)
    for guest, invite in zip(guests, host.invites(), strict=True):
        name = guest.name.capitalize()
        guest.start("join", invite, "--bot", "random", "--name", name)
    record = tmp_path / "seen.scopa"
    watch = str(host.told[0]["watch"])
    watcher.start("join", watch, "--watch", "--name", "Cy", "--record", str(record))
    until(lambda: "played" in watcher.types())
    host.kill()
    until(lambda: waits_for(watcher) == ["Ada"])
    until(lambda: any("watched" in guest.types() for guest in guests))
    for guest in guests:
        guest.kill()
    until(lambda: waits_for(watcher) == ["Ada", "Bruno", "Cleo"])
    watcher.stop()
    assert watcher.end() == 143
    assert watcher.types()[-1] == "left"
    assert audited(record) == 0
