"""Liars whose proof is sound, but proves something else than it should.

Of the catalogue of `tests.support.liars`. Each knows its secrets and makes a proof that
holds: for another seat, deck, match, round or key than the one that it is signed for.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, cast

from protocol.bodies import Key
from protocol.codec import Value
from protocol.crypto.group import SCALAR_BYTES
from protocol.crypto.proofs import Statement, prove_key, prove_shares
from protocol.crypto.shuffle import (
    Deck as Pairs,
)
from protocol.crypto.shuffle import (
    context,
    encode_deck,
    first_deck,
    remask,
    secret_key,
)
from protocol.crypto.shuffle_proof import ShuffleProof, prove_shuffle
from protocol.entry import Kind
from protocol.judge import Findings
from tests.protocol.crypto.dealt import Shuffle as Stage
from tests.support.making_liars import Forges
from tests.support.malice import Forged, Liar

# -- for whom, for which deck, in which match ----------------------------------------


def of_another_seat(liar: Liar, number: int) -> bytes:
    return liar.judge.course.shufflings[number].contexts[liar.next_seat]


def of_another_deck(liar: Liar, number: int) -> bytes:
    terms, table = liar.judge.course.terms, liar.judge.record.table_id
    assert table is not None
    return context(table, number + 1, terms.seats, terms.positions, liar.seat)


def of_another_match(liar: Liar, number: int) -> bytes:
    terms = liar.judge.course.terms
    return context(bytes(16), number, terms.seats, terms.positions, liar.seat)


def of_a_larger_table(liar: Liar, number: int) -> bytes:
    terms, table = liar.judge.course.terms, liar.judge.record.table_id
    assert table is not None
    return context(table, number, terms.seats + 1, terms.positions, liar.seat)


CONTEXTS: tuple[Callable[[Liar, int], bytes], ...] = (
    of_another_seat,
    of_another_deck,
    of_another_match,
    of_a_larger_table,
)


class ProvesItsKeyElsewhere(Liar):
    """Knows the secret of its key, and proves so under another context."""

    where: ClassVar[Callable[[Liar, int], bytes]] = of_another_seat

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.KEY:
            return None
        number, encoded, _ = Key(*cast("Any", body))
        made = self.judge.course.shufflings[number]
        seed = self._seed(number)
        secret = secret_key(self._suite, made.contexts[self.seat], seed)
        key = self._suite.base(secret)
        ctx = type(self).where(self, number)
        proof = prove_key(self._suite, ctx, seed, secret, key)
        return kind, (number, encoded, proof.encode())


class ProvesItsShuffleElsewhere(Forges):
    """Posts a shuffle that is one, with a proof that holds under another context."""

    where: ClassVar[Callable[[Liar, int], bytes]] = of_another_seat

    def forged(self, stage: Stage) -> tuple[Pairs, ShuffleProof]:
        elsewhere = type(self).where(self, self.deck_number)
        return _shuffled(replace(stage, ctx=elsewhere))


def _shuffled(stage: Stage) -> tuple[Pairs, ShuffleProof]:
    """The shuffle of this stage, and a proof of it that holds there."""
    suite, joint, deck, ctx = stage.suite, stage.Y, stage.deck_in, stage.ctx
    made = remask(suite, joint, deck, ctx, stage.seed)
    return made, prove_shuffle(suite, joint, deck, made, ctx, stage.seed)


class MasksWithItsOwnKey(Forges):
    """Shuffles and proves as if it alone had a key, to open all that it has masked."""

    def forged(self, stage: Stage) -> tuple[Pairs, ShuffleProof]:
        own = self.judge.course.shufflings[self.deck_number].keys[self.seat]
        assert own is not None
        return _shuffled(replace(stage, Y=own))


class ShufflesTheFirstDeckAgain(Forges):
    """Drops what those before it have shuffled, and proves its own from the start.

    For the first seat that is as it should be.
    """

    def _post(self, kind: Kind, body: Value, result: object = None) -> Findings:
        honest = super(Forges, self)._post
        post = super()._post if self.seat else honest
        return post(kind, body, result)

    def forged(self, stage: Stage) -> tuple[Pairs, ShuffleProof]:
        start = first_deck(stage.suite, stage.Y, len(stage.deck_in))
        return _shuffled(replace(stage, deck_in=start))


class ShufflesTheLastDeckAgain(Forges):
    """Shuffles the deck that was dealt last, whose order is known to all."""

    deck_number = 1

    def forged(self, stage: Stage) -> tuple[Pairs, ShuffleProof]:
        old = self.judge.course.shufflings[0].stages[-1]
        return _shuffled(replace(stage, deck_in=old))


class ShufflesTwiceInOne(Forges):
    """Shuffles what it has shuffled itself, and proves the second of the two alone."""

    def forged(self, stage: Stage) -> tuple[Pairs, ShuffleProof]:
        return _shuffled(replace(stage, deck_in=stage.deck_out))


class ProvesAllButOne(Forges):
    """Puts in a card twice, and proves the shuffle of all the others."""

    def forged(self, stage: Stage) -> tuple[Pairs, ShuffleProof]:
        rest = stage.deck_in[1:]
        made, proof = _shuffled(replace(stage, deck_in=rest))
        wide = replace(
            proof,
            commitments=(proof.commitments[0], *proof.commitments),
            chain=(proof.chain[0], *proof.chain),
            links=(proof.links[0], *proof.links),
            weights=(proof.weights[0], *proof.weights),
        )
        return (made[0], *made), wide


class RepeatsItsLastKey(Liar):
    """Gives the key of the first deck for the second, with the proof of that time."""

    goes_on = True

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.KEY or cast("Any", body)[0] != 1:
            return None
        old = self.judge.course.shufflings[0].key_entries[self.seat]
        assert old is not None
        return kind, (1, *cast("Any", old.body)[1:])


class RepeatsItsLastShuffle(Liar):
    """Gives the deck that it has made before for the next one."""

    goes_on = True

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not Kind.SHUFFLE or cast("Any", body)[0] != 1:
            return None
        old = self.judge.course.shufflings[0].stages[self.seat]
        return kind, (*cast("Any", body)[:3], encode_deck(old))

    def _post(self, kind: Kind, body: Value, result: object = None) -> Findings:
        if kind is Kind.PROOF and cast("Any", body)[0] == 1:
            # What its program makes of a deck that is not its own.
            self.lied = False
            return self.say(self.signed(kind, body))
        return super()._post(kind, body, result)


# -- shares ------------------------------------------------------------------------


class ProvesItsSharesElsewhere(Liar):
    """Gives good shares with a good proof of another statement about them."""

    kind: ClassVar[Kind] = Kind.SHARES
    changed: ClassVar[str] = "round"

    def elsewhere(self, said: Statement) -> Statement:
        """The statement that it proves instead."""
        other: dict[str, Any] = {
            "ctx": of_another_seat(self, self.dealt.number),
            "X": self.dealt.shuffling.keys[self.next_seat],
            "deck_id": bytes(32),
            "kind": Kind.SPOILED,
            "round": said.round + 1,
            "plan": bytes(32),
            "positions": tuple(at + 1 for at in said.positions),
        }
        return replace(said, **{self.changed: other[self.changed]})

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not self.kind:
            return None
        deck, seed = self.dealt, self._seed(self.dealt.number)
        positions = (
            deck.owed_positions(0, self.seat)
            if kind is Kind.SHARES
            else cast("Any", body)[1]
        )
        number = 0 if kind is Kind.SHARES else len(deck.acts)
        said = deck.statement(kind, number, self.seat, positions)
        secret = secret_key(self._suite, said.ctx, seed)
        masked = [deck.pairs[at][0] for at in positions]
        parts = [self._suite.mul(secret, point) for point in masked]
        proof = prove_shares(
            self._suite, seed, self.elsewhere(said), secret, masked, parts
        )
        fields = list(cast("Any", body))
        fields[3] = proof.encode()
        return kind, tuple(fields)


STATEMENT = ("ctx", "X", "deck_id", "kind", "round", "plan", "positions")


def sharing_elsewhere(kind: Kind, changed: str) -> type[ProvesItsSharesElsewhere]:
    """One field of the statement, in shares or in an act."""
    named = {"kind": kind, "changed": changed}
    return type(
        f"Proves{kind.name.title()}UnderAnother{changed.title()}",
        (ProvesItsSharesElsewhere,),
        named,
    )


# -- other bytes for the same number -------------------------------------------------

SCALARS = {Kind.KEY: 2, Kind.PROOF: 2, Kind.SHARES: 3, Kind.ACT: 3}


class AddsTheOrder(Liar):
    """Writes the last number of a good proof as another that is the same modulo L."""

    where: ClassVar[Kind] = Kind.KEY

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        if kind is not self.where:
            return None
        fields = list(cast("Any", body))
        at = SCALARS[kind]
        number = int.from_bytes(fields[at][-SCALAR_BYTES:], "little")
        other = (number + self._suite.order).to_bytes(SCALAR_BYTES, "little")
        fields[at] = fields[at][:-SCALAR_BYTES] + other
        return kind, tuple(fields)


def adding_the_order(where: Kind) -> type[AddsTheOrder]:
    """The same in an entry of another kind."""
    return type(f"AddsTheOrderTo{where.name}", (AddsTheOrder,), {"where": where})
