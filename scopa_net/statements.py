"""What a seat says with the cards it opens, between the friendly types and the wire.

The card of a play is not in its statement: a position is, and the value follows when
its opening has been verified. Captured cards travel as ascending deck values.
"""

from itertools import pairwise
from typing import assert_never, cast

from protocol.codec import Int, ListOf, Malformed, Value, fields
from scopa_net.rules import MAZZO, Action, Card, Claim, Declare, Play

_PLAY, _DECLARE, _CLAIM = 0, 1, 2
_KINDS: tuple[str, ...] = ("low", "three")
_SHAPE = fields(Int(_PLAY, _CLAIM), ListOf(Int(0, len(MAZZO) - 1), 0, len(MAZZO)))


def write_statement(action: Action) -> Value:
    """The statement that goes with the opened cards of `action`."""
    match action:
        case Play(_, captured):
            return (_PLAY, tuple(card.index for card in captured))
        case Declare(_, kind):
            return (_DECLARE, (_KINDS.index(kind),))
        case Claim(captured):
            return (_CLAIM, tuple(card.index for card in captured))
        case _:
            assert_never(action)


def read_statement(statement: object, opened: tuple[Card, ...]) -> Action | None:
    """The action that `statement` makes of the opened cards; None if it makes none."""
    try:
        _SHAPE.check(cast("Value", statement))
    except Malformed:
        return None
    kind, values = cast("tuple[int, tuple[int, ...]]", statement)
    if any(before >= after for before, after in pairwise(values)):
        return None
    captured = tuple(MAZZO[value] for value in values)
    if kind == _PLAY and len(opened) == 1:
        return Play(opened[0], captured)
    if kind == _DECLARE and opened and values in ((0,), (1,)):
        return Declare(opened, "three" if values[0] else "low")
    if kind == _CLAIM and not opened:
        return Claim(captured)
    return None
