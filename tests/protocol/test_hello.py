"""The first words on a link, and who is let in."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import Value, encode
from protocol.codes import Servers
from protocol.entry import WIRE_VERSION
from protocol.hello import (
    GUEST_HELLO_BYTES_MAX,
    HOST_HELLO_BYTES_MAX,
    PROTOCOL,
    WATCHERS_MAX,
    Door,
    Greeting,
    GuestHello,
    GuestNonce,
    HostHello,
    HostNonce,
    Knock,
    Look,
    OtherVersion,
    Refusal,
    Refused,
    Shown,
    Uninvited,
    WatcherHello,
    program_text,
    read_greeting,
    table_text,
    write_greeting,
)
from protocol.text import SafeText, safe_name
from scopa_net.rules import find_variant

NONCE = b"n" * 32
TICKETS = (b"a" * 16, b"b" * 16)
PROGRAM = program_text("0.4.0")
GUEST = GuestHello(PROGRAM, TICKETS[0], None)
HOST = HostHello(PROGRAM, NONCE, "suite/1", 2, ("a=1", "b=2"), table_text("Da Ada"))
HOST_START = (PROTOCOL, WIRE_VERSION, 1, "0.4.0", NONCE)
HOST_SERVERS = "ws://h.example:4000/v1", "tcp:h.example:4001"
SERVERS = Servers(*HOST_SERVERS)
UNINVITED = (
    Look(PROGRAM),
    Shown(PROGRAM, table_text("Da Ada"), 4, 3, asks=True, rules=("a=1",)),
    Knock(PROGRAM, safe_name("Bea"), b"c" * 32),
    HostNonce(PROGRAM, b"h" * 32),
    GuestNonce(PROGRAM, b"g" * 32),
    WatcherHello(PROGRAM, safe_name("Cy"), b"w" * 16, None),
    WatcherHello(PROGRAM, safe_name("Cy"), b"w" * 16, b"n" * 32),
)


@pytest.mark.parametrize(
    "greeting",
    [
        GUEST,
        GuestHello(PROGRAM, None, NONCE),
        HOST,
        replace(HOST, servers=SERVERS),
        *(Refused(PROGRAM, refusal) for refusal in Refusal),
        *UNINVITED,
    ],
    ids=repr,
)
def test_a_greeting_is_read_as_it_was_written(
    greeting: GuestHello | HostHello | Refused | Uninvited,
) -> None:
    assert read_greeting(write_greeting(greeting)) == greeting


def test_the_greetings_of_invited_guests_are_what_they_were() -> None:
    assert write_greeting(GUEST) == encode(
        (PROTOCOL, WIRE_VERSION, 0, "0.4.0", TICKETS[0], None)
    )
    assert write_greeting(HOST) == encode(
        (*HOST_START, "suite/1", 2, HOST.rules, "Da Ada", ())
    )
    assert write_greeting(replace(HOST, servers=SERVERS)) == encode(
        (*HOST_START, "suite/1", 2, HOST.rules, "Da Ada", HOST_SERVERS)
    )
    assert write_greeting(Refused(PROGRAM, Refusal.BUSY)) == encode(
        (PROTOCOL, WIRE_VERSION, 2, "0.4.0", 6)
    )


@pytest.mark.parametrize(
    "servers",
    [
        HOST_SERVERS[:1],
        (*HOST_SERVERS, "tcp:h.example:4002"),
        HOST_SERVERS[::-1],
        ("http://h.example:4000", HOST_SERVERS[1]),
        (HOST_SERVERS[0], "tcp:h.example"),
        ("ws://h.example:4000/" + "v" * 300, HOST_SERVERS[1]),
        "tcp",
    ],
    ids=str,
)
def test_a_host_names_two_servers_or_none(servers: Value) -> None:
    greeting = (*HOST_START, "suite/1", 2, HOST.rules, "Da Ada", servers)
    assert read_greeting(encode(greeting)) is None


def test_a_table_never_shows_more_free_seats_than_there_are() -> None:
    many = Shown(PROGRAM, HOST.table, 2, 5, asks=False, rules=())
    shown = read_greeting(write_greeting(many))
    assert isinstance(shown, Shown)
    assert shown.free == 1


def test_a_guest_fits_in_what_a_host_reads_of_a_stranger() -> None:
    longest = GuestHello(SafeText("\U0001f0a1" * 24), bytes(16), bytes(32))
    assert len(write_greeting(longest)) < GUEST_HELLO_BYTES_MAX // 4


def test_a_host_fits_in_what_a_guest_reads() -> None:
    rules = tuple(f"{i:096}" for i in range(64))
    long = Servers(f"ws://h:1/{'v' * 240}", f"tcp:{'h' * 63}.example:65535")
    table = SafeText("\U0001f0a1" * 32)
    host = HostHello(PROGRAM, NONCE, "s" * 32, 6, rules, table, long)
    assert len(write_greeting(host)) < HOST_HELLO_BYTES_MAX
    real = HostHello(PROGRAM, NONCE, "s", 2, find_variant("scopa").lines(), HOST.table)
    assert read_greeting(write_greeting(real)) == real


@pytest.mark.parametrize("kind", [0, 1, 7])
@pytest.mark.parametrize("rest", [(), (1,), (None, (1, 2), b"x")])
def test_a_hello_of_another_version_is_known_for_what_it_is(
    kind: int, rest: tuple[Value, ...]
) -> None:
    data = encode((PROTOCOL, WIRE_VERSION + 1, kind, "9.0", *rest))
    assert read_greeting(data) == OtherVersion(program_text("9.0"), WIRE_VERSION + 1)


def test_a_refusal_of_another_version_is_understood() -> None:
    data = encode((PROTOCOL, 9, 2, "9.0", Refusal.WRONG_VERSION.code))
    refused = read_greeting(data)
    assert refused == Refused(program_text("9.0"), Refusal.WRONG_VERSION, 9)
    assert isinstance(refused, Refused)
    assert "version 9" in refused.sentence
    assert "update yours" in refused.sentence


@pytest.mark.parametrize(
    "value",
    [
        (),
        7,
        "scopa-net",
        ("ssh", 1, 0, "0.4.0", None, None),
        (PROTOCOL, WIRE_VERSION, 0),
        (PROTOCOL, "1", 0, "0.4.0", None, None),
        (PROTOCOL, 70_000, 0, "0.4.0", None, None),
        (PROTOCOL, WIRE_VERSION, 3, "0.4.0", None, None),
        (PROTOCOL, WIRE_VERSION, (), "0.4.0", None, None),
        (PROTOCOL, WIRE_VERSION, 0, b"0.4.0", None, None),
        (PROTOCOL, WIRE_VERSION, 0, "v" * 257, None, None),
        (PROTOCOL, WIRE_VERSION, 0, "0.4.0", b"short", None),
        (PROTOCOL, WIRE_VERSION, 0, "0.4.0", None, b"short"),
        (PROTOCOL, WIRE_VERSION, 0, "0.4.0", None, None, None),
        (PROTOCOL, WIRE_VERSION, 1, "0.4.0", NONCE, "s", 1, (), "t"),
        (PROTOCOL, WIRE_VERSION, 1, "0.4.0", NONCE, "s", 7, (), "t"),
        (PROTOCOL, WIRE_VERSION, 1, "0.4.0", NONCE, "s", 2, ("x" * 97,), "t"),
        (PROTOCOL, WIRE_VERSION, 1, "0.4.0", NONCE, "s", 2, (), b"t"),
        (PROTOCOL, WIRE_VERSION, 2, "0.4.0", 0),
        (PROTOCOL, WIRE_VERSION, 2, "0.4.0", 77),
        (PROTOCOL, WIRE_VERSION, 2, "0.4.0", 2, "more"),
        (PROTOCOL, WIRE_VERSION, 3, "0.4.0", "more"),
        (PROTOCOL, WIRE_VERSION, 4, "0.4.0", "t", 7, 1, 1, ()),
        (PROTOCOL, WIRE_VERSION, 4, "0.4.0", "t", 2, 1, 2, ()),
        (PROTOCOL, WIRE_VERSION, 4, "0.4.0", "t", 2, 1, 1, ("x" * 97,)),
        (PROTOCOL, WIRE_VERSION, 5, "0.4.0", "Ada", b"c" * 31),
        (PROTOCOL, WIRE_VERSION, 5, "0.4.0", b"Ada", b"c" * 32),
        (PROTOCOL, WIRE_VERSION, 6, "0.4.0", b"n" * 31),
        (PROTOCOL, WIRE_VERSION, 7, "0.4.0", None),
        (PROTOCOL, WIRE_VERSION, 8, "0.4.0", b"n" * 32),
    ],
    ids=repr,
)
def test_what_is_no_greeting_is_refused(value: Value) -> None:
    assert read_greeting(encode(value)) is None


@given(st.binary(max_size=200))
def test_no_bytes_do_worse_than_being_refused(data: bytes) -> None:
    assert read_greeting(data) is None
    whole = write_greeting(HOST)
    at = len(data) * 5 % len(whole)
    read_greeting(whole[:at] + data + whole[at + len(data) :])


def test_foreign_text_becomes_safe_text() -> None:
    evil = "\x1b]0;owned\x07\u202e\x9b31m" + "e\u0301\u0301\u0301\u0301" * 90
    raw = evil.encode()[:250].decode(errors="ignore")
    told: list[Greeting | None] = [
        read_greeting(
            encode((PROTOCOL, WIRE_VERSION, 1, raw, NONCE, "s", 2, (), raw, ()))
        ),
        read_greeting(encode((PROTOCOL, WIRE_VERSION, 2, raw, 1))),
        read_greeting(encode((PROTOCOL, WIRE_VERSION + 1, 0, raw))),
        read_greeting(encode((PROTOCOL, WIRE_VERSION, 4, raw, raw, 2, 1, 0, ()))),
        read_greeting(encode((PROTOCOL, WIRE_VERSION, 5, raw, raw, bytes(32)))),
    ]
    assert isinstance(told[0], HostHello)
    assert isinstance(told[1], Refused)
    assert isinstance(told[2], OtherVersion)
    assert isinstance(told[3], Shown)
    assert isinstance(told[4], Knock)
    shown = (told[0].table, told[3].table, told[4].player)
    for text in (*shown, *(greeting.program for greeting in told if greeting)):
        assert isinstance(text, SafeText)
        assert text.isprintable()
        assert len(text) <= 3 * 32
    assert told[1].sentence.isprintable()


def test_every_refusal_is_one_sentence_and_a_code_of_its_own() -> None:
    assert len({refusal.code for refusal in Refusal}) == len(Refusal)
    for refusal in Refusal:
        assert refusal.sentence.endswith(".")
        assert refusal.sentence.isprintable()


def test_a_ticket_admits_one_key_as_often_as_it_comes() -> None:
    own = Door(NONCE, TICKETS, places=2)
    assert own.admit(b"ada", GUEST) is None
    assert own.admit(b"ada", GUEST) is None
    assert own.admit(b"bea", GUEST) is Refusal.USED_TICKET
    assert own.admit(b"bea", GuestHello(PROGRAM, TICKETS[1], None)) is None


def test_a_key_that_was_let_in_needs_no_ticket_to_come_again() -> None:
    own = Door(NONCE, TICKETS, places=2)
    again = GuestHello(PROGRAM, None, NONCE)
    assert own.admit(b"ada", again) is Refusal.WRONG_TICKET
    assert own.admit(b"ada", GUEST) is None
    assert own.admit(b"ada", again) is None


def test_an_unknown_ticket_or_none_is_refused() -> None:
    own = Door(NONCE, TICKETS, places=2)
    for ticket in (None, b"c" * 16):
        guest = GuestHello(PROGRAM, ticket, None)
        assert own.admit(b"ada", guest) is Refusal.WRONG_TICKET
    assert own.admitted == {}


def test_who_comes_for_another_table_is_told_so() -> None:
    own = Door(NONCE, TICKETS, places=2)
    assert own.admit(b"ada", GUEST) is None
    other = GuestHello(PROGRAM, TICKETS[0], b"m" * 32)
    assert own.admit(b"ada", other) is Refusal.OTHER_TABLE


def test_more_tickets_make_no_more_places() -> None:
    own = Door(NONCE, TICKETS, places=1)
    assert own.admit(b"ada", GUEST) is None
    late = GuestHello(PROGRAM, TICKETS[1], None)
    assert own.admit(b"bea", late) is Refusal.TABLE_FULL


def test_a_door_remembers_whom_it_let_in() -> None:
    own = Door(NONCE, TICKETS, places=2)
    own.admit(b"ada", GUEST)
    after = Door(NONCE, TICKETS, places=2, admitted=own.admitted)
    assert after.admit(b"bea", GUEST) is Refusal.USED_TICKET
    assert after.admit(b"ada", GuestHello(PROGRAM, None, NONCE)) is None


def test_whom_a_person_lets_in_takes_a_place_and_comes_again_by_its_key() -> None:
    own = Door(NONCE, TICKETS, places=1)
    assert own.free == 1
    assert own.let_in(b"ada", b"k" * 16) is None
    assert own.free == 0
    assert own.let_in(b"ada", b"k" * 16) is None
    assert own.admit(b"ada", GuestHello(PROGRAM, None, NONCE)) is None
    assert own.let_in(b"bea", b"l" * 16) is Refusal.TABLE_FULL
    assert own.admit(b"bea", GUEST) is Refusal.TABLE_FULL


def test_a_place_that_is_kept_is_taken_by_nobody_else() -> None:
    own = Door(NONCE, TICKETS[:1], places=2, kept=TICKETS[1:2])
    assert own.free == 1
    assert own.let_in(b"cyd", b"k" * 16) is None
    assert own.free == 0
    assert own.admit(b"ada", GUEST) is Refusal.TABLE_FULL
    assert own.let_in(b"dan", b"l" * 16) is Refusal.TABLE_FULL
    assert own.admit(b"bea", GuestHello(PROGRAM, TICKETS[1], None)) is None
    assert own.free == 0


def test_who_goes_leaves_a_place_and_its_ticket_to_whoever_holds_it() -> None:
    own = Door(NONCE, TICKETS, places=1)
    assert own.admit(b"ada", GUEST) is None
    own.let_go(b"ada")
    own.let_go(b"ada")
    assert own.free == 1
    assert own.admit(b"ada", GuestHello(PROGRAM, None, NONCE)) is Refusal.WRONG_TICKET
    assert own.admit(b"bea", GUEST) is None
    assert own.admit(b"ada", GUEST) is Refusal.USED_TICKET
    own.let_go(b"bea")
    assert own.let_in(b"cyd", b"k" * 16) is None
    own.let_go(b"cyd")
    assert own.admit(b"cyd", GuestHello(PROGRAM, b"k" * 16, NONCE)) is None


WATCH = b"w" * 16


def watcher(ticket: bytes = WATCH) -> WatcherHello:
    return WatcherHello(PROGRAM, safe_name("Cy"), ticket, None)


def test_a_ticket_to_watch_seats_nobody_and_a_seats_ticket_lets_nobody_watch() -> None:
    door = Door(NONCE, [TICKETS[0]], places=1, watch=WATCH)
    assert door.admit(b"a" * 32, GuestHello(PROGRAM, WATCH, None)) is (
        Refusal.WATCH_TICKET
    )
    assert door.admit_watcher(b"b" * 32, watcher(TICKETS[0])) is Refusal.SEAT_TICKET
    assert door.free == 1
    assert door.admit(b"b" * 32, GuestHello(PROGRAM, TICKETS[0], None)) is None
    assert door.admit_watcher(b"a" * 32, watcher()) is None


def test_eight_keys_watch_each_as_often_as_it_comes_and_none_takes_a_place() -> None:
    door = Door(NONCE, [TICKETS[0]], places=1, watch=WATCH)
    keys = [bytes((at,)) * 32 for at in range(WATCHERS_MAX + 1)]
    answers = [door.admit_watcher(key, watcher()) for key in keys]
    assert answers == [None] * WATCHERS_MAX + [Refusal.ENOUGH_WATCH]
    assert door.admit_watcher(keys[0], watcher()) is None
    assert (door.free, door.admitted) == (1, {})


def test_where_there_is_no_ticket_to_watch_nobody_does() -> None:
    door = Door(NONCE, [TICKETS[0]], places=1)
    assert door.admit_watcher(b"a" * 32, watcher()) is Refusal.WRONG_TICKET
    assert door.admit(b"a" * 32, GuestHello(PROGRAM, None, None)) is (
        Refusal.WRONG_TICKET
    )
