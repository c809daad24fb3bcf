"""`scopa host`, `join` and `resume` as real processes on the loopback."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import cast

import pytest

from protocol.audit import Audit, audit
from protocol.crypto.group import EDWARDS
from protocol.crypto.identity import Identity
from protocol.hello import Refusal
from protocol.invite import Invite
from scopa_net.referee import Referee, open_match
from scopa_net.rules import Play, format_action
from tests.end_to_end.peers import HERE, Peer, objects, sit_down, until

KILLS = int(os.environ.get("SCOPA_TEST_KILLS", "6"))
"""How often a player is killed; the longer proof is the same with 50."""


def finished(peer: Peer) -> Audit:
    found = audit(peer.record(), EDWARDS, open_match)
    assert found.sound
    assert found.finished
    return found


def test_two_programs_play_a_match_and_hold_the_same_record(
    peers: tuple[Peer, Peer],
) -> None:
    host, guest = peers
    sit_down(host, guest, "--rule", "target=3")
    assert (guest.end(), host.end()) == (0, 0)
    assert host.types()[0] == "listening"
    assert (host.types()[-1], guest.types()[-1]) == ("match_won", "match_won")
    assert host.told[-1] == guest.told[-1]
    assert host.record() == guest.record()
    assert finished(host).judge.course.match_over
    assert not list((host.home / "matches").glob("*.sqlite"))
    assert (host.complained, guest.complained) == ("", "")


def test_three_programs_play_a_match(seat: Callable[..., Peer]) -> None:
    host, *guests = map(seat, ("ada", "bob", "cleo"))
    words = ("--players", "3", "--rule", "target=2")
    host.start("host", "--bot", "rules", *HERE, *words)
    for guest, invite in zip(guests, host.invites(), strict=True):
        guest.start("join", invite, "--bot", "random")
    assert [peer.end() for peer in (host, *guests)] == [0, 0, 0]
    assert len({peer.record() for peer in (host, *guests)}) == 1
    finished(host)


@pytest.mark.parametrize(
    ("players", "words"),
    [
        ("4", ("--variant", "scopone-9", "--rule", "target=1")),
        ("6", ("--rule", "target=1")),
    ],
)
def test_teams_of_programs_play_a_match(
    players: str, words: Sequence[str], seat: Callable[..., Peer]
) -> None:
    names = ("ada", "bob", "cleo", "dan", "eve", "fay")[: int(players)]
    host, *guests = map(seat, names)
    host.start("host", "--bot", "rules", *HERE, "--players", players, *words)
    for guest, invite in zip(guests, host.invites(), strict=True):
        guest.start("join", invite, "--bot", "random")
    everybody = (host, *guests)
    assert {peer.end() for peer in everybody} == {0}
    assert {peer.types()[-1] for peer in everybody} == {"match_won"}
    assert len({peer.record() for peer in everybody}) == 1
    found = finished(host)
    assert found.terms.seats == int(players)
    assert found.judge.course.match_over


# -- killed -------------------------------------------------------------------------


def plays_told(run: Path) -> dict[int, list[str]]:
    """What a program told of each deal, from the deal's start."""
    told: dict[int, list[str]] = {}
    deal = -1
    for one in objects(run):
        if one["type"] == "deal_started":
            deal = one["deal"]
            told[deal] = []
        elif one["type"] == "played":
            told[deal].append(one["action"].removesuffix("#"))
    return told


def plays_kept(found: Audit) -> dict[int, list[str]]:
    kept: dict[int, list[str]] = {}
    for deck in found.judge.decks:
        last = cast("Referee", deck.games[-1])
        plays = [each for each in last.deal.actions if isinstance(each, Play)]
        kept[last.match.deal_number] = [format_action(play) for play in plays]
    return kept


def nothing_lost(*both: Peer) -> None:
    """Every play that either side ever showed is in the record, in its place."""
    first, second = both
    assert first.record() == second.record()
    kept = plays_kept(finished(first))
    for run in (*first.runs, *second.runs):
        for deal, plays in plays_told(run).items():
            assert plays == kept[deal][: len(plays)]


def kill_and_go_on(victims: tuple[Peer, ...], luck: random.Random, invite: str) -> int:
    """Kill these at some moment, mostly while cards are played; how many were.

    A guest goes on by its invitation too.
    """
    if luck.random() < 0.8:
        until(lambda: all("dealt" in one.types() or one.over for one in victims))
    time.sleep(luck.uniform(0.0, 0.5))
    living = [one for one in victims if one.running]
    for victim in living:
        victim.kill()
    for victim in living:
        again = victim.name == "bob" and luck.random() < 0.5
        if not victim.over:
            words = ("join", invite) if again else ("resume",)
            victim.start(*words, "--bot", "random")
    return len(living)


def test_a_match_survives_sigkills_at_any_moment(
    seat: Callable[..., Peer], tmp_path: Path
) -> None:
    luck = random.Random(KILLS)
    kills = matches = 0
    while kills < KILLS:
        folder = tmp_path / str(matches)
        folder.mkdir()
        host, guest = seat("ada", folder), seat("bob", folder)
        invite = sit_down(host, guest)
        until(lambda guest=guest: guest.kept)  # type: ignore[misc]
        while kills < KILLS and not (host.over or guest.over):
            victims = luck.choice([(host,), (guest,), (host, guest), (guest, host)])
            kills += kill_and_go_on(victims, luck, invite)
        for peer in (host, guest):
            assert peer.end() in {0, -signal.SIGKILL}, peer.complained
        nothing_lost(host, guest)
        matches += 1


# -- bad input ----------------------------------------------------------------------


def refused(peer: Peer, *words: str) -> tuple[int, str]:
    """The exit code and the one sentence of a program that cannot play."""
    peer.start(*words)
    code = peer.end()
    assert "Traceback" not in peer.complained
    (error,) = [one for one in peer.told if one["type"] == "error"]
    assert peer.complained == f"Error: {error['message']}\n"
    assert error["code"] == code
    return code, str(error["message"])


def plays_on(host: Peer, guest: Peer, invite: Invite) -> None:
    """The right guest comes after all, and the match is played."""
    guest.start("join", str(invite), "--bot", "random")
    assert (guest.end(), host.end()) == (0, 0)
    assert host.record() == guest.record()


def test_an_invitation_must_be_right(waiting_host: tuple[Peer, Peer, Invite]) -> None:
    host, guest, invite = waiting_host
    pin = replace(invite, pin=Identity(bytes(32)).key)
    code, sentence = refused(guest, "join", str(pin), "--bot", "random")
    assert (code, "is not the one that made this invitation" in sentence) == (4, True)
    ticket = replace(invite, ticket=bytes(16))
    code, sentence = refused(guest, "join", str(ticket), "--bot", "random")
    assert (code, sentence) == (4, Refusal.WRONG_TICKET.sentence)
    code, sentence = refused(guest, "join", str(invite)[:-3], "--bot", "random")
    assert (code, "ticket" in sentence) == (2, True)
    code, sentence = refused(other_of(host), "join", str(invite), "--bot", "random")
    assert (code, "your own" in sentence) == (4, True)
    plays_on(host, guest, invite)


def other_of(peer: Peer) -> Peer:
    """Another program with the same folder."""
    other = Peer(peer.home.parent, "other")
    other.home = peer.home
    return other


def test_an_invitation_serves_one_player(seat: Callable[..., Peer]) -> None:
    host, guest, late = map(seat, ("ada", "bob", "cleo"))
    host.start("host", "--bot", "rules", *HERE, "--players", "3", "--rule", "target=1")
    first, second = host.invites()
    guest.start("join", first, "--bot", "random")
    until(lambda: "sqlite" in "".join(map(str, guest.home.rglob("*"))))
    code, sentence = refused(late, "join", first, "--bot", "random")
    assert (code, sentence) == (4, Refusal.USED_TICKET.sentence)
    late.start("join", second, "--bot", "random")
    assert [peer.end() for peer in (host, guest, late)] == [0, 0, 0]


def test_nobody_to_reach_and_nowhere_to_listen(
    waiting_host: tuple[Peer, Peer, Invite],
) -> None:
    host, guest, invite = waiting_host
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        nobody = replace(invite, port=port)
        code, sentence = refused(guest, "join", str(nobody), "--bot", "random")
        assert (code, sentence) == (
            3,
            f"Nobody listens at 127.0.0.1:{port}: is the host still there?",
        )
    where = f"127.0.0.1:{invite.port}"
    code, sentence = refused(guest, "host", "--bot", "rules", "--listen", where)
    assert (code, f"port {invite.port} already" in sentence) == (3, True)
    assert not list((guest.home / "matches").glob("*.sqlite"))
    plays_on(host, guest, invite)


ASKS_A_SILENT_NAME_SERVER = """
import socket, sys, time
from scopa_net import cli
def asks(*words, **named):
    print("It is asked.", file=sys.stderr, flush=True)
    time.sleep(600)
socket.getaddrinfo = asks
sys.argv[0] = "scopa"
cli.main()
"""


def test_a_name_server_that_is_silent_keeps_nobody(
    waiting_host: tuple[Peer, Peer, Invite],
) -> None:
    _, guest, invite = waiting_host
    elsewhere = str(invite).replace("127.0.0.1", "slow.example")
    silent = (sys.executable, "-c", ASKS_A_SILENT_NAME_SERVER)
    guest.start("join", elsewhere, "--bot", "random", program=silent)
    until(lambda: "It is asked." in guest.complained)
    guest.stop()
    assert guest.end() == 143, "it waited for the name server"


def test_strangers_do_a_host_no_harm(waiting_host: tuple[Peer, Peer, Invite]) -> None:
    host, guest, invite = waiting_host
    for noise in (b"GET / HTTP/1.1\r\n\r\n", bytes(70_000), b"\xff" * 70_000, b""):
        with socket.create_connection(("127.0.0.1", invite.port)) as stranger:
            with suppress(OSError):
                stranger.sendall(noise)
            stranger.settimeout(0.5)
            with suppress(OSError):
                stranger.recv(1024)
    plays_on(host, guest, invite)
    assert host.complained == ""


FOREIGN_HOST = """
import sys
from dataclasses import replace
from scopa_net.app import meeting
import protocol.hello, protocol.links.listening as listening

what = sys.argv.pop(1)
if what == "rules":
    def hello(*words):
        made = protocol.hello.HostHello(*words)
        return replace(made, rules=(*made.rules, "wild_cards=two"))
    meeting.HostHello = hello
else:
    write = listening.write_greeting
    def other(greeting):
        protocol.hello.WIRE_VERSION = 7
        return write(greeting)
    listening.write_greeting = other
from scopa_net import cli
sys.argv[0] = "scopa"
cli.main()
"""


@pytest.mark.parametrize(
    ("what", "said"), [("rules", "wild_cards"), ("version", "speaks version 7")]
)
def test_a_host_of_another_kind_is_told_apart(
    what: str, said: str, peers: tuple[Peer, Peer]
) -> None:
    host, guest = peers
    foreign = (sys.executable, "-c", FOREIGN_HOST, what)
    host.start("host", "--bot", "rules", *HERE, program=foreign)
    (invite,) = host.invites()
    code, sentence = refused(guest, "join", invite, "--bot", "random")
    assert (code, said in sentence) == (4, True), sentence
    assert not list(guest.home.rglob("*.sqlite"))


def test_who_asks_for_another_game_is_shown_the_difference_and_does_not_sit_down(
    waiting_host: tuple[Peer, Peer, Invite],
) -> None:
    _, guest, invite = waiting_host
    words = ("join", str(invite), "--bot", "random", "--rule", "target=21")
    code, sentence = refused(guest, *words, "--rule", "sum_choice=fewest")
    assert code == 4
    assert "sum_choice free there, fewest here; target 1 there, 21 here." in sentence
    code, sentence = refused(guest, *words[:4], "--variant", "escoba")
    assert (code, "variant scopa there, escoba here" in sentence) == (4, True)
    assert not list(guest.home.rglob("*.sqlite"))
    plays_on(*waiting_host)


PROPOSES_OTHER_RULES = """
import sys
from scopa_net import cli, gathering
gather = gathering.gather_terms
def other(game, positions, suite, rules, joins):
    rules = [line.replace("sum_choice=free", "sum_choice=fewest") for line in rules]
    return gather(game, positions, suite, rules, joins)
gathering.gather_terms = other
sys.argv[0] = "scopa"
cli.main()
"""


def test_a_host_that_proposes_other_rules_than_it_told_is_left(
    peers: tuple[Peer, Peer],
) -> None:
    host, guest = peers
    other = (sys.executable, "-c", PROPOSES_OTHER_RULES)
    host.start("host", "--bot", "rules", *HERE, program=other)
    (invite,) = host.invites()
    code, sentence = refused(guest, "join", invite, "--bot", "random")
    assert (code, sentence) == (
        4,
        "The host proposes other rules than it had told: "
        "sum_choice fewest there, free here.",
    )
    assert not list(guest.home.rglob("*.sqlite"))


def test_what_a_guest_had_kept_is_not_deleted_because_its_host_proposes_other_rules(
    seat: Callable[..., Peer],
) -> None:
    host, guest, late = map(seat, ("ada", "bob", "cleo"))
    host.start("host", "--bot", "rules", *HERE, "--players", "3")
    first, second = host.invites()
    guest.start("join", first, "--bot", "random")
    until(lambda: guest.kept)
    for peer in (host, guest):
        peer.kill()
    other = (sys.executable, "-c", PROPOSES_OTHER_RULES)
    host.start("resume", "--bot", "rules", program=other)
    host.invites()
    guest.start("join", first, "--bot", "random")
    late.start("join", second, "--bot", "random")
    assert guest.end() == 4
    assert guest.kept


def test_a_match_is_open_in_one_program_only(
    waiting_host: tuple[Peer, Peer, Invite],
) -> None:
    host, guest, invite = waiting_host
    guest.start("join", str(invite), stdin=subprocess.PIPE)
    until(lambda: "Which card?" in guest.complained)
    process = guest.process
    assert process is not None
    for words in (["resume"], ["join", str(invite)]):
        code, sentence = refused(other_of(guest), *words, "--bot", "random")
        assert (code, sentence) == (
            4,
            f"This match is open in another window (process {process.pid}).",
        )
    process.communicate(b"1\na\n" * 99, timeout=60)
    assert (process.returncode, host.end()) == (0, 0)
    assert guest.types()[-1] == "match_won"
    nothing_lost(host, guest)


def test_a_match_of_which_nothing_is_left_is_not_gone_on_with(
    peers: tuple[Peer, Peer],
) -> None:
    host, guest = peers
    sit_down(host, guest)
    until(lambda: guest.types().count("played") > 5)
    guest.kill()
    (store,) = (guest.home / "matches").glob("*.sqlite")
    for part in (store, store.with_name(f"{store.name}-wal")):
        data = bytearray(part.read_bytes())
        data[200::97] = bytes(len(data[200::97]))
        part.write_bytes(bytes(data))
    code, sentence = refused(guest, "resume", "--bot", "random")
    assert (code, sentence.startswith("Too little of this saved match")) == (1, True)


def test_there_may_be_nothing_to_go_on_with(peers: tuple[Peer, Peer]) -> None:
    code, sentence = refused(peers[0], "resume", "--bot", "random")
    assert (code, sentence.startswith("There is no unfinished match")) == (6, True)
    code, sentence = refused(peers[0], "resume", "abcdef", "--bot", "random")
    assert (code, sentence) == (6, "There is no match with that ID.")


A_GUEST_LIES = """
import sys
from scopa_net import cli
from scopa_net.app import network
from scopa_net.seat import (Seat)
from tests.support.liars import BreaksARule

class Cheat(BreaksARule):
    goes_on = True

class CheatsSeat(Seat):
    def act(self, action):
        self.table.party.__class__ = Cheat
        return super().act(action)

network.Seat = CheatsSeat
sys.argv[0] = "scopa"
cli.main()
"""


def test_a_guest_that_lies_is_named_and_the_proof_is_kept(
    waiting_host: tuple[Peer, Peer, Invite],
) -> None:
    host, guest, invite = waiting_host
    liar = (sys.executable, "-c", A_GUEST_LIES)
    guest.start("join", str(invite), "--bot", "random", program=liar)
    assert (host.end(), host.complained) == (5, "")
    last = host.told[-1]
    assert (last["type"], last["blame"]) == ("stopped", "cheat")
    assert str(last["message"]).startswith("random ")
    assert not audit(host.record(), EDWARDS, open_match).sound


# -- cut off ------------------------------------------------------------------------


class Proxy:
    """Stands between a guest and its host, and cuts what runs through it."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._door = socket.create_server(("127.0.0.1", 0))
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._threads = [Thread(target=self._run)]
        self.port = self._door.getsockname()[1]
        self._threads[0].start()

    def cut(self) -> int:
        """Cut every connection; how many there were."""
        pairs, self._pairs = self._pairs, []
        for pair in pairs:
            shut(*pair)
        return len(pairs)

    def close(self) -> None:
        shut(self._door)
        self.cut()
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        with suppress(OSError), self._door:
            while True:
                near, _ = self._door.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
                self._pairs.append((near, far))
                self._threads.append(Thread(target=carry, args=(near, far)))
                self._threads[-1].start()


def carry(near: socket.socket, far: socket.socket) -> None:
    with near, far:
        back = Thread(target=pass_on, args=(far, near))
        back.start()
        pass_on(near, far)
        back.join()


def pass_on(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            sink.sendall(data)
    shut(source, sink)


def shut(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def test_a_link_that_is_cut_heals_by_itself(
    waiting_host: tuple[Peer, Peer, Invite],
) -> None:
    host, guest, invite = waiting_host
    proxy = Proxy(invite.port)
    try:
        guest.start("join", str(replace(invite, port=proxy.port)), "--bot", "random")
        for plays in (1, 12):
            until(lambda plays=plays: guest.types().count("played") >= plays)  # type: ignore[misc]
            assert proxy.cut() == 1
        assert (guest.end(), host.end()) == (0, 0)
    finally:
        proxy.close()
    nothing_lost(host, guest)


def test_people_are_told_whom_they_wait_for_and_how_to_go_on(
    peers: tuple[Peer, Peer],
) -> None:
    host, guest = peers
    host.start("host", "--bot", "rules", *HERE, "--rule", "target=3", as_json=False)
    until(lambda: "Waiting for 1 more player." in host.said)
    lines = [line for line in host.said.splitlines() if "scopa://" in line]
    line, watching = lines
    assert watching.startswith("Whoever watches only: scopa join scopa://")
    assert "Nobody is let in who only knocks" in host.said
    guest.start(*line.split()[1:], "--bot", "random")
    until(lambda: "dealt" in guest.types())
    guest.kill()
    until(lambda: "Waiting for random (bot)." in host.said)
    host.stop()
    assert host.end() == 143
    assert "The match was left before its end." in host.said
    (kept,) = [line for line in host.said.splitlines() if "It is kept" in line]
    again = kept.removeprefix("It is kept: scopa ")
    assert again.endswith(" --bot rules")
    host.start(*again.split(), as_json=False)
    guest.start("join", line.split()[2], "--bot", "random")
    assert (guest.end(), host.end()) == (0, 0)
    assert "It stands at you 0, random (bot) 0 after no deals." in host.said
    assert "wins the match" in host.said
    assert host.record() == guest.record()


def test_who_leaves_before_a_seat_is_given_reads_that_it_has_not_sat_down(
    seat: Callable[..., Peer],
) -> None:
    knocks = seat("knocks")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        knocks.start("join", f"127.0.0.1:{port}")
        caller, _ = silent.accept()
        with caller:
            knocks.stop()
            assert knocks.end() == 143
    assert knocks.complained.splitlines() == ["You have not sat down."]
