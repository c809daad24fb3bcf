"""A seat through which all others reach each other, and which keeps back what it likes.

It says of who comes back that it holds less than it does, asks without having come
back, and sends round that it has, beside the entry that it signs in that place. What it
kept back it lets go later, in any order.
"""

from typing import Any

from protocol.entry import Kind, read_entry
from protocol.faults import Signed
from protocol.notes import Question, sign_note
from protocol.party import Party
from protocol.resumption import Resumption
from tests.support.malice import play_in_order
from tests.support.restarts import Mortal


class Grudging(Resumption):
    """Acknowledges as little as its own entries have named, so nothing shows it."""

    def _acknowledge(self, question: Question) -> None:
        super()._acknowledge(question)
        asker = question.asker
        ((note, _),) = self._answers[asker, self._seat]
        own = self._record.logs[self._seat].entries
        held = own[-1].seen[asker] if own else 0
        less = note._replace(held=held, head=self._record.logs[asker].head(held))
        answer = less, sign_note(self._identity, less)
        self._answers[asker, self._seat] = (answer,)


class Kept(Mortal):
    """A circle in which everything between two others passes through `keeper`."""

    def __init__(self, opening: Any, keeper: int, **named: Any) -> None:
        self._keeper = keeper
        self.kept: list[tuple[int, Signed]] = []
        super().__init__(opening, **named)

    @property
    def keeper(self) -> Party:
        """The one who keeps back."""
        return self.parties[self._keeper]

    @property
    def honest(self) -> list[Party]:
        """The others."""
        return [party for party in self.parties if party is not self.keeper]

    def seat_party(self, *arguments: Any) -> Party:
        """A grudging one in the keeper's seat."""
        party = super().seat_party(*arguments)
        if party.seat == self._keeper:
            party.resumption.__class__ = Grudging
        return party

    def send(self, author: int, signed: Signed) -> None:
        """Entries of the others reach the keeper alone."""
        for party in self.parties:
            if party.seat != author:
                through = self._keeper in {party.seat, author}
                (self.under_way if through else self.kept).append((party.seat, signed))

    def give(self, giver: int, taker: int) -> None:
        """On a new link, too, the others get from each other only notes."""
        before = len(self.under_way)
        super().give(giver, taker)
        if self._keeper not in {giver, taker}:
            self.kept += self.under_way[before:]
            del self.under_way[before:]

    def let_go(self) -> bool:
        """Pass on one thing that was kept back; False if there is none."""
        if not self.kept:
            return False
        self.under_way.append(self.kept.pop(self.luck.randrange(len(self.kept))))
        return True

    def ask_for_nothing(self) -> None:
        """The keeper asks although it has never been away."""
        party = self.keeper
        party.resumption._nonce = self.luck.randbytes(32)
        party.resumption._ask(len(party.judge.record.logs[party.seat].entries))
        self._pass_notes(party.seat)

    def come_back_beside(self) -> None:
        """Send one of the others that the keeper has come back, and go on as before."""
        party, record = self.keeper, self.keeper.judge.record
        body = party.resumption.body
        if body is None or record.table_id is None:
            return
        identity = party._secrets.identity
        entry = record.write(identity, party.seat, Kind.RESUMED, body)
        party.resumption.dismiss()
        self.kept.append((self.luck.choice(self.honest).seat, entry.signed))
        self.take(party.seat, party.begin())

    def lose_a_disk(self) -> None:
        """One of the others goes back to an older copy of its store."""
        seat = self.luck.choice(self.honest).seat
        stored = self.stored[seat]
        self.open(seat, stored[: self.luck.randrange(len(stored) + 1)])

    def happen(self, count: int) -> None:
        """Let so many things happen; what is kept back comes out slowly."""
        for _ in range(count):
            chance = self.luck.random()
            if chance < 0.01:
                self.lose_a_disk()
            elif chance < 0.02:
                self.ask_for_nothing()
            elif chance < 0.05:
                self.come_back_beside()
            elif chance < 0.3:
                self.let_go()
            elif not self.step():
                any(self._act(party, play_in_order) for party in self.parties)

    def let_all_go(self, steps_max: int = 20_000) -> None:
        """Pass on all that was kept back, and deliver everything."""
        for _ in range(steps_max):
            if not self.let_go() and not self.step():
                return
        raise AssertionError("the table does not come to rest")

    def may_act(self, party: Party) -> bool:
        """Whether a party has a choice to make, and may make it."""
        if party.asking or party.acting or not super().may_act(party):
            return False
        cards, deck = party.cards(), party.judge.deck
        assert deck is not None
        return all(cards.get(at) is not None for at in deck.owned_by(party.seat))

    def everything(self) -> list[Signed]:
        """All entries that anybody honest holds, once each."""
        found: dict[Signed, None] = {}
        for party in self.honest:
            record = party.judge.record
            for seat in range(len(record.keys)):
                found.update(dict.fromkeys(record.signed(seat)))
        return sorted(found, key=lambda one: read_entry(one).seq)
