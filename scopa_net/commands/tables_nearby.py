"""Tables on the LAN, in words and as objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.crypto.identity import key_words
from protocol.invite import bracketed
from scopa_net.ui.json_lines import Object
from scopa_net.ui.words import counted

if TYPE_CHECKING:
    from scopa_net.app.nearby import TableNearby

__all__ = ["NOTHING_FOUND", "table_line", "table_object"]

NOTHING_FOUND = (
    "No table was found on this network. If somebody hosts one, ask for the "
    "address or the invitation that `scopa host` shows: scopa join HOST:PORT.",
    "What keeps tables from being found: a firewall (UDP port 5353, and the "
    "table's own port), a guest Wi-Fi that lets nobody see the others, a VPN. A table "
    "of your own is left out: another player needs another data folder.",
)


def table_line(table: TableNearby) -> str:
    """One table, its address last, as it can be typed."""
    shown, variant = table.seen.shown, table.variant
    if variant is None:
        game = f"a game that this program does not know ({shown.program})"
    else:
        points = counted(variant.target, "point")
        game = f"{variant.id.capitalize()} to {points}"
    free = counted(shown.free, "free seat") if shown.free else "full"
    if shown.free and not shown.asks:
        free += ", by invitation"
    seats = f"{shown.seats - shown.free} of {counted(shown.seats, 'player')}"
    ping = f"{_milliseconds(table)} ms"
    return f"{shown.table}: {game}, {seats}, {free}; {ping}  {table.place}"


def table_object(table: TableNearby) -> Object:
    """The same for programs; README.md describes the fields."""
    shown, variant = table.seen.shown, table.variant
    return {
        "table": shown.table,
        "variant": variant.id if variant else None,
        "target": variant.target if variant else None,
        "players": shown.seats,
        "free": shown.free,
        "asks": shown.asks,
        "ping_ms": _milliseconds(table),
        "address": str(table.place),
        "addresses": [
            f"{bracketed(host)}:{table.place.port}" for host in table.place.hosts
        ],
        "key": key_words(table.seen.key),
    }


def _milliseconds(table: TableNearby) -> float:
    return round(table.seen.ping_s * 1_000, 1)
