"""Peers that lie: real parties whose one entry is forged, and the tables they sit at.

A `Liar` follows the protocol until its moment comes, signs what no honest program
would, and is silent from then on; some go on playing, since nothing can be seen yet.
`Company` seats one among honest parties, who pass on all that they hold, as the mesh
does, so that what one of them can prove all of them come to know.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, cast

from protocol.archive import write_archive
from protocol.bodies import Proof, Shuffle
from protocol.codec import Value, encode
from protocol.crypto.group import Point, Suite
from protocol.crypto.shuffle import decode_deck, encode_deck
from protocol.deck import Deck
from protocol.entry import WIRE_VERSION, Entry, Kind, read_entry, signed_digest
from protocol.faults import Signed
from protocol.judge import Findings
from protocol.openings import make_shares
from protocol.party import Party
from protocol.roster import Terms
from tests.support.parties import Circle
from tests.support.small_group import SMALL
from tests.support.toy_game import DECLARE, PLAY

Forged = tuple[Kind, Value]


class Liar(Party):
    """Honest until `forge` or `moment` gives something else to sign; then silent."""

    goes_on = False
    lied = False
    # The last entry that was sent whatever one's own judge makes of it.
    lie: Entry | None = None

    @staticmethod
    def agree(terms: Terms, seat: int) -> Terms:
        """The terms that this seat has brought about; seldom others."""
        return terms

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        """What to sign instead of an entry that is owed; None for the entry itself."""
        return None

    def moment(self) -> Forged | None:
        """What to sign when nothing is owed; None to wait."""
        return None

    @property
    def dealt(self) -> Deck:
        """The deck on the table."""
        deck = self.judge.deck
        assert deck is not None
        return deck

    @property
    def playing(self) -> bool:
        """Whether the opening of a deck stands and the own cards are known."""
        deck = self.judge.deck
        return deck is not None and deck.stands and bool(self.cards())

    @property
    def next_seat(self) -> int:
        """Another seat."""
        return (self.seat + 1) % self.judge.seats

    def opening_of(self, positions: Sequence[int], kind: Kind = Kind.ACT) -> Any:
        """Own shares of any positions, and a sound proof of them."""
        deck = self.dealt
        statement = deck.statement(kind, len(deck.acts), self.seat, positions)
        masked = [deck.pairs[at][0] for at in positions]
        seed = self._seed(deck.number)
        parts, proof = make_shares(self._suite, seed, statement, masked)
        return tuple(part.encoded for part in parts), proof

    def act_on(self, *positions: int, statement: Value = PLAY) -> Forged:
        """An act that opens any positions, right in all but that."""
        parts, proof = self.opening_of(positions)
        state = self.dealt.game.digest()
        return Kind.ACT, (
            self.dealt.number,
            positions,
            parts,
            proof,
            statement,
            state,
        )

    def signed(self, kind: Kind, body: Value, **changed: object) -> Entry:
        """An entry signed in the present view, with any field of it changed."""
        honest = self.judge.record.write(self._secrets.identity, self.seat, kind, body)
        return self.resigned(honest, **changed)

    def resigned(self, entry: Entry, **changed: object) -> Entry:
        """An entry with some fields changed, under a good signature of this seat."""
        other = replace(entry, **changed)  # type: ignore[arg-type]
        encoded = encode(
            (
                WIRE_VERSION,
                other.scope,
                other.seat,
                other.seq,
                other.prev,
                other.seen,
                other.heads,
                other.kind,
                other.body,
            )
        )
        signature = self._secrets.identity.sign(signed_digest(encoded))
        return read_entry(Signed(encoded, signature))

    def say(self, entry: Entry) -> Findings:
        """Send an entry, whatever one's own judge would make of it."""
        self.lied, self.lie = True, entry
        if not self.goes_on:
            return Findings(added=(entry,))
        findings = self.judge.receive(entry.signed)
        pending, findings = list(findings.tasks), replace(findings, tasks=())
        while pending:
            task = pending.pop()
            more = self.judge.done(task, task.run())
            pending += more.tasks
            findings += replace(more, tasks=())
        # It is sent even if it does not stand with oneself.
        known = entry in findings.added
        return findings if known else findings + Findings(added=(entry,))

    def _owed(self) -> Findings | None:
        if self.lied and not self.goes_on:
            return None
        owed = super()._owed()
        if owed is not None or self.lied or self._making is not None:
            return owed
        forged = self.moment()
        return None if forged is None else self.say(self.signed(*forged))

    def _post(self, kind: Kind, body: Value, result: object = None) -> Findings:
        forged = None if self.lied else self.forge(kind, body)
        if forged is None:
            return super()._post(kind, body, result)
        return self.say(self.signed(*forged))


class Shuffler(Liar):
    """Posts another deck than its shuffle gives, and plays on as if nothing were.

    Its proof is the one that its own program makes of that deck. What the others make
    of the proof it knows too, so it does not play on a deck that they have refused.
    """

    goes_on = True
    deck_number = 0

    @property
    def joint(self) -> Point:
        """The joint key of the deck that it spoils."""
        return self.judge.course.shufflings[self.deck_number].joint

    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        """Change the shuffled deck in place."""

    def _post(self, kind: Kind, body: Value, result: object = None) -> Findings:
        if kind is Kind.SHUFFLE:
            number, keys, before, encoded = Shuffle(*cast("Any", body))
            if number == self.deck_number:
                positions = self.judge.course.terms.positions
                deck = decode_deck(self._suite, encoded, positions)
                assert deck is not None
                pairs = list(deck)
                self.alter(pairs)
                result = tuple(pairs)
                body = (number, keys, before, encode_deck(tuple(pairs)))
                self.lied = True
        if kind is Kind.PROOF and Proof(*cast("Any", body)).deck == self.deck_number:
            return self.say(self.signed(kind, body))
        return super()._post(kind, body, result)


def ahead(liar: type[Shuffler]) -> type[Shuffler]:
    """The same lie in the deck that is made while the first one is played."""
    return type(f"{liar.__name__}Ahead", (liar,), {"deck_number": 1})


def play_in_order(party: Party) -> tuple[tuple[int, ...], Value] | None:
    """Play the first card that may be played."""
    deck = party.judge.deck
    assert deck is not None
    game = cast("Any", deck.game)
    played = {position for _, position in game.plays}
    for position, value in sorted(party.cards().items()):
        highest = not game.plays and value == game.positions - 1
        if position not in played and value is not None and not highest:
            return (position,), PLAY
    return None


def declare_first(party: Party) -> tuple[tuple[int, ...], Value] | None:
    """Show the hand that was dealt before the first play, then play in order."""
    deck = party.judge.deck
    assert deck is not None
    hidden = tuple(at for at in sorted(party.cards()) if at not in deck.opened)
    if len(hidden) > 1 and None not in party.cards().values():
        return hidden, DECLARE
    return play_in_order(party)


class Company(Circle):
    """Honest parties around a liar, or several of one kind, who pass nothing on."""

    def __init__(
        self,
        opening: Any,
        liar: type[Liar],
        *,
        at: int = 0,
        seats: int = 2,
        positions: int = 9,
        seed: int = 0,
        suite: Suite = SMALL,
        at_too: Collection[int] = (),
    ) -> None:
        self._told: set[tuple[int, Signed]] = set()
        self.signed_by: dict[int, list[Signed]] = {at: [] for at in range(seats)}
        self._liar = liar
        self._at = at
        self._liars = frozenset({at, *at_too})
        super().__init__(
            opening, seats=seats, positions=positions, seed=seed, suite=suite
        )

    def agree(self, terms: Terms) -> Terms:
        """What the liar has made of the terms by its own wish to sit down."""
        return self._liar.agree(terms, self._at)

    def seat_party(self, *arguments: Any) -> Party:
        """A liar in its seat, honest parties in the others."""
        honest = Party(*arguments)
        return self._liar(*arguments) if honest.seat in self._liars else honest

    @property
    def liar(self) -> Liar:
        """The one who lies."""
        return cast("Liar", self.parties[self._at])

    @property
    def honest(self) -> list[Party]:
        """The others."""
        return [party for party in self.parties if party.seat not in self._liars]

    def take(self, seat: int, findings: Findings) -> None:
        """Pass on what a party has come to hold, and what proves a fault."""
        spread = [entry.signed for entry in findings.added]
        self.signed_by[seat] += [e.signed for e in findings.added if e.seat == seat]
        if seat not in self._liars:
            spread += [one for fault in findings.faults for one in fault.evidence]
        for signed in spread:
            if (seat, signed) not in self._told:
                self._told.add((seat, signed))
                self.send(seat, signed)
        self.tasks.extend((seat, task) for task in findings.tasks)

    def may_act(self, party: Party) -> bool:
        """Whether a party has a choice to make."""
        silent = isinstance(party, Liar) and party.lied and not party.goes_on
        return super().may_act(party) and not silent

    def record_of(self, party: Party) -> bytes:
        """The portable record that a party would write."""
        record = party.judge.record
        return write_archive(record.signed(seat) for seat in range(len(self.parties)))
