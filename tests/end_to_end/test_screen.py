"""`scopa play` on a real terminal: a pseudo-terminal, and an emulator that looks."""

import os
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scopa_net.ui.screen.app import PAUSE_S
from tests.end_to_end.test_play import A_SEAT_LIES

pyte = pytest.importorskip("pyte")
termios = pytest.importorskip("termios", reason="Windows has no pseudo-terminals")

ROOT = Path(__file__).resolve().parent.parent.parent
PLAY = [sys.executable, "-m", "scopa_net", "play"]
WAIT_S = 180
COLUMNS, ROWS = 80, 24
ESCAPE, ENTER, CTRL_C = "\x1b", "\r", "\x03"
NOTHING = "w"
"""A key that only ends what is shown."""
CURSOR_MODE = 25 << 5
"""What pyte calls a cursor that can be seen."""


class Seat:
    """A program on a terminal: what it shows, and keys for it."""

    def __init__(
        self,
        words: tuple[str, ...],
        environment: dict[str, str],
        size: int,
        program: list[str],
    ) -> None:
        self.ours, self.theirs = os.openpty()
        termios.tcsetwinsize(self.theirs, (ROWS, size))
        self.before = termios.tcgetattr(self.theirs)
        self.screen = pyte.Screen(size, ROWS)
        self.raw = b""
        self._stream = pyte.ByteStream(self.screen)
        self.process = subprocess.Popen(
            [*program, *words],
            cwd=ROOT,
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
            | environment,
        )

    def look(self, wait_s: float = 0.05) -> str:
        """What is on the screen."""
        while select.select([self.ours], [], [], wait_s)[0]:
            found = os.read(self.ours, 65536)
            self.raw += found
            self._stream.feed(found)
            wait_s = 0.0
        return "\n".join(self.screen.display)

    def wait_for(
        self, what: str | Callable[[str], bool], *, hurry: bool = False
    ) -> str:
        """The screen once that is on it; to `hurry`, no play is looked at for long."""
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            text = self.look()
            if what in text if isinstance(what, str) else what(text):
                return text
            if hurry:
                self.press(NOTHING)
        raise AssertionError(f"{what!r} did not come:\n{self.look()}")

    def press(self, *keys: str) -> None:
        for key in keys:
            os.write(self.ours, key.encode())

    def ended(self) -> int:
        end = time.monotonic() + WAIT_S
        while self.process.poll() is None and time.monotonic() < end:
            self.look()
        self.look()
        return self.process.wait(timeout=1)

    def is_as_before(self) -> bool:
        """The modes of the line, the cursor, and the screen that was there."""
        assert self.raw.rindex(b"\x1b[?1049l") > self.raw.rindex(b"\x1b[?1049h")
        assert CURSOR_MODE in self.screen.mode
        return bool(termios.tcgetattr(self.theirs) == self.before)


@contextmanager
def seat(
    *words: str,
    size: int = COLUMNS,
    environment: dict[str, str] | None = None,
    program: list[str] = PLAY,
) -> Iterator[Seat]:
    one = Seat(words, environment or {}, size, program)
    try:
        yield one
    finally:
        one.process.kill()
        one.process.wait(timeout=WAIT_S)
        os.close(one.ours)
        os.close(one.theirs)


def asked(text: str) -> bool:
    return "● your turn" in text or "* your turn" in text


def play_on(one: Seat, until: str) -> str:
    """Play the first card, whatever it takes, until something is shown."""
    while True:
        text = one.wait_for(lambda text: asked(text) or until in text, hurry=True)
        if until in text:
            return text
        one.press("1")
        one.wait_for(lambda text: "TAKE" in text or "lays it" in text)
        one.press(ENTER)
        one.wait_for(lambda text: not asked(text))


def test_a_deal_is_played_by_keys_and_its_score_explained() -> None:
    with seat("--rule", "target=1", "--name", "Ana") as one:
        one.wait_for("Your turn: pick a card by its number")
        one.press("?")
        assert "THE DEAL" in one.wait_for("Keys and rules in short")
        one.press(ESCAPE)
        one.wait_for("Your turn: pick a card by its number")
        deals = deals_to_the_end(one)
        one.press(ENTER)
        assert one.ended() == 0
        assert one.is_as_before()
        assert f"the match after {deals} deal" in one.look()


def deals_to_the_end(one: Seat) -> int:
    """Play deals until one is not tied, each explained; how many they were."""
    for deal in range(1, 20):
        play_on(one, f"End of deal {deal}")
        for told in ("Cards", "Coins", "Settebello", "Primiera", "Scope", "This deal"):
            one.wait_for(told)
        text = one.wait_for(
            lambda text: "Every shuffle was" in text or " go on" in text
        )
        if "Every shuffle was" in text:
            return deal
        one.press(ENTER)
        one.wait_for(lambda text: " go on" not in text)
    raise AssertionError("every deal was tied")


GENEROUS_BOT = """
def choose(observation):
    return min(observation.legal_actions, key=lambda action: len(action.captured))
"""


def offered(one: Seat) -> bool:
    """Pick a card that can be played in several ways, else one that takes nothing."""
    for key in "123":
        one.press(key)
        text = one.look(5.0)
        if "takes which?" in text:
            return True
        if "takes nothing" in text:
            return False
    return False


def test_a_capture_is_chosen_by_its_letter(tmp_path: Path) -> None:
    bot = tmp_path / "generous.py"
    bot.write_text(GENEROUS_BOT, encoding="utf-8")
    with seat("--against", str(bot), "--rule", "target=99") as one:
        one.wait_for(asked)
        while not offered(one):
            one.press(ENTER)
            one.wait_for(lambda text: not asked(text))
            text = one.wait_for(lambda text: asked(text) or "go on" in text, hurry=True)
            if "go on" in text:
                one.press(ENTER)
                one.wait_for(asked, hurry=True)
        one.press("b")
        assert "You played" in one.wait_for("TAKEN")


def test_q_asks_once_and_leaves() -> None:
    with seat() as one:
        one.wait_for(asked)
        one.press("q")
        one.wait_for("Leave the match?")
        one.press(ESCAPE)
        one.wait_for(lambda text: "Leave the match?" not in text)
        one.press("q", ENTER)
        assert one.ended() == 0
        assert one.is_as_before()
        assert "The match was left before its end." in one.look()


def test_ctrl_c_twice_leaves_at_once_and_gives_the_terminal_back() -> None:
    with seat() as one:
        one.wait_for(asked)
        one.press(CTRL_C)
        one.wait_for("Leave the match?")
        one.press(CTRL_C)
        assert one.ended() == 130
        assert one.is_as_before()


def test_who_leaves_as_soon_as_there_is_a_screen_has_the_terminal_back() -> None:
    with seat() as one:
        one.wait_for("The cards are being shuffled")
        one.press(CTRL_C, CTRL_C)
        assert one.ended() == 130
        assert one.is_as_before()


def test_a_bot_that_is_not_there_is_told_when_the_terminal_is_back() -> None:
    with seat("--against", "gredy") as one:
        assert one.ended() == 2
        assert one.is_as_before()
        assert "There is no bot 'gredy'. Did you mean greedy?" in one.look()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_gives_the_terminal_back(number: signal.Signals) -> None:
    with seat() as one:
        one.wait_for(asked)
        one.process.send_signal(number)
        assert one.ended() == 128 + number
        assert one.is_as_before()


def test_a_bot_that_fails_is_told_on_the_screen_and_the_match_goes_on(
    tmp_path: Path,
) -> None:
    bot = tmp_path / "lost.py"
    bot.write_text(
        "def choose(observation):\n    print('hm')\n    raise ValueError('no idea')\n",
        encoding="utf-8",
    )
    with seat("--against", str(bot)) as one:
        one.wait_for(lambda text: asked(text) or "no idea" in text)
        if "no idea" not in one.look():
            one.press("1", ENTER)
        one.wait_for("The bot Bruno failed: ValueError: no idea;")
        one.wait_for(asked)
        assert "hm" not in one.look().split()
        one.press(CTRL_C, CTRL_C)
        assert one.ended() == 130
        assert one.is_as_before()
        assert "hm" in one.look().split()


def one_play(one: Seat) -> None:
    """Play the first card if this seat is asked for one; go on after a tied deal."""
    if " go on" in one.look():
        one.press(ENTER)
        one.wait_for(lambda text: " go on" not in text)
    elif asked(one.look()):
        one.press("1")
        one.wait_for(lambda text: "TAKE" in text or "lays it" in text)
        one.press(ENTER)
        one.wait_for(lambda text: not asked(text))
    one.press(NOTHING)


def test_two_screens_play_a_deal_over_the_network(tmp_path: Path) -> None:
    scopa = [sys.executable, "-m", "scopa_net"]
    hosting = ["host", "--name", "Ana", "--listen", "127.0.0.1:0", "--rule", "target=1"]
    ana_s, bruno_s = ({"SCOPA_DATA_DIR": str(tmp_path / who)} for who in "ab")
    with seat(program=[*scopa, *hosting], environment=ana_s, size=200) as ana:
        invite = re.search(r"scopa://\S+", ana.wait_for("scopa://"))
        assert invite is not None
        # What is typed while one waits is no key on the screen that then comes.
        ana.press("are you quite ready?\n", "qry")
        joining = ["join", "--name", "Bruno", invite[0]]
        with seat(program=[*scopa, *joining], environment=bruno_s) as bruno:
            for one in (ana, bruno):
                one.wait_for("● connected")
                one.press(f"{ESCAPE}[31m")
            time.sleep(PAUSE_S)
            end = time.monotonic() + WAIT_S
            while not all("the match after" in one.look() for one in (ana, bruno)):
                assert time.monotonic() < end
                one_play(ana)
                one_play(bruno)
            for one in (ana, bruno):
                one.wait_for("leave the table")
            # Whatever happens to a program whose player still reads the score.
            for one, who in ((ana, "a"), (bruno, "b")):
                finished = tmp_path / who / "finished"
                one.wait_for(lambda _, at=finished: any(at.glob("*.scopa")))  # type: ignore[misc]
            for one in (ana, bruno):
                one.press(ENTER)
            for one in (ana, bruno):
                assert one.ended() == 0
                assert one.is_as_before()


def test_the_commands_that_a_player_is_told_can_be_copied_as_they_are(
    tmp_path: Path,
) -> None:
    scopa = [sys.executable, "-m", "scopa_net"]
    folder = ["--data-dir", str(tmp_path / "a folder with a long name")]
    hosting = ["host", "--listen", "127.0.0.1:0", *folder]
    with seat(program=[*scopa, *hosting]) as one:
        one.wait_for("Waiting for 1 more player.")
        assert b"\r\nscopa join scopa://127.0.0.1:" in one.raw
        # Whoever leaves before anybody has come, by a key of its own, keeps nothing.
        one.process.send_signal(signal.SIGTERM)
        assert one.ended() == 128 + signal.SIGTERM
    told = re.search(r"It is kept: scopa (resume .*)\r\n", one.raw.decode())
    assert told is not None
    with seat(program=[*scopa, *shlex.split(told[1])]) as one:
        one.wait_for("Waiting for 1 more player.")


def test_a_match_that_is_stopped_says_why_until_it_has_been_read() -> None:
    with seat(program=[sys.executable, "-c", A_SEAT_LIES]) as one:
        text = one.wait_for(lambda text: asked(text) or "is stopped" in text)
        if asked(text):
            one.press("1", ENTER)
            one.wait_for("The match is stopped")
        assert "Bruno" in one.look()
        assert one.process.poll() is None
        one.press(ENTER)
        assert one.ended() == 5
        assert one.is_as_before()
        assert "The match is stopped at" in one.look()


def test_without_unicode_and_without_color_the_screen_is_plain() -> None:
    with seat(environment={"LC_ALL": "C", "NO_COLOR": "1"}) as one:
        assert one.wait_for(asked).isascii()
        painted = {
            cell.fg for row in one.screen.buffer.values() for cell in row.values()
        }
        assert painted == {"default"}


def test_a_terminal_that_is_too_small_is_told_so_and_can_grow() -> None:
    with seat(size=50) as one:
        one.wait_for("The table needs 60x20; this is 50x24.")
        termios.tcsetwinsize(one.theirs, (ROWS, COLUMNS))
        one.screen.resize(ROWS, COLUMNS)
        one.process.send_signal(signal.SIGWINCH)
        one.wait_for(asked)


@pytest.mark.parametrize(
    ("words", "environment"),
    [(["--plain"], {}), ([], {"SCOPA_PLAIN": "1"}), ([], {"TERM": "dumb"})],
)
def test_lines_are_written_where_they_are_wanted(
    words: list[str], environment: dict[str, str]
) -> None:
    with seat(*words, environment=environment) as one:
        one.wait_for("Which card?")
        one.press("quit\n")
        assert one.ended() == 0
        assert b"\x1b[" not in one.raw
