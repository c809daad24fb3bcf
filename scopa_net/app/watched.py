"""A match that somebody follows without a seat: only its host is called."""

import os
from collections.abc import Callable
from typing import Protocol

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from protocol.archive import write_archive
from protocol.crypto.group import EDWARDS
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity
from protocol.hello import HostHello, Refusal, WatcherHello
from protocol.invite import Invite
from protocol.links import Link, NotReached, dial
from protocol.step import Row, Step
from protocol.text import SafeText
from scopa_net.app.contacts import Contacts, Hears, Linked, Way
from scopa_net.app.meeting import OtherRules, other_terms, program, variant_told
from scopa_net.app.running import Ending, Hear, Running
from scopa_net.notices import LinkFailed, Notice, OtherTerms
from scopa_net.rules import Variant
from scopa_net.runner import Runner
from scopa_net.ui.absence import Waiting
from scopa_net.ui.company import Company
from scopa_net.ui.decks import deck_in
from scopa_net.watching import WatchedTable, Watcher

__all__ = ["Onlooker", "WatchedMatch", "watching_identity"]

_THE_HOST = Waiting(("the host",))


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
        """The host is not there, or is there again."""
        ...


def watching_identity(own: Identity, invite: Invite) -> Identity:
    """The key with which one watches: none of a seat's, and the same every time."""
    return Identity(H("sc1.watch.key", own.seed, invite.pin, invite.ticket))


class WatchedMatch(Running):
    """The match of an invitation to watch."""

    def __init__(
        self, identity: Identity, invite: Invite, name: SafeText, told: Onlooker
    ) -> None:
        super().__init__(
            hear=told.hear, shuffling=told.shuffling, person=None, threads=1
        )
        self._stage.find_hosts()
        self._identity = identity
        self._invite = invite
        self._name = name
        self._onlooker = told
        self._waiting = Waiting()
        self._nonce = b""
        self._watcher: Watcher | None = None
        self._driver: Runner | None = None
        self._contacts = Contacts(
            self.reactor,
            identity,
            Hears(
                carry_out=self._carry_out,
                presence_changed=self._presence_changed,
                answered=self._answered,
                in_vain=self._in_vain,
            ),
        )

    def watch(self) -> Ending:
        """Follow the match to its end, or until somebody wants to leave."""
        code = self.run()
        chains = self._watcher.chains() if self._watcher else ()
        record = write_archive(chains) if any(chains) else None
        return Ending(code, record, self.failure)

    # -- see `Running` -------------------------------------------------------

    def begin(self) -> None:
        """See `Running`."""
        self._contacts.reach(self._invite.pin, [Way(self._call, patient=False)])
        self._contacts.begin()

    def table(self) -> WatchedTable | None:
        """See `Running`."""
        driver, watcher = self._driver, self._watcher
        if driver is None or watcher is None or not driver.opened:
            return None
        return watcher.table(0)

    def company(self) -> Company | None:
        """See `Running`: nobody of them is the own player."""
        table = self.table()
        if table is None or not table.seated:
            return None
        return Company(table.names, self.variant, None, deck_in(os.environ))

    def other_notice(self, notice: Notice) -> None:
        """See `Running`."""
        if isinstance(notice, LinkFailed):
            self._contacts.drop(notice.link)
        if isinstance(notice, OtherTerms):
            self.fail(Failure(other_terms(self.variant, notice.rules)))

    def before_the_end(self) -> "Deferred[None]":
        """See `Running`."""
        return self._contacts.close()

    # -- what `Hears` is told ------------------------------------------------

    def _carry_out(self, call: Callable[[Linked], Step[Notice]]) -> None:
        driver, watcher = self._driver, self._watcher
        if driver is not None and watcher is not None and not self.left:
            driver.give(lambda: call(watcher))

    def _presence_changed(self) -> None:
        now = Waiting() if self._contacts.answering else _THE_HOST
        if now != self._waiting and not (self.left or self.won):
            self._waiting = now
            self._onlooker.waiting(now)

    def _answered(self, link: Link) -> bool:
        hello = link.peer_hello
        assert isinstance(hello, HostHello)
        try:
            if self._watcher is None:
                self._begin_to_watch(hello)
            elif hello.nonce != self._nonce:
                raise OtherRules(Refusal.OTHER_TABLE.sentence)
        except OtherRules:
            self.fail(Failure())
            return False
        return True

    def _in_vain(self, _: bytes, why: NotReached, again: bool) -> None:  # noqa: FBT001
        if self._watcher is None or not again:
            self.fail(Failure(why))

    # -- inside --------------------------------------------------------------

    def _call(self) -> "Deferred[Link]":
        known = self.table() is not None
        hello = WatcherHello(
            program(), self._name, self._invite.ticket, self._nonce if known else None
        )
        return dial(self.reactor, self._invite, self._identity, hello)

    def _begin_to_watch(self, hello: HostHello) -> None:
        self.variant, self._nonce = variant_told(hello), hello.nonce
        host = self._invite.pin
        self._watcher = Watcher(EDWARDS, self.variant, hello.nonce, host)
        self._driver = self.drive(
            self._watcher, {}, b"", keep=_keep_nothing, send=self._contacts.send
        )
        self._onlooker.watching(self.variant)
        self._driver.start()


def _keep_nothing(rows: tuple[Row, ...]) -> None:
    assert not rows, "who watches has nothing to keep"
