from random import Random

import pytest

from protocol.codec import encode
from protocol.crypto.identity import Identity
from protocol.entry import Kind, read_entry
from protocol.faults import LocalProtocolError, Signed
from protocol.party import Secrets
from protocol.roster import write_join
from protocol.step import EntryRow, SecretRow, Step
from scopa_net.notices import LinkFailed, Notice, RoomChanged
from scopa_net.rules import Play, Variant, find_variant
from scopa_net.rules.cards import card
from scopa_net.seat import Seat
from tests.support.small_group import SMALL

SCOPA = find_variant("scopa", 2, {"target": "1"})
AGAIN = b"a" * 32


def secrets_of(number: int) -> Secrets:
    luck = Random(number)
    return Secrets(Identity(luck.randbytes(32)), luck.randbytes(32), luck.randbytes(32))


def seat_of(
    number: int,
    *,
    variant: Variant = SCOPA,
    nonce: bytes = bytes(32),
    hesitant: bool = False,
) -> Seat:
    seat = Seat(
        SMALL,
        secrets_of(number),
        variant,
        nonce,
        name=f"p{number}",
        host=secrets_of(0).identity.key,
        number=number,
    )
    seat.gathering.hesitant = hesitant
    return seat


class Pair:
    """Two seats on one link that keeps what it carries, and their stores."""

    def __init__(self, host: Seat, guest: Seat) -> None:
        self.seats = [host, guest]
        self.rows: list[list[EntryRow]] = [[], []]
        self.notices: list[Notice] = []
        self.frames: list[tuple[int, bytes]] = []
        self.connect()

    def connect(self) -> None:
        for seat in self.seats:
            self.take(seat.number, seat.connect(1 - seat.number))
        self.settle()

    def take(self, number: int, step: Step[Notice]) -> None:
        self.rows[number] += [row for row in step.store if isinstance(row, EntryRow)]
        self.notices += step.events
        self.frames += [(frame.link, frame.data) for frame in step.send]
        for task in step.tasks:
            self.take(number, self.seats[number].done(task, task.run()))

    def settle(self) -> None:
        while self.frames:
            to, data = self.frames.pop(0)
            self.take(to, self.seats[to].receive(1 - to, data))

    def counts(self) -> list[tuple[int, ...]]:
        tables = [seat.table for seat in self.seats]
        return [table.party.judge.record.counts() for table in tables if table]


def test_two_seats_that_meet_deal_the_first_cards() -> None:
    pair = Pair(seat_of(0), seat_of(1))
    tables = [seat.table for seat in pair.seats]
    assert all(table is not None and table.deal.opening_known for table in tables)
    assert [len(table.deal.hand(table.place)) for table in tables if table] == [3, 3]
    assert len(set(pair.counts())) == 1


def test_a_seat_stores_its_secrets_before_anything_depends_on_them() -> None:
    step = seat_of(0).open()
    names = {row.name for row in step.store if isinstance(row, SecretRow)}
    assert names == {"identity", "master", "coin"}
    assert (step.send, step.events, step.tasks) == ((), (), ())


def test_everything_a_seat_says_is_in_its_store_first() -> None:
    pair = Pair(seat_of(0), seat_of(1))
    for seat, rows in zip(pair.seats, pair.rows, strict=True):
        stored = [row.entry for row in rows]
        assert len(set(stored)) == len(stored)
        assert set(stored) == {one for chain in seat.chains() for one in chain}


@pytest.mark.parametrize(
    ("variant", "nonce"),
    [
        pytest.param(find_variant("scopa", 2, {"target": "2"}), bytes(32), id="rules"),
        pytest.param(SCOPA, b"x" * 32, id="table"),
    ],
)
def test_a_guest_does_not_sit_down_at_another_table(
    variant: Variant, nonce: bytes
) -> None:
    pair = Pair(seat_of(0), seat_of(1, variant=variant, nonce=nonce))
    assert pair.seats[1].table is None
    assert pair.counts() in ([], [(0, 1)], [(1, 0)])


def test_a_seat_without_a_table_cannot_act() -> None:
    with pytest.raises(LocalProtocolError):
        seat_of(0).act(Play(card("7D")))


def test_a_guest_sits_down_for_itself_alone() -> None:
    # Else one invitation would fill a table, and one player would see two hands.
    host, guest = seat_of(0), seat_of(1)
    stranger = secrets_of(7).identity
    join = write_join(stranger, bytes(32), "other", None, bytes(32))
    data = encode((0, *join))
    host.connect(1, secrets_of(1).identity.key)
    step = host.receive(1, data)
    assert [type(notice) for notice in step.events] == [LinkFailed]
    assert host.table is None
    host.connect(2, stranger.key)
    (told,) = host.receive(2, data).events
    assert isinstance(told, RoomChanged)
    host.receive(2, encode((9, told.room.digest)))
    assert host.table is not None
    assert guest.table is None


@pytest.mark.parametrize("unsure", [(0,), (1,), (0, 1)])
def test_a_player_who_hesitates_signs_nothing_before_it_agrees(
    unsure: tuple[int, ...],
) -> None:
    pair = Pair(*(seat_of(at, hesitant=at in unsure) for at in range(2)))
    for at in unsure:
        rooms = [
            notice.room
            for notice in pair.notices
            if isinstance(notice, RoomChanged) and notice.seat == at
        ]
        assert sorted(one.name for one in rooms[-1].players) == ["p0", "p1"]
        assert all(seat.table is None for seat in pair.seats)
        assert pair.rows[at] == []
        pair.connect()
        assert pair.rows[at] == []
        pair.take(at, pair.seats[at].agree(rooms[-1].digest))
        pair.settle()
    assert all(seat.table and seat.table.party.judge.decks for seat in pair.seats)
    assert not any(isinstance(notice, LinkFailed) for notice in pair.notices)


def test_who_agrees_to_others_than_those_who_are_there_does_not_start() -> None:
    pair = Pair(seat_of(0, hesitant=True), seat_of(1))
    pair.take(0, pair.seats[0].agree(b"x" * 32))
    pair.settle()
    assert pair.seats[0].table is None


def test_a_proof_that_nobody_signed_is_the_links_fault() -> None:
    pair = Pair(seat_of(0), seat_of(1))
    false = Signed(pair.rows[1][0].entry.encoded[:-1], bytes(64))
    step = pair.seats[0].receive(1, encode((3, (tuple(false),))))
    assert [type(notice) for notice in step.events] == [LinkFailed]


def test_rubbish_on_a_link_is_told_and_changes_nothing() -> None:
    pair = Pair(seat_of(0), seat_of(1))
    counts = pair.counts()
    for data in (b"", b"\xc1", encode((2, b"no entry", bytes(64))), b"\x90" * 70_000):
        step = pair.seats[0].receive(1, data)
        assert [type(notice) for notice in step.events] == [LinkFailed]
        assert step.store == ()
    assert pair.counts() == counts


def test_a_seat_opened_again_from_its_rows_goes_on_where_it_stood() -> None:
    # D22: fold again, send the stored bytes, produce what is owed.
    pair = Pair(seat_of(0), seat_of(1))
    before = pair.seats[1].chains()
    again = seat_of(1)
    step = again.recall((row.entry for row in pair.rows[1]), AGAIN)
    assert again.chains() == before
    assert not any(isinstance(row, EntryRow) for row in step.store)
    pair.seats[1] = again
    pair.seats[0].disconnect(1)
    pair.connect()
    mover = next(seat for seat in pair.seats if seat.table and seat.table.to_act)
    assert mover.table is not None
    action = mover.table.observation().legal_actions[0]
    pair.take(mover.number, mover.act(action))
    pair.settle()
    assert len(set(pair.counts())) == 1
    plays = [seat.table.referee.deal.plays for seat in pair.seats if seat.table]
    assert plays == [1, 1]


def test_a_seat_killed_after_storing_sends_the_stored_bytes() -> None:
    pair = Pair(seat_of(0), seat_of(1))
    mover = next(seat for seat in pair.seats if seat.table and seat.table.to_act)
    assert mover.table is not None
    step = mover.act(mover.table.observation().legal_actions[0])
    rows = [row for row in step.store if isinstance(row, EntryRow)]
    assert rows
    pair.rows[mover.number] += rows
    again = seat_of(mover.number)
    again.recall((row.entry for row in pair.rows[mover.number]), AGAIN)
    pair.seats[mover.number] = again
    pair.seats[1 - mover.number].disconnect(mover.number)
    pair.connect()
    held = {one for chain in pair.seats[1 - mover.number].chains() for one in chain}
    assert {row.entry for row in rows} <= held


def test_a_seat_opened_again_still_shows_the_proof_of_a_fault() -> None:
    # F5: kept, and sent on every new link.
    pair = Pair(seat_of(0), seat_of(1))
    liar = pair.seats[1].table
    assert liar is not None
    judge = liar.party.judge
    identity = secrets_of(1).identity
    bad = judge.record.write(identity, liar.party.seat, Kind.VERDICT, None)
    pair.take(0, pair.seats[0].receive(1, encode((2, *bad.signed))))
    assert bad.signed in {row.entry for row in pair.rows[0]}
    again = seat_of(0)
    again.recall((row.entry for row in pair.rows[0]), AGAIN)
    sent = [*again.connect(7).send]
    sent += again.receive(7, sent[0].data).send
    assert any(bad.signed.encoded in frame.data for frame in sent)


def test_a_stored_entry_that_is_damaged_is_not_taken_back() -> None:
    pair = Pair(seat_of(0), seat_of(1))
    rows = [row.entry for row in pair.rows[1]]
    rows[3] = Signed(rows[3].encoded, bytes(64))
    with pytest.raises(LocalProtocolError):
        seat_of(1).recall(rows, AGAIN)


def test_a_stored_entry_that_waits_after_a_restart_is_not_signed_again() -> None:
    # F6: one that names what is not here any more waits for it; nothing is put in its
    # place, or an honest seat would fork its own chain.
    pair = Pair(seat_of(0), seat_of(1))
    before = pair.seats[1].chains()
    rows = [row.entry for row in pair.rows[1]]
    own = [
        at for at, one in enumerate(rows) if read_entry(one).seat == seat_in(pair, 1)
    ]
    lost = max(at for at in range(own[-1]) if at not in own)
    again = seat_of(1)
    again.recall((one for at, one in enumerate(rows) if at != lost), AGAIN)
    assert len(again.chains()[seat_in(pair, 1)]) < len(before[seat_in(pair, 1)])
    pair.seats[1] = again
    pair.seats[0].disconnect(1)
    pair.connect()
    assert again.chains() == pair.seats[0].chains()
    for then, now in zip(before, again.chains(), strict=True):
        assert now[: len(then)] == then
    last = read_entry(again.chains()[seat_in(pair, 1)][-1])
    assert last.kind == Kind.RESUMED


def seat_in(pair: Pair, number: int) -> int:
    """The seat of the record that one of the two has."""
    table = pair.seats[number].table
    if table is None:
        table = pair.seats[1 - number].table
        assert table is not None
        return 1 - table.party.seat
    return table.party.seat
