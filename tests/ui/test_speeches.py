"""Hands that are declared and captures that are claimed, at the screen."""

import pytest

from scopa_net.events import DealStarted, TableTaken
from scopa_net.rules import (
    MATCH_CLAIM,
    Claim,
    Declare,
    Play,
    card,
    find_variant,
    legal_actions,
)
from scopa_net.rules.cards import cards
from scopa_net.ui.view import AskHint, Do, Hinted
from tests.support.deals import variant_with
from tests.ui.sitting import Sitting, dealt_out, shuffled

CIRULLA = find_variant("cirulla")
CLAIMS = find_variant("escoba", 2, {"compulsion": "none+claim"})
LOW = Declare(cards("AD AC AS"), "low")
THREE = Declare(cards("AD AC AS"), "three")


def aces() -> Sitting:
    """Ana holds three assi, Bruno three that count nine."""
    deal = dealt_out(CIRULLA, "KC QS JB 5C", "AD AC AS", "4D 2D 3C")
    return Sitting(deal, hints=True).start().ask()


def low() -> Sitting:
    """Ana holds one hand that can be declared in one way."""
    deal = dealt_out(CIRULLA, "KC QS JB 5C", "4D 2D 3C", "AD AC AS")
    return Sitting(deal).start().ask()


def overlooked() -> Sitting:
    """Bruno has laid a 5 that could have taken."""
    deal = dealt_out(CLAIMS, "KC QS AB 3C", "AD AC AS", "5D 6D 7D")
    return Sitting(deal).start().play("AD", "5D").settle().ask()


def message(sitting: Sitting) -> str:
    return sitting.view.message.text if sitting.view.message else ""


def test_what_may_be_said_is_told_with_the_question_and_among_the_keys() -> None:
    assert "Your turn: pick a card; or x to declare or claim." in aces().text()
    said = "Your turn: pick a card; or x to declare nine or less for 3 points."
    assert said in low().text()
    assert "x declare or claim" in low().text(100, 30)


def test_the_only_thing_to_say_is_previewed_and_said_with_enter() -> None:
    sitting = low().press("x")
    assert message(sitting) == "Declare nine or less for 3 points? Enter says it."
    assert sitting.commands == []
    said = Declare(cards("4D 2D 3C"), "low")
    assert sitting.press("enter").commands == [Do(said)]


def test_several_things_to_say_have_letters() -> None:
    sitting = aces().press("x")
    text = sitting.text()
    assert "Say what?" in text
    assert "a  declare nine or less for 3 points" in text
    assert "b  declare three of one rank for 10 points" in text
    assert sitting.press("b").commands == [Do(THREE)]
    assert aces().press("x", "down", "enter").commands == [Do(THREE)]


def test_the_score_so_far_tells_the_declared_points() -> None:
    sitting = aces().play(THREE).settle().ask()
    assert "10 declared" in sitting.press("s").text()
    sitting = sitting.play("ADx5CJBQSKC").settle()
    sitting.play(Declare(cards("4D 2D 3C"), "low")).settle()
    told = " ".join(sitting.text().split())
    assert "10 declared 3 declared" in told
    assert "declared" not in overlooked().press("s").text()


def test_what_is_said_can_be_put_back_and_a_card_picked_instead() -> None:
    sitting = aces().press("x", "escape")
    assert sitting.view.ways == ()
    assert aces().press("x", "1").view.picked == 0
    assert aces().press("1", "x").view.picked is None


def test_a_claim_shows_what_it_would_take() -> None:
    sitting = overlooked().press("x")
    text = sitting.text()
    assert text.count("TAKE") == len(sitting.view.speeches[0].captured)  # type: ignore[union-attr]
    claim = sitting.view.speeches[1]
    assert isinstance(claim, Claim)
    assert sitting.press("b").commands == [Do(claim)]


def test_the_match_is_claimed_with_the_same_key_and_not_advertised() -> None:
    variant = variant_with(tie_at_target="claim")
    sitting = Sitting(dealt_out(variant, "3S 4D 5C 2B", "7D")).start().ask()
    assert "claim the match" not in sitting.text()
    sitting.press("x")
    assert message(sitting) == "Claim the match? Enter says it."
    assert sitting.press("enter").commands == [Do(MATCH_CLAIM)]


def test_where_there_is_nothing_to_say_a_sentence_says_so() -> None:
    deal = dealt_out(find_variant("scopa"), "3S 4D 5C 2B", "7D")
    sitting = Sitting(deal).start()
    assert "Wait for your turn" in message(sitting.press("x"))
    sitting.ask().press("x")
    assert message(sitting) == "There is nothing to declare or claim now."
    assert "x declare" not in sitting.text(100, 30)


def test_a_declared_hand_is_told_and_lies_open_until_it_is_played() -> None:
    sitting = aces().play("ADx5CJBQSKC").settle()
    sitting.play(Declare(cards("4D 2D 3C"), "low"))
    assert "Bruno declared nine or less for 3 points and showed" in sitting.view.news
    assert "2D 3C 4D" in sitting.text()
    sitting.play("4D").settle()
    assert "4D" not in [str(one) for one in sitting.view.board.shown[1]]  # type: ignore[union-attr]
    assert len(sitting.view.board.shown[1]) == 2  # type: ignore[union-attr]


def test_the_own_declared_hand_is_asked_for_again() -> None:
    sitting = aces().play(LOW)
    assert sitting.view.asked is None
    sitting.ask()
    assert sitting.view.speeches == ()
    assert sitting.view.board is not None
    assert sitting.view.board.shown == ((), ())
    assert [str(one) for one in sitting.view.board.hand] == ["AD", "AC", "AS"]


def test_a_claim_is_told_and_its_cards_leave_the_table() -> None:
    sitting = overlooked()
    before = sitting.view.board
    claim = sitting.view.speeches[0]
    assert isinstance(claim, Claim)
    sitting.play(claim)
    board = sitting.view.board
    assert board is not None
    assert before is not None
    assert set(board.table) == set(before.table) - set(claim.captured)
    assert set(claim.captured) <= set(board.piles[0])
    assert sitting.view.moves[-1].startswith("You claimed what was overlooked")


def test_a_hint_may_be_to_say_something() -> None:
    sitting = aces().press("h")
    assert isinstance(sitting.commands[-1], AskHint)
    sitting.give(Hinted(THREE))
    assert message(sitting) == "Hint: declare three of one rank for 10 points."
    assert sitting.press("enter").commands[-1] == Do(THREE)
    sitting = aces().give(Hinted(Play(card("KD"))))
    assert message(sitting) == "There is no hint now."


@pytest.mark.parametrize("name", ["wikibooks-scopa", "scopone-10", "cirulla", "scopa"])
def test_the_board_counts_the_hands_as_the_rules_do(name: str) -> None:
    variant = find_variant(name)
    sitting = Sitting(shuffled(variant, 3)).start()
    while not sitting.deal.over:
        board = sitting.view.board
        assert board is not None
        held = [sitting.deal.held(seat) for seat in range(variant.players)]
        assert list(board.held) == held
        assert set(board.hand) == set(sitting.deal.hand(0))
        sitting.play(legal_actions(sitting.deal)[0]).settle()


def test_an_opening_table_that_pays_is_told_and_lies_in_the_pile() -> None:
    deal = dealt_out(find_variant("escoba"), "2D 3C 4S 6B", "AD AC AS")
    sitting = Sitting(deal).hear(DealStarted(0, deal.dealer))
    sitting.hear(TableTaken(1, cards("2D 3C 4S 6B"), 1), sitting.dealt())
    board = sitting.view.board
    assert board is not None
    assert (board.piles[1], board.scope, board.table) == (
        cards("2D 3C 4S 6B"),
        (0, 1),
        (),
    )
    assert board.held == (3, 3)
    assert "The opening table is 1 scopa for Bruno" in sitting.text()


def test_the_help_of_another_game_tells_its_rules() -> None:
    sitting = Sitting(shuffled(find_variant("escoba"), 3)).start().press("?")
    assert "A card takes cards that" in sitting.text(100, 40)
    assert "make 15" in sitting.text(100, 40)


def test_a_game_to_lose_is_lost_at_its_target() -> None:
    sitting = Sitting(shuffled(find_variant("a-perdere"), 3)).start()
    assert "lost at 11" in sitting.text()
    assert "Lost at 11" in sitting.press("s").text()
