from collections import Counter
from dataclasses import replace

import pytest

from protocol.codec import ENTRY_BYTES_MAX, Anything, Value, decode, encode
from protocol.crypto.group import EDWARDS
from protocol.crypto.identity import Identity
from protocol.crypto.shuffle_proof import proof_bytes
from protocol.entry import WIRE_VERSION, Kind
from protocol.faults import Signed
from protocol.record import Record
from protocol.roster import (
    POSITIONS_MAX,
    Join,
    Terms,
    WaitingRoom,
    coin_commitment,
    draw,
    gather_terms,
    read_join,
    read_terms,
    table_id,
    write_join,
)
from protocol.text import MARK, safe_name

NONCE = b"n" * 32
PLAYERS = tuple(Identity(bytes((seat,)) * 32) for seat in range(1, 7))
COINS = tuple(bytes((seat,)) * 32 for seat in range(11, 17))


def join_of(
    player: int, *, nonce: bytes = NONCE, name: str = "", side: int | None = None
) -> Signed:
    name = name or f"p{player}"
    return write_join(PLAYERS[player], nonce, name, side, COINS[player])


def read(signed: Signed) -> Join:
    join = read_join(signed)
    assert join is not None
    return join


def joins_of(seats: int) -> list[Join]:
    read = [read_join(join_of(player)) for player in range(seats)]
    return [join for join in read if join is not None]


def terms_of(seats: int = 2) -> Terms:
    return gather_terms("toy", 9, EDWARDS.name, ("b=2", "a=1"), joins_of(seats))


def test_a_join_names_its_table_and_is_signed_by_the_key_it_names() -> None:
    join = read_join(join_of(0, name="Ada", side=1))
    assert join is not None
    assert (join.nonce, join.name, join.side) == (NONCE, "Ada", 1)
    assert join.commitment == coin_commitment(NONCE, PLAYERS[0].key, COINS[0])


def test_a_join_changed_by_one_byte_is_no_join() -> None:
    signed = join_of(0)
    for at in range(len(signed.encoded)):
        changed = bytearray(signed.encoded)
        changed[at] ^= 1
        assert read_join(Signed(bytes(changed), signed.signature)) is None


@pytest.mark.parametrize("name", ["x" * 400, "𝄞\u0301\u0302\u0303" * 40, "\x1b[2J", ""])
def test_whatever_a_player_is_called_the_join_can_be_read(name: str) -> None:
    join = read_join(write_join(PLAYERS[0], NONCE, name, None, COINS[0]))
    assert join is not None
    assert join.name == safe_name(name)


def test_a_join_with_a_key_outside_the_group_is_no_join() -> None:
    small_order = bytes(32)
    body = encode((NONCE, small_order, "x", None, bytes(32)))
    assert read_join(Signed(body, bytes(64))) is None


def test_terms_rank_the_seats_by_their_keys_and_the_rules_by_their_names() -> None:
    terms = terms_of(4)
    assert list(terms.keys) == sorted(player.key for player in PLAYERS[:4])
    assert terms.rules == ("a=1", "b=2")
    for player in range(4):
        join = read_join(join_of(player))
        assert join is not None
        assert terms.has(join)


def test_terms_read_back_from_their_entry() -> None:
    terms = terms_of(3)
    assert read_terms(decode(encode(terms.body()), Anything())) == terms


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (0, 1),
        (1, 0),
        (1, POSITIONS_MAX + 1),
        (3, WIRE_VERSION - 1),
        (3, WIRE_VERSION + 1),
        (4, ("b=2", "a=1")),
        (4, ("a=1", "a=1")),
        (5, ("one",)),
        (6, (0, 6)),
        (7, tuple(sorted((p.key for p in PLAYERS[:2]), reverse=True))),
        (7, (PLAYERS[0].key, PLAYERS[0].key)),
        (7, (bytes(32), PLAYERS[0].key)),
        (8, (bytes(31), bytes(32))),
    ],
)
def test_terms_of_another_form_are_not_read(field: int, value: Value) -> None:
    body = terms_of(2).body()
    assert isinstance(body, tuple)
    assert read_terms((*body[:field], value, *body[field + 1 :])) is None


def test_the_proof_of_a_shuffle_fits_into_an_entry_at_every_table() -> None:
    most = 2**20
    proof = (4095, bytes(32), bytes(proof_bytes(POSITIONS_MAX)))
    fields = (bytes(16), 5, most, bytes(32), (most,) * 6, bytes(32), 5, proof)
    assert len(encode((WIRE_VERSION, *fields))) <= ENTRY_BYTES_MAX


def test_terms_that_differ_in_anything_have_another_scope() -> None:
    terms = terms_of(2)
    others = [
        replace(terms, game="other"),
        replace(terms, rules=("a=1", "b=3")),
        replace(terms, names=("x", "y")),
        replace(terms, sides=(0, 1)),
        replace(terms, commitments=(bytes(32), bytes(32))),
    ]
    scopes = {one.scope(NONCE) for one in [terms, *others]}
    assert len(scopes | {terms.scope(bytes(32))}) == len(others) + 2


def named(*names: str) -> Terms:
    """Terms of players who call themselves so, in the order of their keys."""
    ranked = sorted(joins_of(len(names)), key=lambda join: join.key)
    joins = [replace(join, name=name) for join, name in zip(ranked, names, strict=True)]
    return gather_terms("toy", 9, EDWARDS.name, (), joins)


def test_equal_looking_names_are_numbered_and_unsafe_ones_marked() -> None:
    # X34, X35.
    cyrillic = "Marc\N{CYRILLIC SMALL LETTER O}"
    names = named("Marco", "marco", "\x1b[2J", cyrillic).shown_names()
    assert names == ("Marco", "marco (2)", f"{MARK}[2J", f"{cyrillic} (3)")


def test_no_two_names_look_alike_when_they_are_shown() -> None:
    assert named("Ada (2)", "Ada", "Ada").shown_names() == ("Ada (2)", "Ada", "Ada (3)")
    long = "Wolfeschlegelste"
    assert named(long, long).shown_names() == (long, f"{long} (2)")


def test_a_name_that_is_a_word_of_the_program_is_numbered() -> None:
    # X35.
    names = named("you", "Ada", "You").shown_names()
    assert names == ("you (2)", "Ada", "You (3)")


def test_the_host_seats_each_key_once_as_it_came_last() -> None:
    # X24.
    room = WaitingRoom(join_of(0), seats=3, host=PLAYERS[0].key)
    assert room.gathered() is None
    room.welcome(read(join_of(1)))
    room.welcome(read(join_of(1, name="again")))
    assert room.gathered() is None
    room.welcome(read(join_of(2)))
    room.welcome(read(join_of(3)))
    for player in PLAYERS:
        room.prepared(player.key, room.present.digest)
    joins = room.gathered()
    assert joins is not None
    assert [join.name for join in joins] == ["p0", "again", "p2"]


def test_a_table_waits_until_everybody_is_ready_for_those_who_are_there() -> None:
    room = WaitingRoom(join_of(0), seats=3, host=PLAYERS[0].key)
    for at in (1, 2):
        assert room.welcome(read(join_of(at)))
    now = room.present.digest
    for at in (1, 2):
        room.prepared(PLAYERS[at].key, now)
    assert room.gathered() is None
    room.prepared(PLAYERS[0].key, now)
    assert room.gathered() is not None
    room.prepared(PLAYERS[1].key, None)
    assert room.gathered() is None
    room.prepared(PLAYERS[1].key, now)
    # It is somebody else for whom all of them were not ready.
    room.welcome(read(join_of(2, name="again")))
    assert room.gathered() is None
    assert [(one.name, one.ready) for one in room.present.players] == [
        ("p0", False),
        ("p1", False),
        ("again", False),
    ]


def test_who_leaves_the_waiting_room_makes_place_for_another() -> None:
    room = WaitingRoom(join_of(0), seats=2, host=PLAYERS[0].key)
    room.welcome(read(join_of(1)))
    room.welcome(read(join_of(2)))
    assert [one.name for one in room.present.players] == ["p0", "p1"]
    room.leave(PLAYERS[1].key)
    room.leave(PLAYERS[0].key)
    assert [one.name for one in room.present.players] == ["p0"]
    room.welcome(read(join_of(2)))
    assert [one.name for one in room.present.players] == ["p0", "p2"]


def test_a_side_has_as_many_places_as_it_has_and_no_more() -> None:
    room = WaitingRoom(join_of(0, side=1), seats=4, host=PLAYERS[0].key, sides=2)
    assert room.welcome(read(join_of(1, side=1)))
    assert not room.welcome(read(join_of(2, side=1)))
    assert not room.welcome(read(join_of(2, side=2)))
    # The own wish of before is not in the way of the own wish of now.
    assert room.welcome(read(join_of(1, side=1)))
    assert room.welcome(read(join_of(2, side=0)))
    assert room.welcome(read(join_of(3)))
    assert [one.side for one in room.present.players] == [1, 1, 0, None]
    anywhere = WaitingRoom(join_of(0, side=5), seats=3, host=PLAYERS[0].key)
    assert anywhere.welcome(read(join_of(1, side=5)))


def test_players_that_are_bound_to_sides_are_let_in_on_no_other() -> None:
    room = WaitingRoom(join_of(0, side=1), seats=3, host=PLAYERS[0].key)
    bound = {PLAYERS[0].key: 1, PLAYERS[1].key: 0}
    assert not room.welcome(read(join_of(1, side=2)), bound)
    assert not room.welcome(read(join_of(1)), bound)
    assert not room.welcome(read(join_of(2, side=2)), bound)
    assert [one.name for one in room.present.players] == ["p0"]
    assert room.welcome(read(join_of(1, side=0)), bound)
    assert room.welcome(read(join_of(2)), bound)
    assert [one.side for one in room.present.players] == [1, 0, None]


def test_a_guest_signs_only_terms_that_hold_its_own_join_unchanged() -> None:
    room = WaitingRoom(join_of(1), seats=2, host=PLAYERS[0].key)
    terms = terms_of(2)
    mine = terms.keys.index(PLAYERS[1].key)

    def proposed(terms: Terms, nonce: bytes = NONCE) -> Terms | None:
        record = Record(terms.keys, nonce, terms.scope(nonce))
        host = terms.keys.index(PLAYERS[0].key)
        return room.proposed(record.write(PLAYERS[0], host, Kind.TABLE, terms.body()))

    assert proposed(terms) == terms
    names = list(terms.names)
    names[mine] = "not me"
    assert proposed(replace(terms, names=tuple(names))) is None
    commitments = list(terms.commitments)
    commitments[mine] = bytes(32)
    assert proposed(replace(terms, commitments=tuple(commitments))) is None
    assert proposed(terms, nonce=b"o" * 32) is None
    assert proposed(terms_of(3)) is None


def test_the_table_id_hangs_on_the_terms_and_on_every_coin() -> None:
    terms = terms_of(2)
    ids = {
        table_id(terms, NONCE, COINS[:2]),
        table_id(terms, NONCE, (COINS[1], COINS[0])),
        table_id(terms, NONCE, (COINS[0], COINS[2])),
        table_id(terms, bytes(32), COINS[:2]),
        table_id(replace(terms, game="other"), NONCE, COINS[:2]),
    }
    assert len(ids) == 5
    assert all(len(one) == 16 for one in ids)


def test_the_coin_draws_every_order_about_equally_often() -> None:
    orders = Counter(
        draw(bytes(14) + at.to_bytes(2), "places", 3) for at in range(6000)
    )
    assert len(orders) == 6
    # Chi-square with five degrees of freedom: 20.5 is passed once in a thousand.
    assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 20.5


def test_draws_under_other_labels_are_independent() -> None:
    pairs = Counter(
        (draw(coin, "places", 2), draw(coin, "dealer", 2))
        for coin in (at.to_bytes(16) for at in range(4000))
    )
    assert len(pairs) == 4
    assert min(pairs.values()) > 850
