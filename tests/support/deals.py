"""Deals for tests: rule sets, hypothesis strategies, and builders from notation.

A strategy gives deals whose order is fully known; `observe` hides what a test wants
hidden. Shrinking goes towards an unshuffled pack and the first legal action.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from scopa_net.rules.actions import Action
from scopa_net.rules.cards import cards
from scopa_net.rules.deal import Deal, apply, legal_actions, new_deal
from scopa_net.rules.notation import parse_action
from scopa_net.rules.presets import PRESETS as PRESETS_BY_NAME
from scopa_net.rules.variants import VARIANTS, Variant, find_variant

ACTIONS_MAX = 60


def variant_with(players: int = 2, **options: Any) -> Variant:
    """A variant with any options that go together, offered or not."""
    sides = {4: 2, 6: 2}.get(players, players)
    return replace(
        find_variant("scopa"), players=players, **{"sides": sides, **options}
    )


SCOPA = find_variant("scopa")
SCOPONE_10: Mapping[str, Any] = {"hand_size": 10, "table_size": 0, "refill": "none"}
PRESETS: Mapping[str, Variant] = {
    f"{name} of {players}": find_variant(name, players)
    for name in VARIANTS
    for players in PRESETS_BY_NAME[name].players
}
"""Every preset for every number of players it is for."""

RULE_SETS: Mapping[str, Variant] = {
    **PRESETS,
    "four alone": variant_with(4, sides=4),
    "six on three sides": variant_with(6, sides=3),
    "fewest": variant_with(sum_choice="fewest", max_captured="2"),
    "hand compulsion": variant_with(compulsion="hand"),
    "no compulsion": variant_with(3, compulsion="none", leftovers="nobody"),
    "escoba with claims": find_variant("escoba", 3, {"compulsion": "none+claim"}),
    "cirulla of any sum": find_variant("cirulla", 2, {"equal_priority": "off"}),
    "asso sweeps all": variant_with(
        ace="sweeps", ace_on_table="sweep-all", sweep_is_scopa="yes", may_decline="on"
    ),
    "asso with claims": variant_with(
        ace="sweeps", compulsion="none+claim", ace_to_empty="takes-itself"
    ),
    "drawn after all have played": find_variant(
        "wikibooks-scopa", 3, {"refill": "draw-one-after-all-played"}
    ),
    "no asso led": find_variant(
        "scopa-dassi", 4, {"first_play_restricted": "no-ace-led"}
    ),
    "no first sweep": variant_with(
        ace="sweeps", first_play_restricted="no-sweep", ace_to_empty="takes-itself"
    ),
}
"""The presets, and rules that no preset has."""


def variants() -> st.SearchStrategy[Variant]:
    """Any of the rule sets."""
    return st.sampled_from(list(RULE_SETS.values()))


def orders() -> st.SearchStrategy[list[int]]:
    """A shuffled pack."""
    return st.permutations(range(40))


@st.composite
def openings(draw: st.DrawFn, among: st.SearchStrategy[Variant] | None = None) -> Deal:
    """A deal before its first action; it may be one that has to be dealt again."""
    variant = draw(variants() if among is None else among)
    first = draw(st.integers(0, variant.players - 1))
    return new_deal(variant, first, draw(orders()))


@st.composite
def deals(
    draw: st.DrawFn,
    among: st.SearchStrategy[Variant] | None = None,
    *,
    finished: bool = False,
) -> Deal:
    """A deal at any point of its play, its end included; or only there."""
    opening = openings(among).filter(lambda deal: not deal.redeal_due)
    deal = draw(opening)
    count = ACTIONS_MAX if finished else draw(st.integers(0, ACTIONS_MAX))
    picks = draw(st.lists(st.integers(0, 255), min_size=count, max_size=count))
    for pick in picks:
        if deal.over:
            break
        legal = legal_actions(deal)
        deal = apply(deal, legal[pick % len(legal)])
    return deal


@st.composite
def running_deals(draw: st.DrawFn) -> tuple[Deal, Action]:
    """A deal that is not over, and one of its legal actions."""
    deal = draw(deals().filter(lambda deal: not deal.over))
    return deal, draw(st.sampled_from(legal_actions(deal)))


def order_of(variant: Variant, table: str, *hands: str) -> list[int]:
    """An order that opens with this table and these hands, the first seat's first.

    Hands may be short or missing: the cards nobody names fill up, lowest first.
    """
    named = [cards(table), *(cards(hand) for hand in hands)]
    taken = {one.index for group in named for one in group}
    spare = iter([index for index in range(40) if index not in taken])
    order = [one.index for one in named[0]]
    order += [next(spare) for _ in range(variant.table_size - len(order))]
    for hand in named[1:]:
        order += [one.index for one in hand]
        order += [next(spare) for _ in range(variant.hand_size - len(hand))]
    return order + list(spare)


def opened(
    table: str, *hands: str, variant: Variant = SCOPA, first: int = 0, play: str = ""
) -> Deal:
    """The deal with this table and these hands, from `first` on, after some actions."""
    deal = new_deal(variant, first, order_of(variant, table, *hands))
    return played(deal, play)


def played(deal: Deal, actions: str) -> Deal:
    """The deal after some actions in notation."""
    for word in actions.split():
        deal = apply(deal, parse_action(deal, word))
    return deal


def viewers(deal: Deal) -> list[int | None]:
    """Every seat, and a spectator."""
    return [None, *range(deal.players)]
