"""The course of a match: all that the entries so far come to, as everybody sees it.

Terms signed, the joint coin, decks in making, decks dealt and what is played on them.
`check` judges an entry of a seat in the view that it names; `accept` folds it in. Who
is blamed for what, and what waits for what, is the `Judge`'s.
"""

from collections.abc import Callable
from typing import Final, cast

from protocol.bodies import Coin, Verdict, deck_number, said, shapes
from protocol.codec import Malformed
from protocol.crypto.group import Suite
from protocol.deck import Broken, Deck
from protocol.entry import Entry, Kind, read_entry
from protocol.faults import Disagreement, Fault, Reason
from protocol.game import Game, Over
from protocol.leaving import AFTERWARDS, LEAVING, Leaving
from protocol.roster import Terms, coin_commitment, table_id
from protocol.shuffling import Check, Shuffling, all_covered, plan_hash

Opening = Callable[[Terms, bytes], Game]
"""The first game of a match, from its terms and its table id."""

MAKING: Final = frozenset({Kind.COMMIT, Kind.KEY, Kind.SHUFFLE, Kind.PROOF, Kind.READY})


class Wait:
    """An entry cannot be judged yet."""


WAIT: Final = Wait()


class Course:
    """A match between the seats of `terms`, as far as it has come."""

    def __init__(
        self, suite: Suite, terms: Terms, nonce: bytes, opening: Opening
    ) -> None:
        self.suite = suite
        self.terms = terms
        self.seats = terms.seats
        self.table_id: bytes | None = None
        self.start: Game | None = None
        self.shufflings: list[Shuffling] = []
        self.decks: list[Deck] = []
        self.leaving = Leaving(terms.seats)
        self._differing: Disagreement | None = None
        self._nonce = nonce
        self.opening = opening
        self._tables: list[Entry] = []
        self._coins: dict[int, bytes] = {}
        self._shapes = shapes(terms.seats, terms.positions)

    @property
    def deck(self) -> Deck | None:
        """The deck that is played now, or was last."""
        return self.decks[-1] if self.decks else None

    @property
    def tables_signed(self) -> bool:
        """Whether every seat has signed the terms."""
        return len(self._tables) == self.seats

    @property
    def match_over(self) -> bool:
        """Whether the last deal has been played."""
        deck = self.deck
        return deck is not None and deck.game.over() is Over.MATCH

    @property
    def given_up(self) -> tuple[int, ...]:
        """The seats that have resigned, if that has ended the match.

        What all have played to its end is not given up any more.
        """
        return () if self.match_over else tuple(sorted(self.leaving.resignations))

    @property
    def ended(self) -> bool:
        """Whether nothing more is played: all has been, or the match is given up."""
        return self.match_over or bool(self.given_up)

    @property
    def disagreement(self) -> Disagreement | None:
        """What the seats differ on; of a deck made ahead, once its turn comes (F19)."""
        found = self._differing
        if found is None or found.deck == 0:
            return found
        before = self.decks[found.deck - 1]
        # After the last deal of a match no deck is dealt that could be differed on.
        due = before.game.over() in {Over.REDEAL, Over.SCORED} or before.void
        return found if before.lost or due else None

    def disagree(self, number: int) -> None:
        """Note that honest seats differ on a deck: nobody is to blame."""
        self._differing = self._differing or Disagreement(number)

    @property
    def verified(self) -> bool:
        """Whether every finished deck has been replayed from its seeds and found right.

        A seat that never reveals one can have stacked it, so a match is not won before.
        """
        return all(deck.verified for deck in self.finished)

    @property
    def finished(self) -> list[Deck]:
        """The decks on which nothing more is played: all but the last, at least."""
        return [deck for deck in self.decks if deck.over]

    @property
    def won(self) -> bool:
        """Whether the last deal is played and every deck replayed: so it stays (F8)."""
        return self.match_over and self.verified

    @property
    def confirmed(self) -> bool:
        """Whether the match is won or given up, and every seat has signed so.

        For every deck that is finished; of a resignation, that it knows.
        """
        signed = all(len(deck.verdicts) == self.seats for deck in self.finished)
        return self.end_known and self.verified and signed

    def is_late(self, fault: Fault) -> bool:
        """Whether a fault takes nothing away from how the match has ended (F8).

        So it is with all that is proven of a match that is won; and with what a seat
        signs that has given the match up, and knows it.
        """
        if fault.seat not in self.given_up:
            return self.won
        return all(map(self.leaving.given_up_in, map(read_entry, fault.evidence)))

    @property
    def unsigned(self) -> tuple[int, ...]:
        """The seats that owe their word on how the match ended, or a deal of it."""
        left = self.leaving.owes_acceptance if self.given_up else lambda _: False
        return tuple(
            seat
            for seat in range(self.seats)
            if left(seat) or any(seat not in deck.verdicts for deck in self.finished)
        )

    @property
    def end_known(self) -> bool:
        """Whether the match is over, and nothing can come that ends it otherwise."""
        return self.match_over or self.leaving.accepted

    def plan_of(self, number: int) -> bytes | None:
        """What deck `number` is for, as far as it is certain now."""
        if self.start is None:
            return None
        if number == 0:
            return self.start.plan()
        if number > len(self.decks):
            return None
        before = self.decks[number - 1]
        if before.lost or not before.stands:
            return None
        return _next_plan(before.game, again=before.void)

    def voided_before(
        self, number: int, view: Entry | None = None
    ) -> tuple[Entry, ...]:
        """Every seat's word that made the deal of the deck before this one void.

        () if it was not, in a view or now.
        """
        return self.decks[number - 1].voids.agreed(view) if number else ()

    def played_in(self, view: Entry) -> int | None:
        """The deck that was being played in that view, None between two."""
        for deck in reversed(self.decks):
            if self._dealt_in(view, deck.number):
                return None if deck.over_in(view) else deck.number
        return None

    def _match_over_in(self, view: Entry) -> bool:
        """Whether the last deal had been played in that view."""
        return self.match_over and self.decks[-1].over_in(view)

    def _dealt_in(self, view: Entry, number: int) -> bool:
        """Whether deck `number` lay on the table in that view."""
        if number >= len(self.decks):
            return False
        proven = self.shufflings[number].proven_in(view)
        return proven and (number == 0 or self.decks[number - 1].over_in(view))

    def check(self, entry: Entry) -> Check | Wait:
        """Whether an entry may stand in the view it names (D4)."""
        if not self._well_formed(entry):
            return Reason.MALFORMED
        due = {0: Kind.TABLE, 1: Kind.COIN}.get(entry.seq, entry.kind)
        if entry.kind != due or (entry.seq > 1 and due in {Kind.TABLE, Kind.COIN}):
            return Reason.OUT_OF_ORDER
        if entry.kind not in AFTERWARDS and self.leaving.given_up_in(entry):
            return Reason.GIVEN_UP
        if entry.kind in LEAVING:
            return self.leaving.check(entry, over=self._match_over_in(entry))
        if entry.kind in MAKING:
            return self._check_making(entry)
        return self._check_other(entry)

    def _check_other(self, entry: Entry) -> Check | Wait:
        """The same of all but what makes a deck, or leaves."""
        match entry.kind:
            case Kind.TABLE:
                # The same bytes in every life of a seat, whatever it has seen.
                same = entry.body == self.terms.body() and not any(entry.seen)
                return None if same else Reason.MALFORMED
            case Kind.COIN:
                return self._check_coin(entry)
            case Kind.VERDICT:
                return self._check_verdict(entry)
            case Kind.RESUMED:
                return None
            case _:
                return self._check_dealt(entry)

    def _well_formed(self, entry: Entry) -> bool:
        shape = self._shapes.get(entry.kind)
        try:
            if shape is not None:
                shape.check(entry.body)
        except Malformed:
            return False
        return shape is not None

    def _check_coin(self, entry: Entry) -> Check:
        if len(self._tables) < self.seats or not all_covered(entry, self._tables):
            return Reason.OUT_OF_ORDER
        coin = said(entry, Coin).coin
        key = self.terms.keys[entry.seat]
        committed = coin_commitment(self._nonce, key, coin)
        if committed != self.terms.commitments[entry.seat]:
            return Reason.WRONG_COIN
        return None

    def _check_making(self, entry: Entry) -> Check:
        number = deck_number(entry)
        if number > len(self.shufflings):
            return Reason.OUT_OF_ORDER
        plan = self._plan_in(entry, number)
        if number == len(self.shufflings):
            if entry.kind != Kind.COMMIT or plan is None:
                return Reason.OUT_OF_ORDER
            return None
        if entry.kind == Kind.COMMIT and plan is None:
            return Reason.OUT_OF_ORDER
        since = self.voided_before(number, entry) if plan is not None else ()
        return self.shufflings[number].check(entry, plan, since)

    def _plan_in(self, view: Entry, number: int) -> bytes | None:
        """What deck `number` is for, as far as it was certain in that view."""
        if number == 0:
            return self.start.plan() if self.start else None
        if not self._dealt_in(view, number - 1):
            return None
        before = self.decks[number - 1]
        if before.spoiled_in(view) or not before.stands_in(view):
            return None
        return _next_plan(before.game_in(view), again=bool(before.voids.agreed(view)))

    def _check_dealt(self, entry: Entry) -> Check:
        number = deck_number(entry)
        if not self._dealt_in(entry, number):
            return Reason.OUT_OF_ORDER
        since = self.voided_before(number, entry)
        if not self.shufflings[number].ready_in(entry, since):
            return Reason.OUT_OF_ORDER
        owing = number and entry.seat not in self.decks[number - 1].reveals
        if owing and entry.kind == Kind.SHARES:
            # No card of a deck for who has not opened its part of the one before.
            return Reason.OUT_OF_ORDER
        return self.decks[number].check(entry)

    def _check_verdict(self, entry: Entry) -> Check | Wait:
        number, digest, blamed = said(entry, Verdict)
        if number >= len(self.decks):
            return Reason.OUT_OF_ORDER
        deck = self.decks[number]
        if entry.seat in deck.verdicts:
            return Reason.TWICE
        reveals = [deck.reveals.get(seat) for seat in range(self.seats)]
        if not all_covered(entry, reveals):
            return Reason.OUT_OF_ORDER
        if deck.replayed is None:
            return WAIT
        if (digest, blamed) != (deck.game_in(entry).digest(), deck.replayed.blamed):
            return Reason.WRONG_VERDICT
        return None

    # -- folding -------------------------------------------------------------

    def accept(self, entry: Entry, result: object) -> Reason | Broken | None:
        """Fold an entry in, given the result of its work; or what is wrong with it."""
        refused = self._fold(entry, result)
        if refused is None:
            self.leaving.accept(entry)
            self._deal_next()
        return refused

    def _fold(self, entry: Entry, result: object) -> Reason | Broken | None:
        match entry.kind:
            case Kind.TABLE:
                self._tables.append(entry)
            case Kind.COIN:
                self._accept_coin(entry)
            case Kind.VERDICT:
                self.decks[deck_number(entry)].verdicts[entry.seat] = entry
            case kind if kind in LEAVING or kind == Kind.RESUMED:
                pass
            case kind if kind in MAKING:
                return self._accept_making(entry, result)
            case _:
                return self.decks[deck_number(entry)].accept(entry, result)
        return None

    def _accept_coin(self, entry: Entry) -> None:
        self._coins[entry.seat] = said(entry, Coin).coin
        if len(self._coins) == self.seats:
            coins = [self._coins[seat] for seat in range(self.seats)]
            table = table_id(self.terms, self._nonce, coins)
            self.table_id = table
            self.start = self.opening(self.terms, table)

    def _accept_making(self, entry: Entry, result: object) -> Reason | None:
        number = deck_number(entry)
        if number == len(self.shufflings):
            self.shufflings.append(
                Shuffling(
                    self.suite,
                    cast("bytes", self.table_id),
                    number,
                    self.seats,
                    self.terms.positions,
                )
            )
        if entry.kind == Kind.READY:
            plan = cast("bytes", self._plan_in(entry, number))
            if entry.body != (number, plan_hash(number, plan)):
                self.disagree(number)
        return self.shufflings[number].accept(entry, result)

    def _deal_next(self) -> None:
        """Lay the next deck on the table once it is proven and its turn has come."""
        number = len(self.decks)
        if number >= len(self.shufflings) or not self.shufflings[number].proven:
            return
        game = self.start
        if number:
            before = self.decks[number - 1]
            if before.lost or not before.over or self.match_over:
                return
            game = before.game
            game = game.dealt_again() if before.void else game.next_deck()
        if game is not None:
            self.decks.append(Deck(self.shufflings[number], game))


def _next_plan(game: Game, *, again: bool) -> bytes | None:
    """What the deck after this game's is for; `again` if this deal does not count."""
    if again:
        return game.dealt_again().plan()
    match game.over():
        case None:
            return game.next_plan()
        case Over.MATCH:
            return None
        case _:
            return game.next_deck().plan()
