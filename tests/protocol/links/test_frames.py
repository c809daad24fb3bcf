"""A stream cut into frames, however it comes."""

import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.links.frames import FrameTooLong, Unframer, framed


@given(st.lists(st.binary(max_size=40), max_size=20), st.integers(0, 1 << 32))
def test_frames_come_out_as_they_went_in(frames: list[bytes], seed: int) -> None:
    rng = Random(seed)
    stream = b"".join(framed(frame) for frame in frames)
    unframer = Unframer(40)
    out: list[bytes] = []
    while stream:
        size = rng.randint(1, 60)
        out += unframer.feed(stream[:size])
        stream = stream[size:]
    assert out == frames


def test_a_frame_over_the_limit_is_refused_at_its_header() -> None:
    assert list(Unframer(10).feed(framed(b"x" * 10))) == [b"x" * 10]
    with pytest.raises(FrameTooLong):
        list(Unframer(10).feed((11).to_bytes(4, "big")))
    with pytest.raises(FrameTooLong):
        list(Unframer(10).feed(b"GET / HTTP/1.1\r\n"))


def test_the_limit_may_change_between_two_frames_of_one_piece() -> None:
    unframer = Unframer(1)
    out = []
    for frame in unframer.feed(framed(b"x") + framed(b"y" * 50)):
        out.append(frame)
        unframer.bytes_max = 50
    assert out == [b"x", b"y" * 50]


def test_a_frame_is_not_held_before_it_comes() -> None:
    unframer = Unframer(65_536)
    list(unframer.feed((65_536).to_bytes(4, "big") + b"x"))
    assert len(unframer._held) == 1


def work_s(pieces: list[bytes]) -> float:
    unframer = Unframer(65_536)
    began = time.process_time()
    for piece in pieces:
        for _ in unframer.feed(piece):
            pass
    return time.process_time() - began


@pytest.mark.parametrize("size", [0, 100, 65_536], ids=str)
def test_a_mebibyte_is_linear_work_in_bytes_or_at_once(size: int) -> None:
    frame = framed(b"x" * size)
    stream = frame * (1_048_576 // len(frame))
    one_by_one = [stream[at : at + 1] for at in range(len(stream))]
    # A quadratic receiver takes minutes.
    assert work_s(one_by_one) < 20
    assert work_s([stream]) < 10
