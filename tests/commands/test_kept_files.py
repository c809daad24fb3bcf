"""Every file of the data folder, spoilt in every way: a sentence, and never a wait."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from protocol.step import SecretRow
from protocol.text import SafeText
from scopa_net.acquaintances import Acquaintance
from scopa_net.exits import Exit
from scopa_net.home import DATA_DIR, Home
from scopa_net.settings import settle
from scopa_net.summary import Summary
from tests.support.command_line import scopa

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="no modes and no named pipes there"
)

ADA: Final = Acquaintance(SafeText("Ada"), b"a" * 32, 86_400)
SUMMARY: Final = Summary(
    variant=SafeText("scopa"),
    target=11,
    names=(SafeText("ana"), SafeText("bruno")),
    seated=True,
    scores=(3, 1),
    deals=1,
    turn=1,
    winner=None,
    confirmed=False,
    stopped=False,
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home that has each file there can be."""
    monkeypatch.setenv(DATA_DIR, str(tmp_path / "data"))
    monkeypatch.delenv("SCOPA_NAME", raising=False)
    home = Home(tmp_path / "data")
    home.identity()
    home.know((ADA,))
    settle(home.folder / "settings.toml", "name", "Ada")
    match, store = home.begin({"nonce": bytes(32)}, [SecretRow("master", bytes(32))])
    store.close()
    home.note(match, SUMMARY)
    home.finish("f" * 32, b"scopa-record 1\n...", SUMMARY)
    return home


# -- what may have become of a file ---------------------------------------------


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


def a_link_to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nothing"))


def no_text(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00?")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def nested_without_end(path: Path) -> None:
    path.write_bytes(b"name=" + b"[" * 60_000)


def a_file_too_long(path: Path) -> None:
    path.write_bytes(b"#" * (2 << 20))


SPOILT: Final = (
    a_folder,
    a_pipe,
    a_link_to_nothing,
    no_text,
    empty,
    nested_without_end,
    a_file_too_long,
)

KEPT: Final = {
    "identity.key": ("identity",),
    "known.json": ("identity", "known"),
    "settings.toml": ("config", "list"),
}
"""What each file is read by, which cannot do without it."""


@pytest.mark.parametrize("spoil", SPOILT)
@pytest.mark.parametrize("name", KEPT)
def test_a_spoilt_file_is_named_with_what_to_do(
    home: Home, name: str, spoil: Callable[[Path], None]
) -> None:
    path = home.folder / name
    spoil(path)
    ran = scopa(*KEPT[name])
    if name == "settings.toml" and spoil in (empty, a_link_to_nothing):
        # Nothing is settled there, which is no fault; and it may be a link.
        assert ran.code == Exit.DONE
        return
    assert (ran.code, ran.out) == (Exit.FAILURE, "")
    assert str(path) in ran.err
    assert "move it away" in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("name", ["identity.key", "known.json"])
def test_what_others_can_read_is_named_with_the_remedy(home: Home, name: str) -> None:
    path = home.folder / name
    path.chmod(0o644)
    ran = scopa(*KEPT[name])
    assert (ran.code, ran.out) == (Exit.FAILURE, "")
    assert f"chmod 600 {path}" in ran.err


@pytest.mark.parametrize("spoil", SPOILT)
def test_whatever_became_of_the_files_of_matches_each_command_ends_with_a_sentence(
    home: Home, spoil: Callable[[Path], None]
) -> None:
    names = [path.relative_to(home.folder) for path in home.folder.glob("*/*")]
    assert len(names) == 5
    for name in names:
        path = home.folder / name
        kept = path.read_bytes()
        spoil(path)
        for words in (
            ("games", "list"),
            ("games", "show"),
            ("games", "show", "f" * 32),
        ):
            ran = scopa(*words)
            assert ran.code in set(Exit) - {Exit.USAGE, Exit.NETWORK}, ran
            assert ran.code == 0 or "rror: " in ran.err or "wrong" in ran.out
        assert path.is_symlink() or os.path.lexists(path)
        if path.is_dir():
            path.rmdir()
        path.unlink(missing_ok=True)
        path.write_bytes(kept)
        path.chmod(0o600)


@pytest.mark.parametrize("name", ["matches", "finished"])
def test_a_file_where_a_folder_should_be_is_named(home: Home, name: str) -> None:
    path = home.folder / name
    path.rename(home.folder / "elsewhere")
    path.write_bytes(b"")
    ran = scopa("games", "list")
    assert (ran.code, ran.out) == (Exit.FAILURE, "")
    assert str(path) in ran.err
    assert "--data-dir" in ran.err
