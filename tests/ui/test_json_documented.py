"""Every field that a program may read is on the page that says what is printed."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, get_args

import pytest

from protocol.room import Present, Room
from protocol.text import SafeText
from scopa_net import HOME
from scopa_net.acquaintances import Acquaintance, Introduction, Standing
from scopa_net.bots.bot import Trouble, Weighed
from scopa_net.bots.forms import Object
from scopa_net.bots.position import position
from scopa_net.events import (
    Adjourned,
    Claimed,
    DealScored,
    DealStarted,
    Dealt,
    Declared,
    Event,
    MatchWon,
    Played,
    Redealt,
    Resigned,
    Stopped,
    TableTaken,
    TurnCame,
    VoidAgreed,
    Voided,
    VoidProposed,
    VoidRefused,
)
from scopa_net.review import Reviewed
from scopa_net.rules import (
    Claim,
    Declare,
    Play,
    card,
    find_variant,
    score_piles,
)
from scopa_net.rules.cards import cards
from scopa_net.ui import json_lines
from scopa_net.ui.absence import Waiting
from scopa_net.ui.company import Company
from scopa_net.ui.json_lines import event_object

SCOPA: Final = find_variant("scopa")
ANA, BRUNO = SafeText("Ana"), SafeText("Bruno")
COMPANY: Final = Company((ANA, BRUNO), SCOPA, you=1)
KEY: Final = b"k" * 32

EVENTS: Final[tuple[Event, ...]] = (
    DealStarted(0, 1),
    Dealt(cards("3C"), cards("AB"), 30),
    Redealt(cards("KD KC KS 2B")),
    TableTaken(1, cards("2D 3C"), 1),
    TurnCame(0),
    Played(0, Play(card("7D"), cards("3C 4S")), scopa=True),
    Declared(0, Declare(cards("AD 2C 3S"), "low")),
    Claimed(1, Claim(cards("7D 7C")), scopa=False),
    DealScored(0, score_piles(SCOPA, [cards("7D"), ()], scope=[1]), (4, 0), (), 1),
    MatchWon(0, COMPANY.names, (11, 3), 4),
    Stopped(1, "fork", "Bruno cheated.", (0, 0)),
    VoidProposed(0),
    VoidAgreed(0, (1,)),
    VoidRefused(0),
    Voided(0),
    Adjourned(0),
    Resigned(0),
)

LOSING: Final = Weighed(Play(card("AB"), ()), 0.1, 0.2)
REVIEWED: Final = Reviewed(
    position(SCOPA, cards("3C 4S KB QB"), cards("7D 2B AB"), ()),
    seat=0,
    chosen=LOSING,
    weighed=(Weighed(Play(card("7D"), cards("3C 4S")), 0.3, 0.0), LOSING),
    reasons=("It is good.",),
)

MADE: Final[dict[str, Object]] = {
    "bot_failed": json_lines.bot_failed_object("x", Trouble("crash", SafeText("it"))),
    "chat": json_lines.chat_object("Ana", "ciao"),
    "code": json_lines.code_object("7-hamburger", "It is new."),
    "error": json_lines.error_object(1, "It fails."),
    "introduced": json_lines.introduced_object(
        (Introduction(ANA, ANA, KEY, Standing.KNOWN, Acquaintance(ANA, KEY, met_s=1)),)
    ),
    "introducing": json_lines.introducing_object("ws://here", "tcp:here:1"),
    "knocking": json_lines.knocking_object("four-words", "here:1"),
    "left": json_lines.left_object((0, 0)),
    "listening": json_lines.listening_object("0a", 1, ("i",), ("c",), "w", asks=True),
    "review": json_lines.review_object("rules", (REVIEWED,), 0, COMPANY),
    "reviewed": json_lines.reviewed_object(REVIEWED),
    "room": json_lines.room_object(Room(3, (Present(KEY, "Ana", 1, ready=True),))),
    "servers": json_lines.servers_object(there=False, why="They are away."),
    "waiting": json_lines.waiting_object(Waiting(through=(("Ana", "Bruno"),))),
    "watched": json_lines.watched_object(("Cleo",)),
}
ELSEWHERE: Final = {"event", "lan", "side"}
"""Made of events; of `scopa lan`, which README.md has; and a part of `deal_scored`."""


def documented() -> dict[str, str]:
    """What the page says of the objects of each type."""
    page = Path(HOME, "scopa_net", "ui", "README.md").read_text("utf-8")
    _, page = page.split("## JSON lines")
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", page, re.MULTILINE)
    found: dict[str, str] = {}
    for type_, said in rows[1:]:
        found[type_] = f"{found.get(type_, '')} {said}"
    _, side = page.split("A side of `deal_scored`:")
    found["deal_scored"] += side
    return found


def fields(found: object) -> Iterator[str]:
    """The names of all fields, also of those in others."""
    if isinstance(found, dict):
        for name, value in found.items():
            yield name
            yield from fields(value)
    elif isinstance(found, list):
        for one in found:
            yield from fields(one)


def objects() -> list[Object]:
    told = (event_object(event, COMPANY) for event in EVENTS)
    return [*MADE.values(), *(one for one in told if one is not None)]


@pytest.mark.parametrize("found", objects(), ids=lambda found: str(found["type"]))
def test_every_field_of_an_object_is_on_the_page(found: Object) -> None:
    said = set(re.findall(r"`(\w+)`", documented()[str(found["type"])]))
    assert set(fields(found)) - {"schema", "type"} <= said


def test_no_object_is_left_out_here_or_on_the_page() -> None:
    makers = {
        name.removesuffix("_object")
        for name in json_lines.__all__
        if name.endswith("_object")
    }
    assert makers == MADE.keys() | ELSEWHERE
    assert {type(event) for event in EVENTS} == set(get_args(Event))
    assert {str(one["type"]) for one in objects()} == documented().keys()
