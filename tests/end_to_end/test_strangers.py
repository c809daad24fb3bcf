"""Strangers who mean harm, at the door of a host whose match is being played."""

import sys

import pytest

from tests.benchmarks.hostile import measured

KINDS = {
    "silent",
    "slow",
    "garbage",
    "unfinished",
    "mute",
    "deaf",
    "looks",
    "knocks",
}


@pytest.mark.skipif(
    sys.platform != "linux", reason="strangers have addresses of their own on Linux"
)
def test_all_strangers_are_dropped_and_the_match_goes_on() -> None:
    # X32, X33.
    found = measured(connections=20, seconds=1.0)
    assert set(found["calls"]) == KINDS
    assert found["kept"] == 0
    assert min(found["plays"]) > 0
    assert found["looks_answered"] > 0
    assert found["knocks_answered"] > 0
