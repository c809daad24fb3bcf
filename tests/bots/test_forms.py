"""What a bot in another process is told: all that its seat may use, and no more."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from protocol.text import SafeText
from scopa_net.bots.forms import observation_object, read_observation
from scopa_net.events import Played
from scopa_net.rules import MATCH_CLAIM, Match, Observation, Play, Variant, apply
from scopa_net.rules.deal import makes_scopa
from scopa_net.ui.company import Company
from scopa_net.ui.decks import deck_in
from scopa_net.ui.json_lines import event_object
from tests.ai.positions import luck, opening, positions, reshuffled, seen_by_mover
from tests.support.deals import RULE_SETS, SCOPA

KEYS = (
    "seat variant players sides target deal dealer first score table hand held "
    "known_hands tallone unseen piles scope declared history legal_actions order rules "
    "luck"
)


@pytest.mark.parametrize("variant", RULE_SETS.values(), ids=RULE_SETS.keys())
def test_an_observation_is_read_as_it_was_written(variant: Variant) -> None:
    for number, deal in enumerate(islice(positions(variant, "forms"), 0, 45, 3)):
        seen = seen_by_mover(deal, luck(number))
        said = json.loads(json.dumps(observation_object(seen)))
        again = read_observation(said)
        assert again == seen
        assert again.luck == seen.luck
        assert again.legal_actions == seen.legal_actions


def test_cards_that_a_seat_cannot_see_are_not_in_what_it_is_told() -> None:
    rng = Random("forms")
    for deal in islice(positions(SCOPA, "hidden"), 60):
        assert deal.turn is not None
        other = reshuffled(deal, deal.turn, rng)
        told = [observation_object(seen_by_mover(one)) for one in (deal, other)]
        assert told[0] == told[1]


def test_the_fields_of_an_observation_are_known() -> None:
    assert list(observation_object(opening("3C 4S KB QB", "7D 2B KS"))) == KEYS.split()


def test_what_was_played_has_the_form_of_its_event() -> None:
    company = Company((SafeText("Ada"), SafeText("Bea")), SCOPA, deck=deck_in({}))
    for deal in islice(positions(SCOPA, "events"), 40):
        past = observation_object(seen_by_mover(deal))["history"]
        action = seen_by_mover(deal).legal_actions[0]
        assert isinstance(action, Play)
        assert deal.turn is not None
        event = Played(deal.turn, action, makes_scopa(deal, action))
        after = apply(deal, action)
        match = Match(SCOPA, (0, 0), 0, deal.dealer)
        told = observation_object(Observation(0, after, match))["history"]
        assert told[:-1] == past
        assert {"schema": 1, **told[-1]} == event_object(event, company)


def test_who_may_claim_the_match_is_told_so() -> None:
    variant = replace(SCOPA, tie_at_target="claim")
    seen = seen_by_mover(next(positions(variant, "claims")))
    told = observation_object(seen)["legal_actions"]
    assert MATCH_CLAIM in seen.legal_actions
    assert told[-1] == {"action": "claim:match", "captured": [], "scopa": False}
