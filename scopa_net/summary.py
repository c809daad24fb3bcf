"""What a list of matches says of one: who plays what, and how it stands.

All of it is public. It is kept beside a match, so that a list opens no store; what is
read back is as little trusted as anything that comes from outside.
"""

import json
import re
from dataclasses import asdict, dataclass
from typing import TypeVar, cast

from protocol.course import Course
from protocol.crypto.hashing import H
from protocol.game import Over
from protocol.text import SafeText, safe_name, safe_text
from scopa_net.leaving import winner_without
from scopa_net.referee import Referee
from scopa_net.rules import Carried, RulesError, Variant, variant_of_lines

SCHEMA = 1
SUMMARY_BYTES_MAX = 1 << 14
_PLAYERS_MAX = 6
_TYPE = "saved_match"
_ID_CELLS_MAX = 40
_MARK_BYTES = 16


@dataclass(frozen=True, slots=True)
class Standing:
    """What a new match needs to know that carries the score of this one on.

    `table` is its table id, `keys` are its players by place, and `mark` stands for its
    record up to the last deal that was scored. Whoever holds that deal has the same
    mark. All are hexadecimal. `blamed` says that somebody was proven to have cheated.
    """

    rules: tuple[str, ...]
    table: str
    mark: str
    keys: tuple[str, ...]
    blamed: bool

    @property
    def variant(self) -> Variant:
        """What is played; raises `RulesError` if this program does not know it."""
        return variant_of_lines(self.rules)

    @property
    def carried(self) -> Carried | None:
        """The score that it started from, if that was one."""
        try:
            return self.variant.carried
        except RulesError:
            return None


@dataclass(frozen=True, slots=True)
class Summary:
    """One match. Names and scores are by place and side, once `seated`.

    `deals` have been scored; `turn` is the place of who is to play, if anybody is.
    `winner` is a side; `confirmed` says that every seat has signed the end (F13). A
    `stopped` match never goes on, and nobody has won it. Those at the places `resigned`
    have given the match up; nobody has won it then if there is no `winner`.
    """

    variant: SafeText
    target: int
    names: tuple[SafeText, ...]
    seated: bool
    scores: tuple[int, ...]
    deals: int
    turn: int | None
    winner: int | None
    confirmed: bool
    stopped: bool
    resigned: tuple[int, ...] = ()
    standing: Standing | None = None

    def place_of(self, key: bytes | None) -> int | None:
        """Where the player of this key sits; None if nowhere, or it is not known."""
        keys = () if self.standing is None else self.standing.keys
        return keys.index(key.hex()) if key and key.hex() in keys else None


def summarize(
    course: Course, *, stopped: bool = False, blamed: bool = False
) -> Summary:
    """How a match stands."""
    variant = variant_of_lines(course.terms.rules)
    names = course.terms.shown_names()
    scores, deals = variant.start, 0
    turn, winner = None, None
    resigned: tuple[int, ...] = ()
    game = cast("Referee | None", course.deck.game if course.deck else course.start)
    if game is not None:
        names = tuple(names[game.places.index(at)] for at in range(len(names)))
        scored = game.over() in {Over.SCORED, Over.MATCH}
        match = game.match_after if scored else game.match
        scores, deals = match.scores, match.deal_number
        resigned = tuple(sorted(game.places[seat] for seat in course.given_up))
        if not stopped:
            left = winner_without(resigned, variant.sides) if resigned else None
            winner = match.winner if not resigned else left
        idle = stopped or resigned or course.deck is None
        seat = None if idle else game.turn()
        turn = None if seat is None else game.places[seat]
    return Summary(
        variant=SafeText(variant.id),
        target=variant.target,
        names=names,
        seated=game is not None,
        scores=scores,
        deals=deals,
        turn=turn,
        winner=winner,
        confirmed=course.confirmed,
        stopped=stopped,
        resigned=resigned,
        standing=None if game is None else _standing(course, game.places, blamed),
    )


def _standing(course: Course, places: tuple[int, ...], blamed: bool) -> Standing:  # noqa: FBT001 - a fact
    keys = [course.terms.keys[places.index(at)].hex() for at in range(len(places))]
    table = course.table_id
    assert table is not None, "without one nobody is seated"
    # The last act of a deal names, by its view, all that was signed before it.
    last = [
        deck.acts[-1].id
        for deck in course.decks
        if deck.game.over() in {Over.SCORED, Over.MATCH} and deck.acts
    ]
    mark = H("sc1.carried", table, *last)[:_MARK_BYTES]
    rules = course.terms.rules
    return Standing(rules, table.hex(), mark.hex(), tuple(keys), blamed)


def write_summary(summary: Summary) -> bytes:
    """The summary as a JSON object."""
    found = {"schema": SCHEMA, "type": _TYPE, **asdict(summary)}
    return json.dumps(found, indent=1).encode() + b"\n"


def read_summary(data: bytes) -> Summary | None:
    """The summary in `data`; None if there is none that this program can read."""
    if len(data) > SUMMARY_BYTES_MAX:
        return None
    try:
        return _summary(json.loads(data))
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _summary(found: dict[str, object]) -> Summary:
    if found["schema"] != SCHEMA or found["type"] != _TYPE:
        raise ValueError
    names = [safe_name(_typed(name, str)) for name in _typed(found["names"], list)]
    scores = [_number(score) for score in _typed(found["scores"], list)]
    if not (2 <= len(names) <= _PLAYERS_MAX and 2 <= len(scores) <= _PLAYERS_MAX):
        raise ValueError
    turn, winner = found["turn"], found["winner"]
    # Older programs knew of no resignation.
    resigned = _typed(found.get("resigned", []), list)
    return Summary(
        variant=safe_text(_typed(found["variant"], str), cells_max=_ID_CELLS_MAX),
        target=_number(found["target"]),
        names=tuple(names),
        seated=_typed(found["seated"], bool),
        scores=tuple(scores),
        deals=_number(found["deals"]),
        turn=None if turn is None else _number(turn, len(names)),
        winner=None if winner is None else _number(winner, len(scores)),
        confirmed=_typed(found["confirmed"], bool),
        stopped=_typed(found["stopped"], bool),
        resigned=tuple(_number(place, len(names)) for place in resigned),
        standing=_read_standing(found.get("standing")),
    )


def _read_standing(found: object) -> Standing | None:
    """The standing that was kept; None where an older program has kept none."""
    if found is None:
        return None
    facts: dict[str, object] = _typed(found, dict)
    return Standing(
        tuple(_typed(line, str) for line in _typed(facts["rules"], list)),
        _hex(facts["table"], 16),
        _hex(facts["mark"], _MARK_BYTES),
        tuple(_hex(key, 32) for key in _typed(facts["keys"], list)),
        _typed(facts["blamed"], bool),
    )


def _hex(value: object, size: int) -> str:
    text = _typed(value, str)
    if re.fullmatch(r"[0-9a-f]*", text, re.ASCII) is None or len(text) != 2 * size:
        raise ValueError
    return text


T = TypeVar("T")


def _typed(value: object, kind: type[T]) -> T:
    if type(value) is not kind:
        raise TypeError
    return value


def _number(value: object, end: int = 1 << 20) -> int:
    number = _typed(value, int)
    if not 0 <= number < end:
        raise ValueError
    return number
