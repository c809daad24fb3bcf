"""Every check of what others sign is needed: without it an attack is not caught so.

For each check a switch turns it off, and the attack that it stops comes to something
else than before. What is no check of that kind, or asks what another one asks as well,
says so.
"""

from typing import Any, cast

import pytest

from protocol.faults import LocalProtocolError
from tests.protocol.attempts import OTHERS, attempt
from tests.protocol.outcomes import LIARS
from tests.protocol.switched import EXCUSED, SWITCHES
from tests.protocol.switches import Check, checks, turned_off
from tests.simulation.lies import UNPROVABLE

CHECKS = {str(check): check for check in checks()}
# What a program may fail with that trusts what it was given.
FAILURES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LocalProtocolError,
    LookupError,
    TypeError,
    ValueError,
)


def comes_to(name: str) -> object:
    """What an attack comes to; where nothing stops it, a program may fail."""
    try:
        return attempt(name)
    except FAILURES as failure:
        return type(failure)


def excuse(check: Check) -> str | None:
    """Why a check has no switch: for itself, or for its whole function."""
    return EXCUSED.get(str(check), EXCUSED.get(check.place))


@pytest.mark.parametrize("check", SWITCHES)
def test_without_a_check_its_attack_is_not_caught_in_that_way(
    check: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = SWITCHES[check]
    caught = attempt(name)
    liar = LIARS.get(name.split()[0])
    if liar is not None:
        told, seats = cast("tuple[bool, tuple[Any, ...]]", caught)
        assert told
        # Where nothing can be proven nothing more is given.
        assert all(faults for faults, *_ in seats) or liar in UNPROVABLE
    turned_off(monkeypatch, CHECKS[check])
    assert comes_to(name) != caught


def test_every_check_has_a_switch_or_a_reason_for_none() -> None:
    bare = [one for one, check in CHECKS.items() if one not in SWITCHES]
    assert [one for one in bare if excuse(CHECKS[one]) is None] == []


def test_every_switch_is_of_a_check_that_stands() -> None:
    assert set(SWITCHES) <= set(CHECKS)
    places = {check.place for check in CHECKS.values()}
    assert {one.partition(":")[0] for one in EXCUSED} <= places
    assert not [one for one in SWITCHES if excuse(CHECKS[one]) is not None]


def test_every_attack_is_one_that_there_is() -> None:
    for name in SWITCHES.values():
        assert name in OTHERS or name.split()[0] in LIARS, name


def test_a_switch_turns_off_one_check_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = "shuffling._read_key: not check_key(suite, context, key, proof)"
    caught = {name: attempt(name) for name in ("NeedsNoSecret 2 1", "GivesNoPoint 2 1")}
    turned_off(monkeypatch, CHECKS[key])
    assert comes_to("GivesNoPoint 2 1") == caught["GivesNoPoint 2 1"]
    assert comes_to("NeedsNoSecret 2 1") != caught["NeedsNoSecret 2 1"]
