"""Attacks with what is read before a judge is asked: terms, greetings, proofs."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from protocol.codec import Value, encode
from protocol.crypto.group import EDWARDS, decode_scalar
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity, verify
from protocol.crypto.proofs import (
    KeyProof,
    ShareProof,
    check_key,
    check_shares,
    decode_key_proof,
    decode_share_proof,
    prove_key,
    prove_shares,
)
from protocol.crypto.shuffle import decode_deck, encode_deck
from protocol.crypto.shuffle_proof import decode_shuffle_proof, proof_bytes
from protocol.entry import WIRE_VERSION
from protocol.faults import Signed
from protocol.hello import (
    WATCHERS_MAX,
    Door,
    GuestHello,
    WatcherHello,
    program_text,
    read_greeting,
)
from protocol.roster import Terms, WaitingRoom, read_join, read_terms, write_join
from protocol.text import safe_name
from tests.protocol.crypto.dealt import batch, dealt, shuffled
from tests.protocol.outcomes import (
    Outcome,
)
from tests.support.parties import Circle, secrets_of, terms_of
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening

TICKETS = (b"t" * 16, b"u" * 16)
KEYS = tuple(bytes((at,)) * 32 for at in range(4))


def door(hello: GuestHello, *, key: int = 0, used: int = 0, places: int = 2) -> Outcome:
    """Whether a guest is let in, when so many others have used their tickets."""
    made = Door(b"n" * 32, TICKETS, places=places)
    for at in range(used):
        made.admit(KEYS[at + 1], hello_of(TICKETS[at]))
    return made.admit(KEYS[key], hello)


def knocker(*, used: int, places: int) -> Outcome:
    """Whether there is room for somebody without a ticket."""
    made = Door(b"n" * 32, TICKETS, places=places)
    for at in range(used):
        made.admit(KEYS[at + 1], hello_of(TICKETS[at]))
    return made.let_in(KEYS[0], b"k" * 16)


WATCH = b"w" * 16


def gallery(
    ticket: bytes,
    *,
    nonce: bytes | None = None,
    key: int = 0,
    watching: int = 0,
    seated: int = 0,
) -> Outcome:
    """Whether somebody may watch when so many others do, and so many sit there."""
    made = Door(b"n" * 32, TICKETS, places=2, watch=WATCH)
    for at in range(seated):
        made.admit(KEYS[at], hello_of(TICKETS[at]))
    for at in range(watching):
        made.admit_watcher(bytes((at + 9,)) * 32, watcher_of(WATCH))
    return made.admit_watcher(KEYS[key], watcher_of(ticket, nonce))


def watcher_of(ticket: bytes, nonce: bytes | None = None) -> WatcherHello:
    return WatcherHello(program_text("1"), safe_name("Cy"), ticket, nonce)


def watcher_at_the_table() -> Outcome:
    made = Door(b"n" * 32, TICKETS, places=2, watch=WATCH)
    return made.admit(KEYS[0], hello_of(WATCH))


def hello_of(ticket: bytes | None, nonce: bytes | None = None) -> GuestHello:
    return GuestHello(program_text("1"), ticket, nonce)


def greeting(value: Value) -> Outcome:
    return read_greeting(encode(value))


HOST: tuple[Value, ...] = (
    "scopa-net",
    WIRE_VERSION,
    1,
    "1",
    b"n" * 32,
    "s",
    2,
    ("a=b",),
    "t",
    (),
)


def join_of_another_key(key: bytes) -> Outcome:
    """A wish to sit down in the name of a key that is not one's own."""
    own = Identity(b"1" * 32)
    encoded = encode((b"n" * 32, key, "x", None, bytes(32)))
    return read_join(Signed(encoded, own.sign(H("sc1.join", encoded))))


def join_outside_the_group() -> Outcome:
    """The key of small order under which libsodium would take no signature."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("protocol.roster.verify", lambda *_: True)
        return join_of_another_key(next(iter(EDWARDS.outsiders.values())))


def terms_here() -> tuple[Terms, bytes]:
    secrets = secrets_of(1, 3)
    nonce = b"n" * 32
    return terms_of(secrets, SMALL, 9, nonce), nonce


def changed_terms(**changed: Any) -> Outcome:
    terms, _ = terms_here()
    return read_terms(replace(terms, **changed).body())


def proposed(
    *, nonce: bytes = b"n" * 32, seats: int = 3, seat: int = 0, swap: bool = False
) -> Outcome:
    """Whether a guest signs terms; with `swap`, of a host that gave it another name."""
    secrets = secrets_of(1, 3)
    terms, _ = terms_here()
    order = sorted(secrets, key=lambda one: one.identity.key)
    name = terms.names[2]
    own = write_join(order[2].identity, b"n" * 32, name, None, order[2].coin)
    room = WaitingRoom(own, seats=seats, host=terms.keys[0])
    if swap:
        terms = replace(terms, names=(*terms.names[:2], "somebody"))
    table = Circle(toy_opening(), seats=3, positions=9)
    entry = table.parties[0].judge.record.logs[0].entries[0]
    entry = replace(entry, seat=seat, prev=nonce, body=terms.body())
    return room.proposed(entry)


def wish_for_side(side: int) -> Outcome:
    """Whether a host whose own side has two places, one of them taken, has another."""
    hosts, first, last = (Identity(bytes((at,)) * 32) for at in (1, 2, 3))
    nonce = b"n" * 32
    own = write_join(hosts, nonce, "x", 1, bytes(32))
    room = WaitingRoom(own, seats=4, host=hosts.key, sides=2)
    wishes = [(first, 1), (last, side)]
    signed = [write_join(who, nonce, "x", at, bytes(32)) for who, at in wishes]
    taken = [room.welcome(join) for join in map(read_join, signed) if join]
    return taken[-1]


def wish_for_a_full_table() -> Outcome:
    """Whether a host whose one guest has come takes another one."""
    players = [Identity(bytes((at,)) * 32) for at in (1, 2, 3)]
    signed = [write_join(who, b"n" * 32, "x", None, bytes(32)) for who in players]
    room = WaitingRoom(signed[0], seats=2, host=players[0].key)
    taken = [room.welcome(join) for join in map(read_join, signed[1:]) if join]
    return taken[-1]


def wish_for_another_side_than_before() -> Outcome:
    """Whether a host lets in a player on another side than the one it is bound to."""
    hosts, guest = Identity(b"1" * 32), Identity(b"2" * 32)
    own = write_join(hosts, b"n" * 32, "x", 0, bytes(32))
    room = WaitingRoom(own, seats=3, host=hosts.key)
    bound = {hosts.key: 0, guest.key: 1}
    wish = read_join(write_join(guest, b"n" * 32, "x", 2, bytes(32)))
    return wish is not None and room.welcome(wish, bound)


def proposed_without_me() -> Outcome:
    terms, _ = terms_here()
    stranger = Identity(b"9" * 32)
    own = write_join(stranger, b"n" * 32, "x", None, bytes(32))
    room = WaitingRoom(own, seats=3, host=terms.keys[0])
    table = Circle(toy_opening(), seats=3, positions=9)
    entry = table.parties[0].judge.record.logs[0].entries[0]
    return room.proposed(replace(entry, prev=b"n" * 32, body=terms.body()))


def key_of_nobody() -> Outcome:
    """The identity, of which anybody can prove to know the secret: it is none."""
    k = 5
    c = SMALL.scalar("sc1.pok", b"c", SMALL.identity.encoded, SMALL.base(k).encoded)
    return check_key(SMALL, b"c", SMALL.identity, KeyProof(c, k))


def key_proof_written_otherwise() -> Outcome:
    key = SMALL.base(7)
    proof = prove_key(SMALL, b"c", b"s" * 32, 7, key)
    return check_key(SMALL, b"c", key, KeyProof(proof.c, proof.z + SMALL.order))


def share_proof_written_otherwise(*, c: int, z: int) -> Outcome:
    said = batch(dealt(SMALL, 2, 5), (0, 1))
    proof = proof_of(said)
    other = ShareProof(proof.c + c * SMALL.order, proof.z + z * SMALL.order)
    shares = [point.encoded for point in said.d_points]
    return check_shares(SMALL, said.statement, said.a_points, shares, other)


def proof_of(said: Any) -> ShareProof:
    chair = said.chair
    return prove_shares(
        SMALL, chair.seed, said.statement, chair.x, said.a_points, said.d_points
    )


def shares_of_nothing() -> Outcome:
    said = batch(dealt(SMALL, 2, 5), (0, 1))
    proof = proof_of(said)
    statement = replace(said.statement, positions=())
    return check_shares(SMALL, statement, (), (), proof)


def a_second_share_that_is_no_point() -> Outcome:
    said = batch(dealt(SMALL, 2, 5), (0, 1))
    shares = said.d_points[0].encoded, SMALL.identity.encoded
    return check_shares(SMALL, said.statement, said.a_points, shares, proof_of(said))


def a_position_below_zero() -> Outcome:
    said = batch(dealt(SMALL, 2, 5), (0, 1))
    statement = replace(said.statement, positions=(-1, 1))
    shares = [point.encoded for point in said.d_points]
    return check_shares(SMALL, statement, said.a_points, shares, proof_of(said))


def long_pair() -> Outcome:
    key = SMALL.base(7)
    proof = prove_key(SMALL, b"c", b"s" * 32, 7, key).encode()
    return decode_key_proof(SMALL, proof + bytes(1))


def zero_pair(*, first: bool) -> Outcome:
    half = (1).to_bytes(32, "little")
    pair = bytes(32) + half if first else half + bytes(32)
    return decode_key_proof(SMALL, pair)


def long_deck() -> Outcome:
    made = shuffled(SMALL, 4)
    point = SMALL.generator.encoded
    return decode_deck(SMALL, encode_deck(made.deck_out) + 2 * point, 4)


def long_shuffle_proof() -> Outcome:
    made = shuffled(SMALL, 4)
    one = (1).to_bytes(32, "little")
    return decode_shuffle_proof(SMALL, made.proof().encode() + one, 4)


def zero_in_a_shuffle_proof() -> Outcome:
    proof = shuffled(SMALL, 4).proof().encode()
    return decode_shuffle_proof(SMALL, proof[:-32] + bytes(32), 4)


def shuffle_of_nothing() -> Outcome:
    made = shuffled(SMALL, 4)
    proof = made.proof()
    nothing = replace(proof, commitments=(), chain=(), links=(), weights=())
    return replace(made, deck_in=(), deck_out=()).accepted(nothing)


def shuffle_proof_with(**changed: Any) -> Outcome:
    made = shuffled(SMALL, 4)
    return made.accepted(replace(made.proof(), **changed))


def shuffle_proof_written_otherwise() -> Outcome:
    made = shuffled(SMALL, 4)
    first, *rest = made.proof().sums
    return shuffle_proof_with(sums=(first + SMALL.order, *rest))


def short_shuffle_proof() -> Outcome:
    made = shuffled(SMALL, 4)
    return shuffle_proof_with(links=made.proof().links[:-1])


def moved_border() -> Outcome:
    """A signature that takes the first byte of its message along."""
    who = Identity(b"1" * 32)
    signature = who.sign(b"message")
    return verify(who.key, b"essage", signature + b"m")


def short_key() -> Outcome:
    who = Identity(b"1" * 32)
    return verify(who.key[:-1], b"message", who.sign(b"message"))


def shuffle_proof_without_a_point(where: str) -> Outcome:
    _, *others = getattr(shuffled(SMALL, 4).proof(), where)
    return shuffle_proof_with(**{where: (SMALL.identity.encoded, *others)})


def unread_terms() -> Outcome:
    secrets = secrets_of(1, 3)
    own = write_join(secrets[0].identity, b"n" * 32, "x", None, bytes(32))
    room = WaitingRoom(own, seats=3, host=KEYS[0])
    table = Circle(toy_opening(), seats=3, positions=9)
    entry = table.parties[0].judge.record.logs[0].entries[0]
    return room.proposed(replace(entry, prev=b"n" * 32, body=None))


BY_STRANGERS: dict[str, Callable[[], Outcome]] = {
    "a guest without a ticket": partial(door, hello_of(None)),
    "a guest with a ticket of its own": partial(door, hello_of(b"x" * 16)),
    "a guest with a used ticket": partial(door, hello_of(TICKETS[0]), used=1),
    "a guest too many": partial(door, hello_of(TICKETS[1]), used=1, places=1),
    "a watcher who would sit down": watcher_at_the_table,
    "a watcher of another table": partial(gallery, WATCH, nonce=b"o" * 32),
    "a watcher who sits there": partial(gallery, WATCH, seated=1),
    "a watcher with a seat's ticket": partial(gallery, TICKETS[0]),
    "a watcher with a ticket of its own": partial(gallery, b"x" * 16),
    "a watcher too many": partial(gallery, WATCH, watching=WATCHERS_MAX),
    "a knocker too many": partial(knocker, used=1, places=1),
    "a knock without a commitment": partial(
        greeting, ("scopa-net", WIRE_VERSION, 5, "1", "Ada", b"")
    ),
    "a guest of another table": partial(door, hello_of(TICKETS[0], b"o" * 32)),
    "a greeting that is no list": partial(greeting, "hello"),
    "a greeting of three words": partial(greeting, ("scopa-net", WIRE_VERSION, 0)),
    "a greeting of another protocol": partial(
        greeting, ("http", WIRE_VERSION, 0, "1", None, None)
    ),
    "a guest's greeting with more in it": partial(
        greeting, ("scopa-net", WIRE_VERSION, 0, "1", None, None, 1)
    ),
    "a guest's greeting with a short ticket": partial(
        greeting, ("scopa-net", WIRE_VERSION, 0, "1", b"x", None)
    ),
    "a host's greeting with one server": partial(
        greeting, (*HOST[:9], ("ws://h.example:4000/v1",))
    ),
    "a host's greeting for one seat": partial(greeting, (*HOST[:6], 1, *HOST[7:])),
    "a refusal that does not exist": partial(
        greeting, ("scopa-net", WIRE_VERSION, 2, "1", 99)
    ),
    "a refusal of five hundred": partial(
        greeting, ("scopa-net", WIRE_VERSION, 2, "1", 1, 2)
    ),
    "a version that is no number": partial(greeting, ("scopa-net", "2", 0, "1")),
    "a version below zero": partial(greeting, ("scopa-net", 1 << 20, 0, "1")),
    "a program that is no text": partial(
        greeting, ("scopa-net", WIRE_VERSION, 0, 1, None, None)
    ),
    "a program of a thousand letters": partial(
        greeting, ("scopa-net", WIRE_VERSION, 0, "x" * 1000, None, None)
    ),
    "a wish in another's name": partial(join_of_another_key, Identity(b"7" * 32).key),
    "a key of small order": join_outside_the_group,
    "terms out of order": partial(changed_terms, rules=("b=1", "a=1")),
    "terms with fewer names": partial(changed_terms, names=("a", "b")),
    "terms with a key that is none": partial(
        changed_terms, keys=tuple(bytes((at,)) * 32 for at in range(3))
    ),
    "terms of no positions": partial(changed_terms, positions=0),
    "terms with another name": partial(proposed, swap=True),
    "terms under another nonce": partial(proposed, nonce=b"o" * 32),
    "terms for more seats": partial(proposed, seats=4),
    "terms by a guest": partial(proposed, seat=1),
    "terms by a seat that is not there": partial(proposed, seat=5),
    "a wish for a full side": partial(wish_for_side, 1),
    "a wish for a full table": wish_for_a_full_table,
    "a wish for a side that is none": partial(wish_for_side, 2),
    "a wish for another side than before": wish_for_another_side_than_before,
    "terms without me": proposed_without_me,
    "the key of nobody": key_of_nobody,
    "a key proof written otherwise": key_proof_written_otherwise,
    "a share proof with another c": partial(share_proof_written_otherwise, c=1, z=0),
    "a share proof with another z": partial(share_proof_written_otherwise, c=0, z=1),
    "shares of nothing": shares_of_nothing,
    "a position below zero": a_position_below_zero,
    "a second share that is no point": a_second_share_that_is_no_point,
    "a proof with a byte more": long_pair,
    "a proof whose c is zero": partial(zero_pair, first=True),
    "a proof whose z is zero": partial(zero_pair, first=False),
    "a share proof of zeros": lambda: decode_share_proof(SMALL, bytes(64)),
    "a shuffle proof of zeros": lambda: decode_shuffle_proof(
        SMALL, bytes(proof_bytes(4)), 4
    ),
    "a shuffle proof with a zero": zero_in_a_shuffle_proof,
    "a deck with a card more": long_deck,
    "a shuffle proof with a number more": long_shuffle_proof,
    "a shuffle of nothing": shuffle_of_nothing,
    "a shuffle proof written otherwise": shuffle_proof_written_otherwise,
    "a shuffle proof with a number less": short_shuffle_proof,
    "a shuffle proof without sums": partial(shuffle_proof_with, sums=(1,)),
    "a scalar with a byte more": lambda: decode_scalar(SMALL, b"\1" + bytes(32)),
    "a point with a byte more": lambda: EDWARDS.decode(
        EDWARDS.generator.encoded + b"\0"
    ),
    "a point with a byte more, multiplied": lambda: EDWARDS.decode_times(
        3, EDWARDS.generator.encoded + b"\0"
    ),
    "a point of small order": lambda: [
        EDWARDS.decode(one) for one in EDWARDS.outsiders.values()
    ],
    "a signature with a moved border": moved_border,
    "a key with a byte less": short_key,
    "terms that are none": unread_terms,
    "a greeting that is a number": partial(greeting, 5),
    "a shuffle proof without a commitment": partial(
        shuffle_proof_without_a_point, "commitments"
    ),
    "a shuffle proof without a link": partial(shuffle_proof_without_a_point, "chain"),
}
