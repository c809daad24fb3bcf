"""A bot in plain Python that goes wrong as it is asked to: ``rogue.py HOW [WHERE]``.

It needs nothing but the standard library, and so starts at once.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

HOW = sys.argv[1]
LEAK: list[bytes] = []
ODD_LINES = ('{"type": "surprise", "new": [1]}', "[1]", "", "\\", '"move"', "[" * 9000)


def say(**what: Any) -> None:
    write(json.dumps(what))


def write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    if HOW == "exits":
        return
    if HOW == "forgetful":
        with Path(sys.argv[2]).open("a", encoding="ascii") as starts:
            starts.write("x")
    if HOW == "deaf":
        time.sleep(60)
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "hello":
            greet()
        elif asked["type"] == "options":
            given = asked["options"]
            say(type="ready")
        elif asked["type"] == "choose":
            choose(asked["id"], asked["observation"]["legal_actions"], given)
        elif asked["type"] == "surprise" and HOW == "fussy":
            return
    if HOW == "stays":
        time.sleep(60)


def greet() -> None:
    match HOW:
        case "refuses":
            say(type="error", message="no licence \x1b[31m")
        case "other protocol":
            say(type="hello", protocol=2)
        case "odd options":
            say(type="hello", protocol=1, options={"x": [1]})
    options = {"fast": False, "worlds": 30}
    named = {"name": "Ada\x1b", "new": 1} if HOW == "named" else {}
    say(type="hello", protocol=1, about="Plays first.", options=options, **named)


def choose(number: int, legal: list[dict[str, Any]], given: dict[str, Any]) -> None:
    first = legal[0]["action"]
    match HOW:
        case "fails":
            say(type="error", id=number, message="no \x1b[31m idea")
        case "illegal":
            say(type="move", id=number, action="KDx7D")
        case "unreadable":
            say(type="move", id=number, action="\x1b[2J")
        case "no action":
            say(type="move", id=number)
        case "no id":
            say(type="move", action=first)
        case "moody" | "forgetful" | "leaky":
            deceive(number, legal)
        case _:
            think(number)
            reasons = [str(given) if HOW == "given" else "It is\x1b the first."]
            say(type="move", id=number, action=first, reasons=reasons)


def deceive(number: int, legal: list[dict[str, Any]]) -> None:
    """Choose well enough for a match."""
    at = 0
    if HOW == "moody":
        at = Random(number).randrange(len(legal))
    elif HOW == "leaky":
        LEAK.append(b"x" * (100 << 10))
    elif Path(sys.argv[2]).stat().st_size > 1:
        at = -1
    say(type="move", id=number, action=legal[at % len(legal)]["action"])


def think(number: int) -> None:
    """Do what is not to be done before one answers."""
    match HOW:
        case "raises":
            sys.stderr.write("half a thought\n")
            os._exit(3)
        case "late" if number == 1:
            time.sleep(0.6)
        case "memory":
            bytearray(3 << 30)
        case "hangs" | "stubborn":
            hang()
        case "forks":
            fork()
        case _:
            speak(number)


def speak(number: int) -> None:
    """Say what nobody has asked for."""
    match HOW:
        case "rubbish" | "chatters":
            while True:
                write("rubbish" if HOW == "rubbish" else '{"type":"info"}\n' * 4000)
        case "noisy":
            write("thinking")
        case "long line":
            write("x" * 10_000_000)
        case "talks":
            for _ in range(2000):
                sys.stderr.write("thinking \x1b[31m\n")
        case "odd":
            for line in ODD_LINES:
                write(line)
            say(type="move", id=number - 1, action="KD")
            say(type="info", id=number, depth=3)


def hang() -> None:
    if HOW == "stubborn":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    fork()
    while True:
        time.sleep(60)


def fork() -> None:
    """Leave a child in the group, and one with a session and a parent of its own."""
    where = Path(sys.argv[2])
    for apart in (False, True):
        if os.fork() == 0:
            if apart:
                os.setsid()
                if os.fork():
                    os._exit(0)
            with where.open("a", encoding="ascii") as file:
                file.write(f"{os.getpid()}\n")
            time.sleep(60)
            os._exit(0)
    while (
        len(where.read_text(encoding="ascii").split()) < 2 if where.exists() else True
    ):
        time.sleep(0.01)


main()
