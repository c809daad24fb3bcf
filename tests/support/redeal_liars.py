"""Liars at a deal that has to be dealt again, by the card that lies face up.

Of the catalogue of `tests.support.liars`; each is a class named by what it does.
"""

from typing import Any, cast

from protocol.codec import Value
from protocol.entry import Kind
from protocol.game import Over
from tests.support.malice import Forged, Liar


class AtARedeal(Liar):
    """Does something else where the seed of a deck that is not played is due."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        deck = self.judge.deck
        again = deck is not None and deck.game.over() is Over.REDEAL
        return self.instead(kind, cast("Any", body)) if again else None

    def instead(self, kind: Kind, body: tuple[Any, ...]) -> Forged | None:
        """What it signs."""
        raise NotImplementedError


class PlaysADealThatIsDealtAgain(AtARedeal):
    """Has a good hand, and plays."""

    def instead(self, kind: Kind, body: tuple[Any, ...]) -> Forged | None:
        if kind is not Kind.REVEAL:
            return None
        return self.act_on(self.dealt.owned_by(self.seat)[0])


class DealsTheSameDeckAgain(AtARedeal):
    """Commits once more to the deck whose table card all have seen."""

    def instead(self, kind: Kind, body: tuple[Any, ...]) -> Forged | None:
        if kind is not Kind.COMMIT:
            return None
        commit = self.dealt.shuffling.commits[self.seat]
        assert commit is not None
        return kind, commit.body


class SkipsADeckAtARedeal(AtARedeal):
    """Commits to the deck after the next."""

    def instead(self, kind: Kind, body: tuple[Any, ...]) -> Forged | None:
        return (kind, (body[0] + 1, body[1])) if kind is Kind.COMMIT else None


class SharesTheSpentDeckAgain(AtARedeal):
    """Gives its shares of the deck that is not played once more."""

    def instead(self, kind: Kind, body: tuple[Any, ...]) -> Forged | None:
        if kind is not Kind.REVEAL:
            return None
        return Kind.SHARES, self.dealt.share_entries[0, self.seat].body


class TakesTheSeedOfTheSpentDeck(AtARedeal):
    """Repeats for the next deck all that it has committed to for this one."""

    def instead(self, kind: Kind, body: tuple[Any, ...]) -> Forged | None:
        if kind is not Kind.KEY:
            return None
        old = self.dealt.shuffling.key_entries[self.seat]
        assert old is not None
        return kind, (body[0], *cast("Any", old.body)[1:])
