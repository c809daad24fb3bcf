"""One run of ``join --watch``: a match is told, and nobody here plays in it."""

from __future__ import annotations

from typing import Final

from protocol.crypto.group import UnsafeGroup
from protocol.invite import SCHEME, BadInvite, Invite, read_invite
from protocol.text import safe_name
from scopa_net.app.watched import WatchedMatch, watching_identity
from scopa_net.commands.at_table import nobody_there
from scopa_net.commands.data_folder import kept_things
from scopa_net.commands.record_file import RecordFile
from scopa_net.commands.refusals import Failure, Refusal
from scopa_net.commands.telling import Telling
from scopa_net.events import Event
from scopa_net.home import Home
from scopa_net.rules import Variant
from scopa_net.ui.absence import Waiting
from scopa_net.ui.company import Company
from scopa_net.ui.json_lines import waiting_object
from scopa_net.ui.words import and_list, changed_rules, counted

__all__ = ["watch"]

LEFT: Final = "You do not watch any more; the match goes on without you."


def watch(
    home: Home, where: str | None, name: str, *, record: str | None, as_json: bool
) -> int:
    """Follow the match of this invitation; the exit code. Raises `Refusal`."""
    invite = _invite(where)
    file = None if record is None else RecordFile.named(record)
    watching = _Watching(Telling(has_person=False, plain=True, as_json=as_json))
    try:
        with kept_things():
            identity = watching_identity(home.identity(), invite)
        match = WatchedMatch(identity, invite, safe_name(name), watching)
    except UnsafeGroup as reason:
        raise Failure(f"{reason}: no cards can be checked safely here.") from reason
    watching.telling.leave = match.leave
    with kept_things(), nobody_there():
        return watching.telling.finish(match.watch(), file, (), left=LEFT)


def _invite(where: str | None) -> Invite:
    if where is None or not where.strip().lower().startswith(SCHEME):
        raise Refusal(
            "To watch you need the invitation for it, which the host's program prints: "
            "scopa join scopa://... --watch"
        )
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
        self.telling.say(f"Watching {game} for {variant.players} players.")
        self.telling.say(*changed_rules(variant))

    def waiting(self, waiting: Waiting) -> None:
        """See `Onlooker`."""
        self.telling.tell(waiting_object(waiting))
        if self.telling.quiet:
            return
        if waiting.over:
            self.telling.say("The host is there.")
        else:
            self.telling.say(f"Waiting for {and_list(waiting.names)}.")
