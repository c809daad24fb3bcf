import pytest

from protocol.text import SafeText
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
from scopa_net.rules import Claim, Declare, Play, card, find_variant, score_piles
from scopa_net.rules.cards import cards
from scopa_net.ui.company import Company
from scopa_net.ui.json_lines import Object, error_object, event_object, left_object

SCOPA = find_variant("scopa")
COMPANY = Company((SafeText("Ana"), SafeText("Bruno")), SCOPA, you=1)


def printed(event: Event) -> Object | None:
    found = event_object(event, COMPANY)
    if found is not None:
        assert found.pop("schema") == 1
    return found


def test_a_deal_starts_with_all_that_a_reader_needs() -> None:
    assert printed(DealStarted(deal=2, dealer=1)) == {
        "type": "deal_started",
        "deal": 2,
        "dealer": 1,
        "first": 0,
        "seat": 1,
        "names": ["Ana", "Bruno"],
        "variant": "scopa",
        "sides": 2,
        "target": 11,
        "carried": None,
    }


def test_cards_are_printed_in_notation() -> None:
    dealt = Dealt(cards("3C 7D QS"), cards("AB KC"), 30)
    assert printed(dealt) == {
        "type": "dealt",
        "table": ["3C", "7D", "QS"],
        "hand": ["AB", "KC"],
        "tallone": 30,
    }
    assert printed(Redealt(cards("KD KC KS 2B"))) == {
        "type": "redealt",
        "table": ["KD", "KC", "KS", "2B"],
    }


def test_a_play_has_its_notation_and_its_parts() -> None:
    assert printed(Played(0, Play(card("7D"), cards("3C 4S")), scopa=True)) == {
        "type": "played",
        "seat": 0,
        "action": "7Dx3C4S#",
        "card": "7D",
        "captured": ["3C", "4S"],
        "scopa": True,
    }
    assert printed(Played(1, Play(card("2B")), scopa=False)) == {
        "type": "played",
        "seat": 1,
        "action": "2B",
        "card": "2B",
        "captured": [],
        "scopa": False,
    }


def test_what_a_hand_shows_or_claims_is_printed() -> None:
    assert printed(Declared(0, Declare(cards("AD 2C 3S"), "low"))) == {
        "type": "declared",
        "seat": 0,
        "action": "low:AD2C3S",
        "cards": ["AD", "2C", "3S"],
        "kind": "low",
    }
    assert printed(Claimed(1, Claim(cards("7D 7C")), scopa=False)) == {
        "type": "claimed",
        "seat": 1,
        "action": "claim:7D7C",
        "captured": ["7D", "7C"],
        "scopa": False,
    }


def test_an_opening_table_that_pays_is_told() -> None:
    assert printed(TableTaken(1, cards("2D 3C 4S 6B"), 1)) == {
        "type": "table_taken",
        "side": 1,
        "cards": ["2D", "3C", "4S", "6B"],
        "scope": 1,
    }


def test_a_scored_deal_names_only_the_points_there_are() -> None:
    sides = score_piles(SCOPA, [cards("7D 6C"), cards("2S")], scope=[1])
    found = printed(DealScored(0, sides, (4, 0), cards("2S"), 1))
    assert found is not None
    sides_printed = found.pop("sides")
    assert isinstance(sides_printed, list)
    first, second = sides_printed
    assert found == {
        "type": "deal_scored",
        "deal": 0,
        "score": [4, 0],
        "leftovers": ["2S"],
        "leftovers_side": 1,
    }
    reasons = first.pop("reasons")
    assert reasons[2] == {
        "category": "settebello",
        "points": 1,
        "cards": ["7D"],
        "figures": [],
        "level": [],
        "shoot_out": False,
        "kind": "",
    }
    assert first == {
        "cards": 2,
        "coins": 1,
        "settebello": True,
        "primiera": 39,
        "suits": 2,
        "sevens": 1,
        "scope": 1,
        "points": {"cards": 1, "coins": 1, "settebello": 1, "scope": 1},
        "total": 4,
        "wins_match": False,
    }
    assert second["points"] == {}


def test_a_match_ends_with_its_winner_or_with_the_reason_why_not() -> None:
    assert printed(MatchWon(1, COMPANY.names, (7, 11), 3)) == {
        "type": "match_won",
        "winner": 1,
        "names": ["Ana", "Bruno"],
        "score": [7, 11],
        "deals": 3,
        "resigned": [],
    }
    assert printed(Stopped(0, "cheat", "Ana cheated.", (4, 2))) == {
        "type": "stopped",
        "seat": 0,
        "blame": "cheat",
        "message": "Ana cheated.",
        "score": [4, 2],
    }


def test_a_turn_is_not_printed() -> None:
    assert printed(TurnCame(0)) is None


def test_an_error_has_the_exit_code_and_a_sentence() -> None:
    assert error_object(2, "There is no bot 'x'.") == {
        "schema": 1,
        "type": "error",
        "code": 2,
        "message": "There is no bot 'x'.",
    }


def test_a_match_that_is_left_has_a_last_object_with_its_score() -> None:
    assert left_object((3, 5)) == {"schema": 1, "type": "left", "score": [3, 5]}


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (VoidProposed(1), {"type": "void_proposed", "seat": 1}),
        (
            VoidAgreed(1, (0, 2)),
            {"type": "void_agreed", "seat": 1, "missing": [0, 2]},
        ),
        (VoidRefused(0), {"type": "void_refused", "seat": 0}),
        (Voided(2), {"type": "voided", "deal": 2}),
        (Adjourned(1), {"type": "adjourned", "seat": 1}),
        (Resigned(0), {"type": "resigned", "seat": 0}),
    ],
)
def test_who_leaves_and_what_is_void_is_said(event: Event, said: Object) -> None:
    assert printed(event) == said


def test_a_match_that_was_given_up_says_by_whom_and_may_have_no_winner() -> None:
    found = printed(MatchWon(None, COMPANY.names, (1, 0), 1, (0, 1)))
    assert found is not None
    assert (found["winner"], found["resigned"]) == (None, [0, 1])
