"""What the benchmarks replace by a timed version of itself is where they look."""

import importlib

import pytest

from tests.benchmarks.holds import CAUSES, START


@pytest.mark.parametrize("place", [*CAUSES, START], ids=str)
def test_what_is_timed_is_there(place: tuple[str, str | None, str]) -> None:
    module, owner, name = place
    found = importlib.import_module(module)
    assert callable(getattr(found if owner is None else getattr(found, owner), name))
