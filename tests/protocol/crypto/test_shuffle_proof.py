from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.crypto.group import EDWARDS, Point, Suite, encode_scalar
from protocol.crypto.hashing import H
from protocol.crypto.shuffle import (
    Deck,
    context,
    deck_hash,
    open_value,
    permutation,
    replay,
    share,
    stage,
)
from protocol.crypto.shuffle_proof import (
    ShuffleProof,
    check_shuffle,
    decode_shuffle_proof,
    proof_bytes,
)
from tests.protocol.crypto import oracle
from tests.protocol.crypto.dealt import SID, Shuffle, both_suites, dealt, shuffled
from tests.protocol.crypto.false_shuffles import (
    Forgery,
    foreseeing,
    foreseen,
    forger,
    forgeries,
    lies,
    permuting,
    remasked,
    scaling,
    statement,
)
from tests.support.small_group import SMALL

LIES = list(lies(shuffled(SMALL, 3)))


# ----------------------------------------------------------------- honest


@pytest.mark.parametrize("N", [1, 2, 9, 40])
@both_suites
def test_an_honest_shuffle_is_proven(suite: Suite, N: int) -> None:
    """One position too: there the proof says that it was remasked."""
    for seat in range(2):
        made = shuffled(suite, N, seat)
        assert made.accepted(made.proof())


@given(st.integers(1, 4), st.integers(1, 12), st.integers(0, 2**64 - 1), st.data())
@settings(max_examples=40, deadline=None)
def test_every_stage_of_a_deck_is_proven(
    n: int, N: int, k: int, data: st.DataObject
) -> None:
    made = shuffled(SMALL, N, data.draw(st.integers(0, n - 1)), n=n, k=k)
    assert made.accepted(made.proof())


@both_suites
def test_a_restart_repeats_the_proof_byte_for_byte(suite: Suite) -> None:
    made = shuffled(suite, 9)
    assert made.proof().encode() == made.proof().encode()


def test_a_proof_follows_the_written_equations() -> None:
    for N in (1, 2, 5, 40):
        made = shuffled(SMALL, N, 1)
        encoded = made.proof().encode()
        assert oracle.shuffle_proof(written(made), made.seed) == encoded
        assert oracle.shuffle_holds(written(made), encoded)


def test_two_decks_of_different_sizes_are_not_for_proving() -> None:
    made = shuffled(SMALL, 3)
    for deck_in, deck_out in (
        ((), ()),
        (made.deck_in, made.deck_out[:2]),
        (made.deck_in[:2], made.deck_out),
    ):
        with pytest.raises(ValueError, match="two decks of one size"):
            replace(made, deck_in=deck_in, deck_out=deck_out).proof()


def written(made: Shuffle) -> oracle.Shuffled:
    deck_in, deck_out = (
        [a.encoded + b.encoded for a, b in deck]
        for deck in (made.deck_in, made.deck_out)
    )
    return oracle.Shuffled(oracle.RESIDUES, made.ctx, made.Y.encoded, deck_in, deck_out)


# ------------------------------------------------------------------- wire


@both_suites
def test_a_proof_survives_the_wire(suite: Suite) -> None:
    made = shuffled(suite, 3)
    proof = made.proof()
    encoded = proof.encode()
    assert len(encoded) == proof_bytes(3)
    assert decode_shuffle_proof(suite, encoded, 3) == proof
    assert proof_bytes(40) == 5280


@both_suites
def test_a_scalar_out_of_range_is_not_decoded(suite: Suite) -> None:
    encoded = shuffled(suite, 2).proof().encode()
    for at in range(2 * 2 * 32, len(encoded), 32):
        for k in (0, suite.order, suite.order + 1, 2**256 - 1):
            changed = encoded[:at] + encode_scalar(k) + encoded[at + 32 :]
            assert decode_shuffle_proof(suite, changed, 2) is None


@both_suites
def test_a_point_outside_the_group_proves_nothing(suite: Suite) -> None:
    made = shuffled(suite, 2)
    encoded = made.proof().encode()
    for at in range(0, 2 * 2 * 32, 32):
        for outsider in suite.outsiders.values():
            changed = encoded[:at] + outsider + encoded[at + 32 :]
            proof = decode_shuffle_proof(suite, changed, 2)
            assert proof is not None
            assert not made.accepted(proof)


@both_suites
def test_a_proof_of_another_length_is_not_decoded(suite: Suite) -> None:
    encoded = shuffled(suite, 2).proof().encode()
    for changed in (b"", encoded[:-1], encoded + b"\1", encoded[:-32], 2 * encoded):
        assert decode_shuffle_proof(suite, changed, 2) is None
    for N in (0, 1, 3, 40):
        assert decode_shuffle_proof(suite, encoded, N) is None


# ------------------------------------------------- the prover does not know


@pytest.mark.parametrize("what", LIES)
@both_suites
def test_a_false_deck_is_refused_with_any_proof_at_hand(
    suite: Suite, what: str
) -> None:
    made = shuffled(suite, 3)
    told = lies(made)[what]
    assert not told.accepted(made.proof())
    assert not told.accepted(told.proof())


@both_suites
def test_a_proof_holds_for_one_shuffle_of_one_permutation(suite: Suite) -> None:
    made = shuffled(suite, 3)
    _, order = stage(suite, made.Y, made.deck_in, made.ctx, made.seed)
    other, again = forger(made, permuting(order)), permuting(order)
    assert other.made.deck_out != made.deck_out
    assert other.made.accepted(other.forge(again).proof)
    assert not other.made.accepted(made.proof())
    assert not made.accepted(other.forge(again).proof)


@both_suites
def test_a_proof_holds_for_one_seat_deck_and_table_only(suite: Suite) -> None:
    made = shuffled(suite, 3)
    proof = made.proof()
    others = [
        context(b"another table...", 0, 2, 3, 0),
        context(SID, 1, 2, 3, 0),
        context(SID, 0, 3, 3, 0),
        context(SID, 0, 2, 4, 0),
        context(SID, 0, 2, 3, 1),
    ]
    assert made.ctx == context(SID, 0, 2, 3, 0)
    assert not any(replace(made, ctx=ctx).accepted(proof) for ctx in others)


@both_suites
def test_a_proof_holds_for_one_key_and_one_input_only(suite: Suite) -> None:
    made, deal = shuffled(suite, 3), dealt(suite, 2, 3)
    proof, first = made.proof(), made.deck_in
    assert not replace(made, Y=suite.add(made.Y, suite.generator)).accepted(proof)
    assert not replace(made, Y=suite.identity).accepted(proof)
    for deck_in in (deal.deck, (first[1], first[0], first[2]), made.deck_out):
        told = replace(made, deck_in=deck_in)
        assert not told.accepted(proof)
        assert not told.accepted(told.proof())
    backwards = replace(made, deck_in=made.deck_out, deck_out=made.deck_in)
    assert not backwards.accepted(proof)
    assert not backwards.accepted(backwards.proof())


def changed_fields(suite: Suite, proof: ShuffleProof) -> Iterator[ShuffleProof]:
    """Proofs that differ from one in a single point or scalar."""
    points, N = (*proof.commitments, *proof.chain), len(proof.chain)
    for i, point in enumerate(points):
        for other in changed_points(suite, point):
            changed = (*points[:i], other, *points[i + 1 :])
            yield replace(proof, commitments=changed[:N], chain=changed[N:])
    for i, scalar in enumerate(proof.scalars):
        for k in changed_scalars(suite, scalar):
            told = (*proof.scalars[:i], k, *proof.scalars[i + 1 :])
            sums, links, weights = told[1:5], told[5 : 5 + N], told[5 + N :]
            yield replace(
                proof, challenge=told[0], sums=sums, links=links, weights=weights
            )


def changed_points(suite: Suite, encoded: bytes) -> list[bytes]:
    point = suite.decode(encoded)
    assert point is not None
    opposite = suite.sub(suite.identity, point)
    changed = suite.add(point, suite.generator), opposite, suite.identity
    return [other.encoded for other in changed]


def changed_scalars(suite: Suite, k: int) -> list[int]:
    L = suite.order
    return [k % (L - 1) + 1, L - k, 0, k + L, k - L, 2**256]


@both_suites
def test_a_proof_changed_in_any_one_field_is_refused(suite: Suite) -> None:
    made = shuffled(suite, 2)
    proof = made.proof()
    changed = list(changed_fields(suite, proof))
    assert len(changed) == 3 * 4 + 6 * 9
    assert proof not in changed
    assert not any(made.accepted(each) for each in changed)


@both_suites
def test_a_proof_with_its_parts_in_other_places_is_refused(suite: Suite) -> None:
    made = shuffled(suite, 3)
    proof = made.proof()
    for changed in (
        replace(proof, commitments=proof.chain, chain=proof.commitments),
        replace(proof, links=proof.weights, weights=proof.links),
        replace(proof, commitments=proof.commitments[::-1]),
        replace(proof, chain=proof.chain[::-1]),
        replace(proof, sums=proof.sums[::-1]),
        replace(proof, weights=proof.weights[::-1]),
    ):
        assert not made.accepted(changed)


@both_suites
def test_a_list_of_another_length_is_refused_without_raising(suite: Suite) -> None:
    made = shuffled(suite, 2)
    proof = made.proof()
    for size in (0, 1, 3):
        points, scalars = (made.Y.encoded,) * size, (1,) * size
        for changed in (
            replace(proof, commitments=points),
            replace(proof, chain=points),
            replace(proof, sums=scalars),
            replace(proof, links=scalars),
            replace(proof, weights=scalars),
        ):
            assert not made.accepted(changed)
    empty = ShuffleProof((), (), 1, (1, 1, 1, 1), (), ())
    for deck_in, deck_out in (((), ()), (made.deck_in, ()), ((), made.deck_out)):
        told = replace(made, deck_in=deck_in, deck_out=deck_out)
        assert not told.accepted(proof)
        assert not told.accepted(empty)


@both_suites
def test_the_proof_of_nothing_proves_nothing(suite: Suite) -> None:
    """A challenge of zero would take every claim out of the equations."""
    made = shuffled(suite, 2)
    zero, G = (suite.identity,) * 2, (suite.generator,) * 2
    false = lies(made)["an output twice"].deck_out
    nothing = ((suite.identity, suite.identity),) * 2
    for k in (0, 1):
        for points in (zero, G):
            sent = tuple(point.encoded for point in points)
            proof = ShuffleProof(sent, sent, k, (k,) * 4, (k, k), (k, k))
            for deck_in in (made.deck_in, nothing):
                for deck_out in (made.deck_out, false, nothing):
                    told = replace(made, deck_in=deck_in, deck_out=deck_out)
                    assert not told.accepted(proof)


points = st.one_of(st.just(SMALL.identity), st.integers(0, 2**61).map(SMALL.base))
encodings = points.map(lambda point: point.encoded)
in_range = st.integers(1, SMALL.order - 1)
junk = st.one_of(in_range, in_range, st.integers(-(2**64), 2**64), st.just(2**300))


@given(st.integers(1, 4), st.data())
@settings(max_examples=80, deadline=None)
def test_checking_a_proof_never_raises(N: int, data: st.DataObject) -> None:
    """Identity, repeated and unrelated points, any scalars: refused, no error."""
    scalar = data.draw(st.sampled_from([in_range, junk]))

    def scalars(count: int) -> tuple[int, ...]:
        return tuple(data.draw(scalar) for _ in range(count))

    def drawn() -> tuple[Point, ...]:
        return tuple(data.draw(points) for _ in range(N))

    deck_in, deck_out = (tuple(zip(drawn(), drawn(), strict=True)) for _ in "io")
    proof = ShuffleProof(
        tuple(point.encoded for point in drawn()),
        tuple(data.draw(st.one_of(encodings, st.binary())) for _ in range(N)),
        data.draw(scalar),
        scalars(4),
        scalars(N),
        scalars(N),
    )
    Y = data.draw(points)
    assert not check_shuffle(SMALL, Y, deck_in, deck_out, b"ctx", proof)


def test_edwards_checks_with_the_identity_never_raise() -> None:
    made, zero = shuffled(EDWARDS, 2), EDWARDS.identity
    zeros: Deck = ((zero, zero),) * 2
    for told in (
        replace(made, deck_in=zeros),
        replace(made, deck_out=zeros),
        replace(made, Y=zero),
    ):
        assert not told.accepted(made.proof())
        assert not told.accepted(told.proof())


# ----------------------------------------------------- the prover knows how

# Each of the equations (11) is all that stands between some forgery and a proof.
MISSED = {
    "a scaled pair, two numbers committed": [1],
    "inputs mixed, no permutation committed": [2],
    "another permutation committed": [3],
    "a mask moved, the rest proven": [4],
    "offset by a point, the rest proven": [5],
    "another permutation in the deck": [4, 5],
    "inputs mixed, chained as a permutation": [6, 7],
    "an input twice, committed twice": [2, 4, 5],
    "an input twice, committed once": [4, 5],
}


def test_every_forgery_is_tried() -> None:
    assert set(forgeries(shuffled(SMALL, 3))) == set(MISSED)


@pytest.mark.parametrize("what", MISSED)
@both_suites
def test_a_forger_who_knows_the_proof_is_refused(suite: Suite, what: str) -> None:
    told, forgery = forgeries(shuffled(suite, 3, 1))[what]
    assert not told.accepted(forgery.proof)
    assert not told.accepted(told.proof())


@pytest.mark.parametrize("what", MISSED)
def test_a_forger_keeps_to_all_equations_but_these(what: str) -> None:
    told, forgery = forgeries(shuffled(SMALL, 3, 1))[what]
    first = oracle.shuffle_first(written(told), forgery.proof.encode())
    assert missed(forgery, first) == MISSED[what]


def missed(forgery: Forgery, first: list[bytes]) -> list[int]:
    """Which points of phi, from 1, do not come out as the challenge hashed them."""
    pairs = zip(forgery.first, first, strict=True)
    return [i for i, (told, found) in enumerate(pairs, 1) if told.encoded != found]


@both_suites
def test_a_scaled_pair_passes_only_weights_known_before_the_commitments(
    suite: Suite,
) -> None:
    liar = forger(shuffled(suite, 3), scaling(suite, 3))
    weak = foreseen(liar.made)
    matrix = foreseeing(suite, weak.weights(3))
    passing = replace(liar, made=replace(liar.made, suite=weak))
    forged = passing.forge(matrix).proof
    assert passing.made.accepted(forged)

    assert not liar.made.accepted(forged)
    assert not liar.made.accepted(liar.forge(matrix).proof)
    opened = opens_to(liar.made)
    assert opened[:2] == [None, None]
    assert opened[2] is not None


def opens_to(made: Shuffle) -> list[int | None]:
    chairs = dealt(made.suite, 2, len(made.deck_in)).chairs
    return [
        open_value(
            made.suite,
            b,
            [share(made.suite, chair.x, a) for chair in chairs],
            len(made.deck_out),
        )
        for a, b in made.deck_out
    ]


@both_suites
def test_a_true_shuffle_with_other_secrets_is_proven_and_not_replayed(
    suite: Suite,
) -> None:
    """The proof is of a permutation; that it is the seed's own, the replay says."""
    made = shuffled(suite, 3)
    other = forger(made, permuting([2, 0, 1]))
    proof = other.forge(permuting([2, 0, 1])).proof
    assert other.made.accepted(proof)
    assert set(opens_to(other.made)) == {0, 1, 2}
    assert replayed(other.made) != other.made.deck_out


# ----------------------------------------------------------------- replay


def replayed(made: Shuffle, n: int = 2, k: int = 0) -> Deck:
    x_joint = dealt(made.suite, n, len(made.deck_in), k).x_joint
    return replay(made.suite, made.Y, made.deck_in, made.ctx, made.seed, x_joint)


@pytest.mark.parametrize("what", LIES)
@both_suites
def test_the_replay_refuses_what_the_proof_refuses(suite: Suite, what: str) -> None:
    told = lies(shuffled(suite, 3))[what]
    assert replayed(told) != told.deck_out


small_factors = st.integers(-1, 2)


@st.composite
def said_shuffles(draw: st.DrawFn) -> tuple[Shuffle, int]:
    """A stage with up to two things done to its output, each perhaps nothing."""
    N, k = draw(st.integers(1, 6)), draw(st.integers(0, 2**64 - 1))
    made = shuffled(SMALL, N, draw(st.integers(0, 1)), k=k)
    deck, at = list(made.deck_out), st.integers(0, N - 1)
    for _ in range(draw(st.integers(0, 2))):
        i, j, factor = draw(at), draw(at), draw(small_factors)
        what = draw(st.sampled_from(["swap", "copy", "remask", "offset", "multiply"]))
        a, b = deck[i]
        if what == "swap":
            deck[i], deck[j] = deck[j], deck[i]
        elif what == "copy":
            deck[i] = deck[j]
        elif what == "remask":
            deck[i] = remasked(SMALL, made.Y, deck[i], factor)
        elif what == "offset":
            deck[i] = a, SMALL.add(b, SMALL.base(factor))
        else:
            deck[i] = SMALL.mul(factor, a), SMALL.mul(factor, b)
    return replace(made, deck_out=tuple(deck)), k


@given(said_shuffles())
@settings(max_examples=150, deadline=None)
def test_the_proof_of_an_honest_algorithm_holds_if_and_only_if_the_replay_does(
    said: tuple[Shuffle, int],
) -> None:
    told, k = said
    agrees = replayed(told, k=k) == told.deck_out
    assert told.accepted(told.proof()) == agrees


# ----------------------------------------------------------------- nonces


def answer_nonces(made: Shuffle) -> list[int]:
    """The y of (10), by one who knows the permutation."""
    proof, N = made.proof(), len(made.deck_in)
    digest = H("sc1.twu", *statement(made), *proof.commitments)
    name = deck_hash(made.Y, made.deck_in)
    return [
        (z - proof.challenge * SMALL.scalar("sc1.twu", digest, source)) % SMALL.order
        for z, source in zip(
            proof.weights, permutation(made.ctx, made.seed, name, N), strict=True
        )
    ]


def test_no_nonce_serves_two_statements() -> None:
    made = shuffled(SMALL, 3)
    told = [
        made,
        *lies(made).values(),
        replace(made, ctx=context(SID, 1, 2, 3, 0)),
        replace(made, Y=SMALL.add(made.Y, SMALL.generator)),
        replace(made, deck_in=made.deck_in[::-1]),
    ]
    nonces = [nonce for each in told for nonce in answer_nonces(each)]
    assert len(set(nonces)) == 3 * len(told)
