"""Entries signed by a seat of the match of the vectors that prove a fault of it.

Each stands in the place of one of its record, from which all that was written in view
of that one is left out; or beside it, where two of one number are the proof.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from protocol.audit import audit
from protocol.crypto.group import EDWARDS
from protocol.entry import Entry, Kind
from protocol.faults import Signed
from scopa_net.referee import open_match
from tests.support.forgeries import Forgery
from tests.support.matches import Played

Json: TypeAlias = dict[str, Any]
Body: TypeAlias = tuple[Any, ...]
Fields = Callable[[Entry], Json]


def false_entries(match: Played) -> list[Json]:
    """Every false entry, and the fault that an audit finds in it."""
    return [_false(match, *case) for case in (*BODIES, *ENVELOPES)] + [_forked(match)]


def _put(at: int, value: Any) -> Fields:
    """The body with another value in this place."""
    return lambda entry: {"body": (*_body(entry)[:at], value, *_body(entry)[at + 1 :])}


def _flip(*path: int) -> Fields:
    """The body with another first bit of the bytes at this place."""

    def within(value: Any, path: tuple[int, ...]) -> Any:
        if not path:
            return bytes([value[0] ^ 1]) + value[1:]
        at, *rest = path
        return (*value[:at], within(value[at], tuple(rest)), *value[at + 1 :])

    return lambda entry: {"body": within(entry.body, path)}


def _body(entry: Entry) -> Body:
    assert isinstance(entry.body, tuple)
    return entry.body


def _swapped(entry: Entry) -> Json:
    deck, number, parts, proof = _body(entry)
    return {"body": (deck, number, (parts[1], parts[0], *parts[2:]), proof)}


def _forgets(entry: Entry) -> Json:
    seen = [count - (seat != entry.seat) * 2 for seat, count in enumerate(entry.seen)]
    return {"seen": tuple(seen)}


BODIES: tuple[tuple[str, Kind, int, Fields], ...] = (
    ("another coin value than committed to", Kind.COIN, 0, _flip(0)),
    ("a key without its proof", Kind.KEY, 0, _flip(2)),
    ("a key that is no point", Kind.KEY, 0, _put(1, bytes(32))),
    ("a shuffle of other keys", Kind.SHUFFLE, 0, _flip(1, 1)),
    ("a shuffle of no points", Kind.SHUFFLE, 0, _put(3, bytes(64 * 40))),
    ("a false proof of a shuffle", Kind.PROOF, 0, _flip(2)),
    ("shares of a round that is not due", Kind.SHARES, 1, _put(1, 5)),
    ("two shares swapped", Kind.SHARES, 0, _swapped),
    ("a card that lies face up played", Kind.ACT, 0, _put(1, (0,))),
    ("a false last share", Kind.ACT, 0, _flip(2, 0)),
    ("an act in another state", Kind.ACT, 1, _flip(5)),
    ("an act that says nothing", Kind.ACT, 1, _put(4, None)),
    ("a capture against the rules", Kind.ACT, 1, _put(4, (0, (7, 8, 9)))),
    ("another seed than committed to", Kind.REVEAL, 0, _flip(1)),
    ("a verdict on another end", Kind.VERDICT, 0, _flip(1)),
    ("a field too many", Kind.READY, 0, lambda entry: {"body": (*_body(entry), 1)}),
)

ENVELOPES: tuple[tuple[str, Kind, int, Fields], ...] = (
    ("a kind that is not in use", Kind.READY, 0, lambda _: {"kind": 12}),
    ("another entry before it", Kind.ACT, 2, lambda _: {"prev": bytes(32)}),
    ("forgets what it had seen", Kind.ACT, 2, _forgets),
)


def _false(match: Played, why: str, kind: Kind, at: int, fields: Fields) -> Json:
    forgery = Forgery(match)
    old = [entry for entry in forgery.entries(kind) if entry.seat == 1][at]
    forgery.forget(old)
    forgery.change(old, **fields(old))
    return _found(forgery, why, old, forgery.chains[1][old.seq], beside=False)


def _forked(match: Played) -> Json:
    """Another play with a number that has been used."""
    forgery = Forgery(match)
    old = next(entry for entry in forgery.entries(Kind.ACT) if entry.seat == 1)
    forgery.forget(old)
    forgery.change(old, **_flip(5)(old))
    second = forgery.chains[1].pop()
    forgery.chains[1] += [match.chains[1][old.seq], second]
    return _found(forgery, "two entries with one number", old, second, beside=True)


def _found(
    forgery: Forgery, why: str, old: Entry, signed: Signed, *, beside: bool
) -> Json:
    (fault,) = audit(forgery.written(), EDWARDS, open_match).faults
    return {
        "why": why,
        "seat": old.seat,
        "seq": old.seq,
        "beside": beside,
        "entry": signed.encoded.hex(),
        "signature": signed.signature.hex(),
        "blame": fault.blame.value,
        "reason": fault.reason.name.lower().replace("_", " "),
        "named": fault.seat,
    }
