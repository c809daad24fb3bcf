import struct

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import (
    ARRAY_MAX,
    DEPTH_MAX,
    Anything,
    Bytes,
    Int,
    ListOf,
    Malformed,
    Maybe,
    Text,
    Value,
    decode,
    encode,
    fields,
)

LEAVES = (
    st.none()
    | st.integers(0, 2**63 - 1)
    | st.binary(max_size=40)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=6).map(tuple), max_leaves=20
)


@given(VALUES)
def test_what_is_written_reads_back_as_the_same_value(value: Value) -> None:
    assert decode(encode(value), Anything()) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_either_refused_or_the_one_encoding_of_their_value(
    data: bytes,
) -> None:
    try:
        value = decode(data, Anything())
    except Malformed:
        return
    assert encode(value) == data


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\x01\x02", id="two values"),
        pytest.param(b"\xcc\x05", id="a small number in a long form"),
        pytest.param(b"\xff", id="a negative number"),
        pytest.param(b"\xcf" + b"\xff" * 8, id="a number past 63 bits"),
        pytest.param(b"\xc3", id="true"),
        pytest.param(msgpack.packb(1.5), id="a float"),
        pytest.param(b"\xcb\x7f\xf8" + b"\0" * 6, id="not a number"),
        pytest.param(msgpack.packb({"a": 1}), id="a map"),
        pytest.param(msgpack.packb({1: 1, 2: 2}), id="a map with integer keys"),
        pytest.param(b"\xd4\x05\x00", id="an extension"),
        pytest.param(b"\xd6\xff\0\0\0\0", id="a timestamp"),
        pytest.param(b"\xa1\xff", id="text that is no UTF-8"),
        pytest.param(b"\xd9\x01a", id="a short text in a long form"),
        pytest.param(b"\xc5\x00\x01a", id="short bytes in a long form"),
        pytest.param(b"\xdc\x00\x01\x01", id="a short list in a long form"),
        pytest.param(b"\xdd\xff\xff\xff\xff", id="a list of four thousand million"),
        pytest.param(b"\xc6\xff\xff\xff\xff", id="four gigabytes"),
        pytest.param(b"\x91" * 40 + b"\x01", id="forty lists deep"),
        pytest.param(b"\x91" * 20_000, id="a deep list without an end"),
        pytest.param(b"\xdc\x00\x41" + b"\xc0" * 65, id="a list past its limit"),
    ],
)
def test_what_the_wire_does_not_know_is_refused(data: bytes) -> None:
    # X31.
    with pytest.raises(Malformed):
        decode(data, Anything(), size_max=1 << 16)


def test_a_message_past_its_size_is_refused_before_it_is_looked_at() -> None:
    assert decode(encode(b"x" * 100), Anything(), size_max=102) == b"x" * 100
    with pytest.raises(Malformed):
        decode(encode(b"x" * 101), Anything(), size_max=102)


def test_lists_nest_to_the_limit_and_no_deeper() -> None:
    # X31.
    value: Value = 1
    for _ in range(DEPTH_MAX):
        value = (value,)
    assert decode(encode(value), Anything()) == value
    with pytest.raises(Malformed):
        encode((value,))
    encode((None,) * ARRAY_MAX)
    with pytest.raises(Malformed):
        encode((None,) * (ARRAY_MAX + 1))


def test_our_own_program_cannot_write_what_the_wire_lacks() -> None:
    for value in (True, 1.0, {}, -1, 1 << 63, object()):
        with pytest.raises(Malformed):
            encode((value,))  # type: ignore[arg-type]


SHAPE = fields(
    Int(0, 5), Bytes(2), Bytes(1, 3), Text(4), Maybe(Int(1, 1)), ListOf(Int(0, 9), 1, 2)
)
GOOD: tuple[Value, ...] = (5, b"ab", b"abc", "ab", None, (0, 9))


def test_a_shape_accepts_exactly_its_fields() -> None:
    assert decode(encode(GOOD), SHAPE) == GOOD
    assert decode(encode((*GOOD[:4], 1, (1,))), SHAPE) == (*GOOD[:4], 1, (1,))


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (0, 6),
        (0, b"\x05"),
        (0, None),
        (1, b"a"),
        (1, b"abc"),
        (1, "ab"),
        (2, b""),
        (2, b"abcd"),
        (3, "abcde"),
        (3, "éé√"),
        (3, b"ab"),
        (4, 0),
        (4, "1"),
        (5, ()),
        (5, (1, 2, 3)),
        (5, (1, 10)),
        (5, 1),
    ],
)
def test_a_field_of_another_kind_length_or_range_is_refused(
    at: int, value: Value
) -> None:
    bad = (*GOOD[:at], value, *GOOD[at + 1 :])
    with pytest.raises(Malformed):
        decode(encode(bad), SHAPE)


def test_a_missing_or_added_field_is_refused() -> None:
    for bad in (GOOD[:-1], (*GOOD, None), (GOOD,)):
        with pytest.raises(Malformed):
            decode(encode(bad), SHAPE)


def test_a_bomb_of_empty_lists_is_refused_cheaply() -> None:
    # X31.
    bomb = b"\xdd" + struct.pack(">I", 60_000) + b"\x90" * 60_000
    with pytest.raises(Malformed):
        decode(bomb, Anything(), size_max=1 << 16)
