"""Liars that are honest until all is played, and sign something false then.

Of the catalogue of `tests.support.liars`; each is a class named by what it does.
"""

from typing import Any, cast

from protocol.codec import Value
from protocol.entry import Entry, Kind
from protocol.judge import Findings
from tests.support.malice import Forged, Liar


class AfterTheEnd(Liar):
    """Lets all confirm the result, and signs something more."""

    def moment(self) -> Forged | None:
        return self.more() if self.judge.course.confirmed else None

    def more(self) -> Forged:
        """What else it signs."""
        number = self.dealt.number
        return Kind.VERDICT, (number, self.dealt.game.digest(), ())


class ConfirmsTwice(AfterTheEnd):
    """Signs the right result once more."""


class TakesItsResultBack(AfterTheEnd):
    """Signs another result than the one that it has signed."""

    def more(self) -> Forged:
        return Kind.VERDICT, (self.dealt.number, bytes(16), (self.next_seat,))


class PlaysOn(AfterTheEnd):
    """Plays a card of its own once more."""

    def more(self) -> Forged:
        return self.act_on(self.dealt.owned_by(self.seat)[0])


class BeginsAnotherDeck(AfterTheEnd):
    """Commits to a deck that nobody will deal."""

    def more(self) -> Forged:
        return Kind.COMMIT, (len(self.judge.course.shufflings), bytes(32))


class RevealsADeckThatWasNeverDealt(AfterTheEnd):
    """Shows the seed of a deck that was made ahead in vain, or not at all."""

    def more(self) -> Forged:
        number = self.dealt.number + 1
        return Kind.REVEAL, (number, self._seed(number), ())


class ResignsWhenItIsOver(AfterTheEnd):
    """Gives up a match that all have played to its end."""

    def more(self) -> Forged:
        return Kind.RESIGN, ()


class BreaksItsChainWhenItIsOver(AfterTheEnd):
    def say(self, entry: Entry) -> Findings:
        return super().say(self.resigned(entry, prev=bytes(32)))


class ForgetsWhenItIsOver(AfterTheEnd):
    def say(self, entry: Entry) -> Findings:
        nothing = tuple(n if s == self.seat else 0 for s, n in enumerate(entry.seen))
        return super().say(self.resigned(entry, seen=nothing))


class ShowsAnotherPlayWhenItIsOver(AfterTheEnd):
    """Signs another play with the number of its last one, when all is confirmed."""

    def say(self, entry: Entry) -> Findings:
        mine = self.judge.record.logs[self.seat].entries
        (*_, play) = (one for one in mine if one.kind == Kind.ACT)
        number, *rest = cast("Any", play.body)
        return super().say(self.resigned(play, body=(number, *rest[:-1], bytes(16))))


class ShowsAnotherVerdictWhenItIsOver(AfterTheEnd):
    def say(self, entry: Entry) -> Findings:
        last = self.judge.record.logs[self.seat].entries[-1]
        return super().say(self.resigned(last, body=entry.body))

    def more(self) -> Forged:
        return Kind.VERDICT, (self.dealt.number, bytes(16), ())


AFTER_THE_END: tuple[type[AfterTheEnd], ...] = (
    ConfirmsTwice,
    TakesItsResultBack,
    PlaysOn,
    BeginsAnotherDeck,
    RevealsADeckThatWasNeverDealt,
    ResignsWhenItIsOver,
    BreaksItsChainWhenItIsOver,
    ForgetsWhenItIsOver,
    ShowsAnotherPlayWhenItIsOver,
    ShowsAnotherVerdictWhenItIsOver,
)


class InsteadOfItsVerdict(Liar):
    """Signs something else where its verdict on the last deck is due."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.VERDICT or not self.judge.course.match_over:
            return None
        return self.instead(cast("Any", body))

    def instead(self, body: tuple[Any, ...]) -> Forged:
        """What it signs."""
        raise NotImplementedError


class DeniesTheResult(InsteadOfItsVerdict):
    def instead(self, body: tuple[Any, ...]) -> Forged:
        return Kind.VERDICT, (body[0], bytes(16), ())


class BlamesAnotherInTheEnd(InsteadOfItsVerdict):
    def instead(self, body: tuple[Any, ...]) -> Forged:
        return Kind.VERDICT, (*body[:2], (self.next_seat,))


class SharesInsteadOfItsVerdict(InsteadOfItsVerdict):
    def instead(self, body: tuple[Any, ...]) -> Forged:
        return Kind.SHARES, self.dealt.share_entries[0, self.seat].body


class SharesInsteadOfItsSeed(Liar):
    """Signs something else where its seed of the last deck is due."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.REVEAL or not self.judge.course.match_over:
            return None
        return Kind.SHARES, self.dealt.share_entries[0, self.seat].body


class KeepsBack(Liar):
    """Plays a deal out, and keeps back in the next one what others wait for."""

    def say(self, entry: Entry) -> Findings:
        self.lied = True
        return Findings()


class KeepsItsLastCard(KeepsBack):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.ACT or self.dealt.number != 1:
            return None
        held = [at for at in self.cards() if at not in self.dealt.opened]
        return None if len(held) > 1 else (kind, body)


class KeepsItsShareOfADrawnCard(KeepsBack):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHARES or self.dealt.number != 1:
            return None
        return (kind, body) if cast("Any", body)[1] else None
