"""Somebody who watches two bots, from the middle of their match to its end."""

import subprocess
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
    audit = [*SCOPA, "audit", str(record)]
    audited = subprocess.run(audit, cwd=ROOT, capture_output=True, check=False)
    assert audited.returncode == 0
