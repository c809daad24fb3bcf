"""Liars that sign before what their entry depends on, or when it is too late for it.

Of the catalogue of `tests.support.liars`; each is a class named by what it does.
"""

from typing import Any, cast

from protocol.codec import Value
from protocol.deck import Deck
from protocol.entry import Entry, Kind
from protocol.judge import Findings
from protocol.openings import make_shares
from protocol.shuffling import Shuffling, make_key, make_proof, make_shuffle
from tests.support.malice import Forged, Liar


class OpensItsCoinEarly(Liar):
    """Opens its coin before all have signed the terms."""

    def moment(self) -> Forged | None:
        return Kind.COIN, (self._secrets.coin,)


class KeepsItsCoin(Liar):
    """Signs the terms, sees what all others have drawn, and keeps its own coin."""

    def _owed_first(self, number: int) -> Findings | None:
        if number == 0:
            return super()._owed_first(number)
        self.lied = True
        return None


class GivesItsKeyBeforeItCommits(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        made = self.judge.course.shufflings
        if kind is not Kind.COMMIT or not made:
            return None
        context = made[0].contexts[self.seat]
        key, _ = make_key(self._suite, 0, context, self._seed(0))
        return Kind.KEY, key

    def _owed(self) -> Findings | None:
        # It waits for another's commitment, so that there is a deck in the making.
        started = self.judge.course.start is not None
        return None if started and not self.judge.course.shufflings else super()._owed()


class ShufflesBeforeItsKey(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.KEY:
            return None
        positions = self.judge.course.terms.positions
        keys = (bytes(32),) * self.judge.seats
        before = bytes(32) if self.seat else None
        point = self._suite.generator.encoded
        return Kind.SHUFFLE, (0, keys, before, 2 * positions * point)


class ShufflesBeforeItsTurn(Liar):
    """Shuffles its own first deck, whatever those before it make of theirs."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.READY or not self.seat:
            return None
        made = self.judge.course.shufflings[0]
        ids = tuple(e.id for e in made.key_entries if e is not None)
        positions = self.judge.course.terms.positions
        point = self._suite.generator.encoded
        return Kind.SHUFFLE, (0, ids, bytes(32), 2 * positions * point)


class IsReadyBeforeItsKey(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (Kind.READY, (0, bytes(32))) if kind is Kind.KEY else None


class IsNeverReady(Liar):
    """Wants cards of a deck without having said what it is for."""

    def _owed_deck(self, made: Shuffling, plan: bytes) -> Findings | None:
        if not made.keyed:
            return super()._owed_deck(made, plan)
        seed = self._seed(made.number)
        if len(made.stages) == self.seat:
            before = made.input_deck(self.seat)
            arguments = (made, made.joint, before, self.seat, seed)
            return self._start(Kind.SHUFFLE, made.number, make_shuffle, arguments)
        if len(made.stages) > self.seat and made.proof_entries[self.seat] is None:
            return self._start(
                Kind.PROOF, made.number, make_proof, (made, self.seat, seed)
            )
        return None

    def _owed_shares(self) -> Findings | None:
        return None

    def moment(self) -> Forged | None:
        deck = self.judge.deck
        if deck is None or deck.shuffling.readies.count([]) > 1:
            return None
        positions = deck.owed_positions(0, self.seat)
        parts, proof = self.opening_of(positions, Kind.SHARES)
        return Kind.SHARES, (0, 0, parts, proof)


class PlaysBeforeTheTableLies(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHARES:
            return None
        return self.act_on(self.dealt.owned_by(self.seat)[0])


class SharesTheNextDeckEarly(Liar):
    """Gives its shares of the next deck while the first one is played."""

    def moment(self) -> Forged | None:
        made = self.judge.course.shufflings
        if not self.playing or len(made) < 2 or not made[1].proven:
            return None
        if not all(made[1].readies) or self.dealt.number:
            return None
        deck = Deck(made[1], cast("Any", self.dealt.game).next_deck())
        positions = deck.owed_positions(0, self.seat)
        statement = deck.statement(Kind.SHARES, 0, self.seat, positions)
        masked = [deck.pairs[at][0] for at in positions]
        parts, proof = make_shares(self._suite, self._seed(1), statement, masked)
        return Kind.SHARES, (1, 0, tuple(part.encoded for part in parts), proof)


class CommitsAheadBeforeTheTableLies(Liar):
    """Commits to the next deck before it can be known that there is one."""

    goes_on = True

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (Kind.COMMIT, (1, bytes(32))) if kind is Kind.SHARES else None


class GivesAKeyOfADeckNotBegun(Liar):
    """Gives a key of the next deck to which nobody has committed."""

    goes_on = True

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        number = cast("Any", body)[0]
        if kind is not Kind.COMMIT or number != 1:
            return None
        if len(self.judge.course.shufflings) > 1:
            return None
        made = self.judge.course.shufflings[0].contexts[self.seat]
        key, _ = make_key(self._suite, 1, made, self._seed(1))
        return Kind.KEY, key


class CallsAFinishedDealSpoiled(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.REVEAL:
            return None
        position = self.dealt.owned_by(self.seat)[0]
        parts, proof = self.opening_of((position,), Kind.SPOILED)
        return Kind.SPOILED, (self.dealt.number, (position,), parts, proof)


class SignsItsVerdictEarly(Liar):
    """Signs the result while seeds are still owed, its own among them."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.REVEAL:
            return None
        deck = self.dealt
        return Kind.VERDICT, (deck.number, deck.game.digest(), ())


class SignsAVerdictOnNoDeck(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (Kind.VERDICT, (0, bytes(16), ())) if kind is Kind.COMMIT else None


class CitesAProofAfterTheEnd(Liar):
    """Reveals when all do, and cites an honest entry as if it proved something."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.REVEAL:
            return None
        cited = self.judge.record.logs[self.next_seat].entries[-1].id
        return kind, (*cast("Any", body)[:2], (cited,))


class LooksBack(Liar):
    """Signs what it owes, and says that it has seen no more than in its last entry.

    In a deck made ahead that counts when the running deal is over, so it goes on.
    """

    goes_on = True
    where: Kind
    ahead = False

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not self.where or (self.ahead and cast("Any", body)[0] != 1):
            return None
        last = self.judge.record.logs[self.seat].entries[-1]
        less = any(map(int.__lt__, self._back(last), self.judge.record.counts()))
        return (kind, body) if less else None

    def say(self, entry: Entry) -> Findings:
        last = self.judge.record.logs[self.seat].entries[-1]
        seen = self._back(last)
        heads = self.judge.record.heads(seen)
        return super().say(self.resigned(entry, seen=seen, heads=heads))

    def _back(self, last: Entry) -> tuple[int, ...]:
        seen = list(last.seen)
        seen[self.seat] = last.seq + 1
        return tuple(seen)


class GivesItsKeyLookingBack(LooksBack):
    where = Kind.KEY


class ShufflesLookingBack(LooksBack):
    where = Kind.SHUFFLE


class IsReadyLookingBack(LooksBack):
    where = Kind.READY


class SharesLookingBack(LooksBack):
    where = Kind.SHARES


class PlaysLookingBack(LooksBack):
    where = Kind.ACT


class RevealsLookingBack(LooksBack):
    where = Kind.REVEAL


class SignsItsVerdictLookingBack(LooksBack):
    where = Kind.VERDICT


class CommitsAheadLookingBack(LooksBack):
    """Commits to a next deck that nobody could know the need of in that view."""

    where = Kind.COMMIT
    ahead = True
