"""What each step costs in scalar multiplications, (variable, base)."""

from dataclasses import replace

import pytest

from protocol.crypto.proofs import check_key, check_shares, prove_key, prove_shares
from protocol.crypto.shuffle import (
    deck_hash,
    first_deck,
    open_value,
    remask,
    replay,
    share,
)
from protocol.crypto.shuffle_proof import check_shuffle, prove_shuffle
from tests.protocol.crypto.counting import Counting
from tests.protocol.crypto.dealt import batch, chairs, dealt, shuffled
from tests.support.small_group import SMALL


def test_a_stage_costs_one_of_each_a_position() -> None:
    suite, deal = Counting(SMALL), dealt(SMALL, 2)
    chair = deal.chairs[0]
    remask(suite, deal.Y, deal.stages[0], chair.ctx, chair.seed)
    assert suite.taken() == (40, 40)


def test_a_replay_costs_base_products_only() -> None:
    suite, deal = Counting(SMALL), dealt(SMALL, 2)
    chair = deal.chairs[0]
    replay(suite, deal.Y, deal.stages[0], chair.ctx, chair.seed, deal.x_joint)
    assert suite.taken() == (0, 80)


def test_a_key_costs_one_base_to_prove_and_one_of_each_to_check() -> None:
    suite, chair = Counting(SMALL), chairs(SMALL, 2)[0]
    proof = prove_key(suite, chair.ctx, chair.seed, chair.x, chair.X)
    assert suite.taken() == (0, 1)
    assert check_key(suite, chair.ctx, chair.X, proof)
    assert suite.taken() == (1, 1)


@pytest.mark.parametrize("m", [1, 2, 3, 7, 40])
def test_a_batch_costs_two_products_a_share_to_check(m: int) -> None:
    suite, said = Counting(SMALL), batch(dealt(SMALL, 2), range(m))
    chair = said.chair
    proof = prove_shares(
        suite, chair.seed, said.statement, chair.x, said.a_points, said.d_points
    )
    assert suite.taken() == (1 if m == 1 else m + 1, 1)
    shares = [point.encoded for point in said.d_points]
    assert check_shares(suite, said.statement, said.a_points, shares, proof)
    assert suite.taken() == (2 * (m - 1) + 3, 1)


@pytest.mark.parametrize("N", [1, 2, 9, 40])
def test_a_shuffle_proof_costs_five_products_a_position_and_its_check_eight(
    N: int,
) -> None:
    suite = Counting(SMALL)
    made = shuffled(SMALL, N)
    said = suite, made.Y, made.deck_in, made.deck_out, made.ctx
    proof = prove_shuffle(*said, made.seed)
    assert suite.taken() == (5 * N + 1, 3 * N + 4)
    assert check_shuffle(*said, proof)
    assert suite.taken() == (8 * N + 7, N + 4)


def test_a_shuffle_proof_of_forty_keeps_to_its_bar() -> None:
    suite = Counting(SMALL)
    made = replace(shuffled(SMALL, 40), suite=suite)
    proof = made.proof()
    assert suite.taken() == (201, 124)
    assert made.accepted(proof)
    assert suite.taken() == (327, 44)


def test_an_opening_and_the_first_deck_cost_none() -> None:
    suite, deal = Counting(SMALL), dealt(SMALL, 2)
    assert first_deck(suite, deal.Y, 40) == deal.stages[0]
    assert open_value(suite, deal.deck[0][1], deal.shares(0), 40) is not None
    assert deck_hash(deal.Y, deal.deck)
    assert suite.taken() == (0, 0)


# A Scopa deal of 40: the sizes of all `shares` of one seat, and its plays.
SHARES = {
    2: ([7, 3, 3, 3, 3, 3], 18),
    3: ([10, 6, 6, 6], 12),
    4: ([13, 9, 9], 9),
    6: ([19, 15], 6),
}
# Variable and base products of a whole deal.
BAR = {2: (760, 345), 3: (1175, 470), 4: (1585, 600), 6: (2405, 850)}


@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_a_whole_deal_keeps_to_its_bar(n: int) -> None:
    """All one seat does: key, stage, proof, shares, plays, checks, audit of others."""
    suite, deal = Counting(SMALL), dealt(SMALL, n)
    own, others = deal.chairs[0], deal.chairs[1:]
    suite.base(own.x)
    prove_key(suite, own.ctx, own.seed, own.x, own.X)
    for chair in others:
        key_proof = prove_key(SMALL, chair.ctx, chair.seed, chair.x, chair.X)
        assert check_key(suite, chair.ctx, chair.X, key_proof)
    remask(suite, deal.Y, deal.stages[0], own.ctx, own.seed)
    for seat in range(n):
        made = shuffled(SMALL, 40, seat, n)
        counted = replace(made, suite=suite)
        if seat:
            assert counted.accepted(made.proof())
        else:
            counted.proof()
    for a, _ in deal.deck:
        share(suite, own.x, a)
    batches, plays = SHARES[n]
    for m in [*batches, *[1] * plays]:
        for seat in range(n):
            said = batch(deal, range(m), seat)
            chair = said.chair
            points = said.a_points, said.d_points
            prover = SMALL if seat else suite
            proof = prove_shares(prover, chair.seed, said.statement, chair.x, *points)
            if seat:
                shares = [point.encoded for point in said.d_points]
                asked = said.statement, said.a_points, shares
                assert check_shares(suite, *asked, proof)
    for chair, deck_in in zip(others, deal.stages[1:-1], strict=True):
        suite.base(chair.x)
        replay(suite, deal.Y, deck_in, chair.ctx, chair.seed, deal.x_joint)
    variable, base = suite.taken()
    assert variable <= BAR[n][0]
    assert base <= BAR[n][1]
