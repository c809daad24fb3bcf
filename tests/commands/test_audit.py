"""``scopa audit``, with matches dealt by the suite that the program uses."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest

from protocol.archive import ARCHIVE_BYTES_MAX, HEADER, write_archive
from protocol.crypto.group import EDWARDS
from protocol.entry import WIRE_VERSION, Kind, read_entry
from protocol.roster import read_terms
from scopa_net import HOME
from scopa_net.events import DealScored, MatchWon
from scopa_net.rules import Carried, find_variant
from tests.protocol.test_audit_blame import shuffles_and_proves_with_another_seed
from tests.support import matches
from tests.support.command_line import Ran, scopa
from tests.support.forgeries import Forgery
from tests.support.small_group import SMALL

played = partial(matches.played, suite=EDWARDS)


@pytest.fixture
def audited(tmp_path: Path) -> "Auditor":
    return Auditor(tmp_path / "match.scopa")


class Auditor:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self, data: bytes, *options: str) -> Ran:
        self.path.write_bytes(data)
        return scopa("audit", str(self.path), *options)


def names_by_place(match: matches.Played) -> list[str]:
    won = match.events[-1]
    assert isinstance(won, MatchWon)
    return list(won.names)


def test_a_finished_match_is_ok_and_its_score_is_told(audited: Auditor) -> None:
    match = played(target=3)
    ran = audited(match.record, "--json")
    assert (ran.code, ran.err) == (0, "")
    found = ran.answer
    assert (found["schema"], found["type"]) == (1, "audit")
    assert (found["ok"], found["finished"]) == (True, True)
    assert (found["variant"], found["players"], found["target"]) == ("scopa", 2, 3)
    assert found["fingerprint"] == match.variant.fingerprint.hex()
    won = match.events[-1]
    assert isinstance(won, MatchWon)
    assert found["names"] == list(won.names)
    assert found["score"] == list(won.scores)
    assert (found["winner"], found["deals"]) == (won.winner, won.deals)
    scored = [e for e in match.events if isinstance(e, DealScored)]
    told = [
        {key: one[key] for key in one if key not in {"deck", "last_play", "signed"}}
        for one in found["verdicts"]
    ]
    assert told == [
        {
            "deal": event.deal,
            "points": [dict(side.points) for side in event.sides],
            "score": list(event.scores),
            "proven": True,
            "replayed": True,
        }
        for event in scored
    ]
    assert not {"fault", "damage", "disagreement"} & found.keys()


def test_people_read_who_played_what_and_who_won(audited: Auditor) -> None:
    match = played(target=3)
    ran = audited(match.record)
    first, *lines = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert first.startswith("ok: ")
    assert lines[0] == "game     scopa, 2 players, to 3 points"
    assert lines[1] == f"seats    {', '.join(names_by_place(match))}"
    won = match.events[-1]
    assert isinstance(won, MatchWon)
    assert won.winner is not None
    score = " : ".join(map(str, won.scores))
    assert lines[-1] == f"winner   {won.names[won.winner]}, {score}"
    assert len(lines) == 8 + won.deals


def test_every_verdict_names_the_entries_that_it_stands_on(audited: Auditor) -> None:
    match = played(target=3)
    found = audited(match.record, "--json").answer
    entries = [read_entry(one) for chain in match.chains for one in chain]
    signed = {entry.id.hex(): entry for entry in entries}
    names = names_by_place(match)
    for verdict in found["verdicts"]:
        assert signed[verdict["last_play"]].kind == Kind.ACT
        assert sorted(one["seat"] for one in verdict["signed"]) == [0, 1]
        for one in verdict["signed"]:
            entry = signed[one["hash"]]
            assert (entry.kind, entry.seq) == (Kind.VERDICT, one["entry"])
            assert entry.body[0] == verdict["deck"]  # type: ignore[index]
            assert match.terms.names[entry.seat] == names[one["seat"]]
    last = [signed[head] for head in found["heads"]]
    assert [match.terms.names[entry.seat] for entry in last] == names
    assert [len(match.chains[e.seat]) for e in last] == [e.seq + 1 for e in last]


def test_it_tells_in_plain_words_what_was_checked(audited: Auditor) -> None:
    match = played(target=3)
    out = audited(match.record).out
    acts = sum(1 for _ in Forgery(match).entries(Kind.ACT))
    total = sum(map(len, match.chains))
    won = match.events[-1]
    assert isinstance(won, MatchWon)
    decks = won.deals
    for line in (
        f"entries  {total}, each signed by its seat, in chains without a gap",
        f"cards    {40 * decks} opened, each with a proven share of every seat",
        f"moves    {acts}, each in turn, with a card of its seat, by the rules",
        f"decks    {decks} of {decks} made again from all seeds, the same",
    ):
        assert f"\n{line}\n" in out


def test_a_deal_that_is_not_over_is_not_said_to_be_made_again(audited: Auditor) -> None:
    out = audited(played(acts_max=3).record).out
    assert "\ndecks    1 not finished" in out
    assert "made again" not in out
    assert "\nmoves    3, each in turn" in out


def test_it_says_that_the_proofs_of_the_shuffles_were_checked(audited: Auditor) -> None:
    match = played(target=3)
    ran = audited(match.record)
    assert "every shuffle that cards were dealt from is proven" in ran.out
    proofs = sum(1 for _ in Forgery(match).entries(Kind.PROOF))
    assert f"\nshuffles {proofs}, each proven: " in ran.out
    found = audited(match.record, "--json").answer["shuffles"]
    assert found == {"made": proofs, "proven": proofs}


def test_a_shuffle_whose_proof_is_not_there_yet_is_not_counted_as_proven(
    audited: Auditor,
) -> None:
    forgery = Forgery(played(acts_max=0))
    last = [e for e in forgery.entries(Kind.PROOF) if e.body[0] == 0][-1]  # type: ignore[index]
    forgery.forget(last)
    forgery.chains[last.seat].pop()
    ran = audited(forgery.written())
    assert ran.code == 0
    assert "shuffles 2, 1 of them proven; no card was dealt from the others" in ran.out
    found = audited(forgery.written(), "--json").answer
    assert found["shuffles"] == {"made": 2, "proven": 1}


def test_a_false_proof_names_its_seat_in_plain_words(audited: Auditor) -> None:
    forgery = Forgery(played(acts_max=0))
    old = next(forgery.entries(Kind.PROOF))
    forgery.change(old, lambda body: (*body[:2], bytes(len(body[2]))))
    name = played(acts_max=0).terms.names[old.seat]
    ran = audited(forgery.written())
    sentence = f"{name} gave a shuffle whose proof does not hold"
    assert ran.code == 5
    assert ran.out.startswith(f"not ok: {sentence}: entry {old.seq}.")


def test_sides_of_two_win_together(audited: Auditor) -> None:
    match = played(players=4)
    won = match.events[-1]
    assert isinstance(won, MatchWon)
    assert won.winner is not None
    pair = f"{won.names[won.winner]} and {won.names[won.winner + 2]}"
    assert f"winner   {pair}, " in audited(match.record).out


def test_an_unfinished_match_is_ok_and_not_finished(audited: Auditor) -> None:
    record = played(acts_max=3).record
    found = audited(record, "--json")
    assert (found.code, found.err) == (0, "")
    answer = found.answer
    assert (answer["ok"], answer["finished"]) == (True, False)
    assert (answer["deals"], answer["verdicts"], answer["winner"]) == (0, [], None)
    assert "nobody yet" in audited(record).out


def test_a_score_that_is_carried_on_is_told(audited: Auditor) -> None:
    carried = Carried((4, 7), "0a" * 16, "0b" * 16)
    variant = replace(find_variant("scopa"), carried=carried)
    local, _ = matches.new_table(variant, suite=EDWARDS)
    matches.play(local, luck=Random(1), acts_max=2)
    record = write_archive(local.seats[0].chains())
    found = audited(record, "--json").answer
    assert (found["ok"], found["carried"], found["score"]) == (True, [4, 7], [4, 7])
    assert "carries  4 : 7, of an older match" in audited(record).out


def test_a_record_from_before_anybody_had_a_place_is_ok(audited: Auditor) -> None:
    forgery = Forgery(played(acts_max=0))
    for chain in forgery.chains:
        del chain[1:]
    found = audited(forgery.written(), "--json").answer
    assert (found["ok"], found["finished"]) == (True, False)
    assert sorted(found["names"]) == ["ana", "bruno"]


def test_a_match_that_not_every_seat_confirmed_says_so(audited: Auditor) -> None:
    forgery = Forgery(played())
    forgery.chains[forgery.last_author].pop()
    ran = audited(forgery.written())
    assert ran.code == 0
    assert ran.out.endswith(", not confirmed by every seat\n")
    assert audited(forgery.written(), "--json").answer["finished"] is False


def test_a_flipped_byte_is_damage_at_an_entry_without_blame(audited: Auditor) -> None:
    match = played()
    forgery = Forgery(match)
    old = forgery.entry(1, 5)
    at = match.record.index(old.signed.encoded) + 100
    data = match.record
    data = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
    name = match.terms.names[1]
    ran = audited(data)
    sentence = f"damaged at {name}'s entry 5: it is not what was signed."
    assert (ran.code, ran.err) == (5, "")
    assert ran.out.splitlines()[0] == f"not ok: {sentence}"
    ran = audited(data, "--json")
    found = ran.answer
    assert ran.code == 5
    assert ran.err == f"{audited.path}: {sentence}\n"
    assert (found["ok"], found["finished"]) == (False, False)
    assert "fault" not in found
    assert found["damage"] == {
        "seat": names_by_place(match).index(name),
        "name": name,
        "entry": 5,
        "message": sentence,
    }


def test_a_false_entry_names_its_seat_and_why(audited: Auditor) -> None:
    match = played()
    forgery = Forgery(match)
    old = list(forgery.entries(Kind.REVEAL))[-1]
    forgery.change(old, lambda body: (body[0], bytes(32), body[2]))
    name = match.terms.names[1]
    sentence = (
        f"{name} revealed another seed than the one it had committed to: "
        f"entry {old.seq}."
    )
    ran = audited(forgery.written())
    assert ran.code == 5
    assert ran.out.splitlines()[0] == f"not ok: {sentence}"
    found = audited(forgery.written(), "--json").answer
    assert (found["ok"], found["finished"]) == (False, False)
    assert found["fault"] == {
        "seat": names_by_place(match).index(name),
        "name": name,
        "blame": "cheat",
        "reason": "wrong_seed",
        "entry": old.seq,
        "message": sentence,
        "signed": [
            {
                "seat": names_by_place(match).index(name),
                "entry": old.seq,
                "hash": forgery.entry(old.seat, old.seq).id.hex(),
            }
        ],
    }
    assert found["faults"] == [found["fault"]]
    assert not {"damage", "late"} & found.keys()
    assert len(found["verdicts"]) == 1


def test_what_is_signed_after_the_end_takes_no_win_away(audited: Auditor) -> None:
    # F8: the loser could else spoil every record of a match that it has lost.
    match = played()
    name = match.terms.names[1]
    forgery = Forgery(match)
    old = list(forgery.entries(Kind.VERDICT))[-1]
    forgery.add(1, Kind.VERDICT, (old.body[0], bytes(16), ()))  # type: ignore[index]
    ran = audited(forgery.written())
    sentence = (
        f"{name} signed a second answer where only one is allowed: entry {old.seq + 1}."
    )
    assert ran.code == 0
    first, *_, winner, late = ran.out.splitlines()
    assert first.startswith("ok: ")
    assert winner.startswith("winner ")
    assert "not confirmed" not in winner
    assert late == f"late     {sentence} It takes nothing away from the result."
    found = audited(forgery.written(), "--json").answer
    assert (found["ok"], found["finished"]) == (True, True)
    assert [one["message"] for one in found["late"]] == [sentence]
    assert not {"fault", "faults", "damage"} & found.keys()


def test_a_result_that_is_denied_stands_and_is_not_confirmed(audited: Auditor) -> None:
    # F8, X5: the score that everybody can calculate counts.
    match = played()
    forgery = Forgery(match)
    old = max(forgery.entries(Kind.VERDICT), key=lambda entry: sum(entry.seen))
    name = match.terms.names[old.seat]
    forgery.change(old, lambda body: (body[0], bytes(16), body[2]))
    ran = audited(forgery.written())
    assert ran.code == 0
    *_, winner, late = ran.out.splitlines()
    assert winner.endswith(", not confirmed by every seat")
    assert late.startswith(f"late     {name} signed a result that does not follow")
    found = audited(forgery.written(), "--json").answer
    assert (found["ok"], found["finished"]) == (True, False)
    won = match.events[-1]
    assert isinstance(won, MatchWon)
    assert found["score"] == list(won.scores)
    (lie,) = found["late"]
    assert (lie["name"], lie["blame"], lie["reason"]) == (name, "rule", "wrong_verdict")


def test_a_deck_that_is_not_that_of_its_seeds_makes_nobody_a_winner(
    audited: Auditor,
) -> None:
    run = shuffles_and_proves_with_another_seed
    match = played(players=3, target=1, run=run)
    ran = audited(match.record)
    assert ran.code == 5
    *_, decks, deal, winner = ran.out.splitlines()
    assert decks == "decks    1 not what its seeds say"
    assert deal.endswith(", not replayed")
    assert winner == "winner   nobody: the match was stopped"
    found = audited(match.record, "--json").answer
    assert (found["ok"], found["winner"]) == (False, None)


def test_a_match_that_a_cheat_has_stopped_is_not_said_to_go_on(
    audited: Auditor,
) -> None:
    forgery = Forgery(played(acts_max=3))
    old = list(forgery.entries(Kind.ACT))[-1]
    forgery.change(old, lambda body: (*body[:5], bytes(16)))
    ran = audited(forgery.written())
    assert ran.code == 5
    assert ran.out.endswith("\nwinner   nobody: the match was stopped\n")


def test_what_is_not_there_yet_is_not_said_to_be_checked(audited: Auditor) -> None:
    forgery = Forgery(played(acts_max=0))
    for chain in forgery.chains:
        del chain[2:]
    out = audited(forgery.written()).out
    for what in ("shuffles", "cards   ", "moves   ", "decks   "):
        assert f"\n{what} none yet\n" in out


def test_a_broken_rule_is_told_in_the_words_of_the_game(audited: Auditor) -> None:
    forgery = Forgery(played())
    for entry in forgery.entries(Kind.ACT):
        assert isinstance(entry.body, tuple)
        if entry.body[4] != (0, ()):
            break
    forgery.change(entry, lambda body: (*body[:4], (0, ()), body[5]), follow=True)
    ran = audited(forgery.written())
    assert ran.code == 5
    assert "made a move that the rules do not allow (" in ran.out
    assert "may not be laid: it takes" in ran.out


def test_seats_that_disagree_stop_the_match_without_blame(audited: Auditor) -> None:
    forgery = Forgery(played(acts_max=0))
    old = next(e for e in forgery.entries(Kind.READY) if e.seat == 1)
    forgery.forget(old)
    forgery.change(old, lambda body: (body[0], bytes(32)))
    ran = audited(forgery.written(), "--json")
    assert ran.code == 5
    assert ran.answer["ok"] is False
    disagreement = ran.answer["disagreement"]
    assert disagreement["deck"] == 0
    said = {one["seat"]: one["hash"] for one in disagreement["signed"]}
    readies = [e for e in forgery.entries(Kind.READY) if e.body[0] == 0]  # type: ignore[index]
    assert set(said.values()) == {entry.id.hex() for entry in readies}
    assert not {"fault", "damage"} & ran.answer.keys()
    assert "the seats do not agree on what deck 0 is dealt for" in ran.err


@pytest.mark.parametrize(
    "data",
    [b"", HEADER[:7], HEADER, HEADER + b"\0\0", write_archive(()), HEADER + bytes(99)],
)
def test_a_file_with_nothing_left_in_it_is_damaged(
    audited: Auditor, data: bytes
) -> None:
    ran = audited(data)
    assert (ran.code, ran.err) == (5, "")
    assert ran.out.startswith("not ok: ")
    assert ran.out.count("\n") == 1
    ran = audited(data, "--json")
    found = ran.answer
    assert (ran.code, found["ok"], found["deals"]) == (5, False, 0)
    assert found["damage"]["seat"] is None
    assert found["damage"]["message"] in ran.err


@pytest.mark.parametrize("version", [WIRE_VERSION - 1, WIRE_VERSION + 1])
def test_a_record_of_another_version_is_foreign(version: int, audited: Auditor) -> None:
    ran = audited(b"scopa-record %d\n" % version + bytes(100))
    assert (ran.code, ran.out) == (4, "")
    assert ran.err.count("\n") == 1
    assert "written by a program of another version" in ran.err


def test_another_kind_of_file_is_foreign_in_json_too(audited: Auditor) -> None:
    ran = audited(b"\x89PNG\r\n\x1a\n" + bytes(100), "--json")
    assert ran.code == 4
    message = f"{audited.path}: This file is not a match record."
    assert ran.answer == {
        "schema": 1,
        "type": "error",
        "code": 4,
        "message": message,
    }
    assert ran.err == f"Error: {message}\n"


def test_a_match_of_another_suite_is_foreign(audited: Auditor) -> None:
    ran = audited(matches.played(suite=SMALL).record)
    assert (ran.code, ran.out) == (4, "")
    assert "cipher" in ran.err


def test_a_match_by_unknown_rules_is_foreign(audited: Auditor) -> None:
    """The seats agree on the rules; only this program does not know them."""
    match = played(acts_max=0)
    forgery = Forgery(match)
    for chain in forgery.chains:
        del chain[1:]
    for seat in range(2):
        old = forgery.entry(seat, 0)
        assert isinstance(old.body, tuple)
        body = (*old.body[:4], ("variant=briscola",), *old.body[5:])
        terms = read_terms(body)
        assert terms is not None
        forgery.change(old, scope=terms.scope(old.prev), body=body)
    ran = audited(forgery.written())
    assert (ran.code, ran.out) == (4, "")
    assert ran.err.count("\n") == 1
    assert "briscola" in ran.err


def test_a_file_larger_than_a_record_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "huge.scopa"
    with path.open("wb") as file:
        file.write(HEADER)
        file.truncate(64 * ARCHIVE_BYTES_MAX)
    ran = scopa("audit", str(path))
    assert (ran.code, ran.out) == (4, "")
    assert "larger than any match record" in ran.err


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nothing.scopa", "No such file or directory"),
        (".", "It is a folder"),
        ("x" * 300, "too long"),
        ("a\0b", "no file of that name"),
        ("a\x1b[31mb", "No such file"),
    ],
)
def test_a_path_without_a_record_is_one_clear_sentence(
    tmp_path: Path, name: str, says: str
) -> None:
    ran = scopa("audit", f"{tmp_path}/{name}", "--json")
    assert (ran.code, ran.answer["code"]) == (6, 6)
    assert says in ran.answer["message"]
    assert ran.err == f"Error: {ran.answer['message']}\n"
    assert "\x1b" not in ran.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_or_a_device_is_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.scopa"
    os.mkfifo(pipe)
    for path in (str(pipe), "/dev/zero", "/dev/null"):
        ran = subprocess.run(
            [sys.executable, "-m", "scopa_net", "audit", path],
            cwd=HOME,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert (ran.returncode, ran.stdout) == (6, "")
        assert ran.stderr == f"Error: {path}: It is no file.\n"


def test_no_file_is_a_usage_error() -> None:
    ran = scopa("audit", "--json")
    assert ran.code == 2
    assert ran.answer["type"] == "error"


def test_a_name_that_the_terminal_lacks_is_no_failure(tmp_path: Path) -> None:
    path = tmp_path / "match.scopa"
    variant = find_variant("scopa", 2)
    local, _ = matches.new_table(variant, suite=EDWARDS, names=("Žofie", "Ana"))
    matches.play(local, luck=Random(1), acts_max=0)
    path.write_bytes(local.record())
    ran = subprocess.run(
        [sys.executable, "-m", "scopa_net", "audit", str(path)],
        cwd=HOME,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"?ofie" in ran.stdout


def test_a_match_to_eleven_is_checked_in_two_seconds(audited: Auditor) -> None:
    match = played(target=11, seed=1)
    assert match.finished
    began = time.process_time()
    found = audited(match.record, "--json").answer
    assert time.process_time() - began < 2
    assert (found["ok"], found["finished"], found["deals"] >= 4) == (True, True, True)
