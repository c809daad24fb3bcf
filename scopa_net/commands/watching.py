"""One run of ``join --watch``: a match is told, and nobody here plays in it."""

from __future__ import annotations

import sys
from typing import Final

from protocol.codes import looks_like_code
from protocol.crypto.group import UnsafeGroup
from protocol.invite import SCHEME, BadInvite, Invite, read_invite
from protocol.text import SafeText, safe_name
from scopa_net.app.watched import WatchedMatch, watching_identity
from scopa_net.commands.at_table import nobody_there
from scopa_net.commands.data_folder import kept_things
from scopa_net.commands.record_file import RecordFile
from scopa_net.commands.refusals import Failure, Refusal
from scopa_net.commands.telling import Telling
from scopa_net.events import Event
from scopa_net.home import Home
from scopa_net.rules import Variant
from scopa_net.ui.absence import Waiting, waiting_lines
from scopa_net.ui.chatting import chat_line
from scopa_net.ui.company import Company
from scopa_net.ui.json_lines import chat_object, waiting_object
from scopa_net.ui.words import changed_rules, counted

__all__ = ["watch"]

LEFT: Final = "You do not watch any more; the match goes on without you."
DESERTED: Final = "Nobody plays any more today."


def watch(
    home: Home,
    where: str | None,
    name: str,
    record: str | None,
    *,
    plain: bool,
    as_json: bool,
) -> int:
    """Follow the match of this invitation; the exit code. Raises `Refusal`."""
    invite = _invite(where)
    file = None if record is None else RecordFile.named(record)
    # Only at a terminal somebody looks around; from a pipe nothing is read.
    has_person = not as_json and _at_a_terminal()
    telling = Telling(has_person=has_person, plain=plain, as_json=as_json)
    watching = _Watching(telling)
    try:
        with kept_things():
            identity = watching_identity(home.identity(), invite)
        person = telling.person(lambda: None)
        match = WatchedMatch(identity, invite, safe_name(name), watching, person)
    except UnsafeGroup as reason:
        raise Failure(f"{reason}: no cards can be checked safely here.") from reason
    telling.leave = match.leave
    with kept_things(), nobody_there():
        ending = match.watch()
        left = DESERTED if match.deserted else LEFT
        return telling.finish(ending, file, (), left=left)


def _at_a_terminal() -> bool:
    ends = (sys.stdin, sys.stdout)
    return all(end is not None and end.isatty() for end in ends)


_NEEDED: Final = (
    "To watch you need the invitation for it, which the host's program prints, and a "
    "way to the host's computer: scopa join scopa://... --watch"
)


def _invite(where: str | None) -> Invite:
    if where is not None and looks_like_code(where):
        raise Refusal(
            f"A code is for who plays, and serves once; none is for watching. {_NEEDED}"
        )
    if where is None or not where.strip().lower().startswith(SCHEME):
        raise Refusal(f"Nobody knocks to watch. {_NEEDED}")
    try:
        return read_invite(where)
    except BadInvite as reason:
        raise Refusal(str(reason)) from reason


class _Watching:
    """See `Onlooker`."""

    def __init__(self, telling: Telling) -> None:
        self.telling = telling

    def hear(self, event: Event, company: Company) -> None:
        """See `Onlooker`."""
        self.telling.hear(event, company)

    def shuffling(self, done: int, seats: int) -> None:
        """See `Onlooker`."""
        self.telling.shuffling(done, seats)

    def watching(self, variant: Variant) -> None:
        """See `Onlooker`."""
        if self.telling.quiet:
            return
        game = f"{variant.id.capitalize()} to {counted(variant.target, 'point')}"
        self.telling.say(
            f"Watching {game} for {variant.players} players, from its first cards on."
        )
        self.telling.say(*changed_rules(variant))

    def waiting(self, waiting: Waiting) -> None:
        """See `Onlooker`."""
        self.telling.tell(waiting_object(waiting))
        if self.telling.quiet:
            return
        self.telling.say(*waiting_lines(waiting, watches=True))

    def chat(self, name: SafeText, text: SafeText) -> None:
        """See `Onlooker`."""
        self.telling.tell(chat_object(name, text))
        if not (self.telling.has_person or self.telling.quiet):
            self.telling.say(chat_line(name, text))
