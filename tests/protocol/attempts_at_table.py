"""Attacks with entries, and by liars that only one check knows."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

import pytest

from protocol.codec import Value
from protocol.crypto.group import Point
from protocol.crypto.shuffle import value_points
from protocol.entry import Entry, Kind
from protocol.faults import Signed
from protocol.judge import Findings
from protocol.shuffling import Shuffling
from tests.protocol.outcomes import (
    BELIEVED,
    LIARS,
    PROOF_OF_SHARES,
    PROOF_OF_SHUFFLE,
    Outcome,
    found_at,
    found_by,
    lied,
    shares_believed,
)
from tests.protocol.test_malice_endings import highest_first
from tests.protocol.test_resumption_attacks import (
    all_entries,
    before,
    chain_of,
    circle_of,
    given,
    signed_by,
)
from tests.simulation.lying_seats import LyingWires
from tests.support.forgeries import sign
from tests.support.hasty_liars import SharesTheNextDeckEarly
from tests.support.liars import PutsInNoCard
from tests.support.malice import Company, Forged, Liar, declare_first, play_in_order
from tests.support.parties import Circle
from tests.support.restarts import Mortal
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening


def offered(change: Callable[[Mortal, Entry], Signed], **named: int) -> Outcome:
    """What a judge that holds a match makes of an entry besides."""
    circle = circle_of(2, **named)
    last = chain_of(circle, 0)[-1]
    judge = given(circle, before(circle, last))
    counts = judge.record.counts()
    findings = judge.receive(change(circle, last))
    fault = findings.link_fault
    return (
        fault and fault.reason,
        found_by(judge),
        judge.record.counts() == counts,
        judge.record.waiting(),
    )


def proved(change: Callable[[Mortal, Entry, Entry], tuple[Signed, ...]]) -> Outcome:
    """What a judge makes of what is said to prove a fault of an honest seat."""
    circle = circle_of(2)
    chain = chain_of(circle, 0)
    judge = given(circle, all_entries(circle))
    judge.prove(change(circle, chain[2], chain[3]))
    return found_by(judge)


def by_another(circle: Mortal, entry: Entry) -> Signed:
    """An entry of seat 0 that seat 1 has signed."""
    identity = circle.parties[1]._secrets.identity
    return Signed(entry.signed.encoded, identity.sign(b"something else"))


def resigned(circle: Mortal, entry: Entry, **changed: Any) -> Signed:
    identity = circle.parties[0]._secrets.identity
    return sign(identity, replace(entry, **changed))


def pair_of(circle: Mortal, first: Entry, second: Entry, **changed: Any) -> Any:
    return first.signed, resigned(circle, first, **changed)


def forged_pair(circle: Mortal, first: Entry, second: Entry) -> tuple[Signed, ...]:
    """What an honest seat has signed, and what somebody else has."""
    other = replace(first, body=(0, bytes(32)))
    false = resigned(circle, other)
    return first.signed, Signed(false.encoded, bytes(64))


def declared(liar: type[Liar]) -> Outcome:
    """What a liar came to at a table where hands are shown."""
    table = Company(toy_opening(), liar, at=1, seats=2, positions=7)
    table.play(declare_first, steps_max=5_000)
    return found_at(table)


class DeclaresWithoutAShare(Liar):
    """Shows two cards and opens one."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.ACT:
            return None
        number, positions, parts, *rest = cast("Any", body)
        return kind, (number, positions, parts[:-1], *rest)


class IsReadyForADeckThatIsNeverDealt(Liar):
    """Says what the next deck is for when the match is over."""

    def _owed_deck(self, made: Shuffling, plan: bytes) -> Findings | None:
        late = made.number == 1 and made.keyed
        return None if late else super()._owed_deck(made, plan)

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (Kind.READY, (1, bytes(32))) if kind is Kind.REVEAL else None


class SignsOtherTerms(Liar):
    """Signs under the agreed terms what says that another game is played."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.TABLE:
            return None
        return kind, ("another", *cast("Any", body)[1:])


class SharesOfNoDeck(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHARES:
            return None
        return kind, (9, *cast("Any", body)[1:])


class GivesAKeyOfNoDeck(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.KEY:
            return None
        return kind, (9, *cast("Any", body)[1:])


class CommitsToNothing(Liar):
    """Signs a commitment with nothing in it while a deal is played."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (Kind.COMMIT, None) if kind is Kind.ACT else None


class ActsOnTheNextDeck(SharesTheNextDeckEarly):
    def moment(self) -> Forged | None:
        shares = super().moment()
        if shares is None:
            return None
        _, body = self.act_on(self.dealt.owned_by(self.seat)[0])
        return Kind.ACT, (1, *cast("Any", body)[1:])


class TurnsTheTableCard(Liar):
    """Gives a share under which the table card is another one."""

    goes_on = True

    def _owed_shares(self) -> Findings | None:
        deck = self.judge.deck
        others = len(deck.share_entries) if deck else 0
        return super()._owed_shares() if others or self.lied else None

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHARES:
            return None
        number, dealt, parts, proof = cast("Any", body)
        given = list(self.dealt.shares_of(0).values())
        value = self.dealt.value_of(0, [*given, Point(parts[0])])
        points = value_points(SMALL, self.dealt.game.positions)
        assert value is not None
        turned = SMALL.sub(points[value], points[value - 1])
        false = SMALL.add(Point(parts[0]), turned).encoded
        return kind, (number, dealt, (false, *parts[1:]), proof)


class PlaysOnASpoiledDeck(PutsInNoCard):
    """Plays a good card when another has shown that the deck is spoiled."""

    played_on = False

    def _owed_reveal(self) -> Findings | None:
        return None

    def _owed(self) -> Findings | None:
        deck = self.judge.deck
        if self.played_on:
            return None
        owed = super()._owed()
        if owed is not None or deck is None or not deck.lost:
            return owed
        if deck.game.turn() != self.seat:
            return None
        self.played_on = True
        entry = self.signed(*self.act_on(deck.owned_by(self.seat)[-1]))
        return Findings(added=(entry,))


class PlaysACardUnseen(Liar):
    """Plays a card that it was dealt before the others have opened it to it."""

    def moment(self) -> Forged | None:
        deck = self.judge.deck
        if deck is None or not deck.acts or deck.game.turn() != self.seat:
            return None
        unseen = [at for at in deck.owned_by(self.seat) if at not in self.cards()]
        return self.act_on(unseen[0]) if unseen else None


def unseen() -> Outcome:
    """At a game that deals hands anew: the toy game never asks for such a card."""
    found: list[object] = []
    for seats, at in ((2, 0), (2, 1), (3, 0), (3, 1), (3, 2)):
        wires = LyingWires(seats, at, PlaysACardUnseen)
        found += [[(f.seat, f.reason) for f in wires.faults(n)] for n in wires.honest]
    return found


def spoiled_and_played_on() -> Outcome:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(PROOF_OF_SHUFFLE, lambda *_: True)
        found = []
        for seed in range(6):
            table = Company(toy_opening(), PlaysOnASpoiledDeck, positions=7, seed=seed)
            table.play(play_in_order)
            found.append(found_at(table))
        return found


def early_coin() -> Outcome:
    """A coin, seen by who holds no terms of the others yet."""
    circle = Circle(toy_opening(), positions=7)
    party = circle.parties[0]
    table = chain_of(circle, 0)[0]
    coin = party.judge.record.write(
        party._secrets.identity, 0, Kind.COIN, (party._secrets.coin,)
    )
    judge = given(circle, [table.signed, coin.signed])
    return found_by(judge)


def fork_before_the_table_is_known() -> Outcome:
    circle = circle_of(2)
    entry = chain_of(circle, 0)[2]
    other = signed_by(circle, replace(entry, body=(0, bytes(32))))
    judge = given(circle, [entry.signed, other.signed, *all_entries(circle)])
    return found_by(judge)


def pair_far_ahead() -> Outcome:
    """A fork beyond all that is held, of which no part is kept."""
    circle = circle_of(2)
    judge = given(circle, all_entries(circle))
    last = chain_of(circle, 0)[-1]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("protocol.held.HELD_MAX", 4)
        for more in range(2, 8):
            judge.receive(resigned(circle, last, seq=last.seq + more))
        far = last.seq + 100
        pair = [
            resigned(circle, last, seq=far, body=(0, bytes((at,)))) for at in (1, 2)
        ]
        judge.prove(pair)
    return found_by(judge)


def never_dealt() -> Outcome:
    opening = toy_opening(deals=2, ends_early=True)
    liar = IsReadyForADeckThatIsNeverDealt
    table = Company(opening, liar, at=1, seats=2, positions=7)
    table.play(play_in_order, steps_max=5_000)
    return found_at(table)


def past_its_proof(liar: str, check: str, *numbers: int) -> Outcome:
    """What is left to find a lie whose proof is believed."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(check, BELIEVED[check])
        going_on = type(liar, (LIARS[liar],), {"goes_on": True})
        return lied(going_on, *numbers)


def turned_card() -> Outcome:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(PROOF_OF_SHARES, shares_believed)
        return lied(TurnsTheTableCard, 2, 1)


def shown_late() -> Outcome:
    """A rule broken with cards that nobody sees before the deal is over."""
    found = []
    for seed in range(8):
        table = Company(
            toy_opening(lowest_first=True, shown_late=True),
            Liar,
            positions=7,
            seed=seed,
        )
        table.play(play_in_order)
        found += [found_by(party.judge) for party in table.parties]
    return tuple(found)


def shown_by_a_card() -> Outcome:
    found = []
    for seed in range(8):
        table = Company(toy_opening(lowest_first=True), Liar, positions=7, seed=seed)
        table.play(highest_first)
        found += [found_by(party.judge) for party in table.parties]
    return tuple(found)


AT_TABLE: dict[str, Callable[[], Outcome]] = {
    "an entry that another signed": partial(offered, by_another),
    "an entry of a seat that is not there": partial(
        offered, lambda circle, entry: resigned(circle, entry, seat=2, seen=(0, 0, 0))
    ),
    "an entry of a larger table": partial(
        offered, lambda circle, entry: resigned(circle, entry, seen=(*entry.seen, 0))
    ),
    "an entry beyond its own table": partial(
        offered, lambda circle, entry: resigned(circle, entry, seat=5)
    ),
    "terms of another table": partial(
        offered,
        lambda circle, _: resigned(circle, chain_of(circle, 0)[0], scope=b"o" * 16),
    ),
    "an entry of another table id": partial(
        offered, lambda circle, entry: resigned(circle, entry, scope=b"o" * 16)
    ),
    "a pair that one has not signed": partial(proved, forged_pair),
    "a pair of two numbers": partial(
        proved, lambda circle, first, second: (first.signed, second.signed)
    ),
    "a pair of one entry": partial(
        proved, lambda circle, first, _: (first.signed, first.signed)
    ),
    "a pair of two tables": partial(
        proved, partial(pair_of, scope=b"o" * 16, body=(0, bytes(32)))
    ),
    "a pair that is a fork": partial(proved, partial(pair_of, body=(0, bytes(32)))),
    "a pair under an older table id": partial(
        proved,
        lambda circle, first, _: (
            resigned(circle, first, scope=b"o" * 16),
            resigned(circle, first, scope=b"o" * 16, body=(0, bytes(32))),
        ),
    ),
    "a hand shown with a share less": partial(declared, DeclaresWithoutAShare),
    "a deck that is never dealt": never_dealt,
    "terms that were not agreed": partial(lied, SignsOtherTerms, 2, 1),
    "shares of no deck": partial(lied, SharesOfNoDeck, 2, 1),
    "a commitment to nothing": partial(lied, CommitsToNothing, 2, 1),
    "a key of no deck": partial(lied, GivesAKeyOfNoDeck, 2, 1),
    "an act on the next deck": partial(lied, ActsOnTheNextDeck, 2, 1, 2),
    "a card played unseen": unseen,
    "an act on a spoiled deck": spoiled_and_played_on,
    "a coin before the terms are there": early_coin,
    "a fork before the table is known": fork_before_the_table_is_known,
    "a fork beyond all that is held": pair_far_ahead,
    "a wrong share whose proof is believed": partial(
        past_its_proof, "SpoilsAShare", PROOF_OF_SHARES, 2, 1
    ),
    "a turned card whose proof is believed": turned_card,
    "a false shuffle whose proof is believed": partial(
        past_its_proof, "SwapsTwoPairs", PROOF_OF_SHUFFLE, 2, 1
    ),
    "no card whose proof is believed": partial(
        past_its_proof, "PutsInNoCard", PROOF_OF_SHUFFLE, 2, 1
    ),
    "a doubled card whose proof is believed": partial(
        past_its_proof, "DoublesAPairInOneHand", PROOF_OF_SHUFFLE, 2, 1
    ),
    "a doubled table card whose proof is believed": partial(
        past_its_proof, "DoublesTheFaceUpCard", PROOF_OF_SHUFFLE, 2, 0
    ),
    "no table card whose proof is believed": partial(
        past_its_proof, "SpoilsTheFaceUpCard", PROOF_OF_SHUFFLE, 2, 1
    ),
    "a rule that shows when all is known": shown_late,
    "a rule that a later card shows": shown_by_a_card,
}
