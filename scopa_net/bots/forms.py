"""What a bot is told and what it answers, as JSON: every field is in ai/README.md.

Cards and actions are in notation, and what was played has the fields that it has in the
JSON lines of a match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, assert_never

from scopa_net.rules.actions import Action, Claim, Declare, Play
from scopa_net.rules.cards import MAZZO, Card, card
from scopa_net.rules.deal import UNKNOWN, Deal, apply, makes_scopa, new_deal
from scopa_net.rules.match import Match
from scopa_net.rules.notation import HIDDEN, SCOPA, format_action, read_action
from scopa_net.rules.observation import Observation
from scopa_net.rules.variants import variant_of_lines

__all__ = ["Object", "action_fields", "observation_object", "read_observation", "texts"]

Object: TypeAlias = dict[str, Any]

_TYPES = {Play: "played", Declare: "declared", Claim: "claimed"}


def texts(of: Iterable[Card]) -> list[str]:
    """Cards in notation."""
    return [str(one) for one in of]


def action_fields(action: Action, *, scopa: bool) -> Object:
    """What is to be said of an action: all of it in notation, and its parts."""
    fields: Object = {"action": format_action(action) + (SCOPA if scopa else "")}
    match action:
        case Play(played, captured):
            more = {"card": str(played), "captured": texts(captured), "scopa": scopa}
        case Declare(shown, kind):
            more = {"cards": texts(shown), "kind": kind}
        case Claim(captured):
            more = {"captured": texts(captured), "scopa": scopa}
        case _:
            assert_never(action)
    return fields | more


def observation_object(seen: Observation) -> Object:
    """All that a seat may use; nothing else goes into it."""
    deal, match = seen.deal, seen.match
    return {
        "seat": seen.seat,
        "variant": seen.variant.id,
        "players": seen.variant.players,
        "sides": seen.variant.sides,
        "target": seen.variant.target,
        "deal": match.deal_number,
        "dealer": match.dealer,
        "first": deal.first,
        "score": list(seen.scores),
        "table": texts(seen.table),
        "hand": texts(seen.hand),
        "held": list(seen.held),
        "known_hands": [texts(hand) for hand in seen.known_hands],
        "tallone": deal.tallone,
        "unseen": texts(seen.unseen),
        "piles": [texts(pile) for pile in seen.piles],
        "scope": list(seen.scope),
        "declared": list(seen.declared),
        "history": _history(seen),
        "legal_actions": [
            action_fields(action, scopa=makes_scopa(deal, action))
            for action in seen.legal_actions
        ],
        "order": "".join(
            HIDDEN if at == UNKNOWN else str(MAZZO[at]) for at in deal.order
        ),
        "rules": dict(line.split("=", 1) for line in seen.variant.lines()),
        "luck": seen.luck.hex(),
    }


def read_observation(found: Mapping[str, Any]) -> Observation:
    """The observation that was written so."""
    rules = found["rules"]
    variant = variant_of_lines([f"{key}={value}" for key, value in rules.items()])
    order, first = _read_order(found["order"]), found["first"]
    actions = tuple(read_action(past["action"]) for past in found["history"])
    match = Match(variant, tuple(found["score"]), found["deal"], found["dealer"])
    deal = Deal(variant, first, order, actions)
    return Observation(found["seat"], deal, match, bytes.fromhex(found["luck"]))


def _history(seen: Observation) -> list[Object]:
    """The actions so far, each as the event that told it."""
    deal = new_deal(seen.variant, seen.deal.first, seen.deal.order)
    found = []
    for seat, action in zip(seen.movers, seen.history, strict=True):
        after, side = apply(deal, action), deal.side(seat)
        fields = action_fields(action, scopa=after.scope(side) > deal.scope(side))
        found.append({"type": _TYPES[type(action)], "seat": seat, **fields})
        deal = after
    return found


def _read_order(text: str) -> tuple[int, ...]:
    pairs = [text[at : at + 2] for at in range(0, len(text), 2)]
    return tuple(UNKNOWN if two == HIDDEN else card(two).index for two in pairs)
