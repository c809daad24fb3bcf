"""A small card game with everything that dealing must carry.

A face-up card that may force a redeal, hands, a draw after every play, and a
declaration that opens a hand. Two cards a seat and one face up; a face-up value below
`redeals` is dealt again. In turn a seat plays one card, or first declares its hand. The
deal ends when all is played; the match after `deals` deals, or with `ends_early` after
the first, as by points. The highest card may not be played first, so that a game can
refuse; with `lowest_first` who is dealt the lowest must begin with it, which shows only
when that card is seen, or with `shown_late` only when all cards are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from protocol.crypto.hashing import H
from protocol.game import FACE_UP, Game, Over, Refusal, Round
from protocol.roster import Terms

PLAY = (0,)
DECLARE = (1,)
HAND = 2


@dataclass(frozen=True, slots=True)
class ToyGame:
    seats: int
    positions: int
    deals: int
    redeals: int
    lowest_first: bool = False
    ends_early: bool = False
    shown_late: bool = False
    deal: int = 0
    dealer: int = 0
    acts: int = 0
    plays: tuple[tuple[int, int], ...] = ()
    known: tuple[tuple[int, int], ...] = ()

    @property
    def values(self) -> dict[int, int]:
        return dict(self.known)

    def rounds(self) -> Sequence[Round]:
        start = 1 + HAND * self.seats
        rounds = [Round(start, 0)]
        done = 0
        for act in range(len(self.history)):
            if self.history[act] and start + done < self.positions:
                done += 1
                rounds.append(Round(start + done, act + 1))
        return rounds

    @property
    def history(self) -> tuple[bool, ...]:
        """For every act, whether it was a play."""
        marks = dict(self.plays)
        return tuple(act in marks for act in range(self.acts))

    def owners(self) -> Sequence[int]:
        order = [(self.dealer + 1 + step) % self.seats for step in range(self.seats)]
        first = [FACE_UP, *(seat for seat in order for _ in range(HAND))]
        drawn = [order[turn % self.seats] for turn in range(len(self.rounds()) - 1)]
        return [*first, *drawn]

    def turn(self) -> int | None:
        if self.over() is not None or 0 not in self.values:
            return None
        return (self.dealer + 1 + len(self.plays)) % self.seats

    def opened(self, cards: Mapping[int, int]) -> Game | Refusal:
        lowest = [position for position, value in cards.items() if value == 0]
        if not self.shown_late and any(map(self._owes_the_lowest, lowest)):
            return Refusal("the lowest card has to be played first")
        known = {**self.values, **cards}
        return replace(self, known=tuple(sorted(known.items())))

    def _owes_the_lowest(self, position: int) -> bool:
        """Whether the owner of a card had it when it played another of its hand."""
        if not self.lowest_first or position >= 1 + HAND * self.seats:
            return False
        owner = self.owners()[position]
        return any(self.owners()[at] == owner for _, at in self.plays)

    def _keeps_the_lowest(self, seat: int, position: int) -> bool:
        """Whether a seat that is known to hold the lowest plays another card."""
        lowest = next((at for at, value in self.known if value == 0), 0)
        first_hand = 0 < lowest < 1 + HAND * self.seats
        if not first_hand or lowest in {at for _, at in self.plays}:
            return False
        return lowest != position and self.owners()[lowest] == seat

    def accept(
        self, seat: int, positions: Sequence[int], statement: object
    ) -> Game | Refusal:
        if seat != self.turn():
            return Refusal("not the seat whose turn it is")
        if statement == DECLARE:
            return replace(self, acts=self.acts + 1)
        played = {position for _, position in self.plays}
        if statement != PLAY or len(positions) != 1 or positions[0] in played:
            return Refusal("a play is one card that is still held")
        if not self.plays and self.values[positions[0]] == self.positions - 1:
            return Refusal("the highest card may not be played first")
        if self.shown_late and self._keeps_the_lowest(seat, positions[0]):
            return Refusal("the lowest card has to be played first")
        play = (self.acts, positions[0])
        return replace(self, acts=self.acts + 1, plays=(*self.plays, play))

    def over(self) -> Over | None:
        if self.values.get(0, self.redeals) < self.redeals:
            return Over.REDEAL
        if len(self.plays) < self.positions - 1:
            return None
        last = self.ends_early or self.deal + 1 == self.deals
        return Over.MATCH if last else Over.SCORED

    def next_deck(self) -> "ToyGame":
        fresh = self.dealt_again()
        if self.over() is Over.REDEAL:
            return fresh
        dealer = (self.dealer + 1) % self.seats
        return replace(fresh, deal=self.deal + 1, dealer=dealer)

    def dealt_again(self) -> "ToyGame":
        return replace(self, acts=0, plays=(), known=())

    def plan(self) -> bytes:
        return H("toy.plan", self.deal, self.dealer)

    def next_plan(self) -> bytes | None:
        if 0 not in self.values or self.over() is Over.REDEAL:
            return None
        if self.deal + 1 == self.deals:
            return None
        return H("toy.plan", self.deal + 1, (self.dealer + 1) % self.seats)

    def digest(self) -> bytes:
        return H("toy.state", repr(self))[:16]


def toy_opening(
    *,
    deals: int = 1,
    redeals: int = 0,
    lowest_first: bool = False,
    ends_early: bool = False,
    shown_late: bool = False,
) -> Callable[[Terms, bytes], Game]:
    """The opening of a toy match."""

    def opening(terms: Terms, table: bytes) -> Game:
        dealer = table[0] % terms.seats
        return ToyGame(
            terms.seats,
            terms.positions,
            deals,
            redeals,
            lowest_first,
            ends_early,
            shown_late,
            dealer=dealer,
        )

    return opening
