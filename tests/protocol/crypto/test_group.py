import ast
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import protocol
from protocol.crypto.group import (
    EDWARDS,
    Point,
    Suite,
    UnsafeGroup,
    decode_scalar,
    encode_scalar,
    hash_to_scalar,
    self_test,
)
from tests.protocol.crypto import oracle
from tests.protocol.crypto.counting import Counting
from tests.protocol.crypto.dealt import both_suites
from tests.support.small_group import SMALL

scalars = st.integers(min_value=-(2**260), max_value=2**260)


@both_suites
def test_a_sound_suite_passes_its_self_test(suite: Suite) -> None:
    self_test(suite)


class Permissive(Counting):
    """A library that lets one outsider in."""

    let_in = bytes(32)

    def decode(self, encoded: bytes) -> Point | None:
        return Point(encoded) if encoded == self.let_in else super().decode(encoded)


class Multiplying(Counting):
    """A library that multiplies one outsider."""

    let_in = bytes(32)

    def decode_times(self, k: int, encoded: bytes) -> tuple[Point, Point] | None:
        if encoded != self.let_in:
            return super().decode_times(k, encoded)
        return Point(encoded), self.identity


@pytest.mark.parametrize("library", [Permissive, Multiplying])
@both_suites
def test_the_self_test_finds_each_outsider_that_is_let_in(
    suite: Suite, library: type[Permissive | Multiplying]
) -> None:
    for what, encoded in suite.outsiders.items():
        permissive = library(suite)
        permissive.let_in = encoded
        with pytest.raises(UnsafeGroup) as caught:
            self_test(permissive)
        assert what in str(caught.value)


class Closed(Counting):
    """A library that lets nobody in."""

    def decode(self, encoded: bytes) -> Point | None:
        return None


class OtherOrder(Counting):
    """A library whose generator does not return to the identity."""

    @property
    def order(self) -> int:
        return super().order - 2


def test_the_self_test_wants_the_generator_and_its_order() -> None:
    with pytest.raises(UnsafeGroup, match="generator is refused"):
        self_test(Closed(SMALL))
    with pytest.raises(UnsafeGroup, match="another order"):
        self_test(OtherOrder(SMALL))


def test_the_outsiders_of_edwards_are_what_they_are_called() -> None:
    eighth = oracle.point(EDWARDS.outsiders["1 T8"])
    assert oracle.mul(4, eighth) != oracle.ZERO == oracle.mul(8, eighth)
    for i in range(1, 8):
        small = oracle.mul(i, eighth)
        assert EDWARDS.outsiders[f"{i} T8"] == oracle.encode(small)
        mixed = oracle.encode(oracle.add(oracle.G, small))
        assert EDWARDS.outsiders[f"G + {i} T8"] == mixed


def test_any_member_mixed_with_a_small_point_is_refused() -> None:
    eighth = oracle.point(EDWARDS.outsiders["1 T8"])
    for i in range(1, 8):
        small = oracle.mul(i, eighth)
        member = oracle.point(EDWARDS.hash_to_point("sc1.test", i).encoded)
        assert EDWARDS.decode(oracle.encode(member)) is not None
        mixed = oracle.encode(oracle.add(member, small))
        assert EDWARDS.decode(mixed) is None
        # Eight times it is eight times the member, which must not let it in.
        assert EDWARDS.decode_times(8, mixed) is None


def test_only_reduced_encodings_are_members() -> None:
    for y in range(19):
        for sign in (0, 2**255):
            not_reduced = (y + 2**255 - 19 | sign).to_bytes(32, "little")
            assert EDWARDS.decode(not_reduced) is None
            assert EDWARDS.decode_times(3, not_reduced) is None


@given(st.binary(min_size=32, max_size=32))
@settings(max_examples=25, deadline=None)
def test_the_door_agrees_with_the_oracle(encoded: bytes) -> None:
    member = EDWARDS.decode(encoded)
    assert (member is not None) == oracle.is_member(encoded)
    product = None if member is None else (member, EDWARDS.mul(7, member))
    assert EDWARDS.decode_times(7, encoded) == product


@given(st.binary(max_size=70))
@settings(deadline=None)
def test_any_bytes_may_knock(encoded: bytes) -> None:
    for suite in (SMALL, EDWARDS):
        found = suite.decode(encoded)
        assert found is None or found.encoded == encoded
        assert suite.decode(encoded[:31]) is None
        assert suite.decode_times(5, encoded[:31]) is None


@both_suites
def test_a_member_decodes_to_itself(suite: Suite) -> None:
    member = suite.hash_to_point("sc1.test", 3)
    assert suite.decode(member.encoded) == member
    assert suite.decode(member.encoded + b"\0") is None
    assert suite.decode_times(5, member.encoded) == (member, suite.mul(5, member))
    assert suite.decode_times(5, member.encoded + b"\0") is None


@both_suites
def test_the_identity_is_a_value_that_never_comes_in(suite: Suite) -> None:
    zero, member = suite.identity, suite.hash_to_point("sc1.test", 3)
    assert suite.decode(zero.encoded) is None
    assert suite.base(0) == suite.base(suite.order) == zero
    assert suite.mul(0, member) == suite.mul(suite.order, member) == zero
    assert suite.mul(5, zero) == suite.add(zero, zero) == suite.sub(zero, zero) == zero
    assert suite.add(member, zero) == suite.sub(member, zero) == member
    assert suite.sub(member, member) == zero
    assert suite.add(suite.sub(zero, member), member) == zero


@given(scalars, scalars)
@settings(max_examples=100, deadline=None)
def test_small_scalars_act_as_integers_modulo_the_order(k: int, m: int) -> None:
    obeys_the_laws(SMALL, k, m)


@given(scalars, scalars)
@settings(max_examples=10, deadline=None)
def test_edwards_scalars_act_as_integers_modulo_the_order(k: int, m: int) -> None:
    obeys_the_laws(EDWARDS, k, m)


def obeys_the_laws(suite: Suite, k: int, m: int) -> None:
    member = suite.hash_to_point("sc1.test", 1)
    assert suite.add(suite.base(k), suite.base(m)) == suite.base(k + m)
    assert suite.sub(suite.mul(k, member), suite.mul(m, member)) == suite.mul(
        k - m, member
    )
    assert suite.mul(k, suite.base(m)) == suite.base(k * m)


def test_edwards_multiplies_as_the_oracle_does() -> None:
    member = EDWARDS.hash_to_point("sc1.test", 1)
    for k in (1, 2, 2**252, EDWARDS.order - 1, EDWARDS.scalar("sc1.test", b"k")):
        slow = oracle.mul(k, oracle.point(member.encoded))
        assert EDWARDS.mul(k, member).encoded == oracle.encode(slow)
        assert EDWARDS.base(k).encoded == oracle.encode(oracle.mul(k, oracle.G))


@both_suites
def test_hashed_points_are_members_and_differ(suite: Suite) -> None:
    # F20.
    points = [suite.hash_to_point(tag, i) for tag in ("a", "b") for i in range(40)]
    assert len(set(points)) == 80
    assert all(suite.decode(point.encoded) == point for point in points)


@both_suites
def test_scalars_on_the_wire_are_one_to_order_less_one(suite: Suite) -> None:
    last = suite.order - 1
    assert decode_scalar(suite, encode_scalar(1)) == 1
    assert decode_scalar(suite, encode_scalar(last)) == last
    for refused in (0, suite.order, suite.order + 1, 2**255, 2**256 - 1):
        assert decode_scalar(suite, encode_scalar(refused)) is None
    assert decode_scalar(suite, encode_scalar(1)[:31]) is None
    assert decode_scalar(suite, encode_scalar(1) + b"\0") is None


def test_a_hashed_scalar_is_never_zero() -> None:
    drawn = [hash_to_scalar(3, "sc1.test", i) for i in range(300)]
    assert set(drawn) == {1, 2}


def test_points_of_one_suite_are_no_points_of_another() -> None:
    with pytest.raises(ValueError, match="another suite"):
        SMALL.mul(2, EDWARDS.hash_to_point("sc1.test", 1))


def test_points_are_made_by_suites_alone() -> None:
    package = Path(protocol.__file__).parent
    makers = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Point"
    }
    assert makers == {"crypto/group.py"}
