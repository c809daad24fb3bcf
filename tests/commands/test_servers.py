"""Which servers introduce: named, settled, or, if a person agrees, everybody's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from protocol.codes import PUBLIC, Servers
from scopa_net.commands.refusals import Failure, Refusal
from scopa_net.commands.servers import chosen_servers, may_be_asked
from scopa_net.settings import read_settings, settle

OWN = Servers("ws://h.example:4000/v1", "tcp:h.example:4001")
CHOOSE = """
import sys
from pathlib import Path
import click
from scopa_net.commands.refusals import Refusal
from scopa_net.commands.servers import chosen_servers
try:
    print(chosen_servers(None, None, Path(sys.argv[1]), as_json=False).mailbox)
except Refusal as refusal:
    print(refusal.message)
except click.Abort:
    print("Aborted.")
"""


def chosen(
    folder: Path, mailbox: str | None = None, relay: str | None = None
) -> Servers:
    return chosen_servers(mailbox, relay, folder, as_json=True)


def at_a_terminal(folder: Path, answer: str, columns: int = 80) -> str:
    """What a person reads who is asked, and answers."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", CHOOSE, str(folder)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "COLUMNS": str(columns)},
    ) as process:
        os.close(theirs)
        os.write(ours, f"{answer}\n".encode())
        said = b""
        while True:
            try:
                data = os.read(ours, 4_096)
            except OSError:
                # The terminal has no writer any more.
                break
            said += data
            if not data:
                break
        assert process.wait(20) == 0
    os.close(ours)
    return said.decode()


def test_servers_that_are_named_go_before_those_that_are_settled(
    tmp_path: Path,
) -> None:
    file = tmp_path / "settings.toml"
    settle(file, "mailbox", "ws://settled.example:1/v1")
    settle(file, "relay", "tcp:settled.example:2")
    assert chosen(tmp_path, OWN.mailbox, "tcp://h.example:4001") == OWN
    assert chosen(tmp_path, OWN.mailbox).relay == "tcp:settled.example:2"
    assert chosen(tmp_path) == Servers(
        "ws://settled.example:1/v1", "tcp:settled.example:2"
    )


def test_servers_that_a_host_names_are_asked_unless_they_are_everybodys(
    tmp_path: Path,
) -> None:
    mixed = (
        Servers(PUBLIC.mailbox, OWN.relay),
        Servers("wss://relay.magic-wormhole.io:443/v1", OWN.relay),
        Servers(OWN.mailbox, PUBLIC.relay),
    )
    assert may_be_asked(tmp_path, OWN)
    assert not any(may_be_asked(tmp_path, each) for each in (PUBLIC, *mixed))
    settle(tmp_path / "settings.toml", "public_servers", value=False)
    assert not may_be_asked(tmp_path, PUBLIC)
    settle(tmp_path / "settings.toml", "public_servers", value=True)
    assert may_be_asked(tmp_path, PUBLIC)


def test_one_of_two_servers_is_not_enough(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="name both"):
        chosen(tmp_path, OWN.mailbox)
    with pytest.raises(Refusal, match="tcp:HOST:PORT"):
        chosen(tmp_path, OWN.mailbox, "nowhere")


def test_nobody_is_asked_who_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="--mailbox URL") as refused:
        chosen(tmp_path)
    assert refused.value.exit_code == 2
    assert not list(tmp_path.iterdir())


def test_who_agrees_once_is_not_asked_again(tmp_path: Path) -> None:
    said = at_a_terminal(tmp_path, "y")
    assert "never cards, names or what is said" in said
    assert PUBLIC.mailbox in said
    assert read_settings(tmp_path / "settings.toml").public_servers
    assert "never cards" not in at_a_terminal(tmp_path, "")
    assert chosen(tmp_path) == PUBLIC


def test_who_does_not_agree_is_told_what_else_there_is(tmp_path: Path) -> None:
    said = at_a_terminal(tmp_path, "n")
    assert "name other servers" in said
    assert not list(tmp_path.iterdir())


def test_the_question_fits_the_terminal_and_breaks_no_word(tmp_path: Path) -> None:
    lines = at_a_terminal(tmp_path, "n", columns=60).splitlines()
    assert max(map(len, lines[:-1])) < 60
    for place in (PUBLIC.mailbox_place, PUBLIC.relay_place):
        assert any(place in line for line in lines)


def test_who_ends_the_question_leaves_its_line(tmp_path: Path) -> None:
    said = at_a_terminal(tmp_path, "\4")
    assert said.endswith("\nAborted.\r\n")
    assert not list(tmp_path.iterdir())


def test_who_has_settled_on_no_is_not_asked(tmp_path: Path) -> None:
    settle(tmp_path / "settings.toml", "public_servers", value=False)
    assert "never cards" not in at_a_terminal(tmp_path, "y")


def test_a_damaged_file_of_settings_is_said_to_be_so(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("relay = 3")
    with pytest.raises(Failure, match="relay is a text"):
        chosen(tmp_path)
