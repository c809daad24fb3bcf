"""Attacks with news: false ones, and addresses that nobody should be made to call."""

from collections.abc import Callable
from functools import partial

from protocol.codec import Malformed, Value, encode
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity
from protocol.faults import Signed
from protocol.news import Where, callable_hosts, read_news, sign_news
from protocol.record import Record
from protocol.whereabouts import Whereabouts
from tests.protocol.outcomes import Outcome

SEATS = tuple(Identity(bytes((seat,)) * 32) for seat in (1, 2, 3))
SCOPE = b"t" * 16
HOME = ("192.0.2.7",)


def told(signed: Signed) -> Outcome:
    """What a seat makes of news that come on a link."""
    record = Record([seat.key for seat in SEATS], bytes(32), SCOPE)
    whereabouts = Whereabouts(record, SEATS[0], 0)
    fault = whereabouts.hear(signed)
    return fault and fault.reason, len(whereabouts.news)


def read(value: Value) -> Outcome:
    """Whether something is news at all."""
    encoded = encode(value)
    try:
        return tuple(read_news(Signed(encoded, SEATS[1].sign(H("sc1.news", encoded)))))
    except Malformed:
        return None


def where(
    *, signer: int = 1, seat: int = 1, scope: bytes = SCOPE
) -> Callable[[], Outcome]:
    news = Where(scope, seat, 1, 4000, HOME)
    return partial(told, sign_news(SEATS[signer], news))


def place(*hosts: str) -> Callable[[], Outcome]:
    return partial(read, (0, SCOPE, 1, 1, 4000, hosts))


def called(host: str) -> Callable[[], Outcome]:
    return lambda: callable_hosts((host,), loopback=False)


WITH_NEWS: dict[str, Callable[[], Outcome]] = {
    "news that another signed": where(signer=2),
    "news of another table": where(scope=b"u" * 16),
    "news of a seat that is not there": where(seat=3),
    "an address that is told twice": place(*HOME, *HOME),
    "an address in another spelling": place("2001:DB8::7"),
    "an address with a zone": place("fe80::7%1"),
    "seats that are seen twice": partial(read, (1, SCOPE, 1, 1, (0, 0))),
    "an address of a whole network": called("224.0.0.1"),
}
