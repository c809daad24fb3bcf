"""The door for bot authors: all that a bot needs, and nothing else.

A bot has one method, `choose`. It gets an `Observation`, which is what its seat may
know, and answers with one of `observation.legal_actions`. How to write one and how it
is found: ai/README.md and `scopa_net.bots.registry`.
"""

from scopa_net.bots.bot import Bot, Weighed
from scopa_net.rules.actions import MATCH_CLAIM, Action, Claim, Declare, Play
from scopa_net.rules.cards import MAZZO, SETTEBELLO, Card, Suit, card, cards
from scopa_net.rules.deal import Deal, apply, learn, legal_actions, makes_scopa
from scopa_net.rules.match import Match, may_claim
from scopa_net.rules.observation import LUCK_BYTES, Observation
from scopa_net.rules.scoring import SideScore, score_deal
from scopa_net.rules.variants import Variant

__all__ = [
    "LUCK_BYTES",
    "MATCH_CLAIM",
    "MAZZO",
    "SETTEBELLO",
    "Action",
    "Bot",
    "Card",
    "Claim",
    "Deal",
    "Declare",
    "Match",
    "Observation",
    "Play",
    "SideScore",
    "Suit",
    "Variant",
    "Weighed",
    "apply",
    "card",
    "cards",
    "learn",
    "legal_actions",
    "makes_scopa",
    "may_claim",
    "score_deal",
]
