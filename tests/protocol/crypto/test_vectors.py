"""Walks the vectors: what must come out, and what must be refused and how."""

import json
from collections import Counter
from typing import Any

import pytest

from protocol.crypto.group import EDWARDS, Point, Suite, decode_scalar
from protocol.crypto.identity import verify
from protocol.crypto.proofs import (
    Statement,
    check_key,
    check_shares,
    decode_key_proof,
    decode_share_proof,
)
from protocol.crypto.shuffle import decode_deck, open_value
from protocol.crypto.shuffle_proof import check_shuffle, decode_shuffle_proof
from tests.protocol.crypto import oracle
from tests.protocol.crypto.make_vectors import REFUSALS, VECTORS, refusals, vectors
from tests.support.small_group import SMALL

Json = dict[str, Any]

KNOWN: Json = json.loads(VECTORS.read_text(encoding="utf-8"))
REFUSED: list[Json] = json.loads(REFUSALS.read_text(encoding="utf-8"))
SUITES: dict[str, Suite] = {suite.name: suite for suite in (EDWARDS, SMALL)}
EDWARDS_DEALS = [deal for deal in KNOWN["deals"] if deal["suite"] == EDWARDS.name]


@pytest.mark.parametrize("kind", ["hashes", "identities", "shuffle_proofs", "deals"])
def test_everything_comes_out_as_written(kind: str) -> None:
    assert vectors()[kind] == KNOWN[kind]


def test_the_list_of_refusals_is_the_one_the_tests_make() -> None:
    assert refusals() == REFUSED


def test_refusals_come_with_neighbors_that_are_accepted() -> None:
    accepted = {
        (each["what"], each.get("suite"))
        for each in REFUSED
        if each["expected"] == "accepted"
    }
    assert accepted == {(each["what"], each.get("suite")) for each in REFUSED}
    assert Counter(each["expected"] == "accepted" for each in REFUSED)[False] > 80


@pytest.mark.parametrize(
    "record", REFUSED, ids=lambda r: f"{r['what']}-{r['why']}-{r.get('suite', '')}"
)
def test_each_record_meets_its_verdict(record: Json) -> None:
    assert verdict(record) == record["expected"]


def verdict(record: Json) -> str:
    """What this layer says of a record from outside."""
    if record["what"] == "signature":
        signed = verify(*map(taken(record), ("key", "message", "signature")))
        return "accepted" if signed else "unsigned"
    suite = SUITES[record["suite"]]
    judges = {
        "point": judge_point,
        "scalar": judge_scalar,
        "deck": judge_deck,
        "opening": judge_opening,
        "key proof": judge_key_proof,
        "share proof": judge_share_proof,
        "shuffle proof": judge_shuffle_proof,
    }
    return judges[record["what"]](suite, record) or "accepted"


def taken(record: Json) -> Any:
    return lambda field: bytes.fromhex(record[field])


def judge_point(suite: Suite, record: Json) -> str | None:
    point = suite.decode(bytes.fromhex(record["point"]))
    return "not a member" if point is None else None


def judge_scalar(suite: Suite, record: Json) -> str | None:
    k = decode_scalar(suite, bytes.fromhex(record["scalar"]))
    return "out of range" if k is None else None


def judge_deck(suite: Suite, record: Json) -> str | None:
    deck = decode_deck(suite, bytes.fromhex(record["deck"]), record["N"])
    return "no deck" if deck is None else None


def judge_opening(suite: Suite, record: Json) -> str | None:
    b, parts = member(suite, record["masked"]), members(suite, record["shares"])
    return "no value" if open_value(suite, b, parts, record["N"]) is None else None


def judge_key_proof(suite: Suite, record: Json) -> str | None:
    X = suite.decode(bytes.fromhex(record["key"]))
    if X is None:
        return "not a member"
    proof = decode_key_proof(suite, bytes.fromhex(record["proof"]))
    if proof is None:
        return "out of range"
    ctx = bytes.fromhex(record["context"])
    return None if check_key(suite, ctx, X, proof) else "unproven"


def judge_share_proof(suite: Suite, record: Json) -> str | None:
    proof = decode_share_proof(suite, bytes.fromhex(record["proof"]))
    if proof is None:
        return "out of range"
    statement = Statement(
        ctx=bytes.fromhex(record["context"]),
        X=member(suite, record["key"]),
        deck_id=bytes.fromhex(record["deck_id"]),
        kind=record["kind"],
        round=record["round"],
        plan=bytes.fromhex(record["plan"]),
        positions=tuple(record["positions"]),
    )
    a_points = members(suite, record["masks"])
    shares = [bytes.fromhex(each) for each in record["shares"]]
    holds = check_shares(suite, statement, a_points, shares, proof)
    return None if holds else "unproven"


def judge_shuffle_proof(suite: Suite, record: Json) -> str | None:
    N, ctx = record["N"], bytes.fromhex(record["context"])
    deck_in, deck_out = (
        decode_deck(suite, encoded, N)
        for encoded in map(taken(record), ("deck_in", "deck_out"))
    )
    assert deck_in is not None
    assert deck_out is not None
    proof = decode_shuffle_proof(suite, bytes.fromhex(record["proof"]), N)
    if proof is None:
        return "no proof"
    Y = member(suite, record["joint_key"])
    holds = check_shuffle(suite, Y, deck_in, deck_out, ctx, proof)
    if None in map(suite.decode, (*proof.commitments, *proof.chain)):
        assert not holds
        return "no proof"
    return None if holds else "unproven"


def member(suite: Suite, encoded: str) -> Point:
    point = suite.decode(bytes.fromhex(encoded))
    assert point is not None
    return point


def members(suite: Suite, encoded: list[str]) -> list[Point]:
    return [member(suite, each) for each in encoded]


@pytest.mark.parametrize("deal", EDWARDS_DEALS, ids=lambda deal: f"n={deal['n']}")
def test_edwards_seats_follow_from_the_written_equations(deal: Json) -> None:
    for number, seat in enumerate(deal["seats"]):
        sid, master = bytes.fromhex(deal["sid"]), bytes.fromhex(seat["master"])
        ctx = oracle.short(b"sc1.ctx", sid, deal["k"], deal["n"], deal["N"], number)
        seed = oracle.deck_seed(master, sid, deal["k"], number)
        assert (ctx.hex(), seed.hex()) == (seat["context"], seat["seed"])
        assert oracle.short(b"sc1.seed", ctx, seed).hex() == seat["commitment"]
        X, proof = oracle.key_proof(ctx, seed)
        assert (X.hex(), proof.hex()) == (seat["key"], seat["key_proof"])
        deck_in = bytes.fromhex(seat["deck_in"])
        order = oracle.permutation(ctx, seed, deck_in, deal["N"])
        assert order == seat["permutation"]


@pytest.mark.parametrize("deal", EDWARDS_DEALS, ids=lambda deal: f"n={deal['n']}")
def test_edwards_shares_hold_by_the_written_equations(deal: Json) -> None:
    for said in deal["shares"]:
        parts = (
            bytes.fromhex(said["context"]),
            bytes.fromhex(said["key"]),
            bytes.fromhex(said["deck_id"]),
            said["kind"],
            said["round"],
            bytes.fromhex(said["plan"]),
            b"".join(position.to_bytes(8, "big") for position in said["positions"]),
        )
        masks = [bytes.fromhex(each) for each in said["masks"]]
        shares = [bytes.fromhex(each) for each in said["shares"]]
        proof = bytes.fromhex(said["proof"])
        assert oracle.share_holds(parts, parts[1], masks, shares, proof)


GROUPS = {EDWARDS.name: oracle.CURVE, SMALL.name: oracle.RESIDUES}


def written(record: Json) -> oracle.Shuffled:
    Y, ctx, *decks = (
        bytes.fromhex(record[field])
        for field in ("joint_key", "context", "deck_in", "deck_out")
    )
    deck_in, deck_out = (
        [deck[at : at + 64] for at in range(0, len(deck), 64)] for deck in decks
    )
    return oracle.Shuffled(GROUPS[record["suite"]], ctx, Y, deck_in, deck_out)


@pytest.mark.parametrize(
    "record", KNOWN["shuffle_proofs"], ids=lambda r: f"{r['suite']}-{r['N']}"
)
def test_a_shuffle_proof_follows_from_the_written_equations(record: Json) -> None:
    said, proof = written(record), bytes.fromhex(record["proof"])
    assert [each.hex() for each in said.generators()] == record["generators"]
    assert oracle.shuffle_proof(said, bytes.fromhex(record["seed"])) == proof
    assert oracle.shuffle_holds(said, proof)


SMALL_SHUFFLES = [
    record
    for record in REFUSED
    if record["what"] == "shuffle proof"
    and record["suite"] == SMALL.name
    and record["expected"] != "no proof"
]


@pytest.mark.parametrize("record", SMALL_SHUFFLES, ids=lambda record: record["why"])
def test_a_shuffle_is_refused_by_the_written_equations_too(record: Json) -> None:
    holds = oracle.shuffle_holds(written(record), bytes.fromhex(record["proof"]))
    assert holds == (record["expected"] == "accepted")


@pytest.mark.parametrize("deal", KNOWN["deals"], ids=lambda deal: deal["suite"])
def test_a_deal_opens_to_its_permutations_composed(deal: Json) -> None:
    order = list(range(deal["N"]))
    for seat in deal["seats"]:
        order = [order[i] for i in seat["permutation"]]
    assert order == deal["order"]
