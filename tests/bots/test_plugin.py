"""What a bot in a process of its own may do, and that a match survives all of it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from scopa_net.bots.bot import Failing, Trouble
from scopa_net.bots.errors import BotError
from scopa_net.bots.plugin import (
    FAILURES_MAX,
    Limits,
    Plugin,
    limits_of,
    simple_action,
)
from scopa_net.bots.process import LOG_LINES_MAX, bot_environment
from scopa_net.rules import Observation, format_action
from tests.ai.positions import opening, positions, seen_by_mover, variants

ROGUE = str(Path(__file__).with_name("rogue.py"))
SEEN = opening("3C 4S KB QB", "AD 7B JS")
FIRST = SEEN.legal_actions[0]
SIMPLE = simple_action(SEEN)
SOON = Limits(start_s=20.0, move_s=0.4, memory_bytes=1 << 30)

Made = Callable[..., Plugin]


@pytest.fixture
def rogue() -> Iterator[Made]:
    """Starts a rogue bot; every one that was started is ended."""
    made: list[Plugin] = []

    def start(how: str, *where: str, limits: Limits = SOON) -> Plugin:
        command = (sys.executable, "-I", "-S", ROGUE, how, *where)
        bot = Plugin(command, "Rosa", limits=limits)
        made.append(bot)
        return bot

    yield start
    for bot in made:
        bot.close()


def troubles(bot: Plugin, times: int) -> list[Trouble]:
    """What is told of so many moves, each of which is a simple one."""
    heard: list[Trouble] = []
    bot.troubled = heard.append
    for _ in range(times):
        assert bot.choose(SEEN) == SIMPLE
    return heard


def gone(pid: int) -> bool:
    """Whether no such process runs, once it has had a moment."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.01)
    return False


def test_the_simple_move_is_not_what_a_bot_here_plays() -> None:
    assert (format_action(FIRST), format_action(SIMPLE)) == ("AD", "7Bx3C4S")


def test_a_bot_of_another_process_plays_deals_of_every_size(rogue: Made) -> None:
    bot = rogue("well", limits=Limits())
    for variant in variants()[:4]:
        for deal in islice(positions(variant, "plugin"), 30):
            seen = seen_by_mover(deal)
            assert bot.choose(seen) == seen.legal_actions[0]
    assert not bot.failures
    assert bot.noise == 0


def test_a_bot_says_what_it_is_and_why_it_plays_so(rogue: Made) -> None:
    bot = rogue("well")
    assert (bot.greeting.name, bot.greeting.about) == (None, "Plays first.")
    assert bot.greeting.options == {"fast": False, "worlds": 30}
    assert bot.answer(SEEN, explain=True).reasons == ("It is\ufffd the first.",)


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("exits", "The bot Rosa cannot start: it has ended with code 0."),
        ("deaf", "The bot Rosa cannot start: it did not answer in time."),
        ("refuses", "The bot Rosa cannot start: it says: no licence \ufffd[31m."),
        ("other protocol", "The bot Rosa cannot start: it does not speak protocol 1."),
        ("odd options", "has no plain default for its option 'x'."),
    ],
)
def test_a_bot_that_does_not_start_is_refused(
    how: str, sentence: str, rogue: Made
) -> None:
    with pytest.raises(BotError) as refused:
        rogue(how, limits=Limits(start_s=0.5 if how == "deaf" else 20.0))
    assert str(refused.value).endswith(sentence)


@pytest.mark.parametrize(
    ("how", "kind", "what"),
    [
        ("raises", "crash", "has ended with code 3: half a thought"),
        ("fails", "crash", "failed: no \ufffd[31m idea"),
        ("illegal", "illegal", "chose what is not allowed: KD is not in that hand"),
        ("unreadable", "protocol", "answered what is no action: '\\x1b[2J'"),
        ("no action", "protocol", "answered without an action"),
        ("no id", "protocol", "answered without the id of the question"),
        ("rubbish", "protocol", "prints what is no JSON"),
        ("long line", "protocol", "said a line that is too long"),
        ("hangs", "timeout", "did not answer in time"),
        ("chatters", "timeout", "did not answer in time"),
    ],
)
def test_a_simple_move_is_played_for_a_bot_that_fails(
    how: str, kind: Failing, what: str, rogue: Made, tmp_path: Path
) -> None:
    bot = rogue(how, str(tmp_path / "forked"))
    (trouble,) = troubles(bot, 1)
    assert (trouble.kind, trouble.what, trouble.out) == (kind, what, False)
    assert bot.failures == {kind: 1}
    assert trouble.sentence("Rosa") == (
        f"The bot Rosa {what}; a simple move is played for it."
    )


@pytest.mark.skipif(sys.platform != "linux", reason="no such limit everywhere")
def test_a_bot_that_eats_memory_ends_alone(rogue: Made) -> None:
    (trouble,) = troubles(rogue("memory"), 1)
    assert trouble.kind == "crash"
    assert trouble.what.endswith("MemoryError")


def test_a_bot_that_has_ended_is_started_again_and_at_last_left_alone(
    rogue: Made,
) -> None:
    bot = rogue("raises")
    heard = troubles(bot, FAILURES_MAX + 3)
    assert [trouble.out for trouble in heard] == [False] * (FAILURES_MAX - 1) + [True]
    assert bot.failures == {"crash": FAILURES_MAX}
    assert bot.process is None
    assert (
        heard[-1]
        .sentence("Rosa")
        .endswith("; from now on simple moves are played for it.")
    )


def test_an_answer_that_comes_too_late_is_not_taken_for_the_next(rogue: Made) -> None:
    bot = rogue("late")
    assert [trouble.kind for trouble in troubles(bot, 1)] == ["timeout"]
    later = opening("3C 4S KB QB", "7D 2B KS")
    assert bot.choose(later) == later.legal_actions[0]
    assert bot.failures == {"timeout": 1}


def test_what_a_bot_says_beside_its_answers_is_left_alone(rogue: Made) -> None:
    bot = rogue("odd")
    for _ in range(3):
        assert bot.choose(SEEN) == FIRST
    assert not bot.failures
    assert bot.noise == 15


def test_what_a_bot_says_on_stderr_is_made_safe_and_not_endless(
    rogue: Made, capfd: pytest.CaptureFixture[str]
) -> None:
    bot = rogue("talks")
    assert bot.choose(SEEN) == FIRST
    bot.close()
    *lines, last = capfd.readouterr().err.splitlines()
    assert set(lines) == {"thinking \ufffd[31m"}
    assert len(lines) == LOG_LINES_MAX
    assert last == "What this bot says further is not shown."


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives us orphans")
@pytest.mark.parametrize("how", ["forks", "hangs", "stubborn"])
def test_all_that_a_bot_has_started_ends_with_it(
    how: str, rogue: Made, tmp_path: Path
) -> None:
    forked = tmp_path / "forked"
    bot = rogue(how, str(forked))
    bot.choose(SEEN)
    bot.close()
    pids = [int(pid) for pid in forked.read_text().split()]
    assert len(pids) == 2
    assert all(map(gone, pids))


@pytest.mark.skipif(os.name == "nt", reason="there is no guard on Windows")
def test_a_bot_that_outlives_its_input_is_ended(rogue: Made) -> None:
    bot = rogue("stays")
    process = bot.process
    assert process is not None
    bot.close()
    assert gone(process.pid)


KILLED = """
import os, signal, sys
from scopa_net.bots.plugin import Limits, Plugin
from tests.bots.test_plugin import ROGUE, SEEN, SOON
command = (sys.executable, "-I", "-S", ROGUE, "stubborn", sys.argv[1])
bot = Plugin(command, "Rosa", limits=SOON)
bot.choose(SEEN)
print(bot.process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives us orphans")
def test_all_ends_too_when_our_own_program_is_killed(tmp_path: Path) -> None:
    forked = tmp_path / "forked"
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(forked)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == -9, done.stderr
    assert all(gone(int(pid)) for pid in (done.stdout + forked.read_text()).split())


def test_a_bot_is_told_nothing_of_ours_but_where_things_are() -> None:
    own = {"PATH": "/bin", "LC_ALL": "C", "SCOPA_DATA_DIR": "/x", "TOKEN": "secret"}
    assert bot_environment(own) == {
        "PATH": "/bin",
        "LC_ALL": "C",
        "PYTHONUNBUFFERED": "1",
    }


def test_the_player_says_how_long_and_how_much_a_bot_may_take() -> None:
    usual = Limits()
    assert limits_of({}) == limits_of({"SCOPA_BOT_SECONDS": ""}) == usual
    chosen = limits_of({"SCOPA_BOT_SECONDS": "0.5", "SCOPA_BOT_MEMORY_MB": "100"})
    assert chosen == Limits(usual.start_s, 0.5, 100 << 20)
    for text in ("0", "-1", "nan", "inf", "soon"):
        with pytest.raises(BotError, match="SCOPA_BOT_SECONDS is a number above 0"):
            limits_of({"SCOPA_BOT_SECONDS": text})


def test_a_simple_move_is_found_in_any_position() -> None:
    for variant in variants():
        for deal in islice(positions(variant, "simple"), 20):
            seen: Observation = seen_by_mover(deal)
            assert simple_action(seen) in seen.legal_actions
