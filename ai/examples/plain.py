"""A bot that is a program, in Python without scopa-net: it needs nothing but JSON."""

import json
import sys


def say(**what: object) -> None:
    """One object, one line, at once."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Answer line by line, until the input ends."""
    scope_first = True
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "hello":
            options = {"scope_first": scope_first}
            about = "Takes most cards, or makes a scopa first."
            say(type="hello", protocol=1, name="plain", about=about, options=options)
        elif asked["type"] == "options":
            scope_first = asked["options"].get("scope_first", scope_first)
            say(type="ready")
        elif asked["type"] == "choose":
            actions = asked["observation"]["legal_actions"]
            scope = [one for one in actions if one.get("scopa")] if scope_first else []
            best = max(scope or actions, key=lambda one: len(one["action"]))
            say(type="move", id=asked["id"], action=best["action"])


if __name__ == "__main__":
    main()
