"""Every attack is made by a peer that lies, refused by all others, and proven.

In each test every honest seat must name the liar with the right reason and nobody else,
keep its own record whole, and write a record that proves the same to an auditor.
"""

from dataclasses import replace
from typing import Any, cast

import pytest

from protocol.audit import audit
from protocol.codec import Value
from protocol.crypto.group import Point
from protocol.faults import Blame, Reason, Signed
from protocol.game import Over
from protocol.judge import Findings
from protocol.log import Entry, Kind
from protocol.party import Party
from tests.support.malice import (
    Company,
    Forged,
    Liar,
    Shuffler,
    declare_first,
    play_in_order,
)
from tests.support.parties import Choose
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening

TABLES = [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2), (4, 3)]
at_every_table = pytest.mark.parametrize(("seats", "at"), TABLES)


def company(
    liar: type[Liar],
    seats: int,
    at: int,
    *,
    choose: Choose = play_in_order,
    deals: int = 1,
    seed: int = 0,
) -> Company:
    table = Company(
        toy_opening(deals=deals),
        liar,
        at=at,
        seats=seats,
        positions=1 + 2 * seats + 2,
        seed=seed,
    )
    table.play(choose)
    assert table.liar.lied, "the attack was not made"
    return table


def kinds(faults: Any) -> list[tuple[int, Blame, Reason]]:
    return [(fault.seat, fault.blame, fault.reason) for fault in faults]


def assert_blamed(table: Company, reason: Reason, blame: Blame = Blame.CHEAT) -> None:
    expected = [(table.liar.seat, blame, reason)]
    for party in table.honest:
        assert kinds(party.judge.faults) == expected
        assert party.judge.stopped
        assert_kept(table, party)
        result = audit(table.record_of(party), SMALL, table.opening)
        assert kinds(result.faults) == expected
        assert result.damage is None


def assert_kept(table: Company, party: Party) -> None:
    """An honest seat's record holds all that any honest seat has signed that it could
    judge, and its own chain is open.
    """
    record = party.judge.record
    assert not record.logs[party.seat].closed
    for other in table.honest:
        assert not record.logs[other.seat].closed


def assert_nobody_blamed(table: Company) -> None:
    for party in table.honest:
        assert party.judge.faults == []
        assert audit(table.record_of(party), SMALL, table.opening).faults == ()


# -- acts ------------------------------------------------------------------------


class BreaksARule(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.ACT:
            return None
        act = list(cast("tuple[Value, ...]", body))
        act[4] = (9,)
        return kind, tuple(act)


class PlaysOutOfTurn(Liar):
    def moment(self) -> Forged | None:
        if not self.playing or self.dealt.game.turn() in {None, self.seat}:
            return None
        return self.act_on(min(self.cards()))


class PlaysAnothersCard(Liar):
    def moment(self) -> Forged | None:
        if not self.playing or self.dealt.game.turn() != self.seat:
            return None
        return self.act_on(self.dealt.owned_by(self.next_seat)[0])


class PlaysAnUndealtCard(Liar):
    def moment(self) -> Forged | None:
        if not self.playing or self.dealt.game.turn() != self.seat:
            return None
        return self.act_on(self.dealt.game.positions - 1)


class PlaysTwice(Liar):
    """Opens a position again that it has played."""

    def moment(self) -> Forged | None:
        if not self.playing or self.dealt.game.turn() != self.seat:
            return None
        mine = [at for at in self.dealt.owned_by(self.seat) if at in self.dealt.opened]
        return self.act_on(mine[0]) if mine else None


class PlaysAShownCardTwice(PlaysTwice):
    """Plays a position again without opening it."""

    def moment(self) -> Forged | None:
        forged = super().moment()
        if forged is None:
            return None
        number, positions, _, _, statement, state = cast("Any", forged[1])
        return Kind.ACT, (number, positions, (), None, statement, state)


class NamesAPositionTwice(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.ACT:
            return None
        (position,) = cast("Any", body)[1]
        return self.act_on(position, position)


class SpoilsAnActsShare(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.ACT:
            return None
        number, positions, parts, proof, statement, state = cast("Any", body)
        wrong = (SMALL.add(Point(parts[0]), SMALL.generator).encoded, *parts[1:])
        return kind, (number, positions, wrong, proof, statement, state)


class ActsOnAnotherTable(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.ACT:
            return None
        return kind, (*cast("tuple[Value, ...]", body)[:-1], bytes(16))


class ActsBeforeSharing(Liar):
    """Acts while it owes a share of a card that it has not opened to its owner."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        deck = self.judge.deck
        if kind is not Kind.SHARES or deck is None or not deck.acts:
            return None
        if deck.game.turn() != self.seat:
            return None
        held = [at for at in self.cards() if at not in deck.opened]
        return self.act_on(min(held))


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason", "blame"),
    [
        (BreaksARule, Reason.AGAINST_RULES, Blame.RULE),
        (PlaysOutOfTurn, Reason.OUT_OF_TURN, Blame.RULE),
        (PlaysAnothersCard, Reason.NOT_DEALT, Blame.CHEAT),
        (PlaysAnUndealtCard, Reason.NOT_DEALT, Blame.CHEAT),
        (NamesAPositionTwice, Reason.MALFORMED, Blame.CHEAT),
        (SpoilsAnActsShare, Reason.WRONG_SHARE, Blame.CHEAT),
        (ActsOnAnotherTable, Reason.WRONG_STATE, Blame.RULE),
    ],
)
def test_a_false_act_is_blamed(
    liar: type[Liar], reason: Reason, blame: Blame, seats: int, at: int
) -> None:
    assert_blamed(company(liar, seats, at), reason, blame)


TWICE_TABLES = [(2, 0), (2, 1)]


@pytest.mark.parametrize(("seats", "at"), TWICE_TABLES)
def test_a_card_opened_twice_is_blamed(seats: int, at: int) -> None:
    assert_blamed(company(PlaysTwice, seats, at), Reason.PLAYED_TWICE)


@pytest.mark.parametrize(("seats", "at"), TWICE_TABLES)
def test_a_shown_card_played_twice_breaks_the_rules(seats: int, at: int) -> None:
    table = company(PlaysAShownCardTwice, seats, at)
    assert_blamed(table, Reason.AGAINST_RULES, Blame.RULE)


@pytest.mark.parametrize(("seats", "at"), TWICE_TABLES)
def test_acting_before_the_shares_that_are_owed_is_blamed(seats: int, at: int) -> None:
    assert_blamed(company(ActsBeforeSharing, seats, at), Reason.OUT_OF_ORDER)


# -- shares ----------------------------------------------------------------------


class SpoilsAShare(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHARES:
            return None
        number, dealt, parts, proof = cast("Any", body)
        wrong = (SMALL.add(Point(parts[0]), SMALL.generator).encoded, *parts[1:])
        return kind, (number, dealt, wrong, proof)


class SwapsTwoShares(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHARES:
            return None
        number, dealt, parts, proof = cast("Any", body)
        return kind, (number, dealt, (parts[1], parts[0], *parts[2:]), proof)


class SharesNoPoint(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHARES:
            return None
        number, dealt, parts, proof = cast("Any", body)
        return kind, (number, dealt, (SMALL.identity.encoded, *parts[1:]), proof)


class LeavesAShareOut(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHARES:
            return None
        number, dealt, parts, proof = cast("Any", body)
        return kind, (number, dealt, parts[:-1], proof)


class SharesAheadOfTime(Liar):
    """Gives the share of a card before the play that makes it due."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHARES:
            return None
        deck = self.dealt
        position = deck.game.rounds()[0].end
        parts, proof = self.opening_of((position,), Kind.SHARES)
        return kind, (deck.number, 1, parts, proof)


class SharesTwice(Liar):
    def moment(self) -> Forged | None:
        deck = self.judge.deck
        if deck is None or (0, self.seat) not in deck.share_entries:
            return None
        return Kind.SHARES, deck.share_entries[0, self.seat].body


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (SpoilsAShare, Reason.WRONG_SHARE),
        (SwapsTwoShares, Reason.WRONG_SHARE),
        (SharesNoPoint, Reason.WRONG_SHARE),
        (LeavesAShareOut, Reason.MALFORMED),
        (SharesAheadOfTime, Reason.OUT_OF_ORDER),
        (SharesTwice, Reason.TWICE),
    ],
)
def test_a_false_share_is_blamed(
    liar: type[Liar], reason: Reason, seats: int, at: int
) -> None:
    assert_blamed(company(liar, seats, at), reason)


# -- the coin and the making of a deck -----------------------------------------------


class OpensAnotherCoin(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (kind, (bytes(32),)) if kind is Kind.COIN else None


class CommitsTwice(Liar):
    def moment(self) -> Forged | None:
        made = self.judge.course.shufflings
        if not made or made[0].commits[self.seat] is None:
            return None
        return Kind.COMMIT, (0, bytes(32))


class CommitsToADeckThatIsNotDue(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (kind, (1, bytes(32))) if kind is Kind.COMMIT else None


class NeedsNoSecret(Liar):
    """Gives a key whose secret it does not know."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.KEY:
            return None
        _, _, proof = cast("Any", body)
        key = SMALL.hash_to_point("test.rogue", 1)
        return kind, (0, key.encoded, proof)


class KeyedLast(Liar):
    """Waits with its key until it has seen another's."""

    def _owed(self) -> Findings | None:
        made = self.judge.course.shufflings
        mine = made and made[0].key_entries[self.seat]
        others = [e for e in (made[0].key_entries if made else []) if e is not None]
        waits = made and None not in made[0].commits and not mine and not others
        return None if waits else super()._owed()


class CancelsAnother(KeyedLast):
    """Gives a key that takes another's out of the sum."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.KEY:
            return None
        keys = self.judge.course.shufflings[0].keys
        theirs = next(key for key in keys if key is not None)
        _, mine, proof = cast("Any", body)
        return kind, (0, SMALL.sub(Point(mine), theirs).encoded, proof)


class CopiesAKey(KeyedLast):
    """Gives another's key with the other's own proof."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.KEY:
            return None
        others = self.judge.course.shufflings[0].key_entries
        return kind, next(e.body for e in others if e is not None)


class GivesNoPoint(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.KEY:
            return None
        return kind, (0, SMALL.identity.encoded, cast("Any", body)[2])


class ShufflesNoPoints(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHUFFLE:
            return None
        number, keys, before, pairs = cast("Any", body)
        return kind, (number, keys, before, SMALL.identity.encoded + pairs[32:])


class ShufflesAnotherDeck(Liar):
    """Names other keys than those that stand."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHUFFLE:
            return None
        number, keys, before, pairs = cast("Any", body)
        return kind, (number, keys[::-1], before, pairs)


class ReadyTooSoon(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (Kind.READY, (0, bytes(32))) if kind is Kind.COMMIT else None


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (OpensAnotherCoin, Reason.WRONG_COIN),
        (CommitsTwice, Reason.TWICE),
        (CommitsToADeckThatIsNotDue, Reason.OUT_OF_ORDER),
        (NeedsNoSecret, Reason.WRONG_KEY),
        (CopiesAKey, Reason.WRONG_KEY),
        (GivesNoPoint, Reason.WRONG_KEY),
        (ShufflesNoPoints, Reason.WRONG_SHUFFLE),
        (ShufflesAnotherDeck, Reason.MALFORMED),
        (ReadyTooSoon, Reason.OUT_OF_ORDER),
    ],
)
def test_a_false_step_in_making_a_deck_is_blamed(
    liar: type[Liar], reason: Reason, seats: int, at: int
) -> None:
    assert_blamed(company(liar, seats, at), reason)


@at_every_table
def test_a_rogue_key_is_blamed(seats: int, at: int) -> None:
    assert_blamed(company(CancelsAnother, seats, at), Reason.WRONG_KEY)


# -- shuffles --------------------------------------------------------------------


class SwapsTwoPairs(Shuffler):
    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        pairs[1], pairs[2] = pairs[2], pairs[1]


class DoublesAPair(Shuffler):
    """One card at two positions, and one in none."""

    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        pairs[2] = pairs[3]


class DoublesAPairInOneHand(Shuffler):
    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        pairs[3] = pairs[4]


class DoublesAPairInAnotherHand(Shuffler):
    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        pairs[1] = pairs[2]


class DoublesTheFaceUpCard(Shuffler):
    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        pairs[1] = pairs[4] = pairs[0]


class CopiesAHand(Shuffler):
    """Puts a copy, masked anew, of each card of another hand in its own."""

    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        joint = self.judge.course.shufflings[0].joint
        for at in range(1, 3):
            a, b = pairs[at + 2]
            mask = 12345 + at
            pairs[at] = (
                SMALL.add(a, SMALL.base(mask)),
                SMALL.add(b, SMALL.mul(mask, joint)),
            )


class PutsInNoCard(Shuffler):
    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        pairs[1] = (pairs[1][0], SMALL.add(pairs[1][1], SMALL.generator))


class SpoilsTheFaceUpCard(Shuffler):
    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        pairs[0] = (pairs[0][0], SMALL.add(pairs[0][1], SMALL.generator))


@at_every_table
@pytest.mark.parametrize("choose", [play_in_order, declare_first])
@pytest.mark.parametrize(
    "liar",
    [
        SwapsTwoPairs,
        DoublesAPair,
        DoublesAPairInOneHand,
        DoublesAPairInAnotherHand,
        DoublesTheFaceUpCard,
        CopiesAHand,
        PutsInNoCard,
        SpoilsTheFaceUpCard,
    ],
)
def test_a_false_shuffle_is_found_by_the_replay(
    liar: type[Liar], choose: Choose, seats: int, at: int
) -> None:
    table = company(liar, seats, at, choose=choose)
    assert_blamed(table, Reason.FALSE_SHUFFLE)
    for party in table.honest:
        assert len(party.judge.decks[0].reveals) == seats


class CallsAGoodCardSpoiled(Liar):
    def moment(self) -> Forged | None:
        if not self.playing:
            return None
        position = min(at for at in self.cards() if at not in self.dealt.opened)
        parts, proof = self.opening_of((position,), Kind.SPOILED)
        return Kind.SPOILED, (self.dealt.number, (position,), parts, proof)


class ShowsSpoiledWithAWrongShare(Liar):
    def moment(self) -> Forged | None:
        if not self.playing:
            return None
        position = min(at for at in self.cards() if at not in self.dealt.opened)
        (part,), proof = self.opening_of((position,), Kind.SPOILED)
        wrong = SMALL.add(Point(part), SMALL.generator).encoded
        return Kind.SPOILED, (self.dealt.number, (position,), (wrong,), proof)


@at_every_table
def test_a_false_alarm_is_blamed(seats: int, at: int) -> None:
    assert_blamed(company(CallsAGoodCardSpoiled, seats, at), Reason.FALSE_ALARM)


@at_every_table
def test_an_alarm_with_a_wrong_share_is_blamed(seats: int, at: int) -> None:
    assert_blamed(company(ShowsSpoiledWithAWrongShare, seats, at), Reason.WRONG_SHARE)


# -- reveals and verdicts ------------------------------------------------------------


class RevealsEarly(Liar):
    def moment(self) -> Forged | None:
        if not self.playing:
            return None
        return Kind.REVEAL, (0, self._seed(0), self.evidence())

    def evidence(self) -> tuple[tuple[bytes, bytes], ...]:
        return ()


class RevealsEarlyOverAnHonestEntry(RevealsEarly):
    def evidence(self) -> tuple[tuple[bytes, bytes], ...]:
        honest = self.judge.record.logs[self.next_seat].entries[-1].signed
        return ((honest.encoded, honest.signature),)


class RevealsEarlyOverRubbish(RevealsEarly):
    def evidence(self) -> tuple[tuple[bytes, bytes], ...]:
        return ((b"rubbish", bytes(64)),)


class RevealsAnotherSeed(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (kind, (0, bytes(32), ())) if kind is Kind.REVEAL else None


class CopiesACommitment(Liar):
    """Commits to what another seat has committed to, and reveals the other's seed."""

    goes_on = True

    def _owed(self) -> Findings | None:
        made = self.judge.course.shufflings
        if self.judge.course.start is not None and not made:
            return None
        return super()._owed()

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.COMMIT:
            return None
        others = self.judge.course.shufflings[0].commits
        return kind, next(e.body for e in others if e is not None)


class SignsAnotherVerdict(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.VERDICT:
            return None
        return kind, (0, bytes(16), None)


class AccusesAnother(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.VERDICT:
            return None
        return kind, (*cast("tuple[Value, ...]", body)[:2], self.next_seat)


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason", "blame"),
    [
        (RevealsEarly, Reason.EARLY_REVEAL, Blame.CHEAT),
        (RevealsEarlyOverAnHonestEntry, Reason.EARLY_REVEAL, Blame.CHEAT),
        (RevealsAnotherSeed, Reason.WRONG_SEED, Blame.CHEAT),
        (CopiesACommitment, Reason.WRONG_SEED, Blame.CHEAT),
        (SignsAnotherVerdict, Reason.WRONG_VERDICT, Blame.RULE),
        (AccusesAnother, Reason.WRONG_VERDICT, Blame.RULE),
    ],
)
def test_a_false_ending_is_blamed(
    liar: type[Liar], reason: Reason, blame: Blame, seats: int, at: int
) -> None:
    assert_blamed(company(liar, seats, at), reason, blame)


@at_every_table
def test_a_reveal_over_rubbish_waits_and_blames_nobody(seats: int, at: int) -> None:
    table = company(RevealsEarlyOverRubbish, seats, at)
    assert_nobody_blamed(table)
    for party in table.honest:
        assert party.judge.record.holds(at)


# -- chains ----------------------------------------------------------------------


class Envelope(Liar):
    """Signs one entry with a false field, once the deck is on the table."""

    def say(self, entry: Entry) -> Findings:
        return super().say(self.resigned(entry, **self.changes(entry)))

    def changes(self, entry: Entry) -> dict[str, Any]:
        raise NotImplementedError

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (kind, body) if kind is Kind.SHARES else None


class BreaksItsChain(Envelope):
    def changes(self, entry: Entry) -> dict[str, Any]:
        return {"prev": bytes(32)}


class ForgetsWhatItSaw(Envelope):
    def changes(self, entry: Entry) -> dict[str, Any]:
        return {
            "seen": tuple(n if s == self.seat else 0 for s, n in enumerate(entry.seen))
        }


class MiscountsItself(Envelope):
    def changes(self, entry: Entry) -> dict[str, Any]:
        return {"seen": tuple(n + (s == self.seat) for s, n in enumerate(entry.seen))}


class NamesOtherHeads(Envelope):
    def changes(self, entry: Entry) -> dict[str, Any]:
        return {"heads": bytes(32)}


class NamesWhatIsNotThere(Envelope):
    def changes(self, entry: Entry) -> dict[str, Any]:
        return {
            "seen": tuple(n + (s != self.seat) for s, n in enumerate(entry.seen)),
        }


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason", "blame"),
    [
        (BreaksItsChain, Reason.BROKEN_CHAIN, Blame.FORK),
        (ForgetsWhatItSaw, Reason.SHRINKING_VIEW, Blame.CHEAT),
        (MiscountsItself, Reason.SHRINKING_VIEW, Blame.CHEAT),
    ],
)
def test_a_false_chain_is_blamed(
    liar: type[Liar], reason: Reason, blame: Blame, seats: int, at: int
) -> None:
    assert_blamed(company(liar, seats, at), reason, blame)


@at_every_table
@pytest.mark.parametrize("liar", [NamesOtherHeads, NamesWhatIsNotThere])
def test_a_view_that_nobody_holds_is_awaited_and_blames_nobody(
    liar: type[Liar], seats: int, at: int
) -> None:
    table = company(liar, seats, at)
    assert_nobody_blamed(table)
    for party in table.honest:
        assert party.judge.record.holds(at)
        if liar is NamesOtherHeads:
            assert party.judge.record.disputed() == (at,)


class Forker(Liar):
    """Has two good entries for one number."""

    def moment(self) -> Forged | None:
        raise NotImplementedError

    def other(self, entry: Entry) -> Entry:
        """The other of the two."""
        raise NotImplementedError


class CommitsToTwoSeeds(Forker):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (kind, body) if kind is Kind.COMMIT else None

    def moment(self) -> Forged | None:
        return None

    def other(self, entry: Entry) -> Entry:
        return self.resigned(entry, body=(0, bytes(32)))


class PlaysTwoCards(Forker):
    def cards_to_play(self) -> list[int]:
        return [at for at in self.cards() if at not in self.dealt.opened]

    def moment(self) -> Forged | None:
        if not self.playing or self.dealt.game.turn() != self.seat:
            return None
        held = self.cards_to_play()
        return self.act_on(held[0]) if self.dealt.acts and len(held) > 1 else None

    def other(self, entry: Entry) -> Entry:
        _, body = self.act_on(self.cards_to_play()[1])
        return self.resigned(entry, body=body)


class PlaysOneCardAgainstTheRules(PlaysTwoCards):
    """One of the two is no good, so a seat may prove that before it sees the other."""

    def other(self, entry: Entry) -> Entry:
        _, body = self.act_on(self.cards_to_play()[1], statement=(9,))
        return self.resigned(entry, body=body)


class ForkedCompany(Company):
    """The liar's last entry is another one for the highest of the other seats.

    At a table of two the only other seat gets both.
    """

    forked = False

    def take(self, seat: int, findings: Findings) -> None:
        lies = seat == self._at and self.liar.lied and not self.forked
        if lies and findings.added and findings.added[-1].seat == seat:
            self.forked = True
            entry = findings.added[-1]
            other = cast("Forker", self.liar).other(entry)
            *rest, last = [party.seat for party in self.honest]
            for receiver in rest or [last]:
                self.under_way.append((receiver, entry.signed))
            self.under_way.append((last, other.signed))
            findings = replace(findings, added=findings.added[:-1])
        super().take(seat, findings)


def forked(liar: type[Forker], seats: int, at: int, seed: int) -> ForkedCompany:
    table = ForkedCompany(
        toy_opening(), liar, at=at, seats=seats, positions=3 + 2 * seats, seed=seed
    )
    table.play(play_in_order)
    assert table.liar.lied
    return table


@at_every_table
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("liar", [CommitsToTwoSeeds, PlaysTwoCards])
def test_two_entries_with_one_number_are_found_wherever_the_chains_meet(
    liar: type[Forker], seed: int, seats: int, at: int
) -> None:
    assert_blamed(forked(liar, seats, at, seed), Reason.FORKED, Blame.FORK)


@at_every_table
@pytest.mark.parametrize("seed", range(3))
def test_a_fork_with_a_false_branch_blames_the_same_seat(
    seed: int, seats: int, at: int
) -> None:
    table = forked(PlaysOneCardAgainstTheRules, seats, at, seed)
    for party in table.honest:
        assert party.judge.stopped
        assert {fault.seat for fault in party.judge.faults} == {at}
        result = audit(table.record_of(party), SMALL, table.opening)
        assert {fault.seat for fault in result.faults} == {at}
        assert result.damage is None


# -- a deck prepared ahead -----------------------------------------------------------


class AheadOfTime(Liar):
    """Cheats in the next deck while one is played, and goes on playing that one."""

    goes_on = True

    @property
    def ahead(self) -> bool:
        """Whether the first deal is still being played."""
        return len(self.judge.decks) == 1 and self.dealt.game.over() is None


class CommitsTwiceAhead(AheadOfTime):
    def moment(self) -> Forged | None:
        made = self.judge.course.shufflings
        if not self.playing or not self.ahead or len(made) < 2:
            return None
        return (Kind.COMMIT, (1, bytes(32))) if made[1].commits[self.seat] else None


class CommitsTwiceToAFinishedDeck(AheadOfTime):
    """Lets the next deck be made whole first, so that it could be dealt."""

    def moment(self) -> Forged | None:
        made = self.judge.course.shufflings
        if not self.playing or not self.ahead or len(made) < 2:
            return None
        return (Kind.COMMIT, (1, bytes(32))) if made[1].shuffled else None


class NeedsNoSecretAhead(AheadOfTime):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.KEY or cast("Any", body)[0] != 1 or not self.ahead:
            return None
        key = SMALL.hash_to_point("test.rogue", 1)
        return kind, (1, key.encoded, cast("Any", body)[2])


class ShufflesNoPointsAhead(AheadOfTime):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHUFFLE or cast("Any", body)[0] != 1 or not self.ahead:
            return None
        number, keys, before, pairs = cast("Any", body)
        return kind, (number, keys, before, SMALL.identity.encoded + pairs[32:])


@at_every_table
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("liar", "reason"),
    [
        (CommitsTwiceAhead, Reason.TWICE),
        (CommitsTwiceToAFinishedDeck, Reason.TWICE),
        (NeedsNoSecretAhead, Reason.WRONG_KEY),
        (ShufflesNoPointsAhead, Reason.WRONG_SHUFFLE),
    ],
)
def test_a_cheat_in_a_deck_prepared_ahead_ends_the_match_after_the_running_deal(
    liar: type[Liar], reason: Reason, seed: int, seats: int, at: int
) -> None:
    table = company(liar, seats, at, deals=2, seed=seed)
    assert_blamed(table, reason)
    for party in table.honest:
        first, *others = party.judge.decks
        assert first.game.over() is Over.SCORED
        assert first.replayed is not None
        assert sorted(first.verdicts) == list(range(seats))
        assert all(not deck.acts for deck in others)


class CheatsInTheSecondDeal(Liar):
    def moment(self) -> Forged | None:
        if not self.playing or self.dealt.number != 1:
            return None
        if self.dealt.game.turn() != self.seat:
            return None
        return self.act_on(self.dealt.owned_by(self.next_seat)[0])


class ForksAnOldEntry(Liar):
    """Signs its commitment to the first deck anew in the second deal."""

    def moment(self) -> Forged | None:
        if not self.playing or self.dealt.number != 1:
            return None
        return Kind.COMMIT, (0, bytes(32))

    def say(self, entry: Entry) -> Findings:
        first = self.judge.course.shufflings[0].commits[self.seat]
        assert first is not None
        return super().say(self.resigned(first, body=entry.body))


@at_every_table
@pytest.mark.parametrize(
    ("liar", "reason", "blame"),
    [
        (CheatsInTheSecondDeal, Reason.NOT_DEALT, Blame.CHEAT),
        (ForksAnOldEntry, Reason.FORKED, Blame.FORK),
    ],
)
def test_a_cheat_takes_back_no_finished_deal(
    liar: type[Liar], reason: Reason, blame: Blame, seats: int, at: int
) -> None:
    table = company(liar, seats, at, deals=2)
    assert_blamed(table, reason, blame)
    for party in table.honest:
        result = audit(table.record_of(party), SMALL, table.opening)
        for judge in (party.judge, result.judge):
            assert judge.decks[0].game.over() is Over.SCORED
            assert blame is Blame.FORK or judge.course.verified(0)


# -- what proves nothing ---------------------------------------------------------------


class ReadyForAnotherPlan(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (kind, (0, bytes(32))) if kind is Kind.READY else None


@at_every_table
def test_seats_that_differ_on_the_plan_stop_and_blame_nobody(
    seats: int, at: int
) -> None:
    table = company(ReadyForAnotherPlan, seats, at)
    assert_nobody_blamed(table)
    for party in table.honest:
        assert party.judge.stopped
        assert all(not deck.share_entries for deck in party.judge.decks)


class Silent(Liar):
    """Signs nothing once it has seen its hand."""

    def moment(self) -> Forged | None:
        return (Kind.ACT, ()) if self.playing else None

    def say(self, entry: Entry) -> Findings:
        self.lied = True
        return Findings()


@at_every_table
def test_silence_blames_nobody(seats: int, at: int) -> None:
    table = company(Silent, seats, at)
    assert_nobody_blamed(table)
    assert not any(party.judge.stopped for party in table.honest)


@at_every_table
def test_an_entry_of_another_match_is_the_links_fault_alone(
    seats: int, at: int
) -> None:
    here, there = company(Silent, seats, at), company(Silent, seats, at, seed=1)
    foreign = [e.signed for log in there.liar.judge.record.logs for e in log.entries]
    for party in here.honest:
        before = party.judge.record.counts()
        for signed in foreign:
            assert party.receive(signed).link_fault is not None
        assert party.judge.record.counts() == before
    assert_nobody_blamed(here)


def test_a_flipped_bit_is_the_links_fault_alone() -> None:
    table = company(Silent, 2, 0)
    (party,) = table.honest
    signed = table.liar.judge.record.logs[0].entries[-1].signed
    for at in range(0, len(signed.encoded), 7):
        flipped = bytearray(signed.encoded)
        flipped[at] ^= 4
        findings = party.receive(Signed(bytes(flipped), signed.signature))
        assert findings.link_fault is not None
        assert findings.faults == ()
    assert_nobody_blamed(table)


def test_an_accusation_without_proof_says_nothing() -> None:
    table = company(Silent, 3, 0)
    honest, other = table.honest
    entry = honest.judge.record.logs[honest.seat].entries[-1]
    for signed in (entry.signed, Signed(entry.signed.encoded, bytes(64))):
        assert other.receive(signed).faults == ()
    assert_nobody_blamed(table)
