from typing import Literal

import pytest
from hypothesis import given

from protocol.codec import Anything, decode, encode
from scopa_net.rules import Action, Card, Claim, Declare, Play, card, legal_actions
from scopa_net.rules.cards import cards
from scopa_net.rules.deal import Deal
from scopa_net.statements import read_statement, write_statement
from tests.support.deals import running_deals


def opened_by(action: Action) -> tuple[Card, ...]:
    match action:
        case Play(played):
            return (played,)
        case Declare(shown):
            return shown
        case Claim():
            return ()


@given(running_deals())
def test_every_legal_action_is_told_by_its_cards_and_its_statement(
    running: tuple[Deal, Action],
) -> None:
    deal, _ = running
    for action in legal_actions(deal):
        statement = decode(encode(write_statement(action)), Anything())
        assert read_statement(statement, opened_by(action)) == action


def test_a_declaration_says_which_of_the_two_it_is() -> None:
    kinds: tuple[Literal["low"], Literal["three"]] = ("low", "three")
    for kind in kinds:
        shown = Declare(cards("AD 2C 3B"), kind)
        assert read_statement(write_statement(shown), shown.cards) == shown


def test_a_claim_opens_nothing() -> None:
    claim = Claim(cards("7D JC"))
    assert read_statement(write_statement(claim), ()) == claim


@pytest.mark.parametrize(
    ("statement", "opened"),
    [
        pytest.param((0, (5, 4)), "7D", id="captured cards not ascending"),
        pytest.param((0, (4, 4)), "7D", id="a card captured twice"),
        pytest.param((0, (40,)), "7D", id="no card of forty"),
        pytest.param((0, ()), "7D 6D", id="two cards played"),
        pytest.param((0, ()), "", id="nothing played"),
        pytest.param((1, ()), "7D", id="a declaration of no kind"),
        pytest.param((1, (2,)), "7D", id="a declaration of an unknown kind"),
        pytest.param((1, (0,)), "", id="a declaration that shows nothing"),
        pytest.param((2, (1,)), "7D", id="a claim that opens a card"),
        pytest.param((3, ()), "7D", id="an unknown action"),
        pytest.param((0,), "7D", id="too short"),
        pytest.param(None, "7D", id="nothing said"),
        pytest.param((0, (True,)), "7D", id="true for a number"),
    ],
)
def test_what_is_no_statement_makes_no_action(statement: object, opened: str) -> None:
    assert read_statement(statement, cards(opened) if opened else ()) is None


def test_the_card_of_a_play_is_not_on_the_wire() -> None:
    same = {encode(write_statement(Play(card(text)))) for text in ("AD", "7B", "KS")}
    assert len(same) == 1
