"""`scopa rendezvous` as a real process: two servers, until it is told to end."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from protocol.codes import read_servers
from tests.end_to_end.peers import ROOT, SCOPA, WAIT_S

HERE = ("--listen", "127.0.0.1:0")


@contextmanager
def serving(*words: str) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        [*SCOPA, "rendezvous", *words],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_is_and_ends_when_it_is_told(
    number: signal.Signals, tmp_path: Path
) -> None:
    folder = tmp_path / "boxes"
    with serving(*HERE, "--json", "--data", str(folder)) as process:
        found = json.loads(said(process))
        assert (found["schema"], found["type"]) == (1, "listening")
        servers = read_servers(found["mailbox"], found["relay"])
        for place in (servers.mailbox_place, servers.relay_place):
            host, _, port = place.partition(":")
            socket.create_connection((host, int(port)), WAIT_S).close()
        process.send_signal(number)
        out, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == (130 if number == signal.SIGINT else 143)
    assert (out, err) == ("", "")
    assert [path.name for path in folder.iterdir()] == ["mailbox.sqlite"]


def test_people_are_told_what_their_players_type() -> None:
    with serving(*HERE) as process:
        assert said(process) == "Players name these servers:\n"
        assert said(process).startswith("  --mailbox ws://127.0.0.1:")
        assert said(process).startswith("  --relay tcp://127.0.0.1:")


def test_a_taken_port_is_said_to_be_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with serving("--listen", f"127.0.0.1:{port}", "--json") as process:
            out, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == 3
    assert json.loads(out)["code"] == 3
    assert "choose another port" in err


def test_without_the_servers_it_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['wormhole_mailbox_server'] = None\n"
        f"sys.argv = ['scopa', 'rendezvous', *{HERE!r}]\n"
        "from scopa_net.cli import main; main()"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    assert run.returncode == 1
    assert "pip install magic-wormhole-mailbox-server" in run.stderr
