"""Actions, deals and matches as text, both ways."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scopa_net.rules.actions import MATCH_CLAIM, Action, Claim, Declare, Play
from scopa_net.rules.cards import MAZZO, card, cards
from scopa_net.rules.deal import Deal, apply, legal_actions, makes_scopa, observe
from scopa_net.rules.errors import (
    AmbiguousAction,
    IllegalAction,
    InvalidAction,
    RulesError,
)
from scopa_net.rules.match import Match
from scopa_net.rules.notation import (
    InvalidNotation,
    format_action,
    format_deal,
    format_match,
    parse_action,
    parse_deal,
    parse_match,
    read_action,
)
from scopa_net.rules.variants import Variant
from tests.support.deals import (
    RULE_SETS,
    SCOPA,
    deals,
    opened,
    running_deals,
    variants,
    viewers,
)


def any_action() -> st.SearchStrategy[Action]:
    taken = st.lists(st.sampled_from(MAZZO), unique=True, max_size=10).map(tuple)
    shown = taken.filter(len)
    return st.one_of(
        st.builds(Play, st.sampled_from(MAZZO), taken),
        st.builds(Declare, shown, st.sampled_from(["low", "three"])),
        st.builds(Claim, shown),
    )


@given(any_action(), st.sampled_from(["", "#", " # ", "  "]))
def test_every_action_reads_back(action: Action, after: str) -> None:
    text = format_action(action)
    assert read_action(text + after) == action
    assert read_action(text.lower()) == action
    assert read_action(text.upper()) == action


@given(running_deals())
def test_every_legal_action_reads_back_where_it_is_legal(
    running: tuple[Deal, Action],
) -> None:
    deal, _ = running
    for action in legal_actions(deal):
        text = format_action(action, deal)
        assert text.endswith("#") == makes_scopa(deal, action)
        for seat in viewers(deal):
            assert parse_action(observe(deal, seat), text) == action


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Play(card("7D")), "7D"),
        (Play(card("7D"), cards("4S 3C")), "7Dx3C4S"),
        (Play(card("AD"), cards("AD")), "ADxAD"),
        (Declare(cards("3C AD 2C"), "low"), "low:AD2C3C"),
        (Declare(cards("7D 7S 7C"), "three"), "three:7D7C7S"),
        (Claim(cards("KD 5D")), "claim:5DKD"),
        (MATCH_CLAIM, "claim:match"),
    ],
)
def test_captured_cards_are_written_lowest_first(action: Action, text: str) -> None:
    assert format_action(action) == text


def test_a_scopa_is_marked() -> None:
    """S4.9."""
    deal = opened("2D 3C 4C KB", "KD", "QD", play="KDxKB")
    assert format_action(Play(card("QD"), cards("2D 3C 4C")), deal) == "QDx2D3C4C#"
    assert parse_action(deal, "qdx4c3c2d").captured == cards("2D 3C 4C")  # type: ignore[union-attr]


def test_a_mark_without_a_scopa_is_refused() -> None:
    deal = opened("2D 3C 5C KB", "KD")
    with pytest.raises(IllegalAction, match="KDxKB does not make a scopa"):
        parse_action(deal, "KDxKB#")


def test_a_card_with_one_capture_needs_no_more_said() -> None:
    deal = opened("2D 3C 5C KB", "5D 4D")
    assert parse_action(deal, "5d") == Play(card("5D"), cards("5C"))
    assert parse_action(deal, "4D") == Play(card("4D"))


def test_a_card_with_several_captures_asks_which() -> None:
    """A12, S2.19: never the first, never the most."""
    deal = opened("AD 2C 3S 4B", "5D")
    with pytest.raises(AmbiguousAction) as asked:
        parse_action(deal, "5D")
    assert str(asked.value) == "5D takes either AD4B or 2C3S: say which."
    assert parse_action(deal, "5Dx3S2C") == Play(card("5D"), cards("2C 3S"))
    with pytest.raises(IllegalAction):
        parse_action(deal, "5DxAD2C3S4B")


def test_a_card_that_may_be_laid_is_laid_when_nothing_more_is_said() -> None:
    deal = opened("2D 3C KC KB", "5D", variant=RULE_SETS["no compulsion"])
    assert parse_action(deal, "5D") == Play(card("5D"))


def test_a_hidden_hand_is_read_alike() -> None:
    deal = observe(opened("2D 3C 5C KB", "5D 4D"), 1)
    assert parse_action(deal, "5D") == Play(card("5D"), cards("5C"))
    with pytest.raises(IllegalAction, match="KB is not in that hand"):
        parse_action(deal, "KB")


def test_what_another_card_of_the_hand_forbids_is_said() -> None:
    deal = opened("AD 5C 6S KB", "2D 5S", variant=RULE_SETS["hand compulsion"])
    with pytest.raises(IllegalAction, match="another card of the hand"):
        parse_action(deal, "2D")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#",
        "x",
        "7",
        "7D7C",
        "7Dx",
        "7Dx#",
        "x3C",
        "7Dx3C4",
        "7Dx3Cx4S",
        "7Dx3C3C",
        "high:7D",
        "low:",
        "claim:",
        ":7D",
        "7D##",
        "7D!",
        "7D" * 100,
        "8D",
        "\u0667D",
    ],
)
def test_text_that_is_no_action_cannot_be_read(text: str) -> None:
    with pytest.raises(InvalidAction) as refused:
        read_action(text)
    assert len(str(refused.value)) < 150
    assert str(refused.value).isascii()
    with pytest.raises(InvalidAction):
        parse_action(opened("2D 3C 5C KB", "7D"), text)


@given(st.text(max_size=20))
@example("7Dx")
@example("\u017fx")
def test_any_text_is_an_action_or_refused(text: str) -> None:
    try:
        action = read_action(text)
    except InvalidAction:
        return
    assert read_action(format_action(action)) == action


@given(deals(variants()), st.data())
@settings(max_examples=60)
def test_every_deal_reads_back(deal: Deal, data: st.DataObject) -> None:
    told = observe(deal, data.draw(st.sampled_from(viewers(deal))))
    for one in (deal, told):
        text = format_deal(one)
        assert text.isascii()
        assert parse_deal(text) == one
        assert parse_deal(text).state == one.state
        assert format_deal(parse_deal(text)) == text


def test_a_deal_is_lines_that_people_can_read() -> None:
    deal = observe(opened("2D 3C 5C KB", "5D", "2S", play="5Dx5C 2Sx2D"), 0)
    first, *rules, seat, order, play = format_deal(deal).splitlines()
    assert first == "scopa deal 1"
    assert rules == [f"rule {line}" for line in SCOPA.lines()]
    assert seat == "first 0"
    assert order == "order 2D3C5CKB5DADAC" + 33 * "??"
    assert play == "play 5Dx5C 2Sx2D"


@pytest.mark.parametrize(
    ("find", "put", "why"),
    [
        ("scopa deal 1", "scopa deal 2", "first line"),
        ("first 0", "first zero", "'zero' is not a number"),
        ("first 0", "first 7", "no seat 7"),
        ("first 0\n", "", "has to say 'first'"),
        ("first 0", "first 0\nfirst 1", "has to say 'first'"),
        ("order 2D", "order 2X", "is not a card"),
        ("order 2D", "order ", "forty entries"),
        ("order 2D3C", "order 3C3C", "two positions"),
        ("play ", "move ", "not expected"),
        ("rule players=2", "rule players=9", "players"),
        ("rule players=2\n", "", "players"),
        ("5Dx5C", "5D!", "not a card"),
        ("5Dx5C", "5DxKB", "does not take"),
    ],
)
def test_a_text_that_is_no_deal_is_refused(find: str, put: str, why: str) -> None:
    text = format_deal(opened("2D 3C 5C KB", "5D", play="5Dx5C"))
    assert find in text
    with pytest.raises(RulesError, match=why):
        parse_deal(text.replace(find, put, 1))


def test_a_text_of_endless_lines_is_refused() -> None:
    with pytest.raises(InvalidNotation, match="too many lines"):
        parse_deal("scopa deal 1\n" + "rule a=b\n" * 1_000)


def test_a_deal_may_be_indented_and_have_empty_lines() -> None:
    deal = opened("2D 3C 5C KB", "5D", play="5Dx5C")
    assert parse_deal(format_deal(deal).replace("\n", "\n\n   ")) == deal


@given(variants(), st.data())
def test_every_match_reads_back(variant: Variant, data: st.DataObject) -> None:
    scores = st.lists(
        st.integers(0, 99), min_size=variant.sides, max_size=variant.sides
    )
    match = Match(
        variant,
        tuple(data.draw(scores)),
        data.draw(st.integers(0, 50)),
        data.draw(st.integers(0, variant.players - 1)),
        data.draw(st.none() | st.integers(0, variant.sides - 1)),
    )
    assert parse_match(format_match(match)) == match


@pytest.mark.parametrize(
    ("find", "put"),
    [
        ("scopa match 1", "scopa deal 1"),
        ("scores 3 7", "scores 3 7 1"),
        ("scores 3 7", "scores 3 x"),
        ("deal 4", "deal -4"),
        ("dealer 1", "dealer 1\nwon 0\nwon 1"),
        ("dealer 1", "dealer 1\nsomething"),
    ],
)
def test_a_text_that_is_no_match_is_refused(find: str, put: str) -> None:
    text = format_match(Match(SCOPA, (3, 7), 4, 1))
    assert find in text
    with pytest.raises(RulesError):
        parse_match(text.replace(find, put, 1))


def test_a_deal_in_notation_plays_as_one_that_was_played() -> None:
    deal = opened("2D 3C 5C KB", "5D", "2S", play="5Dx5C")
    text = format_deal(deal) + "play 2Sx2D\n"
    assert parse_deal(text) == apply(deal, Play(card("2S"), cards("2D")))
