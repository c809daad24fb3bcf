"""Runs `scopa` in this process and notes when entries stand and events are told.

    python -m tests.benchmarks.marks FILE WORDS...

FILE gets, as JSON, `entries`, each a time with the kind and the deck, and `events`,
each a time with the type; both with the processor time of this process until then. The
clock is one for all processes of a machine.
"""

import json
import sys
from pathlib import Path
from time import monotonic, process_time
from typing import Any

from protocol.bodies import deck_number
from protocol.entry import Entry, Kind
from protocol.record import Record
from scopa_net import cli
from scopa_net.notices import Notice, Told
from scopa_net.runner import Runner

DECKLESS = {Kind.TABLE, Kind.COIN, Kind.RESUMED}


def main() -> None:
    """Play, and write what was noted."""
    out = Path(sys.argv[1])
    sys.argv = ["scopa", *sys.argv[2:]]
    entries: list[tuple[float, str, int, float]] = []
    events: list[tuple[float, str, float]] = []
    add, tell = Record.add, Runner._tell

    def noted_add(record: Record, entry: Entry) -> None:
        deck = 0 if entry.kind in DECKLESS else deck_number(entry)
        kind = Kind(entry.kind).name.lower()
        entries.append((monotonic(), kind, deck, process_time()))
        add(record, entry)

    def noted_tell(runner: Runner, notice: Notice) -> None:
        if isinstance(notice, Told):
            events.append((monotonic(), type(notice.event).__name__, process_time()))
        tell(runner, notice)

    found: dict[str, Any] = {"entries": entries, "events": events}
    Record.add = noted_add  # type: ignore[method-assign,assignment]
    Runner._tell = noted_tell  # type: ignore[method-assign,assignment]
    try:
        cli.main()
    finally:
        out.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
