"""Liars around leaving a match and calling a deal void.

Of the catalogue of `tests.support.liars`; each is a class named by what it does. Some
need others that leave: `table_of` says at which table a liar is to be seated.
"""

from typing import cast

from protocol.codec import Value
from protocol.entry import Entry, Kind
from protocol.judge import Findings
from protocol.party import Party
from tests.support.chain_liars import ForkedCompany, Forker
from tests.support.malice import Company, Forged, Liar
from tests.support.parties import Choose


class Leaves(Liar):
    """Honestly signs a word of leaving, once it holds cards; then lies about it."""

    word = Kind.RESIGN
    said_it = False

    def _owed(self) -> Findings | None:
        owed = super()._owed()
        if owed is None and self.playing and not self.said_it and self.can(self.word):
            self.said_it = True
            return self._owed_wish(self.word)
        return owed

    def moment(self) -> Forged | None:
        return self.lies() if self.said_it else None

    def lies(self) -> Forged | None:
        """What to sign once it has said its word."""
        raise NotImplementedError


class HearsOfAResignation(Liar):
    """Lies when another has given the match up."""

    def moment(self) -> Forged | None:
        course = self.judge.course
        others = {*course.given_up} - {self.seat}
        owed = course.leaving.owes_acceptance(self.seat)
        return self.lies() if others and not owed else None

    def lies(self) -> Forged | None:
        """What to sign after it has accepted."""
        raise NotImplementedError


class HearsOfAVoid(Liar):
    """Lies when another has called the deal void."""

    def moment(self) -> Forged | None:
        return self.lies() if self.playing and self.can(Kind.REFUSE) else None

    def lies(self) -> Forged | None:
        """What to sign instead of an answer."""
        raise NotImplementedError


class HearsOfARefusal(Liar):
    """Lies when another has called the deal void, and a third has refused."""

    def moment(self) -> Forged | None:
        deck = self.judge.deck
        if deck is None or deck.over or not deck.voids.refused(len(deck.acts)):
            return None
        return self.lies()

    def lies(self) -> Forged | None:
        """What to sign about what is dead."""
        raise NotImplementedError


class GivenUp(Company):
    """The first of the honest seats gives the match up when it holds cards."""

    word = Kind.RESIGN
    said_it = False

    def _act(self, party: Party, choose: Choose) -> bool:
        deck = party.judge.deck
        first = party is self.honest[0] and not self.said_it
        if first and deck is not None and deck.stands and party.can(self.word):
            self.said_it = True
            self.take(party.seat, party.tell(self.word))
            return True
        return super()._act(party, choose)


class CalledVoid(GivenUp):
    """The first of the honest seats calls the deal void; the others answer."""

    word = Kind.VOID
    answer = Kind.VOID

    def _act(self, party: Party, choose: Choose) -> bool:
        honest = party is not self.liar
        if honest and party.can(Kind.REFUSE):
            self.take(party.seat, party.tell(self.answer))
            return True
        return super()._act(party, choose)

    def may_act(self, party: Party) -> bool:
        deck = party.judge.deck
        bound = deck is not None and party.seat in deck.bound
        return super().may_act(party) and not bound


class RefusedVoid(CalledVoid):
    """The same where the others refuse."""

    answer = Kind.REFUSE


def table_of(liar: type[Liar]) -> type[Company]:
    """The table at which a liar's moment comes."""
    if issubclass(liar, Forker):
        return ForkedCompany
    if issubclass(liar, HearsOfAResignation):
        return GivenUp
    if issubclass(liar, HearsOfARefusal):
        return RefusedVoid
    return CalledVoid if issubclass(liar, HearsOfAVoid) else Company


# -- given up --------------------------------------------------------------------


class PlaysOnAfterResigning(Leaves):
    def lies(self) -> Forged | None:
        return self.act_on(min(self.cards()))


class ResignsTwice(Leaves):
    def lies(self) -> Forged | None:
        return Kind.RESIGN, ()


class AcceptsItsOwnResignation(Leaves):
    def lies(self) -> Forged | None:
        return Kind.ACCEPT, ()


class RevealsAfterResigning(Leaves):
    """Shows what it held, and what it had done to the deck."""

    def lies(self) -> Forged | None:
        return Kind.REVEAL, (0, self._seed(0), ())


class CommitsAfterResigning(Leaves):
    def lies(self) -> Forged | None:
        return Kind.COMMIT, (len(self.judge.course.shufflings), bytes(32))


class AcceptsNothing(Liar):
    def moment(self) -> Forged | None:
        return (Kind.ACCEPT, ()) if self.playing else None


class ResignsWithABody(Liar):
    def moment(self) -> Forged | None:
        return (Kind.RESIGN, (0,)) if self.playing else None


class ResignsAfterTheEnd(Liar):
    """Does not want to have lost."""

    def moment(self) -> Forged | None:
        over = self.judge.course.match_over and not self.settled
        return (Kind.RESIGN, ()) if over else None


class PlaysOnWhenAnotherHasResigned(HearsOfAResignation):
    def lies(self) -> Forged | None:
        return self.act_on(min(self.cards())) if self.cards() else None


class AcceptsTwice(HearsOfAResignation):
    def lies(self) -> Forged | None:
        return Kind.ACCEPT, ()


class ResignsWhenAnotherHas(HearsOfAResignation):
    """Does not want to have won."""

    def lies(self) -> Forged | None:
        return Kind.RESIGN, ()


class AdjournsWhenAnotherHasResigned(HearsOfAResignation):
    def lies(self) -> Forged | None:
        return Kind.ADJOURN, ()


class TakesItsResignationBack(Forker):
    """Gives the match up to some, and only adjourns to others."""

    def moment(self) -> Forged | None:
        return (Kind.RESIGN, ()) if self.playing else None

    def other(self, entry: Entry) -> Entry:
        return self.resigned(entry, kind=int(Kind.ADJOURN))


# -- adjourned -------------------------------------------------------------------


class AdjournsTwice(Leaves):
    word = Kind.ADJOURN

    def _owed(self) -> Findings | None:
        self._away = False
        return super()._owed()

    def lies(self) -> Forged | None:
        return Kind.ADJOURN, ()


class AdjournsAfterTheEnd(Liar):
    def moment(self) -> Forged | None:
        over = self.judge.course.match_over and not self.settled
        return (Kind.ADJOURN, ()) if over else None


# -- void ------------------------------------------------------------------------


class CallsForAVoid(Liar):
    """Calls a deal void and says something wrong about it."""

    def moment(self) -> Forged | None:
        deck = self.judge.deck
        if not self.playing or deck is None or deck.over:
            return None
        return self.calls(deck.number, len(deck.acts), deck.game.digest())

    def calls(self, deck: int, plays: int, state: bytes) -> Forged | None:
        raise NotImplementedError


class CallsAnEarlierStateVoid(CallsForAVoid):
    """Wants to take back what was played since."""

    def calls(self, deck: int, plays: int, state: bytes) -> Forged | None:
        if not plays:
            return None
        return Kind.VOID, (deck, plays - 1, self.dealt.games[-2].digest())


class CallsALaterStateVoid(CallsForAVoid):
    def calls(self, deck: int, plays: int, state: bytes) -> Forged | None:
        return Kind.VOID, (deck, plays + 1, state)


class CallsAnotherStateVoid(CallsForAVoid):
    def calls(self, deck: int, plays: int, state: bytes) -> Forged | None:
        return Kind.VOID, (deck, plays, bytes(16))


class RefusesWhatNobodyAsks(CallsForAVoid):
    def calls(self, deck: int, plays: int, state: bytes) -> Forged | None:
        return Kind.REFUSE, (deck, plays)


class CallsAFinishedDealVoid(Liar):
    """Does not want the deal to count that it has lost."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.REVEAL:
            return None
        deck = self.judge.decks[cast("tuple[int]", body)[0]]
        return Kind.VOID, (deck.number, len(deck.acts), deck.game.digest())


class CallsADealVoidBeforeItLies(Liar):
    """Before the face-up card is open there is nothing to be undone."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHARES:
            return None
        return Kind.VOID, (0, 0, self.dealt.game.digest())


class CallsVoidAndPlaysOn(Leaves):
    word = Kind.VOID

    def lies(self) -> Forged | None:
        return self.act_on(min(self.cards()))


class CallsVoidTwice(Leaves):
    word = Kind.VOID

    def lies(self) -> Forged | None:
        deck = self.dealt
        return Kind.VOID, (deck.number, len(deck.acts), deck.game.digest())


class CallsVoidAndRefuses(Leaves):
    word = Kind.VOID

    def lies(self) -> Forged | None:
        return Kind.REFUSE, (self.dealt.number, len(self.dealt.acts))


class RevealsAfterCallingVoid(Leaves):
    """Wants the others' cards before all have agreed."""

    word = Kind.VOID

    def lies(self) -> Forged | None:
        return Kind.REVEAL, (0, self._seed(0), ())


class RefusesAnotherProposal(HearsOfAVoid):
    def lies(self) -> Forged | None:
        return Kind.REFUSE, (self.dealt.number, len(self.dealt.acts) + 1)


class RefusesTwice(HearsOfAVoid):
    """Says no, and no again."""

    refused = False

    def _owed(self) -> Findings | None:
        owed = super()._owed()
        if owed is None and self.playing and not self.refused and self.can(Kind.REFUSE):
            self.refused = True
            return self._owed_wish(Kind.REFUSE)
        return owed

    def moment(self) -> Forged | None:
        return self.lies() if self.refused else None

    def lies(self) -> Forged | None:
        return Kind.REFUSE, (self.dealt.number, len(self.dealt.acts))


class AgreesAfterRefusing(RefusesTwice):
    """Wants to see the others' cards, and not to have the deal undone."""

    def lies(self) -> Forged | None:
        deck = self.dealt
        return Kind.VOID, (deck.number, len(deck.acts), deck.game.digest())


class AgreesToAVoid(HearsOfAVoid):
    """Says honestly that the deal does not count, once another has."""

    agreed = False

    def _owed(self) -> Findings | None:
        owed = super()._owed()
        if owed is None and self.playing and not self.agreed and self.can(Kind.REFUSE):
            self.agreed = True
            return self._owed_wish(Kind.VOID)
        return owed

    def lies(self) -> Forged | None:
        return None


class AgreesToWhatIsRefused(HearsOfARefusal):
    def lies(self) -> Forged | None:
        deck = self.dealt
        return Kind.VOID, (deck.number, len(deck.acts), deck.game.digest())


class RefusesWhatIsRefused(HearsOfARefusal):
    def lies(self) -> Forged | None:
        return Kind.REFUSE, (self.dealt.number, len(self.dealt.acts))


class PlaysOnAVoidDeal(AgreesToAVoid):
    """Agrees that the deal does not count, and then wants it to."""

    def _owed_reveal(self) -> Findings | None:
        return None if self.agreed else super()._owed_reveal()

    def moment(self) -> Forged | None:
        deck = self.judge.decks[0] if self.agreed else None
        if deck is None or not deck.void or self.lied:
            return None
        return Kind.ACT, (0, (), (), None, (0,), deck.game.digest())


class IsNotReadyAgain(AgreesToAVoid):
    """After a void gives its shares by what it had said of the next deal."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        deck = self.judge.deck
        again = self.agreed and deck is not None and deck.number == 1
        if not again or kind is not Kind.READY or cast("tuple[int]", body)[0] != 1:
            return None
        positions = self.dealt.owed_positions(0, self.seat)
        parts, proof = self.opening_of(positions, Kind.SHARES)
        return Kind.SHARES, (1, 0, parts, proof)
