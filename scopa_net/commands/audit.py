"""``scopa audit``: what the record of a match proves, with nothing else at hand."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import cast

import click

from protocol.archive import ARCHIVE_BYTES_MAX, DamagedArchive, ForeignArchive
from protocol.audit import Audit, audit
from protocol.crypto.group import EDWARDS, UnsafeGroup, self_test
from protocol.deck import Deck
from protocol.entry import Entry, read_entry
from protocol.faults import Blame, Disagreement, Fault
from protocol.files import read_file
from protocol.game import ForeignRules, Over
from protocol.log import Log
from scopa_net.commands.refusals import Failure, Refusal
from scopa_net.exits import Exit
from scopa_net.leaving import winner_without
from scopa_net.referee import Referee, open_match
from scopa_net.rules import SideScore, Variant
from scopa_net.ui.json_lines import SCHEMA, Object
from scopa_net.ui.words import and_list, counted

__all__ = ["command", "proven"]

_PROVEN = (
    "ok: every entry is signed, every shuffle that cards were dealt from is proven, "
    "every move follows the rules, every deck that was finished is the one of its "
    "seeds."
)
_NONE = "none yet"


class Foreign(Refusal):
    """The file is no record that this program can check."""

    exit_code = Exit.FOREIGN


class Unproven(Refusal):
    """The record is damaged, or a seat did wrong."""

    exit_code = Exit.UNPROVEN


class Missing(Refusal):
    """There is no such file, or it cannot be read."""

    exit_code = Exit.MISSING


@click.command(name="audit", short_help="Check a match.")
@click.argument("file", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(file: str, *, as_json: bool) -> int:
    """Check the record of a match: signatures, shuffles, moves and score.

    \b
    scopa audit match.scopa
    scopa audit match.scopa --json

    The proof of every shuffle is checked, and every finished deck is made again from
    its revealed seeds. It says ok and what the record proves, or the first thing that
    is wrong and whose doing it is. A file that is merely damaged accuses nobody. Leaves
    with 0 if all is well, 4 if the file is no record this program knows, 5 if it is
    damaged or a seat did wrong, 6 if there is no such file.
    """
    try:
        found = _judged(file)
    except DamagedArchive as reason:
        wrong: str | None = str(reason)
        facts, lines = _nothing(str(reason)), []
    else:
        wrong = _wrong(found)
        facts, lines = _facts(found), list(_lines(found))
    _print(facts, lines, _shown(file), wrong, as_json=as_json)
    return Exit.UNPROVEN if wrong else Exit.DONE


def _judged(file: str) -> Audit:
    """What the record in a file proves.

    Raises `DamagedArchive` if it cannot be read at all, and a `Refusal` if it is none.
    """
    if not file:
        raise Refusal("Name the file of a record.")
    shown = _shown(file)
    data = _contents(file)
    try:
        self_test(EDWARDS)
        return audit(data, EDWARDS, open_match)
    except UnsafeGroup as reason:
        raise Failure(f"{reason}: no shares can be checked safely here.") from reason
    except ForeignArchive as reason:
        raise Foreign(f"{shown}: {reason}") from reason
    except ForeignRules as reason:
        sentence = f"This program cannot check that match: {reason}".rstrip(".")
        raise Foreign(f"{shown}: {sentence}.") from reason


def proven(file: str) -> Audit:
    """The same of a record in which nothing is wrong; otherwise a `Refusal`."""
    try:
        found = _judged(file)
    except DamagedArchive as reason:
        raise Unproven(f"{_shown(file)}: {reason}") from reason
    wrong = _wrong(found)
    if wrong is not None:
        raise Unproven(f"{_shown(file)}: {wrong}")
    return found


def _print(
    facts: Object, lines: Sequence[str], shown: str, wrong: str | None, *, as_json: bool
) -> None:
    if as_json:
        click.echo(json.dumps({"schema": SCHEMA, "type": "audit", **facts}))
        if wrong is not None:
            click.echo(f"{shown}: {wrong}", err=True)
        return
    if isinstance(sys.stdout, TextIOWrapper):
        # A name may have characters that the terminal lacks.
        sys.stdout.reconfigure(errors="replace")
    for line in (_PROVEN if wrong is None else f"not ok: {wrong}", *lines):
        click.echo(line)


# -- the file ---------------------------------------------------------------------


def _contents(file: str) -> bytes:
    """At most one byte more than a record may have, of a regular file only."""
    try:
        return read_file(Path(file), ARCHIVE_BYTES_MAX)
    except OSError as reason:
        why = reason.strerror or "It cannot be read"
        raise Missing(f"{_shown(file)}: {why}.") from reason
    except ValueError as reason:
        raise Missing(f"{_shown(file)}: There is no file of that name.") from reason


def _shown(file: str) -> str:
    name = click.format_filename(file)
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)


# -- what it proves ---------------------------------------------------------------


def _start(found: Audit) -> Referee | None:
    return cast("Referee | None", found.judge.course.start)


def _place(found: Audit, seat: int) -> int | None:
    start = _start(found)
    return start.places[seat] if start else None


def _names(found: Audit) -> list[str]:
    """The names by place, or in the record's order while nobody has a place."""
    names = [str(name) for name in found.terms.shown_names()]
    start = _start(found)
    if start is None:
        return names
    return [names[start.places.index(place)] for place in range(len(names))]


def _scored(found: Audit) -> Iterator[tuple[Deck, Referee]]:
    """The decks that were played to a score, and the game at their end."""
    for deck in found.judge.decks:
        game = cast("Referee", deck.game)
        if game.over() in (Over.SCORED, Over.MATCH):
            yield deck, game


def _shuffles(found: Audit) -> tuple[int, int]:
    """How many shuffles stand, and how many of them are proven."""
    decks = found.judge.course.shufflings
    made = sum(len(deck.stage_entries) for deck in decks)
    return made, sum(e is not None for deck in decks for e in deck.proof_entries)


def _chains(found: Audit) -> list[Log]:
    """The chains by place, or in the record's order while nobody has a place."""
    logs = found.judge.record.logs
    start = _start(found)
    order = (
        range(len(logs)) if start is None else map(start.places.index, range(len(logs)))
    )
    return [logs[seat] for seat in order]


def _entries(found: Audit) -> int:
    """How many entries stand."""
    return sum(len(log.entries) for log in found.judge.record.logs)


def _nothing(message: str) -> Object:
    """The fields of the JSON object for a file in which nothing can be judged."""
    damage = {"seat": None, "name": None, "entry": None, "message": message}
    sound = {"ok": False, "finished": False}
    return {**sound, "deals": 0, "verdicts": [], "damage": damage}


def _rules(found: Audit) -> Variant:
    return open_match(found.terms, bytes(16)).variant


def _facts(found: Audit) -> Object:
    """The fields of the JSON object."""
    rules = _rules(found)
    scored = list(_scored(found))
    last = scored[-1][1].match_after if scored else None
    facts: Object = {
        "ok": found.sound,
        "finished": found.sound and found.finished,
        "variant": rules.id,
        "players": rules.players,
        "target": rules.target,
        "rules": list(rules.lines()),
        "fingerprint": rules.fingerprint.hex(),
        "names": _names(found),
        "carried": None if rules.carried is None else list(rules.carried.scores),
        "deals": len(scored),
        "verdicts": [
            {
                "deal": game.match.deal_number,
                "points": [dict(side.points) for side in game.scores],
                "score": list(game.match_after.scores),
                "proven": deck.shuffling.proven,
                "replayed": deck.verified,
                "deck": deck.number,
                "last_play": deck.acts[-1].id.hex(),
                "signed": [_signed(found, deck.verdicts[at]) for at in deck.verdicts],
            }
            for deck, game in scored
        ],
        "score": list(last.scores if last else rules.start),
        **_end(found),
        "shuffles": dict(zip(("made", "proven"), _shuffles(found), strict=True)),
        "entries": _entries(found),
        "heads": [log.entries[-1].id.hex() for log in _chains(found) if log.entries],
    }
    if found.late:
        facts["late"] = [_fault(found, fault) for fault in found.late]
    elif found.faults:
        facts["fault"] = _fault(found, found.faults[0])
        facts["faults"] = [_fault(found, fault) for fault in found.faults]
    if found.damage is not None:
        facts["damage"] = {
            "seat": _place(found, found.damage.seat),
            "name": found.terms.shown_names()[found.damage.seat],
            "entry": found.damage.seq,
            "message": _damage_sentence(found),
        }
    if found.judge.course.disagreement is not None:
        facts["disagreement"] = _disagreement(found, found.judge.course.disagreement)
    return facts


def _signed(found: Audit, entry: Entry) -> Object:
    """Where an entry stands, and its hash."""
    return {
        "seat": _place(found, entry.seat),
        "entry": entry.seq,
        "hash": entry.id.hex(),
    }


def _disagreement(found: Audit, on: Disagreement) -> Object:
    """What the seats differ on, with what each has said of it."""
    readies = found.judge.course.shufflings[on.deck].readies
    said = [_signed(found, entry) for mine in readies for entry in mine]
    return {"deck": on.deck, "signed": said}


def _fault(found: Audit, fault: Fault) -> Object:
    return {
        "seat": _place(found, fault.seat),
        "name": found.terms.shown_names()[fault.seat],
        "blame": fault.blame.value,
        "reason": fault.reason.name.lower(),
        "entry": _number(fault),
        "message": _fault_sentence(found, fault),
        "signed": [_signed(found, read_entry(one)) for one in fault.evidence],
    }


def _end(found: Audit) -> Object:
    """How it ended, and the deals that do not count."""
    winner = None if found.stopped else _winner(found)
    gone: Object = {"resigned": _resigned(found), "voided": _voided(found)}
    return {"winner": winner, **gone}


def _voided(found: Audit) -> list[int]:
    """The numbers of the deals that all have agreed not to count, once each time."""
    void = [deck for deck in found.judge.decks if deck.void]
    return [cast("Referee", deck.game).match.deal_number for deck in void]


def _resigned(found: Audit) -> list[int]:
    """The places of those who have given the match up."""
    course = found.judge.course
    if course.start is None:
        return []
    places = cast("Referee", course.start).places
    return sorted(places[seat] for seat in course.given_up)


def _winner(found: Audit) -> int | None:
    """The side that has won, by its score or because others have given up."""
    if resigned := _resigned(found):
        return winner_without(resigned, _rules(found).sides)
    scored = [game for _, game in _scored(found)]
    return scored[-1].match_after.winner if scored else None


# -- in words ---------------------------------------------------------------------


def _wrong(found: Audit) -> str | None:
    """The first thing that is wrong; None if nothing is."""
    grave = [fault for fault in found.faults if fault not in found.late]
    if grave:
        return _fault_sentence(found, grave[0])
    if found.damage is not None:
        return _damage_sentence(found)
    if found.judge.course.disagreement is not None:
        deck = found.judge.course.disagreement.deck
        return (
            f"the seats do not agree on what deck {deck} is dealt for, and no "
            "signature says whose fault that is."
        )
    return None


def _fault_sentence(found: Audit, fault: Fault) -> str:
    name = found.terms.shown_names()[fault.seat]
    detail = f" ({fault.detail.rstrip('.')})" if fault.detail else ""
    innocent = "" if fault.blames else " Nobody is to blame."
    return f"{name} {fault.reason.value}{detail}: entry {_number(fault)}.{innocent}"


def _number(fault: Fault) -> int:
    """The number of the false entry; of two that contradict each other, the last."""
    contradiction = fault.blame is Blame.FORK
    return read_entry(fault.evidence[-1 if contradiction else 0]).seq


def _damage_sentence(found: Audit) -> str:
    assert found.damage is not None
    name = found.terms.shown_names()[found.damage.seat]
    return f"damaged at {name}'s entry {found.damage.seq}: {found.damage.harm.value}."


def _lines(found: Audit) -> Iterator[str]:
    """What is proven, for people."""
    rules = _rules(found)
    names = _names(found)
    yield f"game     {rules.id}, {rules.players} players, to {_points(rules.target)}"
    if rules.carried is not None:
        yield f"carries  {_tally(rules.carried.scores)}, of an older match"
    yield f"seats    {', '.join(names)}"
    sides = [and_list(names[side :: rules.sides]) for side in range(rules.sides)]
    count = _entries(found)
    yield f"entries  {count}, each signed by its seat, in chains without a gap"
    yield f"shuffles {_proofs(*_shuffles(found))}"
    yield from _checked(found.judge.decks)
    last = None
    for void in _voided(found):
        yield f"deal {void + 1:<3} does not count: every seat has agreed"
    for deck, game in _scored(found):
        last = game.match_after
        earned = "; ".join(map(_earned, sides, game.scores))
        doubt = "" if deck.verified else ", not replayed"
        number = game.match.deal_number + 1
        yield f"deal {number:<3} {earned}. Score {_tally(last.scores)}{doubt}"
    if found.stopped:
        yield "winner   nobody: the match was stopped"
    elif _resigned(found):
        yield _given_up(found, sides)
    elif last is None or last.winner is None:
        yield "winner   nobody yet: the record ends before the match does"
    else:
        confirmed = "" if found.finished else ", not confirmed by every seat"
        yield f"winner   {sides[last.winner]}, {_tally(last.scores)}{confirmed}"
    for fault in found.late:
        sentence = _fault_sentence(found, fault)
        yield f"late     {sentence} It takes nothing away from the result."


def _given_up(found: Audit, sides: Sequence[str]) -> str:
    """Who has won a match that was given up, and by whom it was."""
    winner, names = _winner(found), _names(found)
    won = "nobody" if winner is None else sides[winner]
    given = and_list([names[place] for place in _resigned(found)])
    confirmed = "" if found.finished else ", not confirmed by every seat"
    return f"winner   {won}: {given} gave the match up{confirmed}"


def _checked(decks: Sequence[Deck]) -> Iterator[str]:
    """What was checked of the cards and of what was played with them."""
    cards = sum(len(deck.opened) for deck in decks)
    moves = sum(len(deck.acts) for deck in decks)
    proven = f"{cards} opened, each with a proven share of every seat"
    yield f"cards    {proven if cards else _NONE}"
    by_rules = f"{moves}, each in turn, with a card of its seat, by the rules"
    yield f"moves    {by_rules if moves else _NONE}"
    yield f"decks    {'; '.join(_replays(decks)) or _NONE}"


def _replays(decks: Sequence[Deck]) -> Iterator[str]:
    """What is known of the decks that were dealt, by what their seeds say."""
    again = sum(deck.verified for deck in decks)
    open_yet = sum(deck.replayed is None for deck in decks)
    false = len(decks) - again - open_yet
    if again:
        yield f"{again} of {len(decks)} made again from all seeds, the same"
    if false:
        yield f"{false} not what its seeds say"
    if open_yet:
        yield f"{open_yet} not finished"


def _proofs(made: int, proven: int) -> str:
    if made == proven:
        each = "each proven: no card added, lost, doubled or put in its place"
        return f"{made}, {each}" if made else _NONE
    return f"{made}, {proven} of them proven; no card was dealt from the others"


def _points(number: int) -> str:
    return counted(number, "point")


def _earned(side: str, score: SideScore) -> str:
    parts = ", ".join(f"{name} {points}" for name, points in score.points.items())
    return f"{side} {score.total}" + (f" ({parts})" if parts else "")


def _tally(scores: Sequence[int]) -> str:
    return " : ".join(map(str, scores))
