"""What the tests of the audit share: two matches, and what is found in a file."""

from typing import Any

from protocol.audit import Audit, Damage, audit
from scopa_net.referee import open_match
from tests.support.matches import Played, played
from tests.support.small_group import SMALL

PARTIAL = 5


def judged(data: bytes) -> Audit:
    return audit(data, SMALL, open_match)


def whole() -> Played:
    return played()


def partial() -> Played:
    """A match that was left in the middle of its first deal."""
    return played(acts_max=PARTIAL)


def blamed(result: Audit) -> set[int]:
    return {fault.seat for fault in result.faults}


def damaged(data: bytes) -> Damage:
    """The damage of a record in which nobody is to blame."""
    result = judged(data)
    assert result.faults == ()
    assert not result.sound
    assert result.damage is not None
    return result.damage


def other(data: bytes) -> bytes:
    """The bytes with one bit changed."""
    return bytes([data[0] ^ 1]) + data[1:]


def renamed(body: Any) -> Any:
    """The terms with another first name."""
    return (*body[:5], ("mallory", *body[5][1:]), *body[6:])
