"""Writes tests/vectors/messages.json, match.scopa, match.json, steps.json,
false_entries.json and link.json.

    python -m tests.protocol.make_vectors

To be run when a byte on the wire, a rule of judging or a rule of the game changes on
purpose; the difference is then reviewed with the change.
"""

import json
from pathlib import Path
from typing import Any, TypeAlias

import msgpack

from protocol.audit import audit
from protocol.codec import Anything, Malformed, decode, encode
from protocol.crypto.group import EDWARDS
from protocol.entry import read_entry, signed_digest
from protocol.faults import Signed
from scopa_net.referee import Referee, open_match
from scopa_net.rules import format_action
from tests.protocol.false_entries import false_entries
from tests.protocol.link_vectors import link
from tests.protocol.step_vectors import steps
from tests.support.matches import Played, played

Json: TypeAlias = dict[str, Any]

FOLDER = Path(__file__).parents[1] / "vectors"
MESSAGES = FOLDER / "messages.json"
RECORD = FOLDER / "match.scopa"
MATCH = FOLDER / "match.json"
STEPS = FOLDER / "steps.json"
FALSE = FOLDER / "false_entries.json"
LINK = FOLDER / "link.json"
SEED = 5


def match() -> Played:
    """One deal between two seats, everything in it drawn from one seed."""
    return played("scopa", 2, target=1, seed=SEED, suite=EDWARDS)


def messages() -> Json:
    """Values and their encoding; bytes that are refused; how two chains begin."""
    return {
        "values": [value(one) for one in VALUES],
        "refused": [{"why": why, "bytes": data.hex()} for why, data in REFUSED],
        "entries": [entry(signed) for chain in match().chains for signed in chain[:6]],
    }


VALUES: tuple[Any, ...] = (
    *(None, 0, 127, 128, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32, 2**63 - 1),
    *("", "carte è", "x" * 31, "x" * 32, b"", bytes(255), bytes(256)),
    *((), (1, (b"ab", None)), tuple(range(15)), tuple(range(16))),
)

REFUSED: tuple[tuple[str, bytes], ...] = (
    ("nothing", b""),
    ("two values", b"\x01\x02"),
    ("a number in a long form", b"\xcc\x05"),
    ("a negative number", b"\xff"),
    ("a number past 63 bits", b"\xcf" + b"\xff" * 8),
    ("true", b"\xc3"),
    ("a float", msgpack.packb(1.5)),
    ("a map", msgpack.packb({"a": 1})),
    ("an extension", b"\xd4\x05\x00"),
    ("a timestamp", b"\xd6\xff\0\0\0\0"),
    ("text that is no UTF-8", b"\xa1\xff"),
    ("bytes in a long form", b"\xc5\x00\x01a"),
    ("a list in a long form", b"\xdc\x00\x01\x01"),
    ("nine lists deep", b"\x91" * 9 + b"\x01"),
    ("sixty-five values", b"\xdc\x00\x41" + b"\xc0" * 65),
)


def value(one: Any) -> Json:
    """A value, bytes marked as such, and its encoding."""
    return {"value": _plain(one), "bytes": encode(one).hex()}


def entry(signed: Signed) -> Json:
    """A signed entry and all that follows from its bytes."""
    read = read_entry(signed)
    return {
        "encoded": signed.encoded.hex(),
        "signature": signed.signature.hex(),
        "signed_digest": signed_digest(signed.encoded).hex(),
        "id": read.id.hex(),
        "scope": read.scope.hex(),
        "seat": read.seat,
        "seq": read.seq,
        "prev": read.prev.hex(),
        "seen": list(read.seen),
        "heads": read.heads.hex(),
        "kind": read.kind,
    }


def story(data: bytes) -> Json:
    """What a record comes to: seats, dealer, the order of the cards, plays, points."""
    found = audit(data, EDWARDS, open_match)
    judge = found.judge
    deck = judge.decks[0]
    game = deck.game
    assert isinstance(game, Referee)
    assert deck.replayed is not None
    assert judge.course.table_id is not None
    return {
        "table_id": judge.course.table_id.hex(),
        "places": list(game.places),
        "dealer": game.deal.dealer,
        "deck_id": deck.id.hex(),
        "order": list(deck.replayed.order),
        "plays": [format_action(action) for action in game.deal.actions],
        "points": [dict(side.points) for side in game.scores],
        "result": game.digest().hex(),
    }


def is_refused(data: bytes) -> bool:
    """Whether the codec refuses these bytes."""
    try:
        decode(data, Anything())
    except Malformed:
        return True
    return False


def _plain(one: Any) -> Any:
    if isinstance(one, bytes):
        return {"bytes": one.hex()}
    return [_plain(item) for item in one] if isinstance(one, tuple) else one


def _written(found: Json | list[Json]) -> str:
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    MESSAGES.write_text(_written(messages()), encoding="utf-8")
    RECORD.write_bytes(match().record)
    MATCH.write_text(_written(story(match().record)), encoding="utf-8")
    STEPS.write_text(_written(steps(match(), SEED)), encoding="utf-8")
    FALSE.write_text(_written(false_entries(match())), encoding="utf-8")
    LINK.write_text(_written(link(match())), encoding="utf-8")
