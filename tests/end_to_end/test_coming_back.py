"""Real programs that come back: from an old copy, a damaged store, after the end."""

import os
import random
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.audit import Audit, audit
from protocol.crypto.group import EDWARDS
from protocol.entry import Kind
from scopa_net.referee import open_match
from tests.end_to_end.peers import Peer, until

pytestmark = pytest.mark.skipif(
    os.name != "posix", reason="ends programs by SIGKILL, which only POSIX has"
)


SHORT = ("--rule", "target=1")

START = """
import os, sys
from threading import Timer
from scopa_net import cli
from scopa_net.app import network
from protocol.entry import Kind, read_entry
from protocol.party import Party
{changed}
sys.argv[0] = "scopa"
cli.main()
"""

REVEALS_NOTHING_AT_THE_END = """
reveals = Party._owed_reveal
def owed(self):
    return None if self.judge.course.match_over else reveals(self)
Party._owed_reveal = owed
"""

DIES_BEFORE_THE_OTHERS_LAST_WORD = """
class Dies(network.Seat):
    def receive(self, link, data):
        course = self.table.party.judge.course if self.table else None
        if course is None or not course.match_over:
            return super().receive(link, data)
        if self.table.party.seat in course.deck.verdicts:
            # What it has said itself is to reach the other first.
            Timer(0.5, os._exit, (9,)).start()
            return network.Step()
        try:
            late = read_entry(self._mesh.receive(link, data).signed).kind
        except AttributeError:
            late = None
        if late == Kind.VERDICT:
            return network.Step()
        return super().receive(link, data)

network.Seat = Dies
"""


def changed(how: str) -> tuple[str, ...]:
    """The program, with something of it made otherwise."""
    return sys.executable, "-c", START.format(changed=how)


@pytest.fixture
def playing(seat: Callable[[str], Peer]) -> tuple[Peer, Peer]:
    """A host and a guest, in the middle of a deal."""
    host, guest = seat("ada"), seat("bob")
    host.start("host", "--bot", "rules", "--listen", "127.0.0.1:0")
    (invite,) = host.invites()
    guest.start("join", invite, "--bot", "random")
    until(lambda: guest.types().count("played") > 5)
    return host, guest


def resumed_by(found: Audit, seat: int) -> int:
    entries = found.judge.record.logs[seat].entries
    return sum(entry.kind == Kind.RESUMED for entry in entries)


def both_end(host: Peer, guest: Peer) -> Audit:
    assert (guest.end(), host.end()) == (0, 0), guest.complained + host.complained
    assert host.record() == guest.record()
    found = audit(host.record(), EDWARDS, open_match)
    assert found.sound
    assert found.finished
    return found


def is_won(peer: Peer) -> bool:
    """Whether the last thing told is a deal by which somebody has won."""
    last = peer.told[-1]
    return last["type"] == "deal_scored" and len(set(last["score"])) > 1


def store_of(peer: Peer) -> Path:
    (store,) = (peer.home / "matches").glob("*.sqlite")
    return store


def test_a_program_that_was_put_back_to_an_old_copy_catches_up(
    playing: tuple[Peer, Peer], tmp_path: Path
) -> None:
    # F11, X7: what it signed after the copy was made is not signed otherwise.
    host, guest = playing
    copy = tmp_path / "copy"
    guest.kill()
    shutil.copytree(guest.home, copy)
    guest.start("resume", "--bot", "random")
    # The deal that was being played is told again from its start; the next one is new.
    until(lambda: guest.types().count("deal_started") > 1)
    guest.kill()
    shutil.rmtree(guest.home)
    shutil.copytree(copy, guest.home)
    guest.start("resume", "--bot", "random")
    found = both_end(host, guest)
    assert sum(resumed_by(found, seat) for seat in (0, 1)) >= 2


def test_a_damaged_match_goes_on_with_what_is_left_of_it(
    playing: tuple[Peer, Peer],
) -> None:
    # X41: put aside, and what is lost comes back from the others.
    host, guest = playing
    guest.kill()
    store = store_of(guest)
    wal = store.with_name(f"{store.name}-wal")
    os.truncate(wal, wal.stat().st_size * 2 // 3)
    guest.start("resume", "--bot", "random")
    both_end(host, guest)
    assert "This saved match was damaged." in guest.complained
    assert len(list((guest.home / "matches").glob("*.damaged-1"))) == 1


@pytest.mark.parametrize("seed", range(3))
def test_a_host_that_was_damaged_lets_its_guests_in_again(
    playing: tuple[Peer, Peer], seed: int
) -> None:
    host, guest = playing
    host.kill()
    store = store_of(host)
    wal = store.with_name(f"{store.name}-wal")
    kept = random.Random(seed).randrange(1, wal.stat().st_size)
    os.truncate(wal, kept)
    host.start("resume", "--bot", "rules")
    both_end(host, guest)


def test_a_result_that_is_not_confirmed_is_kept_and_said_to_be_so(
    seat: Callable[[str], Peer],
) -> None:
    # F13: the guest stops for ever before it can confirm the last play.
    host, guest = seat("ada"), seat("bob")
    host.start("host", "--bot", "rules", "--listen", "127.0.0.1:0", *SHORT)
    (invite,) = host.invites()
    stops = changed(REVEALS_NOTHING_AT_THE_END)
    guest.start("join", invite, "--bot", "random", program=stops)
    until(lambda: is_won(host) and is_won(guest))
    guest.kill()
    until(lambda: host.types()[-1] == "waiting")
    assert "match_won" not in host.types()
    host.stop()
    assert host.end() == 128 + signal.SIGTERM
    host.start("games", "list")
    assert host.end() == 0
    (match,) = host.told[-1]["matches"]
    assert (match["unfinished"], match["confirmed"]) == (True, False)
    assert match["winner"] is not None
    host.start("games", "list", as_json=False)
    assert host.end() == 0
    assert "unconfirmed" in host.said
    assert "not confirmed by every player yet" in host.said
    host.start("resume", "--bot", "rules")
    guest.start("resume", "--bot", "random")
    both_end(host, guest)


def test_who_was_killed_before_the_end_reached_it_is_told_by_who_was_not(
    seat: Callable[[str], Peer],
) -> None:
    host, guest = seat("ada"), seat("bob")
    host.start("host", "--bot", "rules", "--listen", "127.0.0.1:0", *SHORT)
    (invite,) = host.invites()
    guest.start(
        "join",
        invite,
        "--bot",
        "random",
        program=changed(DIES_BEFORE_THE_OTHERS_LAST_WORD),
    )
    assert guest.end() == 9
    assert host.end() == 0
    assert host.types()[-1] == "match_won"
    assert host.kept
    assert "For them: scopa resume" in host.complained
    match = store_of(host).stem
    host.start("resume", match, "--bot", "rules")
    guest.start("resume", "--bot", "random")
    both_end(host, guest)
    assert not host.kept
    assert not guest.kept
