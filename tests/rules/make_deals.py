"""Records a deal of every preset as text, and its score: `tests/vectors/deals/`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from scopa_net.rules import (
    Action,
    Claim,
    Deal,
    Declare,
    Match,
    Variant,
    after_deal,
    apply,
    decided_early,
    find_variant,
    format_deal,
    format_match,
    legal_actions,
    new_deal,
    new_match,
    observe,
    score_deal,
)
from scopa_net.rules.scoring import certain_score
from tests.support.deals import PRESETS

FOLDER = Path(__file__).parent.parent / "vectors" / "deals"
ENDING = ".txt"

# Rules that no preset has, each with a deal that shows them.
BESIDE: dict[str, Variant] = {
    "escoba with claims": find_variant("escoba", 2, {"compulsion": "none+claim"}),
    "scopa decided at once": find_variant(
        "scopa", 2, {"end_check": "at-once", "target": "1"}
    ),
    "scopa claimed": find_variant("scopa", 2, {"tie_at_target": "claim"}),
}


def recorded(name: str, variant: Variant) -> str:
    """A random deal with whatever can be said said, its score, and one seat's view."""
    luck = random.Random(f"recorded {name}")
    match = new_match(variant, luck.randrange(variant.players))
    deal = dealt(match, luck)
    while deal.turn is not None and decided_early(match, deal) is None:
        legal = legal_actions(deal)
        said = [one for one in legal if isinstance(one, Declare | Claim)]
        action: Action = luck.choice(said or legal)
        if said and variant.claims_match and deal.plays < 20:
            action = luck.choice([one for one in legal if one not in said])
        deal = apply(deal, action)
    return told(match, deal)


def told(before: Match, deal: Deal) -> str:
    """Five blocks: the match before, the deal, its score, the match after it, and the
    deal as its first seat saw it.
    """
    after = decided_early(before, deal) or after_deal(before, score_deal(deal))
    blocks = [
        format_match(before),
        format_deal(deal),
        "".join(scores(deal)),
        format_match(after),
        format_deal(observe(deal, deal.first)),
    ]
    return "\n".join(blocks)


def dealt(match: Match, luck: random.Random) -> Deal:
    """A deal that is played as it lies."""
    while True:
        deal = new_deal(match.variant, match.first, luck.sample(range(40), 40))
        if not deal.redeal_due:
            return deal


def scores(deal: Deal) -> Iterator[str]:
    """The points of each side by category, as lines."""
    for side, score in enumerate(
        score_deal(deal) if deal.over else certain_score(deal)
    ):
        earned = " ".join(f"{name} {points}" for name, points in score.points.items())
        cards = f"{score.cards} cards, {score.coins} coins, {score.sevens} sevens"
        figures = f"{cards}, primiera {score.primiera} in {score.suits}"
        yield f"side {side}: {score.total} ({earned or 'nothing'}); {figures}\n"


def all_recorded() -> dict[str, Variant]:
    return {**PRESETS, **BESIDE}


def path_of(name: str) -> Path:
    return FOLDER / f"{name.replace(' ', '-')}{ENDING}"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, variant in all_recorded().items():
        path_of(name).write_text(recorded(name, variant), encoding="ascii")
