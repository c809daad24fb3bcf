"""What the speed of the rules is measured against plays the same deals."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ai.compiled import PLAIN
from tests.benchmarks import objects
from tests.benchmarks.kernel import POLICIES, VARIANTS, built, in_c, on, with_objects

DEALS = 15

every_workload = pytest.mark.parametrize(
    ("name", "policy"), [(name, policy) for name in VARIANTS for policy in POLICIES]
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    return built(tmp_path_factory.mktemp("c"))


@every_workload
def test_objects_play_the_deals_of_the_kernel(name: str, policy: str) -> None:
    number = POLICIES[policy]
    plain = on(PLAIN, VARIANTS[name].rules, number)
    assert with_objects(objects.GAMES[name], number)(DEALS) == plain(DEALS)


@every_workload
def test_c_plays_the_deals_of_the_kernel(name: str, policy: str, library: Path) -> None:
    rules, number = VARIANTS[name].rules, POLICIES[policy]
    assert in_c(library, rules, number)(DEALS) == on(PLAIN, rules, number)(DEALS)
