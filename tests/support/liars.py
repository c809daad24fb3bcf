"""The catalogue of liars: one class a lie, each named by what it does.

Each overrides what it signs (`forge`: instead of an entry that it owes; `moment`: when
it owes nothing) or what it shuffles (`alter`); `tests.protocol.test_malice` seats them
and says what every honest seat must find.
"""

from dataclasses import replace
from typing import Any, cast

from protocol.codec import Value
from protocol.crypto.group import Point
from protocol.crypto.shuffle import value_points
from protocol.entry import Entry, Kind
from protocol.judge import Findings
from protocol.roster import Terms
from tests.support.malice import Forged, Liar, Shuffler
from tests.support.small_group import SMALL

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
        played = {at for _, at in cast("Any", self.dealt.game).plays}
        mine = [at for at in self.dealt.owned_by(self.seat) if at in played]
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
        position, *_ = cast("Any", body)[1]
        return self.act_on(position, position)


class SpoilsAnActsShare(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.ACT:
            return None
        number, positions, parts, proof, statement, state = cast("Any", body)
        wrong = (SMALL.add(Point(parts[0]), SMALL.generator).encoded, *parts[1:])
        return kind, (number, positions, wrong, proof, statement, state)


class ActsWithoutItsShare(Liar):
    """Names a hidden card and does not open it."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.ACT:
            return None
        number, positions, _, _, statement, state = cast("Any", body)
        return kind, (number, positions, (), None, statement, state)


class ActsWithoutItsProof(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.ACT:
            return None
        number, positions, parts, _, statement, state = cast("Any", body)
        return kind, (number, positions, parts, None, statement, state)


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


class SharesWithoutAProof(Liar):
    """Gives two zeros for the proof of its shares."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHARES:
            return None
        return kind, (*cast("Any", body)[:3], bytes(64))


class SharesNothing(Liar):
    """Signs that it shares, and shares nothing."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHARES:
            return None
        number, dealt, _, proof = cast("Any", body)
        return kind, (number, dealt, (), proof)


class SharesItsOwnCardsToo(Liar):
    """Opens its hand to all who have given their shares of it."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHARES:
            return None
        parts, proof = self.opening_of(range(self.dealt.game.rounds()[0].end), kind)
        return kind, (0, 0, parts, proof)


# -- the coin and the making of a deck -----------------------------------------------


class OpensAnotherCoin(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (kind, (bytes(32),)) if kind is Kind.COIN else None


class CopiesACoin(Liar):
    """Joins with what another has committed to, and opens what the other opens."""

    @staticmethod
    def agree(terms: Terms, seat: int) -> Terms:
        commitments = list(terms.commitments)
        commitments[seat] = commitments[seat - 1]
        return replace(terms, commitments=tuple(commitments))

    def _owed_first(self, number: int) -> Findings | None:
        return None if number and self.copied() is None else super()._owed_first(number)

    def copied(self) -> bytes | None:
        """The coin that the other has opened."""
        commitments = self.judge.course.terms.commitments
        same = [
            at for at, one in enumerate(commitments) if one == commitments[self.seat]
        ]
        (other,) = (at for at in same if at != self.seat)
        theirs = self.judge.record.logs[other].entries[1:2]
        return cast("Any", theirs[0].body)[0] if theirs else None

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (kind, (self.copied(),)) if kind is Kind.COIN else None


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


class ShufflesAnotherStage(Liar):
    """Names another input than the one that it shuffles."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHUFFLE:
            return None
        number, keys, _, pairs = cast("Any", body)
        return kind, (number, keys, bytes(32), pairs)


class ProvesItsKeyWithNothing(Liar):
    """Gives two zeros for the proof of its key."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.KEY:
            return None
        return kind, (*cast("Any", body)[:2], bytes(64))


class ReadyTooSoon(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (Kind.READY, (0, bytes(32))) if kind is Kind.COMMIT else None


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
        for at in range(1, 3):
            a, b = pairs[at + 2]
            mask = 12345 + at
            pairs[at] = (
                SMALL.add(a, SMALL.base(mask)),
                SMALL.add(b, SMALL.mul(mask, self.joint)),
            )


class PutsInNoCard(Shuffler):
    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        pairs[1] = (pairs[1][0], SMALL.add(pairs[1][1], SMALL.generator))


class SpoilsTheFaceUpCard(Shuffler):
    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        pairs[0] = (pairs[0][0], SMALL.add(pairs[0][1], SMALL.generator))


class ScalesTwoPairs(Shuffler):
    """Multiplies one pair and divides another: their weighted sum may stay."""

    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        for at, factor in ((1, 7), (2, pow(7, -1, SMALL.order))):
            a, b = pairs[at]
            pairs[at] = SMALL.mul(factor, a), SMALL.mul(factor, b)


class MarksAPair(Shuffler):
    """Adds to one half of a pair what only it knows."""

    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        pairs[1] = SMALL.add(pairs[1][0], SMALL.base(4321)), pairs[1][1]


class PutsInItsOwnDeck(Shuffler):
    """Every card once, in an order of its choice, masked by itself alone."""

    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        for value, point in enumerate(value_points(SMALL, len(pairs))):
            b = SMALL.add(point, SMALL.mul(777 + value, self.joint))
            pairs[value] = SMALL.base(777 + value), b


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


class CallsAnothersCardSpoiled(Liar):
    def moment(self) -> Forged | None:
        if not self.playing:
            return None
        position = self.dealt.owned_by(self.next_seat)[0]
        parts, proof = self.opening_of((position,), Kind.SPOILED)
        return Kind.SPOILED, (self.dealt.number, (position,), parts, proof)


class CallsAPlayedCardSpoiled(Liar):
    """Names a card of its own that everybody has seen to be good."""

    def moment(self) -> Forged | None:
        deck = self.judge.deck
        if deck is None or deck.game.over() is not None:
            return None
        played = [at for at in deck.owned_by(self.seat) if at in deck.opened]
        if not played:
            return None
        parts, proof = self.opening_of(played[:1], Kind.SPOILED)
        return Kind.SPOILED, (deck.number, tuple(played[:1]), parts, proof)


class SpoilsNothing(Liar):
    """Says that cards are spoiled, and names none."""

    def moment(self) -> Forged | None:
        if not self.playing:
            return None
        positions = (min(at for at in self.cards() if at not in self.dealt.opened),)
        parts, proof = self.opening_of(positions, Kind.SPOILED)
        return Kind.SPOILED, (self.dealt.number, positions, parts * 2, proof)


# -- reveals and verdicts ------------------------------------------------------------


class RevealsEarly(Liar):
    def moment(self) -> Forged | None:
        if not self.playing:
            return None
        return Kind.REVEAL, (0, self._seed(0), self.evidence())

    def evidence(self) -> tuple[bytes, ...]:
        return ()


class RevealsEarlyOverAnHonestEntry(RevealsEarly):
    def evidence(self) -> tuple[bytes, ...]:
        return (self.judge.record.logs[self.next_seat].entries[-1].id,)


class RevealsEarlyOverRubbish(RevealsEarly):
    def evidence(self) -> tuple[bytes, ...]:
        return (b"rubbish " * 4,)


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
        return kind, (0, bytes(16), ())


class AccusesAnother(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.VERDICT:
            return None
        return kind, (*cast("tuple[Value, ...]", body)[:2], (self.next_seat,))


# -- seeds that are owed ---------------------------------------------------------


class WithholdsItsSeed(Liar):
    """Never reveals a deck that it may have stacked, and wants cards of the next."""

    def _owed_reveal(self) -> Findings | None:
        return None

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        wants = kind is Kind.SHARES and cast("Any", body)[0] == 1
        return (kind, body) if wants else None


class SaysMoreAfterItsSeed(Liar):
    """Has more to say about a deck whose seed it has revealed."""

    def moment(self) -> Forged | None:
        decks = self.judge.decks
        if not decks or self.seat not in decks[0].reveals:
            return None
        return Kind.SHARES, decks[0].share_entries[0, self.seat].body


class FillsAnEntry(Liar):
    """Signs an entry as large as one can be, of a kind that does not exist."""

    def say(self, entry: Entry) -> Findings:
        return super().say(self.resigned(entry, kind=63, body=(0, bytes(5_800))))

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (kind, body) if kind is Kind.ACT else None


FALSE_SHUFFLES: tuple[type[Shuffler], ...] = (
    SwapsTwoPairs,
    DoublesAPair,
    DoublesAPairInOneHand,
    DoublesAPairInAnotherHand,
    DoublesTheFaceUpCard,
    CopiesAHand,
    PutsInNoCard,
    SpoilsTheFaceUpCard,
    ScalesTwoPairs,
    MarksAPair,
    PutsInItsOwnDeck,
)
