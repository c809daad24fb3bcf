from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.crypto.group import EDWARDS, Suite
from protocol.crypto.hashing import words
from protocol.crypto.shuffle import (
    Deck,
    commitment,
    context,
    deck_hash,
    deck_seed,
    decode_deck,
    drawn_order,
    encode_deck,
    first_deck,
    joint_key,
    open_value,
    permutation,
    remask,
    replay,
    secret_key,
    value_points,
)
from tests.protocol.crypto import oracle
from tests.protocol.crypto.dealt import SID, Dealt, both_suites, dealt
from tests.support.small_group import SMALL

MASTER = b"master" + bytes(26)


def opened(deal: Dealt) -> list[int | None]:
    N = len(deal.deck)
    return [
        open_value(deal.suite, b, deal.shares(position), N)
        for position, (_, b) in enumerate(deal.deck)
    ]


# ------------------------------------------------------------- whole decks


@pytest.mark.parametrize("n", [2, 3, 4, 6])
@both_suites
def test_a_shuffled_deck_opens_to_every_value_once(suite: Suite, n: int) -> None:
    values = opened(dealt(suite, n))
    assert values != list(range(40))
    assert Counter(values) == Counter(range(40))


@given(st.integers(1, 6), st.integers(1, 40), st.integers(0, 2**64 - 1))
@settings(max_examples=30, deadline=None)
def test_a_deck_of_any_size_opens_to_every_value_once(n: int, N: int, k: int) -> None:
    assert Counter(opened(dealt(SMALL, n, N, k))) == Counter(range(N))


@both_suites
def test_a_deck_opens_to_the_permutations_composed(suite: Suite) -> None:
    deal = dealt(suite, 3)
    order = list(range(40))
    for chair, deck_in in zip(deal.chairs, deal.stages[:-1], strict=True):
        name = deck_hash(deal.Y, deck_in)
        order = [order[i] for i in permutation(chair.ctx, chair.seed, name, 40)]
    assert opened(deal) == order


@both_suites
def test_a_replay_with_all_keys_known_gives_the_same_bytes(suite: Suite) -> None:
    deal = dealt(suite, 3)
    for chair, deck_in, deck_out in zip(
        deal.chairs, deal.stages, deal.stages[1:], strict=False
    ):
        again = replay(suite, deal.Y, deck_in, chair.ctx, chair.seed, deal.x_joint)
        assert encode_deck(again) == encode_deck(deck_out)


@both_suites
def test_a_replay_shows_each_way_of_tampering_with_a_stage(suite: Suite) -> None:
    deal = dealt(suite, 2)
    chair, deck_in, honest = deal.chairs[0], deal.stages[0], deal.stages[1]
    again = replay(suite, deal.Y, deck_in, chair.ctx, chair.seed, deal.x_joint)
    (a, b), (c, d), *rest = honest
    one_more = (suite.add(a, suite.generator), suite.add(b, deal.Y))
    for tampered in (
        ((c, d), (a, b), *rest),
        ((a, b), (a, b), *rest),
        (one_more, (c, d), *rest),
        ((suite.mul(2, a), suite.mul(2, b)), (c, d), *rest),
        ((a, suite.add(b, suite.generator)), (c, d), *rest),
    ):
        assert again != tampered


@both_suites
def test_all_seats_but_one_read_nothing(suite: Suite) -> None:
    deal = dealt(suite, 3)
    for position, (_, b) in enumerate(deal.deck):
        shares = deal.shares(position)
        for missing in range(3):
            known = shares[:missing] + shares[missing + 1 :]
            assert open_value(suite, b, known, 40) is None


@both_suites
def test_a_marked_or_mixed_position_is_no_value(suite: Suite) -> None:
    deal = dealt(suite, 2)
    _, b = deal.deck[0]
    shares = deal.shares(0)
    assert open_value(suite, b, shares, 40) is not None
    assert open_value(suite, suite.add(b, suite.generator), shares, 40) is None
    assert open_value(suite, b, [shares[0], shares[0]], 40) is None
    assert open_value(suite, b, deal.shares(1), 40) is None
    assert open_value(suite, b, [b], 40) is None


def test_a_value_beyond_the_deck_is_no_value() -> None:
    deal = dealt(SMALL, 2)
    values = [
        open_value(SMALL, b, deal.shares(position), 30)
        for position, (_, b) in enumerate(deal.deck)
    ]
    expected: list[int | None] = [*range(30), *[None] * 10]
    assert Counter(values) == Counter(expected)


@both_suites
def test_the_first_deck_is_every_value_under_a_mask_of_one(suite: Suite) -> None:
    deal = dealt(suite, 2)
    for (a, b), value_point in zip(
        deal.stages[0], value_points(suite, 40), strict=True
    ):
        assert a == suite.generator
        assert suite.sub(b, deal.Y) == value_point
    assert len(set(value_points(suite, 40))) == 40


@both_suites
def test_the_joint_key_is_that_of_the_summed_secrets(suite: Suite) -> None:
    deal = dealt(suite, 4)
    assert deal.Y == suite.base(deal.x_joint)
    assert joint_key(suite, []) == suite.identity


# ------------------------------------------------ one seed, one deck, ever


def differences(suite: Suite, deck: Deck, other: Deck) -> list[bytes]:
    """B less b at each position: free of the mask if both were masked alike."""
    return [
        suite.sub(b, other_b).encoded
        for (_, b), (_, other_b) in zip(deck, other, strict=True)
    ]


@both_suites
def test_one_seed_on_two_inputs_gives_nothing_away(suite: Suite) -> None:
    """With masks that ignore the input the whole permutation would be read off (F2)."""
    deal = dealt(suite, 2)
    chair, deck_in = deal.chairs[0], deal.stages[0]
    other_in = dealt(suite, 2, k=1).stages[2]
    public = differences(suite, deck_in, other_in)

    order = drawn_order(words("sc1.test"), 40)
    careless = [
        tuple(
            (
                suite.add(deck[i][0], suite.base(7 + i)),
                suite.add(deck[i][1], suite.mul(7 + i, deal.Y)),
            )
            for i in order
        )
        for deck in (deck_in, other_in)
    ]
    seen = differences(suite, careless[0], careless[1])
    assert [public.index(each) for each in seen] == list(order)

    out, other_out = (
        remask(suite, deal.Y, deck, chair.ctx, chair.seed)
        for deck in (deck_in, other_in)
    )
    assert not set(differences(suite, out, other_out)) & set(public)


def test_another_input_gives_another_permutation() -> None:
    deal = dealt(SMALL, 2)
    chair, Y = deal.chairs[0], deal.Y
    (a, b), *rest = deal.stages[0]
    inputs = [
        deck_hash(Y, deal.stages[0]),
        deck_hash(Y, ((a, SMALL.add(b, b)), *rest)),
        deck_hash(Y, ((b, a), *rest)),
        deck_hash(Y, (*rest, (a, b))),
        deck_hash(SMALL.add(Y, Y), deal.stages[0]),
    ]
    orders = {permutation(chair.ctx, chair.seed, name, 40) for name in inputs}
    assert len(orders) == len(inputs)


def test_a_deck_is_named_by_its_key_and_all_its_pairs() -> None:
    deal = dealt(SMALL, 2)
    names = {deck_hash(deal.Y, deal.deck), deck_hash(deal.chairs[0].X, deal.deck)}
    for position in range(40):
        for half in range(2):
            pairs = [list(pair) for pair in deal.deck]
            pairs[position][half] = SMALL.add(pairs[position][half], SMALL.generator)
            names.add(deck_hash(deal.Y, tuple((a, b) for a, b in pairs)))
    assert len(names) == 2 + 80


def test_each_table_deck_and_seat_has_its_own_seed() -> None:
    args = [(SID, 0, 0), (SID, 0, 1), (SID, 1, 0), (b"another table...", 0, 0)]
    seeds = {deck_seed(MASTER, *each) for each in args}
    seeds |= {deck_seed(b"other!" + bytes(26), *each) for each in args}
    assert len(seeds) == 8


def test_a_seed_is_a_keyed_hash_of_its_place() -> None:
    place = SID + (3).to_bytes(8, "big") + (1).to_bytes(8, "big")
    expected = blake2b(place, digest_size=32, key=MASTER, person=b"sc1.deckseed")
    assert deck_seed(MASTER, SID, 3, 1) == expected.digest()


@pytest.mark.parametrize("master", [b"", bytes(31), bytes(33)])
def test_a_master_secret_has_thirty_two_bytes(master: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        deck_seed(master, SID, 0, 0)


def test_a_commitment_holds_for_one_seed_and_one_context() -> None:
    ctx, seed = context(SID, 0, 2, 40, 0), deck_seed(MASTER, SID, 0, 0)
    other_ctx, other_seed = context(SID, 0, 2, 40, 1), deck_seed(MASTER, SID, 1, 0)
    assert commitment(ctx, seed) == commitment(ctx, seed)
    assert commitment(ctx, seed) != commitment(other_ctx, seed)
    assert commitment(ctx, seed) != commitment(ctx, other_seed)


def test_a_seed_means_another_key_in_another_context() -> None:
    seed = deck_seed(MASTER, SID, 0, 0)
    keys = {
        secret_key(SMALL, context(SID, k, 2, 40, seat), seed)
        for k in range(3)
        for seat in range(3)
    }
    assert len(keys) == 9


def test_a_seat_that_starts_again_repeats_its_stage() -> None:
    deal = dealt(SMALL, 2)
    chair = deal.chairs[0]
    again = remask(SMALL, deal.Y, deal.stages[0], chair.ctx, chair.seed)
    assert again == deal.stages[1]


# ------------------------------------------------------------ permutations


def test_equal_draws_give_each_order_once() -> None:
    """Exhaustive: 4 x 3 x 2 draws, each residue once, and all 24 orders."""
    drawn = {
        drawn_order(iter(draws), 4) for draws in product(range(4), range(3), range(2))
    }
    assert drawn == set(permutations(range(4)))


def test_draws_in_the_uneven_rest_are_drawn_again() -> None:
    uneven = [2**64 - 1]  # 2^64 = 1 mod 3
    for draws in product(range(3), range(2)):
        assert drawn_order(iter([*uneven, *draws]), 3) == drawn_order(iter(draws), 3)
    even = iter([2**64 - 2, 1])
    assert drawn_order(even, 3) == drawn_order(iter([(2**64 - 2) % 3, 1]), 3)


def test_a_power_of_two_leaves_no_rest() -> None:
    assert drawn_order(iter([2**64 - 1]), 2) == drawn_order(iter([1]), 2) == (0, 1)
    assert drawn_order(iter([2**64 - 2]), 2) == (1, 0)


def no_draws() -> Iterator[int]:
    return iter(())


def test_a_deck_of_one_needs_no_draw() -> None:
    assert drawn_order(no_draws(), 1) == (0,)
    assert drawn_order(no_draws(), 0) == ()


def test_permutations_from_seeds_are_uniform() -> None:
    """Chi-square over 24 orders; 23 degrees of freedom exceed 58.6 once in 16,000."""
    ctx, name = context(SID, 0, 2, 4, 0), bytes(32)
    trials = 6000
    seen = Counter(
        permutation(ctx, i.to_bytes(32, "big"), name, 4) for i in range(trials)
    )
    assert chi_square([seen[order] for order in permutations(range(4))]) < 58.6


def test_each_place_of_a_deck_is_as_likely_for_each_value() -> None:
    """Chi-square over 40 x 40 cells; 39 x 39 degrees of freedom, 4.5 deviations."""
    ctx, name, cells = context(SID, 0, 2, 40, 0), bytes(32), Counter[tuple[int, int]]()
    for i in range(1500):
        order = permutation(ctx, i.to_bytes(32, "big"), name, 40)
        cells.update(enumerate(order))
    table = [cells[i, source] for i in range(40) for source in range(40)]
    degrees = 39 * 39
    # Rows and columns of a sum of permutations are fixed: hence 39 / 40.
    assert abs(chi_square(table) * 39 / 40 - degrees) < 4.5 * (2 * degrees) ** 0.5


def chi_square(counts: list[int]) -> float:
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 for count in counts) / mean


@given(st.binary(min_size=32, max_size=32), st.integers(0, 60))
@settings(max_examples=50, deadline=None)
def test_a_permutation_is_that_of_the_written_equation(seed: bytes, N: int) -> None:
    ctx, name = context(SID, 0, 2, N, 0), bytes(32)
    order = permutation(ctx, seed, name, N)
    assert sorted(order) == list(range(N))
    assert list(order) == oracle.permutation(ctx, seed, name, N)


def test_a_long_deck_draws_on() -> None:
    ctx, seed, name = context(SID, 0, 2, 500, 0), bytes(32), bytes(32)
    order = permutation(ctx, seed, name, 500)
    assert list(order) == oracle.permutation(ctx, seed, name, 500)


# ------------------------------------------------------------ on the wire


@both_suites
def test_a_deck_crosses_the_wire_unchanged(suite: Suite) -> None:
    deck = dealt(suite, 2).deck
    encoded = encode_deck(deck)
    assert len(encoded) == 2560
    assert decode_deck(suite, encoded, 40) == deck


@both_suites
def test_a_deck_with_one_outsider_anywhere_is_refused(suite: Suite) -> None:
    encoded = encode_deck(dealt(suite, 2, 10).deck)
    for i, outsider in enumerate(suite.outsiders.values()):
        at = 32 * (i % 20)
        spoiled = encoded[:at] + outsider + encoded[at + 32 :]
        assert decode_deck(suite, spoiled, 10) is None


def test_a_deck_of_another_length_is_refused() -> None:
    encoded = encode_deck(dealt(SMALL, 2, 10).deck)
    for wrong in (b"", encoded[:-1], encoded[:-64], encoded + encoded[:64]):
        assert decode_deck(SMALL, wrong, 10) is None
    assert decode_deck(SMALL, encoded, 11) is None


# ------------------------------------------------------------------ oracle


def test_a_stage_is_that_of_the_written_equations() -> None:
    deal = dealt(EDWARDS, 2)
    chair, deck_in, deck_out = deal.chairs[0], deal.stages[0], deal.stages[1]
    pairs = [a.encoded + b.encoded for a, b in deck_in]
    name = oracle.short(b"sc1.deck", deal.Y.encoded, *pairs)
    order = oracle.permutation(chair.ctx, chair.seed, name, 40)
    Y = oracle.point(deal.Y.encoded)
    for i in (0, 39):
        r = oracle.scalar(b"sc1.remask", chair.ctx, chair.seed, name, i)
        a, b = (oracle.point(half.encoded) for half in deck_in[order[i]])
        assert deck_out[i][0].encoded == oracle.encode(
            oracle.add(a, oracle.mul(r, oracle.G))
        )
        assert deck_out[i][1].encoded == oracle.encode(oracle.add(b, oracle.mul(r, Y)))


def test_deals_differ_by_deck_number() -> None:
    one, other = dealt(SMALL, 2), dealt(SMALL, 2, k=1)
    assert opened(one) != opened(other)
    assert replace(one.chairs[0], X=other.chairs[0].X) != one.chairs[0]
    assert first_deck(SMALL, one.Y, 40) != first_deck(SMALL, other.Y, 40)
