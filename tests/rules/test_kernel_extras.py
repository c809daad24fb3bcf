"""Actions that keep the turn: claims of an overlooked capture, and declarations."""

import pytest

from scopa_net.rules import kernel as k
from tests.rules.boards import (
    ACE_CLAIMED,
    CIRULLA,
    CLAIMED,
    act,
    actions,
    mask,
    play,
    position,
    text,
    word,
)


def names(listed: list[int]) -> set[str]:
    return {word(action) for action in listed}


def test_an_overlooked_capture_may_be_claimed_by_the_next_seat() -> None:
    s = position(CLAIMED, "KD 2D 7S", "5C", left=4)
    s = play(CLAIMED, s, "5C")
    s[k.HAND + 1] = mask("2C")
    assert names(actions(CLAIMED, s)) == {"2C", "claim 5CKD"}
    after = play(CLAIMED, s, "claim 5CKD")
    assert after[k.TURN] == s[k.TURN] == 1
    assert (text(after[k.PILE + 1]), text(after[k.TABLE])) == ("5CKD", "2D7S")
    assert (after[k.LAST], after[k.LAID], after[k.SWEEPS + 1]) == (1, -1, 0)
    assert names(actions(CLAIMED, after)) == {"2C"}


def test_a_claim_that_clears_the_table_scores() -> None:
    s = play(CLAIMED, position(CLAIMED, "KD", "5C", left=4), "5C")
    assert play(CLAIMED, s, "claim 5CKD")[k.SWEEPS + 1] == 1


def test_a_card_is_not_claimed_once_the_next_seat_has_played() -> None:
    s = play(CLAIMED, position(CLAIMED, "KD", "5C 3C", left=4), "5C")
    s[k.HAND + 1] = mask("AC")
    s = play(CLAIMED, s, "AC")
    assert names(actions(CLAIMED, s)) == {"3C"}


def test_the_last_card_of_a_deal_cannot_be_claimed() -> None:
    s = play(CLAIMED, position(CLAIMED, "KD 2D", "5C", left=1), "5C")
    assert actions(CLAIMED, s) == []


@pytest.mark.parametrize(
    ("table", "claims", "scope"),
    [
        ("KD 2D", {"claim ACKD2D"}, 0),
        ("AD 2D", {"claim ADAC"}, 0),
        ("AD", {"claim ADAC"}, 1),
        ("", set(), 0),
    ],
    ids=["sweep", "another-asso-there", "lone-asso", "nothing-there"],
)
def test_a_sweep_that_an_asso_did_not_make_may_be_claimed(
    table: str, claims: set[str], scope: int
) -> None:
    """It scores as the sweep would have scored."""
    s = play(ACE_CLAIMED, position(ACE_CLAIMED, table, "AC 3S", left=4), "AC")
    s[k.HAND + 1] = mask("QC")
    claims = {f"claim {text(mask(claim[6:]))}" for claim in claims}
    assert {name for name in names(actions(ACE_CLAIMED, s)) if " " in name} == claims
    for claim in claims:
        assert play(ACE_CLAIMED, s, claim)[k.SWEEPS + 1] == scope


@pytest.mark.parametrize(
    ("hand", "declared"),
    [
        ("AD 3C 5S", {"low AD3C5S"}),
        ("AD 4C 5S", set()),
        ("4D 4C 4S", {"three 4D4C4S"}),
        ("AD AC AS", {"low ADACAS", "three ADACAS"}),
        ("KD KC 7C", {"three 7CKDKC"}),
        ("2D 6C 7C", {"low 2D6C7C"}),
        ("AD 2C 7C", {"low AD2C7C"}),
        ("7D 7C KD", set()),
        ("AB 3B 5B", {"low AB3B5B"}),
        ("4D 5C 7C", set()),
        ("3D 5C 7C", {"low 3D5C7C"}),
    ],
)
def test_a_hand_is_declared(hand: str, declared: set[str]) -> None:
    found = names(actions(CIRULLA, position(CIRULLA, "KS QS", hand, left=36)))
    assert {name for name in found if " " in name} == declared


def test_a_declared_hand_is_shown_pays_and_keeps_the_turn() -> None:
    s = position(CIRULLA, "KS QS", "AD AC AS", left=36)
    after = play(CIRULLA, s, "three ADACAS")
    assert (after[k.EXTRA], after[k.TURN], text(after[k.SHOWN])) == (10, 0, "ADACAS")
    assert not any(" " in name for name in names(actions(CIRULLA, after)))
    assert play(CIRULLA, s, "low ADACAS")[k.EXTRA] == 3


def test_a_declared_hand_is_known_to_those_who_could_not_see_it() -> None:
    s = position(CIRULLA, "KS QS", "AD AC AS", left=36)
    [declared] = [a for a in actions(CIRULLA, s) if a >> 40 == k.THREE]
    k.observe(CIRULLA, s, 1)
    assert s[k.HAND] == 0
    assert text(act(CIRULLA, s, declared)[k.HAND]) == "ADACAS"


def test_a_hand_is_declared_only_while_it_is_whole() -> None:
    s = position(CIRULLA, "KS QS", "AD AC", left=34)
    assert not any(" " in name for name in names(actions(CIRULLA, s)))
