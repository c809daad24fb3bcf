"""Liars whose lie is about the proof of a shuffle, or what must wait for it.

Of the catalogue of `tests.support.liars`; each is a class named by what it does.
"""

from typing import Any, cast

from protocol.bodies import Proof, Shuffle
from protocol.codec import Value
from protocol.crypto.group import Point
from protocol.crypto.shuffle import remask
from protocol.crypto.shuffle_proof import proof_bytes, prove_shuffle
from protocol.deck import Deck
from protocol.entry import Entry, Kind
from protocol.judge import Findings
from protocol.openings import make_shares
from protocol.shuffling import Shuffling
from tests.support.malice import Forged, Liar, Shuffler


def said(body: Value) -> Proof:
    return Proof(*cast("Any", body))


class FlipsABitOfItsProof(Liar):
    """Shuffles well, and spoils the proof."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.PROOF:
            return None
        number, shuffle, proof = said(body)
        flipped = proof[:-32] + bytes([proof[-32] ^ 1]) + proof[-31:]
        return kind, (number, shuffle, flipped)


class ProvesWithNoPoints(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.PROOF:
            return None
        number, shuffle, proof = said(body)
        return kind, (number, shuffle, bytes(len(proof)))


class ShortensItsProof(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.PROOF:
            return None
        number, shuffle, proof = said(body)
        return kind, (number, shuffle, proof[:-32])


class LengthensItsProof(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.PROOF:
            return None
        number, shuffle, proof = said(body)
        return kind, (number, shuffle, proof + bytes(32))


class ProvesNoShuffle(Liar):
    """Names an entry that is not its shuffle."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.PROOF:
            return None
        number, _, proof = said(body)
        key = self.judge.course.shufflings[0].key_entries[self.seat]
        assert key is not None
        return kind, (number, key.id, proof)


class ProvesAfterAnother(Liar):
    """Waits with its proof until it has seen another's."""

    def other_proof(self) -> Entry | None:
        """A proof of another seat, if one is there."""
        made = self.judge.course.shufflings
        given = made[0].proof_entries if made else []
        return next((e for e in given if e is not None), None)

    def _owed_proof(self, made: Shuffling) -> Findings | None:
        return super()._owed_proof(made) if self.other_proof() else None


class CopiesAProof(ProvesAfterAnother):
    """Gives another's proof for its own shuffle."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        theirs = self.other_proof()
        if kind is not Kind.PROOF or theirs is None:
            return None
        number, shuffle, _ = said(body)
        return kind, (number, shuffle, said(theirs.body).proof)


class ProvesAnothersShuffle(ProvesAfterAnother):
    """Says again what another has said of its shuffle."""

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        theirs = self.other_proof()
        return None if kind is not Kind.PROOF or theirs is None else (kind, theirs.body)


class ProvesTwice(Liar):
    def moment(self) -> Forged | None:
        made = self.judge.course.shufflings
        mine = made[0].proof_entries[self.seat] if made else None
        return None if mine is None else (Kind.PROOF, mine.body)


class ProvesASecondTimeInTheDeal(Liar):
    def moment(self) -> Forged | None:
        if not self.playing:
            return None
        mine = self.dealt.shuffling.proof_entries[self.seat]
        assert mine is not None
        return Kind.PROOF, mine.body


class ProvesBeforeItShuffles(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHUFFLE:
            return None
        number, keys, _, _ = Shuffle(*cast("Any", body))
        positions = self.judge.course.terms.positions
        return Kind.PROOF, (number, keys[self.seat], bytes(proof_bytes(positions)))


class ProvesADeckThatIsNotDue(Liar):
    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.PROOF:
            return None
        return kind, (1, *said(body)[1:])


class SharesAnUnprovenDeck(Liar):
    """Gives its shares while its own proof is missing."""

    def _owed_proof(self, made: Shuffling) -> Findings | None:
        return None

    def moment(self) -> Forged | None:
        course = self.judge.course
        made = course.shufflings[0] if course.shufflings else None
        if made is None or made.proof_entries.count(None) > 1:
            return None
        assert course.start is not None
        deck = Deck(made, course.start)
        positions = deck.owed_positions(0, self.seat)
        statement = deck.statement(Kind.SHARES, 0, self.seat, positions)
        masked = [deck.pairs[at][0] for at in positions]
        parts, proof = make_shares(self._suite, self._seed(0), statement, masked)
        return Kind.SHARES, (0, 0, tuple(part.encoded for part in parts), proof)


class KeepsItsProof(Liar):
    """Shuffles, and never says that it has shuffled rightly."""

    def _owed_proof(self, made: Shuffling) -> Findings | None:
        self.lied = True
        return None


class KeepsItsProofAhead(Liar):
    """Plays the first deal out, and never proves its shuffle of the next deck."""

    goes_on = True

    def _owed_proof(self, made: Shuffling) -> Findings | None:
        if made.number == 0:
            return super()._owed_proof(made)
        self.lied = True
        return None


class ProvesFalselyBetweenDeals(Shuffler):
    """Swaps two pairs of the next deck, and proves them when no deal is played."""

    deck_number = 1

    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        pairs[1], pairs[2] = pairs[2], pairs[1]

    def _owed_proof(self, made: Shuffling) -> Findings | None:
        waits = made.number == 1 and self.dealt.game.over() is None
        return None if waits else super()._owed_proof(made)


class ShufflesWithAnotherSeed(Liar):
    """Permutes and masks as it likes, and can prove that it did no more than that."""

    goes_on = True

    def _start(
        self, kind: Kind, number: int, call: object, arguments: tuple[object, ...]
    ) -> Findings:
        if kind in {Kind.SHUFFLE, Kind.PROOF} and number == 0:
            self.lied = True
            arguments = (*arguments[:-1], b"another " * 4)
        return super()._start(kind, number, call, arguments)


class ProvesTheDeckItShouldHaveMade(Shuffler):
    """Swaps two pairs, and proves the shuffle that it had made before."""

    def alter(self, pairs: list[tuple[Point, Point]]) -> None:
        pairs[1], pairs[2] = pairs[2], pairs[1]

    def _post(self, kind: Kind, body: Value, result: object = None) -> Findings:
        if kind is Kind.PROOF and said(body).deck == self.deck_number:
            made = self.judge.course.shufflings[self.deck_number]
            before, context = made.input_deck(self.seat), made.contexts[self.seat]
            seed = self._seed(self.deck_number)
            due = remask(self._suite, made.joint, before, context, seed)
            proof = prove_shuffle(self._suite, made.joint, before, due, context, seed)
            body = (*said(body)[:2], proof.encode())
        return super()._post(kind, body, result)
