"""Liars whose lie is about the chain itself, or about a deck that is made ahead.

Of the catalogue of `tests.support.liars`; each is a class named by what it does.
"""

from dataclasses import replace
from typing import Any, cast

from protocol.codec import Value
from protocol.entry import ENTRIES_MAX, Entry, Kind
from protocol.judge import Findings
from tests.support.malice import Company, Forged, Liar
from tests.support.small_group import SMALL

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


class SeesOnlyHalf(Envelope):
    """Names what one seat has signed, and not what that seat had seen."""

    def changes(self, entry: Entry) -> dict[str, Any]:
        record = self.judge.record
        last = record.logs[self.seat].entries[-1].seen
        others = [at for at in range(len(last)) if at != self.seat]
        seen = list(entry.seen)
        for at in others[:-1]:
            seen[at] = last[at]
        return {"seen": tuple(seen), "heads": record.heads(seen)}


class NamesOtherHeads(Envelope):
    def changes(self, entry: Entry) -> dict[str, Any]:
        return {"heads": bytes(32)}


class NamesWhatIsNotThere(Envelope):
    def changes(self, entry: Entry) -> dict[str, Any]:
        return {
            "seen": tuple(n + (s != self.seat) for s, n in enumerate(entry.seen)),
        }


class SkipsANumber(Envelope):
    """Its chain has a gap that nobody can fill."""

    def changes(self, entry: Entry) -> dict[str, Any]:
        return {"seq": entry.seq + 1, "prev": b"a gap" + bytes(27)}


class NumbersItFarAhead(Envelope):
    def changes(self, entry: Entry) -> dict[str, Any]:
        return {"seq": ENTRIES_MAX, "prev": bytes(32)}


class Forker(Liar):
    """Has two good entries for one number."""

    def moment(self) -> Forged | None:
        raise NotImplementedError

    def other(self, entry: Entry) -> Entry:
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


# -- a deck prepared ahead -----------------------------------------------------------


class AheadOfTime(Liar):
    """Cheats in the next deck while one is played, and goes on playing that one."""

    goes_on = True

    @property
    def ahead(self) -> bool:
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


# -- what proves nothing ---------------------------------------------------------------


class ReadyForAnotherPlan(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (kind, (0, bytes(32))) if kind is Kind.READY else None


class Silent(Liar):
    """Signs nothing once it has seen its hand."""

    def moment(self) -> Forged | None:
        return (Kind.ACT, ()) if self.playing else None

    def say(self, entry: Entry) -> Findings:
        self.lied = True
        return Findings()


class ReadyForAnotherPlanAhead(AheadOfTime):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.READY or cast("Any", body)[0] != 1 or not self.ahead:
            return None
        return kind, (1, bytes(32))


class GoesOnAfterACheatAhead(CommitsTwiceToAFinishedDeck):
    """Wants the cards of the next deck although it has spoiled it."""

    wanted = False

    def _owed(self) -> Findings | None:
        owed = super()._owed()
        deck = self.judge.deck
        if owed is not None or deck is None or deck.number != 1 or self.wanted:
            return owed
        self.wanted = True
        positions = deck.owed_positions(0, self.seat)
        parts, proof = self.opening_of(positions, Kind.SHARES)
        # Its own judge would not let this stand, so it is only sent.
        return Findings(added=(self.signed(Kind.SHARES, (1, 0, parts, proof)),))
