"""A person who meets somebody for the first time, again, and under a taken name."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.crypto.identity import key_words
from scopa_net.home import Home
from tests.end_to_end.peers import HERE, Peer, until
from tests.end_to_end.test_screen import Seat
from tests.end_to_end.test_screen import seat as at_terminal

pytest.importorskip("termios", reason="Windows has no pseudo-terminals")

SCOPA = [sys.executable, "-m", "scopa_net"]


def invited_by(host: Peer) -> str:
    if host.running:
        host.kill()
    host.start("host", "--bot", "rules", "--name", "Ada", *HERE)
    return host.invites()[0]


def words_of(peer: Peer) -> str:
    return key_words(Home(peer.home).identity().key)


def test_a_person_gets_to_know_a_key_and_is_asked_when_it_changes(
    seat: Callable[..., Peer], tmp_path: Path
) -> None:
    # X37.
    mine = Home(tmp_path / "mine")
    environment = {"SCOPA_DATA_DIR": str(mine.folder)}
    ada, other = seat("ada"), seat("other")

    def joining(host: Peer) -> list[str]:
        return [*SCOPA, "join", invited_by(host)]

    with at_terminal(program=joining(ada), environment=environment) as me:
        me.wait_for(f"new, key {words_of(ada)}")
        leave(me)
    assert f"Ada is new to you, with the key {words_of(ada)}." in said(me)
    assert [(one.name, key_words(one.key)) for one in mine.known()] == [
        ("Ada", words_of(ada))
    ]
    with at_terminal(program=joining(ada), environment=environment) as me:
        text = me.wait_for("● connected")
        assert "new" not in text
        leave(me)
    matches = len(mine.saved())
    # Whoever has said no comes again by the same invitation, and is asked again.
    same = joining(other)
    with at_terminal(program=same, environment=environment) as me:
        me.wait_for("y/N")
        me.press("\n")
        assert me.ended() == 4
        assert words_of(ada) in said(me)
    assert len(mine.saved()) == matches
    assert "deal_started" not in other.types()
    with at_terminal(program=same, environment=environment) as me:
        me.wait_for("y/N")
        me.press("y\n")
        me.wait_for(f"new, key {words_of(other)}")
        leave(me)
    assert [key_words(one.key) for one in mine.known()] == [words_of(other)]


def said(one: Seat) -> str:
    """All that it has written, in one line."""
    return " ".join(one.raw.decode(errors="replace").split())


def leave(one: Seat) -> None:
    one.press("q", "q")
    assert one.ended() == 0


def test_without_a_terminal_a_changed_key_is_a_refusal_and_a_bot_is_not_stopped(
    seat: Callable[..., Peer],
) -> None:
    ada, other, me = seat("ada"), seat("other"), seat("me")
    me.start("join", invited_by(ada), as_json=False)
    until(lambda: Home(me.home).known())
    me.kill()
    me.start("join", invited_by(other))
    assert me.end() == 4
    (introduced, failed) = [
        one for one in me.told if one["type"] in {"introduced", "error"}
    ]
    assert introduced["players"][0]["known"] == "other_key"
    assert words_of(ada) in failed["message"]
    assert "scopa identity forget Ada" in failed["message"]
    me.start("join", invited_by(other), "--bot", "random")
    until(lambda: "played" in me.types())
    assert "introduced" not in me.types()
    assert [key_words(one.key) for one in Home(me.home).known()] == [words_of(ada)]
