from dataclasses import replace
from typing import Any

import pytest

from scopa_net.events import (
    Adjourned,
    Claimed,
    DealScored,
    DealStarted,
    Dealt,
    Declared,
    Event,
    MatchWon,
    Played,
    Redealt,
    Resigned,
    Stopped,
    TableTaken,
    TurnCame,
    VoidAgreed,
    Voided,
    VoidProposed,
    VoidRefused,
)
from scopa_net.rules import (
    MATCH_CLAIM,
    MAZZO,
    Card,
    Carried,
    Claim,
    Declare,
    Observation,
    Play,
    Variant,
    card,
    find_variant,
    new_match,
    score_piles,
)
from scopa_net.rules.cards import cards
from scopa_net.ui.decks import DECKS
from scopa_net.ui.sentences import score_sentences, sentences, who_sentences
from scopa_net.ui.words import changed_rules
from tests.support.deals import SCOPA, opened, variant_with
from tests.ui.conversation import company


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (DealStarted(0, 1), "Deal 1. Bruno deals; you play first."),
        (DealStarted(2, 0), "Deal 3. You deal; Bruno plays first."),
        (
            Redealt(cards("KD KC KS 2B")),
            "The opening table cannot stand and is dealt again: "
            "Re of coins (10), Re of cups (10), Re of swords (10), 2 of clubs.",
        ),
        (TurnCame(0), "It is your turn."),
        (TurnCame(1), "Bruno is to play."),
        (
            Played(0, Play(card("AD")), scopa=False),
            "You laid Asso of coins (1) on the table.",
        ),
        (
            Played(0, Play(card("7D"), cards("4D 3S")), scopa=False),
            "You played 7 of coins and took 3 of swords, 4 of coins.",
        ),
        (
            Played(1, Play(card("JC"), cards("JB")), scopa=True),
            "Bruno played Fante of cups (8) and took Fante of clubs (8). Scopa!",
        ),
        (
            TableTaken(1, cards("2D 3C 4S 6B"), 1),
            "The opening table is 1 scopa for Bruno: "
            "2 of coins, 3 of cups, 4 of swords, 6 of clubs.",
        ),
        (
            TableTaken(0, cards("5D 7C KS JB"), 2),
            "The opening table is 2 scope for you: "
            "5 of coins, 7 of cups, Re of swords (10), Fante of clubs (8).",
        ),
        (
            Declared(1, Declare(cards("AD 2C 3S"), "low")),
            "Bruno declared nine or less for 3 points and showed "
            "Asso of coins (1), 2 of cups, 3 of swords.",
        ),
        (
            Claimed(0, Claim(cards("QS QB")), scopa=False),
            "You claimed what was overlooked: "
            "Cavallo of swords (9), Cavallo of clubs (9).",
        ),
        (
            Claimed(1, MATCH_CLAIM, scopa=False),
            "Bruno claimed the match.",
        ),
        (
            MatchWon(0, company().names, (11, 7), 3),
            "You win the match after 3 deals: you 11, Bruno 7. "
            "Every shuffle was replayed and found right.",
        ),
        (
            MatchWon(1, company().names, (0, 11), 1),
            "Bruno wins the match after 1 deal: you 0, Bruno 11. "
            "Every shuffle was replayed and found right.",
        ),
        (
            MatchWon(1, company().names, (2, 1), 1, (0,)),
            "You have given the match up, at you 2, Bruno 1 after 1 deal. Bruno wins.",
        ),
        (
            MatchWon(None, company().names, (0, 0), 0, (0, 1)),
            "You and Bruno have given the match up, at you 0, Bruno 0 after no deals. "
            "Nobody has won.",
        ),
        (Resigned(1), "Bruno gives the match up."),
        (Adjourned(0), "You leave for today. The match is kept."),
        (VoidProposed(1), "Bruno asks that this deal does not count."),
        (
            VoidAgreed(1, (0,)),
            "Bruno agrees that this deal does not count. You have not answered yet.",
        ),
        (VoidRefused(0), "You want this deal to count, so it does."),
        (
            Voided(2),
            "Deal 3 does not count: all agree. Its cards are opened, and the same "
            "dealer deals again.",
        ),
    ],
)
def test_an_event_is_one_sentence_or_two_on_one_line(event: Event, told: str) -> None:
    assert sentences(event, company()) == (told,)


def test_dealing_tells_the_table_and_what_is_left_and_never_that_nothing_is() -> None:
    """I7."""
    assert sentences(Dealt((), cards("7D"), 1), company()) == (
        "Cards are dealt; 1 card is left to deal.",
        "Table: no cards.",
    )
    assert sentences(Dealt(cards("KD"), (), 0), company()) == (
        "The last cards are dealt.",
        "Table, 1 card: Re of coins (10).",
    )


def test_a_stopped_match_says_why_and_at_which_score() -> None:
    cheat = Stopped(1, "cheat", "Bruno played another card.", (4, 2))
    assert sentences(cheat, company()) == (
        "Bruno played another card.",
        "The match is stopped at you 4, Bruno 2.",
    )
    assert sentences(Stopped(None, None, "No.", ()), company()) == (
        "No.",
        "The match is stopped.",
    )


def test_who_only_watches_is_not_addressed() -> None:
    assert sentences(DealStarted(0, 1), company(you=None)) == (
        "Deal 1. Bruno deals; Ana plays first.",
    )


def test_who_was_never_met_is_told_with_the_key() -> None:
    seen = Observation(0, opened("2B 3S 4D 5C"), new_match(SCOPA, 1))
    known = company()
    met = replace(known, words=("", "bafod-gihut-lakol-nusij"))
    assert who_sentences(seen, met) == (
        *who_sentences(seen, known),
        "Bruno is new to you, with the key bafod-gihut-lakol-nusij.",
    )


def test_the_names_of_forty_cards_differ() -> None:
    for deck in DECKS.values():
        assert len({deck.name(one) for one in MAZZO}) == len(MAZZO)


def scored(
    *piles: str,
    scope: tuple[int, ...] = (),
    variant: Variant = SCOPA,
    leftovers: tuple[Card, ...] = (),
    leftovers_side: int | None = None,
    you: int | None = 0,
) -> tuple[str, ...]:
    sides = score_piles(variant, [cards(pile) for pile in piles], scope=scope)
    totals = tuple(side.total for side in sides)
    event = DealScored(1, sides, totals, leftovers, leftovers_side)
    found = replace(company(variant.players, you=you), variant=variant)
    assert len(found.names) == variant.players
    return sentences(event, found)


def test_a_score_gives_the_reason_of_each_point_and_whose_it_is() -> None:
    """I8."""
    assert scored(
        "7D 7C 6S 4B AD 2D",
        "2S 7S 3D 4C 7B",
        scope=(1, 0),
        leftovers=cards("2S 3D"),
        leftovers_side=1,
    ) == (
        "Deal 2 is over.",
        "What was left goes to Bruno, last to capture: 2 of swords, 3 of coins.",
        "Cards: you 6, Bruno 5. 1 point for you.",
        "Coins: you 3, Bruno 1. 1 point for you.",
        "Settebello, the 7 of coins: 1 point for you.",
        "Primiera: you 74 with 7 of coins (21), 7 of cups (21), 6 of swords (18), "
        "4 of clubs (14); Bruno 69 with 3 of coins (13), 4 of cups (14), "
        "7 of swords (21), 7 of clubs (21). "
        "1 point for you.",
        "Scope: you 1, Bruno 0. 1 point for you.",
        "This deal: you 5, Bruno 0.",
        "Match, to 11: you 5, Bruno 0.",
    )


def test_a_score_tells_ties_and_what_nobody_has() -> None:
    """I8."""
    assert scored("2D 3C", "3D 2C", scope=()) == (
        "Deal 2 is over.",
        "Cards: you 2, Bruno 2. A tie: nobody scores.",
        "Coins: you 1, Bruno 1. A tie: nobody scores.",
        "Settebello, the 7 of coins: nobody has it.",
        "Primiera: you lack a suit; Bruno lacks a suit. Nobody scores.",
        "Scope: nobody made one.",
        "This deal: you 0, Bruno 0.",
        "Match, to 11: you 0, Bruno 0.",
    )


def line_of(title: str, *piles: str, players: int = 2, **options: Any) -> str:
    """The line of one category, without its title."""
    lines = scored(*piles, variant=variant_with(players, **options))
    [line] = [line for line in lines if line.startswith(f"{title}: ")]
    return line.removeprefix(f"{title}: ")


@pytest.mark.parametrize(
    ("ours", "theirs", "told"),
    [
        (
            "JD JC JS JB",
            "7D 7C 7S",
            "you 40 in 4 suits with Fante of coins (10), Fante of cups (10), "
            "Fante of swords (10), Fante of clubs (10); "
            "Bruno 63 in 3 suits with 7 of coins (21), 7 of cups (21), "
            "7 of swords (21); "
            "more suits go first. 1 point for you.",
        ),
        (
            "7D 7C",
            "6D 6C",
            "you 42 with 7 of coins (21), 7 of cups (21); "
            "Bruno 36 with 6 of coins (18), 6 of cups (18). 1 point for you.",
        ),
        (
            "KD",
            "",
            "you 10 with Re of coins (10); Bruno has no cards. 1 point for you.",
        ),
        ("", "", "you have no cards; Bruno has no cards. Nobody scores."),
    ],
)
def test_a_primiera_that_more_suits_win_says_how_many(
    ours: str, theirs: str, told: str
) -> None:
    """S0.35, I8."""
    assert (
        line_of("Primiera", ours, theirs, primiera_missing="more-suits-first") == told
    )


def test_a_primiera_of_nothing_is_no_lack_of_a_suit() -> None:
    """I8: four court cards that count nothing win against a pile without a suit."""
    told = line_of("Primiera", "JD JC JS JB", "7D", primiera_values="faces-0")
    assert told == (
        "you 0 with Fante of coins (0), Fante of cups (0), Fante of swords (0), "
        "Fante of clubs (0); Bruno lacks a suit. 1 point for you."
    )


@pytest.mark.parametrize(
    ("piles", "told"),
    [
        (
            ("7D 7C 6S 2B", "7S 7B AD 5C"),
            "you 2, Bruno 2; in the shoot-out you with 6 of swords, 2 of clubs, "
            "Bruno with Asso of coins (1), 5 of cups. 1 point for you.",
        ),
        (
            ("7D 7C", "7S 7B"),
            "you 2, Bruno 2; in the shoot-out you with no cards, Bruno with no cards. "
            "A tie: nobody scores.",
        ),
        (("7D 7C 7S", "7B"), "you 3, Bruno 1. 1 point for you."),
        (("7D", "7B"), "you 1, Bruno 1. A tie: nobody scores."),
        (
            ("7D 7C", "KS", "7S 7B AD"),
            "you 2, Bruno 0, Carla 2; in the shoot-out you with no cards, "
            "Carla with Asso of coins (1). 1 point for Carla.",
        ),
    ],
)
def test_a_shoot_out_names_the_cards_compared(
    piles: tuple[str, ...], told: str
) -> None:
    """S4.15, S4.16, I8."""
    option = {"points": "most-sevens+shoot-out"}
    assert line_of("Sevens", *piles, players=len(piles), **option) == told


def test_most_of_the_cards_may_be_too_few() -> None:
    """I8."""
    piles = ("AD 2D 3D", "4C 5C", "6C")
    told = line_of("Cards", *piles, players=3, majority="more-than-half")
    assert told == "you 3, Bruno 2, Carla 1. Nobody has more than half."


def test_a_side_of_two_is_told_by_both_names() -> None:
    lines = scored("7D 2C", "3B", scope=(0, 2), variant=variant_with(4))
    assert (
        "Cards: you and Carla 2, Bruno and Dario 1. 1 point for you and Carla." in lines
    )
    assert (
        "Scope: you and Carla 0, Bruno and Dario 2. 2 points for Bruno and Dario."
        in lines
    )


def test_the_reader_s_own_side_comes_first() -> None:
    lines = scored("7D 2C", "3B", you=1)
    assert "Cards: you 1, Ana 2. 1 point for Ana." in lines


def test_the_scope_and_cards_of_each_side_can_be_asked_for_in_the_running_deal() -> (
    None
):
    """S2.17, I7."""
    deal = opened("2D 3C 5S KB", "KD 4C", "KC", play="KDxKB KCx2D3C5S#")
    observation = Observation(0, deal, new_match(SCOPA, deal.dealer))
    assert observation.scope == (0, 1)
    assert score_sentences(observation, company()) == (
        "Match, to 11: you 0, Bruno 0.",
        "This deal so far: you have taken 2 cards and made no scope; "
        "Bruno has taken 4 cards and made 1 scopa.",
    )


def test_declared_points_can_be_asked_for_where_hands_are_declared() -> None:
    variant = find_variant("cirulla")
    deal = opened("KC QS JB 5C", "AD AC AS", variant=variant, play="three:ADACAS")
    observation = Observation(0, deal, new_match(variant, deal.dealer))
    [_, told] = score_sentences(observation, replace(company(), variant=variant))
    assert told == (
        "This deal so far: you have taken no cards, made no scope and declared "
        "10 points; Bruno has taken no cards, made no scope and declared no points."
    )


@pytest.mark.parametrize(
    ("option", "players", "side", "told"),
    [
        ("last-capturer", 2, 1, "What was left goes to Bruno, last to capture"),
        ("last-capturer", 2, None, "Nobody captured, so nobody gets what was left"),
        ("dealer", 2, 0, "What was left goes to you, the dealer"),
        ("dealer", 4, 1, "What was left goes to Bruno and Dario, the dealer's side"),
        ("nobody", 2, None, "By the rules of this match nobody gets what was left"),
    ],
)
def test_what_was_left_goes_to_whom_the_rules_name(
    option: str, players: int, side: int | None, told: str
) -> None:
    variant = variant_with(players, leftovers=option)
    left = cards("7D")
    lines = scored("", "", variant=variant, leftovers=left, leftovers_side=side)
    assert lines[1] == f"{told}: 7 of coins."


def test_other_ways_to_count_are_told_too() -> None:
    variant = variant_with(napola="length", re_bello="on", all_sevens="on", grande="5")
    lines = scored("AD 2D 3D 7D 7C 7S 7B KD JD QD", "", variant=variant)
    assert (
        "Napola: 3 points for you with Asso of coins (1), 2 of coins, 3 of coins."
        in lines
    )
    assert "Re bello, the Re of coins: 1 point for you." in lines
    assert [line for line in lines if line.startswith(("Sevens:", "Extras:"))]


def test_rules_that_are_not_those_of_the_games_name_are_told() -> None:
    changes = {"compulsion": "none+claim", "target": "5", "last_play_scopa": "yes"}
    [said] = changed_rules(find_variant("escoba", 3, changes))
    assert said == "Rules of this match: compulsion=none+claim, last_play_scopa=yes."
    assert changed_rules(find_variant("escoba", 3, {"target": "5"})) == ()


def test_a_score_that_is_carried_on_is_told() -> None:
    carried = Carried((4, 7), "0a" * 16, "0b" * 16)
    [said] = changed_rules(replace(find_variant("scopa"), carried=carried))
    assert said == "It carries on from 4 - 7 of an older match."
