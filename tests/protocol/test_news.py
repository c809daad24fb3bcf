"""What a seat tells of the way to it, and which of it is believed."""

import pytest

from protocol.codec import Malformed, Value, encode
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity
from protocol.faults import Signed
from protocol.news import (
    PLACES_MAX,
    News,
    Sees,
    Where,
    callable_hosts,
    is_told_by,
    read_news,
    sign_news,
)

ADA = Identity(b"a" * 32)
SCOPE = b"s" * 16
HOSTS = ("192.168.1.5", "2001:db8::5")


def signed(value: Value) -> Signed:
    encoded = encode(value)
    return Signed(encoded, ADA.sign(H("sc1.news", encoded)))


@pytest.mark.parametrize(
    "news",
    [
        Where(SCOPE, 2, 7, 4000, HOSTS),
        Where(SCOPE, 0, 0, 1, ()),
        Sees(SCOPE, 2, 7, (0, 1, 5)),
        Sees(SCOPE, 2, 7, ()),
    ],
)
def test_what_is_told_is_read_and_its_teller_proven(news: News) -> None:
    told = sign_news(ADA, news)
    assert read_news(told) == news
    assert is_told_by(told, ADA.key)
    assert not is_told_by(told, Identity(b"b" * 32).key)


@pytest.mark.parametrize(
    "value",
    [
        (0, SCOPE, 2, 7, 0, HOSTS),
        (0, SCOPE, 2, 7, 65_536, HOSTS),
        (0, SCOPE, 6, 7, 4000, HOSTS),
        (0, SCOPE, 2, 2**32, 4000, HOSTS),
        (0, SCOPE[:-1], 2, 7, 4000, HOSTS),
        (0, SCOPE, 2, 7, 4000, ("192.168.1.5",) * 2),
        (0, SCOPE, 2, 7, 4000, tuple(f"10.0.0.{n}" for n in range(PLACES_MAX + 1))),
        (0, SCOPE, 2, 7, 4000, ("example.org",)),
        (0, SCOPE, 2, 7, 4000, ("",)),
        (0, SCOPE, 2, 7, 4000, ("192.168.001.5",)),
        (0, SCOPE, 2, 7, 4000, ("2001:DB8::5",)),
        (0, SCOPE, 2, 7, 4000, ("fe80::1%eth0",)),
        (0, SCOPE, 2, 7, 4000, (b"\n\r\t\n",)),
        (0, SCOPE, 2, 7, 4000),
        (1, SCOPE, 2, 7, (1, 0)),
        (1, SCOPE, 2, 7, (0, 0)),
        (1, SCOPE, 2, 7, (0, 2)),
        (1, SCOPE, 2, 7, (0, 6)),
        (1, SCOPE, 2, 7, 0),
        (2, SCOPE, 2, 7, ("x" * 49,)),
        (2, SCOPE, 2, 7, (b"x",)),
        (2, SCOPE, 2, 7, "x"),
        (3, SCOPE, 2, 7, ()),
    ],
)
def test_anything_else_is_no_news(value: Value) -> None:
    with pytest.raises(Malformed):
        read_news(signed(value))


def test_only_addresses_that_another_machine_can_have_are_called() -> None:
    # X39: nobody is made to call itself, a network, or who never asked for it.
    nowhere = (
        "0.0.0.0",
        "0.1.2.3",
        "::",
        "224.0.0.251",
        "255.255.255.255",
        "ff02::fb",
        "169.254.1.1",
        "fe80::1",
        "240.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:192.168.1.5",
        "2002:7f00:1::",
    )
    assert callable_hosts((*nowhere, *HOSTS), loopback=True) == HOSTS


def test_the_loopback_is_called_only_from_a_table_that_is_on_it() -> None:
    hosts = ("127.0.0.1", "::1", "127.8.0.1", "10.0.0.1")
    assert callable_hosts(hosts, loopback=False) == ("10.0.0.1",)
    assert callable_hosts(hosts, loopback=True) == hosts
