"""``scopa join``, as far as it goes before anybody is called."""

from pathlib import Path

import pytest

from scopa_net.exits import Exit
from scopa_net.home import DATA_DIR
from tests.support.command_line import scopa

SERVERS = ("--mailbox", "ws://127.0.0.1:1", "--relay", "tcp:127.0.0.1:1")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DATA_DIR, str(tmp_path / "data"))


@pytest.mark.parametrize(
    ("where", "says"),
    [
        (("7-hamburger",), "like 7-hamburger-spindle"),
        (("scopa", "join", "7-hamburger."), "like 7-hamburger-spindle"),
        (("192.168.1.5",), "HOST:PORT"),
        (("<192.168.1.5>.",), "HOST:PORT"),
        (("scopa join",), "HOST:PORT"),
        (("scopa://192.168.1.5:4000/x/y.",), "key of the host"),
        (("<scopa://192.168.1.5:4000/x>",), "a part of this one is missing"),
    ],
)
def test_what_leads_nowhere_is_a_usage_error_that_says_how_it_reads(
    where: tuple[str, ...], says: str
) -> None:
    ran = scopa("join", *where, *SERVERS)
    assert (ran.code, ran.out) == (Exit.USAGE, "")
    assert says in ran.err


def test_to_watch_a_pasted_invitation_is_read_alike() -> None:
    ran = scopa("join", "--watch", "Look: <scopa://192.168.1.5:4000/x/y>.")
    assert (ran.code, ran.out) == (Exit.USAGE, "")
    assert "key of the host" in ran.err
