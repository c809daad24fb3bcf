import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from protocol.step import SecretRow
from protocol.store import StoreLocked, StoreMissing
from protocol.text import SafeText
from scopa_net import HOME
from scopa_net.acquaintances import KNOWN_BYTES_MAX, Acquaintance
from scopa_net.home import (
    DATA_DIR,
    Home,
    HomeExposed,
    HomeFailed,
    HomeProblem,
    KeyDamaged,
    KnownDamaged,
    MatchMissing,
    bot_folder,
    find_home,
    settings_file,
    short_id,
)
from scopa_net.rules import Carried, find_variant
from scopa_net.summary import Standing, Summary

ADA = Acquaintance(SafeText("ada"), bytes(32), 5)
RECORD = b"scopa-record 1\n..."
SUMMARY = Summary(
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
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "data")


@pytest.fixture
def any_umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def begun(home: Home) -> str:
    match, store = home.begin({"nonce": bytes(32)}, [SecretRow("master", bytes(32))])
    store.close()
    return match


def at(path: Path, seconds: int) -> None:
    for each in path.parent.glob(f"{path.stem}*"):
        os.utime(each, (seconds, seconds))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# -- where it is ----------------------------------------------------------------


def test_an_option_goes_before_the_variable_and_that_before_the_system() -> None:
    named = {DATA_DIR: "/from/variable"}
    assert find_home(Path("/from/option"), named).folder == Path("/from/option")
    assert find_home(None, named).folder == Path("/from/variable")
    usual = find_home(None, {}).folder
    assert usual.name == "scopa-net"
    assert find_home(None, {DATA_DIR: ""}).folder == usual


def test_settings_are_in_a_home_that_is_named_or_where_the_system_has_them() -> None:
    named = {DATA_DIR: "/from/variable"}
    file = "settings.toml"
    assert settings_file(Path("/from/option"), named) == Path("/from/option", file)
    assert settings_file(None, named) == Path("/from/variable", file)
    assert settings_file(None, {}).parent.name == "scopa-net"


def test_a_folder_may_be_named_from_where_one_is() -> None:
    assert find_home(Path("here")).folder == Path.cwd() / "here"
    assert find_home(Path("~/scopa")).folder == Path.home() / "scopa"


def test_to_look_makes_nothing(home: Home) -> None:
    assert home.saved() == ()
    with pytest.raises(MatchMissing):
        home.newest()
    assert not home.folder.exists()


# -- the key --------------------------------------------------------------------


def test_the_identity_is_drawn_once(home: Home) -> None:
    first = home.identity()
    assert home.identity().key == first.key
    assert Home(home.folder).identity().key == first.key
    assert Home(home.folder.with_name("other")).identity().key != first.key


def test_two_that_ask_at_once_get_the_same_identity(home: Home) -> None:
    script = (
        "import sys; from pathlib import Path; from scopa_net.home import Home\n"
        "print(Home(Path(sys.argv[1])).identity().key.hex())"
    )
    asked = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(home.folder)],
            cwd=HOME,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    keys = {process.communicate()[0].strip() for process in asked}
    assert keys == {home.identity().key.hex()}
    assert [one.name for one in home.folder.iterdir()] == ["identity.key"]


@pytest.mark.parametrize("any_umask", [0o000, 0o077, 0o022], indirect=True)
@pytest.mark.usefixtures("any_umask")
def test_all_that_is_kept_is_its_owners_alone(home: Home) -> None:
    home.identity()
    home.know((ADA,))
    match = begun(home)
    home.note(match, SUMMARY)
    home.finish(match, RECORD, SUMMARY)
    modes = {path: mode(path) for path in (home.folder, *home.folder.rglob("*"))}
    assert len(modes) == 10
    for path, found in modes.items():
        assert found == (0o700 if path.is_dir() else 0o600), path


def test_a_key_that_others_can_read_is_refused_with_the_remedy(home: Home) -> None:
    home.identity()
    path = home.folder / "identity.key"
    path.chmod(0o644)
    with pytest.raises(HomeExposed, match=f"chmod 600 {path}"):
        home.identity()
    path.chmod(0o400)
    home.identity()


def test_a_key_file_that_was_damaged_becomes_no_other_key(home: Home) -> None:
    home.identity()
    path = home.folder / "identity.key"
    data = path.read_bytes()
    for at_ in range(len(data)):
        path.write_bytes(data[:at_] + bytes([data[at_] ^ 1]) + data[at_ + 1 :])
        with pytest.raises(KeyDamaged):
            home.identity()
    for left in (b"", data[:-1], data + b"\n"):
        path.write_bytes(left)
        with pytest.raises(KeyDamaged) as raised:
            home.identity()
        assert data[12:30].decode() not in str(raised.value)
    path.write_bytes(data)
    home.identity()


def test_a_key_that_is_a_link_is_not_followed(home: Home) -> None:
    home.identity()
    path = home.folder / "identity.key"
    elsewhere = path.rename(home.folder.with_name("elsewhere"))
    path.symlink_to(elsewhere)
    with pytest.raises(HomeProblem):
        home.identity()


def test_known_players_are_those_that_were_remembered_last(home: Home) -> None:
    assert home.known() == ()
    assert not home.folder.exists()
    home.know((ADA, replace(ADA, name=SafeText("bea"))))
    home.know((ADA,))
    assert Home(home.folder).known() == (ADA,)


def test_known_players_that_others_can_see_are_refused_with_the_remedy(
    home: Home,
) -> None:
    home.know((ADA,))
    path = home.folder / "known.json"
    path.chmod(0o644)
    with pytest.raises(HomeExposed, match=f"chmod 600 {path}"):
        home.known()


def test_damage_to_the_known_players_forgets_nobody(home: Home) -> None:
    home.know((ADA,))
    path = home.folder / "known.json"
    for data in (b"", path.read_bytes()[:-9], bytes(KNOWN_BYTES_MAX + 1)):
        path.write_bytes(data)
        with pytest.raises(KnownDamaged, match="move it away"):
            home.known()


def test_folders_of_others_are_refused_with_the_remedy(home: Home) -> None:
    match = begun(home)
    home.folder.chmod(0o777)
    with pytest.raises(HomeExposed, match=f"chmod go-w {home.folder}"):
        home.identity()
    home.folder.chmod(0o755)
    home.identity()
    matches = home.folder / "matches"
    matches.chmod(0o750)
    with pytest.raises(HomeExposed, match=f"chmod 700 {matches}"):
        home.open(match)
    with pytest.raises(HomeExposed, match=f"chmod 700 {matches}"):
        begun(home)


def test_whether_others_can_get_at_it_is_seen_without_making_anything(
    home: Home,
) -> None:
    home.check()
    assert not home.folder.exists()
    home.folder.mkdir(mode=0o755)
    home.check()
    assert list(home.folder.iterdir()) == []
    home.folder.chmod(0o777)
    with pytest.raises(HomeExposed, match=f"chmod go-w {home.folder}"):
        home.check()
    home.folder.chmod(0o700)
    begun(home)
    matches = home.folder / "matches"
    matches.chmod(0o755)
    with pytest.raises(HomeExposed, match=f"chmod 700 {matches}"):
        home.check()


def test_a_folder_that_cannot_be_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for folder in (file, file / "below", Path("/proc/none")):
        for use in (Home.identity, begun):
            with pytest.raises(HomeFailed, match="cannot be used as a data folder"):
                use(Home(folder))


# -- matches --------------------------------------------------------------------


def test_the_newest_is_gone_on_with_be_it_a_table_that_has_not_begun(
    home: Home,
) -> None:
    begun, store = home.begin({})
    store.close()
    home.note(begun, SUMMARY)
    empty, store = home.begin({})
    store.close()
    assert [saved.id for saved in home.saved()] == [empty, begun]
    assert home.newest(unfinished=True).id == empty
    home.remove(empty)
    assert home.newest(unfinished=True).id == begun


def test_a_match_that_was_carried_on_is_not_gone_on_with(home: Home) -> None:
    old, new = begun(home), begun(home)
    table, mark = "0a" * 16, "0b" * 16
    variant = find_variant("scopa")
    standing = Standing(variant.lines(), table, mark, ("00" * 32,), blamed=False)
    home.note(old, replace(SUMMARY, standing=standing))
    assert home.newest(unfinished=True).id == old
    rules = replace(variant, carried=Carried((3, 1), table, mark)).lines()
    later = replace(standing, rules=rules, table="0c" * 16)
    home.note(new, replace(SUMMARY, standing=later))
    os.utime(home.folder / "matches" / f"{new}.json", (1000, 1000))
    os.utime(home.folder / "matches" / f"{new}.sqlite", (1000, 1000))
    assert home.newest().id == old
    assert home.newest(unfinished=True).id == new
    home.finish(new, RECORD, replace(SUMMARY, standing=later))
    with pytest.raises(MatchMissing):
        home.newest(unfinished=True)
    assert home.find(old).unfinished


def test_the_newest_match_is_listed_first(home: Home) -> None:
    ids = [begun(home) for _ in range(3)]
    for number, match in enumerate(ids):
        at(home.folder / "matches" / f"{match}.sqlite", 1000 + number)
    assert [saved.id for saved in home.saved()] == ids[::-1]
    assert home.newest().id == ids[2]
    home.note(ids[0], SUMMARY)
    assert home.newest().id == ids[0]
    assert home.newest().summary == SUMMARY


def test_a_match_that_is_finished_is_not_gone_on_with(home: Home) -> None:
    first, second = begun(home), begun(home)
    path = home.finish(second, RECORD, SUMMARY)
    assert path.read_bytes() == RECORD
    assert home.newest().id == second
    assert home.newest(unfinished=True).id == first
    found = home.find(second)
    assert (found.store is not None, found.record, found.unfinished) == (
        True,
        path,
        False,
    )
    home.discard(second)
    found = home.find(second)
    assert (found.store, found.record, found.summary) == (None, path, SUMMARY)
    with pytest.raises(StoreMissing):
        home.open(second)
    home.discard(first)
    with pytest.raises(MatchMissing, match="no unfinished match"):
        home.newest(unfinished=True)


def test_the_bots_of_a_match_go_with_its_store(home: Home) -> None:
    kept, gone = begun(home), begun(home)
    bots = [
        bot_folder(home.folder / "matches" / f"{match}.sqlite", 1)
        for match in (kept, gone)
    ]
    for folder in bots:
        Home(folder).identity()
    home.discard(gone)
    assert [folder.exists() for folder in bots] == [True, False]
    assert not bots[1].parent.exists()
    assert [saved.id for saved in home.saved()] == [kept]


def test_a_list_says_what_is_open_and_opens_nothing(home: Home) -> None:
    match, store = home.begin({})
    home.note(match, SUMMARY)
    assert home.find(match).process == os.getpid()
    assert home.find(match).summary == SUMMARY
    with pytest.raises(StoreLocked):
        home.open(match)
    with pytest.raises(StoreLocked):
        home.remove(match)
    store.close()
    assert home.find(match).process is None
    home.open(match).close()


def test_a_match_is_found_by_the_beginning_of_its_id(home: Home) -> None:
    match = begun(home)
    for pasted in (match[:8].upper(), f"{match[:8]}.", f"scopa resume {match[:8]}"):
        assert home.find(pasted).id == match
    for text in (match[:3], match + "0", "", "../identity", "zzzz"):
        with pytest.raises(MatchMissing):
            home.find(text)


def test_as_much_of_an_id_is_shown_as_finds_the_match(home: Home) -> None:
    ids = ("ab" * 16, "ab" * 5 + "c" * 22, "0" * 32)
    for match in ids:
        home.begin({}, match=match)[1].close()
    shown = [short_id(match, home.saved()) for match in ids]
    assert shown == ["ab" * 5 + "a", "ab" * 5 + "c", "0" * 8]
    assert [home.find(short).id for short in shown] == list(ids)
    with pytest.raises(MatchMissing, match="games list"):
        home.find("abab")


def test_what_is_removed_leaves_nothing(home: Home) -> None:
    match, other = begun(home), begun(home)
    home.note(match, SUMMARY)
    home.finish(match, RECORD, SUMMARY)
    for text in (match[:8], "../identity", ""):
        with pytest.raises(MatchMissing):
            home.remove(text)
    home.remove(match)
    left = {path.name for path in home.folder.rglob("*") if path.is_file()}
    assert left == {f"{other}.sqlite", f"{other}.sqlite-lock"}


def test_a_record_from_elsewhere_is_kept_once(home: Home) -> None:
    match = home.take_in(RECORD, SUMMARY)
    assert home.take_in(RECORD, SUMMARY) == match
    assert home.take_in(RECORD + b".", SUMMARY) != match
    assert len(home.saved()) == 2
    assert not home.find(match).unfinished


def test_other_files_in_the_folders_are_none_of_ours(home: Home) -> None:
    match = begun(home)
    folder = home.folder / "matches"
    for name in ("notes.txt", "A" * 32 + ".sqlite", f"{match}.sqlite-new", ".sqlite"):
        (folder / name).touch()
    (folder / f"{'0' * 32}.sqlite").symlink_to(folder / "notes.txt")
    (folder / f"{'1' * 32}.sqlite").mkdir()
    assert [saved.id for saved in home.saved()] == [match]


def test_a_summary_that_cannot_be_read_is_missing_and_no_more(home: Home) -> None:
    match = begun(home)
    home.note(match, SUMMARY)
    path = home.folder / "matches" / f"{match}.json"
    path.write_bytes(b"\xff" * 100_000)
    assert home.find(match).summary is None
