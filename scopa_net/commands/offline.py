"""A match against bots, made once it is known what is wanted.

It is a module of its own, since a first frame does not wait for it to be loaded.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.crypto.group import UnsafeGroup
from protocol.text import safe_name
from scopa_net.app.local import LocalMatch
from scopa_net.app.running import Chair
from scopa_net.app.stage import Stage
from scopa_net.commands.refusals import Failure
from scopa_net.commands.seated_bots import bot_named, usual_adviser
from scopa_net.commands.telling import Telling, own_name
from scopa_net.rules import Variant

__all__ = ["Offline"]


class Offline:
    """The own chair, then the others; raises `Refusal` if there is no such bot.

    A person's opponents are called `names`, and bots among themselves what they are.
    """

    def __init__(
        self,
        bot: str | None,
        name: str | None,
        asked: Sequence[str],
        names: Sequence[str],
    ) -> None:
        mine = None if bot is None else bot_named(bot)
        others = [bot_named(one) for one in asked]
        if mine is not None:
            names = [str(safe_name(one.name)) for one in others]
        self.chairs = [
            Chair(own_name(name, mine), mine.bot if mine else None),
            *(Chair(n, o.bot) for n, o in zip(names, others, strict=True)),
        ]

    def match(self, variant: Variant, telling: Telling, stage: Stage) -> LocalMatch:
        """The match, which is still to begin."""
        try:
            match = LocalMatch(
                variant,
                self.chairs,
                hear=telling.hear,
                shuffling=telling.shuffling,
                person=telling.person(usual_adviser),
                stage=stage,
            )
        except UnsafeGroup as reason:
            raise Failure(f"{reason}: no cards can be dealt safely here.") from reason
        match.bot_failed = telling.bot_failed
        return match
