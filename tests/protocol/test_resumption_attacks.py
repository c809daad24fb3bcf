"""Attacks around coming back (F11): by hoarded answers, replays and old disks.

None of them may blame an honest seat, excuse a proven wrong, undo what was played to
its end, make a seat wait for ever, or have others keep without end what a liar signs.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest

from protocol.bodies import RESUMES_MAX
from protocol.codec import encode
from protocol.crypto.identity import Identity
from protocol.entry import Entry, Kind, read_entry
from protocol.faults import Blame, Fault, Reason, Signed
from protocol.judge import Judge
from protocol.mesh import Mesh, NoteCame, ProofCame
from protocol.notes import (
    Acknowledgement,
    Question,
    read_note,
    scope_after,
    sign_note,
)
from protocol.party import Party
from protocol.resumption import Resumption
from protocol.step import Task
from protocol.whereabouts import Whereabouts
from tests.support.chain_liars import CommitsTwiceAhead
from tests.support.forgeries import sign
from tests.support.malice import Company, play_in_order
from tests.support.parties import Circle
from tests.support.restarts import Mortal
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening

NONCES = (b"1" * 32, b"2" * 32, b"3" * 32)
SEATS = (2, 3, 4)


def circle_of(seats: int, acts: int = 2, seed: int = 1) -> Mortal:
    circle = Mortal(toy_opening(deals=2), seats=seats, positions=9, seed=seed)
    circle.run()
    for _ in range(acts):
        any(circle._act(party, play_in_order) for party in circle.parties)
        circle.run()
    return circle


def chain_of(circle: Circle, seat: int) -> list[Entry]:
    return circle.parties[seat].judge.record.logs[seat].entries


def answers(
    circle: Circle, asker: int, seq: int, nonce: bytes, **changed: object
) -> list[Signed]:
    """What all others would have said of `asker` when it had `seq` entries."""
    chain = chain_of(circle, asker)
    scope = circle.parties[asker].judge.record.table_scope
    notes = []
    for party in circle.parties:
        if party.seat == asker:
            continue
        own = max(chain[seq - 1].seen[party.seat], 1)
        last = chain_of(circle, party.seat)[own - 1].id
        head = chain[seq - 1].id
        note = Acknowledgement(scope, asker, nonce, seq, head, party.seat, own, last)
        changed_note = note._replace(**changed)  # type: ignore[arg-type]
        notes.append(sign_note(party._secrets.identity, changed_note))
    return notes


def came_back(
    circle: Circle, asker: int, seq: int, nonce: bytes = NONCES[0], **changed: object
) -> Entry:
    """The word of a seat with hoarded answers, in the place of entry `seq`."""
    notes = answers(circle, asker, seq, nonce, **changed)
    body = nonce, tuple((note.encoded, note.signature) for note in notes)
    entry = chain_of(circle, asker)[seq]
    return signed_by(circle, replace(entry, kind=int(Kind.RESUMED), body=body))


def signed_by(circle: Circle, entry: Entry) -> Entry:
    identity = circle.parties[entry.seat]._secrets.identity
    return read_entry(sign(identity, entry))


def all_entries(circle: Circle) -> list[Signed]:
    record = circle.parties[0].judge.record
    return [one for seat in range(len(record.keys)) for one in record.signed(seat)]


def given(
    circle: Circle, entries: Sequence[Signed], proofs: Sequence[Fault] = ()
) -> Judge:
    """A judge that was given the entries in this order."""
    judge = Judge(SMALL, circle.terms, circle.nonce, circle.opening)
    tasks: list[Task] = []
    for one in entries:
        tasks += judge.receive(one).tasks
        while tasks:
            task = tasks.pop()
            tasks += judge.done(task, task.run()).tasks
    for proof in proofs:
        judge.prove(proof.evidence)
    return judge


def before(circle: Circle, entry: Entry) -> list[Signed]:
    """All that the author of an entry had seen."""
    record = circle.parties[entry.seat].judge.record
    counts = list(entry.seen)
    return [
        one.signed
        for log, count in zip(record.logs, counts, strict=True)
        for one in log.entries[:count]
    ]


# -- an excuse for nothing ----------------------------------------------------------


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_coming_back_excuses_no_fork_in_whatever_order_it_is_seen(
    order: Sequence[int],
) -> None:
    circle = circle_of(3)
    entry = chain_of(circle, 0)[-1]
    other = signed_by(circle, replace(entry, body=(0, b"another")))
    back = [came_back(circle, 0, entry.seq, nonce) for nonce in NONCES[:2]]
    four = [entry.signed, other.signed, *(one.signed for one in back)]
    judge = given(circle, [*before(circle, entry), *(four[at] for at in order)])
    assert Blame.FORK in {fault.blame for fault in judge.faults}
    assert {fault.seat for fault in judge.faults} == {0}


@pytest.mark.parametrize(
    "changed", [{"prev": bytes(32)}, {"seen": (0, 0)}, {"seen": (99, 99)}]
)
@pytest.mark.parametrize("step", [1, -1])
def test_an_entry_that_is_false_by_itself_is_not_excused_by_coming_back(
    changed: dict[str, object], step: int
) -> None:
    circle = circle_of(2)
    entry = chain_of(circle, 0)[-1]
    false = signed_by(circle, replace(entry, **changed))  # type: ignore[arg-type]
    back = came_back(circle, 0, entry.seq)
    for pair in ([false, back], [entry, signed_by(circle, replace(back, **changed))]):  # type: ignore[arg-type]
        last = [one.signed for one in pair[::step]]
        judge = given(circle, [*before(circle, entry), *last])
        assert {fault.seat for fault in judge.faults if fault.blames} == {0}


@pytest.mark.parametrize("step", [1, -1])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_move_against_the_rules_is_not_excused_by_coming_back(
    step: int, seats: int
) -> None:
    circle = circle_of(seats, acts=1)
    act = circle.parties[0].judge.decks[0].acts[-1]
    body = act.body
    assert isinstance(body, tuple)
    # The state of another table.
    false = signed_by(circle, replace(act, body=(*body[:-1], bytes(16))))
    back = came_back(circle, act.seat, act.seq)
    last = [one.signed for one in (false, back)[::step]]
    judge = given(circle, [*before(circle, act), *last])
    assert [(f.seat, f.blame) for f in judge.faults if f.blames] == [
        (act.seat, Blame.RULE)
    ]


def test_what_was_forgotten_is_judged_when_all_that_it_names_is_there() -> None:
    for seed in range(20):
        circle = circle_of(3, acts=2, seed=seed)
        act = circle.parties[0].judge.decks[0].acts[-1]
        early = before(circle, chain_of(circle, act.seat)[act.seq - 1])
        early.append(chain_of(circle, act.seat)[act.seq - 1].signed)
        late = [one for one in before(circle, act) if one not in early]
        if late:
            break
    assert late
    body = act.body
    assert isinstance(body, tuple)
    false = signed_by(circle, replace(act, body=(*body[:-1], bytes(16))))
    back = came_back(circle, act.seat, act.seq)
    record = given(circle, early).record
    names = tuple(
        act.seq if seat == act.seat else count
        for seat, count in enumerate(chain_of(circle, act.seat)[act.seq - 1].seen)
    )
    alone = signed_by(circle, replace(back, seen=names, heads=record.heads(names)))
    judge = given(circle, [*early, alone.signed, false.signed, *late])
    assert {f.blame for f in judge.faults} == {Blame.RESTORED, Blame.RULE}


def test_a_third_entry_far_ahead_of_a_closed_chain_is_no_surprise() -> None:
    circle = circle_of(2)
    entry = chain_of(circle, 0)[-1]
    far = [
        signed_by(circle, replace(entry, seq=entry.seq + 50, prev=prev))
        for prev in (b"x" * 32, b"y" * 32)
    ]
    back = came_back(circle, 0, entry.seq)
    far.append(signed_by(circle, replace(back, seq=entry.seq + 50)))
    judge = given(circle, [*all_entries(circle), *(one.signed for one in far)])
    assert [(f.seat, f.blame) for f in judge.faults] == [(0, Blame.FORK)]


def test_what_was_false_in_the_deck_made_ahead_counts_when_its_author_comes_back() -> (
    None
):
    table = Company(
        toy_opening(deals=2), CommitsTwiceAhead, at=0, seats=2, positions=9, seed=3
    )
    liar = table.liar
    (honest,) = table.honest
    for _ in range(20_000):
        if honest.judge.deferred:
            break
        if not table.step() and not any(
            table._act(party, play_in_order) for party in table.parties
        ):
            break
    entry = honest.judge.record.logs[liar.seat].entries[-1]
    assert not honest.judge.stopped
    back = came_back(table, liar.seat, entry.seq)
    honest.receive(back.signed)
    assert honest.judge.stopped
    assert {fault.seat for fault in honest.judge.faults if fault.blames} == {liar.seat}


def test_what_was_played_to_its_end_is_not_undone_by_who_comes_back() -> None:
    circle = circle_of(2, acts=0)
    circle.play(play_in_order)
    entries = chain_of(circle, 0)
    for seq in (5, len(entries) - 1):
        back = came_back(circle, 0, seq)
        judge = given(circle, [*all_entries(circle), back.signed])
        assert judge.course.confirmed
        assert judge.faults == []
        assert judge.record.signed(0) == tuple(one.signed for one in entries)


def test_the_last_words_of_a_match_stand_beside_a_coming_back() -> None:
    circle = circle_of(2, acts=0)
    circle.play(play_in_order)
    last = chain_of(circle, 0)[-1]
    back = came_back(circle, 0, last.seq)
    judge = Judge(SMALL, circle.terms, circle.nonce, circle.opening)
    tasks: list[Task] = []
    for one in (back.signed, last.signed, *all_entries(circle)):
        tasks += judge.receive(one).tasks
    while tasks:
        task = tasks.pop()
        tasks += judge.done(task, task.run()).tasks
    assert judge.faults == []
    assert judge.course.match_over


# -- nobody honest is blamed ----------------------------------------------------------


@pytest.mark.parametrize("changed", ["scope", "last"])
def test_what_a_seat_said_at_another_table_or_in_an_earlier_life_denies_nothing(
    changed: str,
) -> None:
    # A host may use one nonce for two tables, and its guest says there that it holds 0.
    circle = circle_of(3)
    host, guest = circle.parties[:2]
    record = host.judge.record
    own = len(record.logs[1].entries)
    assert record.logs[1].entries[-1].seen[0] > 0
    scope = record.table_scope
    notes = []
    for party in circle.parties[1:]:
        mine = chain_of(circle, party.seat)
        note = Acknowledgement(
            scope, 0, NONCES[0], 0, circle.nonce, party.seat, len(mine), mine[-1].id
        )
        if party is guest:
            note = note._replace(own=own, last=mine[-1].id)
            if changed == "scope":
                note = note._replace(scope=bytes(16))
            else:
                note = note._replace(last=bytes(32))
        else:
            held = len(record.logs[0].entries)
            note = note._replace(held=held, head=record.logs[0].head(held))
        notes.append(sign_note(party._secrets.identity, note))
    body = NONCES[0], tuple((note.encoded, note.signature) for note in notes)
    entry = record.write(host._secrets.identity, 0, Kind.RESUMED, body)
    judge = given(circle, [*all_entries(circle), entry.signed])
    assert {fault.seat for fault in judge.faults} <= {0}


def test_who_denied_is_not_followed_into_the_chain_of_who_was_denied() -> None:
    circle = circle_of(2)
    asker, liar = circle.parties
    notes = answers(circle, 0, len(chain_of(circle, 0)), NONCES[0])
    note = read_note(notes[0])
    assert isinstance(note, Acknowledgement)
    mine, held = chain_of(circle, 1), 2
    false = note._replace(
        own=len(mine), last=mine[-1].id, held=held, head=chain_of(circle, 0)[1].id
    )
    signed = sign_note(liar._secrets.identity, false)
    body = NONCES[0], ((signed.encoded, signed.signature),)
    back = asker.judge.record.write(asker._secrets.identity, 0, Kind.RESUMED, body)
    beside = signed_by(circle, replace(mine[-1], seq=back.seq, prev=bytes(32)))
    judge = given(circle, [*all_entries(circle), back.signed, beside.signed])
    assert {fault.seat for fault in judge.faults} == {1}


@pytest.mark.parametrize("seats", SEATS)
def test_terms_and_coin_are_the_same_bytes_in_every_life(seats: int) -> None:
    circle = circle_of(seats)
    first = [entry.signed for entry in chain_of(circle, 0)[:2]]
    others = [chain_of(circle, seat) for seat in range(1, seats)]
    party = circle.open(0, [])
    circle.kill(0)
    circle.notes.clear()
    # It is shown more than the first time, by who keeps back what it has signed.
    for chain in others:
        for entry in chain[:2]:
            party.receive(entry.signed)
    assert [entry.signed for entry in chain_of(circle, 0)] == first


def test_terms_that_name_what_was_seen_are_none() -> None:
    circle = Mortal(toy_opening(), seats=2, positions=9, seed=1)
    other = circle.parties[1]
    table = chain_of(circle, 0)[0]
    heads = other.judge.record
    circle.run()
    seen = (0, 1)
    entry = signed_by(circle, replace(table, seen=seen, heads=heads.heads(seen)))
    judge = given(circle, [chain_of(circle, 1)[0].signed, entry.signed])
    assert [(f.seat, f.reason) for f in judge.faults] == [(0, Reason.MALFORMED)]


# -- nobody waits for ever ------------------------------------------------------------


def older_match(circle: Circle, seat: int, seq: int) -> Signed:
    """An entry that the same player has signed at another table."""
    entry = chain_of(circle, seat)[0]
    return signed_by(circle, replace(entry, scope=b"o" * 16, seq=seq)).signed


@pytest.mark.parametrize("seat", [0, 1])
def test_entries_of_an_older_match_keep_nobody_waiting(seat: int) -> None:
    circle = Mortal(toy_opening(), seats=2, positions=9, seed=1)
    old = [older_match(circle, seat, seq) for seq in (2, 3, 700)]
    for party in circle.parties:
        for one in old:
            circle.take(party.seat, party.receive(one))
    circle.open(0)
    for one in old:
        circle.take(0, circle.parties[0].receive(one))
    circle.play(play_in_order)
    assert all(party.settled for party in circle.parties)


def test_what_follows_an_entry_that_is_lost_keeps_nobody_waiting() -> None:
    circle = circle_of(2)
    entry = chain_of(circle, 0)[-1]
    beyond = signed_by(circle, replace(entry, seq=entry.seq + 3, prev=bytes(32)))
    other = circle.parties[1]
    other.receive(beyond.signed)
    for _ in range(2):
        circle.open(0)
        circle.run()
    circle.play(play_in_order)
    assert all(party.settled for party in circle.parties)


def question(circle: Mortal, number: int, nonce: bytes) -> Signed:
    party = circle.parties[0]
    note = Question(party.judge.record.table_scope, 0, number, nonce)
    return sign_note(party._secrets.identity, note)


def test_what_waits_beyond_a_gap_does_not_outlive_an_acknowledgement() -> None:
    # F11: it was not acknowledged, so the asker may sign that number otherwise.
    circle = circle_of(2)
    *_, missing, last = chain_of(circle, 0)
    judge = given(circle, [*before(circle, missing), last.signed])
    assert judge.record.waiting()
    identity = circle.parties[1]._secrets.identity
    resumption = Resumption(judge.record, identity, 1, None)
    resumption.hear(question(circle, 0, b"q" * 32))
    resumption.answer()
    assert len(resumption.notes) == 2
    assert not judge.record.waiting()
    assert judge.record.lacking()


def test_of_two_questions_with_one_number_everybody_answers_the_same() -> None:
    # Two lives of a seat that was killed while it asked, each heard by another first.
    circle = circle_of(3)
    both = [question(circle, 0, nonce) for nonce in NONCES[:2]]
    for party, order in zip(circle.parties[1:], (both, both[::-1]), strict=True):
        for note in order:
            party.hear(note)
        assert party.resumption.notes[0] == both[1]


def beside_entries(mesh: Mesh) -> list[type]:
    """The notes and proofs among what goes out now."""
    reader = Mesh()
    reader.connect(7)
    found = [reader.receive(7, frame.data) for frame in mesh.spread()]
    return [type(one) for one in found if isinstance(one, NoteCame | ProofCame)]


def whereabouts_of(party: Party) -> Whereabouts:
    return Whereabouts(party.judge.record, Identity(bytes(32)), party.seat)


def link_of(party: Party) -> tuple[Mesh, bytes]:
    """A mesh with one link, whose peer holds as much as the party."""
    mesh, record = Mesh(), party.judge.record
    mesh.hold(record, party.resumption, whereabouts_of(party))
    mesh.connect(7)
    held = tuple((len(log.entries), log.head(len(log.entries))) for log in record.logs)
    have = encode((1, 0, record.table_scope, held))
    mesh.receive(7, have)
    return mesh, have


def test_an_answer_goes_out_again_with_another_question() -> None:
    # Who let it go because an older question counted there would never have it.
    circle = circle_of(3)
    party = circle.parties[1]
    mesh, _ = link_of(party)
    party.hear(question(circle, 0, NONCES[0]))
    assert beside_entries(mesh) == [NoteCame, NoteCame]
    assert beside_entries(mesh) == []
    party.hear(question(circle, 6, NONCES[0]))
    assert beside_entries(mesh) == [NoteCame, NoteCame]


def test_who_says_what_it_holds_is_told_notes_and_proofs_anew() -> None:
    # It may have had no table yet when they came.
    circle = circle_of(3)
    party = circle.parties[1]
    mesh, have = link_of(party)
    party.hear(question(circle, 0, NONCES[0]))
    entry = chain_of(circle, 0)[-1]
    other = signed_by(circle, replace(entry, body=(0, b"another")))
    mesh.remember(party.receive(other.signed).faults)
    assert beside_entries(mesh) == [ProofCame, NoteCame, NoteCame]
    assert beside_entries(mesh) == []
    mesh.receive(7, have)
    assert beside_entries(mesh) == [ProofCame, NoteCame, NoteCame]


def test_a_proof_waits_for_a_peer_that_has_no_table_yet() -> None:
    circle = circle_of(2)
    party = circle.parties[1]
    mesh = Mesh()
    mesh.hold(party.judge.record, party.resumption, whereabouts_of(party))
    entry = chain_of(circle, 0)[-1]
    other = signed_by(circle, replace(entry, body=(0, b"another")))
    mesh.remember(party.receive(other.signed).faults)
    mesh.connect(7)
    assert mesh.spread() == ()


def test_an_answer_that_names_what_is_not_here_yet_is_kept_for_when_it_is() -> None:
    circle = circle_of(2)
    asked = circle.open(0)
    (first, *_) = asked.resumption.notes
    chain = chain_of(circle, 1)
    notes = [
        Acknowledgement(
            asked.judge.record.table_scope,
            0,
            read_note(first).nonce,
            len(chain_of(circle, 0)),
            chain_of(circle, 0)[-1].id,
            1,
            own,
            last,
        )
        for own, last in ((2, chain[1].id), (len(chain) + 1, b"n" * 32))
    ]
    signed = [sign_note(circle.parties[1]._secrets.identity, note) for note in notes]
    for order in (signed, signed[::-1]):
        for note in order:
            asked.hear(note)
        assert set(asked.resumption.notes) == {first, *signed}


def test_an_answer_of_an_earlier_life_gives_way_to_one_that_can_be_met() -> None:
    circle = circle_of(3)
    asker, author = circle.parties[:2]
    chain = chain_of(circle, 1)
    asked = circle.open(0)
    (first,) = asked.resumption.notes[:1]
    asker = circle.parties[0]
    held = len(chain_of(circle, 0))
    nonce = read_note(first).nonce
    lost = Acknowledgement(
        asker.judge.record.table_scope,
        0,
        nonce,
        held,
        chain_of(circle, 0)[-1].id,
        1,
        len(chain) + 1,
        b"lost with its disk".ljust(32),
    )
    circle.notes.clear()
    asker.hear(sign_note(author._secrets.identity, lost))
    circle.give(1, 0)
    circle.give(2, 0)
    for party in circle.parties[1:]:
        circle.take(party.seat, party.hear(first))
    circle.play(play_in_order)
    assert all(party.settled for party in circle.parties)


# -- nothing grows without end --------------------------------------------------------


def test_many_comings_back_in_one_place_are_one() -> None:
    circle = circle_of(2)
    honest = circle.parties[1]
    seq = chain_of(circle, 0)[-1].seq
    for number in range(30):
        honest.receive(came_back(circle, 0, seq, number.to_bytes(32)).signed)
    assert [(f.seat, f.blame) for f in honest.judge.faults] == [(0, Blame.RESTORED)]
    assert len(honest.judge.record.logs[0].beside) == 0


def test_a_seat_comes_back_only_so_often() -> None:
    circle = circle_of(2, acts=0)
    party, other = circle.parties
    record = other.judge.record
    table = record.table_id
    assert table is not None
    for number in range(RESUMES_MAX + 1):
        chain = record.logs[0].entries
        last = chain[-1]
        nonce = number.to_bytes(32)
        own = record.logs[1].entries
        note = Acknowledgement(
            record.table_scope,
            0,
            nonce,
            len(chain),
            last.id,
            1,
            len(own),
            own[-1].id,
        )
        signed = sign_note(other._secrets.identity, note)
        body = nonce, ((signed.encoded, signed.signature),)
        scope = record.scope(0, len(chain))
        assert scope is not None
        if last.kind == Kind.RESUMED:
            assert scope == scope_after(table, (number - 1).to_bytes(32))
        entry = record.write(party._secrets.identity, 0, Kind.RESUMED, body)
        other.receive(entry.signed)
    assert [(f.seat, f.reason) for f in other.judge.faults] == [(0, Reason.MALFORMED)]
