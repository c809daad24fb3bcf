"""A match whose other seats are other programs: hosted, joined, or gone on with."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from twisted.internet.defer import CancelledError, Deferred, DeferredList
from twisted.python.failure import Failure

from protocol.codes import Servers
from protocol.crypto.group import EDWARDS
from protocol.crypto.identity import Identity
from protocol.faults import Signed
from protocol.hello import HostHello, Refusal
from protocol.invite import Invite
from protocol.links import End, Link, NotReached
from protocol.party import Secrets
from protocol.step import Row, Step
from protocol.store import StoreProblem
from protocol.text import SafeText
from protocol.whereabouts import Whereabouts
from scopa_net.app.audience import Audience
from scopa_net.app.carrying import CarriedScore
from scopa_net.app.contacts import Contacts, Hears
from scopa_net.app.gallery import Gallery
from scopa_net.app.goodbye import FOR_GOOD, NOTED, ON_PURPOSE, goes_too, is_the_end
from scopa_net.app.hosting import Host, Hosting
from scopa_net.app.introductions import Introductions, NotWhoYouKnow
from scopa_net.app.keeping import Keeping, record_of, summary_of
from scopa_net.app.lan_way import lan_way
from scopa_net.app.meeting import (
    Meeting,
    OtherRules,
    check_wanted,
    match_of,
    new_table,
    other_terms,
    read_meeting,
    read_places,
    variant_told,
)
from scopa_net.app.neighbours import Neighbours
from scopa_net.app.one_seat import OneSeat
from scopa_net.app.presence import Presence
from scopa_net.app.readiness import Gatherer, Readiness
from scopa_net.app.remote import Remote
from scopa_net.app.running import OWN, Chair, Ending, Person, Running
from scopa_net.app.talk import Talk
from scopa_net.app.uninvited import Come, Uninvited
from scopa_net.app.watchers import Watchers
from scopa_net.app.wishes import SEAT_FORGOTTEN, Wishes, check_side, no_place
from scopa_net.bots import Bot
from scopa_net.events import DealStarted, Event
from scopa_net.exits import Exit
from scopa_net.home import Home, HomeProblem
from scopa_net.leaving import Word
from scopa_net.notices import (
    ChatHeard,
    Forgotten,
    LinkFailed,
    NoPlace,
    Notice,
    OtherTerms,
    RoomChanged,
    WhereaboutsKnown,
)
from scopa_net.rules import Variant
from scopa_net.runner import Runner
from scopa_net.seat import Seat
from scopa_net.table import Table
from scopa_net.ui.company import Company

__all__ = ["NetworkMatch"]

LINGER_S = 12.0
"""How long a match that is won waits until everybody holds all of it."""


class NetworkMatch(Running):
    """The own seat at a table whose others are reached by links.

    One of `host`, `join` and `resume` says which table, and then `play` plays.
    """

    kept = True

    def __init__(
        self, home: Home, bot: Bot | None, audience: Audience, person: Person | None
    ) -> None:
        super().__init__(
            hear=audience.hear, shuffling=audience.shuffling, person=person, threads=2
        )
        self._stage.find_hosts()
        self._home = home
        self._bot = bot
        self._audience = audience
        self._identity = home.identity()
        hears = Hears(
            carry_out=self._carry_out,
            presence_changed=self._presence_changed,
            answered=self._answered,
            in_vain=self._in_vain,
        )
        self._contacts = Contacts(self.reactor, self._identity, hears)
        self._neighbours = Neighbours(
            self.reactor,
            self._identity,
            self._contacts,
            carry_out=self._carry_out,
            keep=self._keep_facts,
        )
        self._presence = Presence(self.reactor, self, self._contacts, audience.waiting)
        self.call_again = self._presence.call_again
        self._introductions = (
            None
            if person is None
            else Introductions(
                home, self._identity.key, self.questions, audience.introduced
            )
        )
        self._readiness = self._begin_to_gather()
        self._keeping = Keeping(home)
        self._meeting: Meeting | None = None
        self._machine: OneSeat | None = None
        self._driver: Runner | None = None
        self._invited: Invite | None = None
        self._wishes = Wishes("")
        self._uninvited: Uninvited | None = None
        self._hosting: Hosting | None = None
        # Whether others wait at the own table, or terms may name the own seat.
        self._needed = True
        self._remote = Remote(self.reactor, self._identity, self._contacts, audience)
        self._watchers, self._gallery = self._begin_to_be_watched()
        self.chats = self._talk = self._begin_to_talk()
        on_lan = partial(lan_way, self.reactor, self._identity)
        self._neighbours.find_ways += [on_lan, self._remote.way]

    # -- which table ---------------------------------------------------------

    def host(
        self,
        variant: Variant,
        address: tuple[str, int],
        wishes: Wishes,
        *,
        announced: bool = False,
        servers: Servers | None = None,
        bots: tuple[str, ...] = (),
    ) -> None:
        """Listen for the players of a new match; raises `NotListening`.

        Some of them are `bots` of the own player's, as they are asked for.
        """
        self._remote.use(servers)
        meeting = replace(
            new_table(variant, address, wishes.name, self._identity.key),
            announced=announced,
            servers=servers,
            side=self._score(variant).side() if variant.carried else wishes.side,
            bots=bots,
        )
        meeting = self._listen_at(meeting)
        self._keeping.begin(self._identity, meeting)
        self._sit_down(meeting)

    def join(self, invite: Invite, wishes: Wishes) -> None:
        """Call the host of `invite`; a match that was begun with it goes on.

        If the host's table is none of those wished for, nobody sits down.
        """
        self._wishes = wishes
        match = self._keeping.begun_with(match_of(self._identity, invite))
        if match is not None:
            self.resume(match)
            return
        self._invited = invite
        self._neighbours.call_host(invite, None)

    def join_by_code(self, code: str, servers: Servers, wishes: Wishes) -> None:
        """As `join`, by the invitation that is told to who enters this code."""
        self._wishes = wishes
        self._remote.use(servers)
        self._remote.enter(code)

    def come(self, uninvited: Uninvited, wishes: Wishes) -> None:
        """Sit down where somebody lets us in who has not invited us; else as `join`."""
        self._wishes = wishes
        self._uninvited = uninvited

    def resume(self, match: str) -> None:
        """Go on with a match that is kept, or with what is left of it.

        Raises `NotListening`, `NoMeeting`.
        """
        aside = self._keeping.go_on(match)
        if aside is not None:
            self._audience.rescued(aside)
        self._go_on()

    # -- playing -------------------------------------------------------------

    def play(self) -> Ending:
        """Run the match to its end, or until somebody wants to leave."""
        code = self.run()
        record = self._record()
        if code in ON_PURPOSE and not self._needed:
            self._keeping.abandon()
        self._keeping.close()
        done = self._keeping.finish(self.table(), record)
        machine = self._machine
        if done and machine and machine.finished and machine.held_by_all:
            self._keeping.discard()
        kept, gone = self._keeping.kept, self._keeping.abandoned
        return Ending(code, record, self.failure, kept, not done, gone)

    def end(self, code: int) -> None:
        """See `Running`: the record is kept now, however long the player looks."""
        try:
            self._keeping.finish(self.table(), self._record())
        except HomeProblem:
            self.fail(Failure())
            return
        super().end(code)

    def _record(self) -> bytes | None:
        if self._machine is None or self.table() is None:
            return None
        return record_of(self._machine.seat)

    @property
    def scores(self) -> tuple[int, ...]:
        """Of the finished deals."""
        table = self.table()
        return () if table is None else summary_of(table).scores

    # -- see `Running` -------------------------------------------------------

    def begin(self) -> None:
        """See `Running`."""
        if self._driver is not None:
            self._begin_to_play()
        self._contacts.begin()
        self._remote.begin(self._told).addErrback(self._not_let_in)
        if self._uninvited is not None:
            came = self._uninvited.begin(self.reactor, self._identity, self.questions)
            came.addCallback(self._let_in).addErrback(self._not_let_in)

    def table(self) -> Table | None:
        """See `Running`."""
        return None if self._driver is None else self._driver.table(OWN)

    def told(self, event: Event) -> None:
        """See `Running`."""
        self._readiness.give_up()
        self.show()
        if isinstance(event, DealStarted):
            self._presence.changed()
            self._remember_others()
        if isinstance(event, NOTED):
            self._keeping.tell_lists(self.table())
        if self._bot is not None and goes_too(event, self.table()):
            self.say(Word.ADJOURN)
        if is_the_end(event, self.table()) and not self._keeping.again:
            # Who goes on with a match that is over does so for the others' sake.
            self.reactor.callLater(LINGER_S, self._let_go)

    def other_notice(self, notice: Notice) -> None:
        """See `Running`."""
        if isinstance(notice, LinkFailed):
            self._contacts.drop(notice.link)
        if isinstance(notice, ChatHeard):
            self._talk.heard(notice)
        if isinstance(notice, WhereaboutsKnown):
            self._learn_who_sits_here()
        if isinstance(notice, OtherTerms):
            self._keeping.forget()
            self.fail(Failure(other_terms(self.variant, notice.rules)))
        if isinstance(notice, RoomChanged):
            assert self.meeting is not None
            self._readiness.room_changed(notice.room, self.meeting)
        if isinstance(notice, NoPlace | Forgotten):
            self._keeping.abandon()
        if isinstance(notice, NoPlace):
            carried = self.variant.carried is not None
            why = no_place(notice.why, self._wishes.side, carried=carried)
            self._refused(Failure(why))
        if isinstance(notice, Forgotten):
            self._refused(Failure(OtherRules(SEAT_FORGOTTEN)))

    def before_the_end(self) -> "Deferred[None]":
        """See `Running`: what was sent is to arrive."""
        if self._hosting is not None:
            self._needed = bool(self._hosting.meeting.guests)
        elif self._machine is not None and not self._keeping.again:
            self._needed = self._machine.seat.gathering.was_ready
        self._neighbours.close()
        self._watchers.close()
        waits = [self._contacts.close(), self._gallery.close(), self._remote.close()]
        if self._hosting is not None:
            waits += self._hosting.close()
        if self._uninvited is not None:
            waits.append(self._uninvited.close())
        gone: Deferred[None] = Deferred()
        DeferredList(waits, consumeErrors=True).addBoth(lambda _: gone.callback(None))
        return gone

    # -- see `Sitting` -------------------------------------------------------

    @property
    def meeting(self) -> Meeting | None:
        """See `Sitting`; a host's as it is now that these guests were let in."""
        return self._meeting if self._hosting is None else self._hosting.meeting

    @property
    def nobody_needed(self) -> bool:
        """See `Sitting`: who goes on with a match that is won does so for others."""
        return self.won and not self._keeping.again

    @property
    def whereabouts(self) -> Whereabouts | None:
        """See `Sitting`."""
        return None if self._machine is None else self._machine.seat.whereabouts

    # -- what `Hears` is told -------------------------------------------------

    def _carry_out(self, call: Callable[[OneSeat], Step[Notice]]) -> None:
        """See `Hears`."""
        machine, driver = self._machine, self._driver
        if machine is None or driver is None or self.left:
            return
        driver.give(lambda: call(machine))
        self._gallery.changed()

    def _presence_changed(self) -> None:
        """See `Hears`."""
        if self._driver is None or self._driver.opened:
            self._neighbours.heard()
            self._presence.changed()
            if self._hosting is not None:
                self._hosting.presence_changed()

    def _answered(self, link: Link) -> bool:
        """See `Hears`: whose table is not known yet tells us of it."""
        self._remote.reached(link)
        try:
            self._sit_where_told(link)
        except (OtherRules, HomeProblem, StoreProblem):
            if not self._neighbours.others_are_here:
                self.fail(Failure())
            return False
        return True

    def _in_vain(self, _: bytes, why: NotReached, again: bool) -> None:  # noqa: FBT001
        """See `Hears`."""
        if self._remote.undecided:
            return
        if not (again or self._neighbours.others_are_here) or self.meeting is None:
            if why.refusal in FOR_GOOD:
                self._keeping.abandon()
            if self.table() is None:
                self._keeping.forget()
            self.fail(Failure(why))

    def _begin_to_be_watched(self) -> tuple[Watchers, Gallery]:
        watchers = Watchers(self.reactor, self._audience.watched, self.hear_chat)
        gallery = self._neighbours.gallery = Gallery(self.reactor, self, self._watched)
        return watchers, gallery

    def _begin_to_gather(self) -> Readiness:
        gatherer = Gatherer(
            own=self._identity.key,
            questions=self.questions,
            audience=self._audience,
            introductions=self._introductions,
            score=self._score,
            carry_out=self._carry_out,
            refuse=self._refused,
            leave=lambda: self.leave(Exit.DONE),
        )
        return Readiness(gatherer)

    def _begin_to_talk(self) -> Talk:
        return Talk(
            self.reactor,
            self._identity,
            self.table,
            pass_on=self._pass_on,
            drop=self._contacts.drop,
            tells=self._audience,
            show=self.hear_chat,
        )

    def _pass_on(self, chat: Signed, came_on: int | None) -> None:
        self._carry_out(lambda machine: machine.pass_on(chat, came_on))
        self._gallery.pass_on(chat)

    # -- sitting down --------------------------------------------------------

    def _go_on(self) -> None:
        store = self._keeping.store
        assert store is not None
        meeting = read_meeting(store.facts())
        self._remote.use(meeting.servers)
        if meeting.hosting:
            meeting = self._listen_at(meeting)
        entries = tuple(row.entry for row in store.entries())
        self._sit_down(meeting, entries)
        if meeting.invite is not None:
            self._neighbours.call_host(meeting.invite, meeting.nonce)
        self._remote.seek(meeting)

    def _sit_down(self, meeting: Meeting, entries: tuple[Signed, ...] = ()) -> None:
        """The seat's machine, from what its store holds."""
        store, again = self._keeping.store, self._keeping.again
        assert store is not None
        self._meeting = meeting
        variant = self.variant = meeting.variant
        kept = {row.name: row.value for row in store.secrets()}
        own = Secrets(Identity(kept["identity"]), kept["master"], kept["coin"])
        nonce, name = meeting.nonce, meeting.name
        host, side = meeting.host, meeting.side
        seat = Seat(EDWARDS, own, variant, nonce, name=name, host=host, side=side)
        seat.gathering.hesitant = self._readiness.hesitates(variant)
        if meeting.hosting and variant.carried:
            seat.gathering.bound = self._score(variant).sides()
        self._machine = OneSeat(
            seat,
            entries,
            secrets.token_bytes(32) if again else None,
            key_of=self._contacts.key_of,
            waits_for=self._presence.who_must_hold,
            news=read_places(store.facts()) if again else (),
        )
        self._driver = self.drive(
            self._machine,
            {OWN: Chair(name, self._bot)},
            kept["luck"],
            keep=self._keep_rows,
            send=self._contacts.send,
        )
        self._audience.sitting(self._keeping.match, variant, side=side, again=again)

    def _keep_rows(self, rows: tuple[Row, ...]) -> None:
        assert self._keeping.store is not None
        self._keeping.store.commit(rows)
        self._gallery.changed()

    def _begin_to_play(self) -> None:
        meeting = self.meeting
        assert meeting is not None
        if not meeting.hosting:
            self._open(self._presence.changed)
            return
        self._neighbours.listen_as(meeting)
        codes = self._remote.codes_for(meeting, later=self._keeping.again)
        codes.addCallback(self._tell_where).addErrback(self._refused)

    def _tell_where(self, codes: tuple[str, ...]) -> None:
        assert self._hosting is not None
        self._hosting.tell_where(codes)
        self._open(self._presence.tell)

    def _open(self, tell: Callable[[], None]) -> None:
        assert self._driver is not None

        def opened(_: object) -> None:
            self._learn_who_sits_here()
            if self._hosting is not None:
                self._hosting.opened()
            tell()
            asked = self._readiness.is_asked_for(self.variant.players)
            if self.table() is None and asked:
                self._readiness.ask()

        self._driver.start().addCallback(opened)

    def _learn_who_sits_here(self) -> None:
        table, known = self.table(), self.whereabouts
        if table is None or known is None or self.left:
            return
        assert self.meeting is not None
        keys = table.party.judge.course.terms.keys
        self._watchers.elsewhere(known.watchers)
        self._neighbours.seated(self.meeting, keys, known)
        self._presence.changed()

    # -- a host --------------------------------------------------------------

    def _listen_at(self, meeting: Meeting) -> Meeting:
        host = Host(
            reactor=self.reactor,
            identity=self._identity,
            person=self._person,
            questions=self.questions,
            audience=self._audience,
            contacts=self._contacts,
            gallery=self._gallery,
            remote=self._remote,
            keeping=self._keeping,
            table=self.table,
            fail=self.fail,
        )
        self._hosting = Hosting(host, meeting)
        self._hosting.listen()
        return self._hosting.meeting

    def _watched(self, names: tuple[SafeText, ...]) -> None:
        self._watchers.here(names)
        self._carry_out(lambda machine: machine.watched(names))

    # -- a guest -------------------------------------------------------------

    def _told(self, invite: Invite) -> None:
        """The host has told its invitation to who entered its code."""
        self.join(invite, self._wishes)
        if self._driver is None:
            self._remote.follow(invite)
        else:
            self._begin_to_play()

    def _let_in(self, come: Come) -> None:
        """Go on as if this had been an invitation."""
        self._keeping.own = match_of(self._identity, come.invite)
        self._invited = come.invite
        if not self._answered(come.link):
            come.link.abort(End.CLOSED)
            return
        self._contacts.take(come.link)
        self._neighbours.call_host(come.invite, None)

    def _not_let_in(self, failure: Failure) -> None:
        if failure.check(CancelledError) is None:
            self.fail(failure)

    def _sit_where_told(self, link: Link) -> None:
        """Sit down at the table of who has answered; raises `OtherRules`."""
        hello = link.peer_hello
        assert isinstance(hello, HostHello)
        if self.meeting is None:
            invite, wishes = self._invited, self._wishes
            assert invite is not None
            there = variant_told(hello)
            check_wanted(wishes.variant, there)
            check_side(wishes.side, there)
            side = self._score(there).side() if there.carried else wishes.side
            meeting = Meeting(hello.nonce, there, wishes.name, invite.pin)
            meeting = replace(meeting, invite=invite, side=side)
            meeting = self._remote.told(meeting, hello.servers, wishes.agrees)
            self._keeping.begin(self._identity, meeting)
            self._sit_down(meeting)
            self._begin_to_play()
            self._remote.seek(meeting)
        elif self.meeting.nonce != hello.nonce:
            raise OtherRules(Refusal.OTHER_TABLE.sentence)

    # -- who the others are --------------------------------------------------

    def company(self) -> Company | None:
        """See `Running`: with the words of those who are new."""
        company, table = super().company(), self.table()
        if company is None or table is None or self._introductions is None:
            return company
        return replace(company, words=self._introductions.words_at(table))

    def _refused(self, failure: Failure) -> None:
        if failure.check(NotWhoYouKnow, NotReached, OtherRules):
            self._keeping.forget()
        self.fail(failure)

    def _score(self, variant: Variant) -> CarriedScore:
        return CarriedScore(self._home, self._identity.key, variant)

    def _remember_others(self) -> None:
        table = self.table()
        if self._introductions is not None and table is not None:
            self._introductions.remember(table.party.judge.course.terms)

    # -- inside --------------------------------------------------------------

    def _keep_facts(self, facts: Mapping[str, bytes]) -> None:
        """Keep what helps to meet again; raises nothing."""
        if self.left:
            return
        try:
            self._keeping.note(facts)
        except StoreProblem:
            self.fail(Failure())

    def _let_go(self) -> None:
        """Everybody had time enough; what is not confirmed is kept to go on with."""
        if self._machine is None or self.left:
            return
        self._machine.let_go = True
        if self._machine.finished:
            self._carry_out(lambda _: Step())
        else:
            self.end(Exit.DONE)
            if not self.won:
                self.leave(Exit.DONE)
