"""Attacks with bytes: what the codec, a mesh, a file and an audit let through."""

from collections.abc import Callable
from functools import partial

from protocol.archive import (
    ARCHIVE_BYTES_MAX,
    HEADER,
    DamagedArchive,
    ForeignArchive,
    read_archive,
    read_damaged,
    write_archive,
)
from protocol.audit import audit
from protocol.codec import (
    ARRAY_MAX,
    DEPTH_MAX,
    Anything,
    Bytes,
    Fields,
    Int,
    ListOf,
    Malformed,
    Maybe,
    OneOf,
    Shape,
    Text,
    Value,
    decode,
    encode,
    fields,
)
from protocol.crypto.group import EDWARDS, Suite
from protocol.crypto.hashing import H
from protocol.entry import Kind
from protocol.faults import Signed
from protocol.game import ForeignRules
from protocol.mesh import Say
from scopa_net.referee import open_match
from tests.protocol.outcomes import Outcome
from tests.protocol.test_mesh import Peer
from tests.support.forgeries import Forgery, sign
from tests.support.matches import played
from tests.support.small_group import SMALL

ANYTHING = Anything()

# -- values ------------------------------------------------------------------------


def read(data: bytes, shape: Shape = ANYTHING, *, size_max: int = 999) -> Outcome:
    """The value, or that it is refused."""
    try:
        return decode(data, shape, size_max=size_max)
    except Malformed:
        return "refused"


def said(value: Value, shape: Shape) -> Callable[[], Outcome]:
    """A value where another shape belongs."""
    return partial(read, encode(value), shape)


def nested(depth: int) -> bytes:
    return b"\x91" * depth + b"\xc0"


SMALL_NUMBER = Int(2, 5)
ONE_OF = OneOf({1: fields(Int(1, 1), SMALL_NUMBER)})

VALUES: dict[str, Callable[[], Outcome]] = {
    "text where a number belongs": said("a", SMALL_NUMBER),
    "a number out of its range": said(9, SMALL_NUMBER),
    "text where bytes belong": said("ab", Bytes(2)),
    "a byte too many": said(b"abc", Bytes(2)),
    "bytes where text belongs": said(b"ab", Text(2)),
    "a letter too many": said("abc", Text(2)),
    "a number out of its range that may be missing": said(9, Maybe(SMALL_NUMBER)),
    "a number where a list belongs": said(9, ListOf(SMALL_NUMBER, 0, 2)),
    "a list too long": said((3, 3, 3), ListOf(SMALL_NUMBER, 0, 2)),
    "a list with a number out of its range": said((3, 9), ListOf(SMALL_NUMBER, 0, 2)),
    "a number where fields belong": said(9, Fields((SMALL_NUMBER,))),
    "a field too many": said((3, 3), Fields((SMALL_NUMBER,))),
    "a field out of its range": said((9,), Fields((SMALL_NUMBER,))),
    "a message of a kind that is none": said((7, 3), ONE_OF),
    "a message with a field out of its range": said((1, 9), ONE_OF),
    "a number where a message belongs": said(1, ONE_OF),
    "a message of nothing": said((), ONE_OF),
    "more bytes than may be": partial(read, encode((1, 2, 3, 4)), size_max=4),
    "a number in a long form": partial(read, b"\xcc\x05"),
    "a number past 63 bits": partial(read, b"\xcf" + b"\xff" * 8),
    "a half": partial(read, b"\xcb\x3f\xe0" + bytes(6)),
    "lists in lists without an end": partial(read, nested(DEPTH_MAX + 1)),
    "a list longer than any": lambda: written((0,) * (ARRAY_MAX + 1)),
}


def written(value: Value) -> Outcome:
    """Our own bytes; what reads them has a limit of its own."""
    try:
        return encode(value)
    except Malformed:
        return "refused"


# -- frames ------------------------------------------------------------------------


def told(*, scope: bytes = b"t" * 16, seats: int = 3) -> Outcome:
    """What a peer says that it holds, perhaps of another table."""
    peer = Peer(0)
    peer.mesh.connect(1)
    held = ((0, bytes(32)),) * seats
    return peer.mesh.receive(1, encode((int(Say.HAVE), 0, scope, held)))


# -- files -------------------------------------------------------------------------


def opened(data: bytes, *, whole: bool = False) -> Outcome:
    """What a file is taken for."""
    try:
        return read_archive(data) if whole else len(read_damaged(data).entries)
    except (ForeignArchive, DamagedArchive) as refused:
        return str(refused)


def of_rubbish() -> bytes:
    """A file that fits its trailer, in which one frame is no entry."""
    frames = [encode((one.encoded, one.signature)) for one in played().chains[0][:2]]
    frames.append(b"\xc0")
    trailer = encode((len(frames), H("sc1.archive", *frames)))
    framed = (len(part).to_bytes(4) + part for part in (*frames, trailer))
    return HEADER + b"".join(framed)


def without_trailer() -> bytes:
    return played(acts_max=0).record[: -4 - 36]


# -- audits ------------------------------------------------------------------------


def audited(data: bytes, suite: Suite = SMALL) -> Outcome:
    """What a record is said to prove."""
    try:
        found = audit(data, suite, open_match)
    except (ForeignRules, DamagedArchive) as refused:
        return str(refused)
    faults = tuple((fault.seat, fault.reason) for fault in found.faults)
    return found.sound, found.finished, found.stopped, found.damage, faults


def with_a_lie() -> bytes:
    forgery = Forgery(played(acts_max=3))
    last = list(forgery.entries(Kind.ACT))[-1]
    forgery.change(last, lambda body: (*body[:5], bytes(16)))
    return forgery.written()


def with_an_unsigned_entry() -> bytes:
    forgery = Forgery(played(acts_max=3))
    chain = forgery.chains[1]
    chain[-1] = Signed(chain[-1].encoded, bytes(64))
    return forgery.written()


def with_bytes_that_are_no_entry() -> bytes:
    forgery = Forgery(played(acts_max=3))
    forgery.chains[1][-1] = Signed(b"rubbish", bytes(64))
    return forgery.written()


def with_an_entry_of_a_larger_table() -> bytes:
    match = played(acts_max=3)
    forgery = Forgery(match)
    last = forgery.entry(1, len(forgery.chains[1]) - 1)
    object.__setattr__(last, "seen", (*last.seen, 0))
    forgery.chains[1][-1] = sign(match.identities[1], last)
    return forgery.written()


def with_nothing() -> bytes:
    return write_archive(())


ON_BYTES: dict[str, Callable[[], Outcome]] = {
    **VALUES,
    "what is held at another table": partial(told, scope=bytes(16)),
    "what is held at a smaller table": partial(told, seats=2),
    "a file that is no record": lambda: opened(b"\x89PNG" + bytes(99)),
    "a file larger than any record": lambda: opened(
        HEADER + bytes(ARCHIVE_BYTES_MAX - len(HEADER) + 1)
    ),
    "a record without its end": lambda: opened(without_trailer(), whole=True),
    "a record with a frame of rubbish": lambda: opened(of_rubbish(), whole=True),
    "a record of another group": lambda: audited(played(acts_max=3).record, EDWARDS),
    "a record with a lie": lambda: audited(with_a_lie()),
    "a record with an unsigned entry": lambda: audited(with_an_unsigned_entry()),
    "a record with bytes that are no entry": lambda: audited(
        with_bytes_that_are_no_entry()
    ),
    "a record with an entry of a larger table": lambda: audited(
        with_an_entry_of_a_larger_table()
    ),
    "a record with a frame that is none": lambda: audited(of_rubbish()),
    "a record of nothing": lambda: audited(with_nothing()),
    "a record that was left": lambda: audited(played(acts_max=3).record),
}
