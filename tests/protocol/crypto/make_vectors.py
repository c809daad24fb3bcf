"""Writes tests/vectors/crypto.json and crypto_refusals.json.

    python -m tests.protocol.crypto.make_vectors

To be run when a hash, an encoding or a proof changes on purpose; the difference is
then reviewed with the change. Bytes are hexadecimal, scalars are as on the wire.
"""

import json
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from protocol.crypto.group import EDWARDS, Suite, encode_scalar
from protocol.crypto.hashing import H, Part, wide, words
from protocol.crypto.identity import Identity, key_words
from protocol.crypto.proofs import prove_key, prove_shares
from protocol.crypto.shuffle import (
    commitment,
    deck_hash,
    deck_seed,
    encode_deck,
    open_value,
    permutation,
    value_points,
)
from tests.protocol.crypto.dealt import Batch, Dealt, batch, dealt
from tests.protocol.crypto.shuffle_vectors import shuffle_proofs, shuffle_refusals
from tests.support.small_group import SMALL

Json: TypeAlias = dict[str, Any]

FOLDER = Path(__file__).parents[2] / "vectors"
VECTORS = FOLDER / "crypto.json"
REFUSALS = FOLDER / "crypto_refusals.json"
SID = bytes(range(16))


def vectors() -> Json:
    """Everything that is to come out as written."""
    return {
        "hashes": [
            hashed("sc1.test"),
            hashed("sc1.test", b""),
            hashed("sc1.test", b"ab", 7, "c"),
            hashed("sc1.deck", 2**64 - 1, "carte è", bytes(100)),
        ],
        "identities": [identity(bytes([i]) * 32) for i in range(3)],
        "shuffle_proofs": shuffle_proofs(),
        "deals": [
            deal(EDWARDS, 2, 40, 0),
            deal(EDWARDS, 3, 8, 5),
            deal(SMALL, 4, 40, 1),
        ],
    }


def hashed(tag: str, *parts: Part) -> Json:
    return {
        "tag": tag,
        "parts": [
            {"bytes": part.hex()} if isinstance(part, bytes) else part for part in parts
        ],
        "short": H(tag, *parts).hex(),
        "wide": wide(tag, *parts).hex(),
        "words": [f"{word:016x}" for word in islice(words(tag, *parts), 3)],
    }


def identity(seed: bytes) -> Json:
    signer = Identity(seed)
    return {
        "seed": seed.hex(),
        "key": signer.key.hex(),
        "words": key_words(signer.key),
        "message": b"a message".hex(),
        "signature": signer.sign(b"a message").hex(),
    }


def deal(suite: Suite, n: int, N: int, k: int) -> Json:
    """One deck from the seats' masters to the order in which it opens."""
    made = dealt(suite, n, N, k)
    return {
        "suite": suite.name,
        "sid": SID.hex(),
        "k": k,
        "n": n,
        "N": N,
        "value_points": [point.encoded.hex() for point in value_points(suite, N)],
        "seats": [stage(made, seat, k) for seat in range(n)],
        "joint_key": made.Y.encoded.hex(),
        "shares": [
            shares(suite, batch(made, (0,), 0)),
            shares(suite, batch(made, (4, 1, 7), 1)),
        ],
        "order": [
            open_value(suite, made.deck[at][1], made.shares(at), N) for at in range(N)
        ],
    }


def stage(made: Dealt, seat: int, k: int) -> Json:
    """One seat's secrets of the deck, and what it makes of the deck before it."""
    suite, Y, chair = made.suite, made.Y, made.chairs[seat]
    before, after = made.stages[seat : seat + 2]
    deck_in = deck_hash(Y, before)
    master = bytes([seat + 1]) * 32
    assert deck_seed(master, SID, k, seat) == chair.seed
    proof = prove_key(suite, chair.ctx, chair.seed, chair.x, chair.X)
    return {
        "master": master.hex(),
        "context": chair.ctx.hex(),
        "seed": chair.seed.hex(),
        "commitment": commitment(chair.ctx, chair.seed).hex(),
        "secret_key": encode_scalar(chair.x).hex(),
        "key": chair.X.encoded.hex(),
        "key_proof": proof.encode().hex(),
        "deck_in": deck_in.hex(),
        "permutation": list(permutation(chair.ctx, chair.seed, deck_in, len(before))),
        "first_pair_out": encode_deck(after[:1]).hex(),
        "deck_out": deck_hash(Y, after).hex(),
    }


def shares(suite: Suite, said: Batch) -> Json:
    chair, statement = said.chair, said.statement
    proof = prove_shares(
        suite, chair.seed, statement, chair.x, said.a_points, said.d_points
    )
    return {
        "context": statement.ctx.hex(),
        "key": statement.X.encoded.hex(),
        "deck_id": statement.deck_id.hex(),
        "kind": statement.kind,
        "round": statement.round,
        "plan": statement.plan.hex(),
        "positions": list(statement.positions),
        "masks": [point.encoded.hex() for point in said.a_points],
        "shares": [point.encoded.hex() for point in said.d_points],
        "proof": proof.encode().hex(),
    }


def refusals() -> list[Json]:
    """What has to be refused and how, beside its true neighbour, which is accepted."""
    listed: list[Json] = []
    for suite in (EDWARDS, SMALL):
        made = dealt(suite, 2, 10)
        group: Json = {"suite": suite.name}
        for record in (
            *points(suite),
            *scalars(suite),
            *decks(suite, made),
            *key_proofs(suite, made),
            *share_proofs(suite, made),
            *openings(suite, made),
            *shuffle_refusals(suite),
        ):
            listed.append(group | record)
    return listed + signatures()


def points(suite: Suite) -> list[Json]:
    good = suite.generator.encoded.hex()
    refused = {why: encoded.hex() for why, encoded in suite.outsiders.items()}
    refused |= {"a byte short": good[:-2], "a byte long": good + "00", "empty": ""}
    return [
        {"what": "point", "why": "", "expected": "accepted", "point": good},
        *(
            {"what": "point", "why": why, "expected": "not a member", "point": encoded}
            for why, encoded in refused.items()
        ),
    ]


def scalars(suite: Suite) -> list[Json]:
    L = suite.order
    cases = {"zero": 0, "the order": L, "the order and one": L + 1, "2^255": 2**255}
    return [
        {
            "what": "scalar",
            "why": "the order less one",
            "expected": "accepted",
            "scalar": encode_scalar(L - 1).hex(),
        },
        *(
            {
                "what": "scalar",
                "why": why,
                "expected": "out of range",
                "scalar": encode_scalar(k).hex(),
            }
            for why, k in cases.items()
        ),
    ]


def decks(suite: Suite, made: Dealt) -> list[Json]:
    deck = encode_deck(made.deck).hex()
    outsiders = list(suite.outsiders.items())
    (why, outsider), (last_why, last) = outsiders[0], outsiders[-1]
    refused = {
        "a pair short": deck[:-128],
        "a pair long": deck + deck[:128],
        f"{why} comes first": outsider.hex() + deck[64:],
        f"{last_why} comes last": deck[:-64] + last.hex(),
    }
    return [
        {"what": "deck", "why": "", "expected": "accepted", "N": 10, "deck": deck},
        *(
            {"what": "deck", "why": why, "expected": "no deck", "N": 10, "deck": bytes_}
            for why, bytes_ in refused.items()
        ),
    ]


def key_proofs(suite: Suite, made: Dealt) -> list[Json]:
    own, other = made.chairs
    rogue = suite.sub(suite.base(12345), other.X)
    proof = prove_key(suite, own.ctx, own.seed, own.x, own.X).encode()
    good: Json = {
        "what": "key proof",
        "why": "",
        "expected": "accepted",
        "context": own.ctx.hex(),
        "key": own.X.encoded.hex(),
        "proof": proof.hex(),
    }
    zero = prove_key(suite, own.ctx, own.seed, 0, suite.identity)
    forged = prove_key(suite, own.ctx, own.seed, 12345, rogue)
    c = int.from_bytes(proof[:32], "little") + suite.order
    z = int.from_bytes(proof[32:], "little") + suite.order
    unproven, malformed = {"expected": "unproven"}, {"expected": "out of range"}
    return [
        good,
        good | unproven | {"why": "another seat", "context": other.ctx.hex()},
        good | unproven | {"why": "another key", "key": other.X.encoded.hex()},
        good
        | unproven
        | {
            "why": "a rogue key",
            "key": rogue.encoded.hex(),
            "proof": forged.encode().hex(),
        },
        good
        | {
            "why": "the identity as a key",
            "expected": "not a member",
            "key": suite.identity.encoded.hex(),
            "proof": encode_scalar(zero.c).hex() + encode_scalar(zero.z).hex(),
        },
        good | malformed | {"why": "c raised", "proof": hex_pair(c, proof[32:])},
        good | malformed | {"why": "z raised", "proof": hex_pair(proof[:32], z)},
        good | malformed | {"why": "c is zero", "proof": hex_pair(0, proof[32:])},
        good | malformed | {"why": "z is zero", "proof": hex_pair(proof[:32], 0)},
        good | malformed | {"why": "a byte short", "proof": proof.hex()[:-2]},
    ]


def hex_pair(c: int | bytes, z: int | bytes) -> str:
    halves = [encode_scalar(k) if isinstance(k, int) else k for k in (c, z)]
    return b"".join(halves).hex()


def share_proofs(suite: Suite, made: Dealt) -> list[Json]:
    honest = shares(suite, batch(made, (4, 1, 7), 0))
    good: Json = {"what": "share proof", "why": "", "expected": "accepted"} | honest
    other = made.chairs[1]
    said = batch(made, (4, 1, 7), 0)
    d_points, G = list(said.d_points), suite.generator
    t = suite.scalar("sc1.test", b"t")
    lies = {
        "one share moved": [*d_points[:2], suite.add(d_points[2], G)],
        "two shares swapped": [d_points[1], d_points[0], d_points[2]],
        "two lies that cancel": [
            suite.add(d_points[0], G),
            suite.sub(d_points[1], G),
            d_points[2],
        ],
        "a scaled pair": [
            d_points[0],
            suite.mul(t, d_points[1]),
            suite.mul(pow(t, -1, suite.order), d_points[2]),
        ],
    }
    listed = [good]
    for why, told in lies.items():
        lie = Batch(said.chair, said.statement, said.a_points, told)
        changed = good | shares(suite, lie) | {"why": why, "expected": "unproven"}
        listed.append(changed)
        listed.append(changed | {"why": f"{why}, true proof", "proof": good["proof"]})
    changes: dict[str, Json] = {
        "another seat": {"context": other.ctx.hex()},
        "another key": {"key": other.X.encoded.hex()},
        "another deck": {"deck_id": "00" * 32},
        "another kind": {"kind": 5},
        "another round": {"round": 2},
        "another plan": {"plan": "00" * 32},
        "another position": {"positions": [4, 1, 8]},
        "other order": {"positions": [1, 4, 7]},
        "a position too few": {"positions": [4, 1]},
        "no shares": {"positions": [], "masks": [], "shares": []},
    }
    for why, change in changes.items():
        listed.append(good | {"why": why, "expected": "unproven"} | change)
    c = int.from_bytes(bytes.fromhex(good["proof"][:64]), "little") + suite.order
    raised = encode_scalar(c).hex() + good["proof"][64:]
    listed.append(
        good | {"why": "c raised", "expected": "out of range", "proof": raised}
    )
    return listed


def openings(suite: Suite, made: Dealt) -> list[Json]:
    a, b = made.deck[0]
    parts = [point.encoded.hex() for point in made.shares(0)]
    good: Json = {
        "what": "opening",
        "why": "",
        "expected": "accepted",
        "N": 10,
        "masked": b.encoded.hex(),
        "shares": parts,
    }
    moved = suite.add(b, suite.generator).encoded.hex()
    none = {"expected": "no value"}
    return [
        good,
        good | none | {"why": "a share missing", "shares": parts[:1]},
        good | none | {"why": "a share twice", "shares": [parts[0], parts[0]]},
        good | none | {"why": "a masked point moved", "masked": moved},
        good | none | {"why": "the mask itself", "masked": a.encoded.hex()},
    ]


def signatures() -> list[Json]:
    signer = Identity(bytes(32))
    signed = signer.sign(b"a message")
    s = int.from_bytes(signed[32:], "little") + EDWARDS.order
    good: Json = {
        "what": "signature",
        "why": "",
        "expected": "accepted",
        "key": signer.key.hex(),
        "message": b"a message".hex(),
        "signature": signed.hex(),
    }
    zero = EDWARDS.identity.encoded
    cases: dict[str, Json] = {
        "another message": {"message": b"another".hex()},
        "another key": {"key": Identity(bytes([1]) * 32).key.hex()},
        "S raised": {"signature": (signed[:32] + s.to_bytes(32, "little")).hex()},
        "a byte short": {"signature": signed.hex()[:-2]},
        "a key of small order": {
            "key": zero.hex(),
            "signature": (zero + bytes(32)).hex(),
        },
    }
    return [
        good,
        *(good | {"why": why, "expected": "unsigned"} | c for why, c in cases.items()),
    ]


def write() -> None:
    """Write both files anew."""
    for path, content in ((VECTORS, vectors()), (REFUSALS, refusals())):
        text = json.dumps(content, indent=1, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
