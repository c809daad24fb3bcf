"""A machine that follows a match without a seat: what it is told, and what not."""

from collections.abc import Iterable, Sequence
from random import Random

import pytest

from protocol.archive import write_archive
from protocol.chat import Chat, sign_chat
from protocol.codec import encode
from protocol.deck import Deck
from protocol.entry import Kind
from protocol.faults import LocalProtocolError, Signed
from protocol.mesh import Mesh
from protocol.news import Sees, sign_news
from protocol.step import Step
from scopa_net.events import (
    Dealt,
    Event,
    MatchWon,
    Resigned,
    Stopped,
    TurnCame,
    Voided,
    VoidProposed,
)
from scopa_net.leaving import Word
from scopa_net.notices import (
    ChatHeard,
    LinkFailed,
    Notice,
    OtherTerms,
    Told,
    WhereaboutsKnown,
)
from scopa_net.rules import Play, find_variant
from scopa_net.rules.cards import card
from scopa_net.watching import WatchedTable, Watcher
from tests.support.forgeries import Forgery
from tests.support.matches import Played, left, played
from tests.support.small_group import SMALL

HOST = 7
"""The number of the link."""


class Looking:
    """A watcher that is sent the entries of a match in their order."""

    def __init__(self, match: Played, rules: str = "1") -> None:
        self.match = match
        variant = match.variant
        if rules != "1":
            variant = find_variant(variant.id, variant.players, {"target": rules})
        host = match.identities[match.seat_of[0]].key
        self.watcher = Watcher(SMALL, variant, match.nonce, host)
        self.notices: list[Notice] = []
        self.sent: list[bytes] = []
        self.take(self.watcher.open())
        self.take(self.watcher.connect(HOST))

    def take(self, step: Step[Notice]) -> None:
        assert step.store == ()
        self.sent += [frame.data for frame in step.send]
        self.notices += step.events
        for task in step.tasks:
            self.take(self.watcher.done(task, task.run()))

    def see(self, entries: Iterable[Signed]) -> "Looking":
        for signed in entries:
            self.take(self.watcher.receive(HOST, encode((2, *signed))))
        return self

    @property
    def events(self) -> list[Event]:
        return [one.event for one in self.notices if isinstance(one, Told)]

    @property
    def table(self) -> WatchedTable:
        found = self.watcher.table(0)
        assert found is not None
        return found


def in_order(match: Played) -> list[Signed]:
    """Number by number, as a mesh sends them."""
    longest = max(map(len, match.chains))
    return [
        chain[seq]
        for seq in range(longest)
        for chain in match.chains
        if seq < len(chain)
    ]


def without_hands(events: Sequence[Event]) -> list[Event]:
    return [
        Dealt(one.table, (), one.tallone) if isinstance(one, Dealt) else one
        for one in events
        if not isinstance(one, TurnCame)
    ]


@pytest.mark.parametrize("players", [2, 4])
def test_a_watcher_is_told_what_a_player_is_but_for_the_hand(players: int) -> None:
    match = played(players=players)
    looking = Looking(match).see(in_order(match))
    told = without_hands(looking.events)
    assert [one for one in told if not isinstance(one, Dealt)] == [
        one for one in without_hands(match.events) if not isinstance(one, Dealt)
    ]
    assert isinstance(told[-1], MatchWon)
    assert looking.watcher.finished
    assert all(one.hand == () for one in told if isinstance(one, Dealt))


def test_a_watcher_is_told_who_leaves_and_what_is_void() -> None:
    match = left()
    looking = Looking(match, "11").see(in_order(match))
    told = [type(one) for one in looking.events]
    assert {VoidProposed, Voided, Resigned} <= set(told)
    assert looking.events[-1] == match.events[-1]
    assert looking.watcher.finished
    assert not any(looking.table.can_say(word) for word in Word)
    with pytest.raises(LocalProtocolError):
        looking.watcher.say(0, Word.RESIGN)


def test_in_whatever_order_entries_come_the_record_is_the_same() -> None:
    match = played()
    entries = in_order(match)
    Random(1).shuffle(entries)
    looking = Looking(match).see(entries).see(entries)
    assert write_archive(looking.watcher.chains()) == match.record
    assert looking.watcher.finished


def test_no_card_that_is_hidden_opens_to_who_holds_all_that_was_published() -> None:
    for acts in (0, 3, 10):
        match = played(players=2, acts_max=acts)
        looking = Looking(match).see(in_order(match))
        deck = looking.table.party.judge.deck
        assert isinstance(deck, Deck)
        opened = set(deck.opened)
        complete = {at for at in range(40) if len(deck.shares_of(at)) == 2}
        assert complete <= opened
        owners = looking.table.referee.owners()
        for at, owner in enumerate(owners):
            if at not in opened:
                assert owner not in deck.shares_of(at)
        assert len(opened) == 4 + acts
        assert not any(deck.reveals)


def test_a_cheat_is_seen_and_named_by_who_watches() -> None:
    match = played(acts_max=4)
    looking = Looking(match).see(in_order(match))
    forgery = Forgery(match)
    last = forgery.entry(0, len(match.chains[0]) - 1)
    forgery.forget(last)
    forgery.add(0, Kind(last.kind), ())
    proof = (tuple(match.chains[0][-1]), tuple(forgery.chains[0][-1]))
    looking.take(looking.watcher.receive(HOST, encode((3, proof))))
    stopped = looking.events[-1]
    assert isinstance(stopped, Stopped)
    assert stopped.seat == looking.table.referee.places[0]
    assert stopped.blame in {"fork", "cheat"}


def test_terms_of_another_key_another_table_or_other_rules_are_not_followed() -> None:
    match = played(acts_max=0)
    guest = match.chains[match.seat_of[1]][0]
    looking = Looking(match).see([guest, Signed(guest.encoded, bytes(64))])
    assert looking.watcher.table(0) is None
    other = Looking(match, rules="2").see(in_order(match))
    assert other.watcher.table(0) is None
    assert isinstance(other.notices[0], OtherTerms)
    (host,) = match.chains[match.seat_of[0]][:1]
    false = Looking(match).see([Signed(host.encoded, bytes(64))])
    assert false.watcher.table(0) is None


def test_what_is_no_frame_is_the_links_fault_and_notes_are_for_seats() -> None:
    match = played(acts_max=0)
    looking = Looking(match).see(in_order(match))
    before = len(looking.notices)
    looking.take(looking.watcher.receive(HOST, encode((5, b"x", bytes(64)))))
    assert len(looking.notices) == before
    for data in (b"rubbish", encode((6, b"x", bytes(64)))):
        looking.take(looking.watcher.receive(HOST, data))
        assert isinstance(looking.notices.pop(), LinkFailed)


def test_news_and_messages_are_heard_once_the_terms_are_here() -> None:
    match = played(acts_max=0)
    seat = match.seat_of[0]
    scope = Looking(match).see(in_order(match)).table.party.judge.record.table_scope
    news = sign_news(match.identities[seat], Sees(scope, seat, 1, (1 - seat,)))
    chat = sign_chat(match.identities[seat], Chat(scope, seat, 1, "ciao"))
    early = Looking(match)
    early.take(early.watcher.receive(HOST, encode((6, *news))))
    assert early.notices == []
    looking = Looking(match).see(in_order(match))
    looking.notices.clear()
    for _ in range(2):
        looking.take(looking.watcher.receive(HOST, encode((6, *news))))
    assert looking.notices == [WhereaboutsKnown(0)]
    assert looking.watcher.hearsay is not None
    assert looking.watcher.hearsay.seen_by(seat) == (1 - seat,)
    looking.take(looking.watcher.receive(HOST, encode((7, *chat))))
    assert looking.notices[1:] == [ChatHeard(0, HOST, chat)]
    assert looking.sent == []


def test_what_who_watches_may_look_at_has_no_hand() -> None:
    match = played(acts_max=3)
    seen = Looking(match).see(in_order(match)).table.observation()
    assert (seen.seat, seen.hand, seen.legal_actions) == (None, (), ())
    assert all(hand == () for hand in seen.known_hands)
    assert len(seen.history) == 3


def test_who_comes_again_says_what_it_holds_and_a_first_time_nothing() -> None:
    match = played(acts_max=2)
    looking = Looking(match)
    assert looking.sent == []
    looking.see(in_order(match))
    looking.take(looking.watcher.disconnect(HOST))
    looking.sent.clear()
    looking.take(looking.watcher.connect(HOST + 1))
    (have,) = looking.sent
    host = Mesh()
    host.hold(looking.table.party.judge.record)
    host.connect(1)
    assert host.receive(1, have) is None
    assert host.holders() == {1}
    assert host.spread() == ()


def test_who_watches_cannot_play() -> None:
    with pytest.raises(LocalProtocolError):
        Looking(played(acts_max=0)).watcher.act(0, Play(card("7D")))
    assert (
        not Looking(played(acts_max=0)).see(in_order(played(acts_max=0))).table.to_act
    )
