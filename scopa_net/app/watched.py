"""A match that somebody follows without a seat, by one link to one of its seats."""

import os
from collections.abc import Callable
from typing import Protocol

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from protocol.archive import write_archive
from protocol.crypto.group import EDWARDS
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity
from protocol.hello import HostHello, Refusal
from protocol.invite import Invite
from protocol.links import Link, NotReached
from protocol.step import Row, Step
from protocol.text import SafeText
from protocol.whereabouts import Hearsay
from scopa_net.app.contacts import Hears, Linked
from scopa_net.app.following import Following
from scopa_net.app.meeting import Meeting, OtherRules, other_terms, variant_told
from scopa_net.app.presence import WatchedPresence
from scopa_net.app.running import OWN, Chair, Ending, Hear, Person, Running
from scopa_net.app.talk import Talk
from scopa_net.events import DealStarted, Event
from scopa_net.exits import Exit
from scopa_net.notices import (
    ChatHeard,
    LinkFailed,
    Notice,
    OtherTerms,
    WhereaboutsKnown,
)
from scopa_net.rules import Variant
from scopa_net.runner import Runner
from scopa_net.ui.absence import Waiting
from scopa_net.ui.company import Company
from scopa_net.ui.decks import deck_in
from scopa_net.watching import WatchedTable, Watcher

__all__ = ["Onlooker", "WatchedMatch", "watching_identity"]


class Onlooker(Protocol):
    """Who is told how a match goes that is only watched."""

    @property
    def hear(self) -> Hear:
        """What everybody sees."""
        ...

    def shuffling(self, done: int, seats: int) -> None:
        """So many of the seats have shuffled the cards that are waited for."""
        ...

    def watching(self, variant: Variant) -> None:
        """The host has let us in; this is played."""
        ...

    def waiting(self, waiting: Waiting) -> None:
        """These are not there, as far as those say who are; or they are there again."""
        ...

    def chat(self, name: SafeText, text: SafeText) -> None:
        """A player has written this; a person here reads it otherwise."""
        ...


def watching_identity(own: Identity, invite: Invite) -> Identity:
    """The key with which one watches: none of a seat's, and the same every time."""
    return Identity(H("sc1.watch.key", own.seed, invite.pin, invite.ticket))


class WatchedMatch(Running):
    """The match of an invitation to watch; a `person` may look around and leave."""

    watches = True

    def __init__(
        self,
        identity: Identity,
        invite: Invite,
        name: SafeText,
        told: Onlooker,
        person: Person | None,
    ) -> None:
        super().__init__(
            hear=told.hear, shuffling=told.shuffling, person=person, threads=1
        )
        self._stage.find_hosts()
        self._invite = invite
        self._name = name
        self._onlooker = told
        self.meeting: Meeting | None = None
        self._watcher: Watcher | None = None
        self._driver: Runner | None = None
        hears = Hears(
            carry_out=self._carry_out,
            presence_changed=self._presence_changed,
            answered=self._answered,
            in_vain=self._in_vain,
        )
        self._following = Following(self.reactor, identity, invite, name, hears)
        contacts = self._following.contacts
        self._presence = WatchedPresence(
            self.reactor, self, contacts, self._tell_who_is_there
        )
        self.call_again = self._presence.call_again
        self.chats = self._talk = Talk(
            self.reactor,
            identity,
            self.table,
            pass_on=lambda *_: None,
            drop=contacts.drop,
            tells=told,
            show=self.hear_chat,
        )

    def watch(self) -> Ending:
        """Follow the match to its end, or until somebody wants to leave."""
        code = self.run()
        chains = self._watcher.chains() if self._watcher else ()
        record = write_archive(chains) if any(chains) else None
        return Ending(code, record, self.failure)

    @property
    def deserted(self) -> bool:
        """Whether somebody has left for today, and nobody is there any more."""
        table = self.table()
        if table is None or self._following.contacts.answering:
            return False
        return bool(table.party.judge.course.leaving.away)

    # -- see `Running` -------------------------------------------------------

    def begin(self) -> None:
        """See `Running`."""
        self._following.begin()

    def table(self) -> WatchedTable | None:
        """See `Running`."""
        driver, watcher = self._driver, self._watcher
        if driver is None or watcher is None or not driver.opened:
            return None
        return watcher.table(OWN)

    def company(self) -> Company | None:
        """See `Running`: nobody of them is the own player."""
        table = self.table()
        if table is None or not table.seated:
            return None
        return Company(table.names, self.variant, None, deck_in(os.environ))

    def told(self, event: Event) -> None:
        """See `Running`."""
        self.show()
        if isinstance(event, DealStarted):
            # Now it can be told on the screen who is there.
            self._presence.changed()

    def other_notice(self, notice: Notice) -> None:
        """See `Running`."""
        if isinstance(notice, LinkFailed):
            self._following.contacts.drop(notice.link)
        if isinstance(notice, OtherTerms):
            self.fail(Failure(other_terms(self.variant, notice.rules)))
        if isinstance(notice, ChatHeard):
            self._talk.heard(notice)
        if isinstance(notice, WhereaboutsKnown):
            self._learn_who_sits_there()

    def before_the_end(self) -> "Deferred[None]":
        """See `Running`."""
        return self._following.contacts.close()

    # -- see `Sitting` -------------------------------------------------------

    @property
    def nobody_needed(self) -> bool:
        """See `Sitting`."""
        return self.won

    @property
    def whereabouts(self) -> Hearsay | None:
        """See `Sitting`."""
        return None if self._watcher is None else self._watcher.hearsay

    # -- what `Hears` is told ------------------------------------------------

    def _carry_out(self, call: Callable[[Linked], Step[Notice]]) -> None:
        driver, watcher = self._driver, self._watcher
        if driver is not None and watcher is not None and not self.left:
            driver.give(lambda: call(watcher))

    def _presence_changed(self) -> None:
        self._presence.changed()

    def _tell_who_is_there(self, waiting: Waiting) -> None:
        """Where no person sits, nobody waits for those who have left for today."""
        self._onlooker.waiting(waiting)
        if self.deserted and self._person is None:
            self.leave(Exit.DONE)

    def _answered(self, link: Link) -> bool:
        hello = link.peer_hello
        assert isinstance(hello, HostHello)
        try:
            if self.meeting is None:
                self._begin_to_watch(hello)
            elif hello.nonce != self.meeting.nonce:
                raise OtherRules(Refusal.OTHER_TABLE.sentence)
        except OtherRules:
            self.fail(Failure())
            return False
        return True

    def _in_vain(self, _: bytes, why: NotReached, again: bool) -> None:  # noqa: FBT001
        if self._watcher is None or not again:
            self.fail(Failure(why))

    # -- inside --------------------------------------------------------------

    def _begin_to_watch(self, hello: HostHello) -> None:
        self.variant, host = variant_told(hello), self._invite.pin
        self.meeting = Meeting(
            hello.nonce, self.variant, str(self._name), host, invite=self._invite
        )
        self._watcher = Watcher(EDWARDS, self.variant, hello.nonce, host)
        self._driver = self.drive(
            self._watcher,
            {} if self._person is None else {OWN: Chair(str(self._name), None)},
            b"",
            keep=_keep_nothing,
            send=self._following.contacts.send,
        )
        self._onlooker.watching(self.variant)
        self._driver.start()

    def _learn_who_sits_there(self) -> None:
        table, hearsay = self.table(), self.whereabouts
        if table is not None and hearsay is not None and self.meeting is not None:
            self._following.seated(self.meeting, table.party.judge.record.keys, hearsay)
            self._presence.changed()


def _keep_nothing(rows: tuple[Row, ...]) -> None:
    assert not rows, "who watches has nothing to keep"
