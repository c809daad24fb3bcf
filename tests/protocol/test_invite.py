"""Invitations, read and refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.identity import Identity
from protocol.invite import (
    BadAddress,
    BadInvite,
    Invite,
    read_address,
    read_invite,
    read_place,
)

KEY = Identity(bytes(32)).key
PIN = "hnvcp5zyxjrltumacq6xz5odyjv5qkqvpswbg5gg4doqv3wo4nxq"
TICKET = "aaaqeayeaudaocajbifqydiob4"
INVITE = Invite("192.168.1.5", 4000, KEY, bytes(range(16)))
TAIL = str(INVITE).partition("4000")[2]


def test_an_invitation_is_short_and_of_harmless_characters() -> None:
    text = str(INVITE)
    assert text.startswith("scopa://192.168.1.5:4000/")
    assert text.endswith(f"/{TICKET}")
    assert len(text) < 110
    assert set(text) <= set("abcdefghijklmnopqrstuvwxyz0123456789:/.")


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "::1", "2001:db8::7", "cards.example", "a", "my_pc.lan"]
)
def test_an_invitation_is_read_as_it_was_written(host: str) -> None:
    invite = Invite(host, 65_535, KEY, bytes(16))
    assert read_invite(str(invite)) == invite


def test_one_machine_may_have_several_addresses() -> None:
    invite = Invite("10.0.0.7", 4000, KEY, bytes(16), ("fd00::7", "7.example"))
    assert str(invite).startswith("scopa://10.0.0.7,[fd00::7],7.example:4000/")
    assert read_invite(str(invite)) == invite
    assert invite.hosts == ("10.0.0.7", "fd00::7", "7.example")


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=16, max_size=16))
def test_every_key_and_ticket_survives(seed: bytes, ticket: bytes) -> None:
    invite = Invite("h", 1, Identity(seed).key, ticket)
    assert read_invite(str(invite)) == invite


def test_white_space_and_capitals_do_no_harm() -> None:
    assert read_invite(f"  {str(INVITE).upper()}\r\n") == INVITE
    broken = f"{str(INVITE)[:30]}\n  {str(INVITE)[30:70]} {str(INVITE)[70:]}"
    assert read_invite(broken) == INVITE


def test_a_log_shows_no_ticket() -> None:
    assert repr(INVITE) == "Invite(192.168.1.5, 4000)"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "begins with scopa://"),
        ("http://host:4000/x/y", "begins with scopa://"),
        ("scopa://", "missing"),
        (f"scopa://h:4000{TAIL}/more", "too much"),
        (f"scopa://h:4000{TAIL[:-1]}", "ticket"),
        (f"scopa://h:4000{TAIL[:-1]}5", "ticket"),
        (f"scopa://h:4000{TAIL}=", "ticket"),
        (f"scopa://h:4000{TAIL}\u00e9", "ticket"),
        (f"scopa://h:4000/{PIN[:-1]}/{TICKET}", "key of the host"),
        (f"scopa://h:4000/{'a' * 52}/{TICKET}", "key of the host"),
        (f"scopa://h:4000//{TICKET}", "key of the host"),
        (f"scopa://h{TAIL}", "no port"),
        (f"scopa://h:{TAIL}", "port"),
        (f"scopa://h:0{TAIL}", "port 0"),
        (f"scopa://h:65536{TAIL}", "65535"),
        (f"scopa://h:-1{TAIL}", "port"),
        (f"scopa://h:04000{TAIL}", "port"),
        (f"scopa://h:\u0664{TAIL}", "port"),
        (f"scopa://:4000{TAIL}", "no machine"),
        (f"scopa://a!b:4000{TAIL}", "no machine"),
        (f"scopa://-a:4000{TAIL}", "no machine"),
        (f"scopa://1.2.3.400:4000{TAIL}", "no machine"),
        (f"scopa://{'a.' * 200}b:4000{TAIL}", "no machine"),
        (f"scopa://user@h:4000{TAIL}", "no machine"),
        (f"scopa://\x1b[31m:4000{TAIL}", "no machine"),
        (f"scopa://2001:db8::1:4000{TAIL}", "brackets"),
        (f"scopa://[nonsense]:4000{TAIL}", "brackets"),
        (f"scopa://[fe80::1%eth0]:4000{TAIL}", "nobody can reach"),
        (f"scopa://0.0.0.0:4000{TAIL}", "nobody can reach"),
        (f"scopa://[ff02::1]:4000{TAIL}", "nobody can reach"),
        (f"scopa://h,h:4000{TAIL}", "each once"),
        (f"scopa://{','.join('abcdefghi')}:4000{TAIL}", "at most 8"),
        (f"scopa://{'a' * 3000}:4000{TAIL}", "too long"),
    ],
)
def test_what_is_no_invitation_is_refused_with_a_sentence(text: str, says: str) -> None:
    with pytest.raises(BadInvite, match=says) as refused:
        read_invite(text)
    assert str(refused.value).isprintable()
    assert str(refused.value).endswith(".")


@given(st.text(max_size=300))
def test_no_text_does_worse_than_being_refused(text: str) -> None:
    with pytest.raises(BadInvite):
        read_invite(f"scopa://{text}")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:0", ("127.0.0.1", 0)),
        ("localhost:4000", ("127.0.0.1", 4000)),
        ("[::1]:4000", ("::1", 4000)),
        ("4000", ("", 4000)),
        (":4000", ("", 4000)),
        ("0.0.0.0:4000", ("", 4000)),
        ("[::]:4000", ("", 4000)),
    ],
)
def test_where_to_listen_is_an_own_address_and_a_port(
    text: str, address: tuple[str, int]
) -> None:
    assert read_address(text) == address


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "port"),
        ("host:", "port|numeric"),
        ("cards.example:4000", "numeric"),
        ("::1:4000", "brackets"),
        ("[127.0.0.1]:4000", "brackets"),
        ("127.0.0.1:99999", "65535"),
        ("127.0.0.1", "port"),
    ],
)
def test_what_is_no_place_to_listen_is_refused_with_a_sentence(
    text: str, says: str
) -> None:
    with pytest.raises(BadAddress, match=says):
        read_address(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "reads HOST:PORT"),
        ("cards.example", "reads HOST:PORT"),
        ("http://cards.example", "reads HOST:PORT"),
        ("[::1]", "reads HOST:PORT"),
        ("h:\u0664", "from 0 to 65535"),
        ("h:70000", "from 0 to 65535"),
        ("::1:4000", "brackets"),
        ("h:0", "port 0"),
        ("a b:4000", "names no machine"),
    ],
)
def test_what_is_no_place_of_somebody_else_is_refused_with_a_sentence(
    text: str, says: str
) -> None:
    with pytest.raises(BadAddress, match=says):
        read_place(text)
