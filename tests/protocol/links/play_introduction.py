"""`python -m tests.protocol.links.play_introduction MAILBOX RELAY MAILBOX RELAY`.

It plays all scenes at once, and prints what came of them as JSON. The servers, two
pairs, run elsewhere. What the scenes import
takes the reactor that is there, so it is installed first.
"""

import asyncio
import json
import sys
from importlib import import_module
from typing import Any

from twisted.internet.asyncioreactor import AsyncioSelectorReactor
from twisted.internet.defer import Deferred, DeferredList
from twisted.internet.main import installReactor
from twisted.python.failure import Failure

from protocol.codes import read_servers
from protocol.links import LIMITS

PATIENCE_S = 60.0


def main(*places: str) -> None:
    loop = asyncio.SelectorEventLoop()
    asyncio.set_event_loop(loop)
    reactor = AsyncioSelectorReactor(loop)
    installReactor(reactor)
    scenes = import_module("tests.protocol.links.introductions")
    servers, other = read_servers(*places[:2]), read_servers(*places[2:])

    def failed(failure: Failure) -> str:
        failure.printTraceback(sys.stderr)
        return "failed"

    def played(name: str) -> "Deferred[Any]":
        limits = scenes.HASTY if name == "swallowed" else LIMITS
        stage = scenes.Stage(reactor, servers, other, limits)
        playing: Deferred[Any] = Deferred.fromCoroutine(scenes.SCENES[name](stage))
        return playing.addTimeout(PATIENCE_S, reactor).addErrback(failed)

    def all_played() -> None:
        names = tuple(scenes.SCENES)
        playing = DeferredList([played(name) for name in names])

        def tell(came: list[tuple[bool, Any]]) -> None:
            found = [answer for _, answer in came]
            print(json.dumps(dict(zip(names, found, strict=True))))  # noqa: T201
            reactor.stop()

        playing.addCallback(tell)

    reactor.callWhenRunning(all_played)
    reactor.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
