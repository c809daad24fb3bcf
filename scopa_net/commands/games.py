"""``scopa games``: the matches that are kept."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import cast

import click

from protocol.archive import (
    ARCHIVE_BYTES_MAX,
    DamagedArchive,
    ForeignArchive,
    write_archive,
)
from protocol.audit import Audit, audit
from protocol.bodies import deck_number
from protocol.crypto.group import EDWARDS, UnsafeGroup, self_test
from protocol.entry import Kind, read_entry
from protocol.faults import Signed
from protocol.files import read_file, shown
from protocol.game import ForeignRules
from protocol.store import StoreLocked
from scopa_net.commands.data_folder import (
    Absent,
    Refused,
    Unsound,
    data_folder_option,
    kept_things,
)
from scopa_net.commands.record_file import RecordFile
from scopa_net.commands.refusals import Failure
from scopa_net.exits import Exit
from scopa_net.home import Home, Saved, carried_on, find_home, kept_record, key_in
from scopa_net.referee import Referee, open_match
from scopa_net.rules import format_action
from scopa_net.summary import Summary, summarize
from scopa_net.ui.json_lines import SCHEMA, Object
from scopa_net.ui.kept import kept_lines

__all__ = ["command", "record_of"]

_OK = "ok: signatures, shuffles and moves are right as far as the record goes"
_NOTHING_SIGNED = "nothing has been signed in this match yet."
_TOLD = (
    "variant",
    "target",
    "names",
    "deals",
    "turn",
    "winner",
    "confirmed",
    "stopped",
)
_DECKLESS = {Kind.TABLE, Kind.COIN, Kind.RESUMED}


@click.group(name="games", short_help="The matches that are kept.")
def command() -> None:
    """The matches that are kept: those to go on with, and the records of others.

    \b
    scopa games list
    scopa games show --log
    scopa games export match.scopa

    Where an ID is left out, the match that was changed last is meant.
    """


_json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object."
)


@command.command(name="list")
@data_folder_option
@_json_option
def list_matches(*, data_dir: Path | None, as_json: bool) -> None:
    """List the matches, the one that was changed last first."""
    with kept_things():
        home = find_home(data_dir)
        found = home.saved()
        beside = _Beside(key_in(home), found)
    if as_json:
        matches = [_facts(saved, saved.summary, beside) for saved in found]
        _print_json("matches", folder=str(home.folder), matches=matches)
        return
    _show_any_name()
    if not found:
        click.echo(f"There are no matches in {shown(home.folder)}.", err=True)
    for saved in found:
        for line in _lines(saved, saved.summary, beside):
            click.echo(line)


@command.command()
@click.argument("match", metavar="[ID]", required=False)
@click.option("--log", is_flag=True, help="Tell every entry, one a line.")
@data_folder_option
@_json_option
def show(*, match: str | None, log: bool, data_dir: Path | None, as_json: bool) -> Exit:
    """Tell how a match stands, and whether its record is as it should be."""
    with kept_things():
        home = find_home(data_dir)
        saved, beside = _chosen(home, match), _Beside(key_in(home), home.saved())
        try:
            record = record_of(home, saved)
        except StoreLocked:
            if log:
                raise
            _print_match(saved, saved.summary, None, beside, as_json=as_json)
            return Exit.DONE
    if record is None:
        _print_match(saved, saved.summary, None, beside, as_json=as_json)
        return Exit.DONE
    found = _audited(record, shown(Path(saved.id)))
    summary = _summary(found)
    told = list(_log(found)) if log else None
    _print_match(saved, summary, found, beside, log=told, as_json=as_json)
    return Exit.DONE if found.sound else Exit.UNPROVEN


@command.command()
@click.argument("match", metavar="ID")
@data_folder_option
def rm(*, match: str, data_dir: Path | None) -> None:
    """Delete a match with all that is kept of it. Its whole ID is needed."""
    with kept_things():
        find_home(data_dir).remove(match)


@command.command()
@click.argument("words", metavar="[ID] FILE", nargs=-1, required=True)
@data_folder_option
def export(*, words: tuple[str, ...], data_dir: Path | None) -> None:
    """Write the record of a match to a new file, for `scopa audit` and for others.

    The match may be unfinished. Nothing secret is in the file.
    """
    *ids, name = words
    if len(ids) > 1:
        raise click.UsageError("Name one match and one file.")
    with kept_things():
        home = find_home(data_dir)
        record = record_of(home, _chosen(home, *ids))
    if record is None:
        raise Absent(f"There is no record: {_NOTHING_SIGNED}")
    RecordFile.named(name).write(record)


@command.command(name="import")
@click.argument("file", metavar="FILE")
@data_folder_option
def import_record(*, file: str, data_dir: Path | None) -> None:
    """Check a record and keep a copy of it. Its new ID is printed."""
    path = Path(file)
    record = _contents(path)
    found = _audited(record, shown(path))
    if not found.sound:
        raise Unsound(f"{shown(path)}: {_wrong(found)}.")
    with kept_things():
        match = find_home(data_dir).take_in(record, _summary(found))
    click.echo(match)


# -- what is kept -----------------------------------------------------------------


def record_of(home: Home, saved: Saved) -> bytes | None:
    """The portable record of a match as far as it goes; None before anything is signed.

    Raises `StoreLocked` while it is being played.
    """
    if saved.record is not None:
        return kept_record(saved.record)
    store = home.open(saved.id)
    try:
        rows = store.entries()
    finally:
        store.close()
    own = [row.entry for row in rows if row.seat == rows[0].seat]
    return write_archive(_chains(own)) if own else None


def _chains(entries: Sequence[Signed]) -> list[list[Signed]]:
    """Author by author: the chain, and after it what stands in none."""
    chains: dict[int, dict[int, Signed]] = {}
    beside: dict[int, list[Signed]] = {}
    for signed in entries:
        entry = read_entry(signed)
        chain = chains.setdefault(entry.seat, {})
        if chain.setdefault(entry.seq, signed) != signed:
            beside.setdefault(entry.seat, []).append(signed)
    return [
        [chain[seq] for seq in sorted(chain)] + beside.get(seat, [])
        for seat, chain in sorted(chains.items())
    ]


def _chosen(home: Home, match: str | None = None) -> Saved:
    return home.newest() if match is None else home.find(match)


def _audited(record: bytes, name: str) -> Audit:
    try:
        self_test(EDWARDS)
        return audit(record, EDWARDS, open_match)
    except UnsafeGroup as reason:
        raise Failure(f"{reason}: no shares can be checked safely here.") from reason
    except ForeignArchive as reason:
        raise Refused(f"{name}: {reason}") from reason
    except ForeignRules as reason:
        sentence = f"This program cannot check that match: {reason}".rstrip(".")
        raise Refused(f"{name}: {sentence}.") from reason
    except DamagedArchive as reason:
        raise Unsound(f"{name}: {reason}") from reason


def _summary(found: Audit) -> Summary:
    blamed = any(fault.blames for fault in found.faults)
    return summarize(found.judge.course, stopped=found.stopped, blamed=blamed)


def _contents(path: Path) -> bytes:
    """At most one byte more than a record may have, of a regular file only."""
    try:
        return read_file(path, ARCHIVE_BYTES_MAX)
    except OSError as reason:
        raise Absent(f"{shown(path)}: {reason.strerror}.") from reason
    except ValueError as reason:
        no_name = f"{shown(path)}: There is no file of that name."
        raise Absent(no_name) from reason


# -- in words and as objects --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Beside:
    """What else is in the home of a match: the key of its player, and what is kept."""

    key: bytes | None
    kept: Sequence[Saved]

    def own(self, summary: Summary | None) -> int | None:
        """The place of the player, if it has one there."""
        return None if summary is None else summary.place_of(self.key)

    def carried_on(self, summary: Summary | None) -> str | None:
        """The match that started from this score."""
        return carried_on(summary, self.kept)


def _print_match(
    saved: Saved,
    summary: Summary | None,
    found: Audit | None,
    beside: _Beside,
    *,
    log: list[Object] | None = None,
    as_json: bool,
) -> None:
    wrong = None if found is None or found.sound else _wrong(found)
    if as_json:
        more: Object = {} if log is None else {"log": log}
        ok = None if found is None else found.sound
        _print_json(
            "match", **_facts(saved, summary, beside), ok=ok, wrong=wrong, **more
        )
        return
    _show_any_name()
    for line in _lines(saved, summary, beside):
        click.echo(line)
    if found is not None:
        click.echo(f"    {_OK}." if wrong is None else f"    not ok: {wrong}.")
    elif saved.process is None:
        click.echo(f"    {_NOTHING_SIGNED.capitalize()}")
    for entry in log or ():
        click.echo(_log_line(entry))


def _show_any_name() -> None:
    """A name may have characters that the terminal lacks."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _print_json(type_: str, **fields: object) -> None:
    click.echo(json.dumps({"schema": SCHEMA, "type": type_, **fields}))


def _facts(saved: Saved, summary: Summary | None, beside: _Beside) -> Object:
    """What is known of a match; what is not is null."""
    facts: Object = {
        "id": saved.id,
        "unfinished": saved.unfinished,
        "process": saved.process,
        "changed": datetime.fromtimestamp(saved.changed_s, UTC).isoformat(
            "T", "seconds"
        ),
        "record": None if saved.record is None else str(saved.record),
    }
    facts |= {name: getattr(summary, name, None) for name in _TOLD}
    standing = None if summary is None else summary.standing
    carried = None if standing is None else standing.carried
    return facts | {
        "own": beside.own(summary),
        "score": None if summary is None else summary.scores,
        "carried": None if carried is None else carried.scores,
        "carried_on": beside.carried_on(summary),
    }


def _lines(saved: Saved, summary: Summary | None, beside: _Beside) -> Iterator[str]:
    """What is known of a match, for people."""
    when = datetime.fromtimestamp(saved.changed_s, UTC).astimezone()
    yield f"{saved.id}  {when:%Y-%m-%d %H:%M}  {_state(saved, summary)}"
    if summary is not None:
        own, new = beside.own(summary), beside.carried_on(summary)
        yield from (f"    {line}" for line in kept_lines(summary, own, new))


def _state(saved: Saved, summary: Summary | None) -> str:
    if saved.process is not None:
        return f"open now (process {saved.process})" if saved.process else "open now"
    if summary is not None and summary.stopped:
        return "stopped"
    if saved.unfinished:
        played = _is_over(summary)
        if summary is None:
            return "a table that has not begun"
        return "unconfirmed" if played else "unfinished"
    return "finished" if _is_over(summary) else "a record only"


def _is_over(summary: Summary | None) -> bool:
    """Whether the match is won, or given up."""
    if summary is None:
        return False
    return summary.winner is not None or bool(summary.resigned)


def _wrong(found: Audit) -> str:
    """The first thing that is wrong."""
    names = found.terms.shown_names()
    if found.faults and found.stopped:
        fault = found.faults[0]
        return f"{names[fault.seat]} {fault.reason.value}"
    if found.damage is not None:
        damage = found.damage
        where = f"{names[damage.seat]}'s entry {damage.seq}"
        return f"damaged at {where}: {damage.harm.value}"
    return "the seats do not agree on what is dealt"


def _log(found: Audit) -> Iterator[Object]:
    """Every entry that stands, each after all that its author had seen."""
    names = found.terms.shown_names()
    actions = _actions(found)
    entries = [entry for log in found.judge.record.logs for entry in log.entries]
    for entry in sorted(entries, key=lambda e: (sum(e.seen), e.seat)):
        yield {
            "name": names[entry.seat],
            "number": entry.seq,
            "kind": Kind(entry.kind).name.lower(),
            "deck": None if entry.kind in _DECKLESS else deck_number(entry),
            "action": actions.get(entry.id),
            "bytes": len(entry.signed.encoded) + len(entry.signed.signature),
            "id": entry.id.hex(),
        }


def _actions(found: Audit) -> dict[bytes, str]:
    """What was played, by the id of the entry that says so."""
    told = {}
    for deck in found.judge.decks:
        for entry, game in zip(deck.acts, deck.games[1:], strict=True):
            action = cast("Referee", game).deal.actions[-1]
            told[entry.id] = format_action(action)
    return told


def _log_line(entry: Object) -> str:
    deck = "" if entry["deck"] is None else f"deck {entry['deck']}"
    start = f"    {entry['name']:<16}  {entry['number']:>4}  {entry['kind']:<8}"
    rest = f"{deck:<8}  {entry['bytes']:>6} bytes  {str(entry['id'])[:8]}"
    return f"{start}  {rest}  {entry['action'] or ''}".rstrip()
