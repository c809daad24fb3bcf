"""What the player sees and may do, as sentences about views."""

from dataclasses import replace

import pytest

from scopa_net.events import (
    Adjourned,
    DealStarted,
    MatchWon,
    Redealt,
    Resigned,
    Stopped,
    TurnCame,
    VoidAgreed,
    Voided,
    VoidProposed,
    VoidRefused,
)
from scopa_net.leaving import Word
from scopa_net.rules import Play, card, find_variant, legal_actions
from scopa_net.rules.cards import cards
from scopa_net.ui.board import seen_board
from scopa_net.ui.presenter import SHUFFLING, YOUR_TURN, caught_up, waited_for
from scopa_net.ui.view import (
    AskHint,
    CallAgain,
    Do,
    Heard,
    Hinted,
    Link,
    LinkChanged,
    MaySay,
    Overlay,
    Quit,
    Say,
    Settled,
    Tone,
    Unsaid,
    ViewState,
)
from tests.support.deals import SCOPONE_10, variant_with
from tests.ui.sitting import Sitting, dealt_out, played_out, shuffled

SCOPA = find_variant("scopa")
SEVEN = Play(card("7D"), cards("3S 4D"))
OTHER = Play(card("7D"), cards("2B 5C"))


def asked() -> Sitting:
    """Ana holds AB, 4C and 7D; the 7 can take in two ways, the asso nothing."""
    deal = dealt_out(SCOPA, "3S 4D 5C 2B", "7D 4C AB", "JC 6D AS")
    return Sitting(deal, hints=True).start().ask()


def message(sitting: Sitting) -> str:
    return sitting.view.message.text if sitting.view.message else ""


# -- a card is played ----------------------------------------------------------


def test_a_digit_alone_picks_and_previews_and_plays_nothing() -> None:
    sitting = asked().press("2")
    assert sitting.commands == []
    assert sitting.view.previewed == Play(card("4C"), cards("4D"))
    assert message(sitting) == "4 of cups takes 4 of coins. Enter plays."


@pytest.mark.parametrize("second", ["enter", " ", "2"])
def test_enter_space_or_the_same_digit_plays_it(second: str) -> None:
    assert asked().press("2", second).commands == [Do(Play(card("4C"), cards("4D")))]


def test_a_card_that_takes_nothing_is_laid() -> None:
    sitting = asked().press("1")
    assert message(sitting) == (
        "Asso of clubs (1) takes nothing. Enter lays it on the table."
    )
    assert sitting.press("enter").commands == [Do(Play(card("AB")))]


def test_another_digit_picks_another_card() -> None:
    sitting = asked().press("2", "1")
    assert sitting.commands == []
    assert sitting.view.picked == 0


def test_the_arrows_walk_along_the_hand_and_around_it() -> None:
    sitting = asked().press("right")
    assert sitting.view.picked == 0
    assert sitting.press("left").view.picked == 2
    assert asked().press("left").view.picked == 2


def test_escape_puts_the_card_back() -> None:
    sitting = asked().press("2", "escape")
    assert sitting.view.picked is None
    assert sitting.press("enter").commands == []
    assert message(sitting) == YOUR_TURN


def test_several_captures_are_offered_with_the_most_coins_first() -> None:
    sitting = asked().press("3")
    assert sitting.view.ways == (SEVEN, OTHER)
    assert message(sitting) == (
        "7 of coins: 2 ways. Type a letter, or choose and press Enter."
    )


@pytest.mark.parametrize(
    ("keys", "play"),
    [
        (["a"], SEVEN),
        (["b"], OTHER),
        (["enter"], SEVEN),
        (["down", "enter"], OTHER),
        (["up", "enter"], OTHER),
        (["tab", "tab", "enter"], SEVEN),
    ],
)
def test_a_way_is_taken_by_its_letter_or_by_arrows_and_enter(
    keys: list[str], play: Play
) -> None:
    assert asked().press("3", *keys).commands == [Do(play)]


def test_the_same_digit_twice_never_chooses_between_captures() -> None:
    sitting = asked().press("3", "3")
    assert sitting.commands == []
    assert sitting.view.message is not None
    assert sitting.view.message.tone is Tone.WARNING


def test_a_letter_beyond_the_ways_does_nothing() -> None:
    assert asked().press("3", "c").commands == []


def test_a_number_beyond_the_hand_says_how_many_are_held() -> None:
    assert message(asked().press("9")) == "No card 9: you hold 3 cards."


def test_zero_is_the_tenth_card() -> None:
    deal = shuffled(variant_with(4, **SCOPONE_10), 3)
    assert Sitting(deal).start().ask().press("0").view.picked == 9


def test_a_scopa_is_announced_before_it_is_played() -> None:
    small = Sitting(dealt_out(SCOPA, "AC AS 2S 3D", "7D KB QB", "JC 6D 2D"))
    assert message(small.start().ask().press("1")).endswith("Enter plays. Scopa!")


def test_nothing_can_be_played_twice() -> None:
    sitting = asked().press("2", "enter", "2", "enter", "enter")
    assert len(sitting.commands) == 1


# -- what is told --------------------------------------------------------------


def test_the_board_that_events_tell_is_the_board_of_the_rules() -> None:
    for players in (2, 3, 4, 6):
        sitting = Sitting(shuffled(find_variant("scopa", players), players)).start()
        while not sitting.deal.over:
            sitting.play(legal_actions(sitting.deal)[0]).settle()
            if sitting.deal.over:
                break
            told = sitting.hear(TurnCame(sitting.deal.turn or 0)).view.board
            seen = seen_board(sitting.observation(), told)
            assert told == seen


def test_at_the_end_the_leftovers_go_where_the_rules_say() -> None:
    sitting = played_out(Sitting(shuffled(SCOPA, 2)).start(), 2).settle()
    board = sitting.view.board
    assert board is not None
    assert (board.table, board.hand) == ((), ())
    assert board.piles == tuple(sitting.deal.pile(side) for side in range(2))


def test_a_play_is_shown_before_the_next_is_told() -> None:
    sitting = asked().play("7Dx3S4D", "JC")
    assert sitting.view.showing is not None
    assert sitting.view.showing.table == cards("2B 3S 4D 5C")
    assert sitting.view.news.startswith("You played 7 of coins")
    first = sitting.view.showing.serial
    assert sitting.give(Settled(first)).view.news.startswith("Bruno laid Fante")
    assert sitting.give(Settled(first)).view.showing is not None


def test_a_key_ends_what_is_shown_and_is_obeyed() -> None:
    sitting = asked().play("7Dx3S4D", "JC").ask().press("2")
    assert sitting.view.showing is None
    assert sitting.view.previewed is not None


def test_who_comes_back_sees_no_old_plays_and_no_old_scores() -> None:
    sitting = played_out(Sitting(shuffled(SCOPA, 1)).start(), 1)
    sitting.hear(DealStarted(1, 0))
    view = caught_up(sitting.view)
    assert (view.deal, view.overlay, view.showing, view.story) == (1, None, None, ())
    assert view.scores == sitting.scored().scores


def test_a_key_never_closes_a_score_that_was_not_seen() -> None:
    sitting = played_out(Sitting(shuffled(SCOPA, 1)).start(), 1)
    assert sitting.view.showing is not None
    assert sitting.press("enter").view.overlay is Overlay.DEAL_OVER
    assert sitting.press("enter").view.overlay is None


def test_the_next_deal_waits_until_the_score_has_been_read() -> None:
    sitting = played_out(Sitting(shuffled(SCOPA, 1)).start(), 1).settle()
    sitting.hear(DealStarted(1, 0))
    assert sitting.view.deal == 0
    assert sitting.press("enter").view.deal == 1


def test_the_end_of_the_match_is_added_to_the_score() -> None:
    sitting = played_out(Sitting(shuffled(SCOPA, 1)).start(), 1).settle()
    sitting.hear(MatchWon(1, sitting.company.names, (3, 11), 5))
    assert sitting.view.overlay is Overlay.DEAL_OVER
    assert sitting.press("enter").commands == [Quit(interrupted=False)]


def test_new_cards_do_not_hide_what_was_played_last() -> None:
    deal = dealt_out(SCOPA, "3S 4D 5C 2B", "7D 4C AB", "JC 6D AS")
    sitting = (
        Sitting(deal).start().play("AB", "JCx3S5C", "4Cx4D", "6D", "7DxAB6D", "AS")
    )
    assert sitting.settle().view.news == (
        "Bruno laid Asso of swords (1) on the table. New cards are dealt."
    )


def test_cards_keep_their_places_on_the_table() -> None:
    sitting = asked().play("AB", "6Dx2B4D").ask().settle()
    assert sitting.view.board is not None
    assert sitting.view.board.table == (*cards("3S 5C"), card("AB"))


def test_a_new_opening_is_shuffled_for() -> None:
    sitting = asked().hear(Redealt(cards("KD KC KS 2B")))
    assert sitting.view.shuffling
    assert "cannot stand" in sitting.view.news


def test_what_is_waited_for_has_a_name() -> None:
    sitting = asked().play("AB").settle()
    assert waited_for(sitting.hear(TurnCame(1)).view) == "Bruno is to play."
    assert waited_for(ViewState()) == SHUFFLING
    link = LinkChanged(1, Link.SILENT, sitting.company)
    assert waited_for(sitting.give(link).view) == "Bruno does not answer."
    assert sitting.view.silent == (1,)
    assert message(sitting.press("1")).endswith("Wait for your turn.")


def test_who_is_away_is_called_again_when_the_player_does_not_want_to_wait() -> None:
    sitting = asked()
    assert message(sitting.press("r")) == "Nobody is away."
    assert sitting.commands == []
    sitting.give(LinkChanged(1, Link.LOST, sitting.company))
    assert sitting.press("r").commands == [CallAgain()]
    assert message(sitting) == "Calling Bruno again now."
    sitting.give(LinkChanged(1, Link.LOST, sitting.company, away_s=1))
    assert message(sitting) == "Calling Bruno again now."
    sitting.give(LinkChanged(1, Link.CONNECTED, sitting.company))
    assert sitting.view.message is None


def test_a_stopped_match_says_so_even_before_anybody_sits() -> None:
    sitting = asked()
    sitting.view = ViewState()
    sitting.give(Heard(Stopped(None, None, "Nobody agrees.", ()), None))
    assert "Nobody agrees." in sitting.text()
    assert sitting.press("q").commands == [Quit(interrupted=False)]


def test_a_stopped_match_interrupts_a_score_that_is_read() -> None:
    sitting = played_out(Sitting(shuffled(SCOPA, 1)).start(), 1).settle()
    sitting.hear(Stopped(1, "seat", "Bruno lied.", (0, 0)))
    assert "Bruno lied." in sitting.text()


# -- leaving, hints, overlays --------------------------------------------------


def test_leaving_is_asked_once() -> None:
    assert asked().press("q").commands == []
    assert asked().press("q", "enter").commands == [Quit(interrupted=False)]
    assert asked().press("q", "escape", "2", "enter").commands != []


def test_a_match_that_is_kept_is_adjourned_by_leaving() -> None:
    sitting = asked()
    sitting.view = replace(sitting.view, kept=True)
    assert sitting.press("q", "enter").commands == [
        Say(Word.ADJOURN),
        Quit(interrupted=False),
    ]


def test_giving_up_is_asked_twice() -> None:
    sitting = asked().press("q", "r")
    assert "Give the match up?" in sitting.text()
    asks = MaySay(Word.RESIGN)
    assert sitting.press("enter", "r", "q").commands == [asks]
    assert sitting.press("n").commands == [asks]
    assert sitting.press("q", "r", "y").commands == [asks, asks, Say(Word.RESIGN)]
    assert sitting.view.overlay is None


@pytest.mark.parametrize("key", ["r", "v"])
def test_what_cannot_be_said_now_is_not_asked_and_it_is_said_why(key: str) -> None:
    sitting = asked().press("q", key).give(Unsaid("The match is over already."))
    assert sitting.view.overlay is None
    assert "The match is over already." in sitting.text()
    # What has become impossible while it was considered is answered, too.
    sitting = asked().press("q", key, "y").give(Unsaid("It is too late."))
    assert "It is too late." in sitting.text()


def test_who_calls_a_deal_void_waits_until_all_have_answered() -> None:
    sitting = asked().press("q", "v", "y")
    assert sitting.commands == [MaySay(Word.CALL_VOID), Say(Word.CALL_VOID)]
    sitting.hear(VoidProposed(0))
    assert sitting.view.overlay is None
    assert sitting.view.news == "You ask that this deal does not count."
    assert sitting.press("1").view.picked is None
    sitting.hear(VoidRefused(1)).ask()
    assert sitting.view.news == "Bruno wants this deal to count, so it does."
    assert sitting.press("1").view.picked == 0


@pytest.mark.parametrize(
    ("key", "word"), [("y", Word.CALL_VOID), ("n", Word.REFUSE_VOID)]
)
def test_a_void_is_asked_of_the_player_and_answered(key: str, word: Word) -> None:
    sitting = asked().hear(VoidProposed(1))
    assert "Bruno asks that this deal does not count." in sitting.text()
    assert sitting.press("enter", "1").commands == []
    assert sitting.press(key).commands == [Say(word)]
    assert sitting.view.overlay is None


def test_who_agrees_to_a_void_and_who_has_not_answered_is_shown() -> None:
    hands = ("7D 4C AB", "JC 6D AS", "2D 2C 2S", "3D 3C 4S")
    deal = dealt_out(variant_with(4), "3S 4D 5C 2B", *hands)
    sitting = Sitting(deal).start().ask()
    sitting.hear(VoidProposed(1), VoidAgreed(3, (0, 2)))
    assert sitting.view.overlay is Overlay.VOID_ASKED
    told = "Dario agrees that this deal does not count. You and Carla have not answered"
    assert sitting.view.news == f"{told} yet."
    assert told in " ".join(sitting.text().split())
    sitting.press("y").hear(VoidAgreed(0, (2,)))
    assert sitting.view.overlay is None
    assert sitting.view.asked is None
    assert sitting.view.news.endswith("Carla has not answered yet.")


def four() -> Sitting:
    hands = ("7D 4C AB", "JC 6D AS", "2D 2C 2S", "3D 3C 4S")
    return Sitting(dealt_out(variant_with(4), "3S 4D 5C 2B", *hands)).start().ask()


def test_who_has_not_answered_a_void_is_what_is_waited_for_not_a_card() -> None:
    sitting = four().press("q", "v", "y").hear(VoidProposed(0))
    told = "Bruno, Carla and Dario have not answered yet."
    assert waited_for(sitting.view) == told
    assert told in sitting.text()
    sitting.hear(VoidAgreed(1, (2, 3)))
    sitting.give(LinkChanged(2, Link.LOST, sitting.company))
    told = "Carla and Dario have not answered yet. Carla is away."
    assert waited_for(sitting.view) == told
    text = " ".join(sitting.text().split())
    assert told in text
    assert "a moment" not in text
    sitting.hear(VoidRefused(3))
    assert waited_for(sitting.view) == "The cards are on their way."


def test_a_void_is_offered_to_nobody_who_has_answered_it() -> None:
    asks = "ask that this deal does not count"
    sitting = four().press("q")
    assert asks in sitting.text()
    sitting.press("escape").hear(VoidProposed(1)).press("y")
    sitting.hear(VoidAgreed(0, (2, 3))).press("q")
    assert asks not in sitting.text()
    assert "Carla and Dario have not answered yet." in sitting.text()
    sitting.press("escape").hear(Voided(0)).press("q")
    assert asks in sitting.text()


def test_who_has_looked_away_from_a_void_finds_the_question_again() -> None:
    sitting = four().hear(VoidProposed(1)).press("escape", "q")
    assert "v say whether this deal is to count" in sitting.text()
    assert sitting.press("v").view.overlay is Overlay.VOID_ASKED
    assert sitting.press("n").commands == [Say(Word.REFUSE_VOID)]


@pytest.mark.parametrize("asks", [True, False])
def test_who_considers_a_void_reads_who_is_away(asks: bool) -> None:  # noqa: FBT001
    sitting = four()
    sitting.give(LinkChanged(2, Link.LOST, sitting.company))
    sitting = sitting.press("q", "v") if asks else sitting.hear(VoidProposed(1))
    told = "Carla is away: who says yes waits for that answer, too."
    assert told in sitting.boxed()


def test_when_a_match_has_ended_nobody_is_away_or_seen_through_others() -> None:
    sitting = four()
    sitting.view = replace(sitting.view, kept=True)
    sitting.give(LinkChanged(1, Link.THROUGH, sitting.company, by=2))
    sitting.give(LinkChanged(3, Link.LOST, sitting.company, away_s=9))
    names = sitting.company.names
    sitting.hear(Resigned(3), MatchWon(0, names, (3, 2), 1, (3,)))
    first, text = sitting.shown()[0], sitting.text()
    assert not any(word in text for word in ("through", "away", "connected"))
    assert "offline" not in first


def test_a_deal_that_is_void_is_shuffled_again() -> None:
    sitting = asked().hear(VoidProposed(1)).press("y").hear(Voided(0))
    assert sitting.view.overlay is None
    assert sitting.view.asked is None
    assert sitting.view.shuffling


def test_a_question_goes_away_when_the_match_is_given_up() -> None:
    sitting = asked().hear(VoidProposed(1), Resigned(1))
    assert sitting.view.overlay is None
    assert sitting.view.asked is None
    names = sitting.company.names
    sitting.hear(MatchWon(0, names, (3, 2), 1, (1,)))
    assert "Bruno has given the match up" in sitting.text()


def test_who_leaves_for_today_is_told_and_nothing_else_changes() -> None:
    sitting = asked()
    before = sitting.view
    sitting.hear(Adjourned(1))
    news = "Bruno leaves for today. The match is kept."
    assert sitting.view == replace(before, news=news)


def test_ctrl_c_asks_and_then_leaves_at_once() -> None:
    assert asked().press("c-c").commands == []
    assert asked().press("c-c", "c-c").commands == [Quit(interrupted=True)]


def test_staying_shows_the_score_again() -> None:
    sitting = played_out(Sitting(shuffled(SCOPA, 1)).start(), 1).settle()
    assert sitting.press("q", "escape").view.overlay is Overlay.DEAL_OVER


def test_a_hint_is_asked_for_and_picks_the_card() -> None:
    sitting = asked().press("h")
    assert sitting.commands == [AskHint(sitting.observation())]
    sitting.give(Hinted(OTHER))
    assert sitting.view.previewed == OTHER
    assert message(sitting) == ("Hint: play 7 of coins and take 2 of clubs, 5 of cups.")
    assert message(asked().give(Hinted(None))) == "There is no hint now."


def test_the_reasons_of_a_hint_follow_it_where_there_is_room() -> None:
    sitting = asked().give(Hinted(OTHER, ("It is good.", "Very good, that is.")))
    hint = "Hint: play 7 of coins and take 2 of clubs, 5 of cups."
    narrow, wide = "\n".join(sitting.shown(80)), "\n".join(sitting.shown(120))
    assert f" {hint} It is good.  " in narrow
    assert f" {hint} It is good. Very good, that is. " in wide


def test_a_hint_is_for_the_own_turn() -> None:
    sitting = asked().play("AB").settle().hear(TurnCame(1)).press("h")
    assert sitting.commands == []
    assert message(sitting) == "A hint is for your turn."
    assert sitting.give(Hinted(SEVEN)).view.picked is None


def test_the_same_key_opens_and_closes_an_overlay() -> None:
    assert asked().press("?").view.overlay is Overlay.HELP
    assert asked().press("?", "?").view.overlay is None
    assert asked().press("s", "escape").view.overlay is None
    assert asked().press("l", "2").commands == []
