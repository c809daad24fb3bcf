"""An action that is not allowed is refused with the rule that forbids it."""

import random

import pytest

from scopa_net.rules import kernel
from scopa_net.rules.actions import Action, Claim, Declare, Play, action_of
from scopa_net.rules.cards import MAZZO, card, cards
from scopa_net.rules.deal import Deal, apply, legal_actions, new_deal
from scopa_net.rules.errors import IllegalAction
from scopa_net.rules.notation import read_action
from scopa_net.rules.refusals import refusal
from scopa_net.rules.variants import Variant, find_variant
from tests.support.deals import RULE_SETS, SCOPA, opened, variant_with

ESCOBA = find_variant("escoba")
CIRULLA = find_variant("cirulla")
DASSI = find_variant("scopa-dassi")
SWEEPS_ALL = variant_with(ace="sweeps", ace_on_table="sweep-all")

# Variant, table, hand, what is tried, the whole sentence.
SENTENCES: list[tuple[Variant, str, str, str, str]] = [
    (
        SCOPA,
        "7C 3D 4S KB",
        "7D",
        "7Dx3D4S",
        "7D must take 7C, not 3D4S: an equal card goes before a sum.",
    ),
    (
        SCOPA,
        "7C 3D 4S KB",
        "7D",
        "7D",
        "7D may not be laid: it takes 7C, and what can capture must.",
    ),
    (
        SCOPA,
        "AC 3D 4S KB",
        "7D",
        "7DxAC3D4S",
        "7D does not take AC3D4S, which makes 8 and not 7: it takes 3D4S.",
    ),
    (
        SCOPA,
        "AC 3D 5S KB",
        "7D",
        "7Dx3D5S",
        "7D does not take 3D5S, which makes 8 and not 7: "
        "it takes nothing here and is laid.",
    ),
    (SCOPA, "AC 3D 5S KB", "7D", "7Dx4S", "4S is not on the table."),
    (SCOPA, "AC 3D 5S KB", "7D", "6DxAC5S", "6D is not in that hand."),
    (
        ESCOBA,
        "7C 3D 4S QB",
        "7D",
        "7Dx7C",
        "7D does not take 7C, with which it makes 14 and not 15: "
        "it takes nothing here and is laid.",
    ),
    (
        CIRULLA,
        "7C 3D 4S KB",
        "7D",
        "7DxKB",
        "7D does not take KB, which makes 10 and not 7 and with which it makes 17 "
        "and not 15: it takes 7C.",
    ),
    (
        CIRULLA,
        "5C 2D 3S KB",
        "5D",
        "5Dx2D3S",
        "5D must take 5C, or 2D3S5C, or KB, not 2D3S: an equal card goes before a sum.",
    ),
    (
        variant_with(sum_choice="fewest"),
        "AC 3D 4S 5B",
        "QD",
        "QDxAC3D5B",
        "QD must take 4S5B, not AC3D5B: of several captures the one of fewest cards "
        "is made.",
    ),
    (
        variant_with(max_captured="2"),
        "AC 2D 4S KB",
        "7D",
        "7DxAC2D4S",
        "7D cannot take AC2D4S: a card takes 2 cards at most.",
    ),
    (
        variant_with(compulsion="hand"),
        "5C 2S KS KB",
        "AD 5D",
        "AD",
        "AD may not be played: another card of the hand can capture, and goes first.",
    ),
    (
        find_variant("scopa-dassi", 4, {"first_play_restricted": "no-ace-led"}),
        "",
        "AD 5D",
        "AD",
        "AD may not be played: no ace is led while the hand has another card.",
    ),
    (
        DASSI,
        "5C 2S 3S KB",
        "AD",
        "AD",
        "AD may not be laid: it takes 2S3S5CKB, and what can capture must.",
    ),
    (
        SWEEPS_ALL,
        "AC 2S 3S KB",
        "AD",
        "ADxAC",
        "AD must take AC2S3SKB, not AC: an ace takes all that lies there.",
    ),
    (
        DASSI,
        "AC 2S 3S KB",
        "AD",
        "ADxAC2S3SKB",
        "AD must take AC, not AC2S3SKB: an ace sweeps nothing where another ace lies.",
    ),
    (
        find_variant("scopa-dassi", 2, {"first_play_restricted": "no-sweep"}),
        "5C 2S 3S KB",
        "AD",
        "ADx2S3S5CKB",
        "AD cannot take 2S3S5CKB: an ace sweeps nothing with the first play of the "
        "deal.",
    ),
    (
        SCOPA,
        "KC KS QS JB",
        "AD 2D 3D",
        "low:AD2D3D",
        "Hands are not declared in this game.",
    ),
    (
        CIRULLA,
        "KC KS QS JB",
        "AD 2D 7D",
        "low:AD2D7D",
        "AD2D7D cannot be declared low: it counts more than nine.",
    ),
    (
        CIRULLA,
        "KC KS QS JB",
        "AD 2D 2C",
        "three:AD2D2C",
        "AD2D2C cannot be declared three: its cards are not of one rank.",
    ),
    (
        CIRULLA,
        "KC KS QS JB",
        "AD 2D 3C",
        "low:AD2D",
        "A hand is declared whole, before its first card is played.",
    ),
    (SCOPA, "5C KS QS JB", "5D", "claim:5C", "Captures are not claimed in this game."),
    (
        find_variant("escoba", 2, {"compulsion": "none+claim"}),
        "5C KS QS JB",
        "5D",
        "claim:5CKS",
        "There is no card whose capture could be claimed.",
    ),
]


@pytest.mark.parametrize(
    ("variant", "table", "hand", "tried", "sentence"),
    SENTENCES,
    ids=[f"{case[0].id}-{case[3]}" for case in SENTENCES],
)
def test_the_sentence_names_the_rule(
    variant: Variant, table: str, hand: str, tried: str, sentence: str
) -> None:
    """S0.13, S0.16, S2.20, A2, A8, G1 among others."""
    deal = opened(table, hand, variant=variant)
    with pytest.raises(IllegalAction) as refused:
        apply(deal, read_action(tried))
    assert str(refused.value) == sentence


def test_a_hand_is_declared_once() -> None:
    deal = opened("KC KS QS JB", "AD AC AS", variant=CIRULLA, play="low:ADACAS")
    with pytest.raises(IllegalAction, match="declared already"):
        apply(deal, Declare(cards("AD AC AS"), "three"))


def test_cards_have_other_names_for_who_wants_them() -> None:
    deal = opened("7C 3D 4S KB", "7D")
    action = Play(card("7D"), cards("3D 4S"))
    named = refusal(
        deal.variant.rules, deal.state, action, lambda some: f"{len(tuple(some))} cards"
    )
    assert named.startswith("1 cards must take 1 cards, not 2 cards")


def any_action(luck: random.Random, deal: Deal) -> Action:
    """Something that names cards of the hand and the table, legal or not."""
    hand = deal.hand(deal.turn or 0)
    some = luck.sample(deal.table, luck.randint(0, min(4, len(deal.table))))
    kind = luck.randrange(8)
    if kind == 0:
        return Declare(tuple(luck.sample(hand, luck.randint(1, len(hand)))), "low")
    if kind == 1:
        return Claim((*some, luck.choice(MAZZO)) if not some else tuple(some))
    return Play(luck.choice(hand if luck.random() < 0.9 else MAZZO), tuple(some))


@pytest.mark.parametrize("variant", RULE_SETS.values(), ids=RULE_SETS.keys())
def test_every_action_that_is_not_listed_is_refused_with_a_sentence(
    variant: Variant,
) -> None:
    """And every listed one applies."""
    luck = random.Random(variant.fingerprint)
    deal = new_deal(variant, 0, luck.sample(range(40), 40))
    while deal.turn is not None:
        legal = legal_actions(deal)
        assert legal
        for _ in range(6):
            tried = any_action(luck, deal)
            if tried in legal:
                continue
            with pytest.raises(IllegalAction) as refused:
                apply(deal, tried)
            assert str(refused.value).endswith(".")
        for action in legal[:40]:
            apply(deal, action)
        deal = apply(deal, luck.choice(legal))


@pytest.mark.parametrize("name", ["scopa", "escoba", "cirulla", "asso-piglia-tutto"])
def test_what_is_listed_is_all_that_is_legal(name: str) -> None:
    """Every set of table cards is tried with every card of the hand."""
    variant = find_variant(name)
    luck = random.Random(name)
    for _ in range(4):
        deal = new_deal(variant, 0, luck.sample(range(40), 40))
        if deal.turn is None:
            continue
        table = deal.state[kernel.TABLE]
        sets = _subsets(table)
        listed = set(legal_actions(deal))
        for played in deal.hand(0):
            for subset in sets:
                action = action_of(played.index << kernel.CARDS | subset)
                try:
                    apply(deal, action)
                except IllegalAction:
                    assert action not in listed
                else:
                    assert action in listed


def _subsets(mask: int) -> list[int]:
    found, subset = [0], mask
    while subset:
        found.append(subset)
        subset = (subset - 1) & mask
    return found
