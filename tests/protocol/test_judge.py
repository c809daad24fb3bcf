"""Single rules of judging: an entry is judged in the view that it names (D4, F5).

Each test takes an honest match, lets a judge hold a part of it, and signs one entry of
it again with a view that lacks one other entry, which the judge holds all the same.
"""

from collections.abc import Callable
from functools import cache

import pytest

from protocol.codec import Value, encode
from protocol.entry import WIRE_VERSION, Entry, Kind, read_entry, signed_digest
from protocol.faults import Blame, Fault, Reason, Signed
from protocol.judge import Findings, Judge
from tests.support.malice import play_in_order
from tests.support.parties import Circle
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening

SEEDS = range(12)


@cache
def match(seed: int) -> Circle:
    circle = Circle(toy_opening(deals=2), seats=3, positions=9, seed=seed)
    circle.play(play_in_order)
    return circle


def entries(circle: Circle) -> list[Entry]:
    """All entries of a match in an order in which they could have come."""
    logs = circle.parties[0].judge.record.logs
    found = [entry for log in logs for entry in log.entries]
    return sorted(found, key=lambda entry: (sum(entry.seen), entry.seat))


def judge_of(circle: Circle) -> Judge:
    return Judge(SMALL, circle.terms, circle.nonce, circle.opening)


def give(judge: Judge, signed: Signed) -> Findings:
    """Let a judge take an entry and run its tasks."""
    findings = judge.receive(signed)
    pending = list(findings.tasks)
    while pending:
        task = pending.pop()
        more = judge.done(task, task.run())
        pending += more.tasks
        findings += more
    return findings


def sign(circle: Circle, judge: Judge, entry: Entry, **changed: object) -> Signed:
    """An entry with some fields changed, the heads made right, and signed."""
    seen = changed.get("seen", entry.seen)
    fields: dict[str, object] = {
        "scope": entry.scope,
        "seat": entry.seat,
        "seq": entry.seq,
        "prev": entry.prev,
        "seen": seen,
        "heads": judge.record.heads(seen),  # type: ignore[arg-type]
        "kind": entry.kind,
        "body": entry.body,
        **changed,
    }
    encoded = encode((WIRE_VERSION, *fields.values()))  # type: ignore[arg-type]
    identity = circle.parties[entry.seat]._secrets.identity
    return Signed(encoded, identity.sign(signed_digest(encoded)))


def held_up_to(circle: Circle, entry: Entry) -> Judge:
    """A judge that holds all that came before an entry."""
    judge = judge_of(circle)
    for other in entries(circle):
        if other.id == entry.id:
            break
        give(judge, other.signed)
    assert judge.record.counts()[entry.seat] == entry.seq
    assert not judge.faults
    return judge


Wanted = Callable[[Entry], bool]
Lacking = Callable[[Entry, Entry], bool]


def view_without(judge: Judge, entry: Entry, lost: Entry) -> tuple[int, ...]:
    """The view of `entry` before it had seen `lost`, or anybody who had."""
    seen = list(entry.seen)
    seen[lost.seat] = lost.seq
    shrinking = True
    while shrinking:
        shrinking = False
        for seat, log in enumerate(judge.record.logs):
            last = log.entries[seen[seat] - 1] if seen[seat] else None
            if last is not None and any(map(int.__gt__, last.seen, seen)):
                assert seat != entry.seat
                seen[seat] -= 1
                shrinking = True
    return tuple(seen)


def shortsighted(
    wanted: Wanted, lacking: Lacking, *, instead: Kind | None = None
) -> tuple[Judge, Entry]:
    """A judge and a wanted entry whose view lacks another that it needs.

    With `instead`, the seat's first entry of that kind is signed in the wanted place.
    """
    for seed in SEEDS:
        circle = match(seed)
        every = entries(circle)
        for entry in filter(wanted, every):
            mine = [e for e in every if e.seat == entry.seat and e.seq < entry.seq]
            for other in every:
                known = other.seat == entry.seat or not entry.covers(other)
                if known or not lacking(entry, other) or mine[-1].covers(other):
                    continue
                judge = held_up_to(circle, entry)
                seen = view_without(judge, entry, other)
                said = first_of(circle, instead, entry.seat) if instead else entry
                kind, body = int(said.kind), said.body
                signed = sign(circle, judge, entry, seen=seen, kind=kind, body=body)
                return judge, read_entry(signed)
    raise AssertionError("no such pair in any of the matches")


def without(wanted: Wanted, lacking: Lacking, *, instead: Kind | None = None) -> Fault:
    """What a judge finds of an entry whose view lacks another that it needs."""
    judge, entry = shortsighted(wanted, lacking, instead=instead)
    (fault,) = give(judge, entry.signed).faults
    assert fault.seat == entry.seat
    assert fault.evidence == (entry.signed,)
    return fault


def deck_of(entry: Entry) -> object:
    assert isinstance(entry.body, tuple)
    return entry.body[0]


def is_first(kind: Kind) -> Callable[[Entry], bool]:
    """An entry of this kind about the first deck."""
    return lambda entry: (
        entry.kind == kind and (kind in {Kind.TABLE, Kind.COIN} or deck_of(entry) == 0)
    )


def needs(kind: Kind) -> Callable[[Entry, Entry], bool]:
    """Another seat's entry of this kind about the first deck."""
    return lambda _, other: is_first(kind)(other)


@pytest.mark.parametrize(
    ("kind", "needed"),
    [
        (Kind.COIN, Kind.TABLE),
        (Kind.KEY, Kind.COMMIT),
        (Kind.READY, Kind.KEY),
        (Kind.SHARES, Kind.SHUFFLE),
        (Kind.SHARES, Kind.PROOF),
        (Kind.SHARES, Kind.READY),
        (Kind.VERDICT, Kind.REVEAL),
    ],
)
def test_an_entry_covers_what_it_depends_on(kind: Kind, needed: Kind) -> None:
    fault = without(is_first(kind), needs(needed))
    assert (fault.blame, fault.reason) == (Blame.CHEAT, Reason.OUT_OF_ORDER)


def test_a_shuffle_covers_all_keys() -> None:
    fault = without(
        lambda entry: is_first(Kind.READY)(entry) and entry.seat == 0,
        needs(Kind.KEY),
        instead=Kind.SHUFFLE,
    )
    assert (fault.blame, fault.reason) == (Blame.CHEAT, Reason.OUT_OF_ORDER)


def test_a_shuffle_covers_the_shuffle_before_it() -> None:
    fault = without(
        lambda entry: is_first(Kind.SHUFFLE)(entry) and entry.seat > 0,
        lambda entry, other: (
            is_first(Kind.SHUFFLE)(other) and other.seat == entry.seat - 1
        ),
    )
    assert fault.reason is Reason.OUT_OF_ORDER


def round_of(entry: Entry) -> int:
    assert isinstance(entry.body, tuple)
    assert isinstance(entry.body[1], int)
    return entry.body[1]


def test_shares_cover_the_act_that_made_their_round_due() -> None:
    fault = without(
        lambda entry: is_first(Kind.SHARES)(entry) and round_of(entry) > 0,
        needs(Kind.ACT),
    )
    assert (fault.blame, fault.reason) == (Blame.CHEAT, Reason.OUT_OF_ORDER)


def test_a_play_covers_the_play_before_it() -> None:
    fault = without(is_first(Kind.ACT), needs(Kind.ACT))
    assert (fault.blame, fault.reason) == (Blame.RULE, Reason.OUT_OF_TURN)


def test_a_play_covers_the_shares_of_the_first_round() -> None:
    fault = without(
        lambda entry: entry.kind == Kind.COMMIT and deck_of(entry) == 1,
        is_of_the_first_round,
        instead=Kind.ACT,
    )
    assert (fault.blame, fault.reason) == (Blame.CHEAT, Reason.OUT_OF_ORDER)


def is_of_the_first_round(_: Entry, other: Entry) -> bool:
    return is_first(Kind.SHARES)(other) and round_of(other) == 0


def test_a_reveal_covers_the_last_play() -> None:
    last = {seed: entries(match(seed)) for seed in SEEDS}
    ids = {
        [e for e in every if is_first(Kind.ACT)(e)][-1].id for every in last.values()
    }
    fault = without(is_first(Kind.REVEAL), lambda _, other: other.id in ids)
    assert (fault.blame, fault.reason) == (Blame.CHEAT, Reason.EARLY_REVEAL)


def test_the_next_deck_is_committed_to_once_the_opening_stands() -> None:
    judge, entry = shortsighted(
        lambda entry: entry.kind == Kind.COMMIT and deck_of(entry) == 1,
        is_of_the_first_round,
    )
    # A deal is being played, so the fault counts when that is over (F19).
    assert give(judge, entry.signed).faults == ()
    assert judge.deferred


# -- one entry at a time -------------------------------------------------------------


def first_of(circle: Circle, kind: Kind, seat: int | None = None) -> Entry:
    return next(e for e in entries(circle) if e.kind == kind and seat in {None, e.seat})


@pytest.mark.parametrize("kind", [12, 13, 14, 16, 63])
def test_a_kind_that_this_version_does_not_know_is_malformed(kind: int) -> None:
    circle = match(0)
    entry = first_of(circle, Kind.COMMIT)
    judge = held_up_to(circle, entry)
    signed = sign(circle, judge, entry, kind=kind)
    (fault,) = give(judge, signed).faults
    assert fault.reason is Reason.MALFORMED


@pytest.mark.parametrize(
    "body",
    [
        None,
        (),
        0,
        (0,),
        (0, bytes(31)),
        (0, bytes(32), 1),
        (4096, bytes(32)),
        ("0", bytes(32)),
    ],
)
def test_a_body_of_another_shape_is_malformed(body: Value) -> None:
    circle = match(0)
    entry = first_of(circle, Kind.COMMIT)
    judge = held_up_to(circle, entry)
    (fault,) = give(judge, sign(circle, judge, entry, body=body)).faults
    assert (fault.blame, fault.reason) == (Blame.CHEAT, Reason.MALFORMED)


@pytest.mark.parametrize("kind", [Kind.TABLE, Kind.COIN])
def test_terms_and_coin_are_the_first_two_entries_and_no_other(kind: Kind) -> None:
    circle = match(0)
    entry = first_of(circle, Kind.COMMIT)
    judge = held_up_to(circle, entry)
    body = first_of(circle, kind, entry.seat).body
    signed = sign(circle, judge, entry, kind=int(kind), body=body)
    (fault,) = give(judge, signed).faults
    assert fault.reason is Reason.OUT_OF_ORDER


def test_other_terms_than_those_agreed_are_refused() -> None:
    circle = match(0)
    entry = first_of(circle, Kind.TABLE)
    judge = judge_of(circle)
    body = entry.body
    assert isinstance(body, tuple)
    (fault,) = give(judge, sign(circle, judge, entry, body=("other", *body[1:]))).faults
    assert fault.reason is Reason.MALFORMED


def test_an_entry_under_check_counts_as_not_received() -> None:
    circle = match(0)
    entry = first_of(circle, Kind.KEY)
    judge = held_up_to(circle, entry)
    before = judge.record.counts()
    findings = judge.receive(entry.signed)
    assert findings.added == ()
    assert judge.record.counts() == before
    (task,) = findings.tasks
    assert judge.receive(entry.signed) == Findings()
    done = judge.done(task, task.run())
    assert [e.id for e in done.added] == [entry.id]
    assert judge.done(task, task.run()) == Findings()


def test_an_entry_waits_for_all_that_it_names() -> None:
    circle = match(0)
    judge = judge_of(circle)
    *before, last = entries(circle)
    assert judge.receive(last.signed) == Findings()
    for entry in before[::-1]:
        assert give(judge, entry.signed).faults == ()
    assert judge.record.counts() == circle.parties[0].judge.record.counts()


def test_the_same_entry_twice_is_one_entry_whatever_its_signature() -> None:
    circle = match(0)
    entry = first_of(circle, Kind.COMMIT)
    judge = held_up_to(circle, entry)
    assert len(give(judge, entry.signed).added) == 1
    again = Signed(entry.signed.encoded, bytes(64))
    for signed in (entry.signed, again):
        findings = give(judge, signed)
        assert (findings.added, findings.faults) == ((), ())


def test_a_closed_chain_takes_nothing_more() -> None:
    circle = match(0)
    entry = first_of(circle, Kind.COMMIT)
    judge = held_up_to(circle, entry)
    bad = sign(circle, judge, entry, body=None)
    assert len(give(judge, bad).faults) == 1
    after = give(judge, entry.signed)
    assert after.added == ()
    assert [fault.blame for fault in after.faults] == [Blame.FORK]
    assert give(judge, entry.signed) == Findings()
    assert judge.record.signed(entry.seat)[-1] == bad
    assert read_entry(bad).seq == entry.seq
