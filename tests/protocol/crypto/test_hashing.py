from hashlib import blake2b, shake_256
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.hashing import H, Part, frame, wide, words

parts_lists = st.lists(st.one_of(st.binary(max_size=9), st.text(max_size=4)))


def as_bytes(part: Part) -> bytes:
    return part.encode() if isinstance(part, str) else bytes(part)


@given(parts_lists, parts_lists)
def test_different_parts_never_frame_alike(
    left: list[bytes | str], right: list[bytes | str]
) -> None:
    alike = frame(tuple(left)) == frame(tuple(right))
    assert alike == ([*map(as_bytes, left)] == [*map(as_bytes, right)])


def test_a_hash_is_blake2b_of_framed_parts_under_its_tag() -> None:
    framed = bytes.fromhex("00000002 6162 00000008 0000000000000007 00000001 63")
    expected = blake2b(framed, digest_size=32, person=b"sc1.test").digest()
    assert H("sc1.test", b"ab", 7, "c") == expected


def test_a_wide_hash_is_no_longer_form_of_the_short_one() -> None:
    assert len(wide("sc1.test", b"ab")) == 64
    assert wide("sc1.test", b"ab")[:32] != H("sc1.test", b"ab")


@pytest.mark.parametrize(
    ("one", "other"),
    [((b"ab", b"c"), (b"a", b"bc")), ((b"ab",), (b"ab", b"")), ((), (b"",))],
)
def test_moving_a_boundary_changes_the_hash(
    one: tuple[bytes, ...], other: tuple[bytes, ...]
) -> None:
    assert H("sc1.test", *one) != H("sc1.test", *other)


def test_two_tags_never_share_a_hash() -> None:
    assert H("sc1.pok", b"ab") != H("sc1.dleq", b"ab")
    assert next(words("sc1.pok", b"ab")) != next(words("sc1.dleq", b"ab"))


def test_a_tag_longer_than_sixteen_bytes_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="16"):
        H("sc1.seventeen.byt", b"")


@pytest.mark.parametrize("number", [-1, 2**64])
def test_an_integer_that_does_not_fit_eight_bytes_is_our_mistake(number: int) -> None:
    with pytest.raises(OverflowError):
        H("sc1.test", number)


def test_words_go_on_as_one_stream() -> None:
    stream = shake_256(frame(("sc1.test", b"ab"))).digest(8 * 300)
    expected = [int.from_bytes(stream[i : i + 8], "big") for i in range(0, 2400, 8)]
    assert list(islice(words("sc1.test", b"ab"), 300)) == expected
