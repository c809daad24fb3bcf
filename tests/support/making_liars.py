"""Liars that know the algorithms of a deck, and use others than they should.

Of the catalogue of `tests.support.liars`; each is a class named by what it does.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from protocol.bodies import Proof, Shuffle
from protocol.codec import Value
from protocol.crypto.group import Point, Suite
from protocol.crypto.proofs import Statement, prove_key, prove_shares
from protocol.crypto.shuffle import Deck as Pairs
from protocol.crypto.shuffle import encode_deck, remask
from protocol.crypto.shuffle_proof import ShuffleProof, prove_shuffle
from protocol.deck import Deck
from protocol.entry import Entry, Kind
from protocol.judge import Findings
from protocol.party import _Known
from protocol.shuffling import make_key
from tests.protocol.crypto import false_shuffles
from tests.protocol.crypto.dealt import Shuffle as Stage
from tests.support.chain_liars import Forker
from tests.support.malice import Forged, Liar

# -- forged proofs ---------------------------------------------------------------


class Forges(Liar):
    """Posts a deck of its own making, and the best proof that it can make of it."""

    goes_on = True
    deck_number = 0
    _proof: ShuffleProof

    def forged(self, stage: Stage) -> tuple[Pairs, ShuffleProof]:
        """A deck, and what is said to prove that it is a shuffle."""
        raise NotImplementedError

    def _post(self, kind: Kind, body: Value, result: object = None) -> Findings:
        if kind is Kind.SHUFFLE and cast("Any", body)[0] == self.deck_number:
            number, keys, before, _ = Shuffle(*cast("Any", body))
            made = self.judge.course.shufflings[number]
            deck_in, seed = made.input_deck(self.seat), self._seed(number)
            context = made.contexts[self.seat]
            stage = Stage(
                self._suite,
                made.joint,
                deck_in,
                cast("Pairs", result),
                context,
                seed,
            )
            deck, self._proof = self.forged(stage)
            self.lied = True
            body, result = (number, keys, before, encode_deck(deck)), deck
        if kind is Kind.PROOF and Proof(*cast("Any", body)).deck == self.deck_number:
            body = (*cast("Any", body)[:2], self._proof.encode())
            return self.say(self.signed(kind, body))
        return super()._post(kind, body, result)


class ForgesAProof(Forges):
    """One of the forgeries that know the proof, with a deck to go with it."""

    what: ClassVar[str] = "an input twice, committed once"

    def forged(self, stage: Stage) -> tuple[Pairs, ShuffleProof]:
        made, forgery = false_shuffles.forgeries(stage)[self.what]
        return made.deck_out, forgery.proof


class ScalesTwoPairsAndForgesTheProof(ForgesAProof):
    what = "a scaled pair, two numbers committed"


class ScalesTwoPairsToWeightsThatItForesees(Forges):
    """What would pass if the weights of the proof did not hash its commitments."""

    def forged(self, stage: Stage) -> tuple[Pairs, ShuffleProof]:
        suite, count = stage.suite, len(stage.deck_in)
        scaled = false_shuffles.forger(stage, false_shuffles.scaling(suite, count))
        weights = false_shuffles.foreseen(scaled.made).weights(count)
        fitted = false_shuffles.foreseeing(suite, weights)
        return scaled.made.deck_out, scaled.forge(fitted).proof


class MixesInputsAndForgesTheProof(ForgesAProof):
    what = "inputs mixed, chained as a permutation"


class MovesAMaskAndForgesTheProof(ForgesAProof):
    what = "a mask moved, the rest proven"


class AddsAPointAndForgesTheProof(ForgesAProof):
    what = "offset by a point, the rest proven"


FORGERIES: tuple[type[Forges], ...] = (
    ForgesAProof,
    ScalesTwoPairsAndForgesTheProof,
    ScalesTwoPairsToWeightsThatItForesees,
    MixesInputsAndForgesTheProof,
    MovesAMaskAndForgesTheProof,
    AddsAPointAndForgesTheProof,
)


class ShufflesNothing(Forges):
    """Leaves every card where it is and only masks it, which it can prove."""

    def forged(self, stage: Stage) -> tuple[Pairs, ShuffleProof]:
        straight = false_shuffles.permuting(range(len(stage.deck_in)))
        true = false_shuffles.forger(stage, straight)
        return true.made.deck_out, true.forge(straight).proof


class ShufflesAnotherInput(Forges):
    """Shuffles well, and proves so, a deck in which one card is there twice."""

    def forged(self, stage: Stage) -> tuple[Pairs, ShuffleProof]:
        first, _, *rest = stage.deck_in
        doubled = (first, first, *rest)
        suite, joint, context = stage.suite, stage.Y, stage.ctx
        deck = remask(suite, joint, doubled, context, stage.seed)
        proof = prove_shuffle(suite, joint, doubled, deck, context, stage.seed)
        return deck, proof


class RepeatsItsLastProof(Liar):
    """Brings the proof of the first deck again for the second."""

    goes_on = True

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.PROOF or cast("Any", body)[0] != 1:
            return None
        old = self.judge.course.shufflings[0].proof_entries[self.seat]
        assert old is not None
        return kind, (*cast("Any", body)[:2], cast("Any", old.body)[2])


# -- keys ------------------------------------------------------------------------


class ItsSecretIsOne(Liar):
    """Takes 1 for its secret, so that its key is G and its shares hide nothing."""

    goes_on = True

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.KEY:
            return None
        context = self.judge.course.shufflings[0].contexts[self.seat]
        key, suite = self._suite.generator, self._suite
        proof = prove_key(suite, context, self._seed(0), 1, key)
        return kind, (0, key.encoded, proof.encode())

    def _start(
        self, kind: Kind, number: int, call: object, arguments: tuple[object, ...]
    ) -> Findings:
        bare = kind is Kind.SHARES
        return super()._start(kind, number, _bare if bare else call, arguments)

    def _opening(
        self, deck: Deck, positions: Sequence[int], kind: Kind
    ) -> tuple[tuple[Point, ...], bytes]:
        statement = deck.statement(kind, len(deck.acts), self.seat, positions)
        masked = [deck.pairs[at][0] for at in positions]
        return _bare(self._suite, self._seed(0), statement, masked)

    def _read(self, deck: Deck, position: int, others: Sequence[Point]) -> _Known:
        part = deck.pairs[position][0]
        return _Known(part, deck.value_of(position, (*others, part)))


def _bare(
    suite: Suite, seed: bytes, statement: Statement, masked: Sequence[Point]
) -> tuple[tuple[Point, ...], bytes]:
    """Shares under the secret 1, which are the points themselves."""
    proof = prove_shares(suite, seed, statement, 1, masked, masked)
    return tuple(masked), proof.encode()


class SendsAnOutsider(Liar):
    """Puts an encoding that is no member of the group where a point belongs."""

    where: ClassVar[Kind]
    what: ClassVar[str]

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not self.where:
            return None
        point = self._suite.outsiders[self.what]
        fields = list(cast("tuple[Any, ...]", body))
        at = {Kind.KEY: 1, Kind.SHUFFLE: 3}.get(kind, 2)
        old = fields[at]
        if isinstance(old, bytes):
            fields[at] = point + old[len(point) :]
        else:
            fields[at] = (point, *old[1:])
        return kind, tuple(fields)


def sending(where: Kind, what: str) -> type[SendsAnOutsider]:
    """One outsider at one place."""
    named = {"where": where, "what": what}
    return type("SendsAnOutsiderThere", (SendsAnOutsider,), named)


# -- two of one ------------------------------------------------------------------


class GivesTwoKeys(Forker):
    """Two keys, each with a good proof, told to different seats."""

    def moment(self) -> Forged | None:
        return None

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (kind, body) if kind is Kind.KEY else None

    def other(self, entry: Entry) -> Entry:
        context = self.judge.course.shufflings[0].contexts[self.seat]
        body, _ = make_key(self._suite, 0, context, b"another " * 4)
        return self.resigned(entry, body=body)


class MakesTwoDecks(Forker):
    """Two shuffles of one input, told to different seats."""

    def moment(self) -> Forged | None:
        return None

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (kind, body) if kind is Kind.SHUFFLE else None

    def other(self, entry: Entry) -> Entry:
        made = self.judge.course.shufflings[0]
        number, keys, before, _ = Shuffle(*cast("Any", entry.body))
        context, deck = made.contexts[self.seat], made.input_deck(self.seat)
        other = remask(self._suite, made.joint, deck, context, b"another " * 4)
        return self.resigned(entry, body=(number, keys, before, encode_deck(other)))


class IsReadyForTwoPlans(Forker):
    def moment(self) -> Forged | None:
        return None

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (kind, body) if kind is Kind.READY else None

    def other(self, entry: Entry) -> Entry:
        return self.resigned(entry, body=(0, bytes(32)))
