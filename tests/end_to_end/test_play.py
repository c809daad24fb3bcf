"""`scopa play` as real processes."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from protocol.audit import audit
from protocol.crypto.group import EDWARDS
from scopa_net.referee import open_match
from tests.bots.test_plugin import ROGUE, gone
from tests.end_to_end.peers import until

ROOT = Path(__file__).resolve().parent.parent.parent
PLAY = [sys.executable, "-m", "scopa_net", "play"]
ONE_DEAL = ("--rule", "target=1")
TYPES = {"deal_started", "dealt", "played", "deal_scored", "match_won"}
WAIT_S = 180

FAILING_BOT = "def choose(observation):\n    raise ValueError('no idea')\n"
LOUD_BOT = (
    "import sys\n"
    "print('loaded')\n"
    "def choose(observation):\n"
    "    print('thinking')\n"
    "    sys.stdout.write('still\\n')\n"
    "    return observation.legal_actions[0]\n"
)
SLOW_BOT = (
    "import time\n"
    "def choose(observation):\n"
    "    time.sleep(600)\n"
    "    return observation.legal_actions[0]\n"
)


def play(*words: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*PLAY, *words],
        cwd=ROOT,
        input=typed,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )


def objects(text: str) -> list[dict[str, object]]:
    found = [json.loads(line) for line in text.splitlines()]
    assert all(one["schema"] == 1 for one in found)
    return found


def whole_match(record: Path) -> bool:
    verdict = audit(record.read_bytes(), EDWARDS, open_match)
    assert verdict.sound
    return verdict.finished


class Typist:
    """A program that plays by reading the sentences and typing numbers."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [*PLAY, *words],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.heard: list[str] = []

    def wait_for(self, ending: str) -> bool:
        """Read on to a line that ends so; False if there is none."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.heard.append(line.rstrip("\n"))
            if self.heard[-1].endswith(ending):
                return True
        return False

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def ended(self) -> int:
        rest, errors = self.process.communicate(timeout=WAIT_S)
        self.heard += rest.splitlines()
        assert errors == ""
        return self.process.returncode


@contextmanager
def typist(*words: str) -> Iterator[Typist]:
    one = Typist(*words)
    try:
        yield one
    finally:
        one.process.kill()
        one.process.communicate()


def test_two_bots_play_a_match_as_json_lines(tmp_path: Path) -> None:
    record = tmp_path / "match.scopa"
    words = ["--bot", "greedy", "--against", "rules", "--json", "--record", str(record)]
    done = play(*words)
    assert done.returncode == 0
    found = objects(done.stdout)
    assert {one["type"] for one in found} <= TYPES | {"redealt"}
    assert found[0]["type"] == "deal_started"
    last = found[-1]
    assert last["type"] == "match_won"
    names, score, deals = last["names"], last["score"], last["deals"]
    assert isinstance(names, list)
    assert sorted(names) == ["greedy", "rules"]
    assert isinstance(score, list)
    assert last["winner"] == score.index(max(score))
    assert max(score) >= 11
    kinds = [one["type"] for one in found]
    assert kinds.count("deal_scored") == deals
    assert kinds.count("played") == 36 * int(str(deals))
    assert done.stderr == f"The record is in {record}.\n"
    assert whole_match(record)


@pytest.mark.parametrize("players", [3, 4])
def test_more_seats_play_too(players: int) -> None:
    words = ["--bot", "random", "--json", "--players", str(players), *ONE_DEAL]
    done = play(*words, "--against", "greedy")
    assert (done.returncode, done.stderr) == (0, "")
    last = objects(done.stdout)[-1]
    names = last["names"]
    assert isinstance(names, list)
    others = ["greedy", *(f"greedy ({at})" for at in range(2, players))]
    assert sorted(names) == [*others, "random"]


def names_at_the_table(*words: str) -> list[str]:
    done = play("--json", *words)
    assert (done.returncode, done.stderr) == (0, "")
    names = objects(done.stdout)[-1]["names"]
    assert isinstance(names, list)
    return sorted(names)


def test_each_further_opponent_takes_a_seat_and_the_last_one_the_rest() -> None:
    mine = ("--bot", "random", *ONE_DEAL)
    two = ("--against", "greedy", "--against", "rules")
    assert names_at_the_table(*mine, *two) == ["greedy", "random", "rules"]
    four = names_at_the_table(*mine, *two, "--players", "4")
    assert four == ["greedy", "random", "rules", "rules (2)"]


def test_opponents_avoid_the_person_s_name() -> None:
    done = play("--name", "bruno", "--players", "6")
    assert done.stdout.splitlines()[0] == (
        "Scopa to 11 points with Carla (bot rules), Dario (bot rules), Elena (bot "
        "rules), Fabio (bot rules) and Giulia (bot rules)."
    )


def test_a_bot_that_prints_does_not_spoil_the_data(tmp_path: Path) -> None:
    bot = tmp_path / "loud.py"
    bot.write_text(LOUD_BOT, encoding="utf-8")
    done = play("--bot", "greedy", "--against", str(bot), "--json", *ONE_DEAL)
    assert done.returncode == 0
    assert objects(done.stdout)[-1]["type"] == "match_won"
    assert set(done.stderr.splitlines()) == {"loaded", "thinking", "still"}


def shown_on_a_terminal(columns: int, typed: bytes) -> list[str]:
    """The lines of a whole run on a terminal so wide."""
    termios = pytest.importorskip("termios")
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    lines = [*PLAY, "--plain"]
    process = subprocess.Popen(lines, cwd=ROOT, stdin=theirs, stdout=theirs)
    os.close(theirs)
    shown = b""
    try:
        while b"Which card?" not in shown:
            shown += os.read(ours, 4096)
        os.write(ours, typed)
        while True:
            shown += os.read(ours, 4096)
    except OSError:  # nobody holds the other end any more
        pass
    finally:
        process.wait(timeout=WAIT_S)
        os.close(ours)
    # What is typed ahead is echoed before the prompt, and its answer stands after that.
    return [line.removeprefix("> ") for line in shown.decode().splitlines()]


def test_on_a_terminal_lines_are_broken_between_words() -> None:
    lines = shown_on_a_terminal(40, b"help\nquit\n")
    assert lines[-1] == "The match was left before its end."
    assert max(map(len, lines)) < 40
    text = " ".join(lines)
    assert "If it can take in several ways, type the letter of one, or back." in text
    assert "Type the number of a card in your hand to play it." not in lines


def test_a_driver_plays_a_match_in_line_mode(tmp_path: Path) -> None:
    record = tmp_path / "match.scopa"
    with typist("--name", "Ana", "--record", str(record), "--rule", "target=5") as one:
        while one.wait_for("?"):
            one.type("a" if "Which?" in one.heard[-1] else "1")
        assert one.ended() == 0
    assert one.heard[0] == "Scopa to 5 points with Bruno (bot rules)."
    plays = [line for line in one.heard if line.startswith(("You ", "Bruno "))]
    assert len([line for line in plays if " laid " in line or " took " in line]) >= 36
    assert " the match after " in one.heard[-2]
    assert one.heard[-1] == f"The record is in {record}."
    assert all("\x1b" not in line for line in one.heard)
    assert whole_match(record)


def test_lines_written_beforehand_play_a_match_in_order() -> None:
    done = play(*ONE_DEAL, typed="1\n" * 600)
    assert (done.returncode, done.stderr) == (0, "")
    assert " the match after " in done.stdout.splitlines()[-1]


def test_what_is_typed_wrongly_is_answered_and_asked_again() -> None:
    with typist() as one:
        assert one.wait_for("Which card?")
        for line in ("99", "nonsense", "\x1b[2J", "7Dx7D", "", "hint", "quit"):
            one.type(line)
        assert one.ended() == 0
    assert one.heard.count("Not a card: '99'. You hold 3 cards.") == 1
    assert "Neither a card nor a command: 'nonsense'. Type help." in one.heard
    assert all("\x1b" not in line for line in one.heard)
    hints = [line for line in one.heard if line.startswith("Hint: ")]
    assert len(hints) == 1
    assert one.heard[-1] == "The match was left before its end."


def test_a_hint_is_given_before_the_end_of_input_leaves() -> None:
    done = play(typed="hint\n")
    assert (done.returncode, done.stderr) == (0, "")
    *lines, left = done.stdout.splitlines()
    # The reasons of it follow.
    assert any(line.startswith("Hint: ") for line in lines[-4:])
    assert left == "The match was left before its end."


def test_the_end_of_input_leaves_with_a_record(tmp_path: Path) -> None:
    record = tmp_path / "match.scopa"
    done = play("--record", str(record), typed="1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(
        f"The match was left before its end.\nThe record is in {record}.\n"
    )
    assert not whole_match(record)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals to send")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_with_a_record(number: signal.Signals, tmp_path: Path) -> None:
    record = tmp_path / "match.scopa"
    with typist("--record", str(record)) as one:
        assert one.wait_for("Which card?")
        one.process.send_signal(number)
        one.process.wait(timeout=WAIT_S)
        assert one.ended() == 128 + number
    assert one.heard[-1] == f"The record is in {record}."
    assert not whole_match(record)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals to send")
def test_several_signals_at_once_end_it_without_a_word() -> None:
    with typist() as one:
        assert one.wait_for("Which card?")
        one.process.send_signal(signal.SIGSTOP)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            one.process.send_signal(number)
        one.process.send_signal(signal.SIGCONT)
        one.process.wait(timeout=WAIT_S)
        assert one.ended() > 128


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals to send")
def test_a_signal_leaves_a_last_object_for_programs() -> None:
    with typist("--json") as one:
        assert one.wait_for("}")
        one.process.send_signal(signal.SIGTERM)
        out, _ = one.process.communicate(timeout=WAIT_S)
        assert one.process.returncode == 143
        assert objects(out)[-1]["type"] == "left"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals to send")
def test_nobody_waits_for_a_bot_that_thinks(tmp_path: Path) -> None:
    bot = tmp_path / "slow.py"
    bot.write_text(SLOW_BOT, encoding="utf-8")
    with typist("--against", str(bot), "--bot", str(bot)) as one:
        assert one.wait_for("left to deal.")
        one.process.send_signal(signal.SIGINT)
        one.process.wait(timeout=WAIT_S)
        assert one.ended() == 130


@pytest.mark.parametrize("how", ["raise KeyboardInterrupt", "import os; os.kill(0, 9)"])
def test_a_bot_cannot_end_the_match(how: str, tmp_path: Path) -> None:
    bot = tmp_path / "lost.py"
    bot.write_text(f"def choose(observation):\n    {how}\n", encoding="utf-8")
    done = play("--bot", "greedy", "--against", str(bot), *ONE_DEAL)
    assert done.returncode == 0
    assert "The bot lost " in done.stdout
    assert "; from now on simple moves are played for it." in done.stdout
    assert "wins the match" in done.stdout


def test_a_bot_that_fails_is_told_and_named(tmp_path: Path) -> None:
    bot = tmp_path / "lost.py"
    bot.write_text(FAILING_BOT, encoding="utf-8")
    done = play("--bot", "greedy", "--against", str(bot), "--json", *ONE_DEAL)
    assert done.returncode == 0
    told = objects(done.stdout)
    assert told[-1]["type"] == "match_won"
    failed = [one for one in told if one["type"] == "bot_failed"]
    assert [one.pop("out") for one in failed] == [False] * 4 + [True]
    assert failed[0] == {
        "schema": 1,
        "type": "bot_failed",
        "name": "lost",
        "kind": "crash",
        "message": "The bot lost failed: ValueError: no idea; a simple move is played "
        "for it.",
    }
    assert 'lost.py", line 2, in choose' in done.stderr
    assert "scopa_net" not in done.stderr


def test_a_person_is_told_that_an_opponent_s_bot_has_failed(tmp_path: Path) -> None:
    bot = tmp_path / "lost.py"
    bot.write_text(FAILING_BOT, encoding="utf-8")
    done = play("--against", str(bot), *ONE_DEAL, typed="1\na\n")
    said = "The bot Bruno failed: ValueError: no idea; a simple move is played for it."
    assert said in done.stdout.splitlines()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals to send")
def test_a_program_that_plays_is_gone_with_the_match(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    bot = f"cmd:{sys.executable} -I -S {ROGUE} stubborn {mark}"
    with typist("--against", bot, "--bot", "greedy") as one:
        assert one.wait_for("left to deal.")
        until(lambda: mark.exists() and len(mark.read_text().split()) == 2)
        one.process.kill()
        one.process.wait(timeout=10)
    assert all(gone(int(pid)) for pid in mark.read_text().split())


def test_a_reader_that_goes_away_is_no_failure() -> None:
    with typist("--bot", "greedy", "--json", "--rule", "target=50") as one:
        assert one.wait_for("}")
        assert one.process.stdout is not None
        one.process.stdout.close()
        assert one.process.wait(timeout=WAIT_S) == 0
        assert one.process.stderr is not None
        assert one.process.stderr.read() == ""
        one.process.stdout = None


def test_a_reader_that_never_comes_ends_it_before_it_begins(tmp_path: Path) -> None:
    record = tmp_path / "match.scopa"
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*PLAY, "--record", str(record)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
    assert not record.exists()


NOT_BEGUN = """
from scopa_net.app.local import LocalMatch
from scopa_net.app.running import Chair
from scopa_net.bots.registry import find_bot
from scopa_net.rules import find_variant

chairs = [Chair(name, find_bot("random").bot) for name in ("Ana", "Bruno")]
nothing = lambda *told: None
match = LocalMatch(find_variant("scopa"), chairs, hear=nothing, shuffling=nothing)
match.leave(7)
ending = match.play()
assert (ending.code, ending.record, ending.failure) == (7, None, None), ending
"""


def test_a_match_that_is_left_before_it_begins_has_no_record() -> None:
    subprocess.run([sys.executable, "-c", NOT_BEGUN], cwd=ROOT, check=True, timeout=60)


IMPATIENT = """
from scopa_net import cli
from scopa_net.app import running

running.SHUFFLING_S = 0.0
cli.main()
"""


def test_who_waits_for_cards_is_told_how_far_the_shuffling_is() -> None:
    words = ("play", "--bot", "random", *ONE_DEAL)
    done = subprocess.run(
        [sys.executable, "-c", IMPATIENT, *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=WAIT_S,
    )
    # On a busy machine both may have shuffled before it is said that one has.
    assert "Shuffling: 0 of 2 seats." in done.stdout.split("Deal 1.")[0]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full disk at hand")
@pytest.mark.parametrize(
    "words", [(), ("--bot", "greedy"), ("--bot", "greedy", "--json")]
)
def test_a_full_disk_is_a_failure_and_costs_no_record(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    record = tmp_path / "match.scopa"
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*PLAY, *words, "--record", str(record)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=WAIT_S,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "Error: The output could not be written: No space left on device."
    )
    assert record.exists() == ("--json" in words)


def test_a_person_s_match_in_json_talks_beside_the_data() -> None:
    done = play("--json", typed="table\n")
    assert done.returncode == 0
    found = objects(done.stdout)
    assert found[0]["type"] == "deal_started"
    assert found[-1] == {"schema": 1, "type": "left", "score": [0, 0]}
    assert "Which card?" in done.stderr


A_SEAT_LIES = """
import sys
from functools import partial
from scopa_net import cli
from scopa_net.app.local import LocalMatch, fresh_seats
from scopa_net.commands import offline
from scopa_net.seat import (Seat)
from tests.support.liars import BreaksARule

class Cheat(BreaksARule):
    goes_on = True

class CheatsSeat(Seat):
    def act(self, action):
        self.table.party.__class__ = Cheat
        return super().act(action)

def with_a_cheat(variant, names):
    seats = fresh_seats(variant, names)
    seats[1].__class__ = CheatsSeat
    return seats

offline.LocalMatch = partial(LocalMatch, gather=with_a_cheat)
sys.argv = ["scopa", "play", *sys.argv[1:]]
cli.main()
"""


def play_with_a_liar(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", A_SEAT_LIES, "--bot", "greedy", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )


def test_a_match_that_is_stopped_names_the_seat_and_leaves_the_proof(
    tmp_path: Path,
) -> None:
    record = tmp_path / "match.scopa"
    done = play_with_a_liar("--json", "--record", str(record))
    assert done.returncode == 5
    last = objects(done.stdout)[-1]
    assert last["type"] == "stopped"
    assert last["score"] == [0, 0]
    assert last["blame"]
    assert str(last["message"]).startswith("rules ")
    assert not audit(record.read_bytes(), EDWARDS, open_match).sound


def test_a_match_that_is_stopped_is_told_in_sentences() -> None:
    done = play_with_a_liar()
    assert (done.returncode, done.stderr) == (5, "")
    assert done.stdout.splitlines()[-1].startswith("The match is stopped at ")
