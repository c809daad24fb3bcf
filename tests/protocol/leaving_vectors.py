"""Writes tests/vectors/left.scopa and left.json: every word of leaving in one record.

    python -m tests.protocol.leaving_vectors

See `make_vectors`.
"""

import json
from typing import Any

from protocol.audit import audit
from protocol.crypto.group import EDWARDS
from protocol.deck import VOIDING
from protocol.entry import read_entry
from protocol.leaving import LEAVING
from scopa_net.referee import open_match
from tests.protocol.make_vectors import FOLDER, entry
from tests.support.matches import Played, left

RECORD = FOLDER / "left.scopa"
WORDS = FOLDER / "left.json"


def match() -> Played:
    """A deal called void and refused, one that is void, and a match given up."""
    return left(EDWARDS)


def words() -> dict[str, Any]:
    """The entries of leaving, byte by byte, and what the record comes to."""
    signed = [one for chain in match().chains for one in chain]
    leaving = [one for one in signed if read_entry(one).kind in LEAVING | VOIDING]
    found = audit(match().record, EDWARDS, open_match)
    course = found.judge.course
    return {
        "entries": [entry(one) | {"body": _body(read_entry(one))} for one in leaving],
        "given_up": list(course.given_up),
        "void": [deck.void for deck in course.decks],
        "confirmed": course.confirmed,
    }


def _body(read: Any) -> list[Any]:
    return [one.hex() if isinstance(one, bytes) else one for one in read.body]


def written() -> str:
    """What left.json holds."""
    return json.dumps(words(), indent=1) + "\n"


if __name__ == "__main__":
    RECORD.write_bytes(match().record)
    WORDS.write_text(written(), encoding="utf-8")
