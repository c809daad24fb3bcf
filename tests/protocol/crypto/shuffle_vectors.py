"""The vectors of the shuffle proof: true ones, and false ones that must be refused."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from protocol.crypto.group import EDWARDS, Suite, encode_scalar
from protocol.crypto.shuffle import context, deck_hash, encode_deck, permutation
from protocol.crypto.shuffle_proof import ShuffleProof
from tests.protocol.crypto.dealt import SID, Shuffle, shuffled
from tests.protocol.crypto.false_shuffles import (
    foreseeing,
    foreseen,
    forger,
    forgeries,
    generators,
    lies,
    scaling,
)
from tests.support.small_group import SMALL

Json: TypeAlias = dict[str, Any]


def shuffle_proofs() -> list[Json]:
    """What a seed makes of a deck, and its proof."""
    return [
        proven(shuffled(EDWARDS, 3, 0)),
        proven(shuffled(EDWARDS, 7, 1)),
        proven(shuffled(SMALL, 12, 1)),
    ]


def proven(made: Shuffle) -> Json:
    N, deck_in = len(made.deck_in), deck_hash(made.Y, made.deck_in)
    _, *hashed = generators(made.suite, N)
    return {
        "suite": made.suite.name,
        "generators": [point.encoded.hex() for point in hashed],
        "seed": made.seed.hex(),
        "permutation": list(permutation(made.ctx, made.seed, deck_in, N)),
        **said(made, made.proof()),
    }


def said(made: Shuffle, proof: ShuffleProof | bytes) -> Json:
    encoded = proof if isinstance(proof, bytes) else proof.encode()
    return {
        "N": len(made.deck_in),
        "context": made.ctx.hex(),
        "joint_key": made.Y.encoded.hex(),
        "deck_in": encode_deck(made.deck_in).hex(),
        "deck_out": encode_deck(made.deck_out).hex(),
        "proof": encoded.hex(),
    }


def shuffle_refusals(suite: Suite) -> list[Json]:
    """False shuffles of two positions, beside a true one."""
    made = shuffled(suite, 2, 1)
    true = made.proof()
    listed: list[Json] = [
        {"what": "shuffle proof", "why": "", "expected": "accepted"} | said(made, true)
    ]
    for expected, cases in (
        ("unproven", [*false_decks(made), *forged(made), *lifted(made, true)]),
        ("unproven", [*changed(made, true)]),
        ("no proof", [*malformed(made, true)]),
    ):
        listed += [
            {"what": "shuffle proof", "why": why, "expected": expected} | record
            for why, record in cases
        ]
    return listed


def false_decks(made: Shuffle) -> Iterator[tuple[str, Json]]:
    for why, told in lies(made).items():
        # No identity comes through the door of a deck.
        if why != "an identity":
            yield why, said(told, told.proof())


def forged(made: Shuffle) -> Iterator[tuple[str, Json]]:
    for why, (told, forgery) in forgeries(made).items():
        yield why, said(told, forgery.proof)
    liar = forger(made, scaling(made.suite, 2))
    weak = foreseen(liar.made)
    matrix = foreseeing(made.suite, weak.weights(2))
    passing = replace(liar, made=replace(liar.made, suite=weak))
    why = "a scaled pair, for weights that do not hash the commitments"
    yield why, said(liar.made, passing.forge(matrix).proof)


def lifted(made: Shuffle, true: ShuffleProof) -> Iterator[tuple[str, Json]]:
    suite, (first, second) = made.suite, made.deck_in
    for why, told in {
        "another table": replace(made, ctx=context(SID[::-1], 0, 2, 2, 1)),
        "another deck": replace(made, ctx=context(SID, 1, 2, 2, 1)),
        "another seat": replace(made, ctx=context(SID, 0, 2, 2, 0)),
        "another joint key": replace(made, Y=suite.add(made.Y, suite.generator)),
        "another input": replace(made, deck_in=(second, first)),
        "another shuffle": shuffled(suite, 2, 0),
    }.items():
        yield why, said(told, true)


def changed(made: Shuffle, true: ShuffleProof) -> Iterator[tuple[str, Json]]:
    """Each field moved by one."""
    suite, encoded = made.suite, true.encode()
    names = ["c_0", "c_1", "d_0", "d_1", "q", "s_1", "s_2", "s_3", "s_4"]
    names += ["g_0", "g_1", "z_0", "z_1"]
    for i, name in enumerate(names):
        field = encoded[32 * i : 32 * (i + 1)]
        point = suite.decode(field) if i < 4 else None
        if point is None:
            moved = encode_scalar(
                int.from_bytes(field, "little") % (suite.order - 1) + 1
            )
        else:
            moved = suite.add(point, suite.generator).encoded
        yield f"{name} moved", said(made, in_place(encoded, i, moved))


def malformed(made: Shuffle, true: ShuffleProof) -> Iterator[tuple[str, Json]]:
    suite, encoded = made.suite, true.encode()
    q, last = true.challenge + suite.order, true.weights[-1] + suite.order
    outsiders = list(suite.outsiders.items())
    (why, outsider), (last_why, last_outsider) = outsiders[0], outsiders[-1]
    cases = {
        "a byte short": encoded[:-1],
        "a byte long": encoded + b"\0",
        "empty": b"",
        f"{why} is c_0": in_place(encoded, 0, outsider),
        f"{last_why} is d_1": in_place(encoded, 3, last_outsider),
        "q is zero": in_place(encoded, 4, bytes(32)),
        "z_1 is zero": in_place(encoded, 12, bytes(32)),
        "q raised": in_place(encoded, 4, encode_scalar(q)),
        "z_1 raised": in_place(encoded, 12, encode_scalar(last)),
    }
    for what, changed_bytes in cases.items():
        yield what, said(made, changed_bytes)


def in_place(encoded: bytes, i: int, field: bytes) -> bytes:
    return encoded[: 32 * i] + field + encoded[32 * (i + 1) :]
