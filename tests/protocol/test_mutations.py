"""Every field of every message, changed in every way and signed again.

Of an entry what was changed must not stand, and blames its author or nobody. What may
stand says so by name, and what it leads to is tested where it is named. A changed wish
to sit down is another one, or none; a changed note is let go, or asks for nothing new.
"""

from collections.abc import Iterator
from copy import deepcopy
from functools import lru_cache
from typing import cast

import pytest

from protocol.codec import Malformed, Value, encode
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity
from protocol.deck import VOIDING
from protocol.entry import WIRE_VERSION, Entry, Kind, entry_id, signed_digest
from protocol.faults import Signed
from protocol.judge import Judge
from protocol.leaving import LEAVING
from protocol.log import in_causal_order
from protocol.notes import Acknowledgement, Note, Question, read_note, sign_note
from protocol.roster import read_join, write_join
from tests.support import liars
from tests.support.malice import Company, play_in_order
from tests.support.parties import Circle
from tests.support.restarts import Mortal
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening
from tests.support.voids import left_in_every_way

Path = tuple[int, ...]
FIELDS = ("version", "scope", "seat", "seq", "prev", "seen", "heads", "kind", "body")
KIND, BODY = FIELDS.index("kind"), FIELDS.index("body")

MAY_STAND: dict[Kind, tuple[Path, str]] = {
    Kind.COMMIT: ((BODY, 1), "a commitment says nothing yet; its seed will not fit"),
    Kind.SHUFFLE: ((BODY, 3), "another deck of points, for which there is no proof"),
    Kind.READY: ((BODY, 1), "another plan: the seats stop, and blame nobody"),
    Kind.ACT: ((BODY, 4), "another statement, if the game allows it"),
    Kind.ADJOURN: ((KIND,), "another word without a body"),
    Kind.RESIGN: ((KIND,), "another word without a body"),
    Kind.ACCEPT: ((KIND,), "another word without a body"),
}
"""Where a change may stand as long as it has the right shape."""


@pytest.fixture
def table(kind: Kind, request: pytest.FixtureRequest) -> Circle:
    """A match of two seats in which this kind of entry is signed."""
    if kind in LEAVING | VOIDING:
        return left_in_every_way()
    if kind is not Kind.SPOILED:
        return come_back()
    request.getfixturevalue("false_proofs_pass")
    return spoiled()


@lru_cache(maxsize=1)
def come_back() -> Circle:
    """Two deals, and each of the two was opened again in the middle."""
    circle = Mortal(toy_opening(deals=2), seats=2, positions=6, seed=3)
    for seat in range(2):
        for _ in range(40):
            circle.step()
        circle.open(seat)
    circle.play(play_in_order)
    assert all(party.settled for party in circle.parties)
    return circle


@lru_cache(maxsize=1)
def spoiled() -> Circle:
    """A deck with one card twice in a hand, whose false proof is believed."""
    liar = liars.DoublesAPairInOneHand
    circle = Company(toy_opening(), liar, seats=2, positions=7)
    circle.play(play_in_order)
    return circle


def examples(table: Circle, kind: Kind) -> list[Entry]:
    """An entry of a kind by each seat that has signed one, the last of each."""
    logs = table.parties[-1].judge.record.logs
    mine = [[entry for entry in log.entries if entry.kind == kind] for log in logs]
    found = [entries[-1] for entries in mine if entries]
    assert found
    return found


def judge_before(circle: Circle, entry: Entry) -> Judge:
    """A judge that holds what the author had seen, and nothing else."""
    logs = circle.parties[-1].judge.record.logs
    known = [one for log in logs for one in log.entries if entry.covers(one)]
    judge = Judge(SMALL, circle.terms, circle.nonce, circle.opening)
    for one in in_causal_order(known, len(logs)):
        _give(judge, one.signed)
    return judge


def _give(judge: Judge, signed: Signed) -> None:
    tasks = list(judge.receive(signed).tasks)
    while tasks:
        task = tasks.pop()
        tasks += judge.done(task, task.run()).tasks


def as_value(entry: Entry) -> Value:
    return (
        WIRE_VERSION,
        entry.scope,
        entry.seat,
        entry.seq,
        entry.prev,
        entry.seen,
        entry.heads,
        int(entry.kind),
        entry.body,
    )


def changes(value: Value, path: Path = ()) -> Iterator[tuple[Path, Value]]:
    """Where, and what stands there instead: one of each class of change."""
    match value:
        case int():
            instead: tuple[Value, ...] = (
                value + 1,
                max(value - 1, 0),
                2**62,
                None,
                b"",
            )
        case bytes():
            instead = (*_other_bytes(value), 0, None, (value,))
        case str():
            instead = (value + "x", value[:-1], value.encode(), "")
        case None:
            instead = (0, bytes(32), ())
        case _:
            instead = (value[:-1], (*value, *value[-1:]), value[::-1], (), None)
            for at in {0, len(value) - 1} if value else ():
                for where, inner in changes(value[at], (*path, at)):
                    yield where, (*value[:at], inner, *value[at + 1 :])
    for one in instead:
        if one != value:
            yield path, one


def _other_bytes(value: bytes) -> Iterator[bytes]:
    """Longer, shorter, of nothing, of ones, and with a bit turned at either end."""
    yield from (b"", bytes(len(value)), b"\xff" * len(value), value + b"\0")
    if value:
        yield value[:-1]
        yield bytes([value[0] ^ 1]) + value[1:]
        yield value[:-1] + bytes([value[-1] ^ 0x80])


def all_changes(entry: Entry) -> Iterator[tuple[Path, Value]]:
    """Every field of the envelope and of the body, changed in every way."""
    whole = cast("tuple[Value, ...]", as_value(entry))
    for at, field in enumerate(whole):
        for path, other in changes(field, (at,)):
            yield path, (*whole[:at], other, *whole[at + 1 :])
    yield (), whole[:-1]
    yield (), (*whole, 0)
    yield from ((path, one) for path, one in changes(whole[BODY:], ()) if not path)


@pytest.mark.parametrize("kind", Kind)
def test_no_changed_entry_stands_and_no_other_seat_is_blamed(
    kind: Kind, table: Circle
) -> None:
    # F15, F16, X12, X23.
    allowed, _ = MAY_STAND.get(kind, ((), ""))
    tried = 0
    for entry in examples(table, kind):
        before = judge_before(table, entry)
        author = table.parties[entry.seat]._secrets.identity
        for path, value in all_changes(entry):
            try:
                encoded = encode(cast("tuple[Value, ...]", value))
            except Malformed:
                continue
            tried += 1
            signed = Signed(encoded, author.sign(signed_digest(encoded)))
            judge = deepcopy(before, {id(SMALL): SMALL})
            _give(judge, signed)
            found = (*judge.faults, *judge.deferred)
            assert {fault.seat for fault in found} <= {entry.seat}, (path, value)
            chain = judge.record.logs[entry.seat].entries
            stands = entry_id(signed) in {one.id for one in chain}
            if stands and not found:
                assert allowed, (path, value)
                assert path[: len(allowed)] == allowed, (path, value)
    # An entry without a body has less that could be changed.
    assert tried > (80 if examples(table, kind)[0].body else 60)


@pytest.mark.parametrize("kind", Kind)
def test_an_entry_with_any_byte_changed_is_the_links_fault_alone(
    kind: Kind, table: Circle
) -> None:
    # X21, X23: nobody has signed it.
    for entry in examples(table, kind):
        judge = judge_before(table, entry)
        encoded, signature = entry.signed
        for at in range(0, len(encoded), 1 + len(encoded) // 60):
            for bits in (1, 0x80, 0xFF):
                changed = encoded[:at] + bytes([encoded[at] ^ bits]) + encoded[at + 1 :]
                findings = judge.receive(Signed(changed, signature))
                assert findings.link_fault is not None
        for at in range(len(signature)):
            changed = signature[:at] + bytes([signature[at] ^ 1]) + signature[at + 1 :]
            assert judge.receive(Signed(encoded, changed)).link_fault is not None
        assert judge.faults == []
        judge = deepcopy(judge, {id(SMALL): SMALL})
        _give(judge, entry.signed)
        assert judge.record.logs[entry.seat].entries[-1] == entry


# -- beside the entries ------------------------------------------------------------


def signed_otherwise(
    value: tuple[Value, ...], tag: str, identity: Identity
) -> Iterator[Signed]:
    """A message with each of its fields changed in every way, and signed again."""
    others = [value[:-1], (*value, 0)]
    for at, field in enumerate(value):
        others += [(*value[:at], one, *value[at + 1 :]) for _, one in changes(field)]
    for other in others:
        try:
            encoded = encode(other)
        except Malformed:
            continue
        yield Signed(encoded, identity.sign(H(tag, encoded)))


def flipped(signed: Signed) -> Iterator[Signed]:
    """A message with each of its bytes changed, or one of its signature."""
    encoded, signature = signed
    for at in range(len(encoded)):
        for bits in (1, 0x80):
            changed = encoded[:at] + bytes([encoded[at] ^ bits]) + encoded[at + 1 :]
            yield Signed(changed, signature)
    for at in range(len(signature)):
        changed = signature[:at] + bytes([signature[at] ^ 1]) + signature[at + 1 :]
        yield Signed(encoded, changed)


def notes() -> dict[str, tuple[int, Note]]:
    """A question of seat 1, and what seat 1 acknowledges of seat 0; each by seat 1."""
    record = come_back().parties[0].judge.record
    asked, mine = record.logs
    scope = record.table_scope
    return {
        "question": (0, Question(scope, 1, 0, b"n" * 32)),
        "acknowledgement": (
            1,
            Acknowledgement(
                scope,
                0,
                b"n" * 32,
                len(asked.entries),
                asked.head(len(asked.entries)),
                1,
                len(mine.entries),
                mine.head(len(mine.entries)),
            ),
        ),
    }


@pytest.mark.parametrize("what", ["question", "acknowledgement"])
def test_no_changed_note_is_taken_for_what_it_was_or_blames_anybody(what: str) -> None:
    # F11, X21: it is refused, or signs nothing and lets nothing stand.
    circle = come_back()
    kind, note = notes()[what]
    identity = circle.parties[1]._secrets.identity
    true = sign_note(identity, note)
    before = circle.parties[0].judge.record.counts()
    tried = 0
    for signed in signed_otherwise((kind, *note), "sc1.note", identity):
        tried += 1
        findings = circle.parties[0].hear(signed)
        assert (findings.added, findings.faults, findings.tasks) == ((), (), ())
        assert findings.link_fault is not None or read_note(signed) != note
    for signed in flipped(true):
        assert circle.parties[0].hear(signed).link_fault is not None
    assert tried > 30
    assert circle.parties[0].judge.record.counts() == before
    assert circle.parties[0].judge.faults == []


def test_no_changed_wish_to_sit_down_is_taken_for_what_it_was() -> None:
    # X18, X21.
    identity = Identity(b"1" * 32)
    true = write_join(identity, bytes(32), "ada", None, b"c" * 32)
    join = read_join(true)
    assert join is not None
    body = (join.nonce, join.key, join.name, join.side, join.commitment)
    for signed in signed_otherwise(body, "sc1.join", identity):
        other = read_join(signed)
        assert other is None or (other != join and other.key == join.key)
    assert [one for one in flipped(true) if read_join(one) is not None] == []
