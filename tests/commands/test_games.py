"""``scopa games``, over a home with real stores and records."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from protocol.audit import audit
from protocol.crypto.group import EDWARDS
from protocol.entry import read_entry
from protocol.step import EntryRow, SecretRow
from protocol.store import MatchStore
from protocol.text import SafeText
from scopa_net import HOME
from scopa_net.home import DATA_DIR, Home
from scopa_net.referee import open_match
from scopa_net.rules import Carried, find_variant
from scopa_net.summary import Summary, summarize
from tests.support import matches
from tests.support.command_line import Ran, scopa
from tests.support.forgeries import sign
from tests.support.matches import Played

played = partial(matches.played, suite=EDWARDS)

CANARY = b"canary-of-32-bytes-never-printed"
ACTS = 5


def summary_of(match: Played) -> Summary:
    return summarize(audit(match.record, EDWARDS, open_match).judge.course)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv(DATA_DIR, str(tmp_path / "data"))
    return Home(tmp_path / "data")


def kept(home: Home, match: Played) -> tuple[str, MatchStore]:
    """The match as the store of one seat has it, its entries in a causal order."""
    name, store = home.begin({}, [SecretRow("master", CANARY)])
    entries = [entry for chain in match.chains for entry in chain]
    store.commit([EntryRow(signed) for signed in entries])
    return name, store


def unfinished(home: Home) -> str:
    name, store = kept(home, played(acts_max=ACTS))
    store.close()
    return name


def at(home: Home, match: str, seconds: int) -> None:
    for path in home.folder.rglob(f"{match}*"):
        os.utime(path, (seconds, seconds))


def games(*words: str) -> Ran:
    ran = scopa("games", *words)
    assert "Traceback" not in ran.err
    assert "canary" not in ran.out + ran.err
    return ran


def test_nothing_kept_is_an_empty_list(home: Home) -> None:
    ran = games("list")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == f"There are no matches in {home.folder}.\n"
    assert games("list", "--json").answer["matches"] == []
    for words in (("show",), ("export", "file"), ("rm", "0" * 32)):
        ran = games(*words)
        assert (ran.code, ran.out) == (6, "")


def test_the_list_is_newest_first_and_opens_nothing(home: Home) -> None:
    match = played(acts_max=ACTS)
    first, store = kept(home, match)
    second = home.take_in(played().record, summary_of(played()))
    home.note(first, summary_of(match))
    at(home, first, 1000)
    at(home, second, 2000)
    found = games("list", "--json").answer
    assert (found["schema"], found["type"]) == (1, "matches")
    assert [one["id"] for one in found["matches"]] == [second, first]
    recorded, running = found["matches"]
    assert (running["unfinished"], running["process"]) == (True, os.getpid())
    assert (recorded["unfinished"], recorded["process"]) == (False, None)
    assert sorted(running["names"]) == ["ana", "bruno"]
    assert (running["score"], running["winner"]) == ([0, 0], None)
    text = games("list").out.splitlines()
    assert text[0].startswith(f"{second}  1970-01-01 ")
    assert f"open now (process {os.getpid()})" in games("list").out
    assert "scopa to 1: " in text[1]
    store.close()
    assert "  unfinished\n" in games("list").out


def test_every_field_of_a_match_is_documented(home: Home) -> None:
    match = unfinished(home)
    page = Path(HOME, "README.md").read_text("utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith("| `games list`")]
    (more,) = [line for line in page.splitlines() if line.startswith("| `games show`")]
    (told,) = games("list", "--json").answer["matches"]
    assert all(f"`{name}`" in row for name in told)
    shown = games("show", match, "--log", "--json").answer
    assert all(f"`{name}`" in row + more for name in shown.keys() - {"schema", "type"})
    assert all(f"`{name}`" in more for name in shown["log"][0])


def test_a_match_that_was_carried_on_says_where(home: Home) -> None:
    match = played(acts_max=ACTS)
    old, new = unfinished(home), unfinished(home)
    before = summary_of(match)
    assert before.standing is not None
    carried = Carried((4, 7), before.standing.table, before.standing.mark)
    lines = replace(find_variant("scopa"), carried=carried).lines()
    standing = replace(before.standing, rules=lines, table="0a" * 16)
    home.note(old, before)
    home.note(new, replace(before, scores=(4, 7), standing=standing))
    told = {one["id"]: one for one in games("list", "--json").answer["matches"]}
    assert (told[old]["carried"], told[old]["carried_on"]) == (None, new)
    assert (told[new]["carried"], told[new]["carried_on"]) == ([4, 7], None)
    text = games("list").out
    assert f"    carried on in {new}\n" in text
    assert "    carries on from 4 - 7 of an older match\n" in text
    assert games("show", old, "--json").answer["carried_on"] == new


def test_a_match_is_shown_with_its_score_its_turn_and_its_audit(home: Home) -> None:
    match = unfinished(home)
    found = games("show", "--json").answer
    assert (found["type"], found["id"]) == ("match", match)
    assert (found["ok"], found["wrong"], found["unfinished"]) == (True, None, True)
    assert found["turn"] in (0, 1)
    assert "log" not in found
    text = games("show", match[:6])
    assert text.code == 0
    assert f"    {found['names'][found['turn']]} to play\n" in text.out
    assert "    ok: " in text.out


def test_a_list_says_which_player_is_you(home: Home) -> None:
    match, found = unfinished(home), summary_of(played(acts_max=ACTS))
    home.note(match, found)
    (told,) = games("list", "--json").answer["matches"]
    assert told["own"] is None
    assert not home.key_file.exists()
    assert found.standing is not None
    for place in (0, 1):
        keys = list(found.standing.keys)
        keys[place] = home.identity().key.hex()
        mine = replace(found.standing, keys=tuple(keys))
        home.note(match, replace(found, standing=mine, turn=place))
        (told,) = games("list", "--json").answer["matches"]
        assert told["own"] == place
        lines = games("list").out.splitlines()[1:]
        tally = f"scopa to 1: you 0, {found.names[1 - place]} 0 after no deals"
        assert lines == [f"    {tally}", "    you to play"]


def test_a_finished_record_is_shown_alike(home: Home) -> None:
    record = home.folder.with_name("match.scopa")
    record.write_bytes(played(target=3).record)
    match = games("import", str(record)).out.strip()
    found = games("show", match, "--json").answer
    assert (found["ok"], found["unfinished"], found["turn"]) == (True, False, None)
    assert max(found["score"]) >= 3
    assert "    won by " in games("show").out
    assert "  finished\n" in games("list").out


def test_the_log_is_one_line_an_entry(home: Home) -> None:
    match = played(acts_max=ACTS)
    unfinished(home)
    entries = sum(len(chain) for chain in match.chains)
    log = games("show", "--log", "--json").answer["log"]
    assert len(log) == entries
    assert [one["kind"] for one in log[:4]] == ["table", "table", "coin", "coin"]
    assert sum(one["kind"] == "act" for one in log) == ACTS
    assert all((one["kind"] == "act") == (one["action"] is not None) for one in log)
    for name in ("ana", "bruno"):
        numbers = [one["number"] for one in log if one["name"] == name]
        assert numbers == list(range(len(numbers)))
    plain = games("show").out.splitlines()
    logged = games("show", "--log").out.splitlines()
    assert len(logged) == len(plain) + entries
    assert all(len(line) <= 88 for line in logged)


def test_a_match_that_is_open_is_shown_by_what_is_beside_it(home: Home) -> None:
    match, store = kept(home, played(acts_max=ACTS))
    ran = games("show", "--json")
    assert ran.code == 0
    assert (ran.answer["ok"], ran.answer["process"]) == (None, os.getpid())
    for words in (("show", "--log"), ("export", "new.scopa"), ("rm", match)):
        ran = games(*words)
        assert (ran.code, ran.out) == (4, "")
        assert "This match is open in this program already." in ran.err
    store.commit([])
    store.close()


def test_an_export_is_the_record_that_audits(home: Home, tmp_path: Path) -> None:
    unfinished(home)
    file = tmp_path / "match.scopa"
    assert games("export", str(file)) == (0, "", "")
    assert file.read_bytes() == played(acts_max=ACTS).record
    assert scopa("audit", str(file)).code == 0
    assert CANARY not in file.read_bytes()
    again = games("export", str(file))
    assert again.code == 2
    assert "exists already" in again.err


def test_the_match_and_the_file_of_an_export_can_both_be_named(
    home: Home, tmp_path: Path
) -> None:
    match = unfinished(home)
    home.take_in(played().record, summary_of(played()))
    file = tmp_path / "match.scopa"
    assert games("export", match, str(file)).code == 0
    assert file.read_bytes() == played(acts_max=ACTS).record
    assert games("export", match, match, str(file)).code == 2
    assert games("export").code == 2
    assert games("export", "f" * 32, str(tmp_path / "other")).code == 6


def test_a_match_of_which_nothing_is_signed_has_no_record(home: Home) -> None:
    _, store = home.begin({}, [SecretRow("master", CANARY)])
    store.close()
    assert "nothing has been signed" in games("show").out.lower()
    ran = games("export", "never")
    assert ran.code == 6
    assert not Path("never").exists()


def test_a_proven_fault_goes_into_the_export(home: Home, tmp_path: Path) -> None:
    match = played(acts_max=ACTS)
    last = read_entry(match.chains[0][-1])
    rival = sign(match.identities[0], replace(last, heads=bytes(32)))
    _, store = kept(home, match)
    store.commit([EntryRow(rival)])
    store.close()
    file = tmp_path / "match.scopa"
    assert games("export", str(file)).code == 0
    found = scopa("audit", str(file), "--json").answer
    assert found["fault"]["blame"] == "fork"
    ran = games("show", "--json")
    assert (ran.code, ran.answer["ok"], ran.answer["stopped"]) == (5, False, True)
    assert "signed two different entries" in ran.answer["wrong"]
    assert "not ok: " in games("show").out


def test_only_a_whole_id_is_removed(home: Home) -> None:
    match = unfinished(home)
    assert games("rm").code == 2
    assert games("rm", match[:31]).code == 6
    assert games("rm", f"../matches/{match}").code == 6
    assert games("rm", match) == (0, "", "")
    assert home.saved() == ()
    assert games("rm", match).code == 6


def test_a_record_is_checked_before_it_is_kept(home: Home, tmp_path: Path) -> None:
    record = played().record
    file = tmp_path / "match.scopa"
    middle = len(record) // 2
    for data, code in (
        (b"", 5),
        (b"no record", 4),
        (record[:middle], 5),
        (record[:middle] + bytes([record[middle] ^ 1]) + record[middle + 1 :], 5),
        (b"scopa-record 9\n" + record[15:], 4),
    ):
        file.write_bytes(data)
        ran = games("import", str(file))
        assert (ran.code, ran.out) == (code, "")
        assert ran.err.startswith(f"Error: {file}: ")
    for name in (tmp_path, tmp_path / "none", "\0", "/dev/zero"):
        assert games("import", str(name)).code == 6
    assert home.saved() == ()
    file.write_bytes(record)
    first = games("import", str(file))
    assert games("import", str(file)) == first
    assert [saved.id for saved in home.saved()] == [first.out.strip()]
    assert home.saved()[0].record is not None


def test_a_damaged_store_is_a_sentence_and_stays(home: Home) -> None:
    match = unfinished(home)
    path = home.folder / "matches" / f"{match}.sqlite"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    for words in (("show",), ("export", "never")):
        ran = games(*words)
        assert (ran.code, ran.out) == (1, "")
        assert "damaged" in ran.err
    assert path.read_bytes() == bytes(data)
    assert games("list").code == 0


def test_what_others_can_read_is_refused_with_the_remedy(home: Home) -> None:
    match = unfinished(home)
    path = home.folder / "matches" / f"{match}.sqlite"
    path.chmod(0o644)
    ran = games("show")
    assert ran.code == 1
    assert f"chmod 600 {path}" in ran.err
    assert json.loads(games("show", "--json").out)["type"] == "error"


def test_the_option_goes_before_the_variable(home: Home, tmp_path: Path) -> None:
    unfinished(home)
    other = tmp_path / "other"
    assert games("list", "--json", "--data-dir", str(other)).answer["matches"] == []
    file = tmp_path / "file"
    file.touch()
    ran = games("import", str(file), "--data-dir", str(file))
    assert ran.code != 0


def test_a_name_that_the_terminal_lacks_is_shown_as_well_as_it_can(home: Home) -> None:
    match = unfinished(home)
    found = summary_of(played(acts_max=ACTS))
    home.note(match, replace(found, names=(SafeText("Zoë"), SafeText("名前"))))
    ran = subprocess.run(
        [sys.executable, "-m", "scopa_net", "games", "list"],
        cwd=HOME,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        encoding="latin-1",
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Zoë 0, ?? 0" in ran.stdout
