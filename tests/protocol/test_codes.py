"""Codes for people and for programs, and the addresses of the servers behind them."""

import pytest

from protocol.codes import (
    PUBLIC,
    BadCode,
    BadServer,
    Servers,
    looks_like_code,
    meeting_code,
    read_code,
    read_servers,
    slot_at,
    slots_apart,
)


@pytest.mark.parametrize(
    "text",
    [
        "7-tavolo-bastoni",
        " 7-Tavolo-BASTONI\n",
        "7 tavolo bastoni",
        "7 - tavolo-bastoni",
        "7\u2013tavolo\u2011bastoni",
    ],
)
def test_a_code_is_read_as_it_was_heard(text: str) -> None:
    assert looks_like_code(text)
    assert read_code(text) == "7-tavolo-bastoni"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        "7-tavolo",
        "tavolo-bastoni",
        "7-tavolo-7",
        "7-tàvolo-bastoni",
        "7-a-b-c-d-e-f",
        "7-" + "a" * 80 + "-b",
        "1234567890-tavolo-bastoni",
    ],
)
def test_what_is_no_code_is_said_to_be_none(text: str) -> None:
    with pytest.raises(BadCode, match="a number and two words"):
        read_code(text)


@pytest.mark.parametrize(
    "text",
    ["scopa://10.0.0.1:4000/a/b", "192.168.1.5:4000", "host.example:1", "[::1]:7"],
)
def test_an_invitation_or_an_address_does_not_look_like_a_code(text: str) -> None:
    assert not looks_like_code(text)


def test_servers_are_read_in_every_usual_spelling() -> None:
    expected = Servers("ws://host.example:4000/v1", "tcp:host.example:4001")
    for mailbox in ("ws://host.example:4000/v1", "WS://Host.example:4000"):
        for relay in ("tcp:host.example:4001", "tcp://host.example:4001"):
            assert read_servers(mailbox, relay) == expected
    assert expected.mailbox_place == "host.example:4000"
    assert expected.relay_place == "host.example:4001"


def test_a_mailbox_has_the_port_of_its_kind_unless_it_names_one() -> None:
    assert read_servers("wss://h.example/v1", "tcp:h.example:1").mailbox == (
        "wss://h.example:443/v1"
    )
    assert read_servers("ws://[::1]", "tcp:[::1]:4001") == Servers(
        "ws://[::1]:80/v1", "tcp:[::1]:4001"
    )


def test_the_public_servers_are_servers() -> None:
    assert read_servers(PUBLIC.mailbox, PUBLIC.relay) == PUBLIC


@pytest.mark.parametrize(
    ("mailbox", "relay"),
    [
        ("http://h.example/v1", "tcp:h.example:1"),
        ("ws://user@h.example/v1", "tcp:h.example:1"),
        ("ws://h.example/v1?x", "tcp:h.example:1"),
        ("ws://0.0.0.0:1/v1", "tcp:h.example:1"),
        ("ws://h.example:99999/v1", "tcp:h.example:1"),
        ("ws://h.example/" + "a" * 300, "tcp:h.example:1"),
        ("ws://h.example/v1", "h.example:1"),
        ("ws://h.example/v1", "tcp:h.example"),
        ("ws://h.example/v1", "tcp:h.example:0"),
        ("ws://h.example/v1", "tcp:h.example:1:priority=2"),
    ],
)
def test_what_names_no_server_is_refused(mailbox: str, relay: str) -> None:
    with pytest.raises(BadServer):
        read_servers(mailbox, relay)


def test_a_pair_has_another_code_in_each_slot() -> None:
    secret = bytes(32)
    codes = {meeting_code(secret, slot) for slot in range(100)}
    assert len(codes) == 100
    assert meeting_code(bytes(31) + b"\1", 0) not in codes
    number, _, password = meeting_code(secret, 117_954_000).partition("-")
    assert number.isdigit()
    assert len(number) <= 40, "the longest that a mailbox server takes"
    assert len(password) == 32


def test_the_derivation_is_fixed() -> None:
    assert meeting_code(bytes(range(32)), 5) == (
        "383729908247201740779459-f7a36ce3e24cc622cc58e956dcca2f11"
    )


def test_who_waits_long_tries_some_of_the_slots_of_who_has_just_come() -> None:
    waits = [0.0, 599.0, 600.0, 3_599.0, 3_600.0, 1e6]
    assert [slots_apart(waited_s) for waited_s in waits] == [1, 1, 4, 4, 16, 16]


def test_a_slot_lasts_fifteen_seconds() -> None:
    assert slot_at(0) == slot_at(14.99) == 0
    assert slot_at(15) == 1
