from collections.abc import Callable
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopa_net.events import (
    Adjourned,
    DealStarted,
    Dealt,
    Declared,
    Played,
    Stopped,
    TurnCame,
    VoidProposed,
    VoidRefused,
)
from scopa_net.leaving import Word
from scopa_net.rules import (
    MATCH_CLAIM,
    Action,
    Deal,
    Declare,
    Play,
    apply,
    card,
    find_variant,
    new_deal,
    read_action,
)
from scopa_net.rules.cards import cards
from scopa_net.ui.decks import FRENCH, ITALIAN
from scopa_net.ui.lines import QUESTION, Lines, Wish
from scopa_net.ui.output import Output
from tests.support.deals import SCOPA, opened, played, variant_with
from tests.ui.conversation import Conversation

SUMS = opened("3S 4D 5C 2B", "7D 4C KB")
PLAIN = opened("2D 5C QS KD", "3C 7B JD")


def test_a_turn_tells_table_and_hand_and_asks() -> None:
    talk = Conversation(SUMS)
    talk.lines.ask(talk.observation())
    assert talk.said() == [
        "Table, 4 cards: 2 of clubs, 3 of swords, 4 of coins, 5 of cups.",
        "Your hand: 1, 4 of cups; 2, 7 of coins; 3, Re of clubs (10).",
        QUESTION,
    ]


def test_cards_just_told_are_not_repeated_with_the_question() -> None:
    talk = Conversation(SUMS)
    seen = talk.observation()
    talk.lines.hear(Dealt(seen.table, seen.hand, 30))
    assert talk.said()[0] == "Cards are dealt; 30 cards are left to deal."
    talk.lines.ask(seen)
    assert talk.said() == [QUESTION]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1", "4Cx4D"),
        ("4c", "4Cx4D"),
        ("4Cx4D#", "4Cx4D"),
        ("7Dx5C2B", "7Dx2B5C"),
        (" 7dX4d 3s ", "7Dx3S4D"),
    ],
)
def test_a_card_is_played_by_its_number_or_its_notation(typed: str, meant: str) -> None:
    assert Conversation(SUMS).asked().typed(typed) == (read_action(meant), [])


def test_a_card_that_can_take_in_several_ways_is_asked_about() -> None:
    talk = Conversation(SUMS).asked()
    question = (
        "7 of coins can take: a, 3 of swords and 4 of coins; "
        "b, 2 of clubs and 5 of cups. Which?"
    )
    assert talk.typed("2") == (None, [question])
    assert talk.typed("") == (None, [question])
    assert talk.typed("c") == (None, ["Not one of these: 'c'. Type a to b, or back."])
    assert talk.typed("B") == (read_action("7Dx2B5C"), [])


def test_a_capture_can_be_chosen_by_number_too() -> None:
    talk = Conversation(SUMS).asked()
    talk.typed("7D")
    assert talk.typed("1")[0] == read_action("7Dx3S4D")


def test_a_card_can_be_put_back() -> None:
    talk = Conversation(SUMS).asked()
    talk.typed("2")
    assert talk.typed("back") == (None, [QUESTION])
    assert talk.typed("back") == (None, ["There is nothing to put back."])
    assert talk.typed("1")[0] == read_action("4Cx4D")


def test_more_captures_than_letters_go_on_with_numbers() -> None:
    deal = opened(
        "AD AC AS AB",
        "2D 2C 3D 7D",
        "2S 2B 3C",
        variant=variant_with(hand_size=9, compulsion="none"),
        play="2D 2S 2C 2B 3D 3C",
    )
    talk = Conversation(deal).asked()
    number = talk.observation().hand.index(card("7D")) + 1
    said = talk.typed(str(number))[1][0]
    assert "; z, " in said
    assert "; 27, " in said
    reply = talk.typed("27")[0]
    assert isinstance(reply, Play)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("9", "Not a card: '9'. You hold 3 cards."),
        ("0", "Not a card: '0'. You hold 3 cards."),
        ("9" * 50, f"Not a card: '{'9' * 30}'. You hold 3 cards."),
        ("-1", "Neither a card nor a command: '-1'. Type help."),
        ("\u0663", "Neither a card nor a command: '\u0663'. Type help."),
        ("7Z", "Neither a card nor a command: '7Z'. Type help."),
        ("7Dx", "Neither a card nor a command: '7Dx'. Type help."),
        ("7Dx3S3S", "Neither a card nor a command: '7Dx3S3S'. Type help."),
        ("\x1b[2J", "Neither a card nor a command: '\ufffd[2J'. Type help."),
        ("", QUESTION),
        ("KD", "You do not hold Re of coins (10)."),
        (
            "7Dx4D",
            "7 of coins does not take 4 of coins, which makes 4 and not 7: it takes "
            "2 of clubs, 5 of cups, or 3 of swords, 4 of coins.",
        ),
        ("low:AD2C", "Hands are not declared in this game."),
        ("claim:7D", "Captures are not claimed in this game."),
    ],
)
def test_a_wrong_line_is_answered_with_one_sentence(typed: str, said: str) -> None:
    assert Conversation(SUMS).asked().typed(typed) == (None, [said])


def test_a_card_that_takes_nothing_is_laid() -> None:
    talk = Conversation(PLAIN).asked()
    said = (
        "3 of cups does not take 2 of coins, which makes 2 and not 3: "
        "it takes nothing here and is laid."
    )
    assert talk.typed("3Cx2D") == (None, [said])
    assert talk.typed("3C") == (Play(card("3C")), [])


@given(st.text(max_size=40))
def test_whatever_is_typed_is_a_legal_action_a_wish_or_a_sentence(line: str) -> None:
    talk = Conversation(SUMS).asked()
    reply, said = talk.typed(line)
    if isinstance(reply, Action):
        assert reply in talk.observation().legal_actions
    elif reply is None:
        assert said != []
        assert all(text.isprintable() for text in said)


def test_commands_repeat_what_is_known() -> None:
    talk = Conversation(SUMS).asked()
    asked = talk.observation()
    assert talk.typed("table")[1] == [
        "Table, 4 cards: 2 of clubs, 3 of swords, 4 of coins, 5 of cups."
    ]
    assert talk.typed("HAND")[1] == [
        "Your hand: 1, 4 of cups; 2, 7 of coins; 3, Re of clubs (10)."
    ]
    assert talk.typed("score")[1] == [
        "Match, to 11: you 0, Bruno 0.",
        "This deal so far: you have taken no cards and made no scope; "
        "Bruno has taken no cards and made no scope.",
    ]
    assert talk.typed("who")[1] == [
        "You play against Bruno. Order of play: you, Bruno. Bruno deals.",
        "It is your turn.",
    ]
    assert talk.typed("help")[1] == talk.typed("?")[1] != []
    assert talk.observation() == asked


def test_last_tells_what_was_played_since_the_own_turn() -> None:
    talk = Conversation(SUMS)
    assert talk.typed("last")[1] == ["Nothing has been played in this deal yet."]
    for event in (
        Played(1, Play(card("6S")), scopa=False),
        Played(0, Play(card("4C"), cards("4D")), scopa=False),
        Played(1, Play(card("KS"), cards("KB")), scopa=True),
    ):
        talk.lines.hear(event)
    told = talk.said()
    assert talk.typed("last")[1] == told[1:]
    talk.lines.hear(DealStarted(1, 0))
    talk.said()
    assert talk.typed("last")[1] == ["Nothing has been played in this deal yet."]


def test_leaving_and_hints_are_wishes() -> None:
    talk = Conversation(SUMS).asked()
    assert talk.typed("quit") == (Wish.LEAVE, [])
    assert talk.typed("hint") == (Wish.HINT, [])
    talk.lines.advise(read_action("7Dx2B5C"))
    assert talk.said() == ["Hint: play 7 of coins and take 2 of clubs, 5 of cups."]
    talk.lines.say_no_hint()
    assert talk.said() == ["There is no hint now."]


def test_a_hint_may_be_to_lay_a_card() -> None:
    talk = Conversation(PLAIN).asked()
    talk.lines.advise(read_action("3C"))
    assert talk.said() == ["Hint: lay 3 of cups on the table."]


def test_a_hint_that_comes_too_late_is_not_told() -> None:
    talk = Conversation(SUMS).asked()
    talk.typed("hint")
    talk.typed("1")
    talk.lines.advise(read_action("4Cx4D"))
    assert talk.said() == []
    assert talk.typed("hint") == (None, ["A hint is for your turn."])


def test_without_an_adviser_there_are_no_hints() -> None:
    talk = Conversation(SUMS, hints=False).asked()
    assert talk.typed("hint") == (None, ["There are no hints here."])


def test_in_the_turn_of_another_commands_work_and_cards_have_to_wait() -> None:
    talk = Conversation(opened("3S 4D 5C 2B", "7D 4C KB", first=1))
    assert talk.typed("1") == (
        None,
        ["Bruno is to play.", "Wait for your turn, or type help."],
    )
    assert talk.typed("table")[1] != []
    talk.lines.hear(TurnCame(1))
    assert talk.said() == []
    talk.lines.remind()
    assert talk.said() == ["Bruno is to play."]


@pytest.mark.parametrize("deal", [None, new_deal(SCOPA, 0)])
def test_while_nothing_is_dealt_the_player_is_told_why(deal: Deal | None) -> None:
    talk = Conversation(deal)
    talk.lines.remind()
    why = "The cards are being shuffled." if deal else "The match has not begun yet."
    assert talk.said() == [why]
    assert talk.typed("table")[1] == ["Table: no cards." if deal else why]
    assert talk.typed("y")[1] == [why, "Wait for your turn, or type help."]


def test_a_match_that_stops_before_anybody_is_seated_says_why() -> None:
    talk = Conversation(None)
    talk.lines.hear(Stopped(None, None, "Bruno lied.", ()))
    assert talk.said() == ["Bruno lied."]


def test_who_plays_with_whom_is_told_at_the_first_deal_of_four() -> None:
    talk = Conversation(opened("3S 4D 5C 2B", variant=variant_with(4)))
    talk.lines.hear(DealStarted(0, 3))
    assert talk.said() == [
        "You play with Carla against Bruno and Dario. "
        "Order of play: you, Bruno, Carla, Dario. Dario deals.",
        "Deal 1. Dario deals; you play first.",
    ]
    talk.lines.hear(DealStarted(1, 0))
    assert talk.said() == ["Deal 2. You deal; Bruno plays first."]


def test_what_belongs_to_a_question_does_not_go_at_any_time() -> None:
    lines = Conversation(None).lines
    assert [
        w for w in ("table", " QUIT ", "?", "hint", "back", "1") if lines.at_any_time(w)
    ] == ["table", " QUIT ", "?"]


def test_a_card_that_is_drawn_is_named_and_nothing_is_repeated() -> None:
    deal = opened("KC QS JB 5C", variant=find_variant("wikibooks-scopa"))
    talk = Conversation(deal)
    talk.lines.hear(Dealt(deal.table, deal.hand(0), 18))
    assert talk.said()[0] == "Cards are dealt; 18 cards are left to deal."
    after = played(deal, str(deal.hand(0)[0]))
    talk.lines.hear(Dealt(after.table, after.hand(0), 17))
    [drawn] = set(after.hand(0)) - set(deal.hand(0))
    assert talk.said() == [
        f"You draw {ITALIAN.name(drawn)}; 17 cards are left to deal."
    ]
    talk.lines.hear(Dealt(after.table, after.hand(0), 1))
    assert talk.said() == ["A card is drawn; 1 card is left to deal."]


# -- what is said without playing a card -----------------------------------------

CIRULLA = find_variant("cirulla")
CLAIMS = find_variant("escoba", 2, {"compulsion": "none+claim"})
ACES = opened("KC QS JB 5C", "AD AC AS", "5D 6D 7D", variant=CIRULLA)


def overlooked() -> Conversation:
    """Bruno laid a 5 that could have taken in two ways."""
    deal = opened("KC QS AB 3C", "AD AC AS", "5D 6D 7D", variant=CLAIMS, play="AD 5D")
    assert deal.turn == 0
    return Conversation(deal).asked()


def test_what_may_be_said_is_offered_with_the_question() -> None:
    talk = Conversation(ACES)
    talk.lines.ask(talk.observation())
    assert talk.said()[2:] == [
        "You can declare nine or less for 3 points: type low.",
        "You can declare three of one rank for 10 points: type three.",
        QUESTION,
    ]


def test_the_rules_of_the_match_are_told_chapter_by_chapter() -> None:
    told = Conversation(ACES).asked().typed("rules")[1]
    assert told[:2] == ["The deal:", "Two play, everybody alone."]
    assert [line for line in told if line.endswith(":")] == [
        "The deal:",
        "Taking:",
        "Scope:",
        "Declaring:",
        "Points:",
        "The match:",
    ]
    assert "An Asso takes all that lies on the table." in told
    french = Conversation(ACES, deck=FRENCH).asked().typed("rules")[1]
    assert "An Ace takes all that lies on the table." in french


@pytest.mark.parametrize("kind", ["low", "three"])
def test_a_hand_is_declared_by_the_word_for_it(kind: str) -> None:
    meant = read_action(f"{kind}:ADACAS")
    assert Conversation(ACES).asked().typed(kind.upper()) == (meant, [])
    assert Conversation(ACES).asked().typed(f"{kind}:ADACAS") == (meant, [])


def test_overlooked_captures_are_offered_by_letter() -> None:
    talk = overlooked()
    talk.lines.ask(talk.observation())
    said = "You can claim what was overlooked: type claim."
    assert said in talk.said()
    offer = (
        "You can say: a, claim Asso of coins (1), 5 of coins, Cavallo of swords (9); "
        "b, claim Asso of clubs (1), 5 of coins, Cavallo of swords (9); "
        "c, claim 5 of coins, Re of cups (10). Which?"
    )
    assert talk.typed("claim") == (None, [offer])
    assert talk.typed("c") == (read_action("claim:5DKC"), [])


def test_the_match_is_claimed_by_a_word_and_not_offered() -> None:
    deal = opened("3S 4D 5C 2B", "7D", variant=variant_with(tie_at_target="claim"))
    talk = Conversation(deal)
    talk.lines.ask(talk.observation())
    assert not any("claim" in line for line in talk.said())
    assert talk.typed("match") == (MATCH_CLAIM, [])


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("low", "There is nothing to declare now."),
        ("three", "There is nothing to declare now."),
        ("claim", "There is nothing to claim now."),
        ("match", "There is nothing to claim now."),
    ],
)
def test_what_cannot_be_said_is_answered_with_a_sentence(word: str, said: str) -> None:
    assert Conversation(SUMS).asked().typed(word) == (None, [said])


def test_a_capture_need_not_be_made_where_the_game_says_so() -> None:
    deal = opened("KC QS AB 3C", "5D AC AS", variant=CLAIMS)
    talk = Conversation(deal).asked()
    [offer] = talk.typed("3")[1]
    assert offer.endswith("; c, nothing, and stay on the table. Which?")


def test_a_hand_that_lies_open_is_told_with_the_table() -> None:
    deal = opened("KC QS JB 5C", "4D 6D 7D", "AD AC AS", variant=CIRULLA, play="4D")
    deal = apply(deal, read_action("low:ADACAS"))
    talk = Conversation(deal)
    assert talk.typed("table")[1][1:] == [
        "Bruno shows Asso of coins (1), Asso of cups (1), Asso of swords (1)."
    ]
    talk.lines.hear(Declared(1, Declare(cards("AD AC AS"), "low")))
    assert talk.said() == talk.typed("last")[1]


def test_retry_says_whom_it_calls() -> None:
    page = StringIO()
    lines = Lines(
        Output(page, lambda _: None), lambda: None, call_again=lambda: "Calling Ada."
    )
    assert lines.read("retry") is None
    assert page.getvalue() == "Calling Ada.\n"
    assert Conversation(None).typed("retry") == (None, ["Nobody is away."])


def test_whatever_comes_in_the_own_turn_the_prompt_stands_below_it() -> None:
    talk = Conversation(SUMS, prompt=True).asked()
    comes: list[Callable[[], None]] = [
        lambda: talk.out.lines("Waiting for Bruno."),
        lambda: talk.lines.hear_chat("Bruno: ciao"),
        lambda: talk.lines.hear(VoidProposed(1)),
        talk.lines.remind,
    ]
    for come in comes:
        come()
        _, *told, last = talk.said()
        assert told
        assert last == "> "


def test_whoever_is_asked_yes_or_no_has_a_prompt_until_nobody_asks_any_more() -> None:
    asks = {Word.REFUSE_VOID: ""}
    talk = Conversation(
        SUMS, prompt=True, why_not=lambda word: asks.get(word, "Not now.")
    )
    talk.lines.hear(VoidProposed(1))
    assert talk.said()[-1] == "> "
    talk.lines.hear(Adjourned(1))
    assert talk.said()[-1] == "> "
    asks.clear()
    talk.lines.hear(VoidRefused(1))
    assert talk.said()[-1] == "Bruno wants this deal to count, so it does."


def test_the_own_doubt_is_waited_for_in_the_turn_of_others_too() -> None:
    talk = Conversation(SUMS, prompt=True, why_not=lambda _: "")
    talk.lines.hear(Adjourned(1))
    assert talk.typed("resign")[1][-1] == "> "


def test_who_waits_for_the_others_has_no_prompt() -> None:
    talk = Conversation(SUMS, prompt=True).asked()
    talk.lines.hear(VoidProposed(0))
    assert talk.said()[-1] != "> "
    talk.out.lines("Waiting for Bruno.")
    assert talk.said() == ["Waiting for Bruno."]


def test_whose_answer_to_a_void_is_waited_for_is_said_and_not_whose_turn_it_is() -> (
    None
):
    talk = Conversation(SUMS).asked()
    talk.lines.hear(VoidProposed(0))
    talk.said()
    why = "Bruno has not answered yet."
    assert talk.typed("1")[1] == [why, "Wait for your turn, or type help."]
    talk.lines.remind()
    assert talk.said() == [why]
    talk.lines.hear(VoidRefused(1))
    talk.said()
    talk.lines.remind()
    assert talk.said() == ["It is your turn."]
