from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.crypto.group import EDWARDS, Suite, encode_scalar
from protocol.crypto.proofs import (
    KeyProof,
    ShareProof,
    Statement,
    check_key,
    check_shares,
    decode_key_proof,
    decode_share_proof,
    prove_key,
    prove_shares,
)
from protocol.crypto.shuffle import (
    context,
    first_deck,
    joint_key,
    open_value,
    remask,
)
from tests.protocol.crypto import oracle
from tests.protocol.crypto.dealt import (
    SID,
    Batch,
    Chair,
    batch,
    both_suites,
    chairs,
    dealt,
)
from tests.support.small_group import SMALL

POSITIONS = (3, 0, 8, 9)


def proof_of(suite: Suite, said: Batch) -> ShareProof:
    """The proof an author makes of what is said, true or not."""
    chair = said.chair
    return prove_shares(
        suite, chair.seed, said.statement, chair.x, said.a_points, said.d_points
    )


def accepted(suite: Suite, said: Batch, proof: ShareProof) -> bool:
    shares = [point.encoded for point in said.d_points]
    return bool(check_shares(suite, said.statement, said.a_points, shares, proof))


def key_proof_of(suite: Suite, chair: Chair) -> KeyProof:
    return prove_key(suite, chair.ctx, chair.seed, chair.x, chair.X)


# ------------------------------------------------------------------- keys


@both_suites
def test_a_seat_proves_that_it_knows_its_key(suite: Suite) -> None:
    for chair in chairs(suite, 3):
        proof = key_proof_of(suite, chair)
        assert check_key(suite, chair.ctx, chair.X, proof)
        assert decode_key_proof(suite, proof.encode()) == proof


@both_suites
def test_a_rogue_key_opens_every_card_and_cannot_be_proved(suite: Suite) -> None:
    honest, rogue = chairs(suite, 2, N=10)
    a = 12345
    rogue_key = suite.sub(suite.base(a), honest.X)

    Y = joint_key(suite, [honest.X, rogue_key])
    deck = first_deck(suite, Y, 10)
    for chair in (honest, rogue):
        deck = remask(suite, Y, deck, chair.ctx, chair.seed)
    read = [open_value(suite, b, [suite.mul(a, top)], 10) for top, b in deck]
    assert sorted(value for value in read if value is not None) == list(range(10))

    for x in (a, rogue.x, a - honest.x + 1):
        proof = prove_key(suite, rogue.ctx, rogue.seed, x, rogue_key)
        assert not check_key(suite, rogue.ctx, rogue_key, proof)


@both_suites
def test_a_key_proof_holds_for_one_table_deck_and_seat_only(suite: Suite) -> None:
    chair = chairs(suite, 2)[0]
    proof = key_proof_of(suite, chair)
    others = [
        context(b"another table...", 0, 2, 40, 0),
        context(SID, 1, 2, 40, 0),
        context(SID, 0, 3, 40, 0),
        context(SID, 0, 2, 52, 0),
        context(SID, 0, 2, 40, 1),
    ]
    assert chair.ctx not in others
    assert len(set(others)) == 5
    assert not any(check_key(suite, ctx, chair.X, proof) for ctx in others)


@both_suites
def test_a_key_proof_holds_for_one_key_only(suite: Suite) -> None:
    chair = chairs(suite, 2)[0]
    proof = key_proof_of(suite, chair)
    shifted = suite.add(chair.X, suite.generator)
    assert not check_key(suite, chair.ctx, shifted, proof)
    for changed in (
        replace(proof, c=proof.c + 1),
        replace(proof, z=proof.z + 1),
        KeyProof(proof.z, proof.c),
    ):
        assert not check_key(suite, chair.ctx, chair.X, changed)


@both_suites
def test_the_identity_is_nobodys_key(suite: Suite) -> None:
    chair = chairs(suite, 2)[0]
    proof = prove_key(suite, chair.ctx, chair.seed, 0, suite.identity)
    assert not check_key(suite, chair.ctx, suite.identity, proof)


# ----------------------------------------------------------------- scalars


@both_suites
def test_a_proof_has_one_form_only(suite: Suite) -> None:
    chair = chairs(suite, 2)[0]
    proof, L = key_proof_of(suite, chair), suite.order
    for second in (
        KeyProof(proof.c + L, proof.z),
        KeyProof(proof.c, proof.z + L),
        KeyProof(proof.c, proof.z - L),
    ):
        assert not check_key(suite, chair.ctx, chair.X, second)
    said = batch(dealt(suite, 2), POSITIONS)
    shares = proof_of(suite, said)
    assert not accepted(suite, said, ShareProof(shares.c + L, shares.z))
    assert not accepted(suite, said, ShareProof(shares.c, shares.z + L))


@both_suites
def test_scalars_out_of_range_are_not_decoded(suite: Suite) -> None:
    good, L = encode_scalar(1), suite.order
    assert decode_share_proof(suite, good + good) == ShareProof(1, 1)
    for k in (0, L, L + 1, 2**256 - 1):
        bad = encode_scalar(k)
        for encoded in (bad + good, good + bad):
            assert decode_key_proof(suite, encoded) is None
            assert decode_share_proof(suite, encoded) is None
    for encoded in (b"", good, good + good[:31], good + good + b"\1"):
        assert decode_key_proof(suite, encoded) is None
        assert decode_share_proof(suite, encoded) is None


@both_suites
def test_the_zero_proof_proves_nothing(suite: Suite) -> None:
    chair = chairs(suite, 2)[0]
    said = batch(dealt(suite, 2), POSITIONS)
    nothing = [suite.identity] * len(POSITIONS)
    assert not check_key(suite, chair.ctx, chair.X, KeyProof(0, 0))
    assert not accepted(suite, said, ShareProof(0, 0))
    assert not accepted(suite, replace(said, d_points=nothing), ShareProof(0, 0))
    assert not accepted(suite, replace(said, d_points=nothing), ShareProof(1, 1))


# ------------------------------------------------------------------ shares


@both_suites
@pytest.mark.parametrize("positions", [(5,), (5, 2), POSITIONS])
def test_shares_are_proved_in_one_batch(
    suite: Suite, positions: tuple[int, ...]
) -> None:
    said = batch(dealt(suite, 2), positions)
    proof = proof_of(suite, said)
    assert accepted(suite, said, proof)
    assert decode_share_proof(suite, proof.encode()) == proof


@given(
    st.integers(2, 6),
    st.lists(st.integers(0, 39), min_size=1, max_size=40, unique=True),
    st.data(),
)
@settings(max_examples=40, deadline=None)
def test_a_batch_is_refused_if_any_one_share_is_wrong(
    n: int, positions: list[int], data: st.DataObject
) -> None:
    deal = dealt(SMALL, n)
    seat = data.draw(st.integers(0, n - 1))
    said = batch(deal, positions, seat)
    assert accepted(SMALL, said, proof_of(SMALL, said))
    wrong = data.draw(st.integers(0, len(positions) - 1))
    lie = SMALL.base(data.draw(st.integers(1, SMALL.order - 1)))
    d_points = list(said.d_points)
    d_points[wrong] = SMALL.add(d_points[wrong], lie)
    told = replace(said, d_points=d_points)
    assert not accepted(SMALL, told, proof_of(SMALL, told))
    assert not accepted(SMALL, told, proof_of(SMALL, said))


@both_suites
def test_one_wrong_share_is_seen_at_each_place_of_the_batch(suite: Suite) -> None:
    said = batch(dealt(suite, 2), POSITIONS)
    true = proof_of(suite, said)
    for wrong in range(len(POSITIONS)):
        d_points = list(said.d_points)
        d_points[wrong] = suite.add(d_points[wrong], suite.generator)
        told = replace(said, d_points=d_points)
        assert not accepted(suite, told, true)
        assert not accepted(suite, told, proof_of(suite, told))


def cancelling(suite: Suite, said: Batch, first: int, second: int) -> Batch:
    """The sum of all shares kept while two of them are moved apart."""
    d_points = list(said.d_points)
    d_points[first] = suite.add(d_points[first], suite.generator)
    d_points[second] = suite.sub(d_points[second], suite.generator)
    return replace(said, d_points=d_points)


@both_suites
def test_lies_that_cancel_in_a_plain_sum_are_refused(suite: Suite) -> None:
    said = batch(dealt(suite, 2), POSITIONS)
    for first, second in ((0, 1), (1, 2), (3, 0)):
        told = cancelling(suite, said, first, second)
        assert joint_key(suite, told.d_points) == joint_key(suite, said.d_points)
        assert not accepted(suite, told, proof_of(suite, said))
        assert not accepted(suite, told, proof_of(suite, told))


@both_suites
def test_a_pair_of_shares_scaled_against_each_other_is_refused(suite: Suite) -> None:
    said = batch(dealt(suite, 2), POSITIONS)
    t = suite.scalar("sc1.test", b"t")
    d_points = list(said.d_points)
    d_points[0] = suite.mul(t, d_points[0])
    d_points[1] = suite.mul(pow(t, -1, suite.order), d_points[1])
    told = replace(said, d_points=d_points)
    assert not accepted(suite, told, proof_of(suite, said))
    assert not accepted(suite, told, proof_of(suite, told))


@both_suites
def test_swapped_shares_are_refused(suite: Suite) -> None:
    said = batch(dealt(suite, 2), POSITIONS)
    d_points = list(said.d_points)
    d_points[1], d_points[2] = d_points[2], d_points[1]
    told = replace(said, d_points=d_points)
    assert not accepted(suite, told, proof_of(suite, said))
    assert not accepted(suite, told, proof_of(suite, told))


@both_suites
def test_shares_made_with_another_key_are_refused(suite: Suite) -> None:
    deal = dealt(suite, 2)
    mine, theirs = batch(deal, POSITIONS, 0), batch(deal, POSITIONS, 1)
    told = replace(mine, d_points=theirs.d_points)
    assert not accepted(suite, told, proof_of(suite, theirs))
    assert not accepted(suite, told, proof_of(suite, told))
    by_other_key = replace(told, chair=deal.chairs[1])
    assert not accepted(suite, told, proof_of(suite, by_other_key))


def neighbors(suite: Suite, statement: Statement) -> dict[str, Statement]:
    """Statements that differ from one in a single field."""
    moved = tuple(position + 1 for position in statement.positions)
    return {
        "ctx": replace(statement, ctx=b"another context" + bytes(17)),
        "X": replace(statement, X=suite.add(statement.X, suite.generator)),
        "deck_id": replace(statement, deck_id=b"another deck" + bytes(20)),
        "kind": replace(statement, kind=statement.kind + 1),
        "round": replace(statement, round=statement.round + 1),
        "plan": replace(statement, plan=b"another plan" + bytes(20)),
        "positions": replace(statement, positions=moved),
    }


@both_suites
@pytest.mark.parametrize("positions", [(5,), POSITIONS])
def test_a_share_proof_holds_for_one_statement_only(
    suite: Suite, positions: tuple[int, ...]
) -> None:
    said = batch(dealt(suite, 2), positions)
    proof = proof_of(suite, said)
    assert accepted(suite, said, proof)
    for field, statement in neighbors(suite, said.statement).items():
        assert not accepted(suite, replace(said, statement=statement), proof), field


@both_suites
def test_the_order_of_positions_is_part_of_the_statement(suite: Suite) -> None:
    said = batch(dealt(suite, 2), POSITIONS)
    turned = replace(said.statement, positions=POSITIONS[::-1])
    proof = proof_of(suite, said)
    assert not accepted(suite, replace(said, statement=turned), proof)


@both_suites
def test_a_play_of_another_position_cannot_reuse_a_proof(suite: Suite) -> None:
    deal = dealt(suite, 2)
    one, other = batch(deal, (5,)), batch(deal, (6,))
    assert not accepted(suite, other, proof_of(suite, one))
    assert not accepted(suite, replace(other, d_points=one.d_points), ShareProof(1, 1))


@both_suites
def test_a_changed_share_proof_is_refused(suite: Suite) -> None:
    said = batch(dealt(suite, 2), POSITIONS)
    proof = proof_of(suite, said)
    assert not accepted(suite, said, replace(proof, c=proof.c + 1))
    assert not accepted(suite, said, replace(proof, z=proof.z + 1))
    assert not accepted(suite, said, ShareProof(proof.z, proof.c))


def test_a_statement_that_does_not_fit_its_shares_is_refused() -> None:
    said = batch(dealt(SMALL, 2), POSITIONS)
    proof = proof_of(SMALL, said)
    empty = replace(said.statement, positions=())
    assert not check_shares(SMALL, empty, [], [], proof)
    assert not accepted(SMALL, replace(said, statement=empty), proof)
    assert not accepted(SMALL, replace(said, a_points=said.a_points[1:]), proof)
    assert not accepted(SMALL, replace(said, d_points=said.d_points[1:]), proof)
    with pytest.raises(ValueError, match="one share for each position"):
        proof_of(SMALL, replace(said, d_points=said.d_points[1:]))


@pytest.mark.parametrize("number", [-1, 2**64])
def test_numbers_no_hash_can_hold_are_refused_without_raising(number: int) -> None:
    said = batch(dealt(SMALL, 2), POSITIONS)
    proof, true = proof_of(SMALL, said), said.statement
    for statement in (
        replace(true, kind=number),
        replace(true, round=number),
        replace(true, positions=(3, 0, 8, number)),
    ):
        assert not accepted(SMALL, replace(said, statement=statement), proof)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_checking_a_proof_never_raises(data: st.DataObject) -> None:
    """Identity, repeated and unrelated points: refused, not an error."""
    points = st.one_of(st.just(SMALL.identity), st.integers(0, 2**61).map(SMALL.base))
    k = st.integers(1, SMALL.order - 1)
    size = data.draw(st.integers(1, 4))
    rows = st.lists(points, min_size=size, max_size=size)
    said = batch(dealt(SMALL, 2), POSITIONS[:size])
    statement = replace(said.statement, X=data.draw(points))
    proof = ShareProof(data.draw(k), data.draw(k))
    shares = [point.encoded for point in data.draw(rows)]
    assert not check_shares(SMALL, statement, data.draw(rows), shares, proof)
    assert not check_key(SMALL, b"", data.draw(points), KeyProof(proof.c, proof.z))


def test_edwards_checks_with_the_identity_never_raise() -> None:
    # F16.
    zero = EDWARDS.identity
    said = batch(dealt(EDWARDS, 2), POSITIONS)
    zeros = [zero] * len(POSITIONS)
    for told in (
        replace(said, statement=replace(said.statement, X=zero)),
        replace(said, a_points=zeros),
        replace(said, d_points=zeros),
        replace(said, a_points=said.d_points),
    ):
        assert not accepted(EDWARDS, told, proof_of(EDWARDS, told))
        assert not accepted(EDWARDS, told, ShareProof(1, 1))


# ------------------------------------------------------------------ nonces


def nonce(suite: Suite, x: int, proof: KeyProof | ShareProof) -> int:
    return (proof.z - proof.c * x) % suite.order


@both_suites
def test_one_nonce_for_two_challenges_would_give_the_key_away(suite: Suite) -> None:
    chair = chairs(suite, 2)[0]
    proof = key_proof_of(suite, chair)
    k, other_c = nonce(suite, chair.x, proof), proof.c + 1
    other_z = k + other_c * chair.x
    quotient = (proof.z - other_z) * pow(proof.c - other_c, -1, suite.order)
    assert quotient % suite.order == chair.x


@both_suites
def test_no_nonce_serves_two_statements(suite: Suite) -> None:
    # F14.
    deal = dealt(suite, 2)
    said = batch(deal, POSITIONS)
    chair = said.chair
    told = [said]
    told += [
        replace(said, statement=statement)
        for statement in neighbors(suite, said.statement).values()
    ]
    told += [cancelling(suite, said, 0, 1), cancelling(suite, said, 1, 2)]
    told += [batch(deal, (3,)), batch(deal, (0,)), batch(deal, (3, 0))]
    told.append(replace(batch(deal, (3,)), d_points=batch(deal, (0,)).d_points))
    proofs: list[KeyProof | ShareProof] = [proof_of(suite, one) for one in told]
    for ctx in (chair.ctx, chairs(suite, 2)[1].ctx):
        proofs.append(prove_key(suite, ctx, chair.seed, chair.x, chair.X))
    assert len({nonce(suite, chair.x, proof) for proof in proofs}) == len(proofs)


@both_suites
def test_no_nonce_serves_two_seeds(suite: Suite) -> None:
    said = batch(dealt(suite, 2), POSITIONS)
    other = replace(said, chair=replace(said.chair, seed=b"another seed" + bytes(20)))
    one, two = proof_of(suite, said), proof_of(suite, other)
    assert nonce(suite, said.chair.x, one) != nonce(suite, said.chair.x, two)
    assert accepted(suite, said, two)


@both_suites
def test_a_seat_that_starts_again_repeats_its_proofs(suite: Suite) -> None:
    said = batch(dealt(suite, 2), POSITIONS)
    assert proof_of(suite, said) == proof_of(suite, said)
    assert key_proof_of(suite, said.chair) == key_proof_of(suite, said.chair)


# ------------------------------------------------------------------ oracle


def test_key_proofs_are_those_of_the_written_equations() -> None:
    for chair in chairs(EDWARDS, 3):
        X, proof = oracle.key_proof(chair.ctx, chair.seed)
        assert X == chair.X.encoded
        assert proof == key_proof_of(EDWARDS, chair).encode()
        assert oracle.key_holds(chair.ctx, X, proof)


@pytest.mark.parametrize("positions", [(5,), POSITIONS])
def test_share_proofs_hold_by_the_written_equations(
    positions: tuple[int, ...],
) -> None:
    said = batch(dealt(EDWARDS, 2), positions)
    proof = proof_of(EDWARDS, said).encode()
    true = said.statement
    numbers = b"".join(position.to_bytes(8, "big") for position in positions)
    parts = (
        true.ctx,
        true.X.encoded,
        true.deck_id,
        true.kind,
        true.round,
        true.plan,
        numbers,
    )
    a = [point.encoded for point in said.a_points]
    d = [point.encoded for point in said.d_points]
    X = true.X.encoded
    assert oracle.share_holds(parts, X, a, d, proof)
    assert not oracle.share_holds(parts, X, a, [X, *d[1:]], proof)
    for a_i, d_i in zip(a, d, strict=True):
        slow = oracle.mul(said.chair.x, oracle.point(a_i))
        assert d_i == oracle.encode(slow)


@both_suites
def test_a_share_that_is_no_point_is_refused_wherever_it_stands(suite: Suite) -> None:
    for positions in ((3,), POSITIONS):
        said = batch(dealt(suite, 2), positions)
        proof = proof_of(suite, said)
        shares = [point.encoded for point in said.d_points]
        asked = suite, said.statement, said.a_points
        assert check_shares(*asked, shares, proof) == tuple(said.d_points)
        for at in range(len(shares)):
            for outsider in suite.outsiders.values():
                told = [*shares[:at], outsider, *shares[at + 1 :]]
                assert check_shares(*asked, told, proof) is None
