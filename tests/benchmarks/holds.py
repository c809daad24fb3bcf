"""Runs `scopa` in this process and times every callback of its event loop.

    python -m tests.benchmarks.holds FILE WORDS...

FILE gets, as JSON, how long each callback held the loop, by what it was spent on. Time
within a cause that is within another counts for the inner one alone. What is measured
is replaced by a timed version of itself once its module is loaded, so nothing is loaded
sooner than without measuring.
"""

import builtins
import gc
import importlib
import json
import sys
from asyncio import Handle
from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from threading import get_ident
from time import perf_counter, thread_time
from typing import Any

CAUSES = {
    ("protocol.store", "MatchStore", "commit"): "commit",
    ("protocol.store", "MatchStore", "note"): "commit",
    ("scopa_net.home", "Home", "note"): "note",
    ("scopa_net.home", "Home", "begin"): "note",
    ("scopa_net.seat", "Seat", "recall"): "recall",
    ("scopa_net.seat", "Seat", "receive"): "receive",
    ("scopa_net.seat", "Seat", "done"): "done",
    ("scopa_net.seat", "Seat", "act"): "act",
    ("scopa_net.runner", "Runner", "_tell"): "tell",
    ("scopa_net.players", "BotPlayer", "choose"): "bot",
    ("scopa_net.app.screen_player", "ScreenPlayer", "hear"): "screen",
    ("scopa_net.app.peers", "Peers", "send"): "send",
    ("protocol.deck", "Deck", "played_again"): "played again",
    ("protocol.crypto.group", "_Edwards", "decode"): "points",
    ("protocol.crypto.group", "_Edwards", "mul"): "multiplications",
    ("protocol.crypto.group", "_Edwards", "base"): "multiplications",
    ("protocol.crypto.identity", "Identity", "sign"): "signatures",
    ("protocol.record", None, "verify"): "signatures",
    ("twisted.protocols.tls", "TLSMemoryBIOProtocol", "dataReceived"): "tls",
    ("prompt_toolkit.application", "Application", "_redraw"): "redraw",
}
"""Module, class and name of what is timed -> what it is called in the figures."""

START = ("twisted.internet.asyncioreactor", "AsyncioSelectorReactor", "startRunning")
"""What begins the match holds the loop too, though it runs just before it."""


class Watch:
    """Holds of the loop so far; one at a time is under way, or none."""

    def __init__(self) -> None:
        self.holds: list[dict[str, Any]] = []
        self.calls: defaultdict[str, list[float]] = defaultdict(list)
        self._thread = get_ident()
        self._cause: str | None = None
        self._mark = 0.0
        self._spent: defaultdict[str, float] = defaultdict(float)
        self._outside = ""
        self._waiting = CAUSES | {START: ""}

    def hold(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """`call` as one that holds the loop."""

        @wraps(call)
        def held(*arguments: Any, **named: Any) -> Any:
            if self._cause is not None:
                return call(*arguments, **named)
            self._spent = defaultdict(float)
            cpu, start = thread_time(), perf_counter()
            self._mark, self._cause = start, "rest"
            try:
                return call(*arguments, **named)
            finally:
                self._switch("rest")
                self._cause = None
                self.holds.append(
                    {
                        "s": perf_counter() - start,
                        "cpu_s": thread_time() - cpu,
                        "causes": dict(self._spent),
                    }
                )

        return held

    def cause(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """`call` as one whose time within a hold counts for this cause."""

        @wraps(call)
        def timed(*arguments: Any, **named: Any) -> Any:
            if self._cause is None or get_ident() != self._thread:
                return call(*arguments, **named)
            outer, start = self._switch(name), perf_counter()
            try:
                return call(*arguments, **named)
            finally:
                self._switch(outer)
                self.calls[name].append(perf_counter() - start)

        return timed

    def imports(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The import statement: a cause, and when what it loaded comes to be timed."""
        timed = self.cause("import", call)

        @wraps(call)
        def imported(name: str, *arguments: Any, **named: Any) -> Any:
            known = len(sys.modules)
            found = (call if name in sys.modules else timed)(name, *arguments, **named)
            if len(sys.modules) != known:
                self.time_what_is_loaded()
            return found

        return imported

    def collects(self, phase: str, _info: dict[str, int]) -> None:
        """Garbage is collected in the midst of something."""
        if self._cause is None or get_ident() != self._thread:
            return
        if phase == "start":
            self._outside = self._switch("garbage")
        elif self._cause == "garbage":
            self._switch(self._outside)

    def time_what_is_loaded(self) -> None:
        """Replace everything that is to be timed and whose module is here by now."""
        for place, name in tuple(self._waiting.items()):
            module, owner, attribute = place
            found: Any = sys.modules.get(module)
            spec = getattr(found, "__spec__", None)
            if found is None or getattr(spec, "_initializing", False):
                continue
            del self._waiting[place]
            at = found if owner is None else getattr(found, owner)
            call = getattr(at, attribute)
            setattr(at, attribute, self.cause(name, call) if name else self.hold(call))

    def _switch(self, cause: str) -> str:
        now = perf_counter()
        outer = self._cause or cause
        self._spent[outer] += now - self._mark
        self._mark, self._cause = now, cause
        return outer


def one_multiplication_s() -> float:
    """What a scalar multiplication takes here and now."""
    group = importlib.import_module("protocol.crypto.group").EDWARDS
    point, scalar = group.hash_to_point("sc1.card", 1), group.scalar("sc1.nonce", 1)
    took = []
    for _ in range(200):
        start = perf_counter()
        group.mul(scalar, point)
        took.append(perf_counter() - start)
    return sorted(took)[100]


def main() -> None:
    """Play, and write what was seen."""
    out = Path(sys.argv[1])
    sys.argv = ["scopa", *sys.argv[2:]]
    watch = Watch()
    builtins.__import__ = watch.imports(builtins.__import__)
    gc.callbacks.append(watch.collects)
    Handle._run = watch.hold(Handle._run)  # type: ignore[method-assign]
    try:
        importlib.import_module("scopa_net.cli").main()
    finally:
        found = {
            "multiplication_s": one_multiplication_s(),
            "holds": watch.holds,
            "calls": watch.calls,
        }
        out.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
